/** Says again what a client said, and gives the replies in the form of trace.ts. */
import { bind, describe, execute, fields, type Message, parse, SYNC, WireClient } from '../../wire/wire-client.ts';
import type { Conversation, Reply, Row, Rows, Said } from './trace.ts';

/** Oids of what a schema made, as names; and back. */
export class ObjectNames {
  readonly #names = new Map<string, string>();
  readonly #oids = new Map<string, string>();

  /** Class and type of a table share their name; constraints and their indexes share even the oid in some servers. */
  static async of(client: WireClient): Promise<ObjectNames> {
    const out = new ObjectNames();
    const messages = await client.query(`
      SELECT c.oid, nspname || '.' || relname FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace WHERE c.oid >= 16384
      UNION ALL SELECT t.oid, nspname || '.type ' || typname FROM pg_type t JOIN pg_namespace n ON n.oid = typnamespace WHERE t.oid >= 16384
      UNION ALL SELECT oid, 'schema ' || nspname FROM pg_namespace WHERE oid >= 16384
      UNION ALL SELECT oid, 'constraint ' || conname FROM pg_constraint WHERE oid >= 16384`);
    for (const [oid, name] of resultsOf(messages)[0].rows as Row[]) {
      if (!out.#names.has(oid!)) out.#names.set(oid!, name!);
      out.#oids.set(name!, oid!);
    }
    return out;
  }

  named(): Record<string, string> {
    return Object.fromEntries(this.#names);
  }

  oid(name: string): string | undefined {
    return this.#oids.get(name);
  }

  /** Numbers that are oids of objects as their names, others from 16384 on as `#`. */
  alike(text: string): string {
    return text.replaceAll(/\b(?:1[6-9]\d{3}|[2-9]\d{4})\b/g, (oid) => {
      const name = this.#names.get(oid);
      return name === undefined ? '#' : `<${name.replace('constraint ', '').replace(/^[^.]*\./, '')}>`;
    });
  }
}

/** Texts with the oids that the objects have here. */
function here(text: string, recorded: Readonly<Record<string, string>>, names: ObjectNames): string {
  return text.replaceAll(/\b\d{5}\b/g, (oid) => (recorded[oid] === undefined ? oid : (names.oid(recorded[oid]) ?? oid)));
}

export async function serverVersion(client: WireClient): Promise<string> {
  return resultsOf(await client.query('SHOW server_version'))[0].rows[0][0]!;
}

/** `users`: names of users that are one and the same. */
export async function replay(
  port: number,
  conversation: Conversation,
  objects: Readonly<Record<string, string>>,
  login: { user: string; database: string },
  users: readonly string[],
): Promise<Reply[]> {
  const client = await WireClient.login(port, { ...conversation.startup, ...login });
  const other = await WireClient.login(port, login);
  const names = await ObjectNames.of(other);
  other.quit();
  const replies: Reply[] = [];
  for (const said of conversation.said) replies.push(reply(await say(client, said, objects, names), names, users));
  client.quit();
  return replies;
}

export function say(client: WireClient, { text, types, values }: Said, objects: Readonly<Record<string, string>>, names: ObjectNames): Promise<Message[]> {
  const own = here(text, objects, names);
  if (types === undefined) return client.query(own);
  const given = (values ?? []).map((value) => (value === null ? null : here(value, objects, names)));
  return client.run(
    parse('', own, ...types.map((oid) => Number(here(String(oid), objects, names)))),
    bind('', '', given),
    describe('P', ''),
    execute(''),
    SYNC,
  );
}

function resultsOf(messages: readonly Message[]): { columns: (readonly [string, number])[]; rows: Row[] }[] {
  const out: { columns: (readonly [string, number])[]; rows: Row[] }[] = [];
  for (const { type, body } of messages) {
    if (type === 'T') out.push({ columns: columnsOf(body), rows: [] });
    else if (type === 'D') out[out.length - 1].rows.push(rowOf(body));
  }
  return out;
}

function columnsOf(body: Buffer): (readonly [string, number])[] {
  const out: (readonly [string, number])[] = [];
  let at = 2;
  for (let i = body.readInt16BE(0); i > 0; i--) {
    const end = body.indexOf(0, at);
    out.push([body.toString('utf8', at, end), body.readUInt32BE(end + 7)]);
    at = end + 19;
  }
  return out;
}

function rowOf(body: Buffer): Row {
  const out: (string | null)[] = [];
  let at = 2;
  for (let i = body.readInt16BE(0); i > 0; i--) {
    const length = body.readInt32BE(at);
    at += 4;
    out.push(length < 0 ? null : body.toString('utf8', at, at + length));
    at += Math.max(0, length);
  }
  return out;
}

function reply(messages: readonly Message[], names: ObjectNames, users: readonly string[]): Reply {
  const error = messages.find(({ type }) => type === 'E');
  if (error !== undefined) return { error: fields(error)['C'] };
  const others = users.length < 2 ? null : new RegExp(`\\b(?:${users.slice(1).join('|')})\\b`, 'g');
  const alike = (value: string | null): string | null => (value === null ? null : names.alike(others === null ? value : value.replaceAll(others, users[0])));
  return resultsOf(messages).map(({ columns, rows }): Rows => ({
    columns: columns.map(([name, type]) => [name, type >= 16384 ? 0 : type]),
    rows: rows.map((row) => row.map(alike)).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
  }));
}
