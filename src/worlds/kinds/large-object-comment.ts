/** COMMENT ON LARGE OBJECT: large objects have a numbering of their own. */
import { pad } from './keys.ts';
import { type Kind, noNumbers, nothing } from './kind.ts';

export interface LargeObjectCommentObject {
  what: 'large object comment';
  /** Oid of the large object. */
  object: number;
  text: string;
}

export const LARGE_OBJECT_COMMENT: Kind<LargeObjectCommentObject> = {
  key: ({ object }) => `ul${pad(object)}`,
  numberName: nothing,
  numbers: noNumbers,
  // Large objects are rows: unlinking one removes its comment.
  references: ({ object }) => [{ to: 'large object', number: object, how: 'part', walked: 'neither' }],
  words: () => 'a comment',
  path: ({ object }) => `comment:large object ${object}`,
  title: ({ object }) => `comment on large object ${object}`,
  scopedName: nothing,
};
