/** What XML may not do to the server: expand without end, nest without end, read files, search for hours. Each is an error, and the next statement is answered. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, open } from '../../../src/database.ts';

let home: string;
let db: Database;
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'svc-xml-'));
  db = await open(join(home, 'db'));
});
afterAll(async () => {
  await db.close();
  rmSync(home, { recursive: true, force: true });
});

async function rows(sql: string): Promise<unknown[][]> {
  const { results } = await db.sql({ sql });
  return results[results.length - 1].rows.map((row) => Object.values(row as object));
}

/** Entities of which each is ten of the one before. */
function laughs(levels: number): string {
  const entities = Array.from({ length: levels }, (_, i) => `<!ENTITY e${i + 1} "${`&e${i};`.repeat(10)}">`).join('');
  return `<!DOCTYPE a [<!ENTITY e0 "${'ha'.repeat(50)}">${entities}]><a>&e${levels};</a>`;
}

const nested = (depth: number): string => `repeat('<a>', ${depth}) || repeat('</a>', ${depth})`;

const REFUSED: readonly (readonly [what: string, code: string, sql: string])[] = [
  ['a billion laughs', '2200N', `SELECT '${laughs(8)}'::xml`],
  ['a billion laughs for XPath', '2200N', `SELECT xpath('string(/a)', '${laughs(8)}')`],
  ['elements nested deeply', '2200N', `SELECT (${nested(10_000)})::xml`],
  ['a document nested deeply', '2200M', `SELECT xmlparse(document ${nested(10_000)})`],
  ['elements that never end', '2200N', `SELECT repeat('<a>', 300000)::xml`],
  ['a text that is too long', '2200N', `SELECT ('<a>' || repeat('x', 11000000) || '</a>')::xml`],
  ['parentheses in XPath', '54001', `SELECT xpath(repeat('(', 50000) || '1' || repeat(')', 50000), '<a/>')`],
  ['steps in XPath', '54001', `SELECT xpath('/' || repeat('a/', 300000) || 'a', '<a/>')`],
  [
    'a search that takes too many steps',
    '54001',
    `SELECT xpath('count(//a[count(//a[count(//a[count(//a)>1])>1])>1])', ('<r>' || repeat('<a/>', 300) || '</r>')::xml)`,
  ],
  ['an expression that is none', '10608', `SELECT xpath('//a[', '<a/>')`],
  ['a prefix that nobody declares', '10608', `SELECT xpath('//x:a', '<a/>')`],
  ['a zero character', '2200N', `SELECT '<a>&#0;</a>'::xml`],
  ['half of a pair of surrogates', '2200N', `SELECT '<a>&#xD800;</a>'::xml`],
];

test.each(REFUSED)('%s is refused with %s', async (_what, code, sql) => {
  await expect(rows(sql)).rejects.toMatchObject({ code });
  expect(await rows(`SELECT xpath('/a/text()', '<a>still here</a>')::text`)).toEqual([['{"still here"}']]);
});

test('what is within the limits is read', async () => {
  expect(await rows(`SELECT length((${nested(250)})::xml::text) AS a, length(xpath('string(/a)', '${laughs(2)}')::text) AS b`)).toEqual([[1750, 10_002]]);
  expect(await rows(`SELECT xpath('/' || repeat('a/', 1999) || 'a', '<a/>')::text`)).toEqual([['{}']]);
});

test('no file is read for an entity or a DTD', async () => {
  const secret = join(home, 'secret');
  writeFileSync(secret, 'the secret');
  for (const uri of [secret, `file://${secret}`]) {
    const document = `<!DOCTYPE a [<!ENTITY x SYSTEM "${uri}">]><a>&x;</a>`;
    expect(await rows(`SELECT xpath('string(/a)', '${document}')::text, xmlparse(document '${document}')::text`)).toEqual([['{""}', document]]);
    await rows(`SELECT '<!DOCTYPE a SYSTEM "${uri}"><a/>'::xml, '<!DOCTYPE a [<!ENTITY % x SYSTEM "${uri}"> %x;]><a/>'::xml`);
  }
});

test('memory of documents is given back', async () => {
  const read = `SELECT count(xpath('//b/text()', ('<a><b>' || repeat('x', 1000) || '</b>' || i || '</a>')::xml)) FROM generate_series(1, 2000) i`;
  await rows(read);
  const before = process.memoryUsage().external;
  for (let i = 0; i < 5; i++) expect(await rows(read)).toEqual([[2000]]);
  // Ten million characters have been read: were they kept, the heap of the parser would have grown by twice that.
  expect(process.memoryUsage().external - before).toBeLessThan(8_000_000);
});
