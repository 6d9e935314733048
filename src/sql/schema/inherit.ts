/**
 * Columns and checks inherited from parents (manual, 5.10 and CREATE TABLE, "INHERITS"): merged with the table's own at creation,
 * compared with them when it becomes a child later, and counted down when it leaves a parent.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { AttributeObject, CheckObject, RelationObject } from '../../worlds/definition.ts';
import type { ColumnSpec, ConstraintSpec, TableSpec } from './create-table.ts';
import type { Ddl } from './ddl.ts';
import { factsOf } from './facts.ts';
import { descendants } from './hierarchy.ts';
import type { SqlTable } from './table.ts';

type CheckSpec = Extract<ConstraintSpec, { kind: 'check' }>;

export function checksOf(ddl: Ddl, table: number): readonly CheckObject[] {
  return (ddl.schema.catalog.byNumber.get(table)?.relation?.constraints ?? []).filter((each): each is CheckObject => each.what === 'check');
}

function titleOf({ type, typmod }: Pick<ColumnSpec, 'type' | 'typmod'>): string {
  return `${type.title}${type.formatTypmod(typmod)}`;
}

/** The table to create: columns of the parents first, its own merged into them or after them. */
export function withParents(ddl: Ddl, spec: TableSpec, parents: readonly SqlTable[]): TableSpec {
  const partition = spec.bound !== undefined;
  const inherited: (ColumnSpec & { inherited: number; conflict?: boolean })[] = [];
  for (const parent of parents) {
    for (const column of parent.columns) {
      const { name, type, typmod, notNull, generated } = column;
      const at = inherited.findIndex((each) => each.name === name);
      if (at < 0) {
        const collation = factsOf(ddl.schema, parent.number, column.attnum)?.collation ?? null;
        const fromParent = { notNull, generated, default: column.default, identity: null, serial: false, collation, inherited: 1, local: false };
        inherited.push({ name, type, typmod, ...fromParent });
        continue;
      }
      const known = inherited[at];
      ddl.notice('00000', `merging multiple inherited definitions of column "${name}"`);
      if (known.type.oid !== type.oid || known.typmod !== typmod)
        throw new SvcError('42804', `inherited column "${name}" has a type conflict`, { detail: `${titleOf(known)} versus ${titleOf(column)}` });
      const collation = factsOf(ddl.schema, parent.number, column.attnum)?.collation ?? 'default';
      if ((known.collation ?? 'default') !== collation)
        throw new SvcError('42P21', `inherited column "${name}" has a collation conflict`, {
          detail: `"${known.collation ?? 'default'}" versus "${collation}"`,
        });
      if ((known.generated === null) !== (generated === null)) throw new SvcError('42611', `inherited column "${name}" has a generation conflict`);
      inherited[at] = {
        ...known,
        inherited: known.inherited + 1,
        notNull: known.notNull || notNull,
        default: known.default ?? column.default,
        conflict: known.conflict === true || (known.default !== null && column.default !== null && known.default !== column.default),
      };
    }
  }
  const own: ColumnSpec[] = [];
  spec.columns.forEach((column, place) => {
    const at = inherited.findIndex(({ name }) => name === column.name);
    if (at < 0) {
      if (partition) throw new SvcError('42703', `column "${column.name}" does not exist`);
      own.push({ ...column, local: true });
      return;
    }
    const known = inherited[at];
    if (!partition) {
      if (at === place) ddl.notice('00000', `merging column "${column.name}" with inherited definition`);
      else
        ddl.notice(
          '00000',
          `moving and merging column "${column.name}" with inherited definition`,
          'User-specified column moved to the position of the inherited column.',
        );
    }
    if (known.type.oid !== column.type.oid || known.typmod !== column.typmod)
      throw new SvcError('42804', `column "${column.name}" has a type conflict`, { detail: `${titleOf(known)} versus ${titleOf(column)}` });
    if (column.collation !== undefined && column.collation !== null && (known.collation ?? 'default') !== column.collation)
      throw new SvcError('42P21', `column "${column.name}" has a collation conflict`, {
        detail: `"${known.collation ?? 'default'}" versus "${column.collation}"`,
      });
    if (known.generated !== null && column.default !== null)
      throw new SvcError('42611', `column "${column.name}" inherits from generated column but specifies default`);
    if (known.generated !== null && column.identity !== null)
      throw new SvcError('42611', `column "${column.name}" inherits from generated column but specifies identity`);
    if (known.generated === null && column.generated !== null)
      throw new SvcError('42611', `child column "${column.name}" specifies generation expression`, {
        hint: 'Omit the generation expression in the definition of the child table column to inherit the generation expression from the parent table.',
      });
    inherited[at] = {
      ...known,
      notNull: known.notNull || column.notNull,
      default: column.default ?? (column.identity === null ? known.default : null),
      conflict: column.default === null && known.conflict === true,
      identity: column.identity,
      serial: column.serial,
      local: !partition,
    };
  });
  const columns = inherited.map(({ conflict, ...column }): ColumnSpec => {
    const { name } = column;
    if (conflict === true)
      throw new SvcError('42611', `column "${name}" inherits conflicting default values`, { hint: 'To resolve the conflict, specify a default explicitly.' });
    return column;
  });
  return { ...spec, columns: [...columns, ...own], constraints: withChecks(ddl, spec, parents) };
}

