/**
 * Access methods: what each can index, and how it is implemented here. hash and brin indexes are ordered trees; gin, and gist of
 * ranges and texts, have an entry for each key of a value (search-keys.ts); other gist and spgist indexes are catalog-only, and so
 * is brin over types without an order. The methods of pgvector are catalog-only: they permit approximate rows (src/search/nearby-vectors.ts). A bm25
 * index is catalog-only, too: it says what ranked search reads (searched-fields.ts).
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { SqlType } from '../types/type.ts';
import type { Index } from './table.ts';
import { hasListedKeys } from './search-keys.ts';

export type Method = Index['method'];

/** Those of the extension vector. */
type VectorMethod = 'hnsw' | 'ivfflat';

export function isVectorMethod(method: string): method is VectorMethod {
  return method === 'hnsw' || method === 'ivfflat';
}

/** Operator classes by method, with their types. A star marks classes that are not the default of their types. */
const CLASSES: Readonly<Record<'gin' | 'gist' | 'spgist' | 'bm25' | VectorMethod, Readonly<Record<string, string>>>> = {
  gin: {
    array_ops: 'anyarray',
    jsonb_ops: 'jsonb',
    jsonb_path_ops: '*jsonb',
    tsvector_ops: 'tsvector',
    gin_hstore_ops: 'hstore',
    gin_trgm_ops: '*text varchar citext',
  },
  gist: {
    gist_hstore_ops: 'hstore',
    gist_ltree_ops: 'ltree',
    gist__ltree_ops: '_ltree',
    gist_trgm_ops: '*text varchar citext',
    box_ops: 'box',
    circle_ops: 'circle',
    inet_ops: '*inet cidr',
    multirange_ops: 'anymultirange',
    point_ops: 'point',
    poly_ops: 'polygon',
    range_ops: 'anyrange',
    tsquery_ops: 'tsquery',
    tsvector_ops: 'tsvector',
  },
  spgist: {
    box_ops: 'box',
    inet_ops: 'inet cidr',
    kd_point_ops: '*point',
    poly_ops: 'polygon',
    quad_point_ops: 'point',
    range_ops: 'anyrange',
    text_ops: 'text varchar',
  },
  bm25: { text_ops: 'text varchar bpchar citext' },
  hnsw: {
    bit_hamming_ops: '*bit',
    bit_jaccard_ops: '*bit',
    halfvec_cosine_ops: '*halfvec',
    halfvec_ip_ops: '*halfvec',
    halfvec_l1_ops: '*halfvec',
    halfvec_l2_ops: '*halfvec',
    sparsevec_cosine_ops: '*sparsevec',
    sparsevec_ip_ops: '*sparsevec',
    sparsevec_l1_ops: '*sparsevec',
    sparsevec_l2_ops: '*sparsevec',
    vector_cosine_ops: '*vector',
    vector_ip_ops: '*vector',
    vector_l1_ops: '*vector',
    vector_l2_ops: '*vector',
  },
  ivfflat: {
    bit_hamming_ops: '*bit',
    halfvec_cosine_ops: '*halfvec',
    halfvec_ip_ops: '*halfvec',
    halfvec_l2_ops: '*halfvec',
    vector_cosine_ops: '*vector',
    vector_ip_ops: '*vector',
    vector_l2_ops: 'vector',
  },
};

/** Of btree_gin and btree_gist, for ordered types: class and type. */
const SCALAR_CLASSES: Readonly<Record<'gin' | 'gist', string>> = {
  gin:
    'bit_ops:bit bool_ops:bool bpchar_ops:bpchar bytea_ops:bytea char_ops:char cidr_ops:cidr date_ops:date enum_ops:anyenum float4_ops:float4 float8_ops:float8 ' +
    'inet_ops:inet int2_ops:int2 int4_ops:int4 int8_ops:int8 interval_ops:interval macaddr8_ops:macaddr8 macaddr_ops:macaddr money_ops:money name_ops:name ' +
    'numeric_ops:numeric oid_ops:oid text_ops:text time_ops:time timestamp_ops:timestamp timestamptz_ops:timestamptz timetz_ops:timetz uuid_ops:uuid ' +
    'varbit_ops:varbit varchar_ops:varchar',
  gist:
    'gist_bit_ops:bit gist_bool_ops:bool gist_bpchar_ops:bpchar gist_bytea_ops:bytea gist_cash_ops:money gist_cidr_ops:cidr gist_date_ops:date ' +
    'gist_enum_ops:anyenum gist_float4_ops:float4 gist_float8_ops:float8 gist_inet_ops:inet gist_int2_ops:int2 gist_int4_ops:int4 gist_int8_ops:int8 ' +
    'gist_interval_ops:interval gist_macaddr8_ops:macaddr8 gist_macaddr_ops:macaddr gist_numeric_ops:numeric gist_oid_ops:oid gist_text_ops:text,varchar ' +
    'gist_time_ops:time gist_timestamp_ops:timestamp gist_timestamptz_ops:timestamptz gist_timetz_ops:timetz gist_uuid_ops:uuid gist_vbit_ops:varbit',
};

