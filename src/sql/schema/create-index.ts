/**
 * CREATE INDEX and UNIQUE constraints. The fold builds the index tree when it applies the definition; this file chooses the name,
 * checks uniqueness over existing rows, and writes the hidden cells that the index needs: keys of expressions and of types whose
 * order needs the type, and whether a row satisfies a partial index's condition.
 */
import { type Environment, STORED } from '../types/environment.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Datum, Kind, RowChange, Shape } from '../../tree/datum.ts';
import { KIND } from '../../tree/datum.ts';
import { childRoot } from '../../tree/directory.ts';
import { scan } from '../../tree/read.ts';
import { cellNumberName, type IndexKeyObject, type IndexObject } from '../../worlds/definition.ts';
import { assert } from '../../base/assert.ts';
import type { SqlType } from '../types/type.ts';
import type { Value } from '../types/value.ts';
import { eachRow, refuseTakenConstraint } from './constraint.ts';
import { checkKeyTwice, type ConstraintSpec, type KeySpec, placed } from './create-table.ts';
import type { Ddl } from './ddl.ts';
import { ExclusionRule } from './exclusion.ts';
import { putFacts } from './facts.ts';
import { chooseName, indexNameAddition } from './implicit-name.ts';
import { followsType, mustAccept } from './operator-strategies.ts';
import { entriesOf, isVectorMethod, type Method, operatorClassOf } from './index-methods.ts';
import { IndexValues } from './index-values.ts';
import { indexPartitions, refuseForeignPartitions, refuseUncovered } from './partitions.ts';
import { OID } from './oids.ts';
import { relationTaken } from './object-errors.ts';
import { keyText } from './row-errors.ts';
import { readRow } from './row-reader.ts';
import { shownKey } from './shown-key.ts';
import { refuseBm25 } from './searched-fields.ts';
import type { SqlTable } from './table.ts';

export interface IndexColumnSpec {
  /** Either a column or an expression. */
  readonly column: string | null;
  /** SQL text, with its result type. */
  readonly expression: {
    readonly sql: string;
    readonly type: SqlType;
    readonly typmod: number;
    /** Its part of a default index name. */ readonly name?: string;
  } | null;
  readonly descending: boolean;
  readonly nullsFirst: boolean;
  /** As given. */
  readonly operatorClass?: string | null;
  /** Number of a user-defined operator class for the type. */
  readonly ownClass?: number | null;
  /** Locale that decides the equality of its texts (IndexKeyObject), null for none; absent: as its column's. */
  readonly folding?: string | null;
}

export interface IndexSpec {
  readonly table: number;
  readonly name: string | null;
  readonly ifNotExists: boolean;
  /** Absent: btree. */
  readonly method?: Method;
  readonly unique: boolean;
  readonly nullsNotDistinct: boolean;
  readonly columns: readonly IndexColumnSpec[];
  readonly include: readonly string[];
  /** SQL text. */
  readonly where: string | null;
  /** ON ONLY a partitioned table: not on its partitions. */
  readonly only?: boolean;
  /** Number of the partitioned table's index that it is part of. */
  readonly parent?: number;
  readonly exclusion?: IndexObject['exclusion'];
  /** WITH (…), `name=value` each. */
  readonly options?: readonly string[];
}

interface Constrained {
  readonly constraint: boolean;
  readonly primary?: boolean;
  readonly deferrable: boolean;
  readonly initiallyDeferred: boolean;
  /** Position of the constraint, for errors about missing columns. */
  readonly at?: number;
}

/** Types of which ranked search keeps the vectors (src/search). */
const SEARCHED: ReadonlySet<number> = new Set([OID.vector, OID.halfvec]);

const PLAIN: Constrained = { constraint: false, deferrable: false, initiallyDeferred: false };

