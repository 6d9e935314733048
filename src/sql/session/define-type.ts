/** CREATE and ALTER of types and domains: resolves names and expressions; the schema layer does the rest. */
import { TABLE_LOCK } from '../../locks/lock-mode.ts';
import { isTemporarySchema, type RoutineReference } from '../../worlds/definition.ts';
import type { RangeSpec } from '../schema/user-types.ts';
import { inQuotes } from '../../base/quote-identifier.ts';
import { typeCollation } from '../bind/collation.ts';
import { domainCollation, putFacts } from '../schema/facts.ts';
import { collationOf } from './define-facts.ts';
import type { SqlTable } from '../schema/table.ts';
import { runAlterTable } from './alter-table.ts';
import { SvcError, withoutPlace } from '../../base/errors/svc-error.ts';
import type { AlterDomain, AlterTable, ColumnConstraint, ColumnDefinition, CreateDomain, CreateType, Option } from '../ast/define.ts';
import type { Expression } from '../ast/expression.ts';
import { bindTypeName, type NamedType } from '../bind/type-name.ts';
import type { Ddl } from '../schema/ddl.ts';
import { createEnum } from '../schema/other-objects.ts';
import { alterComposite, alterDomain, type Attribute, createComposite, createDomain, createRange, type DomainChange, isOver } from '../schema/user-types.ts';
import { deparseExpression } from '../parse/deparse.ts';
import type { SqlType } from '../types/type.ts';
import { createBaseType, createShellType } from './create-base-type.ts';
import { binderOf, defaultText, expressionText, targetName } from './define-table.ts';
import { define } from './define.ts';
import { routineName, typeNameOf } from './definition-options.ts';
import { mustOwnType, mustUseType } from './ownership.ts';
import { calledWith, routineFor } from './routine-reference.ts';
import { collationNamed } from '../bind/collation-name.ts';
import { operatorClassOf } from '../schema/index-methods.ts';
import { followsType } from '../schema/operator-strategies.ts';
import { ownClassFor } from './operator-groups.ts';
import type { StatementResult } from './results.ts';
import type { SqlSession } from './sql-session.ts';

/** The schema and name of a type. */
export function typeName(session: SqlSession, name: readonly string[]): { schema: string; name: string } {
  const last = name[name.length - 1];
  if (name.length > 1) return { schema: session.schemaMeant(name[name.length - 2]), name: last };
  const schema = session.schema();
  const path = session.temporary.schema === null ? session.system.schemas(false) : [session.temporary.schema, ...session.system.schemas(false)];
  return { schema: path.find((each) => schema.typeByName(each, last) !== null) ?? session.system.schemas(false)[0] ?? 'public', name: last };
}

function newName(session: SqlSession, name: readonly string[], at: number): { schema: string; name: string } {
  return targetName(session, { catalog: null, schema: name.length > 1 ? name[name.length - 2] : null, name: name[name.length - 1], at });
}

export function createType(session: SqlSession, { name, definition, at }: CreateType): StatementResult {
  switch (definition.kind) {
    case 'enum': {
      const target = newName(session, name, at);
      return define(session, 'CREATE TYPE', (ddl) => {
        createEnum(ddl, target.schema, target.name, definition.labels);
      });
    }
    case 'composite': {
      const target = newName(session, name, at);
      const attributes = withoutPlace(() => definition.columns.map((column) => attribute(session, column)));
      return define(session, 'CREATE TYPE', (ddl) => createComposite(ddl, target.schema, target.name, attributes));
    }
    case 'range': {
      const target = newName(session, name, at);
      if (session.schema().typeByName(target.schema, target.name) !== null) throw new SvcError('42710', `type "${target.name}" already exists`);
      const { multirange, ...range } = rangeOptions(session, definition.options, at);
      return define(session, 'CREATE TYPE', (ddl) => createRange(ddl, target.schema, target.name, range, multirange));
    }
    case 'shell':
      return createShellType(session, name, at);
    case 'base':
      return createBaseType(session, name, definition.options, at);
  }
}

