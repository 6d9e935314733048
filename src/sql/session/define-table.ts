/** CREATE TABLE for the schema layer: resolves types, checks expressions and keeps them as text. */
import { collationNamed } from '../bind/collation-name.ts';
import { collationOf } from '../catalog/type-rows.ts';
import { SvcError, withoutPlace } from '../../base/errors/svc-error.ts';
import type {
  CheckConstraint,
  ColumnConstraint,
  ColumnDefinition,
  CreateTable,
  ExclusionConstraint,
  ForeignKeyAction,
  ForeignKeyConstraint,
  KeyConstraint,
  LikeClause,
  TableConstraint,
  TableElement,
} from '../ast/define.ts';
import { refuseOpen } from '../schema/documents-option.ts';
import type { Expression } from '../ast/expression.ts';
import type { RelationName } from '../ast/query.ts';
import type { TypeName } from '../ast/type-name.ts';
import { indexColumnName } from '../bind/output-name.ts';
import { isTemporarySchema, type ServerObject } from '../../worlds/definition.ts';
import { Binder } from '../bind/binder.ts';
import { bindExpression } from '../bind/expression.ts';
import { Scope } from '../bind/scope.ts';
import { storedScope } from '../bind/stored-scope.ts';
import { refuseOtherDatabase } from '../bind/other-database.ts';
import { bindTypeName } from '../bind/type-name.ts';
import { anyIn } from '../bind/walk.ts';
import { columnsOf } from '../plan/rules/walk.ts';
import type { Bound } from '../plan/bound.ts';
import { deparseExpression } from '../parse/deparse.ts';
import { relationTaken, schemaMustExist } from '../schema/object-errors.ts';
import { PRIVILEGE } from '../schema/acl.ts';
import type { ColumnSpec, ConstraintSpec, TableSpec } from '../schema/create-table.ts';
import { createIndex } from '../schema/create-index.ts';
import type { SequenceOptions } from '../schema/create-sequence.ts';
import type { Ddl } from '../schema/ddl.ts';
import { setComment } from '../schema/other-objects.ts';
import type { Relation } from '../schema/schema.ts';
import { factsOf, includedInKey, putFacts } from '../schema/facts.ts';
import type { SqlTable } from '../schema/table.ts';
import { columnsOf as recordColumns } from '../types/record-type.ts';
import type { SqlType } from '../types/type.ts';
import { parseExpressionText } from './names.ts';
import { boundPlaces, partitionBoundSpec, partitionKeySpec } from './define-partition.ts';
import { refuseOtherKind } from './alter-inheritance.ts';
import { mustCreateIn, mustHave, mustOwnTable, mustSeeColumns, mustUseType } from './ownership.ts';
import { foreignSource, refuseForForeign, withForeignOptions } from './foreign/foreign-tables.ts';
import { sequenceOptions } from './sequence-options.ts';
import { checkStorage } from './define-facts.ts';
import { likeStatistics } from './like-statistics.ts';
import { storageOptions } from './storage-options.ts';
import { withoutDuplicates } from './duplicate-keys.ts';
import type { SqlSession } from './sql-session.ts';
import { unscopedNamed } from './unscoped-objects.ts';
import { functionFacts, typeFacts } from '../catalog/facts.ts';
import { isSystemCatalog, refuseSystemRelation, systemRelation } from './system-relation.ts';

const SERIALS: Record<string, string> = {
  serial: 'int4',
  serial4: 'int4',
  bigserial: 'int8',
  serial8: 'int8',
  smallserial: 'int2',
  serial2: 'int2',
};

const ACTIONS: Record<ForeignKeyAction, 'no action' | 'restrict' | 'cascade' | 'set null' | 'set default'> = {
  noAction: 'no action',
  restrict: 'restrict',
  cascade: 'cascade',
  setNull: 'set null',
  setDefault: 'set default',
};

/** The table that is being created. */
interface OwnName {
  readonly schema: string;
  readonly name: string;
}

export interface ColumnPieces {
  readonly column: ColumnSpec;
  readonly constraints: readonly ConstraintSpec[];
}

/** The columns that expressions of a table may read, before the table exists. */
export interface KnownColumn {
  readonly name: string;
  readonly type: SqlType;
  readonly typmod: number;
  /** Neither null nor false if it is a generated column. */
  readonly generated?: string | boolean | null;
}

/** A new table has no rows, so NOT VALID constraints are valid. */
function validElement(element: TableElement): TableElement {
  return 'notValid' in element && element.notValid ? { ...element, notValid: false } : element;
}

