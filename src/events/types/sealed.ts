/** The pages of the state after `covers` were written; `root` is the hash of the super-root's page. */
import type { Sequence } from '../../base/brands.ts';
import { defineEvent } from '../define-event.ts';

export interface Sealed {
  type: 'sealed';
  covers: Sequence;
  root: string;
  treeHead: string;
}

export const sealed = defineEvent<Sealed>({
  type: 'sealed',
  number: 12,
  encode(out, { covers, root, treeHead }) {
    out.varint(covers);
    out.text(root);
    out.text(treeHead);
  },
  decode: (from) => ({ type: 'sealed', covers: from.varint() as Sequence, root: from.text(), treeHead: from.text() }),
});