/** Number of the new index; null if IF NOT EXISTS found a relation. */
export function createIndex(ddl: Ddl, spec: IndexSpec, constrained: Constrained = PLAIN): number | null {
  assert(ddl.schema.tables.has(spec.table), 'the table of an index is known');
  const table = ddl.definedTable(spec.table);
  const taken = (name: string): boolean => ddl.schema.relation(table.schema, name) !== null;
  if (spec.name !== null && taken(spec.name)) {
    if (!spec.ifNotExists) throw relationTaken(spec.name);
    ddl.notice('42P07', `relation "${spec.name}" already exists, skipping`);
    return null;
  }
  if (spec.unique) refuseForeignPartitions(ddl, table);
  if (spec.unique)
    refuseUncovered(
      table,
      spec.columns.map(({ column }) => column),
      constrained.primary === true ? 'PRIMARY KEY' : 'UNIQUE',
    );
  const names = [...spec.columns.map(({ column, expression }) => column ?? expression?.name ?? null), ...spec.include];
  const name =
    spec.name ??
    (constrained.primary === true
      ? chooseName(table.name, null, 'pkey', taken)
      : chooseName(table.name, indexNameAddition(names), spec.exclusion !== undefined ? 'excl' : constrained.constraint ? 'key' : 'idx', taken));
  const numberOfColumn = (column: string): number => {
    const found = table.columns.find((each) => each.name === column);
    if (found === undefined) {
      throw new SvcError(
        '42703',
        constrained.constraint ? `column "${column}" named in key does not exist` : `column "${column}" does not exist`,
        placed(constrained.at),
      );
    }
    return found.number;
  };
  const { method = 'btree' } = spec;
  if (method === 'bm25') refuseBm25(table, spec);
  const indexed = spec.columns.map(({ column, expression }) => {
    if (column === null) return expression!.type;
    const number = numberOfColumn(column);
    return table.columns.find((each) => each.number === number)!.type;
  });
  spec.columns.forEach(({ ownClass = null }, i) => {
    if (ownClass !== null) mustAccept(ddl.schema, ownClass, indexed[i]);
  });
  const entries = spec.columns.some(({ ownClass = null }, i) => ownClass !== null && !followsType(ddl.schema, ownClass, indexed[i]))
    ? 'none'
    : spec.exclusion !== undefined && !indexed.every(({ ordered }) => ordered)
      ? 'none'
      : entriesOf(
          method,
          indexed,
          spec.columns.map(({ operatorClass = null }) => operatorClass),
        );
  if (entries === 'none' && spec.unique)
    throw new SvcError('0A000', 'unique indexes with operator classes that do not follow the order of their types are not supported');
  const columns = spec.columns.map(
    ({ column, expression, descending, nullsFirst, operatorClass: given = null, ownClass = null, folding: written }, i): IndexKeyObject => {
      const own = column === null ? null : table.columns.find((each) => each.number === numberOfColumn(column))!;
      const { type, typmod } = own ?? expression!;
      const operatorClass = ownClass === null ? operatorClassOf(method, type, given, (extension) => ddl.schema.extensions.has(extension)) : null;
      const folding = written === undefined ? own?.folding?.locale : (written ?? undefined);
      const code = entries === 'lists' ? 'list' : entries === 'none' || folding !== undefined ? 'raw' : ddl.schema.keyCodec(type, typmod).code;
      const direct = own !== null && code !== 'raw' && code !== 'list';
      return {
        column: own?.number ?? null,
        expression: expression?.sql ?? null,
        type: type.oid,
        typmod,
        descending,
        nullsFirst,
        cell: direct ? own.number : ddl.objects.number(cellNumberName(table.number, name, i)),
        code: direct ? code : entries === 'lists' ? 'list' : 'raw',
        ...(operatorClass === null ? {} : { operatorClass }),
        ...(ownClass === null ? {} : { ownClass }),
        ...(folding === undefined || entries !== 'ordered' ? {} : { folding }),
      };
    },
  );
  const object: IndexObject = {
    what: 'index',
    ...(method === 'btree' ? {} : { method }),
    ...(entries === 'none' ? { recorded: true as const } : {}),
    number: 0,
    table: table.number,
    name,
    unique: spec.unique,
    nullsNotDistinct: spec.nullsNotDistinct,
    columns,
    include: spec.include.map(numberOfColumn),
    where: spec.where,
    whereCell: spec.where === null ? null : ddl.objects.number(cellNumberName(table.number, name, -1)),
    constraint: constrained.constraint ? name : null,
    ...(constrained.primary === true ? { primary: true as const } : {}),
    deferrable: constrained.deferrable,
    initiallyDeferred: constrained.initiallyDeferred,
    ...(spec.parent === undefined ? {} : { parent: spec.parent }),
    ...(spec.exclusion === undefined ? {} : { exclusion: spec.exclusion }),
  };
  object.number = ddl.numberFor(object);
  ddl.put(object);
  if (spec.options !== undefined && spec.options.length > 0) putFacts(ddl, object.number, 0, { options: [...spec.options] });
  const isSearched = method === 'bm25' || (isVectorMethod(method) && columns[0].column !== null && spec.where === null && SEARCHED.has(indexed[0].oid));
  if (isSearched) {
    // Segments are made by searches.
  } else if (entries === 'none' && spec.exclusion === undefined) {
    const why = columns.some(({ ownClass }) => ownClass !== undefined)
      ? 'its operator class does not follow the order of the type'
      : `there are no indexes of method ${method} over its columns`;
    ddl.notice('01000', `index "${name}" is recorded but not used for searching: ${why}`);
  } else fill(ddl, object);
  if (table.inheritance?.partitionBy != null && spec.only !== true) {
    const index = ddl.schema.tables.get(table.number)!.indexes.find(({ number }) => number === object.number)!;
    indexPartitions(ddl, table, index);
  }
  return object.number;
}

