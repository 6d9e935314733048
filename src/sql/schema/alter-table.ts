/** ALTER TABLE, action by action, in the order written. Actions carry their parts bound: types, SQL text, conversions as functions over a row. */
import { STORED } from '../types/environment.ts';
import { runSteps } from '../../base/run-steps.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import { childRoot } from '../../tree/directory.ts';
import { leaves } from '../../tree/read.ts';
import type { AttributeObject, CatalogObject, IndexObject, RelationObject } from '../../worlds/definition.ts';
import { storedText } from '../types/stored-text.ts';
import { missingCellText } from '../../worlds/index-keys.ts';
import type { SqlType } from '../types/type.ts';
import { type Value, whole } from '../types/value.ts';
import {
  addCheck,
  addForeignKey,
  checkHolds,
  eachRow,
  foreignKeysOver,
  recheckForeignKeys,
  refuseTakenConstraint,
  refuseUnlike,
  validateConstraint,
} from './constraint.ts';
import { addExclusion, addIndexConstraint, createIndex } from './create-index.ts';
import { createOwnedSequence, sequenceObject, type SequenceOptions, mustCount } from './create-sequence.ts';
import {
  addConstraints,
  addSequence,
  checkKeyTwice,
  type ColumnSpec,
  type ConstraintSpec,
  keepKeyFacts,
  type KeySpec,
  newAttribute,
  placed,
  primaryKeyOf,
} from './create-table.ts';
import type { Ddl } from './ddl.ts';
import { factsOf, forgetFacts, includedInKey } from './facts.ts';
import { readsColumn } from './dependents.ts';
import { dropObjects } from './drop.ts';
import { describe } from './drop-target.ts';
import { columnIndex, isSystemColumn, relationTaken, refuseSystemColumn, refuseWideTable } from './object-errors.ts';
import { isPartitioned, keyPartitions, refuseForeignPartitions, refuseUncovered } from './partitions.ts';
import { rekeyRows } from './rekey.ts';
import { ordinaryRows } from './ordinary-rows.ts';
import { fillColumn, rewriteRows } from './rewrite.ts';
import { foldingLocale } from './icu-collations.ts';
import { rowKeyCodec } from './key-codec.ts';
import { nullsFound } from './row-errors.ts';
import { readCell } from './row-reader.ts';
import { shownName } from './shown-name.ts';
import { hasPrimaryKey, type SqlColumn, type SqlTable } from './table.ts';

export type AlterSpec =
  | {
      readonly kind: 'add column';
      readonly column: ColumnSpec;
      /** Of the column. */
      readonly constraints: readonly ConstraintSpec[];
      readonly ifNotExists: boolean;
      /** The value in existing rows: one for all (a non-volatile default, or null), or one computed for each. */
      readonly fill: { readonly value: Value } | { readonly each: (row: readonly Value[]) => Value };
    }
  | { readonly kind: 'drop column'; readonly column: string; readonly ifExists: boolean; readonly cascade: boolean }
  /** `convert` null: the values are unchanged (varchar(3) to text). */
  | {
      readonly kind: 'set type';
      readonly column: string;
      readonly type: SqlType;
      readonly typmod: number;
      /** As of a new column. */
      readonly collation?: string | null;
      readonly convert: ((row: readonly Value[]) => Value) | null;
      /** The columns that it reads, if known. */
      readonly reads?: readonly number[];
    }
  | { readonly kind: 'set default'; readonly column: string; readonly default: string | null }
  | { readonly kind: 'set not null' | 'drop not null'; readonly column: string }
  | { readonly kind: 'add constraint'; readonly constraint: ConstraintSpec }
  | { readonly kind: 'drop constraint'; readonly name: string; readonly ifExists: boolean; readonly cascade: boolean }
  | { readonly kind: 'validate constraint'; readonly name: string }
  | { readonly kind: 'alter constraint'; readonly name: string; readonly deferrable: boolean; readonly initiallyDeferred: boolean }
  | { readonly kind: 'add identity'; readonly column: string; readonly always: boolean; readonly options: SequenceOptions }
  | { readonly kind: 'set identity'; readonly column: string; readonly always: boolean }
  | { readonly kind: 'drop identity' | 'drop expression'; readonly column: string; readonly ifExists: boolean };

