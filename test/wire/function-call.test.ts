/** The function call message, as Postgres 15 answers it: values in text and binary, nulls, and what is refused. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Served, serve } from './open-server.ts';
import { frame, int16, int32, type Message, parse, SYNC, WireClient } from './wire-client.ts';

let served: Served;
beforeAll(async () => {
  served = await serve();
});
afterAll(() => served.close());

type Argument = string | Buffer | null;

/** `formats`: as in the message. */
function call(oid: number, values: readonly Argument[], result: number, formats = values.map((value) => (Buffer.isBuffer(value) ? 1 : 0))): Buffer {
  const encoded = values.flatMap((value) => {
    if (value === null) return [int32(-1)];
    const bytes = Buffer.isBuffer(value) ? value : Buffer.from(value);
    return [int32(bytes.length), bytes];
  });
  return frame('F', oid, int16(formats.length), ...formats.map(int16), int16(values.length), ...encoded, int16(result));
}

/** `V 7`, `V null`, `E 42883 message`, `Z I`. */
function shown({ type, body }: Message, result: number): string {
  if (type === 'V') {
    const length = body.readInt32BE(0);
    return `V ${length < 0 ? 'null' : result === 1 ? body.subarray(4).toString('hex') : body.subarray(4).toString()}`;
  }
  if (type === 'Z') return `Z ${body.toString('latin1')}`;
  if (type !== 'E' && type !== 'N') return type;
  const fields = new Map(
    body
      .toString()
      .split('\0')
      .map((field) => [field[0], field.slice(1)]),
  );
  return `${type} ${fields.get('C')} ${fields.get('M')}`;
}

async function oidOf(client: WireClient, name: string): Promise<number> {
  const messages = await client.query(`SELECT '${name}'::regproc::oid::text`);
  const { body } = messages.find(({ type }) => type === 'D')!;
  return Number(body.subarray(6).toString());
}

async function answer(client: WireClient, message: Buffer, result = 0): Promise<string[]> {
  client.messages.length = 0;
  client.socket.write(message);
  return (await client.until('Z')).map((each) => shown(each, result));
}

const INT4PL = 177;
const TEXTCAT = 1258;

test('values in and out', async () => {
  const client = await WireClient.login(served.port);
  expect(await answer(client, call(INT4PL, ['3', '4'], 0))).toEqual(['V 7', 'Z I']);
  expect(await answer(client, call(INT4PL, [int32(3), '4'], 1), 1)).toEqual(['V 00000007', 'Z I']);
  expect(await answer(client, call(INT4PL, [int32(3), int32(4)], 0, [1]))).toEqual(['V 7', 'Z I']);
  expect(await answer(client, call(INT4PL, ['3', '4'], 0, []))).toEqual(['V 7', 'Z I']);
  expect(await answer(client, call(INT4PL, ['3', null], 1), 1)).toEqual(['V null', 'Z I']);
  expect(await answer(client, call(TEXTCAT, ['é', '–'], 1), 1)).toEqual([`V ${Buffer.from('é–').toString('hex')}`, 'Z I']);
  client.quit();
});

test('user-defined functions, with writes and notices', async () => {
  const client = await WireClient.login(served.port);
  await client.query(`CREATE SCHEMA "In"; CREATE TABLE noted (a int);
    CREATE FUNCTION "In"."Note"(a int, b text = 'x') RETURNS text LANGUAGE plpgsql AS $$
    BEGIN INSERT INTO noted VALUES (a); RAISE NOTICE 'noted %', a; RETURN b || (SELECT count(*) FROM noted); END $$`);
  const oid = await oidOf(client, '"In"."Note"');
  expect(await answer(client, call(oid, ['1', 'n'], 0))).toEqual(['N 00000 noted 1', 'V n1', 'Z I']);
  await client.query('BEGIN');
  expect(await answer(client, call(oid, ['2', 'n'], 0))).toEqual(['N 00000 noted 2', 'V n2', 'Z T']);
  await client.query('ROLLBACK');
  expect(await answer(client, call(oid, [int32(3), null], 0))).toEqual(['N 00000 noted 3', 'V null', 'Z I']);
  const other = await WireClient.login(served.port);
  expect(
    (await other.query('SELECT string_agg(a::text, $$,$$ ORDER BY a) FROM noted'))
      .find(({ type }) => type === 'D')!
      .body.subarray(6)
      .toString(),
  ).toBe('1,3');
  client.quit();
  other.quit();
});

