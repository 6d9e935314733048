/** The metadata of the envelope's world changed: the whole of it after the change. */
import { defineEvent } from '../define-event.ts';
import type { Meta } from '../meta.ts';

export interface MetaChanged {
  type: 'metaChanged';
  meta: Meta;
}

export const metaChanged = defineEvent<MetaChanged>({
  type: 'metaChanged',
  number: 9,
  encode: (out, { meta }) => out.text(JSON.stringify(meta)),
  decode: (from) => ({ type: 'metaChanged', meta: JSON.parse(from.text()) as Meta }),
});
