/** Functions, operators and casts of the extension hstore. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import { ArrayValue } from '../../types/array-value.ts';
import { hstoreOf, type Pair, pairsOf } from '../../types/hstore.ts';
import { quoteJson } from '../../types/json-string.ts';
import { columnsOf } from '../../types/record-type.ts';
import { RecordValue } from '../../types/record-value.ts';
import { compareText } from '../../types/text-order.ts';
import { JSONB } from '../../types/jsonb.ts';
import type { Environment } from '../../types/environment.ts';
import type { Value } from '../../types/value.ts';
import { sixOperators } from '../comparison/six-operators.ts';
import { TEXT } from '../comparison/text-comparison.ts';
import type { Call, FunctionModule, SetFunction } from '../define.ts';
import { op, scalarsOf } from './declare.ts';

type Texts = readonly (string | null)[];
const textsOf = ({ elements }: ArrayValue): Texts => elements as Texts;

const scalar = scalarsOf('hstore');
const rows = (name: string, returns: string, doc: string, impl: SetFunction['impl'], more: Partial<SetFunction> = {}): SetFunction => ({
  kind: 'set',
  name,
  args: ['hstore'],
  returns,
  doc: `${doc} (hstore).`,
  impl,
  ...more,
});

const fetched = (map: string, key: string): string | null => pairsOf(map).get(key) ?? null;
const has = (map: string, key: string): boolean => pairsOf(map).has(key);
const defined = (map: string, key: string): boolean => fetched(map, key) !== null;
const hasAny = (map: string, keys: ArrayValue): boolean => textsOf(keys).some((key) => key !== null && has(map, key));
const hasAll = (map: string, keys: ArrayValue): boolean => textsOf(keys).every((key) => key === null || has(map, key));
const joined = (a: string, b: string): string => hstoreOf([...pairsOf(b), ...pairsOf(a)]);
const without = (map: string, keep: (pair: Pair) => boolean): string => hstoreOf([...pairsOf(map)].filter(keep));
const withoutKey = (map: string, key: string): string => without(map, ([each]) => each !== key);
const withoutKeys = (map: string, keys: ArrayValue): string => without(map, ([each]) => !textsOf(keys).includes(each));

function withoutPairs(map: string, other: string): string {
  const gone = new Map(pairsOf(other));
  return without(map, ([key, value]) => !gone.has(key) || gone.get(key) !== value);
}

function contains(map: string, part: string): boolean {
  const wanted = [...pairsOf(part)];
  const own = pairsOf(map);
  return wanted.every(([key, value]) => own.has(key) && own.get(key) === value);
}

/** The value after `map[key] = value`. */
export function hstoreAssign(map: string | null, key: string | null, value: string | null): string {
  if (key === null) throw new SvcError('22004', 'hstore subscript in assignment must not be null');
  return hstoreOf([[key, value], ...(map === null ? [] : pairsOf(map))]);
}

const fetchedAll = (map: string, keys: ArrayValue): ArrayValue =>
  new ArrayValue(
    textsOf(keys).map((key) => (key === null ? null : fetched(map, key))),
    keys.lengths,
    keys.lowers,
  );
const slice = (map: string, keys: ArrayValue): string =>
  hstoreOf(textsOf(keys).flatMap((key): Pair[] => (key !== null && has(map, key) ? [[key, fetched(map, key)]] : [])));

function needKey(key: string | null): string {
  if (key === null) throw new SvcError('22004', 'null value not allowed for hstore key');
  return key;
}

function ofArrays(keys: ArrayValue | null, values: ArrayValue | null): string | null {
  if (keys === null) return null;
  if (keys.lengths.length > 1 || (values !== null && values.lengths.length > 1)) throw new SvcError('2202E', 'wrong number of array subscripts');
  const names = textsOf(keys);
  if (values !== null && values.elements.length !== names.length) throw new SvcError('2202E', 'arrays must have same bounds');
  return hstoreOf(names.map((key, i): Pair => [needKey(key), values === null ? null : (values.elements[i] as string | null)]));
}

/** `{a,1,b,2}` or `{{a,1},{b,2}}`. */
function ofArray({ elements, lengths }: ArrayValue): string {
  if (lengths.length > 2) throw new SvcError('2202E', 'wrong number of array subscripts');
  if (lengths.length === 1 && elements.length % 2 !== 0) throw new SvcError('2202E', 'array must have even number of elements');
  if (lengths.length === 2 && lengths[1] !== 2) throw new SvcError('2202E', 'array must have two columns');
  const pairs: Pair[] = [];
  for (let i = 0; i < elements.length; i += 2) pairs.push([needKey(elements[i] as string | null), elements[i + 1] as string | null]);
  return hstoreOf(pairs);
}

