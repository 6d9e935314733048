/** One object that both sides changed, put together field by field; and what of it does not count as a difference. */
import type { Json } from '../../commands/contract.ts';
import type { CatalogObject, EnumObject } from '../definition.ts';

/** null where one field was changed differently, unless `winner` says whose stands. */
export function joinFields(b: CatalogObject, o: CatalogObject, t: CatalogObject, winner: 'ours' | 'theirs' | null): CatalogObject | null {
  const out: Record<string, Json> = { ...(o as unknown as Record<string, Json>) };
  const [base, mine, yours] = [b, o, t] as unknown as Record<string, Json>[];
  for (const field of new Set([...Object.keys(yours), ...Object.keys(mine)])) {
    const [was, a, c] = [base[field], mine[field], yours[field]].map((value) => JSON.stringify(value));
    if (c === was || c === a) continue;
    if (a === was) {
      if (yours[field] === undefined) delete out[field];
      else out[field] = yours[field];
    } else if (o.what === 'relation' && field === 'attnums') out[field] = Math.max(mine[field] as number, yours[field] as number);
    else if (o.what === 'relation' && field === 'dropped') out[field] = [...new Set([...(mine[field] as number[]), ...(yours[field] as number[])])];
    // Rows are merged one by one: which side emptied its tree does not matter any more.
    else if (o.what === 'relation' && field === 'epoch') continue;
    else {
      const labels = field === 'labels' && b.what === 'enum' ? joinLabels(b, o as EnumObject, t as EnumObject) : null;
      if (labels !== null) out[field] = labels as unknown as Json;
      else if (winner === null) return null;
      else if (winner === 'theirs') out[field] = yours[field];
    }
  }
  // An epoch of theirs would empty our tree.
  if (o.what === 'relation') out['epoch'] = o.epoch;
  return out as unknown as CatalogObject;
}

/** Labels that both sides added; null where they took one place, or one was taken away: keys of rows hold the places. */
function joinLabels(b: EnumObject, o: EnumObject, t: EnumObject): EnumObject['labels'] | null {
  const text = (label: { label: string; order: number }): string => `${label.order} ${label.label}`;
  for (const side of [o, t]) {
    const has = new Set(side.labels.map(text));
    if (!b.labels.every((label) => has.has(text(label)))) return null;
  }
  const mine = new Set(o.labels.map(text));
  const added = t.labels.filter((label) => !mine.has(text(label)));
  for (const { label, order } of added) if (o.labels.some((each) => each.label === label || each.order === order)) return null;
  return [...o.labels, ...added];
}

/** The object without what may differ between two that were made alike: places of columns, counters. */
export function likeness(object: CatalogObject): string {
  switch (object.what) {
    case 'relation': {
      const { attnums: _a, dropped: _d, epoch: _e, ...rest } = object;
      return JSON.stringify(sorted(rest));
    }
    case 'attribute': {
      const { attnum: _n, missing: _m, missingCell: _c, ...rest } = object;
      return JSON.stringify(sorted(rest));
    }
    default:
      return JSON.stringify(sorted(object));
  }
}

function sorted(object: object): [string, unknown][] {
  return Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1));
}
