/** COMMENT ON an object or a column. */
import { pad } from './keys.ts';
import { type Kind, noNumbers, nothing, titleOf } from './kind.ts';
import { onObject } from './reference.ts';

export interface CommentObject {
  what: 'comment';
  /** Object number, and the attnum of a column or 0. */
  object: number;
  attnum: number;
  text: string;
}

export const COMMENT: Kind<CommentObject> = {
  key: ({ object, attnum }) => `m${pad(object)}${pad(attnum)}`,
  numberName: nothing,
  numbers: noNumbers,
  references: ({ object, attnum }) => [onObject(object, attnum)],
  words: () => 'a comment',
  path: ({ object, attnum }, names) => `comment:${names.object(object, attnum)}`,
  title: ({ object, attnum }, names) => `comment on ${titleOf(names, object, attnum)}`,
  scopedName: nothing,
  note: true,
};
