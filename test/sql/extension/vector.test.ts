/** vector beyond SQL: its binary form, the JSON of HTTP, differences, merges, and a folder opened again. SQL is in types-vector.slt. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, open } from '../../../src/database.ts';
import { receiveBinary } from '../../../src/sql/formats/binary-receive.ts';
import { sendBinary } from '../../../src/sql/formats/binary-send.ts';
import { VECTOR } from '../../../src/sql/types/vector.ts';
import { ENV } from '../json/plain-types.ts';

let home: string;
let db: Database;
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'svc-vector-'));
  db = await open(join(home, 'db'));
  await db.sql({
    sql: "CREATE EXTENSION vector; CREATE TABLE v (id int PRIMARY KEY, e vector(3)); INSERT INTO v VALUES (1, '[1,2,3]'), (2, '[0.1,-0.2,3000]'), (3, NULL)",
  });
});
afterAll(async () => {
  await db.close();
  rmSync(home, { recursive: true, force: true });
});

test('the binary form is dimensions, 0, and float4 components', () => {
  const bytes = Buffer.from(sendBinary(VECTOR, Float32Array.from([1, -2]), ENV));
  expect(bytes.toString('hex')).toBe('000200003f800000c0000000');
  expect(receiveBinary(VECTOR, bytes, -1, ENV)).toEqual(Float32Array.from([1, -2]));
  for (const [hex, code] of [
    ['0000 0000', '22000'],
    ['0001 0001 3f800000', '22000'],
    ['0001 0000 7fc00000', '22000'],
    ['0001 0000 7f800000', '22000'],
  ]) {
    expect(() => receiveBinary(VECTOR, Buffer.from(hex.replaceAll(' ', ''), 'hex'), -1, ENV), hex).toThrow(expect.objectContaining({ code }));
  }
});

test('rows, differences and merges have its text; extensions merge as definitions', async () => {
  await db.fork({ name: 'draft' });
  await db.sql({ branch: 'draft', sql: "CREATE EXTENSION pg_trgm; UPDATE v SET e = '[9,9,9]' WHERE id = 1; INSERT INTO v VALUES (4, '[4,4,4]')" });
  expect((await db.get({ branch: 'draft', table: 'v', id: '2' })).row).toEqual({ id: 2, e: '[0.1,-0.2,3000]' });
  const { changes } = await db.diff({ branch: 'draft' });
  expect(changes).toEqual([
    { key: 'v/1', before: { id: 1, e: '[1,2,3]' }, after: { id: 1, e: '[9,9,9]' }, columns: ['e'] },
    { key: 'v/4', before: null, after: { id: 4, e: '[4,4,4]' }, columns: ['e', 'id'] },
  ]);
  await db.put({ branch: 'draft', table: 'v', id: '5', record: { e: '[5,5,5]' } });
  await expect(db.put({ branch: 'draft', table: 'v', id: '6', record: { e: '[5,5]' } })).rejects.toMatchObject({ code: '22000' });
  await db.merge({ branch: 'draft' });
  const extensions = async (): Promise<unknown> =>
    (await db.sql({ sql: 'SELECT extname FROM pg_extension ORDER BY 1' })).results[0].rows.map(({ extname }) => extname);
  expect(await extensions()).toEqual(['pg_trgm', 'plpgsql', 'vector']);
  const rows = async (): Promise<unknown> => (await db.sql({ sql: 'SELECT id, e FROM v ORDER BY id' })).results[0].rows;
  const merged = await rows();
  expect(merged).toEqual([
    { id: 1, e: '[9,9,9]' },
    { id: 2, e: '[0.1,-0.2,3000]' },
    { id: 3, e: null },
    { id: 4, e: '[4,4,4]' },
    { id: 5, e: '[5,5,5]' },
  ]);
  await db.close();
  db = await open(join(home, 'db'));
  expect(await rows()).toEqual(merged);
  expect(await extensions()).toEqual(['pg_trgm', 'plpgsql', 'vector']);
});