/** In steps: it yields between columns of wide tables. */
export function* tableSpec(session: SqlSession, statement: CreateTable): Generator<void, TableSpec> {
  const temporary = statement.persistence === 'temporary';
  const { schema, name } = placedAt(statement.name.at, () => {
    const target = targetName(session, statement.name, temporary);
    if (statement.name.schema !== null && !isTemporarySchema(target.schema)) schemaMustExist(session.schema(), target.schema);
    return target;
  });
  if (!isTemporarySchema(schema) && statement.onCommit !== 'none') {
    throw new SvcError('42P16', 'ON COMMIT can only be used on temporary tables');
  }
  if (statement.foreign !== undefined) refuseForForeign(statement.elements);
  const parents =
    statement.partitionOf === null ? inheritedTables(session, statement, isTemporarySchema(schema)) : [partitionedTable(session, statement.partitionOf.parent)];
  if (statement.partitionBy !== null && statement.inherits.length > 0)
    throw new SvcError('42P16', 'cannot create partitioned table as inheritance child', { position: statement.at + 1 });
  const known: KnownColumn[] = [];
  for (const parent of parents) known.push(...parent.columns.filter((column) => !known.some((each) => each.name === column.name)));
  const ofType = statement.ofType === null ? null : rowColumns(session, statement.ofType);
  const columns: ColumnSpec[] = ofType === null ? [] : ofType.columns.map((column) => ({ ...PLAIN_COLUMN, ...column }));
  known.push(...columns);
  const constraints: ConstraintSpec[] = [];
  if (statement.partitionOf !== null) refuseOtherKind(parents[0], isTemporarySchema(schema), 'create');
  const fixed = statement.partitionOf !== null || ofType !== null;
  const named = new Set<string>();
  for (const element of statement.elements) {
    if (element.type === 'column') {
      if (fixed && named.has(element.name)) throw new SvcError('42701', `column "${element.name}" specified more than once`);
      named.add(element.name);
      if (statement.partitionOf !== null) refuseOnPartition(element);
      if (known.some((each) => each.name === element.name && fixed)) continue;
      if (fixed) throw new SvcError('42703', `column "${element.name}" does not exist`);
      const own = { name: element.name, ...columnType(session, element).named, generated: element.constraints.some(({ type }) => type === 'generated') };
      const at = known.findIndex((each) => each.name === element.name && parents.length > 0);
      if (at >= 0) known[at] = own;
      else known.push(own);
    } else if (element.type === 'like') known.push(...likeColumns(session, element));
    yield;
  }
  for (const written of statement.elements) {
    yield;
    const element = validElement(written);
    switch (element.type) {
      case 'column': {
        const pieces = columnPieces(session, element, known, name, { schema, name });
        const { foreign } = statement;
        const server = (): ServerObject | null => (foreign === undefined ? null : unscopedNamed(session, 'server', foreign.server));
        const column = withForeignOptions(session, name, server, pieces.column, element);
        const at = ofType === null ? -1 : columns.findIndex((each) => each.name === element.name);
        if (at >= 0) columns[at] = column;
        else columns.push(column);
        constraints.push(...pieces.constraints);
        break;
      }
      case 'like':
        columns.push(...likeSpecs(session, element));
        constraints.push(...likeConstraints(session, element));
        break;
      default: {
        const constraint = tableConstraint(session, element, known, name, { schema, name });
        if (constraint !== null) constraints.push(constraint);
      }
    }
  }
  const checks = constraints.flatMap((each) => (each.kind === 'check' && each.name !== null ? [each.name] : []));
  const twice = checks.find((each, i) => checks.indexOf(each) < i);
  if (twice !== undefined) throw new SvcError('42710', `check constraint "${twice}" already exists`);
  for (const each of constraints) refuseUnlogged(session, each, statement.persistence !== 'permanent');
  // NOT NULL as a table constraint. Conditions on keys are checked once it is known that the table can be created.
  if (statement.partitionBy !== null && !statement.ifNotExists && session.schema().relation(schema, name) !== null) throw relationTaken(name);
  const required = new Set(statement.elements.flatMap((element) => (element.type === 'notNull' && element.column !== null ? [element.column] : [])));
  return {
    schema,
    name,
    ifNotExists: statement.ifNotExists,
    columns: columns.map((column) => (required.has(column.name) ? { ...column, notNull: true } : column)),
    constraints: withoutDuplicates(constraints),
    ...(parents.length === 0 ? {} : { parents: parents.map(({ number }) => number) }),
    ...(statement.partitionBy === null ? {} : { partitionBy: partitionKeySpec(session, statement.partitionBy, known, name) }),
    ...(statement.partitionOf === null
      ? {}
      : { bound: partitionBoundSpec(session, statement.partitionOf.bound, parents[0]), boundPlaces: boundPlaces(statement.partitionOf.bound) }),
    ...(ofType === null ? {} : { ofType: ofType.oid }),
    ...(statement.foreign === undefined ? {} : { foreign: foreignSource(session, statement.foreign) }),
    ...(statement.onCommit === 'deleteRows' ? { onCommit: 'delete rows' } : statement.onCommit === 'drop' ? { onCommit: 'drop' } : {}),
  };
}

/** 42P16: an unlogged table is emptied after a crash, which would leave dangling references. */
export function refuseUnlogged(session: SqlSession, constraint: ConstraintSpec, unlogged: boolean): void {
  if (constraint.kind !== 'foreign key' || unlogged) return;
  const schema = session.schema();
  const target = schema.table(constraint.target.schema, constraint.target.name);
  if (target !== null && factsOf(schema, target.number)?.unlogged === true)
    throw new SvcError('42P16', 'constraints on permanent tables may reference only permanent tables');
}

/** Only CREATE TABLE gives the position of a missing schema. */
function placedAt<T>(at: number, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof SvcError && error.position === undefined && error.detail === undefined && (error.code === '3F000' || error.code === '42501'))
      throw new SvcError(error.code, error.message, { position: at + 1 });
    throw error;
  }
}

const PLAIN_COLUMN = { notNull: false, default: null, generated: null, identity: null, serial: false };

