/**
 * Fields that records bring to tables of documents with definitions of their own: columns for new ones, wider types for those whose values have
 * no common type so far. A type that an index, a constraint or a default needs stays, and values are converted to it as in any table.
 */
import { SvcError } from '../base/errors/svc-error.ts';
import { LIMITS } from '../base/limits.ts';
import type { Row } from '../commands/contract.ts';
import type { RowChange } from '../tree/datum.ts';
import { type Catalog, catalogAfter, type Table } from './catalog.ts';
import { type AttributeObject, type DocumentType, type RelationObject, widestField } from './definition.ts';
import { fieldValue, typeOf } from './document.ts';
import { fieldAttribute, needsType, relationRows, widened } from './document-relation.ts';
import { mustNameField } from './field-name.ts';
import type { Objects } from './world.ts';

export class NewFields {
  readonly #before: Catalog;
  readonly #objects: Objects;
  /** New and widened fields by table and name. */
  readonly #attributes = new Map<string, AttributeObject>();
  readonly #relations = new Map<number, RelationObject>();
  #after: Catalog | null = null;

  constructor(catalog: Catalog, objects: Objects) {
    this.#before = catalog;
    this.#objects = objects;
  }

  /** Before any row is written: 42602 for a name that no field can have, 54011 for one field too many. */
  observe(table: Table, record: Row): void {
    if (record === null || typeof record !== 'object' || Array.isArray(record)) return;
    for (const name of Object.keys(record)) {
      const value = record[name];
      if (value !== undefined) this.#field(table, name, typeOf(fieldValue(value)));
    }
  }

  #field(table: Table, name: string, type: DocumentType): void {
    const there = table.relation!.attributes.find((each) => each.name === name);
    const known = this.#attributes.get(scoped(table, name)) ?? there;
    if (known === undefined) {
      this.#add(table, name, type);
      return;
    }
    if (known.field === undefined || known.field === type || (there !== undefined && needsType(table, there) !== null)) return;
    const wide = widestField(known.field, type);
    if (wide !== known.field) this.#set(widened(known, wide));
  }

  #add(table: Table, name: string, type: DocumentType): void {
    const { object, attributes } = table.relation!;
    mustNameField(name);
    const relation = this.#relations.get(table.number) ?? object;
    if (attributes.length + relation.attnums - object.attnums >= LIMITS.tableColumnsMax) {
      throw new SvcError('54011', `a table has at most ${LIMITS.tableColumnsMax} columns, "${name.slice(0, 64)}" would be one more`, {
        hint: 'Put varying names inside one JSON field.',
      });
    }
    const attnum = relation.attnums + 1;
    this.#relations.set(table.number, { ...relation, attnums: attnum });
    const number = this.#objects.number(`${table.number}\0${name}`);
    // A column that was renamed or dropped keeps the number that the name had: rows hold its cells.
    const isTaken = object.dropped.includes(number) || attributes.some((each) => each.number === number);
    this.#set(fieldAttribute(table.number, isTaken ? this.#objects.number(null) : number, name, type, attnum));
  }

  #set(attribute: AttributeObject): void {
    this.#attributes.set(scoped({ number: attribute.table }, attribute.name), attribute);
    this.#after = null;
  }

  /** The changed definitions, in order of their keys. */
  rows(): RowChange[] {
    const rows = relationRows(this.#before, [...this.#relations.values(), ...this.#attributes.values()]);
    return rows.sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  get catalog(): Catalog {
    if (this.#attributes.size === 0) return this.#before;
    return (this.#after ??= catalogAfter(this.#before, this.rows()));
  }
}

function scoped({ number }: Pick<Table, 'number'>, name: string): string {
  return `${number}\0${name}`;
}
