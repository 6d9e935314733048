/**
 * CREATE, ALTER, DROP and RENAME of policies, and ALTER TABLE … ROW LEVEL SECURITY (manual, chapter 5.8). A policy's condition is
 * kept as the query `SELECT condition FROM table` with resolved names, so renames treat it like a view.
 */
import { SvcError, withoutPlace } from '../../base/errors/svc-error.ts';
import type { PolicyObject } from '../../worlds/definition.ts';
import type { AlterPolicy, CreatePolicy, ObjectName, Rename, Role } from '../ast/define.ts';
import type { Expression } from '../ast/expression.ts';
import { plainSelect } from '../ast/plain-select.ts';
import type { RelationName, Select } from '../ast/query.ts';
import { bindExpression } from '../bind/expression.ts';
import { Scope } from '../bind/scope.ts';
import type { Ddl } from '../schema/ddl.ts';
import { dropObjects } from '../schema/drop.ts';
import { createPolicy, noSuchPolicy, policyNamed, refusePolicyName } from '../schema/policies.ts';
import { setComment } from '../schema/other-objects.ts';
import type { SqlTable } from '../schema/table.ts';
import { binderOf, referencedName, writtenName } from './define-table.ts';
import { define, relationNamed } from './define.ts';
import { parseQuery } from './names.ts';
import { mustOwn, mustSeeMasked } from './ownership.ts';
import type { StatementResult } from './results.ts';
import type { SqlSession } from './sql-session.ts';
import { viewSpec } from './view-spec.ts';
import { refuseSystemRelation } from './system-relation.ts';

/** Oid of PUBLIC in a policy's roles. */
const PUBLIC = 0;
export function runCreatePolicy(session: SqlSession, statement: CreatePolicy): StatementResult {
  session.startStatement();
  const { name, command, permissive, using, check } = statement;
  if ((command === 'select' || command === 'delete') && check !== null) throw new SvcError('42601', 'WITH CHECK cannot be applied to SELECT or DELETE');
  if (command === 'insert' && using !== null) throw new SvcError('42601', 'only WITH CHECK expression allowed for INSERT');
  const roles = rolesOf(session, statement.roles);
  const table = securable(session, statement.table);
  const texts = textsOf(session, table, statement.table, using, check, []);
  return define(session, 'CREATE POLICY', (ddl) => {
    refusePolicyName(ddl, table, name);
    createPolicy(ddl, { table: table.number, name, permissive, command, roles, ...texts });
  });
}

export function runAlterPolicy(session: SqlSession, statement: AlterPolicy): StatementResult {
  session.startStatement();
  const { name, using, check } = statement;
  const roles = statement.roles === null ? null : rolesOf(session, statement.roles);
  const table = securable(session, statement.table);
  // Conditions are checked first, as in Postgres.
  textsOf(session, table, statement.table, using, check, []);
  return define(session, 'ALTER POLICY', (ddl) => {
    const policy = policyNamed(ddl, table, name);
    const { command } = policy;
    if ((command === 'select' || command === 'delete') && check !== null) throw new SvcError('42601', 'only USING expression allowed for SELECT, DELETE');
    if (command === 'insert' && using !== null) throw new SvcError('42601', 'only WITH CHECK expression allowed for INSERT');
    const kept = [using === null ? policy.using : null, check === null ? policy.check : null].flatMap((text) => text ?? []);
    const texts = textsOf(session, table, statement.table, using, check, kept);
    ddl.put({ ...policy, roles: roles ?? policy.roles, ...texts, using: texts.using ?? policy.using, check: texts.check ?? policy.check });
  });
}

export function dropPolicies(session: SqlSession, objects: readonly ObjectName[], ifExists: boolean, at: number): StatementResult {
  session.startStatement();
  return define(session, 'DROP POLICY', (ddl) => {
    for (const { name } of objects) {
      const relation = relationOf(name, at);
      const policy = name[name.length - 1];
      const target = referencedName(session, relation);
      if (ifExists && session.schema().relation(target.schema, target.name) === null) {
        ddl.notice('00000', `relation "${writtenName(relation)}" does not exist, skipping`);
        continue;
      }
      const table = securable(session, relation, 'relation');
      if (ddl.schema.security(table.number)?.policies.some((each) => each.name === policy) === true)
        dropObjects(ddl, [{ kind: 'policy', table: table.number, name: policy }], false);
      else if (ifExists) ddl.notice('00000', `policy "${policy}" for relation "${relation.name}" does not exist, skipping`);
      else throw noSuchPolicy(table, policy);
    }
  });
}

