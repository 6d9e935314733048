/** A database in memory with worlds and the SQL layer's way into them: statements as calls. */
import { STORED } from '../../../src/sql/types/environment.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ObjectsProjection } from '../../../projections/objects/objects.ts';
import type { TreeChanges } from '../../../src/events/changes.ts';
import { createIndex, type IndexSpec } from '../../../src/sql/schema/create-index.ts';
import { type ColumnSpec, type ConstraintSpec, createTable } from '../../../src/sql/schema/create-table.ts';
import type { Compiler } from '../../../src/sql/schema/compiler.ts';
import { Ddl, type Notice } from '../../../src/sql/schema/ddl.ts';
import { readRow } from '../../../src/sql/schema/row-reader.ts';
import { type Schema, schemaOf } from '../../../src/sql/schema/schema.ts';
import { StatementWrites } from '../../../src/sql/schema/statement-writes.ts';
import type { SqlTable } from '../../../src/sql/schema/table.ts';
import type { SqlType } from '../../../src/sql/types/type.ts';
import type { Value } from '../../../src/sql/types/value.ts';
import { MemoryPageStore } from '../../../src/storage/memory-page-store.ts';
import type { Key } from '../../../src/tree/datum.ts';
import { checkTree } from '../../../src/tree/check.ts';
import { childRoot } from '../../../src/tree/directory.ts';
import type { Node } from '../../../src/tree/node.ts';
import { Pager } from '../../../src/tree/pager.ts';
import { scan } from '../../../src/tree/read.ts';
import { emptyTree } from '../../../src/tree/write.ts';
import { applyToWorld } from '../../../src/worlds/apply.ts';
import { readCatalog } from '../../../src/worlds/catalog.ts';
import { buildIndex, indexesOf } from '../../../src/worlds/index-fold.ts';
import { TEST_TYPES } from './test-types.ts';

/** Conditions and expressions of tests are JavaScript over the row's columns by name. */
export const TEST_COMPILER: Compiler = {
  check: (table, sql) => compile(table, sql) as (row: readonly Value[]) => boolean | null,
  expression: (table, sql) => compile(table, sql) as (row: readonly Value[]) => Value,
  typed: (table) => table.columns[0],
  named: () => ({ functions: new Set(), operators: new Set(), collations: new Set(), types: new Set(), objects: new Set(), members: new Map() }),
  condition: (sql) => sql,
  renamed: (sql, _table, names) => sql.replace(/\w+/g, (word) => names.get(word) ?? word),
};

function compile(table: SqlTable, text: string): (row: readonly Value[]) => unknown {
  const names = table.columns.map(({ name }) => name);
  // oxlint-disable-next-line no-implied-eval no-new-func
  const run = new Function(...names, `return (${text});`) as (...values: readonly Value[]) => unknown;
  return (row) => run(...row);
}

export function column(name: string, type: SqlType, more: Partial<ColumnSpec> = {}): ColumnSpec {
  return { name, type, typmod: -1, notNull: false, default: null, generated: null, identity: null, serial: false, ...more };
}

export function primaryKey(...columns: string[]): ConstraintSpec {
  return { kind: 'primary key', name: null, columns, nullsNotDistinct: false, include: [], deferrable: false, initiallyDeferred: false };
}

export function unique(...columns: string[]): ConstraintSpec {
  return { kind: 'unique', name: null, columns, nullsNotDistinct: false, include: [], deferrable: false, initiallyDeferred: false };
}

export function references(columns: string[], target: string, more: Partial<Extract<ConstraintSpec, { kind: 'foreign key' }>> = {}): ConstraintSpec {
  return {
    kind: 'foreign key',
    name: null,
    columns,
    target: { schema: 'public', name: target },
    targetColumns: [],
    onDelete: 'no action',
    onUpdate: 'no action',
    deleteColumns: [],
    matchFull: false,
    deferrable: false,
    initiallyDeferred: false,
    ...more,
  };
}

/** One directory, changed statement by statement. */
export class TestWorld {
  readonly pager: Pager;
  readonly objects: ObjectsProjection;
  root: Node;
  notices: Notice[] = [];
  sequences: Ddl['sequences'] = new Map();
  #edit: number;

