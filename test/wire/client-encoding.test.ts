/** Texts in the encoding of the client (manual, section 24.3.3): what it sends, what it is sent, and what its encoding does not have. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Served, serve } from './open-server.ts';
import { errorOf, frame, type Message, WireClient } from './wire-client.ts';

let served: Served;
let utf8: WireClient;
beforeAll(async () => {
  served = await serve();
  utf8 = await WireClient.login(served.port);
  await utf8.query(`CREATE TABLE enc (id int PRIMARY KEY, t text); INSERT INTO enc VALUES (1, 'é'), (2, '日本'), (3, 'ž€')`);
});
afterAll(async () => {
  utf8.quit();
  await served.close();
});

const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');

/** A query whose bytes are given. */
function sent(client: WireClient, sql: string): Promise<Message[]> {
  client.send(frame('Q', bytes(`${sql}\0`)));
  return client.until('Z');
}

/** The only cell of the only row, a character a byte. */
function cell(messages: readonly Message[]): string {
  const rows = messages.filter(({ type }) => type === 'D');
  expect(rows.length).toBe(1);
  return rows[0].body.toString('latin1', 6);
}

test('texts of a LATIN1 client: literals, names of columns, rows, and what it writes is read by others', async () => {
  const client = await WireClient.login(served.port, { client_encoding: 'latin1' });
  expect(cell(await client.query('SHOW client_encoding'))).toBe('LATIN1');
  expect(cell(await sent(client, 'SELECT t FROM enc WHERE id = 1'))).toBe('\xe9');
  expect(cell(await sent(client, "SELECT length('\xe9\xfc')"))).toBe('2');
  const named = await sent(client, 'SELECT 1 AS "caf\xe9"');
  expect(named.find(({ type }) => type === 'T')!.body.toString('latin1', 2, 6)).toBe('caf\xe9');
  await sent(client, "INSERT INTO enc VALUES (10, 'na\xefve')");
  expect((await utf8.query('SELECT t FROM enc WHERE id = 10')).find(({ type }) => type === 'D')!.body.toString('utf8', 6)).toBe('naïve');
  client.quit();
});

test('a character that the encoding does not have is 22P05, and the session continues', async () => {
  const client = await WireClient.login(served.port, { client_encoding: 'WIN1252' });
  expect(errorOf(await client.query('SELECT t FROM enc WHERE id = 2'))).toMatchObject({
    C: '22P05',
    M: 'character with byte sequence 0xe6 0x97 0xa5 in encoding "UTF8" has no equivalent in encoding "WIN1252"',
  });
  expect(cell(await client.query('SELECT t FROM enc WHERE id = 3'))).toBe('\x9e\x80');
  // Errors are reported in any case.
  expect(errorOf(await client.query(`SELECT chr(26085)::int`))).toMatchObject({ C: '22P02', M: 'invalid input syntax for type integer: "?"' });
  expect(errorOf(await sent(client, "SELECT '\x81'"))).toMatchObject({ C: '22P05' });
  client.quit();
});

test('parameters and COPY are in it, and SET changes it between two statements of one message', async () => {
  const client = await WireClient.login(served.port, { client_encoding: 'LATIN9' });
  await client.query('PREPARE named (text) AS SELECT id FROM enc WHERE t = $1');
  expect(cell(await sent(client, "EXECUTE named('\xe9')"))).toBe('1');
  client.send(frame('Q', bytes('COPY enc FROM STDIN\0')));
  client.send(frame('d', bytes('20\t\xa4 \xbd\n')), frame('c'));
  await client.until('Z');
  expect((await utf8.query('SELECT t FROM enc WHERE id = 20')).find(({ type }) => type === 'D')!.body.toString('utf8', 6)).toBe('€ œ');
  const out = await client.query('COPY (SELECT t FROM enc WHERE id = 20) TO STDOUT');
  expect(out.find(({ type }) => type === 'd')!.body.toString('latin1')).toBe('\xa4 \xbd\n');
  const both = await sent(client, "SELECT '\xe9'; SET client_encoding = utf8; SELECT chr(233)");
  expect(both.filter(({ type }) => type === 'D').map(({ body }) => body.toString('latin1', 6))).toEqual(['\xe9', '\xc3\xa9']);
  client.quit();
});

test('texts of several bytes a character, one of which may be a backslash', async () => {
  const client = await WireClient.login(served.port, { client_encoding: 'SJIS' });
  expect(cell(await sent(client, 'SELECT t FROM enc WHERE id = 2'))).toBe('\x93\xfa\x96\x7b');
  expect(cell(await sent(client, "SELECT length('\x95\x5c\xb1')"))).toBe('2');
  expect(errorOf(await client.query('SELECT t FROM enc WHERE id = 3'))).toMatchObject({ C: '22P05' });
  expect(errorOf(await sent(client, "SELECT '\x81\x20'"))).toMatchObject({ C: '22021', M: 'invalid byte sequence for encoding "SJIS": 0x81 0x20' });
  await client.query("SET client_encoding = 'GB18030'");
  expect(cell(await client.query('SELECT repeat(chr(255), 100)'))).toBe('\x81\x30\x8b\x37'.repeat(100));
  client.quit();
});

test('encodings that are not known are refused, names that are none too', async () => {
  expect(errorOf(await utf8.query("SET client_encoding = 'euc_tw'"))).toMatchObject({ C: '0A000', M: 'conversion between EUC_TW and UTF8 is not supported' });
  expect(errorOf(await utf8.query("SET client_encoding = 'nosuch'"))).toMatchObject({ C: '22023' });
});