test('waits for a row that another session has locked', async () => {
  const [client, other] = [await WireClient.login(served.port), await WireClient.login(served.port)];
  await client.query(`CREATE TABLE counted (n int); INSERT INTO counted VALUES (1);
    CREATE FUNCTION counted_on() RETURNS int LANGUAGE sql AS 'UPDATE counted SET n = n + 1 RETURNING n'`);
  const oid = await oidOf(client, 'counted_on');
  await other.query('BEGIN; UPDATE counted SET n = 10');
  const waiting = answer(client, call(oid, [], 0));
  await new Promise((resolve) => setTimeout(resolve, 50));
  await other.query('COMMIT');
  expect(await waiting).toEqual(['V 11', 'Z I']);
  client.quit();
  other.quit();
});

test('what is refused leaves the connection as it was', async () => {
  const client = await WireClient.login(served.port);
  expect(await answer(client, call(999_999, [], 0))).toEqual(['E 42883 function with OID 999999 does not exist', 'Z I']);
  expect(await answer(client, call(2108, ['1'], 0))).toEqual(['E 0A000 cannot call function "sum" via fastpath interface', 'Z I']);
  expect(await answer(client, call(1067, ['1', '3'], 0))).toEqual(['E 0A000 cannot call function "generate_series" via fastpath interface', 'Z I']);
  expect(await answer(client, call(3100, [], 0))).toEqual(['E 0A000 cannot call function "row_number" via fastpath interface', 'Z I']);
  expect(await answer(client, call(INT4PL, ['1'], 0))).toEqual(['E 08P01 function call message contains 1 arguments but function requires 2', 'Z I']);
  expect(await answer(client, call(INT4PL, ['1', '2'], 0, [0, 0, 0]))).toEqual([
    'E 08P01 function call message contains 3 argument formats but 2 arguments',
    'Z I',
  ]);
  expect(await answer(client, call(INT4PL, ['1', '2'], 7))).toEqual(['E 22023 unsupported format code: 7', 'Z I']);
  expect(await answer(client, call(INT4PL, ['1', 'b'], 0))).toEqual(['E 22P02 invalid input syntax for type integer: "b"', 'Z I']);
  expect(await answer(client, call(INT4PL, ['1', Buffer.alloc(5)], 0))).toEqual(['E 22P03 incorrect binary data format in function argument 2', 'Z I']);
  expect(await answer(client, call(INT4PL, ['2147483647', '1'], 0))).toEqual(['E 22003 integer out of range', 'Z I']);
  expect(await answer(client, frame('F', INT4PL))).toEqual(['E 08P01 insufficient data left in message', 'Z I']);
  await client.query('BEGIN');
  expect(await answer(client, call(154, ['1', '0'], 0))).toEqual(['E 22012 division by zero', 'Z E']);
  expect(await answer(client, call(INT4PL, ['3', '4'], 0))).toEqual([
    'E 25P02 current transaction is aborted, commands ignored until end of transaction block',
    'Z E',
  ]);
  await client.query('ROLLBACK');
  // After an error of an extended query it is skipped like all others.
  expect(await answer(client, Buffer.concat([parse('', 'nonsense'), call(INT4PL, ['3', '4'], 0), SYNC]))).toEqual([
    'E 42601 syntax error at or near "nonsense"',
    'Z I',
  ]);
  expect(await answer(client, call(INT4PL, ['3', '4'], 0))).toEqual(['V 7', 'Z I']);
  client.quit();
});

test('asks for the right to execute', async () => {
  const owner = await WireClient.login(served.port);
  await owner.query(
    "CREATE ROLE caller LOGIN; CREATE FUNCTION hidden() RETURNS int LANGUAGE sql AS 'SELECT 1'; REVOKE EXECUTE ON FUNCTION hidden() FROM PUBLIC",
  );
  const oid = await oidOf(owner, 'hidden');
  await owner.query('SET ROLE caller');
  expect(await answer(owner, call(oid, [], 0))).toEqual(['E 42501 permission denied for function hidden', 'Z I']);
  await owner.query('RESET ROLE');
  expect(await answer(owner, call(oid, [], 0))).toEqual(['V 1', 'Z I']);
  owner.quit();
});
