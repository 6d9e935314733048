/** Documents built from SQL values: to_json, row_to_json, array_to_json, json_build_…, json_object. Manual, section 9.16. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import { ArrayValue } from '../../types/array-value.ts';
import type { Environment } from '../../types/environment.ts';
import { quoteJson } from '../../types/json-string.ts';
import { type JsonNode, makeObject } from '../../types/json-tree.ts';
import { jsonbOf } from '../../types/jsonb.ts';
import type { RecordValue } from '../../types/record-value.ts';
import type { SqlType } from '../../types/type.ts';
import type { Value } from '../../types/value.ts';
import type { Call, FunctionModule, ScalarFunction } from '../define.ts';
import { keyTextOf, renderArray, renderRecord, rendererOf, treeReaderOf } from './json-render.ts';

const UNKNOWN_OID = 705;

/**
 * Type of the n-th argument of a VARIADIC "any" call. Usually the call site lists one type per argument; with the keyword VARIADIC
 * it lists only the array's type.
 */
function typeAt(call: Call, values: ArrayValue, position: number): SqlType {
  const { argTypes } = call;
  if (argTypes.length === 1 && argTypes[0].element !== null && !(values.elements[0] instanceof ArrayValue)) return argTypes[0].element;
  return argTypes[position];
}

function buildArray(call: Call, values: ArrayValue | null): string | null {
  if (values === null) return null;
  const { elements } = values;
  let text = '[';
  for (let i = 0; i < elements.length; i++) {
    if (i > 0) text += ', ';
    text += elements[i] === null ? 'null' : rendererOf(typeAt(call, values, i))(elements[i], call.env);
  }
  return `${text}]`;
}

function buildArrayTree(call: Call, values: ArrayValue | null): string | null {
  if (values === null) return null;
  return jsonbOf(values.elements.map((item, i) => (item === null ? null : treeReaderOf(typeAt(call, values, i))(item, call.env))));
}

function checkPairs(count: number, name: string): void {
  if (count % 2 === 0) return;
  throw new SvcError('22023', 'argument list must have even number of elements', {
    hint: `The arguments of ${name} must consist of alternating keys and values.`,
  });
}

function keyAt(call: Call, values: ArrayValue, position: number): string {
  const key = values.elements[position];
  if (key === null) throw new SvcError('22023', `argument ${position + 1} cannot be null`, { hint: 'Object keys should be text.' });
  return keyTextOf(typeAt(call, values, position))(key, call.env);
}

function buildObject(call: Call, values: ArrayValue | null): string | null {
  if (values === null) return null;
  const { elements } = values;
  checkPairs(elements.length, 'json_build_object()');
  let text = '{';
  for (let i = 0; i < elements.length; i += 2) {
    if (i > 0) text += ', ';
    text += `${quoteJson(keyAt(call, values, i))} : `;
    text += elements[i + 1] === null ? 'null' : rendererOf(typeAt(call, values, i + 1))(elements[i + 1], call.env);
  }
  return `${text}}`;
}

function buildObjectTree(call: Call, values: ArrayValue | null): string | null {
  if (values === null) return null;
  const { elements } = values;
  checkPairs(elements.length, 'jsonb_build_object()');
  const keys: string[] = [];
  const nodes: JsonNode[] = [];
  for (let i = 0; i < elements.length; i += 2) {
    const key = elements[i];
    if (key === null) throw new SvcError('22023', `argument ${i + 1}: key must not be null`);
    keys.push(keyTextOf(typeAt(call, values, i))(key, call.env));
    nodes.push(elements[i + 1] === null ? null : treeReaderOf(typeAt(call, values, i + 1))(elements[i + 1], call.env));
  }
  return jsonbOf(makeObject(keys, nodes));
}

/** The keys and values of json_object(text[]) or json_object(keys, values). */
function textPairs(first: ArrayValue, second: ArrayValue | undefined): [string, string | null][] {
  const wrong = (message: string): SvcError => new SvcError('2202E', message);
  const pairs: [string, string | null][] = [];
  const add = (key: Value, value: Value): void => {
    if (key === null) throw new SvcError('22004', 'null value not allowed for object key');
    pairs.push([key as string, value as string | null]);
  };
  const { elements, lengths } = first;
  if (second === undefined) {
    if (lengths.length === 0) return pairs;
    if (lengths.length > 2) throw wrong('wrong number of array subscripts');
    if (lengths.length === 1 && elements.length % 2 !== 0) throw wrong('array must have even number of elements');
    if (lengths.length === 2 && lengths[1] !== 2) throw wrong('array must have two columns');
    for (let i = 0; i < elements.length; i += 2) add(elements[i], elements[i + 1]);
    return pairs;
  }
  if (lengths.length > 1 || lengths.length !== second.lengths.length) throw wrong('wrong number of array subscripts');
  if (elements.length !== second.elements.length) throw wrong('mismatched array dimensions');
  for (let i = 0; i < elements.length; i++) add(elements[i], second.elements[i]);
  return pairs;
}

