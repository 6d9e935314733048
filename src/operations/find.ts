/** `find`: Rows of a table by equality, by words and by vectors. */
import Type, { type Static } from 'typebox';
import { LIMITS } from '../base/limits.ts';
import { SvcError } from '../base/errors/svc-error.ts';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';
import { continueFrom } from './text/page.ts';
import { textTable } from './text/table.ts';
import { findRows } from '../commands/find.ts';
import * as masked from './masking.ts';

const input = s.input({
  branch: s.branch,
  table: s.table,
  where: Type.Optional(
    s.jsonObject(
      'Field → value; all must be equal, numbers by value. `a.b` is the member b of the JSON in field a. An unknown table (42P01) or field (42703) is refused.',
    ),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 0, maximum: LIMITS.findLimitMax, description: 'Default 20.' })),
  offset: Type.Optional(Type.Integer({ minimum: 0, description: 'Default 0.' })),
  text: Type.Optional(
    Type.String({
      description: 'Words to search for in all string fields, ranked by BM25. `"red lamp"` is a phrase that must occur, `lam*` any word that begins so.',
    }),
  ),
  vector: Type.Optional(Type.Array(Type.Number(), { description: 'Ranks by the dot product with `vector_field`. With `text` too, both rankings are fused.' })),
  vector_field: Type.Optional(Type.String({ description: 'Field with an array of numbers, or a column of type vector.' })),
  ef: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 4096,
      description: 'Beam of an approximate vector search, 0 for automatic; only with `vector`. Below 20,000 vectors all are compared.',
    }),
  ),
  snippets: Type.Optional(Type.Boolean({ description: 'With `text`: also the part of each field that fits best, with **words** marked.' })),
});
export type FindInput = Static<typeof input>;
const standing = Type.Union([Type.Object({ rank: s.count, score: Type.Number() }), Type.Null()]);
const output = Type.Object({
  total: s.count,
  hits: Type.Array(
    Type.Object({
      id: Type.String(),
      score: Type.Number(),
      table: Type.Optional(Type.String({ description: 'Of a search of a partitioned table: the partition that has the row.' })),
      row: s.record,
      ranks: Type.Optional(
        Type.Object({ text: standing, vector: standing }, { description: 'Of a search by both: rank and score in each, null where it is in one only.' }),
      ),
      snippets: Type.Optional(Type.Record(Type.String(), Type.String())),
    }),
  ),
  next_offset: Type.Union([s.count, Type.Null()]),
  hint: Type.Optional(Type.String({ description: 'The index for a filter that has read a large table whole several times.' })),
});
export type FindReply = Static<typeof output>;

export const findOperation = defineOperation({
  name: 'find',
  summary: 'Rows of a table by equal fields, in key order, or ranked by words (BM25) and vectors.',
  input,
  output,
  capability: 'read',
  effect: 'read',
  rows: true,
  mask: masked.ranked,
  errors: ['22000', '22003', '22023', '22P02', '42703', '42804', '42P01', '54000'],
  examples: [
    {
      input: { table: 'users', where: { city: 'Oslo' }, limit: 10 },
      output: { total: 1, hits: [{ id: 'ann', score: 0, row: { city: 'Oslo' } }], next_offset: null },
    },
    {
      input: { table: 'users', text: 'oslo' },
      output: { total: 1, hits: [{ id: 'ann', score: 0.28768207245178085, row: { city: 'Oslo' } }], next_offset: null },
    },
  ],
  mcp: {
    title: 'Find rows',
    description:
      'Rows of a table by equal fields (where), by words (text, BM25) or by vector; else all in key order. Answers the match count, then rows with scores.',
    fields: ['table', 'where', 'text', 'vector', 'vector_field', 'limit', 'offset', 'ef', 'branch'],
    words: {
      table: '',
      where: '',
      text: 'Words, "a phrase", pre*.',
      vector: '',
      vector_field: '',
      limit: 'Default 20, at most 1000.',
      offset: '',
      ef: '',
      branch: 'World; default main. Where it is read also name@when: main@-10m.',
    },
    page: {},
    bounded: ['limit', 'ef'],
    asked: within,
    text: ({ total, hits, next_offset, hint }, { given: { offset = 0 }, page: { room } }) => {
      const columns = [...new Set(hits.flatMap(({ row }) => Object.keys(row)))];
      const table = textTable(
        ['id', 'score', ...columns],
        hits.map(({ id, score, row }) => [id, score, ...columns.map((column) => (Object.hasOwn(row, column) ? row[column] : undefined))]),
        { total: next_offset === null ? hits.length : total - offset, more: continueFrom(offset), room },
      );
      return `${total} match\n${table}${hint === undefined ? '' : `\n${hint}`}`;
    },
  },
  run: ({ services, input, by, control }) => {
    if ((input.vector === undefined) !== (input.vector_field === undefined)) throw new SvcError('22023', '`vector` and `vector_field` go together');
    if ((input.ef ?? 0) !== 0 && input.vector === undefined) throw new SvcError('22023', '`ef` goes with `vector`');
    if (input.snippets === true && input.text === undefined) throw new SvcError('22023', '`snippets` goes with `text`');
    return findRows(services.context, services.search, input, by, control);
  },
});

const PAGE_MAX = 1000;
const OFFSET_MAX = 100_000;
const BEAM_MAX = 4096;

/** A model reads its rows in pages; a scan of more is one of SQL. */
function within(given: FindInput): FindInput {
  const { limit = 0, offset = 0, ef = 0 } = given;
  if (limit <= PAGE_MAX && offset <= OFFSET_MAX && ef <= BEAM_MAX) return given;
  throw new SvcError('22023', `find answers at most ${PAGE_MAX} rows, from offsets up to ${OFFSET_MAX}, with ef up to ${BEAM_MAX}`, {
    hint: 'Use the tool sql for more: SELECT … ORDER BY … LIMIT … OFFSET ….',
  });
}
