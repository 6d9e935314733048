/** Parts of a document: `->`, `->>`, `#>`, `#>>` and json(b)_extract_path(_text). Manual, section 9.16. */
import type { ArrayValue } from '../../types/array-value.ts';
import { printTree } from '../../types/json-print.ts';
import { plainText, sourceOf } from '../../types/json-source.ts';
import type { JsonNode } from '../../types/json-tree.ts';
import { isArrayText, isObjectText, itemText, memberText, plainJsonb } from '../../types/jsonb-text.ts';
import type { FunctionModule, ScalarFunction, SqlOperator } from '../define.ts';

/** A path element as an index: what strtol parses completely, within int4; null for anything else. */
export function pathIndex(text: string): number | null {
  if (!/^[ \t\n\v\f\r]*[+-]?\d+$/.test(text)) return null;
  const index = Number(text);
  return index > 2_147_483_647 || index < -2_147_483_648 ? null : index + 0;
}

/** The part of a document as `->>` gives it. */
export function treeText(node: JsonNode | undefined): string | null {
  if (node === undefined || node === null) return null;
  return typeof node === 'string' ? node : printTree(node);
}

function bareElement(text: string, index: number): string | null {
  if (isArrayText(text)) return itemText(text, index);
  // Postgres stores a bare scalar as an array of one, which is visible here.
  return isObjectText(text) || (index !== 0 && index !== -1) ? null : text;
}

/** Follows a path through a jsonb value; null if it leads nowhere, also if one of its steps is null. */
export function jsonbPathText(text: string, path: readonly (string | null)[]): string | null {
  if (path.includes(null)) return null;
  let part: string | null = text;
  for (const step of path as readonly string[]) {
    if (isObjectText(part)) part = memberText(part, step);
    else {
      const index = pathIndex(step);
      part = index === null ? null : itemText(part, index);
    }
    if (part === null) return null;
  }
  return part;
}

function sourceField(text: string, key: string): string | null {
  const source = sourceOf(text);
  // Of equal keys the last one counts.
  const at = source.keys.lastIndexOf(key);
  return at === -1 ? null : source.items[at];
}

function sourceElement(text: string, index: number): string | null {
  const { kind, items } = sourceOf(text);
  if (kind !== 'array') return null;
  return items[index < 0 ? items.length + index : index] ?? null;
}

function sourcePath(text: string, path: readonly (string | null)[]): string | null {
  if (path.includes(null)) return null;
  let part: string | null = trimJson(text);
  for (const step of path as readonly string[]) {
    const { kind } = sourceOf(part);
    if (kind === 'object') part = sourceField(part, step);
    else if (kind === 'array') {
      const index = pathIndex(step);
      part = index === null ? null : sourceElement(part, index);
    } else return null;
    if (part === null) return null;
  }
  return part;
}

/** Without whitespace around a document: a part never has any. */
function trimJson(text: string): string {
  return text.replace(/^[ \t\n\r]+|[ \t\n\r]+$/g, '');
}

function plain(part: string | null): string | null {
  return part === null ? null : plainText(part);
}

function plainPart(part: string | null): string | null {
  return part === null ? null : plainJsonb(part);
}

function steps(path: ArrayValue): readonly (string | null)[] {
  return path.elements as readonly (string | null)[];
}

const jsonField = (text: string, key: string): string | null => sourceField(text, key);
const jsonFieldText = (text: string, key: string): string | null => plain(sourceField(text, key));
const jsonElement = (text: string, index: number): string | null => sourceElement(text, index);
const jsonElementText = (text: string, index: number): string | null => plain(sourceElement(text, index));
const jsonPath = (text: string, path: ArrayValue): string | null => sourcePath(text, steps(path));
const jsonPathText = (text: string, path: ArrayValue): string | null => plain(sourcePath(text, steps(path)));
const jsonbField = memberText;
const jsonbFieldText = (text: string, key: string): string | null => plainPart(memberText(text, key));
const jsonbElement = bareElement;
const jsonbElementText = (text: string, index: number): string | null => plainPart(bareElement(text, index));
const jsonbPath = (text: string, path: ArrayValue): string | null => jsonbPathText(text, steps(path));
const jsonbPathAsText = (text: string, path: ArrayValue): string | null => plainPart(jsonbPathText(text, steps(path)));

/** [operator, type, right side, result, proc, implementation]; each is an operator and a function. */
const ACCESS: readonly (readonly [string, string, string, string, string, ScalarFunction['impl']])[] = [
  ['->', 'json', 'text', 'json', 'json_object_field', jsonField],
  ['->>', 'json', 'text', 'text', 'json_object_field_text', jsonFieldText],
  ['->', 'json', 'int4', 'json', 'json_array_element', jsonElement],
  ['->>', 'json', 'int4', 'text', 'json_array_element_text', jsonElementText],
  ['#>', 'json', '_text', 'json', 'json_extract_path', jsonPath],
  ['#>>', 'json', '_text', 'text', 'json_extract_path_text', jsonPathText],
  ['->', 'jsonb', 'text', 'jsonb', 'jsonb_object_field', jsonbField],
  ['->>', 'jsonb', 'text', 'text', 'jsonb_object_field_text', jsonbFieldText],
  ['->', 'jsonb', 'int4', 'jsonb', 'jsonb_array_element', jsonbElement],
  ['->>', 'jsonb', 'int4', 'text', 'jsonb_array_element_text', jsonbElementText],
  ['#>', 'jsonb', '_text', 'jsonb', 'jsonb_extract_path', jsonbPath],
  ['#>>', 'jsonb', '_text', 'text', 'jsonb_extract_path_text', jsonbPathAsText],
];

const DOCS: Record<string, string> = {
  text: 'The member of an object with this key',
  int4: 'The item of an array at a position from 0, or from the end where negative',
  _text: 'The part of a document at the end of a path of keys and positions',
};

export const JSON_ACCESS: FunctionModule = {
  operators: ACCESS.map(([name, left, right, returns, proc, impl]): SqlOperator => ({ name, left, right, returns, proc, impl })),
  functions: ACCESS.map(([, type, right, returns, name, impl]): ScalarFunction => {
    const doc = `${DOCS[right]}${returns === 'text' ? ', as text.' : '.'}`;
    if (right === '_text') return { kind: 'scalar', name, args: [type], argNames: ['from_json', 'path_elems'], variadic: 'text', returns, doc, impl };
    return { kind: 'scalar', name, args: [type, right], argNames: ['from_json', right === 'text' ? 'field_name' : 'element_index'], returns, doc, impl };
  }),
};