function objectOfTexts(first: ArrayValue, second?: ArrayValue): string {
  const members = textPairs(first, second).map(([key, value]) => `${quoteJson(key)} : ${value === null ? 'null' : quoteJson(value)}`);
  return `{${members.join(', ')}}`;
}

function objectTreeOfTexts(first: ArrayValue, second?: ArrayValue): string {
  const pairs = textPairs(first, second);
  return jsonbOf(
    makeObject(
      pairs.map(([key]) => key),
      pairs.map(([, value]) => value),
    ),
  );
}

function known(type: SqlType): SqlType {
  if (type.oid === UNKNOWN_OID) throw new SvcError('42P18', 'could not determine polymorphic type because input has type unknown');
  return type;
}

function separator(pretty: boolean | undefined): string {
  return pretty === true ? ',\n ' : ',';
}

function built(name: string, returns: string, doc: string, impl: (call: Call, values: ArrayValue | null) => Value): ScalarFunction[] {
  const common = { kind: 'scalar', name, args: [], returns, doc, volatility: 'stable', strict: false, needsCall: true } as const;
  return [
    { ...common, variadic: 'any', impl },
    { ...common, impl: (call: Call) => impl(call, new ArrayValue([])) },
  ];
}

export const JSON_BUILD: FunctionModule = {
  functions: [
    {
      kind: 'scalar',
      name: 'to_json',
      args: ['anyelement'],
      returns: 'json',
      doc: 'Any value as JSON: arrays and rows with what is in them, types without a JSON form as strings.',
      volatility: 'stable',
      needsCall: true,
      impl: (call: Call, value: Value) => rendererOf(known(call.argTypes[0]))(value, call.env),
    },
    {
      kind: 'scalar',
      name: 'to_jsonb',
      args: ['anyelement'],
      returns: 'jsonb',
      doc: 'Any value as JSON: arrays and rows with what is in them, types without a JSON form as strings.',
      volatility: 'stable',
      needsCall: true,
      impl: (call: Call, value: Value) => jsonbOf(treeReaderOf(known(call.argTypes[0]))(value, call.env)),
    },
    {
      kind: 'scalar',
      name: 'row_to_json',
      args: ['record', 'bool'],
      optional: 1,
      returns: 'json',
      doc: 'A row as a JSON object of its columns; with line feeds between them if the flag is true.',
      volatility: 'stable',
      needsCall: true,
      impl: ({ argTypes, env }: { argTypes: readonly SqlType[]; env: Environment }, row: RecordValue, pretty?: boolean) =>
        renderRecord(row, argTypes[0], env, separator(pretty)),
    },
    {
      kind: 'scalar',
      name: 'array_to_json',
      args: ['anyarray', 'bool'],
      optional: 1,
      returns: 'json',
      doc: 'An array as a JSON array; with line feeds between its items if the flag is true.',
      volatility: 'stable',
      needsCall: true,
      impl: ({ argTypes, env }: { argTypes: readonly SqlType[]; env: Environment }, array: ArrayValue, pretty?: boolean) =>
        renderArray(array, argTypes[0], env, separator(pretty)),
    },
    ...built('json_build_array', 'json', 'A JSON array of the arguments.', buildArray),
    ...built('jsonb_build_array', 'jsonb', 'A JSON array of the arguments.', buildArrayTree),
    ...built('json_build_object', 'json', 'A JSON object of the arguments, keys and values in turn.', buildObject),
    ...built('jsonb_build_object', 'jsonb', 'A JSON object of the arguments, keys and values in turn.', buildObjectTree),
    {
      kind: 'scalar',
      name: 'json_object',
      args: ['_text'],
      returns: 'json',
      doc: 'A JSON object of an array of keys and values in turn, or of pairs.',
      impl: objectOfTexts,
    },
    {
      kind: 'scalar',
      name: 'json_object',
      args: ['_text', '_text'],
      returns: 'json',
      doc: 'A JSON object of an array of keys and one of values.',
      impl: objectOfTexts,
    },
    {
      kind: 'scalar',
      name: 'jsonb_object',
      args: ['_text'],
      returns: 'jsonb',
      doc: 'A JSON object of an array of keys and values in turn, or of pairs.',
      impl: objectTreeOfTexts,
    },
    {
      kind: 'scalar',
      name: 'jsonb_object',
      args: ['_text', '_text'],
      returns: 'jsonb',
      doc: 'A JSON object of an array of keys and one of values.',
      impl: objectTreeOfTexts,
    },
  ],
};
