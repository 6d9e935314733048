/**
 * What rows that were written since hold in columns that an undoing changes:
 *
 *   the type comes back    the value is made one of the old type, which must be the same value
 *   the column goes        a value in it would be lost
 *   it is generated again  what was written into it would stand against its expression
 *   its type takes less    an enum loses a label, a domain gets a condition back: each value must still be one of the type
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Datum, Key, Kind, RowChange } from '../../tree/datum.ts';
import { type RowAt, ShapeTable } from '../../tree/row-change.ts';
import type { Catalog, Table } from '../catalog.ts';
import { type AttributeObject, definitionKey, isTypeObject, typesWithin } from '../definition.ts';
import { rowKey } from '../keys.ts';
import { typesByOid } from '../type-rules.ts';
import { typedTables } from '../typed-tables.ts';

/** Why something cannot be taken back, and what has to be left alone so that the rest can be. */
export interface Blocked {
  readonly code: string;
  /** Of the row, or of the definition. */
  readonly key: string;
  readonly explanation: string;
  readonly leave: { readonly table?: number; readonly definition?: string; readonly row?: { readonly tree: number; readonly key: Key } };
}

type Recast = ReturnType<ReturnType<typeof typedTables>['recast']>;

interface Replaced {
  readonly from: AttributeObject;
  readonly to: AttributeObject;
  readonly recast: Recast;
  /** From the state before to the one that is undone: tells whether that changed the type alone. */
  readonly forth: Recast | null;
}

export class UndoneColumns {
  /** Columns whose cells go: of other types, or dropped. */
  readonly #gone: AttributeObject[] = [];
  readonly #replaced: Replaced[] = [];
  readonly #computed: AttributeObject[] = [];
  readonly #narrowed: { readonly attribute: AttributeObject; readonly recast: Recast; readonly type: string }[] = [];
  readonly #table: Table;
  readonly #shapes: ShapeTable;

  /** `now` as the world is, `after` as it will be, `before` as it was before what is undone; null where no column of the table is concerned. */
  static of(number: number, now: Catalog, after: Catalog, before: Catalog, shapes: ShapeTable): UndoneColumns | null {
    const [is, will] = [now, after].map(({ byNumber }) => byNumber.get(number));
    if (!is?.relation || !will?.relation) return null;
    const columns = new UndoneColumns(is, shapes);
    columns.#compare(now, after, before, will);
    return columns.#gone.length + columns.#computed.length + columns.#narrowed.length === 0 ? null : columns;
  }

  private constructor(table: Table, shapes: ShapeTable) {
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
        const recast = typedTables().recast(now, after, number, attribute.number, to.number);
        const had = before.byNumber.get(number)?.relation?.attributes.some((each) => each.number === to.number) === true;
        const forth = had ? typedTables().recast(before, now, number, to.number, attribute.number) : null;
        this.#replaced.push({ from: attribute, to, recast, forth });
        continue;
      }
      if (same.generated !== null && attribute.generated === null) this.#computed.push(attribute);
      const type = changedType(attribute.type, now, after);
      if (type !== null) this.#narrowed.push({ attribute, recast: typedTables().recast(now, after, number, attribute.number, attribute.number), type });
    }
  }

  /** Whether what is undone changed nothing of the row but types, and values that are generated. */
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

  /** What a row that was written since has to change, or what stands in the way. `then`: as it was before that. */
  row(key: Key, then: RowAt | null, now: RowAt): RowChange | Blocked | null {
    const name = rowKey(this.#table, key);
    const { number } = this.#table;
    const ids: number[] = [];
    const kinds: Kind[] = [];
    const before: Datum[] = [];
    const after: Datum[] = [];
    for (const attribute of this.#gone) {
      const at = now.leaf.col(attribute.number);
      const value = at?.get(now.index);
      if (at === null || value === undefined) continue;
      // A generated value is nobody's: it is lost with no loss.
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

/** Key of the definition of the type, or of one that it is made of, which differs between the two; null where none does. */
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
