/**
 * Which functions may take longer than a turn of the event loop, and for which arguments: by name, all overloads. Limits are at
 * about 10 ms per call; calls below run on the calling thread. Only pure functions without record arguments are listed.
 */
import { ArrayValue } from '../types/array-value.ts';
import { Geometry } from '../types/geometry.ts';
import { Numeric } from '../types/numeric.ts';
import { TsVector } from '../types/tsvector.ts';

type Test = (...args: unknown[]) => boolean;

function size(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  if (value instanceof ArrayValue) return value.elements.length;
  if (value instanceof TsVector) return value.lexemes.length;
  return value instanceof Geometry ? value.numbers.length : 0;
}

/** All arguments together; most functions have two or three. */
function over(limit: number): Test {
  return (a, b, c, d, e, f) => size(a) + size(b) + size(c) + size(d) + size(e) + size(f) > limit;
}

/** A long expression takes long to compile, for any text. */
function match(text: unknown, pattern: unknown): boolean {
  return size(text) > 200_000 || size(pattern) > 5000;
}

/** For functions that compare each part of one argument with each of the other. */
function product(limit: number): Test {
  return (a, b) => size(a) * size(b) > limit;
}

/** Rounds of a salt: two to the power in it. */
function costOfSalt(_password: unknown, salt: unknown): boolean {
  return typeof salt === 'string' && salt.startsWith('$2') && Number(salt.slice(4, 6)) > 7;
}

/** A message whose passphrase is hashed many times, by the count in its first packet, or a long one. */
function costOfMessage(message: unknown): boolean {
  return size(message) > 500_000 || (typeof message === 'string' && message.charCodeAt(14) > 0xa0);
}

/** A path visits its document once, or once per item if a condition visits the whole document again. */
function path(document: unknown, text: unknown): boolean {
  const { length } = document as string;
  return length > 50_000 || (length > 2000 && /\?[^]*\$|\*\*/.test(String(text)));
}

/** Digits before and after the point cost alike. */
function digits(limit: number): Test {
  const many = (value: unknown): boolean =>
    value instanceof Numeric && (value.scale > limit || (typeof value.coefficient === 'bigint' && value.coefficient > 10n ** BigInt(limit)));
  return (a, b) => many(a) || many(b);
}

const REGEX_OPERATORS = ['text', 'name', 'bpchar'].flatMap((type) => ['regexeq', 'regexne', 'icregexeq', 'icregexne'].map((op) => type + op)).join(' ');

const RULES: readonly (readonly [names: string, test: Test])[] = [
  ['crypt', costOfSalt],
  ['pgp_sym_decrypt pgp_sym_decrypt_bytea', costOfMessage],
  ['armor dearmor', over(200_000)],
  [
    'to_tsvector json_to_tsvector jsonb_to_tsvector ts_headline ts_debug ts_match_tt to_tsquery plainto_tsquery phraseto_tsquery websearch_to_tsquery ts_parse',
    over(20_000),
  ],
  ['similarity word_similarity strict_word_similarity show_trgm unaccent', over(50_000)],
  ['xpath xpath_exists xmlexists xml_is_well_formed xml_is_well_formed_document xml_is_well_formed_content', over(10_000)],
  [
    ['exists', 'match', 'query', 'query_array', 'query_first'].flatMap((one) => [`jsonb_path_${one}`, `jsonb_path_${one}_tz`]).join(' ') +
      ' jsonb_path_exists_opr jsonb_path_match_opr',
    path,
  ],
  ['similarity_dist similarity_op', over(50_000)],
  [
    ['', 'strict_'].flatMap((kind) => ['', 'commutator_', 'dist_', 'dist_commutator_'].map((op) => `${kind}word_similarity_${op}op`)).join(' '),
    product(10_000_000),
  ],
  ['levenshtein levenshtein_less_equal similar_to_escape similar_escape unistr normalize is_normalized', over(200_000)],
  ['char_length character_length octet_length bit_length length upper lower casefold replace right left lpad rpad strpos position', over(4_000_000)],
  ['bit_count bitnot bitand bitor bitxor bitshiftleft bitshiftright', over(100_000)],
  // By an expression; parts by position are found at once.
  ['substring', (text, pattern) => typeof pattern === 'string' && match(text, pattern)],
  ['to_char to_date to_timestamp to_number', (value, format) => size(format) > 2000 || size(value) > 100_000],
  ['translate initcap reverse btrim ltrim rtrim quote_literal quote_ident encode decode convert_from convert_to convert split_part overlay', over(1_000_000)],
  ['string_to_array string_to_table', over(200_000)],
  [REGEX_OPERATORS, match],
  [
    'array_append array_prepend array_cat array_remove array_replace array_position array_positions array_reverse array_sort array_to_string array_to_json ' +
      'sort sort_asc sort_desc uniq',
    over(200_000),
  ],
  ['arraycontains arraycontained arrayoverlap json_object jsonb_object hstore array_to_tsvector', over(50_000)],
  ['intset_subtract intarray_del_elem intarray_push_array intarray_push_elem intset_union_elem _int_union _int_inter', over(100_000)],
  ['json_extract_path json_extract_path_text jsonb_extract_path jsonb_extract_path_text', over(200_000)],
  ['regexp_replace regexp_split_to_table regexp_split_to_array regexp_matches regexp_match regexp_count regexp_instr regexp_substr regexp_like', match],
  [
    'jsonb_set jsonb_set_lax jsonb_insert jsonb_strip_nulls json_strip_nulls jsonb_pretty jsonb_each jsonb_each_text json_each json_each_text jsonb_object_keys ' +
      'json_object_keys jsonb_array_elements jsonb_array_elements_text json_array_elements json_array_elements_text',
    over(200_000),
  ],
  [
    'jsonb_object_field jsonb_object_field_text jsonb_array_element jsonb_array_element_text jsonb_contains jsonb_contained jsonb_exists ' +
      'jsonb_concat jsonb_delete jsonb_delete_path json_object_field json_object_field_text json_array_element json_array_element_text ' +
      'jsonb_array_length json_array_length jsonb_typeof json_typeof',
    over(400_000),
  ],
  // Each key is searched in the whole document.
  ['jsonb_exists_any jsonb_exists_all', (document, keys) => size(document) > 400_000 || size(document) * size(keys) > 10_000_000],
  ['digest hmac sha224 sha256 sha384 sha512 md5', over(4_000_000)],
  ['encrypt decrypt encrypt_iv decrypt_iv', over(1_000_000)],
  ['factorial', (n) => Number(n) > 2000],
  ['exp ln log sqrt power pow dexp dpow numeric_power numeric_exp', digits(200)],
  ['poly_overlap poly_contain poly_contained poly_distance path_inter path_distance', product(100_000)],
];

export const LONG_RULES: ReadonlyMap<string, Test> = new Map(RULES.flatMap(([names, test]) => names.split(' ').map((name) => [name, test] as const)));

/** They start on the calling thread, and move to another one if they backtrack too much (`SlowMatch`), which sizes do not predict. */
export const MAY_STOP: ReadonlySet<string> = new Set(
  `${REGEX_OPERATORS} substring regexp_replace regexp_split_to_table regexp_split_to_array regexp_matches regexp_match regexp_count regexp_instr regexp_substr regexp_like`.split(
    ' ',
  ),
);
