/**
 * Values of rows written since, in columns that an undo changes:
 *
 *   restored type          the value is converted to the old type without loss
 *   dropped column         a value in it would be lost
 *   generated again        a written value would contradict the expression
 *   narrower type          an enum loses a label, a domain regains a condition: each value must still be valid
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Datum, Key, Kind, RowChange } from '../../tree/datum.ts';
import { type RowAt, ShapeTable } from '../../tree/row-change.ts';
import type { Catalog, Table } from '../catalog.ts';
import { type AttributeObject, definitionKey, isTypeObject, typesWithin } from '../definition.ts';
import { rowKey } from '../keys.ts';
import { typesByOid } from '../type-rules.ts';
import type { TypedTables } from '../typed-tables.ts';

/** Why something cannot be undone, and what has to be skipped so that the rest can be. */
export interface Blocked {
  readonly code: string;
  /** Of the row, or of the definition. */
  readonly key: string;
  readonly explanation: string;
  readonly leave: { readonly table?: number; readonly definition?: string; readonly row?: { readonly tree: number; readonly key: Key } };
}

type Recast = ReturnType<TypedTables['recast']>;

interface Replaced {
  readonly from: AttributeObject;
  readonly to: AttributeObject;
  readonly recast: Recast;
  /** Conversion by the change that is undone: shows whether that changed the type alone. */
  readonly forth: Recast | null;
}

export class UndoneColumns {
  /** Columns whose cells are removed: retyped or dropped. */
  readonly #gone: AttributeObject[] = [];
  readonly #replaced: Replaced[] = [];
  readonly #computed: AttributeObject[] = [];
  readonly #narrowed: { readonly attribute: AttributeObject; readonly recast: Recast; readonly type: string }[] = [];
  readonly #typed: TypedTables;
  readonly #table: Table;
  readonly #shapes: ShapeTable;

  /** `now` is the current catalog, `after` the one after the undo, `before` the one before what is undone; null if no column of the table is affected. */
  static of(typed: TypedTables, number: number, now: Catalog, after: Catalog, before: Catalog, shapes: ShapeTable): UndoneColumns | null {
    const [is, will] = [now, after].map(({ byNumber }) => byNumber.get(number));
    if (!is?.relation || !will?.relation) return null;
    const columns = new UndoneColumns(typed, is, shapes);
    columns.#compare(now, after, before, will);
    return columns.#gone.length + columns.#computed.length + columns.#narrowed.length === 0 ? null : columns;
  }

  private constructor(typed: TypedTables, table: Table, shapes: ShapeTable) {
    this.#typed = typed;
    this.#table = table;
    this.#shapes = shapes;
  }

