/** CREATE TYPE … AS ENUM. */
import { namedNumberName, pad } from './keys.ts';
import { type Kind, scoped } from './kind.ts';
import { joinLabels } from './join-labels.ts';
import { inSchema } from './reference.ts';

export interface EnumObject {
  what: 'enum';
  number: number;
  array: number;
  schema: string;
  name: string;
  /**
   * `order` never changes, so that keys stay valid when labels are inserted between. `stored`: the id in rows of a label that
   * was renamed, or that reuses another label's former name; rows otherwise hold the label.
   */
  labels: { label: string; order: number; stored?: string }[];
}

export const ENUM: Kind<EnumObject> = {
  key: ({ number }) => `e${pad(number)}`,
  numberName: ({ schema, name }) => namedNumberName('enum', schema, name),
  numbers: ({ number, array }) => [number, array],
  furtherNames: ({ schema, name, array }) => (array === 0 ? [] : [[namedNumberName('enum array', schema, name), array]]),
  references: ({ schema }) => [inSchema(schema)],
  address: ({ number }) => ({ kind: 'type', number }),
  words: ({ name }) => `type ${name}`,
  path: ({ schema, name }) => `type:${scoped(schema, name)}`,
  scopedName: ({ schema, name }) => `type\0${schema}\0${name}`,
  merge: { join: { labels: (base, ours, theirs, winner) => joinLabels(base.labels, ours.labels, theirs.labels, winner) } },
  affects: { stored: ({ labels }) => labels.map(labelId).sort() },
};

/** The id of the label in rows. */
export function labelId({ label, stored }: EnumObject['labels'][number]): string {
  return stored ?? label;
}
