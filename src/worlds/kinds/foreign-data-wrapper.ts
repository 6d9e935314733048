/** CREATE FOREIGN DATA WRAPPER. Options are `name=value`, also for servers and user mappings. */
import { namedNumberName, wrapperKey } from './keys.ts';
import { type Kind, ownNumber } from './kind.ts';
import { type Reference, toRoutine } from './reference.ts';
import type { RoutineReference } from './routine-reference.ts';

export interface WrapperObject {
  what: 'foreign data wrapper';
  number: number;
  name: string;
  /** Only extensions supply handlers. */
  handler: RoutineReference | null;
  validator: RoutineReference | null;
  options: string[];
  /** Name of the extension that it belongs to. */
  extension?: string;
}

export const FOREIGN_DATA_WRAPPER: Kind<WrapperObject> = {
  key: ({ number }) => wrapperKey(number),
  numberName: ({ name }) => namedNumberName('foreign data wrapper', '', name),
  numbers: ownNumber,
  references,
  address: ({ number }) => ({ kind: 'foreign data wrapper', number }),
  words: ({ name }) => `foreign data wrapper ${name}`,
  path: ({ name }) => `foreign data wrapper:${name}`,
  scopedName: ({ name }) => `foreign data wrapper\0${name}`,
};

function references({ handler, validator, extension }: WrapperObject): Reference[] {
  const out = [...toRoutine(handler), ...toRoutine(validator)];
  if (extension !== undefined) out.push({ to: 'extension', name: extension, how: 'part', walked: 'drop' });
  return out;
}
