/** Merges the labels of an enum that both sides changed. */
import { type EnumObject, labelId } from './enum.ts';

type Label = EnumObject['labels'][number];

/**
 * Labels of both sides by id: with renames and additions of either. null if both renamed one label differently, gave two
 * labels one name, or put two in one position, unless `winner` says which side to take.
 */
export function joinLabels(b: readonly Label[], o: readonly Label[], t: readonly Label[], winner: 'ours' | 'theirs' | null): readonly Label[] | null {
  const [base, mine, yours] = [b, o, t].map((labels) => new Map(labels.map((each) => [labelId(each), each])));
  // A missing label was undone with the merge that had brought it.
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
  // Labels that cannot coexist are taken from the winner.
  const own = winner === 'ours' ? mine : yours;
  const decided = out.flatMap((each) => (out.some((other) => other !== each && clash(each, other)) ? (own.get(labelId(each)) ?? []) : each));
  return fits(decided) ? decided : winner === 'ours' ? o : t;
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
