/**
 * In-place changes of variables: `a[i] := x`, `r.f := x`, `a := a || x`. A value without other references is changed in place, so a
 * loop over an array does not copy it at each turn; any other is copied once first. Postgres's expanded objects
 * (src/backend/utils/adt/expandeddatum.c) do the same.
 */
import { arrayAppend } from '../../functions/array/array-build.ts';
import { arraySet } from '../../functions/array/array-subscript.ts';
import type { Bound, ColumnId } from '../../plan/bound.ts';
import { childrenOf } from '../../plan/rules/walk.ts';
import { ArrayValue } from '../../types/array-value.ts';
import { RecordValue } from '../../types/record-value.ts';
import type { SqlType } from '../../types/type.ts';
import type { Value } from '../../types/value.ts';
import type { Variable } from './scope.ts';

/** The computed part, and how it changes the whole. */
export interface Change {
  readonly base: ColumnId;
  readonly parts: readonly Bound[];
  apply(variable: Variable, parts: readonly Value[]): void;
}

/** null: it is computed like any other expression. */
export function changeOf(bound: Bound): Change | null {
  if (bound.kind !== 'call') return null;
  const [whole, ...parts] = bound.args;
  if (whole?.kind !== 'column') return null;
  const base = whole.id;
  if (bound.proc === 'array_assign' && parts.length === 2) return { base, parts, apply: setElement };
  if (bound.proc === 'array_append' && whole.type.element !== null) return { base, parts, apply: append };
  return null;
}

function setElement(variable: Variable, [item, place]: readonly Value[]): void {
  const array = variable.peek();
  if (variable.owned && array instanceof ArrayValue && array.lengths.length === 1 && typeof place === 'number') {
    const at = place - array.lowers[0];
    if (at >= 0 && at < array.elements.length) {
      (array.elements as Value[])[at] = item;
      return;
    }
    if (at === array.elements.length) return push(array, item);
  }
  variable.own(arraySet(array as ArrayValue | null, [place as number | null], item));
}

function append(variable: Variable, [item]: readonly Value[]): void {
  const array = variable.peek();
  if (variable.owned && array instanceof ArrayValue && array.lengths.length === 1) return push(array, item);
  variable.own(arrayAppend(array as ArrayValue | null, item));
}

function push({ elements, lengths }: ArrayValue, item: Value): void {
  (elements as Value[]).push(item);
  (lengths as number[])[0]++;
}

/** Sets one field of a row. */
export function setField(variable: Variable, index: number, value: Value, types: readonly SqlType[]): void {
  const row = variable.peek() as RecordValue | null;
  if (row !== null && variable.owned) {
    (row.fields as Value[])[index] = value;
    return;
  }
  const fields = row === null ? types.map(() => null) : row.fields.slice();
  (fields as Value[])[index] = value;
  variable.own(new RecordValue(fields, types));
}

/** Functions whose result does not reference their array argument. */
const ASK: ReadonlySet<string> = new Set(['array_length', 'array_upper', 'array_lower', 'array_ndims', 'cardinality']);

/** Columns whose whole value may be part of the result. */
export function escaping(bounds: readonly Bound[]): ReadonlySet<ColumnId> {
  const out = new Set<ColumnId>();
  const left = [...bounds];
  for (let e = left.pop(); e !== undefined; e = left.pop()) {
    if (e.kind === 'column') {
      out.add(e.id);
      continue;
    }
    const children = childrenOf(e);
    const looks =
      e.kind === 'field' ||
      e.kind === 'isNull' ||
      (e.kind === 'subscript' && !e.subscripts.some(({ slice }) => slice)) ||
      (e.kind === 'call' && ASK.has(e.proc));
    children.forEach((child, i) => {
      if (!(looks && i === 0 && child.kind === 'column')) left.push(child);
    });
  }
  return out;
}
