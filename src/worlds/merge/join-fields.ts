/** One object that both sides changed, put together field by field; and what of it does not count as a difference. */
import type { Json } from '../../commands/contract.ts';
import { type CatalogObject, type EnumObject, labelId } from '../definition.ts';

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
      const labels = field === 'labels' && b.what === 'enum' ? joinLabels(b, o as EnumObject, t as EnumObject, winner) : null;
      if (labels !== null) out[field] = labels as unknown as Json;
      else if (winner === null) return null;
      else if (winner === 'theirs') out[field] = yours[field];
    }
  }
  // An epoch of theirs would empty our tree.
  if (o.what === 'relation') out['epoch'] = o.epoch;
  return out as unknown as CatalogObject;
}

type Label = EnumObject['labels'][number];

/**
 * Labels of both sides, each by its id: what one side renamed gets that name, what either added is there. null where both renamed one
 * to different names, gave two one name, or put two in one place, unless `winner` says whose stand.
 */
function joinLabels(b: EnumObject, o: EnumObject, t: EnumObject, winner: 'ours' | 'theirs' | null): Label[] | null {
  const [base, mine, yours] = [b, o, t].map(({ labels }) => new Map(labels.map((each) => [labelId(each), each])));
  // One that is gone was taken back with the merge that brought it.
  for (const id of base.keys()) if (!mine.has(id) || !yours.has(id)) return null;
  const out: Label[] = [];
  for (const id of new Set([...mine.keys(), ...yours.keys()])) {
    const joined = joinLabel(base.get(id), mine.get(id), yours.get(id), winner);
    if (joined === null) return null;
    out.push(joined);
  }
  const fits = (labels: readonly Label[]): boolean => labels.every((each, i) => labels.every((other, k) => k >= i || !clash(each, other)));
  if (fits(out)) return out;
  if (winner === null) return null;
  // Where two cannot stand side by side, both are as the winner has them.
  const own = winner === 'ours' ? mine : yours;
  const settled = out.flatMap((each) => (out.some((other) => other !== each && clash(each, other)) ? (own.get(labelId(each)) ?? []) : each));
  return fits(settled) ? settled : winner === 'ours' ? o.labels : t.labels;
}

function joinLabel(b: Label | undefined, o: Label | undefined, t: Label | undefined, winner: 'ours' | 'theirs' | null): Label | null {
  if (o === undefined || t === undefined) return o ?? t!;
  if (o.label === t.label && o.order === t.order) return o;
  if (o.order === t.order && b !== undefined && (o.label === b.label || t.label === b.label)) return o.label === b.label ? t : o;
  return winner === null ? null : winner === 'ours' ? o : t;
}

function clash(a: Label, b: Label): boolean {
  return a.label === b.label || a.order === b.order;
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
