/** Subscripts of jsonb, `doc['a'][0]`: read as a function, assignment as a plain one for UPDATE. Manual, section 8.14.5. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import type { ArrayValue } from '../../types/array-value.ts';
import { type JsonNode, JsonObject, isScalar } from '../../types/json-tree.ts';
import { jsonbOf, treeOf } from '../../types/jsonb.ts';
import type { FunctionModule } from '../define.ts';
import { jsonbPathText } from './json-access.ts';
import { setPath } from './jsonb-path-set.ts';

/** `doc[path…]`; the subscripts as text, null if one is null. */
export function jsonbSubscript(text: string | null, path: readonly (string | null)[]): string | null {
  return text === null ? null : jsonbPathText(text, path);
}

/**
 * The value after `doc[path…] = value`. A null document becomes an array if the first subscript is a number (`numeric`), otherwise
 * an object; a null value is JSON's null.
 */
export function jsonbAssign(text: string | null, path: readonly (string | null)[], value: string | null, numeric: boolean): string {
  if (path.includes(null)) throw new SvcError('22004', 'jsonb subscript in assignment must not be null');
  const node: JsonNode = value === null ? null : treeOf(value);
  const root: JsonNode = text === null ? (numeric ? [] : new JsonObject([], [])) : treeOf(text);
  if (isScalar(root)) {
    throw new SvcError('22023', 'cannot replace existing key', { detail: 'The path assumes key is a composite object, but it is a scalar value.' });
  }
  return jsonbOf(setPath(root, path, node, 'assign'));
}

export const JSONB_SUBSCRIPT: FunctionModule = {
  functions: [
    {
      kind: 'scalar',
      name: 'jsonb_subscript',
      args: ['jsonb'],
      variadic: 'text',
      returns: 'jsonb',
      doc: 'The part of a document under subscripts: what doc[…][…] calls.',
      impl: (text: string, path: ArrayValue) => jsonbSubscript(text, path.elements as readonly (string | null)[]),
    },
  ],
};