/** The columns of the composite type that a table is of. */
export function rowColumns(session: SqlSession, name: TypeName): { oid: number; columns: { name: string; type: SqlType; typmod: number }[] } {
  const { type } = withoutPlace(() => bindTypeName(binderOf(session), name));
  const columns = session.schema().types.get(type.oid)?.object.what === 'composite' ? recordColumns(type) : null;
  if (columns === null) throw new SvcError('42809', `type ${type.title} is not a composite type`);
  mustUseType(session, type);
  return { oid: type.oid, columns: columns.map((column) => ({ name: column.name, type: column.type, typmod: column.typmod })) };
}

/** The tables of INHERITS. */
function inheritedTables(session: SqlSession, statement: CreateTable, isTemporary: boolean): SqlTable[] {
  const out: SqlTable[] = [];
  for (const parent of statement.inherits) {
    session.startStatement();
    const found = session.schema().relation(...namesOf(referencedName(session, parent)));
    if (found === null) refuseSystemRelation(session, parent);
    if (found === null) throw new SvcError('42P01', `relation "${parent.name}" does not exist`);
    if (found.kind !== 'table' || found.table.materialized !== null)
      throw new SvcError('42809', `inherited relation "${parent.name}" is not a table or foreign table`);
    const { table } = found;
    mustOwnTable(session, table);
    refuseParent(table);
    if (!isTemporary && isTemporarySchema(table.schema)) throw new SvcError('42809', `cannot inherit from temporary relation "${table.name}"`);
    if (out.some(({ number }) => number === table.number)) throw new SvcError('42P07', `relation "${parent.name}" would be inherited from more than once`);
    out.push(table);
  }
  return out;
}

function namesOf({ schema, name }: { schema: string; name: string }): [string, string] {
  return [schema, name];
}

function refuseOnPartition({ constraints }: ColumnDefinition): void {
  for (const { type } of constraints) {
    if (type === 'generated' || type === 'identity') throw new SvcError('0A000', `${type} columns are not supported on partitions`);
  }
}

/** A partitioned table or partition cannot have inheritance children. */
export function refuseParent(table: SqlTable): void {
  refuseOpen(table);
  if (table.inheritance?.partitionBy != null) throw new SvcError('42809', `cannot inherit from partitioned table "${table.name}"`);
  if (table.inheritance !== null && table.inheritance.bound !== null) throw new SvcError('42809', `cannot inherit from partition "${table.name}"`);
}

/** The parent of PARTITION OF. */
function partitionedTable(session: SqlSession, name: RelationName): SqlTable {
  session.mustBeTable(name);
  const found = session.schema().relation(...namesOf(referencedName(session, name)));
  if (found?.kind !== 'table' || found.table.inheritance?.partitionBy == null) throw new SvcError('42P17', `"${name.name}" is not partitioned`);
  mustOwnTable(session, found.table);
  return found.table;
}

/** Schema and name of a new object; 3F000 if the path has no schema. */
export function targetName(session: SqlSession, name: RelationName, temporary = false): { schema: string; name: string } {
  refuseOtherDatabase(session.env, name);
  if (name.schema === 'pg_catalog' || name.schema === 'information_schema') {
    if (!session.authority.free) throw new SvcError('42501', `permission denied for schema ${name.schema}`);
    throw new SvcError('42501', `permission denied to create "${name.schema}.${name.name}"`, {
      detail: 'System catalog modifications are currently disallowed.',
    });
  }
  const isTemporary = name.schema === 'pg_temp' || (name.schema !== null && name.schema === session.temporary.schema);
  if (isTemporary || (temporary && name.schema === null)) return { schema: temporarySchema(session), name: name.name };
  if (name.schema !== null) {
    if (temporary) throw new SvcError('42P16', 'cannot create temporary relation in non-temporary schema', { position: name.at + 1 });
    mustCreateIn(session, name.schema);
    return { schema: name.schema, name: name.name };
  }
  // pg_temp first in the path makes every new object temporary.
  if (session.searchPath().find((each) => each === 'pg_temp' || session.schema().schemas.has(each)) === 'pg_temp')
    return { schema: temporarySchema(session), name: name.name };
  const [first] = session.system.schemas(false).filter((each) => each !== 'pg_catalog');
  if (first === undefined) throw new SvcError('3F000', 'no schema has been selected to create in', { position: name.at + 1 });
  mustCreateIn(session, first);
  return { schema: first, name: name.name };
}

function columnType(
  session: SqlSession,
  { dataType, name, collation, collationAt, at }: ColumnDefinition,
): { named: { type: SqlType; typmod: number }; serial: boolean } {
  if (dataType === null) throw new SvcError('42601', `column "${name}" has no type`, { position: at + 1 });
  const binder = binderOf(session);
  const serial = dataType.schema === null && dataType.arrayBounds.length === 0 ? SERIALS[dataType.name] : undefined;
  if (serial !== undefined) return { named: { type: session.host.registry.type(serial), typmod: -1 }, serial: true };
  if (dataType.schema === null && dataType.arrayBounds.length > 0 && Object.hasOwn(SERIALS, dataType.name))
    throw new SvcError('0A000', 'array of serial is not implemented', { position: dataType.at + 1 });
  const named = bindTypeName(binder, dataType);
  mustUseType(session, named.type);
  if (collation !== null) {
    const last = collation[collation.length - 1];
    if (!session.names().hasCollation(collation.length > 1 ? collation[collation.length - 2] : null, last)) collationNamed(collation, collationAt);
    if (collationOf(named.type) === 0)
      throw new SvcError('42804', `collations are not supported by type ${named.type.title}`, { position: (collationAt ?? at) + 1 });
  }
  return { named, serial: false };
}