/** SUBTYPE and MULTIRANGE_TYPE_NAME; other options are for indexes, except for those that are functions: 0A000. */
function rangeOptions(session: SqlSession, options: readonly Option[], at: number): RangeSpec & { multirange: string | null } {
  const given = new Map<string, Option>();
  for (const option of options) {
    const name = option.name.toLowerCase();
    if (!RANGE_OPTIONS.has(name)) throw new SvcError('42601', `type attribute "${option.name}" not recognized`);
    if (given.has(name)) throw new SvcError('42601', 'conflicting or redundant options', { position: option.at + 1 });
    given.set(name, option);
  }
  if (given.has('canonical')) throw new SvcError('0A000', 'canonical functions of range types are not supported', { position: at + 1 });
  const written = given.get('subtype');
  if (written === undefined) throw new SvcError('42601', 'type attribute "subtype" is required');
  if (written.value === null) throw new SvcError('42601', `${written.name} requires a parameter`);
  const subtype = withoutPlace(() => bindTypeName(binderOf(session), typeNameOf(written)).type);
  if (subtype.category === 'P') throw new SvcError('42804', `range subtype cannot be ${subtype.title}`);
  const operators = routineName(given.get('subtype_opclass'));
  if (operators !== null) mustOrderAsType(session, operators, subtype);
  const collation = routineName(given.get('collation'));
  if (collation !== null) {
    if (typeCollation(subtype) === null) throw new SvcError('42809', 'range collation specified but subtype does not support collation');
    const name = collation[collation.length - 1];
    if (!session.names().hasCollation(collation.length > 1 ? collation[0] : null, name)) collationNamed(collation);
  }
  const named = routineName(given.get('subtype_diff'));
  const difference = named !== null && subtype.ordered ? differenceOf(session, named, subtype) : undefined;
  const own = collation?.at(-1);
  return { subtype, difference, collation: own === 'default' ? undefined : own, multirange: routineName(given.get('multirange_type_name'))?.at(-1) ?? null };
}

/** Ranges are ordered by their subtype, so a user-defined operator class must have the same order: 42704, 42804, 0A000. */
function mustOrderAsType(session: SqlSession, name: readonly string[], subtype: SqlType): void {
  const own = ownClassFor(session, 'btree', subtype, name);
  if (own === null) operatorClassOf('btree', subtype, name[name.length - 1]);
  else if (!followsType(session.schema(), own, subtype))
    throw new SvcError('0A000', 'range types over an operator class that does not follow the order of the subtype are not supported');
}

const RANGE_OPTIONS: ReadonlySet<string> = new Set(['subtype', 'subtype_opclass', 'collation', 'canonical', 'subtype_diff', 'multirange_type_name']);

/** SUBTYPE_DIFF computes the distance of two values. */
function differenceOf(session: SqlSession, name: readonly string[], subtype: SqlType): RoutineReference {
  const { fn, returns, reference } = routineFor(session, name, [subtype, subtype]);
  const shown = calledWith(name, [subtype, subtype]);
  if (returns.name !== 'float8') throw new SvcError('42P17', `range subtype diff function ${shown} must return type double precision`);
  if ((fn.volatility ?? 'immutable') !== 'immutable' && fn.declaredImmutable !== true)
    throw new SvcError('42P17', `range subtype diff function ${shown} must be immutable`);
  return reference;
}

function attribute(
  session: SqlSession,
  { name, dataType, collation, collationAt, at }: Pick<ColumnDefinition, 'name' | 'dataType' | 'collation' | 'collationAt' | 'at'>,
): Attribute {
  if (dataType === null) throw new SvcError('42601', `column "${name}" has no type`, { position: at + 1 });
  const named = bindTypeName(binderOf(session), dataType);
  if (collation !== null) {
    if (!session.names().hasCollation(collation.length > 1 ? collation[collation.length - 2] : null, collation[collation.length - 1]))
      collationNamed(collation, collationAt);
    if (typeCollation(named.type) === null) {
      const place = collationAt === undefined ? {} : { position: collationAt + 1 };
      throw new SvcError('42804', `collations are not supported by type ${named.type.title}`, place);
    }
  }
  mustUseType(session, named.type);
  return { name, ...named, ...(collation === null || collation.at(-1) === 'default' ? {} : { collation: collation[collation.length - 1] }) };
}

