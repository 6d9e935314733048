/** Who runs into an agent's code, by every entrance, and what is left of the state of the session afterwards. */
import pg from 'pg';
import { call } from '../mcp/clients.ts';
import type { MatrixStage } from './matrix-stage.ts';
import { post } from './open-identities.ts';
import type { Way } from './ways-of-code.ts';

export interface Called {
  /** Texts of notices: `reached`, `ran <statement>`, `not <code> <statement>`. */
  readonly notices: readonly string[];
  /** Lines of the session's state that came or went; none where a call is a session of its own. */
  readonly changed: readonly string[];
  /** What the last statement that failed said. */
  readonly error: string | null;
}

export interface Caller {
  readonly name: string;
  /** Null: this caller has no such statement. */
  readonly run: (stage: MatrixStage, way: Way, world: string, code: string) => Promise<Called> | null;
}

/** Of its own: set before, compared after. */
const OWN_STATE: readonly string[] = [
  'SET search_path = public',
  'SET extra_float_digits = 2',
  "SET mine.kept = 'as it was'",
  'PREPARE mine AS SELECT 1',
  'LISTEN mine',
  'CREATE TEMP TABLE mine_too (id int)',
];

const STATE = `
  SELECT 'user ' || current_user || ' ' || session_user
  UNION ALL SELECT 'setting ' || name || ' ' || pg_catalog.current_setting(name, true)
    FROM (VALUES ('search_path'), ('role'), ('row_security'), ('mine.kept'), ('extra_float_digits'), ('statement_timeout'), ('default_transaction_read_only')) AS s (name)
  UNION ALL SELECT 'prepared ' || name FROM pg_catalog.pg_prepared_statements
  UNION ALL SELECT 'listens to ' || c FROM pg_catalog.pg_listening_channels() AS c
  UNION ALL SELECT 'world ' || pg_catalog.current_database()`;
// What pg_class shows is of all sessions; the names are of this test's own.
const TEMPORARY = "SELECT 'temporary ' || relname FROM pg_catalog.pg_class WHERE relpersistence = 't' AND pg_catalog.pg_table_is_visible(oid)";

/** COPY … FROM STDIN with these rows. */
class Copies extends pg.Query {
  readonly #rows: string;

  constructor(text: string, rows: string) {
    super(text);
    this.#rows = rows;
  }

  handleCopyInResponse(connection: { sendCopyFromChunk(chunk: Buffer): void; endCopyFrom(): void }): void {
    connection.sendCopyFromChunk(Buffer.from(this.#rows));
    connection.endCopyFrom();
  }
}

function sent(client: pg.Client, text: string, rows: string | undefined): Promise<unknown> {
  if (rows === undefined || !text.startsWith('COPY')) return client.query(text);
  return new Promise((resolve, reject) => {
    const query = new Copies(text, rows);
    query.on('end', resolve);
    query.on('error', reject);
    client.query(query);
  });
}

export function statementsOf({ trigger }: Way, code: string): string[] {
  return (typeof trigger === 'string' ? [trigger] : [...trigger]).map((text) => text.replaceAll('$w', () => code));
}

async function stateOf(client: pg.Client): Promise<Set<string>> {
  const lines = new Set<string>();
  for (const sql of [STATE, TEMPORARY]) {
    for (const [line] of (await client.query<[string]>({ text: sql, rowMode: 'array' })).rows) lines.add(line);
  }
  return lines;
}

/** Sessions stay open from one piece of code to the next, as those of pools do, until something has changed them. */
const sessions = new WeakMap<MatrixStage, Map<string, pg.Client>>();

async function sessionOf(stage: MatrixStage, user: string, world: string): Promise<pg.Client> {
  let open = sessions.get(stage);
  if (open === undefined) sessions.set(stage, (open = new Map<string, pg.Client>()));
  const kept = open.get(user);
  if (kept !== undefined) {
    if (await kept.query(`USE WORLD ${world}`).then(holdsItsState(kept), () => false)) return kept;
    open.delete(user);
    await kept.end().catch(() => {});
  }
  const client = await stage.connect(user, world, `as ${user}`);
  for (const sql of OWN_STATE) await client.query(sql);
  open.set(user, client);
  return client;
}

function holdsItsState(client: pg.Client): () => Promise<boolean> {
  return async () => {
    const state = await stateOf(client);
    return ['prepared mine', 'listens to mine', 'temporary mine_too', 'setting mine.kept as it was'].every((line) => state.has(line));
  };
}

export async function overWire(stage: MatrixStage, user: string, way: Way, world: string, code: string): Promise<Called> {
  const client = await sessionOf(stage, user, world);
  const notices: string[] = [];
  let error: string | null = null;
  const before = await stateOf(client);
  const noticed = ({ message }: { message?: string }): void => void notices.push(message ?? '');
  client.on('notice', noticed);
  for (const text of statementsOf(way, code)) {
    try {
      await sent(client, text, way.rows);
    } catch (raised) {
      const { code: state, message } = raised as { code?: string; message: string };
      error = `${state ?? ''} ${message}`;
    }
  }
  await client.query('ROLLBACK').catch(() => {});
  client.off('notice', noticed);
  const after = await stateOf(client).catch((raised: Error) => new Set([`state ${raised.message}`]));
  const changed = difference(before, after);
  if (changed.length > 0) {
    sessions.get(stage)!.delete(user);
    await client.end().catch(() => {});
  }
  return { notices, changed, error };
}

export async function endSessions(stage: MatrixStage): Promise<void> {
  for (const client of sessions.get(stage)?.values() ?? []) await client.end().catch(() => {});
}

/** Lines that only one of the two has. */
export function difference(before: ReadonlySet<string>, after: ReadonlySet<string>): string[] {
  return [...[...before].filter((line) => !after.has(line)), ...[...after].filter((line) => !before.has(line))];
}

const NOTHING: Pick<Called, 'notices' | 'changed'> = { notices: [], changed: [] };

/** Not the agent itself: its own code may what it may, and change its own session. */
export function callersOf(): Caller[] {
  const wire = (name: string, user: string): Caller => ({ name, run: (stage, way, world, code) => overWire(stage, user, way, world, code) });
  return [
    wire('owner', 'svc'),
    wire('superuser', 'boss'),
    wire('role', 'plain'),
    wire('admin agent', 'chief'),
    {
      name: 'http sql',
      run: (stage, way, world, code) => {
        if (way.rows !== undefined) return null;
        return post(stage.url, 'sql', { sql: statementsOf(way, code).join(';\n'), branch: world }).then(({ body }) => ({
          ...NOTHING,
          error: body.error?.message ?? null,
        }));
      },
    },
    {
      name: 'http put',
      run: (stage, way, world) =>
        way.put === undefined
          ? null
          : post(stage.url, 'put', { ...way.put, branch: world }).then(({ body }) => ({ ...NOTHING, error: body.error?.message ?? null })),
    },
    {
      name: 'mcp sql',
      run: (stage, way, world, code) => {
        if (way.rows !== undefined) return null;
        return call(stage.model, 'sql', { sql: statementsOf(way, code).join(';\n'), branch: world }).then(({ text, failed }) => ({
          ...NOTHING,
          error: failed ? text : null,
        }));
      },
    },
  ];
}
