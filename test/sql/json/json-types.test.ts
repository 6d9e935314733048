import type { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { JSON_TYPE } from '../../../src/sql/types/json.ts';
import { JSONB } from '../../../src/sql/types/jsonb.ts';
import { readHere, readThere, seeded } from './against-oracle.ts';
import { JSON_TEXTS, randomJson, randomJsons } from './json-samples.ts';
import { ENV } from './plain-types.ts';
import { newPostgres } from '../../postgres-oracle.ts';

let pg: PGlite;
beforeAll(async () => {
  pg = await newPostgres();
});
afterAll(() => pg.close());

describe('input and output', () => {
  for (const type of [JSON_TYPE, JSONB]) {
    test(`${type.name} reads, refuses and prints as Postgres does`, async () => {
      for (const text of [...JSON_TEXTS, ...randomJsons(1, 100)]) expect([text, readHere(type, text)]).toEqual([text, await readThere(pg, type.name, text)]);
    });
  }

  test('random garbage of JSON characters fares as in Postgres', async () => {
    const next = seeded(13);
    const pieces = [
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '"a"',
      '1',
      '-',
      '.',
      'e',
      'E+',
      '0',
      'true',
      'nul',
      ' ',
      '\\n',
      '\\',
      '\\\\u',
      'd83d',
      'de00',
      '\\u0000',
      '\n',
      '\t',
      'é',
      '😀',
      'x',
      "'",
      '/',
      '\\/',
      '1.5e3',
      '_',
    ];
    for (let i = 0; i < 500; i++) {
      const good = randomJson(next, 2);
      const cut = next(good.length + 1);
      const junk = Array.from({ length: 1 + next(4) }, () => pieces[next(pieces.length)]).join('');
      const text = i % 3 === 0 ? junk : good.slice(0, cut) + junk + good.slice(cut + next(2));
      const type = i % 2 === 0 ? JSONB : JSON_TYPE;
      expect([text, readHere(type, text)]).toEqual([text, await readThere(pg, type.name, text)]);
    }
  });

  test('a document nested too deep is 54001 in both types', () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    for (const type of [JSON_TYPE, JSONB]) {
      expect(readHere(type, deep)).toMatchObject({ code: '54001' });
      expect(readHere(type, '['.repeat(100_000))).toMatchObject({ code: '54001' });
      expect(readHere(type, `${'{"a":'.repeat(900)}1${'}'.repeat(900)}`)).toBeTypeOf('string');
    }
  });
});

test('jsonb has the order and the equality of Postgres', async () => {
  const texts = randomJsons(7, 70);
  const result = await pg.query<[string, string, number]>(
    'select a, b, jsonb_cmp(a::jsonb, b::jsonb) from unnest($1::text[]) a, unnest($1::text[]) b',
    [texts],
    { rowMode: 'array' },
  );
  for (const [a, b, order] of result.rows) {
    const x = JSONB.parse(a, -1, ENV);
    const y = JSONB.parse(b, -1, ENV);
    expect([a, b, Math.sign(JSONB.compare(x, y))]).toEqual([a, b, Math.sign(order)]);
    expect([a, b, JSONB.hashKey(x) === JSONB.hashKey(y)]).toEqual([a, b, order === 0]);
  }
});