export function binderOf(session: SqlSession): Binder {
  return new Binder(session.names(), session.host.registry, session.env, { types: [], fixed: true });
}

/** A column with its column constraints. `known` are all columns of the table. */
export function columnPieces(
  session: SqlSession,
  definition: ColumnDefinition,
  known: readonly KnownColumn[],
  table: string,
  itself: OwnName | null = null,
): ColumnPieces {
  const { name } = definition;
  // The column of a partition or typed table is defined by its parent or type.
  const given = definition.dataType === null ? known.find((each) => each.name === name) : undefined;
  const { named, serial } = given === undefined ? columnType(session, definition) : { named: { type: given.type, typmod: given.typmod }, serial: false };
  let notNull = false;
  let nullable = false;
  let default_: string | null = null;
  let generated: string | null = null;
  let identity: ColumnSpec['identity'] = null;
  const constraints: ConstraintSpec[] = [];
  const twice = (what: string, at: number): never => {
    throw new SvcError('42601', `multiple ${what}${what.startsWith('identity') ? '' : ' specified'} for column "${name}" of table "${table}"`, {
      position: at + 1,
    });
  };
  const conflicting = (at: number): never => {
    throw new SvcError('42601', `conflicting NULL/NOT NULL declarations for column "${name}" of table "${table}"`, { position: at + 1 });
  };
  for (const constraint of definition.constraints) {
    switch (constraint.type) {
      case 'notNull':
        if (nullable) conflicting(constraint.at);
        notNull = true;
        break;
      case 'null':
        if (notNull) conflicting(constraint.at);
        nullable = true;
        break;
      case 'default':
        if (default_ !== null || serial) twice('default values', constraint.at);
        default_ = placedIf(itself !== null, () => defaultText(session, constraint.value, named, name));
        break;
      case 'identity':
        if (identity !== null) twice('identity specifications', constraint.at);
        if (nullable) conflicting(constraint.at);
        notNull = true;
        identity = { always: constraint.always, options: sequenceOptions(session, constraint.options) };
        break;
      case 'generated':
        if (generated !== null) twice('generation clauses', constraint.at);
        generated = generationText(session, constraint.value, known, named, table);
        break;
      case 'check':
      case 'primaryKey':
      case 'unique':
      case 'foreignKey': {
        const own = tableConstraint(session, atColumn(constraint, name), known, table, itself);
        if (own !== null) constraints.push(own);
        break;
      }
    }
  }
  if (identity !== null && (default_ !== null || serial))
    throw new SvcError('42601', `both default and identity specified for column "${name}" of table "${table}"`, {
      position: placeOf(definition, 'default', 'identity'),
    });
  if (generated !== null && default_ !== null)
    throw new SvcError('42601', `both default and generation expression specified for column "${name}" of table "${table}"`, {
      position: placeOf(definition, 'default', 'generated'),
    });
  if (identity !== null && generated !== null)
    throw new SvcError('42601', `both identity and generation expression specified for column "${name}" of table "${table}"`, {
      position: placeOf(definition, 'identity', 'generated'),
    });
  return {
    column: {
      name,
      type: named.type,
      typmod: named.typmod,
      notNull: notNull && !nullable,
      default: default_,
      generated,
      identity,
      serial,
      collation: definition.collation?.at(-1) ?? null,
    },
    constraints,
  };
}

/** ALTER TABLE reports errors of a default without a position. */
function placedIf<T>(places: boolean, run: () => T): T {
  return places ? run() : withoutPlace(run);
}

/** The position of the later of two conflicting clauses. */
function placeOf({ constraints }: ColumnDefinition, ...kinds: ColumnConstraint['type'][]): number {
  return Math.max(...constraints.filter(({ type }) => kinds.includes(type)).map(({ at }) => at)) + 1;
}

function atColumn(constraint: ColumnConstraint & { type: 'check' | 'primaryKey' | 'unique' | 'foreignKey' }, column: string): TableConstraint {
  return constraint.type === 'check' ? constraint : { ...constraint, columns: [column] };
}

export function defaultText(session: SqlSession, value: Expression, { type, typmod }: { type: SqlType; typmod: number }, column: string): string | null {
  // For a type with a length Postgres keeps the coercion of NULL; so it does for a domain, whose default it overrides.
  const sized = (typmod >= 0 && type.name !== 'interval') || type.domain !== null;
  if (value.type === 'null' && !sized) return null;
  const binder = binderOf(session);
  const scope = new Scope(null);
  scope.clause = 'default';
  if (value.type === 'column' && value.parts.length === 1)
    throw new SvcError('0A000', 'cannot use column reference in DEFAULT expression', { position: value.at + 1 });
  const bound = bindExpression(binder, value, scope);
  if (hasSubquery(bound)) throw new SvcError('0A000', 'cannot use subquery in DEFAULT expression', { position: value.at + 1 });
  // Whether the value fits the length is checked when a row gets it.
  if (binder.coercion.tryCoerce(bound, type, -1, 'assignment', value.at) === null) {
    throw new SvcError('42804', `column "${column}" is of type ${type.title} but default expression is of type ${bound.type.title}`, {
      hint: 'You will need to rewrite or cast the expression.',
    });
  }
  return bound.kind === 'constant' && bound.value === null && bound.type === type && !sized ? null : deparseExpression(value);
}

