/**
 * Definitions of an open transaction against those that others have committed meanwhile: for example a merge that drops a column,
 * and an uncommitted view over it. The combined state must be consistent, as the result of a merge must; otherwise the transaction
 * fails with 40001 and can be retried.
 *
 *   was ──► mine   what the transaction defines
 *   was ──► now    what others have defined
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Catalog } from '../../worlds/catalog.ts';
import type { CatalogObject } from '../../worlds/definition.ts';
import { tableDefinitionKey } from '../../worlds/definition.ts';
import { describeDefinition, scopedName } from '../../worlds/merge/definition-names.ts';
import { unlikeChild } from '../../worlds/merge/heritage.ts';
import { lackingReference } from '../../worlds/merge/references.ts';
import { TextNeeds } from '../../worlds/merge/text-needs.ts';
import type { TypedTables } from '../../worlds/typed-tables.ts';

/** 40001 if a definition of one side depends on what the other dropped, or has the same name. */
export function refuseConcurrentDefinitions(typed: TypedTables, was: Catalog, mine: Catalog, now: Catalog): void {
  const theirs = changedKeys(was, now);
  if (theirs.size === 0) return;
  const own = changedKeys(was, mine);
  const result = new Map(mine.objects);
  for (const key of theirs) {
    // If both changed it, the transaction's version wins; whether the rows fit is checked elsewhere.
    if (own.has(key)) continue;
    const object = now.objects.get(key);
    if (object === undefined) result.delete(key);
    else result.set(key, object);
  }
  for (const [keys, side] of [
    [own, mine],
    [theirs, now],
  ] as const) {
    const needs = new TextNeeds(typed, side, result);
    for (const key of keys) {
      const object = result.get(key);
      if (object === undefined || object !== side.objects.get(key)) continue;
      const lost = lackingReference(object, result, side)?.what ?? needs.lacking(key)?.what ?? lostParent(object, result);
      if (lost !== null) throw apart(`${describeDefinition(object)} needs ${lost}, which was dropped meanwhile.`);
    }
  }
  const unlike = unlikeChild(result);
  if (unlike !== null && unlikeChild(mine.objects) === null && unlikeChild(now.objects) === null) {
    throw apart(`Table ${unlike.child.name} and its parent ${unlike.parent.name} have come to differ (${unlike.what}).`);
  }
  const names = new Map<string, string>();
  for (const [key, object] of result) {
    const name = scopedName(object, result);
    if (name === null) continue;
    const other = names.get(name);
    names.set(name, key);
    if (other !== undefined && [key, other].some((each) => own.has(each)) && [key, other].some((each) => theirs.has(each)))
      throw apart(`Another ${describeDefinition(object)} was made meanwhile.`);
  }
}

function changedKeys(before: Catalog, after: Catalog): Set<string> {
  const keys = new Set<string>();
  for (const [key, object] of after.objects) {
    const old = before.objects.get(key);
    if (old !== object && (old === undefined || JSON.stringify(old) !== JSON.stringify(object))) keys.add(key);
  }
  for (const key of before.objects.keys()) if (!after.objects.has(key)) keys.add(key);
  return keys;
}

function lostParent(object: CatalogObject, result: ReadonlyMap<string, CatalogObject>): string | null {
  if (object.what !== 'relation') return null;
  return object.parents?.some((parent) => !result.has(tableDefinitionKey(parent))) === true ? 'its parent' : null;
}

function apart(detail: string): SvcError {
  return new SvcError('40001', 'could not serialize access due to concurrent definitions', { detail, hint: 'Try the transaction again.' });
}
