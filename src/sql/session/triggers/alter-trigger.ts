/** DROP, RENAME and COMMENT of triggers; ALTER TABLE … ENABLE and DISABLE TRIGGER. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import type { TriggerObject } from '../../../worlds/definition.ts';
import type { AlterAction, ObjectName, Rename } from '../../ast/define.ts';
import type { Ddl } from '../../schema/ddl.ts';
import { dropObjects } from '../../schema/drop.ts';
import type { DropTarget } from '../../schema/drop-target.ts';
import { putFacts } from '../../schema/facts.ts';
import { setComment } from '../../schema/other-objects.ts';
import type { Relation, Schema } from '../../schema/schema.ts';
import type { ForeignKey } from '../../schema/table.ts';
import { changeTrigger, triggerNamed } from '../../schema/triggers.ts';
import { referencedName, writtenName } from '../define-table.ts';
import { define } from '../define.ts';
import { mustOwn, ownedNumber } from '../ownership.ts';
import { type RelationPart, relationPart } from '../relation-part.ts';
import type { StatementResult } from '../results.ts';
import type { SqlSession } from '../sql-session.ts';
import { triggerable } from './create-trigger.ts';

function missing({ relation, name }: RelationPart): SvcError {
  return new SvcError('42704', `trigger "${name}" for table "${relation.name}" does not exist`);
}

/** The relation, owned by the current user; null if it is missing and IF EXISTS was given. */
function ownRelation(session: SqlSession, { relation }: RelationPart, ifExists: boolean, ddl: Ddl): Relation | null {
  const target = referencedName(session, relation);
  if (ifExists && session.schema().relation(target.schema, target.name) === null) {
    ddl.notice('00000', `relation "${writtenName(relation)}" does not exist, skipping`);
    return null;
  }
  const found = triggerable(session, relation);
  mustOwn(session, 'relation', ownedNumber(found), relation.name);
  return found;
}

export function dropTriggers(session: SqlSession, objects: readonly ObjectName[], ifExists: boolean, cascade: boolean, at: number): StatementResult {
  session.startStatement();
  return define(session, 'DROP TRIGGER', (ddl) => {
    const targets: DropTarget[] = [];
    for (const object of objects) {
      const named = relationPart(object, at);
      const found = ownRelation(session, named, ifExists, ddl);
      if (found === null) continue;
      const table = ownedNumber(found);
      const trigger = triggerNamed(ddl, table, named.name);
      if (trigger === undefined) {
        if (!ifExists) throw missing(named);
        ddl.notice('00000', `trigger "${named.name}" for relation "${named.relation.name}" does not exist, skipping`);
        continue;
      }
      refusePart(ddl, trigger, 'drop');
      targets.push({ kind: 'trigger', table, name: named.name });
    }
    if (targets.length > 0) dropObjects(ddl, targets, cascade);
  });
}

/** 2BP01: a copy on a partition goes with the trigger of the partitioned table. */
function refusePart(ddl: Ddl, { parent, name, table }: TriggerObject, verb: 'drop' | 'rename'): void {
  if (parent === undefined) return;
  const on = ddl.schema.tables.get(table)!.name;
  const above = [...ddl.schema.triggered].find(([, triggers]) => triggers.some(({ number }) => number === parent));
  const whole = above === undefined ? '' : ddl.schema.tables.get(above[0])!.name;
  if (verb === 'rename')
    throw new SvcError('XX000', `cannot rename trigger "${name}" on table "${on}"`, {
      hint: `Rename the trigger on the partitioned table "${whole}" instead.`,
    });
  throw new SvcError('2BP01', `cannot drop trigger ${name} on table ${on} because trigger ${name} on table ${whole} requires it`, {
    hint: `You can drop trigger ${name} on table ${whole} instead.`,
  });
}

export function renameTrigger(session: SqlSession, ddl: Ddl, { object, to, ifExists, at }: Rename): void {
  const named = relationPart(object, at);
  const found = ownRelation(session, named, ifExists, ddl);
  if (found === null) return;
  const table = ownedNumber(found);
  const trigger = triggerNamed(ddl, table, named.name);
  if (trigger === undefined) throw missing(named);
  refusePart(ddl, trigger, 'rename');
  if (triggerNamed(ddl, table, to) !== undefined) throw new SvcError('42710', `trigger "${to}" for relation "${named.relation.name}" already exists`);
  changeTrigger(ddl, trigger, (each) => ({ ...each, name: to }));
}

export function commentTrigger(session: SqlSession, ddl: Ddl, object: ObjectName, at: number, text: string | null): void {
  const named = relationPart(object, at);
  const found = triggerable(session, named.relation);
  mustOwn(session, 'relation', ownedNumber(found), named.relation.name);
  const trigger = triggerNamed(ddl, ownedNumber(found), named.name);
  if (trigger === undefined) throw missing(named);
  setComment(ddl, trigger.number, 0, text);
}

/** ENABLE and DISABLE TRIGGER; `only`: copies on partitions are unchanged. */
export function enableTriggers(
  session: SqlSession,
  command: string,
  table: { readonly number: number; readonly name: string },
  { enable, name, which, fire }: AlterAction & { type: 'triggers' },
  only: boolean,
): StatementResult {
  if (
    which === 'named' &&
    !session
      .schema()
      .triggers(table.number)
      .some((each) => each.name === name)
  )
    throw new SvcError('42704', `trigger "${name}" for table "${table.name}" does not exist`);
  if (which === 'all') mustEnforce(session, table.number);
  return define(session, command, (ddl) => {
    if (which === 'all') enforceKeys(ddl, table.number, enable, !only);
    for (const trigger of ddl.schema.triggers(table.number)) {
      if (which === 'named' && trigger.name !== name) continue;
      changeTrigger(ddl, trigger, (each) => withFires(each, enable ? (fire === 'origin' ? undefined : fire) : 'never'), !only);
    }
  });
}

/** Foreign keys of the table and those that reference it. */
function keysAround(schema: Schema, number: number): readonly ForeignKey[] {
  return [...(schema.tables.get(number)?.foreignKeys ?? []), ...schema.referencing(number).map(({ key }) => key)];
}

/** Foreign keys are system triggers; 42501 unless a superuser. */
function mustEnforce(session: SqlSession, number: number): void {
  const [key] = keysAround(session.schema(), number);
  if (key === undefined || session.authority.superuser) return;
  throw new SvcError('42501', `permission denied: "RI_ConstraintTrigger_${key.number}" is a system trigger`);
}

/** Whether foreign keys are enforced; `below`: on partitions, too. */
function enforceKeys(ddl: Ddl, number: number, enable: boolean, below: boolean): void {
  const { schema } = ddl;
  const table = schema.tables.get(number);
  if (table === undefined) return;
  const members = (below ? schema.whole(table)?.whole?.members : undefined) ?? [];
  for (const each of new Set([number, ...members.map((member) => member.table.number)])) {
    if (enable || keysAround(schema, each).length > 0) putFacts(ddl, each, 0, { unenforced: enable ? undefined : true });
  }
}

function withFires(trigger: TriggerObject, fires: TriggerObject['fires']): TriggerObject {
  const out = { ...trigger };
  delete out.fires;
  return fires === undefined ? out : { ...out, fires };
}
