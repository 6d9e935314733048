/** The library: every built-in type and every module of functions. What is not listed here does not exist. */
import { asExtension, type FunctionModule } from '../functions/define.ts';
import { Registry } from '../functions/registry.ts';
import { arrayType } from '../types/array-type.ts';
import type { SqlType } from '../types/type.ts';
import { aclFunctions } from '../functions/system/acl-functions.ts';
import { statisticFunctions } from '../functions/system/statistic-functions.ts';
import { largeObjectFunctions } from '../functions/system/large-object-functions.ts';
import { lsnFunctions } from '../functions/system/lsn-functions.ts';
import { transactionFunctions } from '../functions/system/transaction-functions.ts';
import { objectFunctions } from '../functions/system/object-functions.ts';
import { RECORD_IMAGE } from '../functions/record/record-image.ts';
import { PG_SNAPSHOT, TXID_SNAPSHOT } from '../types/snapshots.ts';
import { procFunctions } from '../functions/system/proc-functions.ts';
import { behindTypes } from './behind-types.ts';
import { markLong } from './mark-long.ts';
import { absentFeatures } from '../functions/system/absent-features.ts';
import { FILE_FDW } from '../functions/extension/file-fdw.ts';
import { foreignFunctions } from '../functions/system/foreign-functions.ts';
import { eventTriggerFunctions } from '../functions/system/event-trigger-functions.ts';
import { viewFunctions } from '../functions/system/view-functions.ts';
import { modifierFunctions } from '../functions/system/modifier-functions.ts';
import { inRangeFunctions } from '../functions/comparison/in-range.ts';
import { CATALOG_TYPES } from '../catalog/catalog-types.ts';
import { REGCLASS, REGCOLLATION, REGNAMESPACE, REGOPER, REGOPERATOR, REGPROC, REGPROCEDURE, REGROLE, REGTYPE } from '../catalog/reg-types.ts';
import { collectingAggregates } from '../functions/aggregates/collecting.ts';
import { countAggregates } from '../functions/aggregates/count.ts';
import { deviationAggregates } from '../functions/aggregates/deviations.ts';
import { extremeAggregates } from '../functions/aggregates/extremes.ts';
import { hypotheticalAggregates } from '../functions/aggregates/hypothetical.ts';
import { transitionFunctions } from '../functions/aggregates/transition-functions.ts';
import { logicAggregates } from '../functions/aggregates/logic.ts';
import { orderedSetAggregates } from '../functions/aggregates/ordered-set.ts';
import { regressionAggregates } from '../functions/aggregates/regression.ts';
import { sumAggregates } from '../functions/aggregates/sums.ts';
import { ARRAY_BUILD } from '../functions/array/array-build.ts';
import { ARRAY_COMPARE } from '../functions/array/array-compare.ts';
import { ARRAY_INSPECT } from '../functions/array/array-inspect.ts';
import { ARRAY_ROWS } from '../functions/array/array-rows.ts';
import { BIT_FUNCTIONS } from '../functions/bits/bit-functions.ts';
import { HASH_FUNCTIONS } from '../functions/hash/hash-functions.ts';
import { ORDER_FUNCTIONS } from '../functions/comparison/order-functions.ts';
import { numberComparison } from '../functions/comparison/number-comparison.ts';
import { textComparison } from '../functions/comparison/text-comparison.ts';
import { ENUM_FUNCTIONS } from '../functions/enum/enum-functions.ts';
import { GEOMETRIC_FUNCTIONS } from '../functions/geometry/geometric-functions.ts';
import { JSON_ACCESS } from '../functions/json/json-access.ts';
import { JSON_AGGREGATES } from '../functions/json/json-aggregates.ts';
import { JSON_BUILD } from '../functions/json/json-build.ts';
import { JSON_CASTS } from '../functions/json/json-casts.ts';
import { JSON_INSPECT } from '../functions/json/json-inspect.ts';
import { JSON_POPULATE } from '../functions/json/json-populate.ts';
import { JSONB_CHANGE } from '../functions/json/jsonb-change.ts';
import { JSONB_COMPARE } from '../functions/json/jsonb-compare.ts';
import { JSONB_SUBSCRIPT } from '../functions/json/jsonb-subscript.ts';
import { JSONPATH_FUNCTIONS } from '../functions/jsonpath/path-functions.ts';
import { MONEY_FUNCTIONS } from '../functions/money/money-functions.ts';
import { NETWORK_FUNCTIONS } from '../functions/network/network-functions.ts';
import { floatArithmetic } from '../functions/numeric/float-arithmetic.ts';
import { floatMath } from '../functions/numeric/float-math.ts';
import { integerArithmetic } from '../functions/numeric/integer-arithmetic.ts';
import { integerMath } from '../functions/numeric/integer-math.ts';
import { numberCasts } from '../functions/numeric/number-casts.ts';
import { numberToChar } from '../functions/numeric/number-to-char.ts';
import { numericArithmetic } from '../functions/numeric/numeric-arithmetic.ts';
import { numericMath } from '../functions/numeric/numeric-math.ts';
import { randomFunctions } from '../functions/numeric/random.ts';
import { numberSeries } from '../functions/numeric/series.ts';
import { specialFunctions } from '../functions/numeric/special-functions.ts';
import { numberFromText } from '../functions/numeric/to-number.ts';
import { trigonometry } from '../functions/numeric/trigonometry.ts';
import { RANGE_AGGREGATES } from '../functions/range/range-aggregates.ts';
import { RANGE_FUNCTIONS } from '../functions/range/range-functions.ts';
import { RANGE_OPERATORS } from '../functions/range/range-operators.ts';
import { RECORD_COMPARE } from '../functions/record/record-compare.ts';
import { advisoryLockFunctions } from '../functions/system/advisory-lock-functions.ts';
import { commentFunctions } from '../functions/system/comment-functions.ts';
import { definitionFunctions } from '../functions/system/definition-functions.ts';
import { documentFunctions } from '../functions/system/document-functions.ts';
import { encodingFunctions } from '../functions/system/encoding-functions.ts';
import { expandArray } from '../functions/system/expand-array.ts';
import { standardTypeFunctions } from '../functions/system/standard-type-functions.ts';
import { indexPropertyFunctions } from '../functions/system/index-property-functions.ts';
import { catalogKeyFunctions } from '../functions/system/catalog-key-functions.ts';
import { keywordFunctions } from '../functions/system/keyword-functions.ts';
import { partitionFunctions } from '../functions/system/partition-functions.ts';
import { privilegeFunctions } from '../functions/system/privilege-functions.ts';
import { regCasts } from '../functions/system/reg-casts.ts';
import { sequenceFunctions } from '../functions/system/sequence-functions.ts';
import { serverFunctions } from '../functions/system/server-functions.ts';
import { sessionFunctions } from '../functions/system/session-functions.ts';
import { triggerFunctions } from '../functions/system/trigger-functions.ts';
import { settingFunctions } from '../functions/system/setting-functions.ts';
import { sizeFunctions } from '../functions/system/size-functions.ts';
import { typeFunctions } from '../functions/system/type-functions.ts';
import { visibilityFunctions } from '../functions/system/visibility-functions.ts';
import { byteFunctions } from '../functions/text/bytes.ts';
import { concatenation } from '../functions/text/concatenation.ts';
import { textLengths } from '../functions/text/lengths.ts';
import { likeMatching } from '../functions/text/like.ts';
import { NAME_SUBSCRIPT } from '../functions/text/name-subscript.ts';
import { quoting } from '../functions/text/quoting.ts';
import { regexpFunctions } from '../functions/text/regexp-functions.ts';
import { regexpMatching } from '../functions/text/regexp-operators.ts';
import { splitAndJoin } from '../functions/text/split-and-join.ts';
import { substrings } from '../functions/text/substrings.ts';
import { textCasts } from '../functions/text/text-casts.ts';
import { unicode } from '../functions/text/unicode.ts';
import { uuidFunctions } from '../functions/text/uuids.ts';
import { variadicAny } from '../functions/text/variadic-any.ts';
import { ageFunctions } from '../functions/time/age.ts';
import { timeAggregates } from '../functions/time/aggregates.ts';
import { timeArithmetic } from '../functions/time/arithmetic.ts';
import { atTimeZoneFunctions } from '../functions/time/at-time-zone.ts';
import { timeCasts } from '../functions/time/casts.ts';
import { timeComparisons } from '../functions/time/comparisons.ts';
import { binning } from '../functions/time/date-bin.ts';
import { truncation } from '../functions/time/date-trunc.ts';
import { extractFunctions } from '../functions/time/extract.ts';
import { fromCharFunctions } from '../functions/time/from-char.ts';
import { justification } from '../functions/time/justify.ts';
import { makers } from '../functions/time/make.ts';
import { clocks } from '../functions/time/now.ts';
import { overlapsFunctions } from '../functions/time/overlaps.ts';
import { timeSeries } from '../functions/time/series.ts';
import { toCharFunctions } from '../functions/time/to-char.ts';
import { FUZZYSTRMATCH } from '../functions/extension/fuzzystrmatch.ts';
import { PGCRYPTO } from '../functions/extension/pgcrypto.ts';
import { STAT_STATEMENTS } from '../functions/extension/stat-statements.ts';
import { TRIGRAMS } from '../functions/extension/trigrams.ts';
import { UNACCENT } from '../functions/extension/unaccent.ts';
import { citextOf } from '../functions/extension/citext.ts';
import { HSTORE_FUNCTIONS } from '../functions/extension/hstore.ts';
import { INTARRAY } from '../functions/extension/intarray.ts';
import { TABLEFUNC } from '../functions/extension/tablefunc.ts';
import { CITEXT } from '../types/citext.ts';
import { HSTORE } from '../types/hstore.ts';
import { LTREE_FUNCTIONS } from '../functions/extension/ltree.ts';
import { LQUERY } from '../types/lquery.ts';
import { LTREE } from '../types/ltree.ts';
import { LTXTQUERY } from '../types/ltxtquery.ts';
import { QUERY_INT } from '../types/query-int.ts';
import { UUID_OSSP } from '../functions/extension/uuid-ossp.ts';
import { HALFVEC_FUNCTIONS } from '../functions/extension/halfvec-functions.ts';
import { SPARSEVEC_FUNCTIONS } from '../functions/extension/sparsevec-functions.ts';
import { VECTOR_FUNCTIONS } from '../functions/extension/vector-functions.ts';
import { TSQUERY_FUNCTIONS } from '../functions/search/query-functions.ts';
import { SEARCH_FUNCTIONS } from '../functions/search/search-functions.ts';
import { TSVECTOR_FUNCTIONS } from '../functions/search/vector-functions.ts';
import { WINDOW_RANK } from '../functions/window/window-rank.ts';
import { WINDOW_VALUE } from '../functions/window/window-value.ts';
import { XML_FUNCTIONS } from '../functions/xml/xml-functions.ts';
import { BIT, VARBIT } from '../types/bit-strings.ts';
import { BOOL } from '../types/bool.ts';
import { BYTEA } from '../types/bytea.ts';
import { FLOAT4, FLOAT8 } from '../types/floats.ts';
import { CID, OID, TID, XID, XID8 } from '../types/identifiers.ts';
import { INT2, INT4, INT8 } from '../types/integers.ts';
import { GEOMETRIC_TYPES } from '../types/geometric-types.ts';
import { JSON_TYPE } from '../types/json.ts';
import { JSONPATH } from '../types/jsonpath.ts';
import { JSONB } from '../types/jsonb.ts';
import { MONEY } from '../types/money.ts';
import { CIDR, INET, MACADDR, MACADDR8 } from '../types/network-types.ts';
import { NUMERIC } from '../types/numeric-type.ts';
import {
  ANY,
  ANYARRAY,
  ANYCOMPATIBLE,
  ANYCOMPATIBLEARRAY,
  ANYCOMPATIBLENONARRAY,
  ANYELEMENT,
  ANYENUM,
  ANYCOMPATIBLEMULTIRANGE,
  ANYCOMPATIBLERANGE,
  ANYMULTIRANGE,
  ANYNONARRAY,
  ANYRANGE,
  CSTRING,
  INTERNAL,
  TRIGGER,
  EVENT_TRIGGER,
  FDW_HANDLER,
  PG_DDL_COMMAND,
  VOID,
} from '../types/pseudo-types.ts';
import { MULTIRANGES, RANGES } from '../types/ranges.ts';
import { RECORD } from '../types/record-type.ts';
import { BPCHAR, CHAR, NAME, REFCURSOR, TEXT, UNKNOWN, VARCHAR } from '../types/texts.ts';
import { dateType } from '../types/time/date-type.ts';
import { intervalType } from '../types/time/interval-type.ts';
import { timeType } from '../types/time/time-type.ts';
import { timestampType, timestamptzType } from '../types/time/timestamp-type.ts';
import { timetzType } from '../types/time/timetz-type.ts';
import { REGCONFIG, REGDICTIONARY } from '../types/search-names.ts';
import { TSQUERY } from '../types/tsquery.ts';
import { TSVECTOR } from '../types/tsvector.ts';
import { XML } from '../types/xml/xml.ts';
import { UUID } from '../types/uuid.ts';
import { HALFVEC } from '../types/halfvec.ts';
import { SPARSEVEC } from '../types/sparsevec.ts';
import { VECTOR } from '../types/vector.ts';

