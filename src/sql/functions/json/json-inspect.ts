/** Kinds and parts of documents: typeof, array_length, each, array_elements, object_keys. Manual, section 9.16. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import { plainText, sourceOf } from '../../types/json-source.ts';
import { type JsonNode, JsonObject, isJsonArray } from '../../types/json-tree.ts';
import { jsonbOf, treeOf } from '../../types/jsonb.ts';
import type { Value } from '../../types/value.ts';
import type { FunctionModule, ScalarFunction, SetFunction } from '../define.ts';
import { treeText } from './json-access.ts';

function wrong(message: string): SvcError {
  return new SvcError('22023', message);
}

function jsonItems(text: string, name: string): readonly string[] {
  const { kind, items } = sourceOf(text);
  if (kind === 'object') throw wrong(`cannot call ${name} on a non-array`);
  if (kind !== 'array') throw wrong(`cannot call ${name} on a scalar`);
  return items;
}

function jsonbItems(text: string): readonly JsonNode[] {
  const tree = treeOf(text);
  if (isJsonArray(tree)) return tree;
  throw wrong(`cannot extract elements from ${tree instanceof JsonObject ? 'an object' : 'a scalar'}`);
}

function jsonLength(text: string): number {
  const { kind, items } = sourceOf(text);
  if (kind !== 'array') throw wrong(`cannot get array length of a ${kind === 'object' ? 'non-array' : 'scalar'}`);
  return items.length;
}

function jsonbLength(text: string): number {
  const tree = treeOf(text);
  if (!isJsonArray(tree)) throw wrong(`cannot get array length of a ${tree instanceof JsonObject ? 'non-array' : 'scalar'}`);
  return tree.length;
}

function jsonMembers(text: string, map: (item: string) => Value): Value[][] {
  const { kind, keys, items } = sourceOf(text);
  if (kind !== 'object') throw wrong(`cannot deconstruct ${kind === 'array' ? 'an array as an object' : 'a scalar'}`);
  return keys.map((key, i) => [key, map(items[i])]);
}

function jsonbMembers(text: string, name: string, map: (node: JsonNode) => Value): Value[][] {
  const tree = treeOf(text);
  if (!(tree instanceof JsonObject)) throw wrong(`cannot call ${name} on a non-object`);
  return tree.keys.map((key, i) => [key, map(tree.values[i])]);
}

function jsonKeys(text: string): readonly string[] {
  const { kind, keys } = sourceOf(text);
  if (kind !== 'object') throw wrong(`cannot call json_object_keys on ${kind === 'array' ? 'an array' : 'a scalar'}`);
  return keys;
}

function jsonbKeys(text: string): readonly string[] {
  const tree = treeOf(text);
  if (tree instanceof JsonObject) return tree.keys;
  throw wrong(`cannot call jsonb_object_keys on ${isJsonArray(tree) ? 'an array' : 'a scalar'}`);
}

/** The first character gives the kind. */
function kindOfText(text: string): string {
  let at = 0;
  while (text.charCodeAt(at) <= 32) at++;
  switch (text[at]) {
    case '{':
      return 'object';
    case '[':
      return 'array';
    case '"':
      return 'string';
    case 't':
    case 'f':
      return 'boolean';
    case 'n':
      return 'null';
    default:
      return 'number';
  }
}

function typeOf(type: string): ScalarFunction {
  return {
    kind: 'scalar',
    name: `${type}_typeof`,
    args: [type],
    returns: 'text',
    doc: 'What the document is: object, array, string, number, boolean or null.',
    impl: kindOfText,
  };
}

function lengthOf(type: string, count: (text: string) => number): ScalarFunction {
  return { kind: 'scalar', name: `${type}_array_length`, args: [type], returns: 'int4', doc: 'How many items an array has.', impl: count };
}

/** Rows of key and value; a row is an array since `returns` is record. */
function each(name: string, type: string, valueType: string, impl: (text: string) => Value[][]): SetFunction {
  return {
    kind: 'set',
    name,
    args: [type],
    argNames: ['from_json'],
    returns: 'record',
    columns: [
      { name: 'key', type: 'text' },
      { name: 'value', type: valueType },
    ],
    doc: `Members of an object, one a row${valueType === 'text' ? ', values as text' : ''}.`,
    impl,
  };
}

/** Rows of one value; `columns` only names it. */
function elements(name: string, type: string, valueType: string, impl: (text: string) => readonly Value[]): SetFunction {
  return {
    kind: 'set',
    name,
    args: [type],
    argNames: ['from_json'],
    returns: valueType,
    columns: [{ name: 'value', type: valueType }],
    doc: `Items of an array, one a row${valueType === 'text' ? ', as text' : ''}.`,
    gives: 'list',
    impl,
  };
}

function keysOf(type: string, impl: (text: string) => readonly string[]): SetFunction {
  return { kind: 'set', name: `${type}_object_keys`, args: [type], returns: 'text', doc: 'Keys of an object, one a row.', gives: 'list', impl };
}

export const JSON_INSPECT: FunctionModule = {
  functions: [
    typeOf('json'),
    typeOf('jsonb'),
    lengthOf('json', jsonLength),
    lengthOf('jsonb', jsonbLength),
    each('json_each', 'json', 'json', (text) => jsonMembers(text, (item) => item)),
    each('json_each_text', 'json', 'text', (text) => jsonMembers(text, plainText)),
    each('jsonb_each', 'jsonb', 'jsonb', (text) => jsonbMembers(text, 'jsonb_each', jsonbOf)),
    each('jsonb_each_text', 'jsonb', 'text', (text) => jsonbMembers(text, 'jsonb_each_text', treeText)),
    elements('json_array_elements', 'json', 'json', (text) => jsonItems(text, 'json_array_elements')),
    elements('json_array_elements_text', 'json', 'text', (text) => jsonItems(text, 'json_array_elements_text').map(plainText)),
    elements('jsonb_array_elements', 'jsonb', 'jsonb', (text) => jsonbItems(text).map(jsonbOf)),
    elements('jsonb_array_elements_text', 'jsonb', 'text', (text) => jsonbItems(text).map(treeText)),
    keysOf('json', jsonKeys),
    keysOf('jsonb', jsonbKeys),
  ],
};
