/** Vectors and queries from texts, matching, ranking, headlines, and inspection of parsing. Manual, section 9.13. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import { ArrayValue } from '../../types/array-value.ts';
import { compareText } from '../../types/text-order.ts';
import type { Environment } from '../../types/environment.ts';
import { EMPTY_QUERY, STOPPED_QUERY, type TsQuery } from '../../types/tsquery-tree.ts';
import type { TsVector } from '../../types/tsvector.ts';
import type { Value } from '../../types/value.ts';
import type { Call, FunctionModule, ScalarFunction, SetFunction, SqlOperator } from '../define.ts';
import { type Configuration, configurationAt, dictionaryAt, standardConfiguration } from './configurations.ts';
import { headline, jsonHeadline } from './headline.ts';
import { vectorMatches } from './match.ts';
import { plainQuery, toQuery, webQuery } from './queries.ts';
import { coverRank, rank, weightsOf } from './rank.ts';
import { rewritten } from './rewrite.ts';
import { systemOf } from '../system/session-of.ts';
import { tokensOf } from './token-parser.ts';
import { TOKEN_TYPES } from './token-types.ts';
import { jsonKinds, STRINGS, vectorOf, vectorOfJson } from './vectors.ts';

// oxlint-disable-next-line no-explicit-any
type Configured = (configuration: Configuration, ...args: any[]) => Value;

/** An empty query is returned with a notice, if there is a session. */
function withNotice<V extends Value>(env: Environment, value: V, [text]: readonly Value[]): V {
  if (value === STOPPED_QUERY) env.system?.notice('00000', "text-search query contains only stop words or doesn't contain lexemes, ignored");
  else if (value === EMPTY_QUERY) env.system?.notice('00000', `text-search query doesn't contain lexemes: "${text as string}"`);
  return value;
}

/** With the configuration as the first argument, and with the session's. */
function configured(name: string, args: readonly string[], returns: string, doc: string, run: Configured): ScalarFunction[] {
  return [
    {
      kind: 'scalar',
      name,
      args: ['regconfig', ...args],
      returns,
      needsCall: true,
      doc,
      impl: ({ env }: Call, oid: number, ...rest: Value[]) => withNotice(env, run(configurationAt(env, oid), ...rest), rest),
    },
    {
      kind: 'scalar',
      name,
      args,
      returns,
      volatility: 'stable',
      needsCall: true,
      doc: `${doc.slice(0, -1)}, through the session’s configuration.`,
      impl: ({ env }: Call, ...rest: Value[]) => withNotice(env, run(standardConfiguration(env), ...rest), rest),
    },
  ];
}

function making(): ScalarFunction[] {
  const ofJson: Configured = (configuration, document: string) => vectorOfJson(configuration, document, STRINGS);
  const filtered: Configured = (configuration, document: string, kinds: string) => vectorOfJson(configuration, document, jsonKinds(kinds));
  return [
    ...configured('to_tsvector', ['text'], 'tsvector', 'The lexemes of a text with their places.', vectorOf),
    ...configured('to_tsvector', ['json'], 'tsvector', 'The lexemes of the strings in a document.', ofJson),
    ...configured('to_tsvector', ['jsonb'], 'tsvector', 'The lexemes of the strings in a document.', ofJson),
    ...configured('json_to_tsvector', ['json', 'jsonb'], 'tsvector', 'The lexemes of some kinds of values in a document.', filtered),
    ...configured('jsonb_to_tsvector', ['jsonb', 'jsonb'], 'tsvector', 'The lexemes of some kinds of values in a document.', filtered),
    ...configured('to_tsquery', ['text'], 'tsquery', 'A query written with operators, its words as lexemes.', toQuery),
    ...configured('plainto_tsquery', ['text'], 'tsquery', 'A query for all words of a text.', (c, text: string) => plainQuery(c, text, 'and')),
    ...configured('phraseto_tsquery', ['text'], 'tsquery', 'A query for the words of a text one behind the other.', (c, text: string) =>
      plainQuery(c, text, 'phrase'),
    ),
    ...configured('websearch_to_tsquery', ['text'], 'tsquery', 'A query as one writes it to a search engine.', webQuery),
  ];
}

function headlines(): ScalarFunction[] {
  const doc = 'The part of a text that answers a query, with its words marked.';
  return (['text', 'json', 'jsonb'] as const).flatMap((type) => {
    const run: Configured = (configuration, document: string, query: TsQuery, options = '') =>
      type === 'text' ? headline(configuration, document, query, options) : jsonHeadline(configuration, document, query, options, type === 'json');
    return [...configured('ts_headline', [type, 'tsquery', 'text'], type, doc, run), ...configured('ts_headline', [type, 'tsquery'], type, doc, run)];
  });
}

