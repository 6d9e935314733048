/** SECURITY LABEL FOR anon ON COLUMN: a mask. */
import { pad } from './keys.ts';
import { type Kind, noNumbers, nothing, titleOf } from './kind.ts';
import { onObject } from './reference.ts';

export interface LabelObject {
  what: 'label';
  object: number;
  attnum: number;
  text: string;
}

export const LABEL: Kind<LabelObject> = {
  key: ({ object, attnum }) => `l${pad(object)}${pad(attnum)}`,
  numberName: nothing,
  numbers: noNumbers,
  references: ({ object, attnum }) => [onObject(object, attnum)],
  words: () => 'a mask',
  path: ({ object, attnum }, names) => `mask:${names.object(object, attnum)}`,
  title: ({ object, attnum }, names) => `mask of ${titleOf(names, object, attnum)}`,
  scopedName: nothing,
  note: true,
};
