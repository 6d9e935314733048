/** Rows that are written in slices are the rows that would be written at once: texts of any characters, bytes, arrays, and small values beside them. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Served, serve } from './open-server.ts';
import { bind, errorOf, execute, parse, rows, SYNC, WireClient } from './wire-client.ts';

let served: Served;
let client: WireClient;
beforeAll(async () => {
  served = await serve();
  client = await WireClient.login(served.port);
  client.patience = 60_000;
});
afterAll(async () => {
  client.quit();
  expect(served.faults).toEqual([]);
  await served.close();
});

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');
const made = (characters: string): string => characters.repeat(Math.ceil(1_300_000 / characters.length));

test.each([
  ['ASCII', 'abc'],
  ['two bytes a character', 'ä'],
  ['two units a character, cut between them', 'x😀'],
  ['of all lengths', 'aäж😀€'],
])('texts: %s', async (_, characters) => {
  const text = made(characters);
  const [[before, got, after], [next]] = rows(
    await client.query(`SELECT 1, t, 2 FROM (VALUES (repeat('${characters}', ${text.length / characters.length})), ('small')) v (t)`),
  ).map((row, i) => (i === 0 ? row : [row[1]]));
  expect([before, after, next]).toEqual(['1', '2', 'small']);
  expect(md5(got!)).toBe(md5(text));
});

test('arrays with nulls, quotes and another delimiter', async () => {
  const [row] = rows(
    await client.query(
      `SELECT array_agg(CASE i % 3 WHEN 0 THEN NULL WHEN 1 THEN 'a "b"' ELSE 'c' END), array_agg(box(point(i, 0), point(0, 0))), array_agg(ARRAY[i, i]) FROM generate_series(1, 10000) i`,
    ),
  );
  expect(row[0]).toBe(`{${Array.from({ length: 10_000 }, (_, i) => ['NULL', '"a \\"b\\""', 'c'][(i + 1) % 3]).join(',')}}`);
  expect(row[1]).toBe(`{${Array.from({ length: 10_000 }, (_, i) => `(${i + 1},0),(0,0)`).join(';')}}`);
  expect(row[2]).toBe(`{${Array.from({ length: 10_000 }, (_, i) => `{${i + 1},${i + 1}}`).join(',')}}`);
});

test('bytes and documents', async () => {
  const [row] = rows(await client.query(`SELECT convert_to(repeat('az', 600000), 'UTF8'), ('"' || repeat('az', 600000) || '"')::jsonb`));
  expect(row[0]).toBe(`\\x${'617a'.repeat(600_000)}`);
  expect(row[1]).toBe(`"${'az'.repeat(600_000)}"`);
});

test('some rows at a time, and one that fails', async () => {
  const reply = await client.run(
    parse('', `SELECT repeat('x', 1200000) || i FROM generate_series(1, 3) i`),
    bind('', '', []),
    execute('', 2),
    execute('', 2),
    SYNC,
  );
  expect(rows(reply).map(([text]) => text!.slice(-1))).toEqual(['1', '2', '3']);
  const failed = await client.query(`SELECT repeat('x', 1200000), 1 / (2 - i) FROM generate_series(1, 3) i`);
  expect(errorOf(failed)['C']).toBe('22012');
  expect(rows(await client.query('SELECT 1'))).toEqual([['1']]);
});

test('an array that a thread has made', async () => {
  const [[text]] = rows(await client.query(`SELECT string_to_array(repeat('a,', 299999) || 'a', ',')`));
  expect(text).toBe(`{${'a,'.repeat(299_999)}a}`);
});
