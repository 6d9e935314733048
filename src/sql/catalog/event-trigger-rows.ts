/** pg_event_trigger, and its dependencies on functions. */
import { ArrayValue } from '../types/array-value.ts';
import { CLASS } from './fixed-oids.ts';
import type { Row } from './made-relation.ts';
import type { RowSource } from './system-catalog.ts';

const MODES = { always: 'A', replica: 'R', never: 'D' } as const;

export function eventTriggerRows({ schema }: RowSource): Row[] {
  return [...schema.eventTriggers.values()].map(({ number, name, event, tags, function: routine, fires }): Row => {
    const enabled = fires === undefined ? 'O' : MODES[fires];
    return [number, name, event, schema.ownerOf(number), routine, enabled, tags === undefined ? null : new ArrayValue([...tags])];
  });
}

export function eventTriggerDependencyRows({ schema }: RowSource): Row[] {
  return [...schema.eventTriggers.values()].map(({ number, function: routine }): Row => [CLASS.pg_event_trigger, number, 0, CLASS.pg_proc, routine, 0, 'n']);
}
