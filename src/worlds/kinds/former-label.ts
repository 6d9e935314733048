/**
 * A label whose column or table was dropped: the mask follows the column's identity (its number, or its name in a table of
 * that name) to a recreated column, and to moments before the drop.
 */
import { pad } from './keys.ts';
import { type Kind, noNumbers, nothing } from './kind.ts';

export interface FormerLabelObject {
  what: 'former label';
  object: number;
  attnum: number;
  /** Number of the column. */
  columnNumber: number;
  /** Names at the time of the drop; `relation` with its schema. */
  relation: string;
  column: string;
  text: string;
}

export const FORMER_LABEL: Kind<FormerLabelObject> = {
  key: ({ object, columnNumber }) => `lf${pad(object)}${pad(columnNumber)}`,
  numberName: nothing,
  numbers: noNumbers,
  // Its object is gone.
  references: () => [],
  words: () => 'the mask of a dropped column',
  path: ({ relation, column }) => `mask:${relation}.${column} (dropped)`,
  scopedName: nothing,
};