const ELEMENTS: readonly SqlType[] = [
  UUID,
  BYTEA,
  NUMERIC,
  JSONB,
  TEXT,
  VARCHAR,
  BPCHAR,
  NAME,
  CHAR,
  REFCURSOR,
  UNKNOWN,
  INT2,
  INT4,
  INT8,
  OID,
  XID,
  CID,
  XID8,
  TID,
  RECORD,
  VOID,
  CSTRING,
  ANY,
  ANYELEMENT,
  ANYARRAY,
  ANYNONARRAY,
  ANYENUM,
  ANYCOMPATIBLE,
  ANYCOMPATIBLEARRAY,
  ANYCOMPATIBLENONARRAY,
  ANYRANGE,
  ANYMULTIRANGE,
  ANYCOMPATIBLERANGE,
  ANYCOMPATIBLEMULTIRANGE,
  JSONPATH,
  BIT,
  VARBIT,
  INET,
  CIDR,
  MACADDR,
  MACADDR8,
  MONEY,
  VECTOR,
  HALFVEC,
  SPARSEVEC,
  CITEXT,
  HSTORE,
  QUERY_INT,
  LTREE,
  LQUERY,
  LTXTQUERY,
  ...RANGES,
  ...MULTIRANGES,
  TRIGGER,
  EVENT_TRIGGER,
  FDW_HANDLER,
  PG_DDL_COMMAND,
  INTERNAL,
  timeType,
  timetzType,
  timestampType,
  timestamptzType,
  intervalType,
  dateType,
  JSON_TYPE,
  BOOL,
  FLOAT4,
  FLOAT8,
  REGCLASS,
  REGTYPE,
  REGPROC,
  REGPROCEDURE,
  REGOPER,
  REGOPERATOR,
  REGNAMESPACE,
  REGROLE,
  REGCOLLATION,
  REGCONFIG,
  REGDICTIONARY,
  TSVECTOR,
  TSQUERY,
  ...GEOMETRIC_TYPES,
  XML,
  PG_SNAPSHOT,
  TXID_SNAPSHOT,
];

