/** ALTER, DROP and COMMENT of event triggers. Manual, ALTER EVENT TRIGGER. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import type { EventTriggerObject } from '../../../worlds/definition.ts';
import type { AlterEventTrigger, ObjectName, Rename } from '../../ast/define.ts';
import type { Ddl } from '../../schema/ddl.ts';
import { dropObjects, type DropTarget } from '../../schema/drop.ts';
import { setComment } from '../../schema/other-objects.ts';
import type { Schema } from '../../schema/schema.ts';
import { define } from '../define.ts';
import { mustOwn } from '../ownership.ts';
import type { StatementResult } from '../results.ts';
import type { SqlSession } from '../sql-session.ts';

export function eventTriggerNamed(schema: Schema, name: string): EventTriggerObject | undefined {
  for (const object of schema.eventTriggers.values()) if (object.name === name) return object;
  return undefined;
}

/** 42704, 42501. */
export function ownEventTrigger(session: SqlSession, name: string): EventTriggerObject {
  const found = eventTriggerNamed(session.schema(), name);
  if (found === undefined) throw new SvcError('42704', `event trigger "${name}" does not exist`);
  mustOwn(session, 'event trigger', found.number, name);
  return found;
}

export function runAlterEventTrigger(session: SqlSession, { name, fires }: AlterEventTrigger): StatementResult {
  session.startStatement();
  return define(session, 'ALTER EVENT TRIGGER', (ddl) => {
    const { fires: _, ...object } = ownEventTrigger(session, name);
    ddl.put(fires === 'origin' ? object : { ...object, fires });
  });
}

export function renameEventTrigger(session: SqlSession, ddl: Ddl, { object, to }: Rename): void {
  const found = ownEventTrigger(session, object.name[0]);
  if (eventTriggerNamed(ddl.schema, to) !== undefined) throw new SvcError('42710', `event trigger "${to}" already exists`);
  ddl.put({ ...found, name: to });
}

export function commentEventTrigger(session: SqlSession, ddl: Ddl, { name }: ObjectName, text: string | null): void {
  setComment(ddl, ownEventTrigger(session, name[0]).number, 0, text);
}

export function dropEventTriggers(session: SqlSession, objects: readonly ObjectName[], ifExists: boolean, cascade: boolean): StatementResult {
  session.startStatement();
  return define(session, 'DROP EVENT TRIGGER', (ddl) => {
    const targets: DropTarget[] = [];
    for (const {
      name: [name],
    } of objects) {
      if (ifExists && eventTriggerNamed(ddl.schema, name) === undefined) ddl.notice('00000', `event trigger "${name}" does not exist, skipping`);
      else targets.push({ kind: 'event trigger', number: ownEventTrigger(session, name).number });
    }
    if (targets.length > 0) dropObjects(ddl, targets, cascade);
  });
}
