/** Storage options of CREATE and ALTER: checked, then recorded beside the definition. */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { AlterAction, ColumnDefinition, CreateIndex, CreateTable, CreateTableAs } from '../ast/define.ts';
import { collationNamed } from '../bind/collation-name.ts';
import type { Ddl } from '../schema/ddl.ts';
import { changedOptions, type Facts, factsOf, putFacts } from '../schema/facts.ts';
import { refusePartitionedDocuments, setDocuments, withoutDocuments } from '../schema/documents-option.ts';
import { isIndexMethod } from '../schema/index-methods.ts';
import type { SqlColumn, SqlTable } from '../schema/table.ts';
import { isPublished } from './publications.ts';
import { checkWeights } from '../schema/searched-fields.ts';
import { bool } from './setting-values.ts';
import { storageOptions } from './storage-options.ts';

type Stored = Pick<CreateTable | CreateTableAs, 'options' | 'tablespace' | 'accessMethod' | 'persistence'>;

/** Before anything is created. 42704 for missing objects, 22023 for invalid parameters. */
export function checkStorage({ options, tablespace, accessMethod }: Omit<Stored, 'persistence'>, partitioned: boolean): string[] {
  if (tablespace === 'pg_global') throw new SvcError('42501', 'only shared relations can be placed in pg_global tablespace');
  if (tablespace !== null && tablespace !== 'pg_default') throw new SvcError('42704', `tablespace "${tablespace}" does not exist`);
  if (accessMethod !== null && partitioned) throw new SvcError('0A000', 'specifying a table access method is not supported on a partitioned table');
  if (accessMethod !== null && accessMethod !== 'heap') {
    throw isIndexMethod(accessMethod)
      ? new SvcError('42809', `access method "${accessMethod}" is not of type TABLE`)
      : new SvcError('42704', `access method "${accessMethod}" does not exist`);
  }
  if (partitioned) refusePartitionedDocuments(options);
  return storageOptions(partitioned ? 'partitioned' : 'table', options);
}

/** Records the parameters and persistence of a created table, and the options of its columns. */
export function tableFacts(ddl: Ddl, number: number, stored: Stored, options: readonly string[], columns: readonly ColumnDefinition[]): void {
  const unlogged = stored.persistence === 'unlogged';
  const { others, documents } = withoutDocuments(options, isOn);
  if (documents !== null) setDocuments(ddl, number, documents);
  if (others.length > 0 || unlogged)
    putFacts(ddl, number, 0, { ...(others.length === 0 ? {} : { options: others }), ...(unlogged ? { unlogged: true as const } : {}) });
  const table = ddl.schema.tables.get(number)!;
  inheritCollations(ddl, table);
  if (columns.length === 0) return;
  for (const definition of columns) {
    const column = table.columns.find(({ name }) => name === definition.name);
    if (column !== undefined) columnFacts(ddl, table, column, definition);
  }
}

/** Inherited columns have the collations of the parent's. */
function inheritCollations(ddl: Ddl, table: SqlTable): void {
  for (const parent of table.inheritance?.parents ?? []) {
    const above = ddl.schema.tables.get(parent);
    for (const column of above?.columns ?? []) {
      const collation = factsOf(ddl.schema, parent, column.attnum)?.collation;
      const own = collation === undefined ? undefined : table.columns.find(({ name }) => name === column.name);
      if (own !== undefined) putFacts(ddl, table.number, own.attnum, { collation });
    }
  }
}

export function columnFacts(ddl: Ddl, table: SqlTable, column: SqlColumn, { storage, compression, collation, collationAt: at }: ColumnDefinition): void {
  if (storage === null && compression === null && collation === null) return;
  putFacts(ddl, table.number, column.attnum, {
    ...(storage === null ? {} : { storage: storageOf(column, storage) }),
    ...(compression === null ? {} : { compression: compressionOf(column, compression) }),
    ...(collation === null ? {} : { collation: collationOf(ddl, collation, at) }),
  });
}

/** The name of a built-in or user-defined collation. */
export function collationOf(ddl: Ddl, written: readonly string[], at?: number): string | undefined {
  const name = written[written.length - 1];
  for (const own of ddl.schema.collations.values()) if (own.name === name && (written.length === 1 || own.schema === written[0])) return name;
  const known = collationNamed(written, at);
  return known === 'default' ? undefined : known;
}

/** Records collations of a query's columns; null for a type's own. */
export function keepCollations(ddl: Ddl, number: number, collations: readonly (string | null)[] | null): void {
  collations?.forEach((collation, i) => {
    if (collation !== null) putFacts(ddl, number, i + 1, { collation });
  });
}