export function alterTable(ddl: Ddl, number: number, actions: readonly AlterSpec[]): void {
  runSteps(alterTableSteps(ddl, number, actions));
}

/** The same in steps, one per action and every few rows. */
export function* alterTableSteps(ddl: Ddl, number: number, actions: readonly AlterSpec[]): Generator<void, void> {
  ddl.definedTable(number);
  for (const action of actions) {
    alter(ddl, number, action);
    if (actions.length === 1) break;
    yield* ddl.workSteps();
    ddl.end();
    yield;
  }
  const converted = actions.flatMap((action) => (action.kind === 'set type' && action.convert !== null ? [action.column] : []));
  if (converted.length === 0 || foreignKeysOver(ddl, number, converted).length === 0) return;
  // They read the columns as they are by then.
  ddl.afterWork(() => {
    ddl.end();
    recheckForeignKeys(ddl, number, converted);
  });
}

function alter(ddl: Ddl, number: number, action: AlterSpec): void {
  const table = ddl.schema.tables.get(number)!;
  switch (action.kind) {
    case 'add column':
      return addColumn(ddl, table, action);
    case 'drop column':
      return dropColumn(ddl, table, action);
    case 'set type':
      return setType(ddl, table, action);
    case 'set default': {
      const column = table.columns[columnIndex(table, action.column)];
      if (column.identity !== null)
        throw new SvcError('42601', `column "${column.name}" of relation "${table.name}" is an identity column`, dropHint(action.default, 'DROP IDENTITY'));
      if (column.generated !== null)
        throw new SvcError('42601', `column "${column.name}" of relation "${table.name}" is a generated column`, dropHint(action.default, 'DROP EXPRESSION'));
      return ddl.put({ ...attributeOf(ddl, table, action.column), default: action.default });
    }
    case 'set not null':
      return forbidNulls(ddl, table, action.column);
    case 'drop not null': {
      const at = columnIndex(table, action.column);
      const { identity } = table.columns[at];
      if (identity !== null) throw new SvcError('42601', `column "${action.column}" of relation "${table.name}" is an identity column`);
      if (table.key.columns.includes(at) || table.indexes.some(({ primary, columns }) => primary && columns.some(({ column }) => column === at)))
        throw new SvcError('42P16', `column "${action.column}" is in a primary key`);
      return ddl.put({ ...attributeOf(ddl, table, action.column), notNull: false });
    }
    case 'add constraint':
      return addConstraint(ddl, table, action.constraint);
    case 'drop constraint':
      return dropConstraint(ddl, table, action);
    case 'validate constraint':
      return validateConstraint(ddl, number, action.name);
    case 'alter constraint': {
      const found = [...ddl.definitions.values()].find((object) => object.what === 'foreign key' && object.table === number && object.name === action.name);
      if (found === undefined) {
        const known = constraintObject(ddl, table, action.name);
        if (known === null) throw new SvcError('42704', `constraint "${action.name}" of relation "${table.name}" does not exist`);
        throw new SvcError('42809', `constraint "${action.name}" of relation "${table.name}" is not a foreign key constraint`);
      }
      return ddl.put({ ...found, deferrable: action.deferrable, initiallyDeferred: action.initiallyDeferred } as CatalogObject);
    }
    case 'add identity': {
      const column = attributeOf(ddl, table, action.column);
      mustCount(column.type);
      if (column.identity !== null) throw new SvcError('55000', `column "${column.name}" of relation "${table.name}" is already an identity column`);
      if (column.default !== null) throw new SvcError('55000', `column "${column.name}" of relation "${table.name}" already has a default value`);
      if (!column.notNull)
        throw new SvcError('55000', `column "${column.name}" of relation "${table.name}" must be declared NOT NULL before identity can be added`);
      ddl.put({ ...column, identity: action.always ? 'always' : 'by default' });
      createOwnedSequence(ddl, relationObject(ddl, number), column, column.type, action.options);
      return;
    }
    case 'set identity': {
      const column = attributeOf(ddl, table, action.column);
      if (column.identity === null) throw new SvcError('55000', `column "${column.name}" of relation "${table.name}" is not an identity column`);
      return ddl.put({ ...column, identity: action.always ? 'always' : 'by default' });
    }
    case 'drop identity': {
      const column = attributeOf(ddl, table, action.column);
      if (column.identity === null) {
        if (!action.ifExists) throw new SvcError('55000', `column "${column.name}" of relation "${table.name}" is not an identity column`);
        return ddl.notice('00000', `column "${column.name}" of relation "${table.name}" is not an identity column, skipping`);
      }
      ddl.put({ ...column, identity: null });
      const sequence = ddl.schema.sequenceOf(number, column.number);
      if (sequence !== null) ddl.remove(sequenceObject(ddl, sequence.number));
      return;
    }
    case 'drop expression': {
      const column = attributeOf(ddl, table, action.column);
      if (column.generated === null) {
        if (!action.ifExists) throw new SvcError('55000', `column "${column.name}" of relation "${table.name}" is not a stored generated column`);
        return ddl.notice('00000', `column "${column.name}" of relation "${table.name}" is not a stored generated column, skipping`);
      }
      return ddl.put({ ...column, generated: null });
    }
  }
}