/** Tables created OF the type. */
export function tablesOf(session: SqlSession, type: number): SqlTable[] {
  const schema = session.schema();
  return [...schema.tables.values()].filter(({ number }) => schema.catalog.byNumber.get(number)?.relation?.object.ofType === type);
}

/** ALTER TYPE name ADD | DROP | ALTER ATTRIBUTE. */
export function alterTypeAttributes(session: SqlSession, { name, actions, at }: AlterTable): StatementResult {
  session.startStatement();
  const target = typeName(session, name.schema === null ? [name.name] : [name.schema, name.name]);
  const own = session.schema().ownType(target.schema, target.name);
  if (own === null || own.object.what !== 'composite') throw new SvcError('42P01', `relation "${name.name}" does not exist`);
  mustOwnType(session, own.number);
  const typed = tablesOf(session, own.number);
  if (typed.length > 0 && !actions.every((action) => 'cascade' in action && action.cascade)) {
    throw new SvcError('2BP01', `cannot alter type "${name.name}" because it is the type of a typed table`, {
      hint: 'Use ALTER ... CASCADE to alter the typed tables too.',
    });
  }
  const result = define(session, 'ALTER TYPE', (ddl) => {
    for (const action of actions) {
      if (action.type === 'addColumn') alterComposite(ddl, target.schema, target.name, { kind: 'add', attribute: attribute(session, action.column) });
      else if (action.type === 'dropColumn') alterComposite(ddl, target.schema, target.name, { kind: 'drop', name: action.column, ifExists: action.ifExists });
      else if (action.type === 'setType') {
        const changed = attribute(session, { ...action, name: action.column });
        alterComposite(ddl, target.schema, target.name, { kind: 'type', attribute: changed });
      } else throw new SvcError('0A000', `this ALTER TYPE is not supported`, { position: at + 1 });
    }
  });
  // Typed tables have the same columns.
  for (const table of typed) {
    runAlterTable(
      session,
      { type: 'alterTable', kind: 'table', name: { catalog: null, schema: table.schema, name: table.name, at }, only: false, ifExists: false, actions, at },
      true,
    );
  }
  return result;
}

export function runCreateDomain(session: SqlSession, { name, dataType, collation, constraints, at }: CreateDomain): StatementResult {
  session.startStatement();
  const target = newName(session, name, at);
  const based = bindTypeName(binderOf(session), dataType);
  if (based.type.category === 'P') throw new SvcError('42804', `"${based.type.title}" is not a valid base type for a domain`, { position: dataType.at + 1 });
  if (collation !== null && typeCollation(based.type) === null) {
    throw new SvcError('42804', `collations are not supported by type ${based.type.title}`);
  }
  let notNull: boolean | null = null;
  let text: string | null = null;
  const checks: { name: string | null; condition: string }[] = [];
  for (const constraint of constraints) {
    switch (constraint.type) {
      case 'notNull':
      case 'null':
        if (notNull !== null && notNull !== (constraint.type === 'notNull')) throw new SvcError('42601', 'conflicting NULL/NOT NULL constraints');
        notNull = constraint.type === 'notNull';
        break;
      case 'default':
        if (text !== null) throw new SvcError('42601', 'multiple default expressions');
        text = defaultText(session, constraint.value, based, target.name);
        break;
      case 'check':
        if (constraint.noInherit) throw new SvcError('42P17', 'check constraints for domains cannot be marked NO INHERIT');
        checks.push({ name: constraint.name, condition: conditionText(session, constraint.condition, based.type) });
        break;
      default:
        throw refused(constraint);
    }
  }
  mustUseType(session, based.type);
  return define(session, 'CREATE DOMAIN', (ddl) => {
    createDomain(ddl, { ...target, base: based.type, typmod: based.typmod, notNull: notNull === true, default: text, checks });
    const made = ddl.schema.typeByName(target.schema, target.name);
    const from = collation === null ? domainCollation(ddl.schema, based.type) : collationOf(ddl, collation);
    if (made !== null && from !== undefined) putFacts(ddl, made.oid, 0, { collation: from });
  });
}