const STORAGES: Readonly<Record<string, NonNullable<Facts['storage']>>> = { plain: 'p', external: 'e', main: 'm', extended: 'x' };

function storageOf({ type }: SqlColumn, text: string): Facts['storage'] {
  const word = text.toLowerCase();
  if (word === 'default') return undefined;
  const found = Object.hasOwn(STORAGES, word) ? STORAGES[word] : undefined;
  if (found === undefined) throw new SvcError('22023', `invalid storage type "${text}"`);
  if (type.length > 0 && found !== 'p') throw new SvcError('0A000', `column data type ${type.title} can only have storage PLAIN`);
  return found;
}

function compressionOf({ type }: SqlColumn, method: string): Facts['compression'] {
  if (type.length > 0) throw new SvcError('0A000', `column data type ${type.title} does not support compression`);
  if (method === 'default') return undefined;
  if (method !== 'pglz' && method !== 'lz4') throw new SvcError('22023', `invalid compression method "${method}"`);
  return method === 'pglz' ? 'p' : 'l';
}

export function indexFacts(ddl: Ddl, number: number, { elements, options, method }: CreateIndex): void {
  const stored = storageOptions(method as Parameters<typeof storageOptions>[0], options);
  const collations = elements.map(({ collation }) => (collation === null ? null : (collationOf(ddl, collation) ?? 'default')));
  if (stored.length === 0 && collations.every((each) => each === null)) return;
  putFacts(ddl, number, 0, {
    ...(stored.length === 0 ? {} : { options: stored }),
    ...(collations.some((each) => each !== null) ? { collations } : {}),
  });
  if (method === 'bm25') checkWeightsOf(ddl, number);
}

/** 22023 for a bm25 index that has weights, but not one for each column. */
export function checkWeightsOf(ddl: Ddl, number: number): void {
  for (const { indexes } of ddl.schema.tables.values()) {
    const index = indexes.find((each) => each.number === number);
    if (index !== undefined) checkWeights(ddl.schema, index);
  }
}

const isOn = (value: string): boolean => bool(value) === 'on';

type Warn = (code: string, text: string, severity: 'WARNING') => void;
const STATISTICS_MAX = 10000;

/** The value of SET STATISTICS: −1 for the default. */
export function statisticsTarget(value: number, warn: Warn): number {
  if (value < -1) throw new SvcError('22023', `statistics target ${value} is too low`);
  if (value > STATISTICS_MAX) warn('22023', `lowering statistics target to ${STATISTICS_MAX}`, 'WARNING');
  return Math.min(value, STATISTICS_MAX);
}

