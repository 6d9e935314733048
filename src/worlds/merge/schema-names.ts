/**
 * Schemas that the result of a merge calls otherwise than one side does. Definitions name their schema, so what came from that side is
 * put under the new name: a table that one side made in a schema that the other renamed, and one that comes as a whole.
 */
import type { CatalogObject } from '../definition.ts';
import type { Objects } from './definition-names.ts';

/** Names of the side's schemas that the result calls otherwise, with their new names. */
function renamedSchemas(side: Objects, result: Objects): Map<string, string> {
  const out = new Map<string, string>();
  for (const [key, was] of side) {
    if (was.what !== 'schema') continue;
    const is = result.get(key);
    if (is?.what === 'schema' && is.name !== was.name) out.set(was.name, is.name);
  }
  return out;
}

/** Definitions of the result that stand in another schema than they say, by their keys, and whether they came from the branch. */
export function withSchemaNames(result: Objects, ours: Objects, theirs: Objects): Map<string, { readonly now: CatalogObject; readonly came: boolean }> {
  const out = new Map<string, { now: CatalogObject; came: boolean }>();
  const [mine, yours] = [ours, theirs].map((side) => renamedSchemas(side, result));
  if (mine.size + yours.size === 0) return out;
  const named = (side: Objects, key: string): string | null => {
    const object = side.get(key);
    return object !== undefined && 'schema' in object ? object.schema : null;
  };
  for (const [key, object] of result) {
    if (!('schema' in object)) continue;
    // Where both sides say the same, of different schemas: the one that the result does not call so.
    const came = named(theirs, key) === object.schema && (named(ours, key) !== object.schema || yours.has(object.schema));
    if (!came && named(ours, key) !== object.schema) continue;
    const to = (came ? yours : mine).get(object.schema);
    if (to !== undefined) out.set(key, { now: { ...object, schema: to }, came });
  }
  return out;
}
