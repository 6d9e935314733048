/** The statements of the table of rights through the SQL port, with an agent's token proved by SCRAM; and quotas of connections. */
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWireServer, type WireServer } from '../../src/wire/server.ts';
import { ACTIONS } from './rights-actions.ts';
import { readMatrix, RightsStage, type StagedIdentity } from './rights-stage.ts';

let stage: RightsStage;
let server: WireServer;
let port: number;
const logged: Record<string, unknown>[] = [];

beforeAll(async () => {
  stage = await RightsStage.open();
  server = createWireServer({
    session: (where) => stage.db.session(where),
    logins: stage.db.logins(stage.identity),
    log: (level, fields, message) => void logged.push({ level, message, ...fields }),
  });
  port = await server.listen('127.0.0.1', 0);
});

afterAll(async () => {
  await server.close();
  await stage.close();
});

function client({ name, token }: StagedIdentity, database: string): pg.Client {
  const isAgent = name !== 'owner' && name !== 'guest';
  return new pg.Client({ host: '127.0.0.1', port, user: isAgent ? name : 'anybody', password: token ?? 'whatever', database });
}

async function overWire(identity: StagedIdentity, sql: string, branch: string): Promise<string | null> {
  const connection = client(identity, branch);
  try {
    await connection.connect();
    await connection.query(sql);
    return null;
  } catch (error) {
    return (error as { code: string }).code;
  } finally {
    await connection.end().catch(() => {});
  }
}

// contract: agent.5, can.surfaces, auth.wire.14
test.each(['guest', 'none', 'usual', 'blind', 'admin'])('%s over the SQL port gives what the table says', { timeout: 60_000 }, async (name) => {
  const identity = stage.identities.find((each) => each.name === name)!;
  const matrix = readMatrix();
  const found: Record<string, string> = {};
  const expected: Record<string, string> = {};
  for (const action of ACTIONS) {
    if (action.sql === undefined) continue;
    const staged = await stage.prepare(action, identity);
    found[action.name] = await stage.outcome(() => overWire(identity, staged.action.sql!, staged.action.branch!));
    await stage.tidy(staged);
    expected[action.name] = matrix.get(action.name)!.get(name)!;
  }
  expect(Object.keys(found).length).toBeGreaterThan(100);
  expect(found).toEqual(expected);
});

test('COPY into a world needs the right to change it, out of it to read', async () => {
  for (const [name, from, to] of [
    ['usual', '42501', 'y'],
    ['admin', 'y', 'y'],
    ['none', '42501', '42501'],
  ]) {
    const identity = stage.identities.find((each) => each.name === name)!;
    // The driver answers COPY with nothing to copy or gives it up: what counts is whether it may begin.
    const begun = async (sql: string): Promise<string> => {
      const code = await overWire(identity, sql, 'main');
      return code === '42501' ? code : 'y';
    };
    expect(await begun('COPY typed TO STDOUT'), name).toBe(to);
    expect(await begun('COPY typed FROM STDIN'), name).toBe(from);
    expect(await begun("COPY typed TO '/tmp/x'"), name).toBe('42501');
  }
});

// contract: state.21, auth.wire.15
test('a session that is open when its agent is disabled is refused from its next statement on, and its transaction is not committed', async () => {
  const { token } = await stage.db.create_agent({ name: 'brief', can: ['read', 'write_main'] });
  const identity: StagedIdentity = { name: 'brief', token, principal: stage.db.directory.byName('brief')!, maker: stage.db.directory.byName('brief')! };
  const connection = client(identity, 'main');
  await connection.connect();
  await connection.query('BEGIN');
  await connection.query("INSERT INTO typed VALUES (500, 'x')");
  await stage.db.alter_agent({ name: 'brief', disabled: true });
  await expect(connection.query('SELECT 1')).rejects.toMatchObject({ code: '42501' });
  await expect(connection.query('COMMIT')).rejects.toMatchObject({ code: '42501' });
  await expect(connection.query('ROLLBACK')).resolves.toMatchObject({ command: 'ROLLBACK' });
  await expect(connection.query('BEGIN')).rejects.toMatchObject({ code: '42501' });
  expect(await overWire(identity, 'SELECT 1', 'main')).toBe('28P01');
  await connection.end();
  const { results } = await stage.db.sql({ sql: 'SELECT count(*)::int AS n FROM typed WHERE id = 500' });
  expect(results[0].rows).toEqual([{ n: 0 }]);
});