/** Of intarray. */
const INTEGER_CLASSES: Readonly<Record<'gin' | 'gist', Readonly<Record<string, string>>>> = {
  gin: { gin__int_ops: '*_int4' },
  gist: { gist__int_ops: '_int4', gist__intbig_ops: '*_int4' },
};

/** Each method's classes including those of extensions, built on first use. */
const withExtensions = new Map<string, Readonly<Record<string, string>>>();

function classesOf(method: keyof typeof CLASSES, hasExtension: (name: string) => boolean): Readonly<Record<string, string>> {
  if (method !== 'gin' && method !== 'gist') return CLASSES[method];
  const [scalars, integers] = [hasExtension(`btree_${method}`), hasExtension('intarray')];
  const key = `${method} ${scalars} ${integers}`;
  let known = withExtensions.get(key);
  if (known === undefined) {
    const more = scalars ? SCALAR_CLASSES[method].split(' ').map((each) => each.split(':') as [string, string]) : [];
    known = {
      ...CLASSES[method],
      ...Object.fromEntries(more.map(([name, types]) => [name, types.replaceAll(',', ' ')])),
      ...(integers ? INTEGER_CLASSES[method] : {}),
    };
    withExtensions.set(key, known);
  }
  return known;
}

/** The extension and name of the operator class with which an index supports a type; null if it needs none. `given` is as stored. */
export function extensionClassOf(method: Method, type: SqlType, given: string | null): { readonly extension: string; readonly name: string } | null {
  if (isVectorMethod(method)) return { extension: 'vector', name: given ?? 'vector_l2_ops' };
  if (method !== 'gin' && method !== 'gist') return null;
  if (given !== null && Object.hasOwn(INTEGER_CLASSES[method], given)) return { extension: 'intarray', name: given };
  if (given !== null) return given.endsWith('_trgm_ops') ? { extension: 'pg_trgm', name: given } : null;
  const plain = Object.values(CLASSES[method]).some((types) => !types.startsWith('*') && takes(types, type));
  const own = plain ? undefined : SCALAR_CLASSES[method].split(' ').find((each) => takes(each.split(':')[1].replaceAll(',', ' '), type));
  return own === undefined ? null : { extension: `btree_${method}`, name: own.split(':')[0] };
}

/** The names that CREATE INDEX takes after USING. */
export function isIndexMethod(name: string): boolean {
  return ['btree', 'hash', 'gist', 'gin', 'spgist', 'brin', 'bm25'].includes(name) || isVectorMethod(name);
}

export function methodNamed(name: string): Method {
  switch (name) {
    case 'btree':
    case 'hash':
    case 'gin':
    case 'gist':
    case 'spgist':
    case 'brin':
    case 'hnsw':
    case 'ivfflat':
    case 'bm25':
      return name;
    default:
      throw unknownMethod(name);
  }
}

export function unknownMethod(name: string): SvcError {
  return new SvcError('42704', `access method "${name}" does not exist`);
}

/** Whether the type is one of those listed, or of their kind. */
export function takes(types: string, type: SqlType): boolean {
  const root = type.domain === null ? type : type.domain.root;
  return types
    .replace('*', '')
    .split(' ')
    .some(
      (each) =>
        each === root.name ||
        (each === 'anyenum' && root.labels !== null) ||
        (each === 'anyarray' && root.element !== null && root.category === 'A') ||
        (each === 'anyrange' && root.range !== null && !root.range.multi) ||
        (each === 'anymultirange' && root.range !== null && root.range.multi),
    );
}

/** The stored operator class: null for the default. 42704 if the method has none for the type, 42804 if it is for another type. */
export function operatorClassOf(method: Method, type: SqlType, given: string | null, hasExtension: (name: string) => boolean = () => false): string | null {
  if (!Object.hasOwn(CLASSES, method)) return given === null ? null : plainClassOf(method, type, given);
  if (isVectorMethod(method) && !hasExtension('vector')) throw unknownMethod(method);
  const classes = classesOf(method as keyof typeof CLASSES, hasExtension);
  const standard = Object.keys(classes).find((name) => !classes[name].startsWith('*') && takes(classes[name], type)) ?? null;
  if (given === null) {
    if (standard !== null) return null;
    throw new SvcError('42704', `data type ${type.title} has no default operator class for access method "${method}"`, {
      hint: 'You must specify an operator class for the index or define a default operator class for the data type.',
    });
  }
  if (!Object.hasOwn(classes, given)) throw new SvcError('42704', `operator class "${given}" does not exist for access method "${method}"`);
  if (!takes(classes[given], type)) throw new SvcError('42804', `operator class "${given}" does not accept data type ${type.title}`);
  return given === standard ? null : given;
}

