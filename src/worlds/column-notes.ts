/**
 * Definitions about columns that are stored separately: comments, storage, privileges, masks. Their rows name the column by
 * attnum, which two worlds assign to different columns; across worlds they belong to the column's number.
 */
import type { Catalog } from './catalog.ts';
import type { AttributeObject, CatalogObject, CommentObject, FactsObject, GrantObject, LabelObject } from './definition.ts';

export type ColumnNote = CommentObject | FactsObject | GrantObject | LabelObject;

export interface NoteOfColumn {
  readonly key: string;
  readonly note: ColumnNote;
  /** Number of the column. */
  readonly column: number;
}

/** The note, if the object is one about a typed table's column. */
export function columnNote(object: CatalogObject | undefined, catalog: Catalog): ColumnNote | null {
  if (object === undefined || !isColumnNote(object) || object.attnum <= 0) return null;
  return attributeAt(catalog, object) === undefined ? null : object;
}

/** All notes of a world, by column. */
export function columnNotes(catalog: Catalog): Map<string, NoteOfColumn> {
  const notes = new Map<string, NoteOfColumn>();
  for (const [key, object] of catalog.objects) {
    if (!isColumnNote(object) || object.attnum <= 0) continue;
    const column = attributeAt(catalog, object)?.number;
    if (column === undefined) continue;
    const who = object.what === 'grant' ? ` ${object.grantee} ${object.grantor}` : '';
    notes.set(`${object.what} ${object.object} ${column}${who}`, { key, note: object, column });
  }
  return notes;
}

export function isColumnNote(object: CatalogObject): object is ColumnNote {
  return object.what === 'comment' || object.what === 'facts' || object.what === 'grant' || object.what === 'label';
}

function attributeAt(catalog: Catalog, { object, attnum }: ColumnNote): AttributeObject | undefined {
  return catalog.byNumber.get(object)?.relation?.attributes.find((each) => each.attnum === attnum);
}