function addColumn(ddl: Ddl, table: SqlTable, action: Extract<AlterSpec, { kind: 'add column' }>): void {
  const { column, constraints, fill } = action;
  refuseSystemColumn(column.name);
  if (table.columns.some(({ name }) => name === column.name)) {
    const message = `column "${column.name}" of relation "${table.name}" already exists`;
    if (!action.ifNotExists) throw new SvcError('42701', message);
    return ddl.notice('42701', `${message}, skipping`);
  }
  refuseWideTable(table.columns.length + 1);
  const relation = relationObject(ddl, table.number);
  const attribute = newAttribute(ddl, table.number, column, relation.attnums + 1, relation.dropped);
  ddl.put({ ...relation, attnums: relation.attnums + 1 });
  const rows = countRows(ddl, table);
  const numbered = column.serial || column.identity !== null;
  if (!numbered && column.generated === null && 'each' in fill) attribute.fills = true;
  if (!numbered && column.generated === null && 'value' in fill) {
    if (rows > 0 && fill.value === null && attribute.notNull) throw nullsFound(table, column.name);
    if (fill.value !== null) {
      attribute.missing = storedText(column.type, fill.value, STORED);
      ddl.put(attribute);
      const { storage } = newColumn(ddl, table, column.name);
      attribute.missingCell = missingCellText(storage.encode(fill.value));
    }
  }
  ddl.put({ ...attribute });
  addSequence(ddl, table.number, column);
  if (rows > 0 && (numbered || column.generated !== null || 'each' in fill)) {
    const own = newColumn(ddl, table, column.name);
    const widened = ddl.schema.tables.get(table.number)!;
    if (numbered) fillFromSequence(ddl, widened, own);
    else if (column.generated !== null) fillColumn(ddl, widened, own, null, ddl.compiler.expression(widened, column.generated, own.type, own.typmod));
    else fillColumn(ddl, widened, own, null, 'each' in fill ? fill.each : () => null);
  }
  if (constraints.length === 0) return;
  ddl.end();
  const key = constraints.find(({ kind }) => kind === 'primary key');
  if (key !== undefined) addConstraint(ddl, ddl.schema.tables.get(table.number)!, key);
  addConstraints(ddl, table.number, constraints);
}