function ranks(name: string, doc: string, run: typeof rank): ScalarFunction[] {
  const common = { kind: 'scalar', name, returns: 'float4', doc } as const;
  return [
    {
      ...common,
      args: ['_float4', 'tsvector', 'tsquery', 'int4'],
      impl: (weights: ArrayValue, vector: TsVector, query: TsQuery, method: number) => run(weightsOf(weights), vector, query, method),
    },
    {
      ...common,
      args: ['_float4', 'tsvector', 'tsquery'],
      impl: (weights: ArrayValue, vector: TsVector, query: TsQuery) => run(weightsOf(weights), vector, query, 0),
    },
    {
      ...common,
      args: ['tsvector', 'tsquery', 'int4'],
      impl: (vector: TsVector, query: TsQuery, method: number) => run(weightsOf(null), vector, query, method),
    },
    { ...common, args: ['tsvector', 'tsquery'], impl: (vector: TsVector, query: TsQuery) => run(weightsOf(null), vector, query, 0) },
  ];
}

const DEFAULT_PARSER = 3722;

function refuseParser(parser: Value): void {
  if (typeof parser === 'number') {
    if (parser !== DEFAULT_PARSER) throw new SvcError('XX000', `cache lookup failed for text search parser ${parser}`);
  } else if (!/^\s*(?:pg_catalog\s*\.\s*)?"?default"?\s*$/i.test(parser as string)) {
    throw new SvcError('42704', `text search parser "${parser as string}" does not exist`);
  }
}

function parserFunctions(): SetFunction[] {
  return (['oid', 'text'] as const).flatMap((type): SetFunction[] => {
    const volatility = type === 'oid' ? 'immutable' : 'stable';
    const name = type === 'oid' ? 'parser_oid' : 'parser_name';
    return [
      {
        kind: 'set',
        name: 'ts_token_type',
        args: [type],
        argNames: [name],
        returns: 'record',
        volatility,
        columns: [
          { name: 'tokid', type: 'int4' },
          { name: 'alias', type: 'text' },
          { name: 'description', type: 'text' },
        ],
        doc: 'The token types of a parser.',
        impl: (parser: Value) => {
          refuseParser(parser);
          return TOKEN_TYPES.map(([alias, description], i): Value[] => [i + 1, alias, description]);
        },
      },
      {
        kind: 'set',
        name: 'ts_parse',
        args: [type, 'text'],
        argNames: [name, 'txt'],
        returns: 'record',
        volatility,
        columns: [
          { name: 'tokid', type: 'int4' },
          { name: 'token', type: 'text' },
        ],
        doc: 'The tokens of a text.',
        impl: (parser: Value, text: string) => {
          refuseParser(parser);
          return tokensOf(text).map((token): Value[] => [token.type, token.text]);
        },
      },
    ];
  });
}

function* debugged({ dictionaries }: Configuration, text: string): Generator<Value[]> {
  for (const token of tokensOf(text)) {
    const [alias, description] = TOKEN_TYPES[token.type - 1];
    const dictionary = dictionaries[token.type];
    const asked = dictionary === null ? [] : (dictionary.chain ?? [dictionary]);
    const knows = asked.find((each) => each.lexize(token.text) !== null);
    const lexemes = knows?.lexize(token.text) ?? null;
    yield [
      alias,
      description,
      token.text,
      new ArrayValue(asked.map((each) => each.oid)),
      knows?.oid ?? null,
      lexemes === null ? null : new ArrayValue(lexemes),
    ];
  }
}

const DEBUG: Omit<SetFunction, 'args' | 'impl'> = {
  kind: 'set',
  name: 'ts_debug',
  returns: 'record',
  volatility: 'stable',
  columns: [
    { name: 'alias', type: 'text' },
    { name: 'description', type: 'text' },
    { name: 'token', type: 'text' },
    { name: 'dictionaries', type: '_regdictionary' },
    { name: 'dictionary', type: 'regdictionary' },
    { name: 'lexemes', type: '_text' },
  ],
  doc: 'The tokens of a text and what they become.',
};

function match(left: string, right: string, proc: string, commutator: string | undefined, name: string, impl: SqlOperator['impl']): SqlOperator {
  return { name, left, right, returns: 'bool', proc, commutator, impl };
}

const byVector = (vector: TsVector, query: TsQuery): boolean => vectorMatches(vector, query);
const byQuery = (query: TsQuery, vector: TsVector): boolean => vectorMatches(vector, query);

