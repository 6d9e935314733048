/**
 * What was said of columns apart from their definitions: comments, storage, privileges, masks. Such a row names its column by
 * attnum, which two worlds give to different columns; across worlds it belongs to the column's number.
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

/** The note where it is one of a typed table's column. */
export function columnNote(object: CatalogObject | undefined, catalog: Catalog): ColumnNote | null {
  if (object === undefined || !isColumnNote(object) || object.attnum <= 0) return null;
  return attributeAt(catalog, object) === undefined ? null : object;
}

/** All of a world's, by what they are of. */
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