/** The checked text of an expression over the table's columns, and the columns that it reads. */
export function expressionText(
  session: SqlSession,
  value: Expression,
  known: readonly KnownColumn[],
  wanted: { type: SqlType; typmod: number } | 'boolean' | null,
  clause: string,
  table: string,
): { text: string; columns: string[]; type: SqlType; typmod: number; immutable: boolean } {
  const binder = binderOf(session);
  const scope = new Scope(null);
  scope.clause = 'check';
  scope.clauseTitle = clause;
  const { columns, visible } = storedScope(binder, known);
  scope.namespace = { relations: [{ alias: table, schema: null, columns: visible, table: null, system: [] }], columns: visible };
  let bound = bindExpression(binder, value, scope);
  if (scope.level.aggregates.length > 0) throw new SvcError('42803', `aggregate functions are not allowed in ${clause}`, { position: value.at + 1 });
  if (hasSubquery(bound)) throw new SvcError('0A000', `cannot use subquery in ${clause.replace(/s$/, '')}`, { position: value.at + 1 });
  if (wanted === 'boolean') bound = binder.coercion.toBoolean(bound, clause === 'check constraints' ? 'CHECK' : 'WHERE', value.at);
  else if (wanted !== null) binder.coercion.coerce(bound, wanted.type, wanted.typmod, 'assignment', value.at);
  else bound = binder.coercion.resolveUnknown(bound, value.at);
  const used = columnsOf(bound);
  return {
    text: deparseExpression(value),
    columns: columns.filter(({ id }) => used.has(id)).map(({ name }) => name),
    type: bound.type,
    typmod: bound.typmod,
    immutable: !anyIn(bound, isChangeable),
  };
}

/** The collation of an expression over a table's columns; null for that of its type. */
export function expressionCollation(session: SqlSession, value: Expression, table: SqlTable): string | null {
  const binder = binderOf(session);
  const scope = new Scope(null);
  scope.clause = 'check';
  const columns = table.columns.map(({ name, type, typmod }) => binder.column(name, type, typmod));
  binder.collateColumns(table, columns);
  const visible = columns.map((column) => ({ name: column.name, value: binder.use(column) }));
  scope.namespace = { relations: [{ alias: table.name, schema: null, columns: visible, table: null, system: [] }], columns: visible };
  bindExpression(binder, value, scope);
  return binder.collations?.of(value).name ?? null;
}

/** The expression of a generated column: over plain columns, and immutable. */
function generationText(
  session: SqlSession,
  value: Expression,
  known: readonly KnownColumn[],
  named: { type: SqlType; typmod: number },
  table: string,
): string {
  const { text, columns, immutable } = expressionText(session, value, known, named, 'column generation expressions', table);
  for (const column of columns) {
    const generated = known.find(({ name }) => name === column)?.generated ?? false;
    if (generated === false) continue;
    throw new SvcError('42P17', `cannot use generated column "${column}" in column generation expression`, {
      detail: 'A generated column cannot reference another generated column.',
      position: (referenceTo(value, column) ?? value.at) + 1,
    });
  }
  if (!immutable) throw new SvcError('42P17', 'generation expression is not immutable');
  return text;
}

/** The position of the first reference to the column. */
function referenceTo(node: unknown, column: string): number | null {
  if (node === null || typeof node !== 'object') return null;
  const { type, parts, at } = node as { type?: string; parts?: string[]; at?: number };
  if (type === 'column' && parts?.at(-1) === column) return at ?? null;
  for (const each of Object.values(node)) {
    const found = referenceTo(each, column);
    if (found !== null) return found;
  }
  return null;
}

/** Whether Postgres marks a type's I/O function as STABLE; those of arrays, enums, ranges and composites are, with any element types. */
function isStable(type: SqlType, way: 'input' | 'output'): boolean {
  const facts = typeFacts().get(type.oid);
  if (facts === undefined) return type.labels !== null || type.range !== null || type.category === 'A' || type.category === 'C';
  const volatility = functionFacts().get(facts[way])?.volatility;
  return volatility !== undefined && volatility !== 'i';
}

/** Not immutable: depends on the time or on settings. */
function isChangeable(value: Bound): boolean {
  switch (value.kind) {
    case 'environment':
      return true;
    case 'call':
      // `text || anything` is as volatile as the conversion of its operand to text.
      if (value.proc === 'textanycat' || value.proc === 'anytextcat') return value.args.some(({ type }) => isStable(type, 'output'));
      return (value.fn.volatility ?? 'immutable') !== 'immutable' && value.fn.declaredImmutable !== true;
    case 'cast':
      if (value.method === 'io') return isStable(value.arg.type, 'output') || isStable(value.type, 'input');
      return (value.cast?.volatility ?? 'immutable') !== 'immutable';
    default:
      return false;
  }
}

function hasSubquery(value: Bound): boolean {
  return anyIn(value, ({ kind }) => kind === 'exists' || kind === 'subquery' || kind === 'arrayQuery' || kind === 'quantifiedQuery');
}

export function tableConstraint(
  session: SqlSession,
  constraint: TableConstraint,
  known: readonly KnownColumn[],
  table: string,
  own: OwnName | null = null,
): ConstraintSpec | null {
  switch (constraint.type) {
    case 'check':
      return checkSpec(session, constraint, known, table);
    case 'primaryKey':
    case 'unique':
      return keySpec(constraint);
    case 'foreignKey':
      return foreignKeySpec(session, constraint, own);
    case 'notNull':
      return null;
    case 'exclude':
      return exclusionSpec(session, constraint, known, table);
  }
}

