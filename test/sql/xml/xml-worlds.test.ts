/** xml in worlds: differences, forks, merges, a folder opened again; and its binary form. SQL is in postgres15-xml.slt. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, open } from '../../../src/database.ts';
import { receiveBinary } from '../../../src/sql/formats/binary-receive.ts';
import { sendBinary } from '../../../src/sql/formats/binary-send.ts';
import { XML } from '../../../src/sql/types/xml/xml.ts';
import { ENV } from '../json/plain-types.ts';

let home: string;
let db: Database;
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'svc-xml-'));
  db = await open(join(home, 'db'));
  await db.sql({
    sql: `CREATE TABLE d (id int PRIMARY KEY, x xml DEFAULT xmlelement(name none), l xml[]);
      CREATE VIEW texts AS SELECT id, xmlserialize(content x AS text) AS t FROM d;
      INSERT INTO d VALUES (1, '<a/>', ARRAY['<b/>', 'c']::xml[]), (2, '<?xml version="1.0" encoding="UTF-8"?><b/>', NULL)`,
  });
});
afterAll(async () => {
  await db.close();
  rmSync(home, { recursive: true, force: true });
});

async function rows(sql: string, branch = 'main'): Promise<unknown[][]> {
  const { results } = await db.sql({ sql, branch });
  return results[results.length - 1].rows.map((row) => Object.values(row as object));
}

test('the binary form is the text, and what comes in is checked', () => {
  const bytes = Buffer.from(sendBinary(XML, '<a>é</a>', ENV));
  expect(bytes.toString('utf8')).toBe('<a>é</a>');
  expect(receiveBinary(XML, bytes, -1, ENV)).toBe('<a>é</a>');
  expect(() => receiveBinary(XML, Buffer.from('<a>'), -1, ENV)).toThrow(expect.objectContaining({ code: '2200N' }));
});

test('a fork changes its own values, and a merge brings them over', async () => {
  await db.fork({ name: 'draft' });
  await rows(`UPDATE d SET x = xmlconcat(x, '<more/>') WHERE id = 1; INSERT INTO d (id) VALUES (3); DELETE FROM d WHERE id = 2`, 'draft');
  expect(await rows('SELECT id, x FROM d ORDER BY id')).toEqual([
    [1, '<a/>'],
    [2, '<b/>'],
  ]);
  const { changes } = await db.diff({ branch: 'draft' });
  expect(changes).toMatchObject([
    { key: 'd/1', before: { x: '<a/>' }, after: { x: '<a/><more/>' }, columns: ['x'] },
    { key: 'd/2', before: { x: '<b/>' }, after: null },
    { key: 'd/3', before: null, after: { x: '<none/>' } },
  ]);
  await expect(db.put({ branch: 'draft', table: 'd', id: '5', record: { x: '<a>' } })).rejects.toMatchObject({ code: '2200N' });
  await db.put({ branch: 'draft', table: 'd', id: '5', record: { x: '<put/>' } });
  await db.merge({ branch: 'draft' });
  expect(await rows('SELECT id, x, l FROM d ORDER BY id')).toEqual([
    [1, '<a/><more/>', ['<b/>', 'c']],
    [3, '<none/>', null],
    [5, '<put/>', null],
  ]);
});

test('a folder opened again has the texts as they were written', async () => {
  await rows(`INSERT INTO d VALUES (4, '<?xml version="1.0" encoding="UTF-8"?><d/>', ARRAY['<?xml version="1.0" encoding="UTF-8"?><e/>']::xml[])`);
  await db.close();
  db = await open(join(home, 'db'));
  expect(await rows('SELECT t, (SELECT x FROM d WHERE d.id = 4), (SELECT l[1]::text FROM d WHERE d.id = 4) FROM texts WHERE id = 4')).toEqual([
    ['<?xml version="1.0" encoding="UTF-8"?><d/>', '<d/>', '<?xml version="1.0" encoding="UTF-8"?><e/>'],
  ]);
});