// contract: limit.max_idle_ms, limit.max_concurrent, error.25P03, error.53300
test('max_idle_ms ends a connection that idles inside a transaction (25P03), max_concurrent counts statements of connections', async () => {
  const { token } = await stage.db.create_agent({ name: 'idler', can: ['read'], max_idle_ms: 100, max_concurrent: 1 });
  const identity: StagedIdentity = { name: 'idler', token, principal: stage.db.directory.byName('idler')!, maker: stage.db.directory.byName('idler')! };
  const [one, two] = [client(identity, 'main'), client(identity, 'main')];
  await Promise.all([one.connect(), two.connect()]);
  const ended = new Promise<unknown>((resolve) => one.on('error', resolve));
  two.on('error', () => {});
  await one.query('BEGIN');
  expect(await ended).toMatchObject({ code: '25P03' });
  const long = two.query('SELECT count(*) FROM generate_series(1, 2000000) g');
  const three = client(identity, 'main');
  await three.connect();
  await expect(three.query('SELECT 1')).rejects.toMatchObject({ code: '53300' });
  await long;
  expect((await three.query('SELECT 1')).rowCount).toBe(1);
  // Idle connections do not count.
  expect((await two.query('SELECT 1')).rowCount).toBe(1);
  await Promise.all([two.end(), three.end()]);
});

test('the parameters of a connection give no agent another role', async () => {
  for (const settings of ['-c role=svc', '-c session_authorization=svc']) {
    const identity = stage.identities.find(({ name }) => name === 'usual')!;
    const connection = new pg.Client({ host: '127.0.0.1', port, user: 'usual', password: identity.token!, database: 'main', options: settings });
    const code = await connection
      .connect()
      .then(() => connection.query('SELECT rolpassword FROM pg_authid'))
      .then(
        () => 'y',
        (error: { code: string }) => error.code,
      );
    await connection.end().catch(() => {});
    expect(code, settings).not.toBe('y');
  }
});

test('the log has failed logins, refusals and the administration of agents with the address, and no token', async () => {
  logged.length = 0;
  const [usual, admin] = ['usual', 'admin'].map((name) => stage.identities.find((each) => each.name === name)!);
  await overWire({ ...usual, token: 'wrong' }, 'SELECT 1', 'main');
  await overWire({ ...usual, name: usual.token! }, 'SELECT 1', 'main');
  await overWire(usual, 'DELETE FROM typed', 'main');
  await overWire(admin, 'CREATE AGENT logged; ALTER AGENT logged DISABLE; DROP AGENT logged; ALTER SYSTEM RESET max_worlds', 'main');
  const lines = logged
    .filter(({ message }) => message !== 'connection open' && message !== 'connection closed')
    .map(({ message, address, user, by, code, what, name }) => [message, address, user, by, code, what, name].filter((each) => each !== undefined).join(' | '));
  expect(lines).toEqual([
    'login refused | 127.0.0.1 | usual | 28P01',
    'refused | 127.0.0.1 | agent "usual" | 42501',
    'administration | 127.0.0.1 | agent "admin" | CREATE AGENT | logged',
    'administration | 127.0.0.1 | agent "admin" | ALTER AGENT | logged',
    'administration | 127.0.0.1 | agent "admin" | DROP AGENT | logged',
    'administration | 127.0.0.1 | agent "admin" | ALTER SYSTEM | max_worlds',
  ]);
  for (const { token } of stage.identities) if (token !== null) expect(JSON.stringify(logged)).not.toContain(token);
});

test('what is shown of agents, the audit, metrics and the folder comes by the extended protocol too', async () => {
  const connection = client(
    stage.identities.find(({ name }) => name === 'owner')!,
    'main',
  );
  await connection.connect();
  try {
    for (const [text, columns] of [
      ['SHOW AGENTS', 'name id can quotas world_ttl created disabled limits'],
      ['SHOW AUDIT LIMIT 3', 'at agent world action rows id'],
      ['SHOW METRICS', 'name value'],
      ['VERIFY', 'pages bytes log_records'],
    ]) {
      for (const name of [undefined, text]) {
        const { fields, rows } = await connection.query({ text, ...(name === undefined ? {} : { name }) });
        expect(fields.map((field) => field.name).join(' '), text).toBe(columns);
        expect(text.startsWith('SHOW AUDIT') || rows.length > 0, text).toBe(true);
      }
    }
    const value = async (name: string): Promise<number> => {
      const { rows } = await connection.query('SHOW METRICS');
      return Number((rows as { name: string; value: number }[]).find((row) => row.name === name)?.value);
    };
    const [statements, errors] = [await value('svc_statements_total'), await value('svc_statement_errors_total')];
    await expect(connection.query('SELECT 1/0')).rejects.toThrow('division by zero');
    expect(await value('svc_statement_errors_total')).toBe(errors + 1);
    expect(await value('svc_statements_total')).toBeGreaterThan(statements + 1);
    expect(await value('svc_worlds')).toBeGreaterThan(0);
  } finally {
    await connection.end();
  }
});
