/**
 * Schemas renamed in a merge's result compared to one side. Definitions contain their schema's name, so those from that side
 * are moved to the new name: a table that one side created in a schema that the other renamed, or that is taken over whole.
 */
import type { CatalogObject } from '../definition.ts';
import type { Objects } from './definition-names.ts';

/** Names of the side's schemas that are renamed in the result, with their new names. */
function renamedSchemas(side: Objects, result: Objects): Map<string, string> {
  const out = new Map<string, string>();
  for (const [key, was] of side) {
    if (was.what !== 'schema') continue;
    const is = result.get(key);
    if (is?.what === 'schema' && is.name !== was.name) out.set(was.name, is.name);
  }
  return out;
}

/** Definitions of the result whose schema's name is outdated, by key, and whether they came from the branch. */
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
    // If both sides have that name for different schemas: take the side whose schema is renamed.
    const came = named(theirs, key) === object.schema && (named(ours, key) !== object.schema || yours.has(object.schema));
    if (!came && named(ours, key) !== object.schema) continue;
    const to = (came ? yours : mine).get(object.schema);
    if (to !== undefined) out.set(key, { now: { ...object, schema: to }, came });
  }
  return out;
}
