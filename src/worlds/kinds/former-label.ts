/**
 * A label whose column or table was dropped: the mask goes with the column's identity (its number, or its name in a table of that name) to what is
 * made in its place, and to the moments when it was there.
 */
import { pad } from './keys.ts';
import { type Kind, noNumbers, nothing } from './kind.ts';

export interface FormerLabelObject {
  what: 'former label';
  object: number;
  attnum: number;
  /** Number of the column. */
  columnNumber: number;
  /** Names as they stood when it was dropped; `relation` with its schema. */
  relation: string;
  column: string;
  text: string;
}

export const FORMER_LABEL: Kind<FormerLabelObject> = {
  key: ({ object, columnNumber }) => `lf${pad(object)}${pad(columnNumber)}`,
  numberName: nothing,
  numbers: noNumbers,
  // What it is of is gone.
  references: () => [],
  words: () => 'the mask of a dropped column',
  path: ({ relation, column }) => `mask:${relation}.${column} (dropped)`,
  scopedName: nothing,
};
