/** A named checkpoint of the world's current state. */
import { defineEvent } from '../define-event.ts';

export interface Checkpointed {
  type: 'checkpointed';
  name: string;
}

export const checkpointed = defineEvent<Checkpointed>({
  type: 'checkpointed',
  number: 11,
  encode: (out, { name }) => out.text(name),
  decode: (from) => ({ type: 'checkpointed', name: from.text() }),
});