function fillFromSequence(ddl: Ddl, table: SqlTable, column: SqlColumn): void {
  const sequence = ddl.schema.sequenceOf(table.number, column.number)!;
  let next = BigInt(sequence.start);
  let last: bigint | null = null;
  const draw = (): Value => {
    last = next;
    next += BigInt(sequence.increment);
    return whole(last);
  };
  fillColumn(ddl, table, column, null, draw, [], () => {
    if (last !== null) ddl.setSequence(sequence.number, { last: whole(last), called: true });
  });
}

function dropColumn(ddl: Ddl, table: SqlTable, action: Extract<AlterSpec, { kind: 'drop column' }>): void {
  const at = table.columns.findIndex(({ name }) => name === action.column);
  if (at < 0) {
    if (isSystemColumn(action.column)) throw new SvcError('0A000', `cannot drop system column "${action.column}"`);
    const message = `column "${action.column}" of relation "${table.name}" does not exist`;
    if (!action.ifExists) throw new SvcError('42703', message);
    return ddl.notice('00000', `${message}, skipping`);
  }
  if (at === 0) table = ordinaryRows(ddl, table);
  if (table.primaryKey !== null && includedInKey(ddl.schema, table).includes(at)) {
    dropConstraint(ddl, table, { kind: 'drop constraint', name: table.primaryKey, ifExists: false, cascade: action.cascade });
    ddl.end();
  }
  dropObjects(ddl, [{ kind: 'column', table: table.number, column: table.columns[at].number }], action.cascade);
  if (table.key.columns.includes(at)) {
    const relation = relationObject(ddl, table.number);
    ddl.put({ ...relation, key: [], numeric: true, primaryKey: null, epoch: relation.epoch + 1 });
    // Generated columns may have been dropped with it.
    const left = ddl.schema.tables.get(table.number)!.columns.map(({ number }) => table.columns.findIndex((each) => each.number === number));
    rewriteRows(ddl, table, (row) => left.map((i) => row[i]));
  }
}

/** Dropping a default of a generated or identity column needs another clause. */
function dropHint(value: string | null, clause: string): { hint?: string } {
  return value === null ? { hint: `Use ALTER TABLE ... ALTER COLUMN ... ${clause} instead.` } : {};
}

function namesColumn(sql: string | null, name: string): boolean {
  return sql !== null && new RegExp(`\\b${name.replace(/\W/g, '\\$&')}\\b`).test(sql);
}

