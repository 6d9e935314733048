/** Documents derived from documents: `||`, `-`, `#-`, jsonb_set, jsonb_insert, strip_nulls, pretty. Manual, section 9.16. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import type { ArrayValue } from '../../types/array-value.ts';
import { printIndented } from '../../types/json-print.ts';
import { sourceOf } from '../../types/json-source.ts';
import { quoteJson } from '../../types/json-string.ts';
import { type JsonNode, JsonObject, isJsonArray, isScalar, makeObject } from '../../types/json-tree.ts';
import { jsonbOf, treeOf } from '../../types/jsonb.ts';
import type { FunctionModule, ScalarFunction, SqlOperator } from '../define.ts';
import { setPath } from './jsonb-path-set.ts';

function concat(a: string, b: string): string {
  const left = treeOf(a);
  const right = treeOf(b);
  if (left instanceof JsonObject && right instanceof JsonObject) {
    if (left.keys.length === 0) return b;
    if (right.keys.length === 0) return a;
    return jsonbOf(makeObject([...left.keys, ...right.keys], [...left.values, ...right.values]));
  }
  return jsonbOf([...(isJsonArray(left) ? left : [left]), ...(isJsonArray(right) ? right : [right])]);
}

function without(text: string, keys: readonly (string | null)[]): string {
  const tree = treeOf(text);
  if (tree instanceof JsonObject) {
    if (!keys.some((key) => key !== null && tree.indexOf(key) !== -1)) return text;
    const kept = tree.keys.filter((key) => !keys.includes(key));
    return jsonbOf(
      new JsonObject(
        kept,
        kept.map((key) => tree.get(key)!),
      ),
    );
  }
  if (!isJsonArray(tree)) throw new SvcError('22023', 'cannot delete from scalar');
  return jsonbOf(tree.filter((item) => typeof item !== 'string' || !keys.includes(item)));
}

function withoutItem(text: string, index: number): string {
  const tree = treeOf(text);
  if (tree instanceof JsonObject) throw new SvcError('22023', 'cannot delete from object using integer index');
  if (!isJsonArray(tree)) throw new SvcError('22023', 'cannot delete from scalar');
  const at = index < 0 ? tree.length + index : index;
  return at < 0 || at >= tree.length ? text : jsonbOf(tree.toSpliced(at, 1));
}

/** The tree and path of a change; null if nothing can change. */
function target(text: string, path: ArrayValue, scalarFault: string): { tree: JsonNode; steps: readonly (string | null)[] } | null {
  if (path.lengths.length > 1) throw new SvcError('2202E', 'wrong number of array subscripts');
  const tree = treeOf(text);
  if (isScalar(tree)) throw new SvcError('22023', scalarFault);
  return path.elements.length === 0 ? null : { tree, steps: path.elements as readonly (string | null)[] };
}

function isEmpty(tree: JsonNode): boolean {
  return tree instanceof JsonObject ? tree.keys.length === 0 : isJsonArray(tree) && tree.length === 0;
}

function withoutPath(text: string, path: ArrayValue): string {
  const at = target(text, path, 'cannot delete path in scalar');
  return at === null || isEmpty(at.tree) ? text : jsonbOf(setPath(at.tree, at.steps, null, 'delete'));
}

function set(text: string, path: ArrayValue, value: string, create: boolean | undefined): string {
  const at = target(text, path, 'cannot set path in scalar');
  if (at === null || (create === false && isEmpty(at.tree))) return text;
  return jsonbOf(setPath(at.tree, at.steps, treeOf(value), create === false ? 'replace' : 'create'));
}

function setLax(
  text: string | null,
  path: ArrayValue | null,
  value: string | null,
  create: boolean | null | undefined,
  treatment: string | null | undefined,
): string | null {
  if (text === null || path === null || create === null) return null;
  const mode = treatment === undefined ? 'use_json_null' : treatment;
  if (mode === null) throw wrongTreatment();
  if (value !== null) return set(text, path, value, create);
  switch (mode) {
    case 'raise_exception':
      throw new SvcError('22004', 'JSON value must not be null', {
        detail: 'Exception was raised because null_value_treatment is "raise_exception".',
        hint: 'To avoid, either change the null_value_treatment argument or ensure that an SQL NULL is not passed.',
      });
    case 'use_json_null':
      return set(text, path, 'null', create);
    case 'delete_key':
      return withoutPath(text, path);
    case 'return_target':
      return text;
    default:
      throw wrongTreatment();
  }
}

function wrongTreatment(): SvcError {
  return new SvcError('22023', 'null_value_treatment must be "delete_key", "return_target", "use_json_null", or "raise_exception"');
}

function insert(text: string, path: ArrayValue, value: string, after: boolean | undefined): string {
  const at = target(text, path, 'cannot set path in scalar');
  return at === null ? text : jsonbOf(setPath(at.tree, at.steps, treeOf(value), after === true ? 'after' : 'before'));
}

function stripTree(node: JsonNode, inArrays: boolean): JsonNode {
  if (isJsonArray(node)) return (inArrays ? node.filter((item) => item !== null) : node).map((item) => stripTree(item, inArrays));
  if (!(node instanceof JsonObject)) return node;
  const kept = node.keys.filter((_, i) => node.values[i] !== null);
  return new JsonObject(
    kept,
    kept.map((key) => stripTree(node.get(key)!, inArrays)),
  );
}

