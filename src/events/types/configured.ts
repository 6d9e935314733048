/** A setting of the database changed; null: reset to the default. */
import { defineEvent } from '../define-event.ts';

export interface Configured {
  type: 'configured';
  name: string;
  value: string | null;
}

export const configured = defineEvent<Configured>({
  type: 'configured',
  number: 17,
  encode(out, { name, value }) {
    out.text(name);
    out.u8(value === null ? 0 : 1);
    if (value !== null) out.text(value);
  },
  decode: (from) => ({ type: 'configured', name: from.text(), value: from.u8() === 1 ? from.text() : null }),
});
