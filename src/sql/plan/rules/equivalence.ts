/**
 * Equivalence classes of columns under a query's equalities, and the implied equalities: from `a = b AND b = c` also `a = c`, so
 * that joins may start with any two of them.
 */
import type { Bound, ColumnId } from '../bound.ts';
import { isEquality } from './walk.ts';

export interface Equality {
  readonly bound: Bound;
  readonly columns: readonly [ColumnId, ColumnId];
}
/** Columns of different relations that are equal under the query's equalities. */
export interface EqualColumns {
  readonly written: readonly Equality[];
  readonly implied: readonly Equality[];
}

/** Classes that imply further equalities, or contain redundant ones. `relationOf` gives the relation of a column, -1 for an outer one. */
export function equalColumns(bounds: readonly Bound[], relationOf: (id: ColumnId) => number): EqualColumns[] {
  const edges: Equality[] = [];
  for (const bound of bounds) {
    if (!isEquality(bound)) continue;
    const [a, b] = bound.args;
    if (a.kind !== 'column' || b.kind !== 'column' || a.type.oid !== b.type.oid || relationOf(a.id) < 0 || relationOf(b.id) < 0) continue;
    edges.push({ bound, columns: [a.id, b.id] });
  }
  const classes: { ids: Set<ColumnId>; written: Equality[] }[] = [];
  for (const edge of edges) {
    const met = classes.filter(({ ids }) => edge.columns.some((id) => ids.has(id)));
    const merged = { ids: new Set([...met.flatMap(({ ids }) => [...ids]), ...edge.columns]), written: [...met.flatMap(({ written }) => written), edge] };
    for (const one of met) classes.splice(classes.indexOf(one), 1);
    classes.push(merged);
  }
  return classes.flatMap(({ ids, written }) => {
    const all = [...ids];
    if (new Set(all.map(relationOf)).size < all.length) return [];
    const implied: Equality[] = [];
    const columns = new Map<ColumnId, Bound>();
    for (const { bound } of written) for (const arg of (bound as Bound & { kind: 'call' }).args) columns.set((arg as Bound & { kind: 'column' }).id, arg);
    const like = written[0].bound as Bound & { kind: 'call' };
    for (let i = 0; i < all.length; i++) {
      for (let k = i + 1; k < all.length; k++) {
        if (written.some((edge) => edge.columns.includes(all[i]) && edge.columns.includes(all[k]))) continue;
        implied.push({ bound: { ...like, args: [columns.get(all[i])!, columns.get(all[k])!] }, columns: [all[i], all[k]] });
      }
    }
    return implied.length === 0 && written.length < all.length ? [] : [{ written, implied }];
  });
}