function checkSpec(
  session: SqlSession,
  { name, condition, notValid, noInherit }: CheckConstraint,
  known: readonly KnownColumn[],
  table: string,
): ConstraintSpec {
  const { text, columns } = expressionText(session, condition, known, 'boolean', 'check constraints', table);
  return { kind: 'check', name, condition: text, columns, notValid, noInherit };
}

/** Exclusion operators must be commutative, or the order of rows would matter. */
const COMMUTATIVE = new Set(['=', '<>', '&&', '~=', '-|-', '!=']);

function exclusionSpec(session: SqlSession, constraint: ExclusionConstraint, known: readonly KnownColumn[], table: string): ConstraintSpec {
  const method = constraint.method ?? 'btree';
  if (method === 'gin' || method === 'brin') throw new SvcError('0A000', `access method "${method}" does not support exclusion constraints`);
  if (!['btree', 'hash', 'gist', 'spgist'].includes(method)) throw new SvcError('42704', `access method "${method}" does not exist`);
  const elements = constraint.elements.map(({ element, operator }) => {
    const name = operator[operator.length - 1];
    const column = element.column === null ? undefined : known.find((each) => each.name === element.column);
    if (element.column !== null && column === undefined) throw new SvcError('42703', `column "${element.column}" named in key does not exist`);
    const value = element.value ?? { type: 'column' as const, parts: [element.column!], star: false, at: constraint.at };
    const { text, type, typmod, immutable } = expressionText(session, value, known, null, 'index expressions', table);
    if (!immutable) throw new SvcError('42P17', 'functions in index expression must be marked IMMUTABLE');
    // Resolves the operator over the types that the rows will be compared with.
    const probe = parseExpressionText(`(NULL::${type.title}) OPERATOR(pg_catalog.${name}) (NULL::${type.title})`);
    const binder = binderOf(session);
    const bound = bindExpression(binder, probe, new Scope(null));
    if (bound.type.name !== 'bool' || !COMMUTATIVE.has(name)) {
      throw new SvcError('42809', `operator ${name}(${type.title},${type.title}) is not commutative`, {
        detail: 'Only commutative operators can be used in exclusion constraints.',
      });
    }
    const descending = element.direction === 'desc';
    const nullsFirst = element.nulls === 'default' ? descending : element.nulls === 'first';
    return {
      operator: name,
      column:
        element.column !== null
          ? { column: element.column, expression: null, descending, nullsFirst }
          : { column: null, expression: { sql: text, type, typmod, name: indexColumnName(value) }, descending, nullsFirst },
    };
  });
  return {
    kind: 'exclude',
    name: constraint.name,
    columns: elements.map(({ column }) => column),
    operators: elements.map(({ operator }) => operator),
    method,
    include: constraint.include,
    options: keyOptions(constraint, method),
    where: constraint.where === null ? null : expressionText(session, constraint.where, known, 'boolean', 'index predicates', table).text,
    deferrable: constraint.deferrable,
    initiallyDeferred: constraint.initiallyDeferred,
  };
}

function keySpec(constraint: KeyConstraint): ConstraintSpec {
  if (constraint.usingIndex !== null) {
    const { name, usingIndex: index, deferrable, initiallyDeferred, at } = constraint;
    return { kind: 'using index', at, primary: constraint.type === 'primaryKey', name, index, deferrable, initiallyDeferred };
  }
  return {
    kind: constraint.type === 'primaryKey' ? 'primary key' : 'unique',
    at: constraint.at,
    name: constraint.name,
    columns: constraint.columns,
    nullsNotDistinct: constraint.nullsNotDistinct,
    include: constraint.include,
    options: keyOptions(constraint, 'btree'),
    deferrable: constraint.deferrable,
    initiallyDeferred: constraint.initiallyDeferred,
  };
}

/** Storage options of a constraint's index. */
function keyOptions({ options, tablespace }: Pick<KeyConstraint, 'options' | 'tablespace'>, method: string): string[] {
  if (tablespace !== null) checkStorage({ options: [], tablespace, accessMethod: null }, false);
  return storageOptions(method as Parameters<typeof storageOptions>[0], options);
}

function foreignKeySpec(session: SqlSession, constraint: ForeignKeyConstraint, own: OwnName | null): ConstraintSpec {
  const itself = own !== null && constraint.references.table.name === own.name && constraint.references.table.schema === null;
  const { references } = constraint;
  if (references.match === 'partial') throw new SvcError('0A000', 'MATCH PARTIAL not yet implemented', { position: constraint.at + 1 });
  return {
    kind: 'foreign key',
    name: constraint.name,
    columns: constraint.columns,
    target: itself && isTemporarySchema(own.schema) ? own : referencedTable(session, references.table, references.columns),
    targetColumns: references.columns,
    onDelete: ACTIONS[references.onDelete],
    onUpdate: ACTIONS[references.onUpdate],
    deleteColumns: references.onDeleteColumns,
    matchFull: references.match === 'full',
    deferrable: constraint.deferrable,
    initiallyDeferred: constraint.initiallyDeferred,
    notValid: constraint.notValid,
  };
}

