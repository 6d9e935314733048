/** Joins an object that both sides changed, field by field according to its kind, and normalises objects for comparison. */
import type { Json } from '../../commands/contract.ts';
import type { CatalogObject } from '../definition.ts';
import type { JoinField } from '../kinds/kind.ts';
import { kindOf } from '../kinds/registry.ts';

/** null if a field was changed differently, unless `winner` says which side to take. */
export function joinFields(b: CatalogObject, o: CatalogObject, t: CatalogObject, winner: 'ours' | 'theirs' | null): CatalogObject | null {
  const out: Record<string, Json> = { ...(o as unknown as Record<string, Json>) };
  const [base, mine, yours] = [b, o, t] as unknown as Record<string, Json>[];
  const { join, ours } = kindOf(o).merge ?? {};
  for (const field of new Set([...Object.keys(yours), ...Object.keys(mine)])) {
    if (ours?.includes(field as keyof CatalogObject) === true) continue;
    const [was, a, c] = [base[field], mine[field], yours[field]].map((value) => JSON.stringify(value));
    if (c === was || c === a) continue;
    if (a === was) {
      if (yours[field] === undefined) delete out[field];
      else out[field] = yours[field];
      continue;
    }
    const joined = (join?.[field as keyof CatalogObject] as JoinField<CatalogObject> | undefined)?.(b, o, t, winner) ?? null;
    if (joined !== null) out[field] = joined as Json;
    else if (winner === null) return null;
    else if (winner === 'theirs') out[field] = yours[field];
  }
  return out as unknown as CatalogObject;
}

/** The object without fields that may differ between two created alike: positions of columns, counters. */
export function likeness(object: CatalogObject): string {
  const counters: readonly string[] = kindOf(object).merge?.counters ?? [];
  const fields = Object.entries(object).filter(([field]) => !counters.includes(field));
  return JSON.stringify(fields.sort(([a], [b]) => (a < b ? -1 : 1)));
}