  constructor(from?: TestWorld) {
    this.pager = from?.pager ?? new Pager(new MemoryPageStore(), 1e9, 1);
    this.objects = from?.objects ?? new ObjectsProjection(this.pager, null);
    this.#edit = this.pager.newEdit();
    this.root = from?.root ?? emptyTree(true, this.#edit);
  }

  fork(): TestWorld {
    this.#edit = this.pager.newEdit();
    return new TestWorld(this);
  }

  get schema(): Schema {
    return schemaOf(readCatalog(this.pager, this.root), TEST_TYPES);
  }

  table(name: string): SqlTable {
    const [schema, own] = name.includes('.') ? name.split('.') : ['public', name];
    return this.schema.table(schema, own)!;
  }

  apply(changes: TreeChanges[]): TreeChanges[] {
    this.root = applyToWorld(this.pager, this.root, changes, this.#edit);
    this.objects.apply({ type: 'committed', how: 'write', changes }, undefined as never);
    this.#edit = this.pager.newEdit();
    return changes;
  }

  ddl(define: (ddl: Ddl) => void): TreeChanges[] {
    const ddl = new Ddl({
      roleName: String,
      path: ['public'],
      pager: this.pager,
      objects: this.objects,
      lookup: TEST_TYPES,
      compiler: TEST_COMPILER,
      root: this.root,
    });
    define(ddl);
    this.notices = ddl.notices;
    this.sequences = ddl.sequences;
    return this.apply(ddl.finish());
  }

  create(name: string, columns: ColumnSpec[], constraints: ConstraintSpec[] = []): SqlTable {
    const [schema, own] = name.includes('.') ? name.split('.') : ['public', name];
    this.ddl((ddl) => createTable(ddl, { schema, name: own, ifNotExists: false, columns, constraints }));
    return this.table(name);
  }

  index(table: string, columns: (string | { sql: string; type: SqlType })[], more: Partial<IndexSpec> = {}): void {
    this.ddl((ddl) =>
      createIndex(ddl, {
        table: this.table(table).number,
        name: null,
        ifNotExists: false,
        unique: false,
        nullsNotDistinct: false,
        columns: columns.map((each) =>
          typeof each === 'string'
            ? { column: each, expression: null, descending: false, nullsFirst: false }
            : { column: null, expression: { ...each, typmod: -1 }, descending: false, nullsFirst: false },
        ),
        include: [],
        where: null,
        ...more,
      }),
    );
  }

  statement(write: (writes: StatementWrites) => void): TreeChanges[] {
    return this.apply(this.draft(write));
  }

  draft(write: (writes: StatementWrites) => void): TreeChanges[] {
    const writes = new StatementWrites({
      pager: this.pager,
      objects: this.objects,
      schema: this.schema,
      root: this.root,
      compiler: TEST_COMPILER,
      env: STORED,
    });
    write(writes);
    return writes.finish();
  }

  insert(name: string, ...rows: Value[][]): Key[] {
    const keys: Key[] = [];
    const table = this.table(name);
    this.statement((writes) => rows.forEach((row) => keys.push(writes.writer(table).insert(row))));
    return keys;
  }

  update(name: string, key: Key, set: Record<string, Value>): void {
    const table = this.table(name);
    const columns = Object.keys(set).map((each) => table.columns.findIndex((own) => own.name === each));
    this.statement((writes) => writes.writer(table).update(key, columns, Object.values(set)));
  }

  delete(name: string, ...keys: Key[]): void {
    const table = this.table(name);
    this.statement((writes) => keys.forEach((key) => writes.writer(table).delete(key)));
  }

  rows(name: string): Value[][] {
    const table = this.table(name);
    const tree = childRoot(this.pager, this.root, table.number);
    const out: Value[][] = [];
    if (tree !== null)
      scan(this.pager, tree, null, (leaf, from, to) => {
        for (let i = from; i < to; i++) out.push(readRow(table, leaf, i));
      });
    return out;
  }

  /** Every index holds what one built anew from the rows would. */
  checkIndexes(): void {
    const catalog = readCatalog(this.pager, this.root);
    for (const { number, relation } of catalog.byNumber.values()) {
      if (relation === null) continue;
      for (const index of indexesOf(catalog, number)) {
        const tree = childRoot(this.pager, this.root, index.number) ?? emptyTree(false);
        checkTree(this.pager, tree);
        const fresh = buildIndex(this.pager, index, childRoot(this.pager, this.root, number), this.pager.newEdit());
        const entries = (root: Node): string[] => {
          const out: string[] = [];
          scan(this.pager, root, null, (leaf, from, to) => {
            for (let i = from; i < to; i++) out.push(`${leaf.skeys[i]}\n${String(leaf.cell(i, 1))}`);
          });
          return out;
        };
        const [a, b] = [entries(tree), entries(fresh)];
        if (a.length !== b.length || a.some((each, i) => each !== b[i]))
          throw new Error(`index ${index.name} holds ${a.length} entries, rows make ${b.length}`);
      }
    }
  }
}

export function folder(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'svc-schema-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