/** How often each lexeme occurs in the vectors of a query, at positions of some weights. */
function statistics(call: Call, query: string, letters: string | null): Value[][] {
  const { types, rows } = systemOf(call).queryRows(query);
  if (types.length !== 1 || types[0].name !== 'tsvector') throw new SvcError('22023', 'ts_stat query must return one tsvector column');
  let bits = 0;
  for (const letter of letters ?? '') {
    const weight = 'DCBA'.indexOf(letter.toUpperCase());
    if (weight >= 0) bits |= 1 << weight;
  }
  const counts = new Map<string, [documents: number, places: number]>();
  for (const [value] of rows) {
    if (value === null) continue;
    const { lexemes, positions } = value as TsVector;
    lexemes.forEach((lexeme, i) => {
      const own = positions[i];
      const places = bits === 0 ? (own?.length ?? 1) : (own ?? []).filter((each) => bits & (1 << (each >>> 14))).length;
      if (places === 0) return;
      const known = counts.get(lexeme);
      if (known === undefined) counts.set(lexeme, [1, places]);
      else {
        known[0]++;
        known[1] += places;
      }
    });
  }
  return [...counts].sort(([a], [b]) => compareText(a, b)).map(([word, [documents, places]]) => [word, documents, places]);
}

const STATISTICS: Omit<SetFunction, 'args' | 'impl'> = {
  kind: 'set',
  name: 'ts_stat',
  returns: 'record',
  volatility: 'volatile',
  needsCall: true,
  columns: [
    { name: 'word', type: 'text' },
    { name: 'ndoc', type: 'int4' },
    { name: 'nentry', type: 'int4' },
  ],
  doc: 'How many vectors that a query gives have each lexeme, and at how many places.',
};

function rewrittenBy(call: Call, query: TsQuery, text: string): TsQuery {
  if (query.root === null) return query;
  const { types, rows } = systemOf(call).queryRows(text);
  if (types.length !== 2 || types.some(({ name }) => name !== 'tsquery')) throw new SvcError('22023', 'ts_rewrite query must return two tsquery columns');
  let out = query;
  for (const [target, by] of rows) if (target !== null && by !== null) out = rewritten(out, target as TsQuery, by as TsQuery);
  return out;
}

export const SEARCH_FUNCTIONS: FunctionModule = {
  functions: [
    ...making(),
    ...headlines(),
    ...ranks('ts_rank', 'How well a vector answers a query, by its words.', rank),
    ...ranks('ts_rank_cd', 'How well a vector answers a query, by how near its words stand.', coverRank),
    { ...STATISTICS, args: ['text'], argNames: ['query'], impl: (call: Call, query: string) => statistics(call, query, null) },
    { ...STATISTICS, args: ['text', 'text'], argNames: ['query', 'weights'], impl: statistics },
    {
      kind: 'scalar',
      name: 'ts_rewrite',
      args: ['tsquery', 'text'],
      returns: 'tsquery',
      volatility: 'volatile',
      needsCall: true,
      doc: 'A query with parts replaced by others, as the rows of a query say.',
      impl: rewrittenBy,
    },
    ...parserFunctions(),
    {
      ...DEBUG,
      args: ['regconfig', 'text'],
      argNames: ['config', 'document'],
      needsCall: true,
      impl: ({ env }: Call, oid: number, text: string) => debugged(configurationAt(env, oid), text),
    },
    { ...DEBUG, args: ['text'], argNames: ['document'], needsCall: true, impl: (call: Call, text: string) => debugged(standardConfiguration(call.env), text) },
    {
      kind: 'scalar',
      name: 'ts_lexize',
      args: ['regdictionary', 'text'],
      returns: '_text',
      doc: 'What a dictionary makes of a token; an empty array for a stop word.',
      needsCall: true,
      impl: ({ env }: Call, oid: number, token: string) => {
        const lexemes = token === '' ? [] : dictionaryAt(env, oid).lexize(token);
        return lexemes === null ? null : new ArrayValue(lexemes);
      },
    },
    {
      kind: 'scalar',
      name: 'get_current_ts_config',
      args: [],
      returns: 'regconfig',
      volatility: 'stable',
      needsCall: true,
      doc: 'The session’s configuration of text search.',
      impl: (call: Call) => standardConfiguration(call.env).oid,
    },
  ],
  operators: [
    match('tsvector', 'tsquery', 'ts_match_vq', '@@', '@@', byVector),
    match('tsquery', 'tsvector', 'ts_match_qv', '@@', '@@', byQuery),
    match('tsvector', 'tsquery', 'ts_match_vq', '@@@', '@@@', byVector),
    match('tsquery', 'tsvector', 'ts_match_qv', '@@@', '@@@', byQuery),
    {
      ...match('text', 'tsquery', 'ts_match_tq', undefined, '@@', (call: Call, text: string, query: TsQuery) =>
        vectorMatches(vectorOf(standardConfiguration(call.env), text), query),
      ),
      needsCall: true,
      volatility: 'stable',
    },
    {
      ...match('text', 'text', 'ts_match_tt', undefined, '@@', (call: Call, text: string, query: string) => {
        const configuration = standardConfiguration(call.env);
        return vectorMatches(vectorOf(configuration, text), withNotice(call.env, plainQuery(configuration, query, 'and'), [query]));
      }),
      needsCall: true,
      volatility: 'stable',
    },
  ],
};