export const TYPES: readonly SqlType[] = [
  ...CATALOG_TYPES,
  ...ELEMENTS.flatMap((type) => (type.arrayOid === 0 ? [type] : [type, arrayType(type, type.arrayOid)])),
];

const DECLARED: readonly FunctionModule[] = [
  HASH_FUNCTIONS,
  ORDER_FUNCTIONS,
  JSON_CASTS,
  JSON_BUILD,
  JSON_INSPECT,
  JSONB_CHANGE,
  JSONB_COMPARE,
  JSON_ACCESS,
  JSONB_SUBSCRIPT,
  NAME_SUBSCRIPT,
  JSON_POPULATE,
  JSON_AGGREGATES,
  uuidFunctions,
  asExtension('vector', VECTOR_FUNCTIONS),
  asExtension('vector', HALFVEC_FUNCTIONS),
  asExtension('vector', SPARSEVEC_FUNCTIONS),
  asExtension('uuid-ossp', UUID_OSSP),
  asExtension('pgcrypto', PGCRYPTO),
  asExtension('fuzzystrmatch', FUZZYSTRMATCH),
  asExtension('pg_stat_statements', STAT_STATEMENTS),
  asExtension('pg_trgm', TRIGRAMS),
  asExtension('unaccent', UNACCENT),
  asExtension(
    'citext',
    citextOf({
      operators: [...(likeMatching.operators ?? []), ...(regexpMatching.operators ?? [])],
      functions: [...(regexpFunctions.functions ?? []), ...(splitAndJoin.functions ?? []), ...(substrings.functions ?? [])],
    }),
  ),
  asExtension('hstore', HSTORE_FUNCTIONS),
  asExtension('file_fdw', FILE_FDW),
  asExtension('intarray', INTARRAY),
  asExtension('ltree', LTREE_FUNCTIONS),
  asExtension('tablefunc', TABLEFUNC),
  likeMatching,
  byteFunctions,
  regexpFunctions,
  regexpMatching,
  unicode,
  substrings,
  textCasts,
  variadicAny,
  concatenation,
  textLengths,
  splitAndJoin,
  quoting,
  ARRAY_ROWS,
  ARRAY_INSPECT,
  ARRAY_COMPARE,
  ARRAY_BUILD,
  ENUM_FUNCTIONS,
  WINDOW_RANK,
  WINDOW_VALUE,
  orderedSetAggregates,
  deviationAggregates,
  collectingAggregates,
  regressionAggregates,
  countAggregates,
  sumAggregates,
  hypotheticalAggregates,
  transitionFunctions,
  logicAggregates,
  extremeAggregates,
  textComparison,
  numberComparison,
  RECORD_COMPARE,
  RECORD_IMAGE,
  aclFunctions,
  lsnFunctions,
  statisticFunctions,
  transactionFunctions,
  objectFunctions,
  JSONPATH_FUNCTIONS,
  BIT_FUNCTIONS,
  NETWORK_FUNCTIONS,
  MONEY_FUNCTIONS,
  RANGE_FUNCTIONS,
  RANGE_OPERATORS,
  RANGE_AGGREGATES,
  clocks,
  truncation,
  atTimeZoneFunctions,
  fromCharFunctions,
  overlapsFunctions,
  timeCasts,
  timeSeries,
  extractFunctions,
  binning,
  timeArithmetic,
  toCharFunctions,
  ageFunctions,
  justification,
  makers,
  timeComparisons,
  timeAggregates,
  sizeFunctions,
  encodingFunctions,
  advisoryLockFunctions,
  partitionFunctions,
  privilegeFunctions,
  serverFunctions,
  settingFunctions,
  typeFunctions,
  visibilityFunctions,
  sessionFunctions,
  triggerFunctions,
  expandArray,
  standardTypeFunctions,
  catalogKeyFunctions,
  keywordFunctions,
  regCasts,
  definitionFunctions,
  documentFunctions,
  indexPropertyFunctions,
  sequenceFunctions,
  largeObjectFunctions,
  commentFunctions,
  floatMath,
  trigonometry,
  floatArithmetic,
  numericMath,
  numberSeries,
  specialFunctions,
  numberFromText,
  numericArithmetic,
  numberCasts,
  integerMath,
  numberToChar,
  randomFunctions,
  integerArithmetic,
  TSVECTOR_FUNCTIONS,
  TSQUERY_FUNCTIONS,
  SEARCH_FUNCTIONS,
  GEOMETRIC_FUNCTIONS,
  XML_FUNCTIONS,
  viewFunctions,
  absentFeatures,
  eventTriggerFunctions,
  foreignFunctions,
];

const OPERATORS = DECLARED.flatMap(({ operators = [] }) => operators);

export const MODULES: readonly FunctionModule[] = [
  ...DECLARED,
  procFunctions(DECLARED),
  behindTypes(TYPES, DECLARED),
  modifierFunctions(TYPES),
  inRangeFunctions(TYPES, OPERATORS),
].map(markLong);

export const LIBRARY = new Registry(TYPES, MODULES);

/** A separate library, in which some functions are replaced. */
export function makeLibrary<T extends Registry>(of: new (types: typeof TYPES, modules: typeof MODULES) => T): T {
  return new of(TYPES, MODULES);
}