function ofRecord({ env, argTypes }: Call, record: RecordValue | null): string {
  const columns = columnsOf(argTypes[0]);
  if (record === null) return hstoreOf((columns ?? []).map(({ name }): Pair => [name, null]));
  return hstoreOf(record.fields.map((field, i): Pair => [columns?.[i]?.name ?? `f${i + 1}`, field === null ? null : record.types[i].format(field, env)]));
}

function populated(
  base: RecordValue | null,
  map: string | null,
  columns: readonly { name: string; type: RecordValue['types'][number]; typmod: number }[],
  env: Environment,
): RecordValue | null {
  if (map === null) return base;
  const fields = columns.map(({ name, type, typmod }, i): Value => {
    if (!has(map, name)) return base === null ? null : base.fields[i];
    const text = fetched(map, name);
    return text === null ? null : type.coerce(type.parse(text, typmod, env), typmod, false);
  });
  return new RecordValue(
    fields,
    columns.map(({ type }) => type),
  );
}

function populate({ env, argTypes }: Call, base: RecordValue | null, map: string | null): RecordValue | null {
  const columns = columnsOf(argTypes[0]);
  if (columns === null) throw new SvcError('42804', 'first argument must be a rowtype');
  return populated(base, map, columns, env);
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

function json(map: string, loose: boolean): string {
  const parts = [...pairsOf(map)].map(([key, value]) => {
    let shown = value === null ? 'null' : quoteJson(value);
    if (loose && value !== null) shown = value === 't' ? 'true' : value === 'f' ? 'false' : NUMBER.test(value) ? value : shown;
    return `${quoteJson(key)}: ${shown}`;
  });
  return `{${parts.join(', ')}}`;
}

const flat = (map: string): (string | null)[] => [...pairsOf(map)].flat();
const toArray = (map: string): ArrayValue => new ArrayValue(flat(map));
const toMatrix = (map: string): ArrayValue => {
  const items = flat(map);
  return items.length === 0 ? new ArrayValue([]) : new ArrayValue(items, [items.length / 2, 2], [1, 1]);
};
const jsonb = (call: Call, map: string, loose: boolean): Value => JSONB.parse(json(map, loose), -1, call.env);

export const HSTORE_FUNCTIONS: FunctionModule = {
  functions: [
    scalar('fetchval', ['hstore', 'text'], 'text', 'Value of a key', fetched),
    scalar('slice_array', ['hstore', '_text'], '_text', 'Values of keys', fetchedAll),
    scalar('slice', ['hstore', '_text'], 'hstore', 'The pairs of some keys', slice),
    ...['exist', 'isexists'].map((name) => scalar(name, ['hstore', 'text'], 'bool', 'Whether there is the key', has)),
    ...['defined', 'isdefined'].map((name) => scalar(name, ['hstore', 'text'], 'bool', 'Whether the key has a value', defined)),
    scalar('exists_any', ['hstore', '_text'], 'bool', 'Whether one of the keys is there', hasAny),
    scalar('exists_all', ['hstore', '_text'], 'bool', 'Whether all keys are there', hasAll),
    scalar('delete', ['hstore', 'text'], 'hstore', 'The map without a key', withoutKey),
    scalar('delete', ['hstore', '_text'], 'hstore', 'The map without keys', withoutKeys),
    scalar('delete', ['hstore', 'hstore'], 'hstore', 'The map without pairs', withoutPairs),
    scalar('hs_concat', ['hstore', 'hstore'], 'hstore', 'Two maps as one; of equal keys the second counts', joined),
    scalar('hs_contains', ['hstore', 'hstore'], 'bool', 'Whether all pairs of the second are in the first', contains),
    scalar('hs_contained', ['hstore', 'hstore'], 'bool', 'Whether all pairs of the first are in the second', (a: string, b: string) => contains(b, a)),
    ...['hstore', 'tconvert'].map((name) =>
      scalar(
        name,
        ['text', 'text'],
        'hstore',
        'A map of one pair',
        (key: string | null, value: string | null) => (key === null ? null : hstoreOf([[key, value]])),
        { strict: false },
      ),
    ),
    scalar('hstore', ['_text', '_text'], 'hstore', 'A map of keys and values', ofArrays, { strict: false }),
    scalar('hstore', ['_text'], 'hstore', 'A map of keys and values, one behind the other', ofArray),
    scalar('hstore', ['record'], 'hstore', 'A row as a map', ofRecord, { strict: false, needsCall: true }),
    scalar('hstore_to_json', ['hstore'], 'json', 'The map as a document', (map: string) => json(map, false)),
    scalar('hstore_to_json_loose', ['hstore'], 'json', 'The map as a document with numbers and booleans', (map: string) => json(map, true)),
    scalar('hstore_to_jsonb', ['hstore'], 'jsonb', 'The map as a document', (call: Call, map: string) => jsonb(call, map, false), { needsCall: true }),
    scalar(
      'hstore_to_jsonb_loose',
      ['hstore'],
      'jsonb',
      'The map as a document with numbers and booleans',
      (call: Call, map: string) => jsonb(call, map, true),
      { needsCall: true },
    ),
    scalar('hstore_to_array', ['hstore'], '_text', 'Keys and values, one behind the other', toArray),
    scalar('hstore_to_matrix', ['hstore'], '_text', 'Keys and values as rows of an array', toMatrix),
    scalar('akeys', ['hstore'], '_text', 'The keys', (map: string) => new ArrayValue([...pairsOf(map).keys()])),
    scalar('avals', ['hstore'], '_text', 'The values', (map: string) => new ArrayValue([...pairsOf(map).values()])),
    rows('skeys', 'text', 'The keys', (map: string) => [...pairsOf(map).keys()]),
    rows('svals', 'text', 'The values', (map: string) => [...pairsOf(map).values()]),
    rows('each', 'record', 'The pairs', (map: string) => [...pairsOf(map)].map((pair) => [...pair]), {
      columns: [
        { name: 'key', type: 'text' },
        { name: 'value', type: 'text' },
      ],
    }),
    scalar('populate_record', ['anyelement', 'hstore'], 'anyelement', 'A row with the values of its columns from a map', populate, {
      strict: false,
      needsCall: true,
      volatility: 'stable',
    }),
    scalar('hstore_cmp', ['hstore', 'hstore'], 'int4', 'Order of two maps', (a: string, b: string) => Math.sign(compareText(a, b))),
  ],
  operators: [
    op('->', 'hstore', 'text', 'text', 'fetchval', fetched),
    op('->', 'hstore', '_text', '_text', 'slice_array', fetchedAll),
    op('?', 'hstore', 'text', 'bool', 'exist', has),
    op('?|', 'hstore', '_text', 'bool', 'exists_any', hasAny),
    op('?&', 'hstore', '_text', 'bool', 'exists_all', hasAll),
    op('||', 'hstore', 'hstore', 'hstore', 'hs_concat', joined),
    op('@>', 'hstore', 'hstore', 'bool', 'hs_contains', contains, { commutator: '<@' }),
    op('<@', 'hstore', 'hstore', 'bool', 'hs_contained', (a: string, b: string) => contains(b, a), { commutator: '@>' }),
    op('-', 'hstore', 'text', 'hstore', 'delete', withoutKey),
    op('-', 'hstore', '_text', 'hstore', 'delete', withoutKeys),
    op('-', 'hstore', 'hstore', 'hstore', 'delete', withoutPairs),
    op('%%', null, 'hstore', '_text', 'hstore_to_array', toArray),
    op('%#', null, 'hstore', '_text', 'hstore_to_matrix', toMatrix),
    op('#=', 'anyelement', 'hstore', 'anyelement', 'populate_record', populate, { strict: false, needsCall: true }),
    ...sixOperators('hstore', 'hstore', (test) => `hstore_${test}`, TEXT).map((each) => ({
      ...each,
      name: { '<': '#<#', '<=': '#<=#', '>': '#>#', '>=': '#>=#' }[each.name] ?? each.name,
      commutator: undefined,
      negator: undefined,
    })),
  ],
  casts: [
    { from: '_text', to: 'hstore', context: 'explicit', method: 'function', impl: ofArray },
    { from: 'hstore', to: 'json', context: 'explicit', method: 'function', impl: (map: string) => json(map, false) },
    { from: 'hstore', to: 'jsonb', context: 'explicit', method: 'function', needsCall: true, impl: (call: Call, map: string) => jsonb(call, map, false) },
  ],
};
