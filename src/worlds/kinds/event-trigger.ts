/** CREATE EVENT TRIGGER. */
import { namedNumberName, pad } from './keys.ts';
import { type Kind, ofItself, ownNumber } from './kind.ts';
import { toNumbered } from './reference.ts';

export type DefinitionEvent = 'ddl_command_start' | 'ddl_command_end' | 'sql_drop' | 'table_rewrite';
export interface EventTriggerObject {
  what: 'event trigger';
  number: number;
  name: string;
  event: DefinitionEvent;
  /** Tags of the commands that it fires for, in upper case; omitted: all. */
  tags?: string[];
  /** Number of the function. */
  function: number;
  /** session_replication_role in which it fires; omitted: origin and local. */
  fires?: 'always' | 'replica' | 'never';
}

export const EVENT_TRIGGER: Kind<EventTriggerObject> = {
  key: ({ number }) => `ue${pad(number)}`,
  numberName: ({ name }) => namedNumberName('event trigger', '', name),
  numbers: ownNumber,
  references: ({ function: routine }) => [toNumbered('routine', routine)],
  address: ({ number }) => ({ kind: 'event trigger', number }),
  codeHolder: ofItself,
  words: ({ name }) => `event trigger ${name}`,
  path: ({ name }) => `event trigger:${name}`,
  scopedName: ({ name }) => `event trigger\0${name}`,
};