function refused({ type }: ColumnConstraint): SvcError {
  const what: Partial<Record<ColumnConstraint['type'], string>> = { primaryKey: 'primary key', unique: 'unique', foreignKey: 'foreign key' };
  const word = what[type];
  if (word !== undefined) return new SvcError('42601', `${word} constraints not possible for domains`);
  return new SvcError('42601', `specifying ${type === 'generated' ? 'GENERATED' : 'this constraint'} is not supported for domains`);
}

/** VALUE is a column to the grammar; any other column does not exist. */
function conditionText(session: SqlSession, condition: Expression, base: SqlType): string {
  const { text } = expressionText(session, condition, [{ name: 'value', type: base, typmod: -1 }], 'boolean', 'check constraints', 'value');
  return text;
}

export function runAlterDomain(session: SqlSession, { name, action }: AlterDomain): StatementResult {
  session.startStatement();
  const target = typeName(session, name);
  const own = session.schema().ownType(target.schema, target.name);
  if (own === null) {
    const oid = session.system.typeOid(name.map(inQuotes).join('.'));
    if (oid !== null) throw new SvcError('42809', `${session.system.typeTitle(oid, -1)} is not a domain`);
    throw new SvcError('42704', `type "${name.join('.')}" does not exist`);
  }
  mustOwnType(session, own.number);
  const base = own.type.domain?.base ?? null;
  const typmod = own.type.domain?.typmod ?? -1;
  const change = domainChange(session, action, base === null ? null : { type: base, typmod }, target.name);
  if (change !== null && readsRows(change)) lockHolders(session, own.number);
  return define(session, 'ALTER DOMAIN', (ddl: Ddl) => {
    if (change !== null) alterDomain(ddl, target.schema, target.name, change);
  });
}

/** Locks tables that hold values of the domain against writers until the constraint takes effect, and waits for transactions that have written one. */
function lockHolders(session: SqlSession, domain: number): void {
  const transaction = session.begin();
  if (transaction.world === null) return;
  const schema = session.schema();
  for (const table of schema.tables.values()) {
    if (!isTemporarySchema(table.schema) && table.columns.some(({ type }) => isOver(type, domain)))
      session.locks.lockTable(transaction, table, TABLE_LOCK.share, false);
  }
}

function readsRows(change: DomainChange): boolean {
  return change.kind === 'validate' || (change.kind === 'addCheck' && !change.notValid) || (change.kind === 'notNull' && change.on);
}

function domainChange(session: SqlSession, action: AlterDomain['action'], base: NamedType | null, name: string): DomainChange | null {
  switch (action.kind) {
    case 'setDefault':
      return { kind: 'default', text: base === null ? null : defaultText(session, action.value, base, name) };
    case 'dropDefault':
      return { kind: 'default', text: null };
    case 'setNotNull':
    case 'dropNotNull':
      return { kind: 'notNull', on: action.kind === 'setNotNull' };
    case 'addConstraint': {
      const { constraint } = action;
      if (constraint.type === 'notNull') return { kind: 'notNull', on: true };
      if (constraint.type !== 'check') throw refused(constraint);
      const condition = base === null ? deparseExpression(constraint.condition) : conditionText(session, constraint.condition, base.type);
      return { kind: 'addCheck', name: constraint.name, condition, notValid: constraint.notValid === true };
    }
    case 'dropConstraint':
      return { kind: 'dropCheck', name: action.name, ifExists: action.ifExists };
    case 'validateConstraint':
      return { kind: 'validate', name: action.name };
  }
}