function setType(
  ddl: Ddl,
  table: SqlTable,
  { column: name, type, typmod, collation = null, convert: given, reads }: Extract<AlterSpec, { kind: 'set type' }>,
): void {
  const at = columnIndex(table, name);
  if (at === 0) table = ordinaryRows(ddl, table);
  const column = table.columns[at];
  const user = table.columns.find(({ generated }) => namesColumn(generated, name));
  if (user !== undefined) {
    throw new SvcError('0A000', 'cannot alter type of a column used by a generated column', {
      detail: `Column "${name}" is used by generated column "${user.name}".`,
    });
  }
  for (const object of ddl.definitions.values()) {
    if (object.what === 'policy' && object.uses.some((use) => use.object === table.number && use.columns.includes(column.number))) {
      throw new SvcError('0A000', 'cannot alter type of a column used in a policy definition', {
        detail: `${describe(ddl, { kind: 'policy', table: object.table, name: object.name })} depends on column "${name}"`,
      });
    }
    if (object.what === 'trigger' && object.table === table.number && (object.columns.includes(column.number) || namesColumn(object.when, name))) {
      throw new SvcError('0A000', 'cannot alter type of a column used in a trigger definition', {
        detail: `${describe(ddl, { kind: 'trigger', table: object.table, name: object.name })} depends on column "${name}"`,
      });
    }
    if (object.what === 'rule' && object.uses.some((use) => use.object === table.number && use.columns.includes(column.number))) {
      throw new SvcError('0A000', 'cannot alter type of a column used by a view or rule', {
        detail: `${describe(ddl, { kind: 'rule', table: object.table, name: object.name })} depends on column "${name}"`,
      });
    }
    const uses = object.what === 'view' ? object.uses : object.what === 'relation' ? (object.query?.uses ?? []) : [];
    if ((object.what === 'view' || object.what === 'relation') && uses.some((use) => use.object === table.number && use.columns.includes(column.number))) {
      throw new SvcError('0A000', 'cannot alter type of a column used by a view or rule', {
        detail: `rule _RETURN on ${object.what === 'view' ? 'view' : 'materialized view'} ${shownName(ddl, object.schema, object.name)} depends on column "${name}"`,
      });
    }
  }
  for (const object of ddl.schema.plain.of('publication table').values()) {
    if (!readsColumn(object, { table: table.number, column: column.number }, name)) continue;
    throw new SvcError('0A000', 'cannot alter type of a column used by a publication WHERE clause', {
      detail: `${describe(ddl, { kind: object.what, number: object.number })} depends on column "${name}"`,
    });
  }
  const retyped = { ...column, type, typmod };
  for (const { table: from, key } of [...ddl.schema.referencing(table.number), ...table.foreignKeys.map((each) => ({ table, key: each }))]) {
    const target = ddl.schema.tables.get(key.target)!;
    key.columns.forEach((each, i) => {
      const own = from === table && each === at ? retyped : from.columns[each];
      const other = target === table && key.targetColumns[i] === at ? retyped : target.columns[key.targetColumns[i]];
      if (own === retyped || other === retyped) refuseUnlike(key.name, own, other);
    });
  }
  // A column with a type of its own is no field of documents any more.
  const { folding: foldedBefore, field, ...attribute } = attributeOf(ddl, table, name);
  const folding = foldingLocale(ddl.schema, type, collation) ?? undefined;
  const own: AttributeObject = { ...attribute, type: type.oid, typmod, ...(folding === undefined ? {} : { folding }) };
  if (given === null && folding === foldedBefore && field !== 'jsonb') return ddl.put(own);
  // Keys with another equality are other keys.
  const convert = given ?? ((row) => row[at]);
  const relation = relationObject(ddl, table.number);
  const next: AttributeObject = { ...own, missing: null, missingCell: null };
  ddl.remove(attributeOf(ddl, table, name));
  next.number = ddl.numberFor(next, [...relation.dropped, attribute.number]);
  const using = indexObjects(ddl, table).filter((index) => usesColumn(index, attribute.number));
  for (const index of using) ddl.remove(index);
  ddl.put(next);
  const renumber = (numbers: readonly number[]): number[] => numbers.map((each) => (each === attribute.number ? next.number : each));
  for (const object of ddl.definitions.values()) {
    if (object.what === 'foreign key' && (object.table === table.number || object.target === table.number)) {
      ddl.put({ ...object, columns: renumber(object.columns), targetColumns: renumber(object.targetColumns), deleteColumns: renumber(object.deleteColumns) });
    } else if (object.what === 'check' && object.table === table.number) ddl.put({ ...object, columns: renumber(object.columns) });
    else if (object.what === 'sequence' && object.ownedBy?.table === table.number && object.ownedBy.column === attribute.number) {
      ddl.put({ ...object, ownedBy: { table: table.number, column: next.number } });
    }
  }
  const inKey = table.key.columns.includes(at);
  const key = renumber(relation.key);
  ddl.put({
    ...relation,
    key,
    dropped: [...relation.dropped, attribute.number],
    ...(inKey
      ? {
          documents: undefined,
          epoch: relation.epoch + 1,
          numeric:
            !isPartitioned(table) &&
            rowKeyCodec(
              table.key.columns.map((each) => (each === at ? { type, typmod } : table.columns[each])),
              ddl.schema.labelOrders,
            ).numeric,
        }
      : {}),
  });
  if (inKey) {
    rewriteRows(ddl, table, (row) => {
      const out = row.slice();
      out[at] = convert(row);
      return out;
    });
  } else fillColumn(ddl, table, newColumn(ddl, table, name), column, convert, reads ?? null);
  const checks = [...ddl.definitions.values()].filter(
    (object) => object.what === 'check' && object.table === table.number && object.columns.includes(next.number),
  );
  if (using.length === 0 && checks.length === 0) return;
  ddl.end();
  // Conditions may mean something else over another type, or become invalid.
  const now = ddl.schema.tables.get(table.number)!;
  for (const object of checks)
    if (object.what === 'check') checkHolds(ddl, now, object.name, ddl.compiler.check(now, object.condition), object.notValid !== true);
  for (const index of using) recreateIndex(ddl, table, index);
}

