/**
 * Fields that records bring to tables of documents with definitions of their own: columns for new ones, wider types for those whose values have
 * no common type so far. A type that an index, a constraint or a default needs stays, and values are converted to it as in any table.
 */
import { SvcError } from '../base/errors/svc-error.ts';
import { LIMITS } from '../base/limits.ts';
import type { Row } from '../commands/contract.ts';
import type { RowChange } from '../tree/datum.ts';
import { type Catalog, catalogAfter, type Table } from './catalog.ts';
import { type AttributeObject, columnDefinitionKey, type DocumentType, type RelationObject, widestField } from './definition.ts';
import { fieldValue, typeOf } from './document.ts';
import { fieldAttribute, needsType, relationRows, widened } from './document-relation.ts';
import { mustNameField } from './field-name.ts';
import type { Objects } from './world.ts';

export class NewFields {
  readonly #before: Catalog;
  readonly #objects: Objects;
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
    const { object, attributes } = table.relation!;
    const there = attributes.find((each) => each.name === name);
    const number = there?.number ?? this.#objects.number(`${table.number}\0${name}`);
    const known = there ?? this.#attributes.get(columnDefinitionKey(table.number, number));
    if (known !== undefined) {
      const now = this.#attributes.get(columnDefinitionKey(table.number, number)) ?? known;
      if (now.field === undefined || now.field === type || (there !== undefined && needsType(table, there) !== null)) return;
      const wide = widestField(now.field, type);
      if (wide !== now.field) this.#set(widened(now, wide));
      return;
    }
    mustNameField(name);
    const relation = this.#relations.get(table.number) ?? object;
    if (attributes.length + relation.attnums - object.attnums >= LIMITS.tableColumnsMax) {
      throw new SvcError('54011', `a table has at most ${LIMITS.tableColumnsMax} columns, "${name.slice(0, 64)}" would be one more`, {
        hint: 'Put varying names inside one JSON field.',
      });
    }
    const attnum = relation.attnums + 1;
    this.#relations.set(table.number, { ...relation, attnums: attnum, dropped: relation.dropped.filter((each) => each !== number) });
    this.#set(fieldAttribute(table.number, number, name, type, attnum));
  }

  #set(attribute: AttributeObject): void {
    this.#attributes.set(columnDefinitionKey(attribute.table, attribute.number), attribute);
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