/** The schema that has the name; the first of the path if none has (a table may refer to itself). */
/** The table that a foreign key references, for which a privilege is needed. */
function referencedTable(session: SqlSession, name: RelationName, columns: readonly string[]): { schema: string; name: string } {
  if (systemRelation(session, name)?.view === false) throw isSystemCatalog(name.name);
  const target = referencedName(session, name);
  const table = session.schema().table(target.schema, target.name);
  if (table !== null) {
    const keyed = table.columns.filter((column, i) => (columns.length > 0 ? columns.includes(column.name) : table.key.columns.includes(i)));
    mustHave(session, table, PRIVILEGE.REFERENCES, keyed);
    // Violations would reveal which values exist.
    mustSeeColumns(session, table, keyed);
  }
  return target;
}

export function referencedName(session: SqlSession, written: RelationName): { schema: string; name: string } {
  const { schema, name } = written;
  withoutPlace(() => refuseOtherDatabase(session.env, written));
  const own = session.temporary.schema;
  if (schema !== null) return { schema: session.schemaMeant(schema), name };
  const all = session.schema();
  if (own !== null && all.relation(own, name) !== null) return { schema: own, name };
  const path = session.system.schemas(false);
  return { schema: path.find((each) => all.relation(each, name) !== null) ?? path[0] ?? 'public', name };
}

/** As written, for errors about a missing relation. */
export function writtenName({ schema, name }: RelationName): string {
  return schema === null ? name : `${schema}.${name}`;
}

function likeSource(session: SqlSession, like: LikeClause): Relation & { kind: 'table' | 'view' } {
  const { schema, name } = referencedName(session, like.table);
  const found = session.schema().relation(schema, name);
  if (found === null) return systemSource(session, like);
  if (found.kind !== 'table' && found.kind !== 'view')
    throw new SvcError('42809', `relation "${like.table.name}" is invalid in LIKE clause`, {
      detail: `This operation is not supported for ${found.kind === 'index' ? 'indexes' : 'sequences'}.`,
      position: like.at + 1,
    });
  return found;
}

/** The columns of a composite type; null if a relation is meant. */
function likeComposite(session: SqlSession, { table: { schema, name } }: LikeClause): readonly KnownColumn[] | null {
  const all = session.schema();
  for (const each of schema === null ? session.system.schemas(false) : [schema]) {
    if (all.relation(each, name) !== null) return null;
    const type = all.typeByName(each, name);
    if (type === null) continue;
    return all.types.get(type.oid)?.object.what === 'composite' ? recordColumns(type) : null;
  }
  return null;
}

/** A system relation as a view: it has no constraints for LIKE to copy. */
function systemSource(session: SqlSession, like: LikeClause): Relation & { kind: 'view' } {
  const found = systemRelation(session, like.table);
  if (found === null) throw new SvcError('42P01', `relation "${writtenName(like.table)}" does not exist`, { position: like.at + 1 });
  const columns = found.columns.map((column) => ({ ...column, typmod: -1 }));
  return { kind: 'view', view: { number: found.oid, schema: found.schema, name: found.name, sql: '', columns, check: 'none', invoker: false, barrier: false } };
}

function likeColumns(session: SqlSession, like: LikeClause): readonly KnownColumn[] {
  const composite = likeComposite(session, like);
  if (composite !== null) return composite;
  const found = likeSource(session, like);
  return (found.kind === 'table' ? found.table : found.view).columns.map(({ name, type, typmod }) => ({ name, type, typmod }));
}

const hasOption = (like: LikeClause, option: LikeClause['including'][number]): boolean => like.including.includes(option);

function likeSpecs(session: SqlSession, like: LikeClause): ColumnSpec[] {
  const composite = likeComposite(session, like);
  if (composite !== null) return composite.map(({ name, type, typmod }) => ({ ...PLAIN_COLUMN, name, type, typmod }));
  const found = likeSource(session, like);
  const schema = session.schema();
  const collationOfColumn = (relation: number, attnum: number): string | null => factsOf(schema, relation, attnum)?.collation ?? null;
  if (found.kind === 'view')
    return found.view.columns.map(({ name, type, typmod, notNull }, i) => ({
      ...PLAIN_COLUMN,
      notNull: notNull === true,
      name,
      type,
      typmod,
      collation: collationOfColumn(found.view.number, i + 1),
    }));
  const { table } = found;
  return table.columns.map((column) => ({
    ...PLAIN_COLUMN,
    collation: collationOfColumn(table.number, column.attnum),
    name: column.name,
    type: column.type,
    typmod: column.typmod,
    notNull: column.notNull,
    default: hasOption(like, 'defaults') ? column.default : null,
    generated: hasOption(like, 'generated') ? column.generated : null,
    identity:
      hasOption(like, 'identity') && column.identity !== null
        ? { always: column.identity === 'always', options: likeSequence(session, table, column.number) }
        : null,
  }));
}

function likeSequence(session: SqlSession, table: SqlTable, column: number): SequenceOptions {
  const sequence = session.schema().sequenceOf(table.number, column);
  if (sequence === null) return {};
  const { increment, min, max, start, cache, cycle } = sequence;
  return { increment: BigInt(increment), min: BigInt(min), max: BigInt(max), start: BigInt(start), cache: BigInt(cache), cycle };
}

