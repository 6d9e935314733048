/** Changes at the end of a path, for jsonb_set, jsonb_insert, `#-` and assignment to subscripts. One walk, as in Postgres's setPath, with modes. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import { type JsonNode, JsonObject, isJsonArray, makeObject } from '../../types/json-tree.ts';
import { pathIndex } from './json-access.ts';

/**
 * `create` and `replace` are those of jsonb_set, with and without create_if_missing. `assign` is a subscript assignment: as
 * `create`, but missing levels are created, gaps in arrays filled with nulls, and scalars on the path are errors.
 */
export type PathMode = 'replace' | 'create' | 'before' | 'after' | 'delete' | 'assign';

/** A new document; `path` is not empty, `value` is ignored in mode `delete`. */
export function setPath(root: JsonNode, path: readonly (string | null)[], value: JsonNode, mode: PathMode): JsonNode {
  return setLevel(root, path, 0, value, mode);
}

function setLevel(node: JsonNode, path: readonly (string | null)[], level: number, value: JsonNode, mode: PathMode): JsonNode {
  const step = path[level];
  if (step === null) throw new SvcError('22004', `path element at position ${level + 1} is null`);
  if (node instanceof JsonObject) return setMember(node, path, level, step, value, mode);
  if (isJsonArray(node)) return setItem(node, path, level, step, value, mode);
  if (mode === 'assign') {
    throw new SvcError('22023', 'cannot replace existing key', { detail: 'The path assumes key is a composite object, but it is a scalar value.' });
  }
  return node;
}

function setMember(object: JsonObject, path: readonly (string | null)[], level: number, key: string, value: JsonNode, mode: PathMode): JsonNode {
  const last = level === path.length - 1;
  const at = object.indexOf(key);
  if (at === -1) {
    if (last ? mode === 'replace' || mode === 'delete' : mode !== 'assign') return object;
    return makeObject([...object.keys, key], [...object.values, last ? value : chain(path, level + 1, value)]);
  }
  if (last && mode === 'delete') {
    return new JsonObject(
      object.keys.filter((_, i) => i !== at),
      object.values.filter((_, i) => i !== at),
    );
  }
  if (last && (mode === 'before' || mode === 'after')) {
    throw new SvcError('22023', 'cannot replace existing key', { hint: 'Try using the function jsonb_set to replace key value.' });
  }
  const changed = last ? value : setLevel(object.values[at], path, level + 1, value, mode);
  return changed === object.values[at] ? object : new JsonObject(object.keys, object.values.with(at, changed));
}

function setItem(items: readonly JsonNode[], path: readonly (string | null)[], level: number, step: string, value: JsonNode, mode: PathMode): JsonNode {
  const last = level === path.length - 1;
  const given = pathIndex(step);
  if (given === null) throw new SvcError('22P02', `path element at position ${level + 1} is not an integer: "${step}"`);
  let index = given < 0 ? items.length + given : given;
  if (index < 0) {
    if (mode === 'assign') throw new SvcError('22023', `path element at position ${level + 1} is out of range: ${given}`);
    // Before the first item: new values go to the front.
    return last && mode !== 'replace' && mode !== 'delete' ? [value, ...items] : items;
  }
  if (index >= items.length) {
    if (last ? mode === 'replace' || mode === 'delete' : mode !== 'assign') return items;
    const gap = mode === 'assign' ? fillers(index - items.length) : [];
    return [...items, ...gap, last ? value : chain(path, level + 1, value)];
  }
  if (!last) return items.with(index, setLevel(items[index], path, level + 1, value, mode));
  if (mode === 'delete') return items.toSpliced(index, 1);
  if (mode === 'after') index++;
  return mode === 'before' || mode === 'after' ? items.toSpliced(index, 0, value) : items.with(index, value);
}

/** The levels that an assignment creates: arrays for numeric steps, objects for others. */
function chain(path: readonly (string | null)[], level: number, value: JsonNode): JsonNode {
  if (level === path.length) return value;
  const step = path[level];
  if (step === null) throw new SvcError('22004', `path element at position ${level + 1} is null`);
  const inner = chain(path, level + 1, value);
  const index = pathIndex(step);
  return index === null ? new JsonObject([step], [inner]) : [...fillers(index), inner];
}

/** Wider documents exceed the size limit of a value. */
const GAP_MAX = 268_435_455;

function fillers(count: number): null[] {
  if (count > GAP_MAX) throw new SvcError('54000', `number of jsonb array elements exceeds the maximum allowed (${GAP_MAX})`);
  return count <= 0 ? [] : Array.from({ length: count }, () => null);
}
