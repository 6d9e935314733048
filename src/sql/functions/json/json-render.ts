/**
 * SQL values as JSON: the text that to_json, row_to_json, json_build_… and json_agg write, and the trees of their jsonb forms. The
 * form depends on the type alone, so each type gets one cached renderer.
 */
import { SvcError } from '../../../base/errors/svc-error.ts';
import type { ArrayValue } from '../../types/array-value.ts';
import type { Environment } from '../../types/environment.ts';
import { numberNode, numberNodeFromText } from '../../types/json-number.ts';
import { quoteJson } from '../../types/json-string.ts';
import { type JsonNode, makeObject, parseTree } from '../../types/json-tree.ts';
import { treeOf } from '../../types/jsonb.ts';
import { Numeric } from '../../types/numeric.ts';
import { columnsOf, fieldName, isRecordType } from '../../types/record-type.ts';
import type { RecordValue } from '../../types/record-value.ts';
import type { SqlType } from '../../types/type.ts';
import type { Value } from '../../types/value.ts';

type Kind = 'bool' | 'number' | 'numeric' | 'float' | 'moment' | 'json' | 'jsonb' | 'array' | 'record' | 'text' | 'other';

const KINDS = new Map<number, Kind>([
  [16, 'bool'],
  [20, 'number'],
  [21, 'number'],
  [23, 'number'],
  [1700, 'numeric'],
  [700, 'float'],
  [701, 'float'],
  [1082, 'moment'],
  [1114, 'moment'],
  [1184, 'moment'],
  [114, 'json'],
  [3802, 'jsonb'],
  [25, 'text'],
  [705, 'text'],
]);

/** Postgres's json_categorize_type: a domain counts as its base type. */
export function kindOfType(type: SqlType): Kind {
  const base = type.domain?.root ?? type;
  if (base.element !== null) return 'array';
  if (isRecordType(base)) return 'record';
  return KINDS.get(base.oid) ?? 'other';
}

export type Render = (value: Value, env: Environment) => string;

const renderers = new WeakMap<SqlType, Render>();

/** The function that writes values of the type as JSON text; null becomes `null`. */
export function rendererOf(type: SqlType): Render {
  let render = renderers.get(type);
  if (render === undefined) {
    const some = makeRenderer(type);
    render = (value, env) => (value === null ? 'null' : some(value, env));
    renderers.set(type, render);
  }
  return render;
}

function makeRenderer(type: SqlType): Render {
  switch (kindOfType(type)) {
    case 'bool':
    case 'number':
      return String;
    case 'numeric':
    case 'float':
      return (value, env) => {
        const text = type.format(value, env);
        return isNumberText(text) ? text : quoteJson(text);
      };
    case 'moment':
      return (value, env) => quoteJson(momentText(value, type, env));
    case 'json':
    case 'jsonb':
      return (value) => value as string;
    case 'text':
      return (value) => quoteJson(value as string);
    case 'array':
      return (value, env) => renderArray(value as ArrayValue, type, env, ',');
    case 'record':
      return (value, env) => renderRecord(value as RecordValue, type, env, ',');
    default:
      return (value, env) => quoteJson(type.format(value, env));
  }
}

/** NaN and the infinities are the only texts of numbers that JSON has no number for. */
function isNumberText(text: string): boolean {
  const c = text.charCodeAt(text.charCodeAt(0) === 45 ? 1 : 0);
  return c >= 48 && c <= 57;
}

/** An array as text; `separator` applies to its outermost level, as pretty printing does. */
export function renderArray(array: ArrayValue, type: SqlType, env: Environment, separator: string): string {
  const { elements, lengths } = array;
  if (elements.length === 0) return '[]';
  const render = rendererOf(type.element!);
  let at = 0;
  const level = (depth: number): string => {
    let text = '[';
    for (let i = 0; i < lengths[depth]; i++) {
      if (i > 0) text += depth === 0 ? separator : ',';
      text += depth === lengths.length - 1 ? render(elements[at++], env) : level(depth + 1);
    }
    return `${text}]`;
  };
  return level(0);
}

/** The renderers of record fields: all rows of a query share the list of their types. */
interface FieldForms {
  readonly columns: ReturnType<typeof columnsOf>;
  readonly keys: readonly string[];
  readonly renders: readonly Render[];
}

const forms = new WeakMap<readonly SqlType[], FieldForms>();