function likeConstraints(session: SqlSession, like: LikeClause): ConstraintSpec[] {
  if (likeComposite(session, like) !== null) return [];
  const found = likeSource(session, like);
  if (found.kind === 'view') return [];
  const { table } = found;
  const out: ConstraintSpec[] = [];
  if (hasOption(like, 'constraints')) {
    const known = session.schema().catalog.byNumber.get(table.number)?.relation;
    for (const { name, condition, number, noInherit } of table.checks) {
      const object = known?.constraints.find((each) => each.number === number);
      const columns = table.columns.filter((column) => object?.columns.includes(column.number)).map((column) => column.name);
      out.push({ kind: 'check', name, condition, columns, noInherit });
    }
  }
  if (hasOption(like, 'indexes')) {
    const schema = session.schema();
    const namesOf = (list: readonly number[]): string[] => list.map((i) => table.columns[i].name);
    const optionsOf = (number: number): readonly string[] | undefined => factsOf(schema, number)?.options;
    if (table.primaryKey !== null)
      out.push({
        kind: 'primary key',
        name: null,
        columns: namesOf(table.key.columns),
        nullsNotDistinct: false,
        include: namesOf(includedInKey(schema, table)),
        options: optionsOf(schema.primaryKeyNumber(table)!),
        deferrable: false,
        initiallyDeferred: false,
      });
    for (const index of table.indexes) {
      if (index.constraint === null) continue;
      const { deferrable, initiallyDeferred, exclusion } = schema.catalog.indexes.get(index.number)!;
      const shared = { name: null, include: namesOf(index.include), options: optionsOf(index.number), deferrable, initiallyDeferred };
      if (index.excludes) {
        out.push({
          ...shared,
          kind: 'exclude',
          columns: index.columns.map(({ column, expression, type, descending, nullsFirst }) => ({
            column: column === null ? null : table.columns[column].name,
            expression: expression === null ? null : { sql: expression, type, typmod: -1, name: indexColumnName(parseExpressionText(expression)) },
            descending,
            nullsFirst,
          })),
          operators: exclusion!.operators,
          method: exclusion!.method,
          where: index.where,
        });
        continue;
      }
      out.push({
        ...shared,
        kind: index.primary ? 'primary key' : 'unique',
        columns: namesOf(index.columns.map(({ column }) => column!)),
        nullsNotDistinct: index.nullsNotDistinct,
      });
    }
  }
  return out;
}

/** What LIKE copies besides columns and constraints, once the table exists. */
export function likeAfterwards(session: SqlSession, ddl: Ddl, statement: CreateTable, number: number): void {
  for (const like of statement.elements) {
    if (like.type !== 'like' || likeComposite(session, like) !== null) continue;
    const found = likeSource(session, like);
    const own = ddl.schema.tables.get(number)!;
    const [from, attnums] =
      found.kind === 'table' ? [found.table, found.table.columns.map(({ attnum }) => attnum)] : [found.view, found.view.columns.map((_, i) => i + 1)];
    const all = session.schema();
    from.columns.forEach(({ name }, i) => {
      const { collation, storage, compression } = factsOf(all, from.number, attnums[i]) ?? {};
      const column = own.columns.find((each) => each.name === name);
      const kept = {
        ...(collation === undefined ? {} : { collation }),
        ...(storage === undefined || !hasOption(like, 'storage') ? {} : { storage }),
        ...(compression === undefined || !hasOption(like, 'compression') ? {} : { compression }),
      };
      if (column !== undefined && Object.keys(kept).length > 0) putFacts(ddl, number, column.attnum, kept);
    });
    if (hasOption(like, 'comments')) {
      from.columns.forEach(({ name }, i) => {
        const text = all.comment(from.number, attnums[i]);
        const column = own.columns.find((each) => each.name === name);
        if (text !== null && column !== undefined) setComment(ddl, number, column.attnum, text);
      });
    }
    if (found.kind !== 'table') continue;
    if (hasOption(like, 'constraints') && hasOption(like, 'comments')) {
      for (const { name, number: check } of found.table.checks) {
        const text = all.comment(check);
        const copy = own.checks.find((each) => each.name === name);
        if (text !== null && copy !== undefined) setComment(ddl, copy.number, 0, text);
      }
    }
    if (hasOption(like, 'statistics')) likeStatistics(ddl, found.table, own, hasOption(like, 'comments'));
    if (!hasOption(like, 'indexes')) continue;
    for (const index of found.table.indexes) {
      if (index.constraint !== null) continue;
      ddl.end();
      const made = createIndex(ddl, {
        table: number,
        name: null,
        ifNotExists: false,
        method: index.method,
        unique: index.unique,
        nullsNotDistinct: index.nullsNotDistinct,
        columns: index.columns.map(({ column, expression, type, descending, nullsFirst, operatorClass, ownClass, folding }) => ({
          folding: folding?.locale ?? null,
          operatorClass,
          ownClass,
          column: column === null ? null : found.table.columns[column].name,
          expression: expression === null ? null : { sql: expression, type, typmod: -1, name: indexColumnName(parseExpressionText(expression)) },
          descending,
          nullsFirst,
        })),
        include: index.include.map((column) => found.table.columns[column].name),
        where: index.where,
      });
      const facts = factsOf(all, index.number);
      if (made !== null && facts !== null) putFacts(ddl, made, 0, { options: facts.options, collations: facts.collations });
      const text = hasOption(like, 'comments') ? all.comment(index.number) : null;
      if (made !== null && text !== null) setComment(ddl, made, 0, text);
    }
  }
}

/** The session's temporary schema. Agent code must not use it to shadow names of its caller. 42501. */
function temporarySchema(session: SqlSession): string {
  session.code.mustNotBeLimited('make temporary objects in the session that runs it');
  return session.temporary.openSchema();
}