  #compare(now: Catalog, after: Catalog, before: Catalog, will: Table): void {
    const { number } = this.#table;
    const mine = this.#table.relation!.attributes;
    const yours = will.relation!.attributes;
    for (const attribute of mine) {
      const same = yours.find((each) => each.number === attribute.number);
      if (same === undefined) {
        this.#gone.push(attribute);
        const to = yours.find((each) => each.name === attribute.name && !mine.some((own) => own.number === each.number));
        if (to === undefined || to.generated !== null) continue;
        const recast = this.#typed.recast(now, after, number, attribute.number, to.number);
        const had = before.byNumber.get(number)?.relation?.attributes.some((each) => each.number === to.number) === true;
        const forth = had ? this.#typed.recast(before, now, number, to.number, attribute.number) : null;
        this.#replaced.push({ from: attribute, to, recast, forth });
        continue;
      }
      if (same.generated !== null && attribute.generated === null) this.#computed.push(attribute);
      const type = changedType(attribute.type, now, after);
      if (type !== null) this.#narrowed.push({ attribute, recast: this.#typed.recast(now, after, number, attribute.number, attribute.number), type });
    }
  }

  /** Whether what is undone changed only types and generated values in the row. */
  isOfTypesAlone(before: RowAt, then: RowAt): boolean {
    const generated = this.#gone.flatMap((attribute) => (attribute.generated === null ? [] : [attribute.number]));
    if (this.#replaced.length + generated.length === 0) return false;
    for (const { from, forth } of this.#replaced) {
      try {
        if (forth === null || (forth.cell(before) ?? null) !== (then.leaf.cell(then.index, from.number) ?? null)) return false;
      } catch (error) {
        if (error instanceof SvcError) return false;
        throw error;
      }
    }
    const apart = new Set([...this.#table.relation!.hidden, ...generated, ...this.#replaced.flatMap(({ from, to }) => [from.number, to.number])]);
    const cell = ({ leaf, index }: RowAt, id: number): Datum => leaf.cell(index, id);
    return [...new Set([...before.leaf.colIds, ...then.leaf.colIds])].every((id) => apart.has(id) || Object.is(cell(before, id), cell(then, id)));
  }

  /** The change of a row written since, or what blocks it. `then`: the row before it was written. */
  row(key: Key, then: RowAt | null, now: RowAt): RowChange | Blocked | null {
    const name = rowKey(this.#typed, this.#table, key);
    const { number } = this.#table;
    const ids: number[] = [];
    const kinds: Kind[] = [];
    const before: Datum[] = [];
    const after: Datum[] = [];
    for (const attribute of this.#gone) {
      const at = now.leaf.col(attribute.number);
      const value = at?.get(now.index);
      if (at === null || value === undefined) continue;
      // A generated value can be recomputed, so nothing is lost.
      const isKept = attribute.generated !== null || this.#replaced.some(({ from }) => from === attribute);
      if (!isKept && value !== null && !Object.is(value, then?.leaf.cell(then.index, attribute.number))) {
        const explanation = `column ${attribute.name} of table ${this.#table.name} would go, and ${name} was given a value in it since`;
        return { code: '2BP01', key: name, explanation, leave: { definition: definitionKey(attribute) } };
      }
      ids.push(attribute.number);
      kinds.push(at.kind);
      before.push(value);
      after.push(undefined);
    }
    for (const attribute of this.#computed) {
      const explanation = `column ${attribute.name} of table ${this.#table.name} would be generated again, and ${name} was written since`;
      return { code: '55000', key: name, explanation, leave: { definition: definitionKey(attribute) } };
    }
    for (const { to, recast } of this.#replaced) {
      const made = attempt(recast, now);
      if (made instanceof SvcError) return this.#refused(name, made, { table: number });
      ids.push(to.number);
      kinds.push(recast.kind);
      before.push(now.leaf.cell(now.index, to.number));
      after.push(made);
    }
    for (const { recast, type } of this.#narrowed) {
      const made = attempt(recast, now);
      if (made instanceof SvcError) return this.#refused(name, made, { definition: type });
    }
    return ids.length === 0 ? null : { key, shape: this.#shapes.of(ids, kinds), before, after };
  }

  #refused(key: string, { code, message }: SvcError, leave: Blocked['leave']): Blocked {
    return { code, key, explanation: `${key} was written since: ${message}`, leave };
  }
}

function attempt(recast: Recast, row: RowAt): Datum | SvcError {
  try {
    return recast.cell(row);
  } catch (error) {
    if (error instanceof SvcError) return error;
    throw error;
  }
}

/** Key of the definition of the type, or of a component type, that differs between the two; null if none does. */
function changedType(oid: number, now: Catalog, after: Catalog, seen = new Set<number>()): string | null {
  if (seen.has(oid)) return null;
  seen.add(oid);
  const object = typesByOid(now).get(oid);
  if (object === undefined) return null;
  const key = definitionKey(object);
  const will = after.objects.get(key);
  if (isTypeObject(will) && JSON.stringify(will) !== JSON.stringify(object)) return key;
  for (const each of typesWithin(object)) {
    const found = changedType(each, now, after, seen);
    if (found !== null) return found;
  }
  return null;
}