/** json keeps its numbers' texts, order and duplicates, so this walks the text; only whitespace is removed. */
function stripSource(text: string, inArrays: boolean): string {
  const { kind, keys, items } = sourceOf(text);
  if (kind === 'array') {
    const kept = inArrays ? items.filter((item) => item !== 'null') : items;
    return `[${kept.map((item) => stripSource(item, inArrays)).join(',')}]`;
  }
  if (kind === 'object') {
    const members: string[] = [];
    for (let i = 0; i < keys.length; i++) if (items[i] !== 'null') members.push(`${quoteJson(keys[i])}:${stripSource(items[i], inArrays)}`);
    return `{${members.join(',')}}`;
  }
  const scalar = text.trim();
  return kind === 'string' ? quoteJson(JSON.parse(scalar) as string) : scalar;
}

const FUNCTIONS: readonly ScalarFunction[] = [
  {
    kind: 'scalar',
    name: 'jsonb_set',
    args: ['jsonb', '_text', 'jsonb', 'bool'],
    argNames: ['jsonb_in', 'path', 'replacement', 'create_if_missing'],
    optional: 1,
    returns: 'jsonb',
    doc: 'The document with the part at the path replaced, or added unless create_if_missing is false.',
    impl: set,
  },
  {
    kind: 'scalar',
    name: 'jsonb_set_lax',
    args: ['jsonb', '_text', 'jsonb', 'bool', 'text'],
    argNames: ['jsonb_in', 'path', 'replacement', 'create_if_missing', 'null_value_treatment'],
    optional: 2,
    strict: false,
    returns: 'jsonb',
    doc: 'As jsonb_set; a null replacement does what null_value_treatment says.',
    impl: setLax,
  },
  {
    kind: 'scalar',
    name: 'jsonb_insert',
    args: ['jsonb', '_text', 'jsonb', 'bool'],
    argNames: ['jsonb_in', 'path', 'replacement', 'insert_after'],
    optional: 1,
    returns: 'jsonb',
    doc: 'The document with a value inserted before, or after, the item at the path; as a new key in objects.',
    impl: insert,
  },
  {
    kind: 'scalar',
    name: 'jsonb_strip_nulls',
    args: ['jsonb', 'bool'],
    argNames: ['target', 'strip_in_arrays'],
    optional: 1,
    returns: 'jsonb',
    doc: 'Without object members that are null, at any depth.',
    impl: (text: string, inArrays?: boolean) => jsonbOf(stripTree(treeOf(text), inArrays === true)),
  },
  {
    kind: 'scalar',
    name: 'json_strip_nulls',
    args: ['json', 'bool'],
    argNames: ['target', 'strip_in_arrays'],
    optional: 1,
    returns: 'json',
    doc: 'Without object members that are null, at any depth, and without spaces.',
    impl: (text: string, inArrays?: boolean) => stripSource(text, inArrays === true),
  },
  {
    kind: 'scalar',
    name: 'jsonb_pretty',
    args: ['jsonb'],
    returns: 'text',
    doc: 'The document as indented text.',
    impl: (text: string) => printIndented(treeOf(text)),
  },
];

const OPERATORS: readonly SqlOperator[] = [
  { name: '||', left: 'jsonb', right: 'jsonb', returns: 'jsonb', proc: 'jsonb_concat', impl: concat },
  { name: '-', left: 'jsonb', right: 'text', returns: 'jsonb', proc: 'jsonb_delete', impl: (text: string, key: string) => without(text, [key]) },
  {
    name: '-',
    left: 'jsonb',
    right: '_text',
    returns: 'jsonb',
    proc: 'jsonb_delete',
    impl: (text: string, keys: ArrayValue) => {
      if (keys.lengths.length > 1) throw new SvcError('2202E', 'wrong number of array subscripts');
      const tree = treeOf(text);
      if (isScalar(tree)) throw new SvcError('22023', 'cannot delete from scalar');
      return keys.elements.length === 0 ? text : without(text, keys.elements as readonly (string | null)[]);
    },
  },
  { name: '-', left: 'jsonb', right: 'int4', returns: 'jsonb', proc: 'jsonb_delete', impl: withoutItem },
  { name: '#-', left: 'jsonb', right: '_text', returns: 'jsonb', proc: 'jsonb_delete_path', impl: withoutPath },
];

export const JSONB_CHANGE: FunctionModule = {
  operators: OPERATORS,
  functions: [
    ...FUNCTIONS,
    ...OPERATORS.map(({ proc, left, right, impl, name }): ScalarFunction => {
      const doc = `What the operator ${name} calls.`;
      if (proc === 'jsonb_delete' && right === '_text') {
        return { kind: 'scalar', name: proc, args: [left!], argNames: ['from_json', 'path_elems'], variadic: 'text', returns: 'jsonb', doc, impl };
      }
      return { kind: 'scalar', name: proc, args: [left!, right], returns: 'jsonb', doc, impl };
    }),
  ],
};