/** ALTER TABLE actions that are catalog-only; false for any other. */
export function alterFacts(ddl: Ddl, table: SqlTable, action: AlterAction, notice: Warn): boolean {
  const known = (attnum: number): Facts | null => factsOf(ddl.schema, table.number, attnum);
  const partitioned = table.inheritance?.partitionBy != null;
  switch (action.type) {
    case 'setOptions': {
      if (partitioned) refusePartitionedDocuments(action.options);
      const { others, documents } = withoutDocuments(storageOptions(partitioned ? 'partitioned' : 'table', action.options), isOn);
      if (documents !== null) setDocuments(ddl, table.number, documents);
      if (others.length > 0 || documents === null) putFacts(ddl, table.number, 0, { options: changedOptions(known(0)?.options ?? [], others, []) });
      return true;
    }
    case 'resetOptions':
      if (action.options.some(({ value }) => value !== null)) throw new SvcError('42601', 'RESET must not include values for parameters');
      if (action.options.some(({ namespace, name }) => namespace === null && name === 'documents')) setDocuments(ddl, table.number, false);
      putFacts(ddl, table.number, 0, {
        options: changedOptions(
          known(0)?.options ?? [],
          [],
          action.options.map(({ name }) => name),
        ),
      });
      return true;
    case 'setLogged':
      if (table.schema.startsWith('pg_temp_')) throw new SvcError('42P16', `cannot change logged status of table "${table.name}" because it is temporary`);
      if (!action.logged && isPublished(ddl.schema, table)) {
        throw new SvcError('55000', `cannot change table "${table.name}" to unlogged because it is part of a publication`, {
          detail: 'Unlogged relations cannot be replicated.',
        });
      }
      if (!partitioned) putFacts(ddl, table.number, 0, { unlogged: action.logged ? undefined : true });
      return true;
    case 'replicaIdentity':
      for (const [index, facts] of indexesOf(ddl, table)) if (facts?.replica !== undefined) putFacts(ddl, index.number, 0, { replica: undefined });
      if (action.index !== null) putFacts(ddl, identityIndex(ddl, table, action.index), 0, { replica: 'i' });
      putFacts(ddl, table.number, 0, {
        replica: action.identity === 'index' ? 'i' : action.identity === 'full' ? 'f' : action.identity === 'nothing' ? 'n' : undefined,
      });
      return true;
    case 'clusterOn':
    case 'dropCluster':
      markClustered(ddl, table, action.type === 'clusterOn' ? action.index : null);
      return true;
    case 'setStatistics':
    case 'setStorage':
    case 'setCompression':
    case 'setColumnOptions':
    case 'resetColumnOptions':
      break;
    default:
      return false;
  }
  const column = table.columns.find(({ name }) => name === action.column);
  if (column === undefined) throw new SvcError('42703', `column "${action.column}" of relation "${table.name}" does not exist`);
  const { attnum } = column;
  switch (action.type) {
    case 'setStatistics': {
      const target = statisticsTarget(action.value, notice);
      putFacts(ddl, table.number, attnum, { statistics: target === -1 ? undefined : target });
      return true;
    }
    case 'setStorage':
      putFacts(ddl, table.number, attnum, { storage: storageOf(column, action.storage) });
      return true;
    case 'setCompression':
      putFacts(ddl, table.number, attnum, { compression: compressionOf(column, action.method) });
      return true;
    case 'setColumnOptions':
      putFacts(ddl, table.number, attnum, { options: changedOptions(known(attnum)?.options ?? [], storageOptions('column', action.options), []) });
      return true;
    default:
      putFacts(ddl, table.number, attnum, {
        options: changedOptions(
          known(attnum)?.options ?? [],
          [],
          action.options.map(({ name }) => name),
        ),
      });
      return true;
  }
}

function indexesOf(ddl: Ddl, table: SqlTable): [{ number: number; name: string }, Facts | null][] {
  const key = ddl.schema.primaryKeyNumber(table);
  const all = [...(key === undefined || table.primaryKey === null ? [] : [{ number: key, name: table.primaryKey }]), ...table.indexes];
  return all.map((each) => [each, factsOf(ddl.schema, each.number)]);
}

function indexNumber(ddl: Ddl, table: SqlTable, name: string): number {
  const found = indexesOf(ddl, table).find(([index]) => index.name === name);
  if (found !== undefined) return found[0].number;
  const other = ddl.schema.relation(table.schema, name);
  if (other === null) throw new SvcError('42704', `index "${name}" for table "${table.name}" does not exist`);
  throw new SvcError('42809', other.kind === 'index' ? `"${name}" is not an index for table "${table.name}"` : `"${name}" is not an index`);
}

/** The replica identity index: it must be unique, not deferrable and not partial. */
function identityIndex(ddl: Ddl, table: SqlTable, name: string): number {
  const number = indexNumber(ddl, table, name);
  const index = table.indexes.find((each) => each.number === number);
  // A primary key that is the key of the table's tree.
  if (index === undefined) return number;
  if (!index.unique) throw new SvcError('42809', `cannot use non-unique index "${name}" as replica identity`);
  if (ddl.schema.catalog.indexes.get(number)?.deferrable === true) throw new SvcError('0A000', `cannot use non-immediate index "${name}" as replica identity`);
  if (index.columns.some(({ column }) => column === null)) throw new SvcError('0A000', `cannot use expression index "${name}" as replica identity`);
  if (index.where !== null) throw new SvcError('0A000', `cannot use partial index "${name}" as replica identity`);
  for (const { column } of index.columns) {
    const { name: of, notNull } = table.columns[column!];
    if (!notNull) throw new SvcError('42809', `index "${name}" cannot be used as replica identity because column "${of}" is nullable`);
  }
  return number;
}

/** CLUSTER, and ALTER TABLE … CLUSTER ON: at most one index. */
export function markClustered(ddl: Ddl, table: SqlTable, index: string | null): void {
  const wanted = index === null ? 0 : indexNumber(ddl, table, index);
  for (const [{ number }, facts] of indexesOf(ddl, table)) {
    if (number !== wanted && facts?.clustered === true) putFacts(ddl, number, 0, { clustered: undefined });
  }
  if (wanted !== 0) putFacts(ddl, wanted, 0, { clustered: true });
}
