/** Functions of extensions against those of Postgres's own contrib. */
import { PGlite } from '@electric-sql/pglite';
import { fuzzystrmatch } from '@electric-sql/pglite/contrib/fuzzystrmatch';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { pgcrypto } from '@electric-sql/pglite/contrib/pgcrypto';
import { unaccent } from '@electric-sql/pglite/contrib/unaccent';
import { uuid_ossp } from '@electric-sql/pglite/contrib/uuid_ossp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, open } from '../../../src/database.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

let pg: PGlite;
let db: Database;
let home: string;

beforeAll(async () => {
  pg = await PGlite.create({ extensions: { fuzzystrmatch, pg_trgm, pgcrypto, unaccent, uuid_ossp } });
  await pg.exec('CREATE EXTENSION fuzzystrmatch; CREATE EXTENSION pg_trgm; CREATE EXTENSION pgcrypto; CREATE EXTENSION unaccent; CREATE EXTENSION "uuid-ossp"');
  home = mkdtempSync(join(tmpdir(), 'svc-extension-'));
  db = await open(join(home, 'db'));
}, 120_000);
afterAll(async () => {
  await pg?.close();
  await db?.close();
  rmSync(home, { recursive: true, force: true });
});

const NAMES = [
  '',
  'a',
  'Anne',
  'Ann',
  'Margaret',
  'Robert',
  'Rupert',
  'Tymczak',
  'Pfister',
  'Honeyman',
  "O'Brien",
  'kitten',
  'sitting',
  '  two words  ',
  '123',
  'ab12-cd',
];
const pairs = NAMES.flatMap((a) => NAMES.map((b) => [a, b] as const));
const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

test.each<[string, string[]]>([
  ['levenshtein', pairs.map(([a, b]) => `levenshtein(${quoted(a)}, ${quoted(b)})`)],
  ['levenshtein with costs', pairs.map(([a, b]) => `levenshtein(${quoted(a)}, ${quoted(b)}, 2, 3, 4)`)],
  ['levenshtein_less_equal', pairs.map(([a, b]) => `levenshtein_less_equal(${quoted(a)}, ${quoted(b)}, 3)`)],
  ['soundex', NAMES.map((a) => `soundex(${quoted(a)})`)],
  ['difference', pairs.map(([a, b]) => `difference(${quoted(a)}, ${quoted(b)})`)],
  ['similarity', pairs.map(([a, b]) => `similarity(${quoted(a)}, ${quoted(b)})`)],
  ['% and <->', pairs.map(([a, b]) => `(${quoted(a)}::text % ${quoted(b)}::text)::text || (${quoted(a)}::text <-> ${quoted(b)}::text)::text`)],
  ['show_trgm', NAMES.map((a) => `show_trgm(${quoted(a)})::text`)],
  ['unaccent', ['Hôtel', 'Ærøskøbing', 'Straße', 'Łódź', 'naïve café', 'İstanbul ılık', 'plain'].map((a) => `unaccent(${quoted(a)})`)],
  [
    'digests',
    ['md5', 'sha1', 'SHA224', 'sha256', 'sha384', 'sha512'].flatMap((kind) => [
      `digest('abc', '${kind}')::text`,
      `digest('\\x00ff'::bytea, '${kind}')::text`,
      `hmac('data', 'key', '${kind}')::text`,
      `hmac('\\x01'::bytea, '\\x02'::bytea, '${kind}')::text`,
    ]),
  ],
  [
    'uuids',
    [
      "uuid_generate_v3(uuid_ns_dns(), 'example.org')::text",
      "uuid_generate_v5(uuid_ns_url(), 'http://example.org/é')::text",
      'uuid_nil()::text',
      'uuid_ns_oid()::text',
      'uuid_ns_x500()::text',
      'substr(uuid_generate_v4()::text, 15, 1)',
      'substr(uuid_generate_v1()::text, 15, 1)',
      'length(gen_random_bytes(7))',
    ],
  ],
])('%s', async (_name, expressions) => {
  const sql = `SELECT ${expressions.map((each, i) => `${each} AS c${i}`).join(', ')}`;
  const [theirs] = (await pg.query<Record<string, unknown>>(sql)).rows;
  const [ours] = (await db.sql({ sql })).results[0].rows;
  expect(ours).toEqual(theirs);
});

test.each([
  [`SELECT digest('x', 'sha3')`, '22023', 'Cannot use "sha3": No such hash algorithm'],
  [`SELECT levenshtein(repeat('x', 256), 'y')`, '22023', 'levenshtein argument exceeds maximum length of 255 characters'],
])('%s', async (sql, code, message) => {
  await expect(pg.query(sql)).rejects.toMatchObject({ code, message });
  await expect(db.sql({ sql })).rejects.toMatchObject({ code, message });
});