function formsOf(types: readonly SqlType[], type: SqlType): FieldForms {
  const columns = columnsOf(type);
  let known = forms.get(types);
  if (known === undefined || known.columns !== columns) {
    known = { columns, keys: types.map((_, i) => `${quoteJson(fieldName(columns, i))}:`), renders: types.map(rendererOf) };
    forms.set(types, known);
  }
  return known;
}

export function renderRecord(record: RecordValue, type: SqlType, env: Environment, separator: string): string {
  const { fields, types } = record;
  const { keys, renders } = formsOf(types, type);
  let text = '{';
  for (let i = 0; i < fields.length; i++) {
    if (i > 0) text += separator;
    text += keys[i];
    text += renders[i](fields[i], env);
  }
  return `${text}}`;
}

export type ReadTree = (value: Value, env: Environment) => JsonNode;

const readers = new WeakMap<SqlType, ReadTree>();

/** The function that converts values of the type to a part of a jsonb document. */
export function treeReaderOf(type: SqlType): ReadTree {
  let read = readers.get(type);
  if (read === undefined) {
    const some = makeReader(type);
    read = (value, env) => (value === null ? null : some(value, env));
    readers.set(type, read);
  }
  return read;
}

function makeReader(type: SqlType): ReadTree {
  switch (kindOfType(type)) {
    case 'bool':
      return (value) => value as boolean;
    case 'number':
      return (value) => (typeof value === 'bigint' ? new Numeric(value, 0) : (value as number));
    case 'numeric':
      return (value, env) => {
        const { coefficient } = value as Numeric;
        return typeof coefficient === 'number' && !Number.isFinite(coefficient) ? type.format(value, env) : numberNode(value as Numeric);
      };
    case 'float':
      return (value, env) => {
        const text = type.format(value, env);
        return isNumberText(text) ? numberNodeFromText(text) : text;
      };
    case 'moment':
      return (value, env) => momentText(value, type, env);
    case 'json':
      return (value) => parseTree(value as string);
    case 'jsonb':
      return (value) => treeOf(value as string);
    case 'text':
      return (value) => value as string;
    case 'array': {
      const element = treeReaderOf(type.element!);
      return (value, env) => {
        const { elements, lengths } = value as ArrayValue;
        let at = 0;
        const level = (depth: number): JsonNode[] => {
          const items: JsonNode[] = [];
          for (let i = 0; i < lengths[depth]; i++) items.push(depth === lengths.length - 1 ? element(elements[at++], env) : level(depth + 1));
          return items;
        };
        return elements.length === 0 ? [] : level(0);
      };
    }
    case 'record':
      return (value, env) => {
        const columns = columnsOf(type);
        const { fields, types } = value as RecordValue;
        return makeObject(
          fields.map((_, i) => fieldName(columns, i)),
          fields.map((field, i) => treeReaderOf(types[i])(field, env)),
        );
      };
    default:
      return (value, env) => type.format(value, env);
  }
}

/** The text of a value as a key of an object. */
export function keyTextOf(type: SqlType): (value: Value, env: Environment) => string {
  switch (kindOfType(type)) {
    case 'array':
    case 'record':
    case 'json':
    case 'jsonb':
      return () => {
        throw new SvcError('22023', 'key value must be scalar, not array, composite, or json');
      };
    case 'bool':
    case 'number':
      return String;
    case 'moment':
      return (value, env) => momentText(value, type, env);
    default:
      return (value, env) => type.format(value, env);
  }
}

/** Dates and timestamps in ISO 8601 (XSD) form, independent of DateStyle. */
function momentText(value: Value, type: SqlType, env: Environment): string {
  const text = type.format(value, env.dateStyle === 'ISO' ? env : isoEnvironment(env));
  if (type.oid === 1082) return text;
  return text.replace(' ', 'T').replace(/(T\S*[+-]\d\d)(?= |$)/, '$1:00');
}

function isoEnvironment(env: Environment): Environment {
  return {
    timeZone: env.timeZone,
    dateStyle: 'ISO',
    dateOrder: env.dateOrder,
    intervalStyle: env.intervalStyle,
    extraFloatDigits: env.extraFloatDigits,
    byteaOutput: env.byteaOutput,
    arrayNulls: env.arrayNulls,
    quotesAll: env.quotesAll,
    abbreviations: env.abbreviations,
    transactionStart: env.transactionStart,
    statementStart: env.statementStart,
    clock: () => env.clock(),
    random: () => env.random(),
    seedRandom: (seed) => env.seedRandom(seed),
    randomBytes: (count) => env.randomBytes(count),
    setting: (name) => env.setting(name),
    setSetting: (name, value, local) => env.setSetting(name, value, local),
  };
}