/** Classes of methods whose trees follow the type's order: name and type, with a star if it is not the default. */
const PLAIN_CLASSES =
  'array_ops:anyarray bit_ops:bit bool_ops:bool bpchar_ops:bpchar bpchar_pattern_ops:*bpchar bytea_ops:bytea char_ops:char cidr_ops:*inet date_ops:date enum_ops: ' +
  'float4_ops:float4 float8_ops:float8 inet_ops:inet int2_ops:int2 int4_ops:int4 int8_ops:int8 interval_ops:interval jsonb_ops:jsonb ltree_ops:ltree macaddr8_ops:macaddr8 ' +
  'macaddr_ops:macaddr money_ops:money multirange_ops:anymultirange name_ops:name numeric_ops:numeric oid_ops:oid oidvector_ops:oidvector pg_lsn_ops:pg_lsn ' +
  'range_ops:anyrange record_image_ops:* record_ops: text_ops:text text_pattern_ops:*text tid_ops:tid time_ops:time timestamp_ops:timestamp ' +
  'timestamptz_ops:timestamptz timetz_ops:timetz tsquery_ops:tsquery tsvector_ops:tsvector uuid_ops:uuid varbit_ops:varbit varchar_ops:*text ' +
  'varchar_pattern_ops:*text xid8_ops:xid8';
const CLASS_TYPES: ReadonlyMap<string, string> = new Map(PLAIN_CLASSES.split(' ').map((each) => each.split(':') as [string, string]));

function plainClassOf(method: Method, type: SqlType, given: string): string | null {
  const brin = /^(.*)_(minmax|minmax_multi|bloom|inclusion)_ops$/.exec(given);
  const types =
    method === 'brin' ? (brin === null ? undefined : `${brin[2] === 'minmax' || brin[1] === 'range' ? '' : '*'}${brin[1]}`) : CLASS_TYPES.get(given);
  if (types === undefined) throw new SvcError('42704', `operator class "${given}" does not exist for access method "${method}"`);
  const wanted = types.replace('*', '');
  const root = type.domain === null ? type : type.domain.root;
  const fits =
    wanted === '' || wanted === 'range' || takes(wanted, type) || (wanted === 'text' && root.name === 'varchar') || (wanted === 'inet' && root.name === 'cidr');
  if (!fits) throw new SvcError('42804', `operator class "${given}" does not accept data type ${type.title}`);
  return types.startsWith('*') ? given : null;
}

/** The contents of the index's tree. */
export function entriesOf(method: Method, types: readonly SqlType[], operatorClasses: readonly (string | null)[]): Index['entries'] {
  if (isVectorMethod(method) || method === 'bm25') return 'none';
  if (method === 'gin' || method === 'gist' || method === 'spgist') {
    const listed = types.filter((type, i) => hasListedKeys(method === 'gin' ? 'gin' : 'gist', type, operatorClasses[i])).length;
    if (listed === types.length) return 'lists';
    // Otherwise an ordered tree, if the types have an order; gin that mixes in key lists is catalog-only.
    return (method !== 'gin' || listed === 0) && types.every(({ ordered }) => ordered) ? 'ordered' : 'none';
  }
  return method === 'brin' && !types.every(({ ordered }) => ordered) ? 'none' : 'ordered';
}

/** 0A000 for unsupported features of a method. */
export function refuseForMethod(
  method: Method,
  spec: { readonly unique: boolean; readonly columns: number; readonly include: number; readonly directed: boolean; readonly placesNulls: boolean },
): void {
  if (method === 'btree') return;
  const cannot = (what: string): SvcError => new SvcError('0A000', `access method "${method}" does not support ${what}`);
  if (spec.unique) throw cannot('unique indexes');
  if (spec.include > 0 && method !== 'gist' && method !== 'spgist') throw cannot('included columns');
  if (spec.columns > 1 && (method === 'hash' || method === 'spgist' || isVectorMethod(method))) throw cannot('multicolumn indexes');
  if (spec.directed) throw cannot('ASC/DESC options');
  if (spec.placesNulls) throw cannot('NULLS FIRST/LAST options');
}
