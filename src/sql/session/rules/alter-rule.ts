/** DROP, RENAME and COMMENT of rules; ALTER TABLE … ENABLE and DISABLE RULE. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import type { RuleObject } from '../../../worlds/definition.ts';
import type { AlterAction, ObjectName, Rename } from '../../ast/define.ts';
import type { Ddl } from '../../schema/ddl.ts';
import { dropObjects } from '../../schema/drop.ts';
import type { DropTarget } from '../../schema/drop-target.ts';
import { setComment } from '../../schema/other-objects.ts';
import type { Relation } from '../../schema/schema.ts';
import { missingSchema } from '../missing-objects.ts';
import { referencedName, writtenName } from '../define-table.ts';
import { define, relationNamed } from '../define.ts';
import { mustOwn, ownedNumber } from '../ownership.ts';
import { type RelationPart, relationPart } from '../relation-part.ts';
import type { StatementResult } from '../results.ts';
import type { SqlSession } from '../sql-session.ts';

function missing(name: string, relation: string): SvcError {
  return new SvcError('42704', `rule "${name}" for relation "${relation}" does not exist`);
}

/** A user-defined rule of the relation; null for the _RETURN rule of a view. */
function ruleOf(session: SqlSession, found: Relation, { name, relation }: RelationPart): RuleObject | null {
  const rule = session
    .schema()
    .rules(ownedNumber(found))
    .find((each) => each.name === name);
  if (rule !== undefined) return rule;
  const isView = found.kind === 'view' || (found.kind === 'table' && found.table.materialized !== null);
  if (isView && name === '_RETURN') return null;
  throw missing(name, relation.name);
}

export function dropRules(session: SqlSession, objects: readonly ObjectName[], ifExists: boolean, cascade: boolean, at: number): StatementResult {
  session.startStatement();
  return define(session, 'DROP RULE', (ddl) => {
    const targets: DropTarget[] = [];
    for (const object of objects) {
      const named = relationPart(object, at);
      const { relation } = named;
      const target = referencedName(session, relation);
      if (ifExists && session.schema().relation(target.schema, target.name) === null) {
        const lacking = relation.schema === null ? null : missingSchema(session, [relation.schema, relation.name]);
        ddl.notice('00000', `${lacking ?? `relation "${writtenName(relation)}" does not exist`}, skipping`);
        continue;
      }
      const found = relationNamed(session, relation);
      const number = ownedNumber(found);
      let rule: RuleObject | null;
      try {
        rule = ruleOf(session, found, named);
      } catch (error) {
        if (!ifExists || !(error instanceof SvcError)) throw error;
        ddl.notice('00000', `${error.message}, skipping`);
        continue;
      }
      mustOwn(session, 'relation', number, relation.name);
      if (rule === null) {
        const on = `${found.kind === 'view' ? 'view' : 'materialized view'} ${relation.name}`;
        throw new SvcError('2BP01', `cannot drop rule _RETURN on ${on} because ${on} requires it`, { hint: `You can drop ${on} instead.` });
      }
      targets.push({ kind: 'rule', table: number, name: named.name });
    }
    if (targets.length > 0) dropObjects(ddl, targets, cascade);
  });
}

export function renameRule(session: SqlSession, ddl: Ddl, { object, to, at }: Rename): void {
  const named = relationPart(object, at);
  const found = relationNamed(session, named.relation);
  if (found.kind === 'sequence' || found.kind === 'index')
    throw new SvcError('42809', `relation "${named.relation.name}" cannot have rules`, {
      detail: `This operation is not supported for ${found.kind === 'index' ? 'indexes' : 'sequences'}.`,
    });
  mustOwn(session, found.kind, ownedNumber(found), named.relation.name);
  const rule = ruleOf(session, found, named);
  if (
    session
      .schema()
      .rules(ownedNumber(found))
      .some((each) => each.name === to)
  )
    throw new SvcError('42710', `rule "${to}" for relation "${named.relation.name}" already exists`);
  if (rule === null) throw new SvcError('42P17', 'renaming an ON SELECT rule is not allowed');
  ddl.put({ ...rule, name: to });
}

/** The _RETURN rule of a view has no stored row to comment on. */
export function commentRule(session: SqlSession, ddl: Ddl, object: ObjectName, at: number, text: string | null): void {
  const named = relationPart(object, at);
  const found = relationNamed(session, named.relation);
  const rule = ruleOf(session, found, named);
  mustOwn(session, 'relation', ownedNumber(found), named.relation.name);
  if (rule !== null) setComment(ddl, rule.number, 0, text);
}

/** 42809: only rules of tables can be enabled and disabled. */
export function refuseOnView(name: string, { enable, fire }: AlterAction & { type: 'rules' }): never {
  const action = !enable ? 'DISABLE RULE' : fire === 'origin' ? 'ENABLE RULE' : `ENABLE ${fire.toUpperCase()} RULE`;
  throw new SvcError('42809', `ALTER action ${action} cannot be performed on relation "${name}"`, { detail: 'This operation is not supported for views.' });
}

export function enableRule(
  session: SqlSession,
  command: string,
  relation: { readonly number: number; readonly name: string },
  { enable, name, fire }: AlterAction & { type: 'rules' },
): StatementResult {
  const rule = session
    .schema()
    .rules(relation.number)
    .find((each) => each.name === name);
  if (rule === undefined) throw missing(name, relation.name);
  return define(session, command, (ddl) => {
    const { fires: _, ...plain } = rule;
    const fires = enable ? (fire === 'origin' ? undefined : fire) : 'never';
    ddl.put(fires === undefined ? plain : { ...plain, fires });
  });
}
