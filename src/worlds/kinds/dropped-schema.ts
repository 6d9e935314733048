/** DROP SCHEMA of the built-in schema `public`, which has no row of its own: this row says that it is gone. One made later is an ordinary schema. */
import { pad } from './keys.ts';
import { type Kind, noNumbers, nothing } from './kind.ts';

export interface DroppedSchemaObject {
  what: 'dropped schema';
  /** Oid of the built-in schema. */
  number: number;
}

/** Key of the row of `public`, whose oid is that of Postgres. */
export const PUBLIC_DROPPED = `ux${pad(2200)}`;

export const DROPPED_SCHEMA: Kind<DroppedSchemaObject> = {
  key: ({ number }) => `ux${pad(number)}`,
  numberName: nothing,
  numbers: noNumbers,
  references: () => [],
  words: () => 'schema public',
  path: () => 'dropped schema:public',
  scopedName: nothing,
};