/** The former index, over the current columns. */
function recreateIndex(ddl: Ddl, before: SqlTable, index: IndexObject): void {
  const now = ddl.schema.tables.get(index.table)!;
  const collations = factsOf(ddl.schema, index.number)?.collations;
  const nameOf = (number: number): string => before.columns.find((column) => column.number === number)!.name;
  createIndex(
    ddl,
    {
      table: index.table,
      name: index.name,
      ifNotExists: false,
      // Partitions are altered one by one.
      only: true,
      ...(index.exclusion === undefined ? { method: index.method ?? 'btree' } : {}),
      unique: index.unique,
      nullsNotDistinct: index.nullsNotDistinct,
      columns: index.columns.map(({ column, expression, descending, nullsFirst, operatorClass = null, ownClass = null, folding = null }, i) => ({
        operatorClass,
        ownClass,
        ...(collations?.[i] == null ? {} : { folding }),
        column: column === null ? null : nameOf(column),
        expression: expression === null ? null : { sql: expression, ...ddl.compiler.typed(now, expression) },
        descending,
        nullsFirst,
      })),
      include: index.include.map(nameOf),
      where: index.where,
      ...(index.parent === undefined ? {} : { parent: index.parent }),
      ...(index.exclusion === undefined ? {} : { exclusion: index.exclusion }),
    },
    { constraint: index.constraint !== null, primary: index.primary, deferrable: index.deferrable, initiallyDeferred: index.initiallyDeferred },
  );
}

function addConstraint(ddl: Ddl, table: SqlTable, constraint: ConstraintSpec): void {
  switch (constraint.kind) {
    case 'check':
      return addCheck(ddl, table.number, constraint);
    case 'foreign key':
      return addForeignKey(ddl, table.number, constraint);
    case 'unique':
      return addIndexConstraint(ddl, table.number, constraint);
    case 'exclude':
      return addExclusion(ddl, table.number, constraint);
    case 'using index':
      return addUsingIndex(ddl, table, constraint);
    case 'primary key':
      return constraint.deferrable ? addDeferrableKey(ddl, table, constraint) : addPrimaryKey(ddl, table, constraint);
  }
}

/** Positions of the columns of a new primary key. 42P16 if there is one. */
function newKeyColumns(table: SqlTable, names: readonly string[], place?: number): number[] {
  if (hasPrimaryKey(table)) throw new SvcError('42P16', `multiple primary keys for table "${table.name}" are not allowed`);
  const at = names.map((name) => table.columns.findIndex((column) => column.name === name));
  const lacking = at.indexOf(-1);
  if (lacking >= 0) throw new SvcError('42703', `column "${names[lacking]}" of relation "${table.name}" does not exist`);
  checkKeyTwice(names, 'primary key', place);
  return at;
}

export function forbidNulls(ddl: Ddl, table: SqlTable, name: string): void {
  const at = columnIndex(table, name);
  if (table.columns[at].notNull) return;
  refuseNulls(ddl, table, at);
  ddl.put({ ...attributeOf(ddl, table, name), notNull: true });
}