export function renamePolicy(session: SqlSession, ddl: Ddl, { object, to, ifExists, at }: Rename): void {
  const relation = relationOf(object.name, at);
  const target = referencedName(session, relation);
  if (ifExists && session.schema().relation(target.schema, target.name) === null)
    return ddl.notice('00000', `relation "${relation.name}" does not exist, skipping`);
  const table = securable(session, relation);
  refusePolicyName(ddl, table, to);
  ddl.put({ ...policyNamed(ddl, table, object.name[object.name.length - 1]), name: to });
}

export function commentPolicy(session: SqlSession, ddl: Ddl, { name }: ObjectName, at: number, text: string | null): void {
  const table = securable(session, relationOf(name, at));
  setComment(ddl, policyNamed(ddl, table, name[name.length - 1]).number, 0, text);
}

function relationOf(name: readonly string[], at: number): RelationName {
  return { catalog: null, schema: name.length > 2 ? name[name.length - 3] : null, name: name[name.length - 2], at };
}

/** A table that can have policies, owned by the current user; 42809, 42501. */
function securable(session: SqlSession, name: RelationName, as: 'table' | 'relation' = 'table'): SqlTable {
  refuseSystemRelation(session, name);
  const found = relationNamed(session, name);
  if (found.kind === 'table') mustOwn(session, as, found.table.number, found.table.name);
  if (found.kind !== 'table' || found.table.materialized !== null || found.table.foreign !== undefined)
    throw new SvcError('42809', `"${name.name}" is not a table`);
  return found.table;
}

function rolesOf(session: SqlSession, roles: readonly Role[]): number[] {
  const oids = roles.map((role) => session.authority.named(role, PUBLIC));
  if (oids.length === 0) return [PUBLIC];
  if (!oids.includes(PUBLIC)) return [...new Set(oids)];
  if (oids.length > 1)
    session.sendNotice({
      severity: 'WARNING',
      code: '22023',
      message: 'ignoring specified roles other than PUBLIC',
      hint: 'All roles are members of the PUBLIC role.',
    });
  return [PUBLIC];
}

/** The stored form of the conditions; `kept` are the policy's existing ones. */
function textsOf(
  session: SqlSession,
  table: SqlTable,
  name: RelationName,
  using: Expression | null,
  check: Expression | null,
  kept: readonly string[],
): Pick<PolicyObject, 'using' | 'check' | 'uses'> {
  mustSeeMasked(session, table);
  const uses = new Map<number, Set<number>>();
  const note = ({ uses: all }: Pick<PolicyObject, 'uses'>): void => {
    for (const { object, columns } of all) {
      const own = uses.get(object) ?? new Set();
      for (const column of columns) own.add(column);
      uses.set(object, own);
    }
  };
  const text = (condition: Expression | null): string | null => {
    if (condition === null) return null;
    withoutPlace(() => mustBeCondition(session, table, condition));
    const spec = viewSpec(session, { query: queryOf(table, name, condition), columns: [], at: condition.at });
    note(spec);
    return spec.sql;
  };
  const texts = { using: text(using), check: text(check) };
  for (const sql of kept) note(viewSpec(session, { query: parseQuery(sql), columns: [], at: name.at }));
  return { ...texts, uses: [...uses].map(([object, columns]) => ({ object, columns: [...columns] })) };
}

/** 42804, 42803, 42P20, 0A000: not a condition over one row. */
function mustBeCondition(session: SqlSession, table: SqlTable, condition: Expression): void {
  const binder = binderOf(session);
  const scope = new Scope(null);
  scope.clause = 'policy';
  const columns = table.columns.map(({ name, type, typmod }) => ({ name, value: binder.use(binder.column(name, type, typmod)) }));
  const tableoid = { name: 'tableoid', value: binder.use(binder.column('tableoid', binder.type('oid'))) };
  scope.namespace = { relations: [{ alias: table.name, schema: table.schema, columns, table, system: [tableoid] }], columns };
  binder.coercion.toBoolean(bindExpression(binder, condition, scope), 'POLICY', condition.at);
}

function queryOf({ schema, name }: SqlTable, { at }: RelationName, condition: Expression): Select {
  return plainSelect(
    [{ value: condition, alias: null, at }],
    [{ type: 'table', name: { catalog: null, schema, name, at }, alias: null, only: false, asOf: null, sample: null, at }],
    null,
    at,
  );
}
