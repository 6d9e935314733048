/** The library: every built-in type and every module of functions. What is not listed here does not exist. */
import type { FunctionModule } from './define.ts';
import { Registry } from './registry.ts';
import { arrayType } from '../types/array-type.ts';
import type { SqlType } from '../types/type.ts';
import { BOOL } from '../types/bool.ts';
import { BYTEA } from '../types/bytea.ts';
import { FLOAT4, FLOAT8 } from '../types/floats.ts';
import {
  CID,
  OID,
  REGCLASS,
  REGCOLLATION,
  REGNAMESPACE,
  REGOPER,
  REGOPERATOR,
  REGPROC,
  REGPROCEDURE,
  REGROLE,
  REGTYPE,
  TID,
  XID,
  XID8,
} from '../types/identifiers.ts';
import { INT2, INT4, INT8 } from '../types/integers.ts';
import { JSON_TYPE } from '../types/json.ts';
import { JSONB } from '../types/jsonb.ts';
import { NUMERIC } from '../types/numeric-type.ts';
import {
  ANY,
  ANYARRAY,
  ANYCOMPATIBLE,
  ANYCOMPATIBLEARRAY,
  ANYCOMPATIBLENONARRAY,
  ANYELEMENT,
  ANYENUM,
  ANYNONARRAY,
  CSTRING,
  INTERNAL,
  TRIGGER,
  VOID,
} from '../types/pseudo-types.ts';
import { RECORD } from '../types/record-type.ts';
import { BPCHAR, CHAR, NAME, TEXT, UNKNOWN, VARCHAR } from '../types/texts.ts';
import { dateType } from '../types/time/date-type.ts';
import { intervalType } from '../types/time/interval-type.ts';
import { timeType } from '../types/time/time-type.ts';
import { timestampType, timestamptzType } from '../types/time/timestamp-type.ts';
import { timetzType } from '../types/time/timetz-type.ts';
import { UUID } from '../types/uuid.ts';
import { collectingAggregates } from './aggregates/collecting.ts';
import { countAggregates } from './aggregates/count.ts';
import { deviationAggregates } from './aggregates/deviations.ts';
import { extremeAggregates } from './aggregates/extremes.ts';
import { hypotheticalAggregates } from './aggregates/hypothetical.ts';
import { logicAggregates } from './aggregates/logic.ts';
import { orderedSetAggregates } from './aggregates/ordered-set.ts';
import { regressionAggregates } from './aggregates/regression.ts';
import { sumAggregates } from './aggregates/sums.ts';
import { ARRAY_BUILD } from './array/array-build.ts';
import { ARRAY_COMPARE } from './array/array-compare.ts';
import { ARRAY_INSPECT } from './array/array-inspect.ts';
import { ARRAY_ROWS } from './array/array-rows.ts';
import { GENERATE_SERIES } from './array/generate-series.ts';
import { numberComparison } from './comparison/number-comparison.ts';
import { textComparison } from './comparison/text-comparison.ts';
import { ENUM_FUNCTIONS } from './enum/enum-functions.ts';
import { JSON_ACCESS } from './json/json-access.ts';
import { JSON_AGGREGATES } from './json/json-aggregates.ts';
import { JSON_BUILD } from './json/json-build.ts';
import { JSON_CASTS } from './json/json-casts.ts';
import { JSON_INSPECT } from './json/json-inspect.ts';
import { JSON_POPULATE } from './json/json-populate.ts';
import { JSONB_CHANGE } from './json/jsonb-change.ts';
import { JSONB_COMPARE } from './json/jsonb-compare.ts';
import { JSONB_SUBSCRIPT } from './json/jsonb-subscript.ts';
import { floatArithmetic } from './numeric/float-arithmetic.ts';
import { floatMath } from './numeric/float-math.ts';
import { integerArithmetic } from './numeric/integer-arithmetic.ts';
import { integerMath } from './numeric/integer-math.ts';
import { numberCasts } from './numeric/number-casts.ts';
import { numericArithmetic } from './numeric/numeric-arithmetic.ts';
import { numericMath } from './numeric/numeric-math.ts';
import { randomFunctions } from './numeric/random.ts';
import { numberSeries } from './numeric/series.ts';
import { trigonometry } from './numeric/trigonometry.ts';
import { RECORD_COMPARE } from './record/record-compare.ts';
import { byteFunctions } from './text/bytes.ts';
import { concatenation } from './text/concatenation.ts';
import { textLengths } from './text/lengths.ts';
import { likeMatching } from './text/like.ts';
import { quoting } from './text/quoting.ts';
import { regexpFunctions } from './text/regexp-functions.ts';
import { regexpMatching } from './text/regexp-operators.ts';
import { splitAndJoin } from './text/split-and-join.ts';
import { substrings } from './text/substrings.ts';
import { textCasts } from './text/text-casts.ts';
import { unicode } from './text/unicode.ts';
import { uuidFunctions } from './text/uuids.ts';
import { variadicAny } from './text/variadic-any.ts';
import { ageFunctions } from './time/age.ts';
import { timeAggregates } from './time/aggregates.ts';
import { timeArithmetic } from './time/arithmetic.ts';
import { atTimeZoneFunctions } from './time/at-time-zone.ts';
import { timeCasts } from './time/casts.ts';
import { timeComparisons } from './time/comparisons.ts';
import { binning } from './time/date-bin.ts';
import { truncation } from './time/date-trunc.ts';
import { extractFunctions } from './time/extract.ts';
import { fromCharFunctions } from './time/from-char.ts';
import { justification } from './time/justify.ts';
import { makers } from './time/make.ts';
import { clocks } from './time/now.ts';
import { overlapsFunctions } from './time/overlaps.ts';
import { timeSeries } from './time/series.ts';
import { toCharFunctions } from './time/to-char.ts';
import { WINDOW_RANK } from './window/window-rank.ts';
import { WINDOW_VALUE } from './window/window-value.ts';

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
  UNKNOWN,
  INT2,
  INT4,
  INT8,
  OID,
  REGPROC,
  REGPROCEDURE,
  REGOPER,
  REGOPERATOR,
  REGCLASS,
  REGTYPE,
  REGNAMESPACE,
  REGROLE,
  REGCOLLATION,
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
  TRIGGER,
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
];

export const TYPES: readonly SqlType[] = ELEMENTS.flatMap((type) => (type.arrayOid === 0 ? [type] : [type, arrayType(type, type.arrayOid)]));

export const MODULES: readonly FunctionModule[] = [
  JSON_CASTS,
  JSON_BUILD,
  JSON_INSPECT,
  JSONB_CHANGE,
  JSONB_COMPARE,
  JSON_ACCESS,
  JSONB_SUBSCRIPT,
  JSON_POPULATE,
  JSON_AGGREGATES,
  uuidFunctions,
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
  GENERATE_SERIES,
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
  logicAggregates,
  extremeAggregates,
  textComparison,
  numberComparison,
  RECORD_COMPARE,
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
  floatMath,
  trigonometry,
  floatArithmetic,
  numericMath,
  numberSeries,
  numericArithmetic,
  numberCasts,
  integerMath,
  randomFunctions,
  integerArithmetic,
];

export const LIBRARY = new Registry(TYPES, MODULES);