/** `at`: its position in CREATE TABLE, which resolves its columns before anything is created. */
export function addIndexConstraint(ddl: Ddl, number: number, spec: KeySpec, at?: number): void {
  const table = ddl.schema.tables.get(number)!;
  if (spec.name !== null && ddl.schema.relation(table.schema, spec.name) !== null) throw relationTaken(spec.name);
  refuseTakenConstraint(table, spec.name);
  const primary = spec.kind === 'primary key';
  checkKeyTwice(spec.columns, primary ? 'primary key' : 'unique', spec.at);
  createIndex(
    ddl,
    {
      table: number,
      name: spec.name,
      ifNotExists: false,
      unique: true,
      nullsNotDistinct: spec.nullsNotDistinct,
      columns: spec.columns.map((column) => ({ column, expression: null, descending: false, nullsFirst: false })),
      include: spec.include,
      where: null,
      options: spec.options,
      ...(spec.only === true ? { only: true } : {}),
    },
    { constraint: true, primary, deferrable: spec.deferrable, initiallyDeferred: spec.initiallyDeferred, at },
  );
}

export function addExclusion(ddl: Ddl, number: number, spec: Extract<ConstraintSpec, { kind: 'exclude' }>): void {
  const table = ddl.schema.tables.get(number)!;
  if (table.inheritance?.partitionBy != null) throw new SvcError('0A000', 'exclusion constraints are not supported on partitioned tables');
  if (spec.name !== null && ddl.schema.relation(table.schema, spec.name) !== null) throw relationTaken(spec.name);
  refuseTakenConstraint(table, spec.name);
  createIndex(
    ddl,
    {
      table: number,
      name: spec.name,
      ifNotExists: false,
      unique: false,
      nullsNotDistinct: false,
      columns: spec.columns,
      include: spec.include,
      where: spec.where,
      options: spec.options,
      exclusion: { operators: [...spec.operators], method: spec.method },
    },
    { constraint: true, deferrable: spec.deferrable, initiallyDeferred: spec.initiallyDeferred },
  );
}

/** 23P01 if two existing rows conflict. */
function refuseExcluded(ddl: Ddl, table: SqlTable, rule: ExclusionRule): void {
  const groups = new Map<string, Value[][]>();
  eachRow(ddl, table, (row) => {
    const mine = rule.of(row);
    if (mine === null) return;
    const name = rule.group(mine);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [mine]);
    else {
      for (const other of group) if (rule.conflict(mine, other)) throw rule.creationError(other, mine, STORED);
      group.push(mine);
    }
  });
}

/** Checks existing rows: 23505 for duplicate keys; writes the hidden cells. */
function fill(ddl: Ddl, object: IndexObject): void {
  const tree = childRoot(ddl.pager, ddl.root, object.table);
  if (tree === null || tree.count === 0) return;
  const table = ddl.schema.tables.get(object.table)!;
  const index = table.indexes.find(({ number }) => number === object.number)!;
  const values = new IndexValues(ddl.schema, table, index, ddl.compiler);
  if (object.exclusion !== undefined)
    refuseExcluded(ddl, table, new ExclusionRule(ddl.schema, table, index, object.exclusion.operators, object.deferrable, ddl.compiler));
  if (!object.unique && values.cells.length === 0) return;
  const kinds: Kind[] = values.cells.map((cell) => (cell === object.whereCell ? KIND.BOOL : KIND.BIN));
  const shape: Shape = { ids: values.cells, kinds };
  const absent = values.cells.map((): Datum => undefined);
  const seen = new Set<string>();
  const rows: RowChange[] = [];
  scan(ddl.pager, tree, null, (leaf, from, to) => {
    for (let i = from; i < to; i++) {
      const row = readRow(table, leaf, i);
      const claim = object.unique ? values.claim(row) : null;
      if (claim !== null) {
        if (seen.has(claim)) throw notUniqueYet(object.name, table, index, values.values(row), ddl.compiler.env ?? STORED);
        seen.add(claim);
      }
      if (values.cells.length === 0) continue;
      const after: Datum[] = [];
      values.pushCells(row, after);
      rows.push({ key: leaf.key(i), shape, before: absent, after });
    }
  });
  ddl.rows({ tree: object.table, numeric: table.key.numeric, rows });
}

function notUniqueYet(
  name: string,
  table: SqlTable,
  index: { readonly columns: readonly { readonly column: number | null; readonly expression: string | null; readonly type: SqlType }[] },
  values: readonly Value[],
  env: Environment,
): SvcError {
  const types = index.columns.map(({ type }) => type);
  return new SvcError('23505', `could not create unique index "${name}"`, {
    detail: `${keyText(shownKey(table, index.columns, env), types, values, STORED)} is duplicated.`,
    data: { schema: table.schema, table: table.name, constraint: name },
  });
}