function withChecks(ddl: Ddl, spec: TableSpec, parents: readonly SqlTable[]): ConstraintSpec[] {
  const inherited: CheckSpec[] = [];
  for (const parent of parents) {
    for (const check of checksOf(ddl, parent.number)) {
      if (check.noInherit === true) continue;
      const at = inherited.findIndex(({ name }) => name === check.name);
      if (at < 0) {
        const columns = parent.columns.filter(({ number }) => check.columns.includes(number)).map(({ name }) => name);
        inherited.push({
          kind: 'check',
          name: check.name,
          condition: check.condition,
          columns,
          inherited: 1,
          local: false,
          ...(check.notValid === true ? { notValid: true } : {}),
        });
        continue;
      }
      if (inherited[at].condition !== check.condition)
        throw new SvcError('42710', `check constraint name "${check.name}" appears multiple times but with different expressions`);
      inherited[at] = { ...inherited[at], inherited: inherited[at].inherited! + 1 };
    }
  }
  const own: ConstraintSpec[] = [];
  for (const each of spec.constraints) {
    const at = each.kind === 'check' && each.name !== null ? inherited.findIndex(({ name }) => name === each.name) : -1;
    if (at < 0 || each.kind !== 'check') {
      own.push(each);
      continue;
    }
    if (inherited[at].condition !== each.condition) throw new SvcError('42710', `constraint "${each.name!}" for relation "${spec.name}" already exists`);
    if (each.noInherit === true) throw new SvcError('42P16', `constraint "${each.name!}" conflicts with inherited constraint on relation "${spec.name}"`);
    ddl.notice('00000', `merging constraint "${each.name!}" with inherited definition`);
    inherited[at] = { ...inherited[at], local: true };
  }
  return [...inherited, ...own];
}

/** Adds a parent to an existing table, which must have its columns and checks already. `partition`: it is attached to a partitioned table. */
export function becomeChild(ddl: Ddl, parent: SqlTable, child: SqlTable, changes: Partial<RelationObject>): void {
  const partition = parent.inheritance?.partitionBy != null;
  const relation = ddl.schema.catalog.byNumber.get(child.number)!.relation!;
  for (const column of parent.columns) {
    const own = child.columns.find(({ name }) => name === column.name);
    if (own === undefined) throw new SvcError('42804', `child table is missing column "${column.name}"`);
    if (own.type.oid !== column.type.oid || own.typmod !== column.typmod)
      throw new SvcError('42804', `child table "${child.name}" has different type for column "${column.name}"`);
    if (column.notNull && !own.notNull) throw new SvcError('42804', `column "${column.name}" in child table must be marked NOT NULL`);
    if (column.generated !== null && own.generated === null) throw new SvcError('42804', `column "${column.name}" in child table must be a generated column`);
    if (column.generated === null && own.generated !== null && partition)
      throw new SvcError('42804', `column "${column.name}" in child table must not be a generated column`);
    const attribute = relation.attributes.find(({ number }) => number === own.number)!;
    ddl.put({ ...attribute, inherited: (attribute.inherited ?? 0) + 1, ...(partition ? { notLocal: true as const } : {}) });
  }
  const checks = checksOf(ddl, child.number);
  for (const check of checksOf(ddl, parent.number)) {
    if (check.noInherit === true) continue;
    const own = checks.find(({ name }) => name === check.name);
    if (own === undefined) throw new SvcError('42804', `child table is missing constraint "${check.name}"`);
    if (own.condition !== check.condition)
      throw new SvcError('42804', `child table "${child.name}" has different definition for check constraint "${check.name}"`);
    if (own.noInherit === true)
      throw new SvcError('42P17', `constraint "${check.name}" conflicts with non-inherited constraint on child table "${child.name}"`);
    if (own.notValid === true && check.notValid !== true)
      throw new SvcError('42P17', `constraint "${check.name}" conflicts with NOT VALID constraint on child table "${child.name}"`);
    ddl.put({ ...own, inherited: (own.inherited ?? 0) + 1, ...(partition ? { notLocal: true as const } : {}) });
  }
  ddl.put({ ...relation.object, parents: [...(relation.object.parents ?? []), parent.number], ...changes });
}

/** The child keeps its columns, as local ones if no other parent has them. */
export function leaveParent(ddl: Ddl, parent: SqlTable, child: SqlTable): void {
  const relation = ddl.schema.catalog.byNumber.get(child.number)!.relation!;
  for (const attribute of relation.attributes) {
    if (!parent.columns.some(({ name }) => name === attribute.name)) continue;
    ddl.put(fewerParents(attribute, true));
  }
  const names = new Set(checksOf(ddl, parent.number).flatMap(({ name, noInherit }) => (noInherit === true ? [] : [name])));
  for (const check of checksOf(ddl, child.number)) if (names.has(check.name)) ddl.put(fewerParents(check, true));
  const { parents = [], bound: _, ...rest } = relation.object;
  const left = parents.filter((number) => number !== parent.number);
  ddl.put(left.length === 0 ? rest : { ...rest, parents: left });
}

/** `keep`: it becomes local once no parent has it. */
export function fewerParents<T extends AttributeObject | CheckObject>(object: T, keep: boolean): T {
  const { inherited = 0, notLocal, ...rest } = object;
  const count = Math.max(0, inherited - 1);
  return { ...rest, ...(count > 0 ? { inherited: count } : {}), ...(notLocal === true && !(keep && count === 0) ? { notLocal } : {}) } as T;
}

/** 42P07 if the new parent is a descendant of the child. */
export function refuseCircle(ddl: Ddl, parent: SqlTable, child: SqlTable): void {
  if (parent.number !== child.number && !descendants(ddl.schema, child).some(({ number }) => number === parent.number)) return;
  throw new SvcError('42P07', 'circular inheritance not allowed', { detail: `"${parent.name}" is already a child of "${child.name}".` });
}