function addDeferrableKey(ddl: Ddl, table: SqlTable, spec: KeySpec): void {
  newKeyColumns(table, spec.columns, spec.at);
  for (const name of spec.columns) forbidNulls(ddl, table, name);
  addIndexConstraint(ddl, table.number, spec);
}

export function addPrimaryKey(
  ddl: Ddl,
  table: SqlTable,
  spec: {
    readonly name: string | null;
    readonly at?: number;
    readonly columns: readonly string[];
    readonly include?: readonly string[];
    readonly options?: readonly string[];
    readonly parent?: number;
    readonly only?: boolean;
  },
): void {
  const at = newKeyColumns(table, spec.columns, spec.at);
  refuseForeignPartitions(ddl, table);
  refuseUncovered(table, spec.columns, 'PRIMARY KEY');
  const relation = relationObject(ddl, table.number);
  const columns = at.map((each) => table.columns[each]);
  const partitioned = isPartitioned(table);
  const numeric = !partitioned && rowKeyCodec(columns, ddl.schema.labelOrders).numeric;
  const primaryKey = primaryKeyOf(ddl, relation, spec.name, spec.parent);
  for (const name of spec.columns) forbidNulls(ddl, table, name);
  ddl.put({ ...relation, key: columns.map(({ number }) => number), numeric, primaryKey, epoch: relation.epoch + 1 });
  keepKeyFacts(ddl, table.number, primaryKey.number, spec);
  if (partitioned) return spec.only === true ? undefined : keyPartitions(ddl, table);
  rekeyRows(ddl, table);
}

/** A unique index becomes a constraint; for a primary key that can order the rows they are rekeyed, and the index is dropped. */
function addUsingIndex(ddl: Ddl, table: SqlTable, spec: Extract<ConstraintSpec, { kind: 'using index' }>): void {
  const found = ddl.schema.relation(table.schema, spec.index);
  if (found === null || found.kind !== 'index') throw new SvcError('42704', `index "${spec.index}" does not exist`, placed(spec.at));
  const { index } = found;
  if (index === null || index.constraint !== null)
    throw new SvcError('55000', `index "${spec.index}" is already associated with a constraint`, placed(spec.at));
  if (found.table.number !== table.number) throw new SvcError('55000', `index "${spec.index}" does not belong to table "${table.name}"`, placed(spec.at));
  const unlike = (message: string, detail: string): SvcError => new SvcError('42809', message, { detail, ...placed(spec.at) });
  const cannot = 'Cannot create a primary key or unique constraint using such an index.';
  if (!index.unique) throw unlike(`"${spec.index}" is not a unique index`, cannot);
  if (index.columns.some(({ column }) => column === null)) throw unlike(`index "${spec.index}" contains expressions`, cannot);
  if (index.where !== null) throw unlike(`"${spec.index}" is a partial index`, cannot);
  const turned = index.columns.findIndex(({ descending, nullsFirst }) => descending || nullsFirst);
  if (turned >= 0) throw unlike(`index "${spec.index}" column number ${turned + 1} does not have default sorting behavior`, cannot);
  const name = spec.name ?? spec.index;
  refuseTakenConstraint(table, name);
  if (name !== spec.index) {
    if (ddl.schema.relation(table.schema, name) !== null) throw relationTaken(name);
    ddl.notice('00000', `ALTER TABLE / ADD CONSTRAINT USING INDEX will rename index "${spec.index}" to "${name}"`);
  }
  const object = indexObjects(ddl, table).find(({ number }) => number === index.number)!;
  const columns = index.columns.map(({ column }) => table.columns[column!].name);
  const { deferrable, initiallyDeferred } = spec;
  if (!spec.primary) return ddl.put({ ...object, name, constraint: name, deferrable, initiallyDeferred });
  if (deferrable) {
    newKeyColumns(table, columns);
    for (const each of columns) forbidNulls(ddl, table, each);
    return ddl.put({ ...object, name, constraint: name, primary: true, deferrable, initiallyDeferred });
  }
  const options = factsOf(ddl.schema, index.number)?.options;
  ddl.remove(object);
  forgetFacts(ddl, index.number);
  ddl.end();
  addConstraint(ddl, ddl.schema.tables.get(table.number)!, {
    kind: 'primary key',
    name,
    columns,
    nullsNotDistinct: false,
    include: index.include.map((column) => table.columns[column].name),
    options,
    deferrable,
    initiallyDeferred,
  });
}

