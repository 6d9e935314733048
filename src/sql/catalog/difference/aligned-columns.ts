/**
 * Two states identify a column by its attnum, which is kept through renames and type changes. Forked worlds may give one attnum to
 * different columns, or different attnums to one column: the later state is renumbered by the earlier one.
 */
import { columnNotes } from '../../../worlds/column-notes.ts';
import { type Catalog, catalogAfter } from '../../../worlds/catalog.ts';
import { type AttributeObject, type CatalogObject, DEFINITION_SHAPE, definitionKey, type RelationObject } from '../../../worlds/definition.ts';
import type { RowChange } from '../../../tree/datum.ts';

/** `catalog` itself if nothing differs. */
export function aligned(catalog: Catalog, to: Catalog): Catalog {
  const rows: RowChange[] = [];
  const moved = new Set<number>();
  const change = (before: CatalogObject | null, after: CatalogObject | null): void => {
    const text = (object: CatalogObject | null) => (object === null ? null : [JSON.stringify(object)]);
    rows.push({ key: definitionKey((after ?? before)!), shape: DEFINITION_SHAPE, before: text(before), after: text(after) });
  };
  for (const [number, { relation }] of catalog.byNumber) {
    const other = to.byNumber.get(number)?.relation;
    if (!relation || !other || relation === other) continue;
    const places = placesOf(relation, other);
    if (relation.attributes.every(({ attnum }, i) => places[i] === attnum)) continue;
    moved.add(number);
    relation.attributes.forEach((attribute, i) => {
      if (places[i] !== attribute.attnum) change(attribute, { ...attribute, attnum: places[i] });
    });
    change(relation.object, { ...relation.object, attnums: Math.max(relation.object.attnums, ...places) });
  }
  if (rows.length === 0) return catalog;
  const notes = [...columnNotes(catalog).values()].filter(({ note }) => moved.has(note.object));
  const placed = catalogAfter(catalog, rows);
  const kept = new Set<string>();
  for (const { note, column } of notes) {
    const own = { ...note, attnum: placed.byNumber.get(note.object)!.relation!.attributes.find((each) => each.number === column)!.attnum };
    kept.add(definitionKey(own));
    change(null, own);
  }
  for (const { key, note } of notes) if (!kept.has(key)) change(note, null);
  return catalogAfter(catalog, rows);
}

interface Columns {
  readonly object: RelationObject;
  readonly attributes: readonly AttributeObject[];
}

/** An attnum for each column: the other state's if it has the column, otherwise an unused one. */
function placesOf(own: Columns, other: Columns): number[] {
  let next = Math.max(own.object.attnums, other.object.attnums);
  const taken = new Set(other.attributes.map(({ attnum }) => attnum));
  return own.attributes.map(({ number, name, attnum }) => {
    const same = other.attributes.find((each) => each.number === number);
    if (same !== undefined) return same.attnum;
    if (!taken.has(attnum)) return attnum;
    const there = other.attributes.find((each) => each.attnum === attnum)!;
    // A column with another type is a new one in its place, which records the one it replaced.
    const isSuccessor = own.object.dropped.includes(there.number) || other.object.dropped.includes(number) || there.name === name;
    return isSuccessor && !own.attributes.some((each) => each.number === there.number) ? attnum : ++next;
  });
}