function dropConstraint(ddl: Ddl, table: SqlTable, action: Extract<AlterSpec, { kind: 'drop constraint' }>): void {
  const found = constraintObject(ddl, table, action.name);
  if (found === null) {
    const message = `constraint "${action.name}" of relation "${table.name}" does not exist`;
    if (!action.ifExists) throw new SvcError('42704', message);
    return ddl.notice('00000', `${message}, skipping`);
  }
  if (found === 'primary key') table = ordinaryRows(ddl, table);
  dropObjects(ddl, [{ kind: 'constraint', table: table.number, name: action.name }], action.cascade);
  if (found !== 'primary key') return;
  const { documents: _open, ...relation } = relationObject(ddl, table.number);
  ddl.put({ ...relation, key: [], numeric: !isPartitioned(table), primaryKey: null, epoch: relation.epoch + 1 });
  rekeyRows(ddl, table);
}

export function constraintObject(ddl: Ddl, table: SqlTable, name: string): CatalogObject | 'primary key' | null {
  if (table.primaryKey === name) return 'primary key';
  for (const object of ddl.definitions.values()) {
    if ((object.what === 'check' || object.what === 'foreign key') && object.table === table.number && object.name === name) return object;
    if (object.what === 'index' && object.table === table.number && object.constraint === name) return object;
  }
  return null;
}

export function relationObject(ddl: Ddl, table: number): RelationObject {
  return ddl.schema.catalog.byNumber.get(table)!.relation!.object;
}

export function attributeOf(ddl: Ddl, table: SqlTable, name: string): AttributeObject {
  columnIndex(table, name);
  return ddl.schema.catalog.byNumber.get(table.number)!.relation!.attributes.find((each) => each.name === name)!;
}

export function indexObjects(ddl: Ddl, table: SqlTable): readonly IndexObject[] {
  return ddl.schema.catalog.byNumber.get(table.number)!.relation!.indexes;
}

export function usesColumn(index: IndexObject, column: number): boolean {
  return (
    index.columns.some((each) => each.column === column) ||
    index.include.includes(column) ||
    index.where !== null ||
    index.columns.some((each) => each.expression !== null)
  );
}

function newColumn(ddl: Ddl, table: SqlTable, name: string): SqlColumn {
  return ddl.schema.tables.get(table.number)!.columns.find((column) => column.name === name)!;
}

function countRows(ddl: Ddl, table: SqlTable): number {
  let rows = 0;
  eachRow(ddl, table, () => {
    rows++;
    return false;
  });
  return rows;
}

function refuseNulls(ddl: Ddl, table: SqlTable, at: number): void {
  const tree = childRoot(ddl.pager, ddl.root, table.number);
  if (tree === null) return;
  const column = table.columns[at];
  const { pager } = ddl;
  ddl.work(
    (function* (): Generator<void, void> {
      for (const { leaf } of leaves(pager, tree, null)) {
        // A leaf without tags has no absent cells.
        if (leaf.col(column.number)?.tags === null) continue;
        for (let i = 0; i < leaf.count; i++) {
          if (readCell(column, leaf, i) === null) throw nullsFound(table, column.name);
        }
        yield;
      }
    })(),
  );
}
