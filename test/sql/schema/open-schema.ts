/** A database in a folder with its context at hand, so that definitions and statements can be committed to worlds. */
import { STORED } from '../../../src/sql/types/environment.ts';
import { pastProjections, projections, type Projections } from '../../../projections/index.ts';
import { worldRootIn } from '../../../projections/worlds/registry.ts';
import { WorldsProjection } from '../../../projections/worlds/worlds.ts';
import { NO_GUARD } from '../../../src/commands/merge-guard.ts';
import { directCommands } from '../../../src/operations/commands.ts';
import type { Services } from '../../../src/operations/services.ts';
import type { Commands } from '../../../src/commands/contract.ts';
import type { TreeChanges } from '../../../src/events/changes.ts';
import { FolderLog } from '../../../src/log/folder-log.ts';
import { Engine } from '../../../src/projection/engine.ts';
import { PastFold } from '../../../src/projection/past-fold.ts';
import { createIndex, type IndexSpec } from '../../../src/sql/schema/create-index.ts';
import { type ColumnSpec, type ConstraintSpec, createTable } from '../../../src/sql/schema/create-table.ts';
import { Ddl } from '../../../src/sql/schema/ddl.ts';
import { readRow } from '../../../src/sql/schema/row-reader.ts';
import { type Schema, schemaOf } from '../../../src/sql/schema/schema.ts';
import { StatementWrites } from '../../../src/sql/schema/statement-writes.ts';
import { typedTablesOver } from '../../../src/sql/schema/typed-tables.ts';
import type { Value } from '../../../src/sql/types/value.ts';
import { MemoryPageStore } from '../../../src/storage/memory-page-store.ts';
import { nodeFileSystem } from '../../../src/storage/node-file-system.ts';
import { childRoot } from '../../../src/tree/directory.ts';
import type { Pager } from '../../../src/tree/pager.ts';
import { scan } from '../../../src/tree/read.ts';
import { Context } from '../../../src/worlds/context.ts';
import { UndoLog } from '../../../src/worlds/undo-log.ts';
import { Moments } from '../../../src/worlds/moments.ts';
import { Past } from '../../../src/worlds/past.ts';
import type { TypedTables } from '../../../src/worlds/typed-tables.ts';
import type { World } from '../../../src/worlds/world.ts';
import { WorldHooks } from '../../../src/worlds/world-hooks.ts';
import { buildIndex, indexesOf } from '../../../src/worlds/index-fold.ts';
import { readCatalog } from '../../../src/worlds/catalog.ts';
import { changedTrees, eachRowChange } from '../../../src/worlds/changes-between.ts';
import { SteppedClock } from '../../suite/stepped-clock.ts';
import { TEST_TYPES } from './test-types.ts';
import { folder, TEST_COMPILER } from './test-world.ts';

const TYPED: TypedTables = {
  ...typedTablesOver(
    TEST_TYPES,
    TEST_COMPILER,
    {
      // Scripts are written by the layers above: here nothing tells of definitions.
      script: () => ({ row() {}, size() {}, sequence() {}, whole: () => [], statements: () => [], definitions: () => [] }),
      definitionText: () => null,
    },
    (catalog) => ({
      schema: schemaOf(catalog, TEST_TYPES),
      definitions: catalog.objects,
      compiler: TEST_COMPILER,
      roleName: String,
      path: ['public'],
    }),
  ),
  followed: (_catalog, object) => object,
};

export class OpenSchema {
  readonly #folder = folder();
  readonly clock = new SteppedClock();
  #engine!: Engine<Projections>;
  #context!: Context;
  commands!: Commands;

  static async make(): Promise<OpenSchema> {
    const open = new OpenSchema();
    await open.#open();
    return open;
  }

  async #open(): Promise<void> {
    nodeFileSystem.makeFolder(this.#folder.path);
    const log = await FolderLog.open({ fs: nodeFileSystem, folder: `${this.#folder.path}/log` });
    const store = new MemoryPageStore();
    const undo = new UndoLog(store);
    const hooks = new WorldHooks();
    this.#engine = await Engine.open<Projections>(
      {
        log,
        hooks,
        store,
        clock: this.clock,
        cacheBytes: 1e8,
        dirtyBytes: 1e8,
        checkpointLogBytes: 1e9,
        checkpointRest: 3,
        checkpointMs: 1e9,
        historyRetentionMicros: 3_600_000_000,
        trimBytes: 1e9,
        ensureSpace: () => {},
        overCeiling: () => false,
        probe: async () => {},
        repairMs: 500,
        bases: { newest: () => null, write: async () => 0, removeBefore: () => {} },
        undo,
      },
      projections,
      { release: '0', hasMain: ({ worlds }) => worlds.count > 0 },
    );
    const { pager, superRoots } = this.#engine;
    const moments = new Moments();
    const past = new Past({
      pager,
      log,
      undo,
      superRoots,
      worldsSlot: projections.worlds.slot,
      rootIn: worldRootIn,
      dropped: (root) => moments.drop(root),
    });
    const bases = { newest: () => null, write: async () => 0, removeBefore: () => {} };
    const pastFold = new PastFold({ log, pager, bases, superRoots, kinds: pastProjections });
    this.#context = new Context({ engine: this.#engine, hooks, past, pastFold, moments, typed: TYPED });
    // Neither SQL nor governance is asked here.
    const services = { context: this.#context, guard: NO_GUARD, isClosed: () => false, onConflict: () => {} } as unknown as Services;
    this.commands = directCommands(services);
  }

  /** Closed and opened again, from the log alone. */
  async reopen(): Promise<void> {
    await this.#engine.close();
    await this.#open();
  }

  async close(): Promise<void> {
    await this.#engine.close();
    this.#folder.remove();
  }

  get pager(): Pager {
    return this.#engine.pager;
  }

  /** Worlds made again from the parts of a base, and how many trees of them differ from those that are. */
  async differencesOfBase(): Promise<string[]> {
    const { pager, state } = this.#engine;
    const fresh = new WorldsProjection(pager, null);
    for (const part of state.worlds.dump(state.worlds.seal())) fresh.load(part);
    const out: string[] = [];
    for (const world of state.worlds.open()) {
      const again = fresh.byNumber(world.number)!;
      for (const side of ['root', 'base'] as const) {
        for (const { tree, from, to } of changedTrees(pager, world[side], again[side])) {
          let rows = 0;
          if (from !== null || to !== null) eachRowChange(pager, from, to, () => void rows++);
          if (rows > 0) out.push(`${world.name} ${side} tree ${tree}: ${rows} rows`);
        }
      }
    }
    return out;
  }

  world(name = 'main'): World {
    return this.#context.writable(name);
  }

  schema(world = 'main'): Schema {
    return schemaOf(this.#context.catalog(this.world(world)), TEST_TYPES);
  }

  commit(world: string, changes: TreeChanges[]): void {
    this.clock.step(1);
    this.#engine.commit({ type: 'committed', how: 'write', changes }, this.world(world).number, '');
  }

  ddl(world: string, define: (ddl: Ddl) => void): void {
    const { pager } = this.#engine;
    const ddl = new Ddl({
      roleName: String,
      path: ['public'],
      pager,
      objects: this.#context.state.objects,
      lookup: TEST_TYPES,
      compiler: TEST_COMPILER,
      root: this.#context.state.worlds.share(this.world(world)),
    });
    define(ddl);
    this.commit(world, ddl.finish());
  }

  create(world: string, name: string, columns: ColumnSpec[], constraints: ConstraintSpec[] = []): void {
    this.ddl(world, (ddl) => createTable(ddl, { schema: 'public', name, ifNotExists: false, columns, constraints }));
  }

  index(world: string, table: string, column: string, more: Partial<IndexSpec> = {}): void {
    this.ddl(world, (ddl) =>
      createIndex(ddl, {
        table: this.schema(world).table('public', table)!.number,
        name: null,
        ifNotExists: false,
        unique: false,
        nullsNotDistinct: false,
        columns: [{ column, expression: null, descending: false, nullsFirst: false }],
        include: [],
        where: null,
        ...more,
      }),
    );
  }

  write(world: string, write: (writes: StatementWrites, schema: Schema) => void): void {
    const schema = this.schema(world);
    const { root } = this.world(world);
    const writes = new StatementWrites({ pager: this.#engine.pager, objects: this.#context.state.objects, schema, root, compiler: TEST_COMPILER, env: STORED });
    write(writes, schema);
    this.commit(world, writes.finish());
  }

  insert(world: string, table: string, ...rows: Value[][]): void {
    this.write(world, (writes, schema) => rows.forEach((row) => writes.writer(schema.table('public', table)!).insert(row)));
  }

  rows(world: string, name: string): Value[][] {
    const table = this.schema(world).table('public', name)!;
    const tree = childRoot(this.#engine.pager, this.world(world).root, table.number);
    const out: Value[][] = [];
    if (tree !== null) {
      scan(this.#engine.pager, tree, null, (leaf, from, to) => {
        for (let i = from; i < to; i++) out.push(readRow(table, leaf, i));
      });
    }
    return out;
  }

  /** Every index of the world holds what its rows make. */
  checkIndexes(world = 'main'): void {
    const { pager } = this.#engine;
    const { root } = this.world(world);
    const catalog = readCatalog(pager, root);
    for (const { number } of catalog.byNumber.values()) {
      for (const index of indexesOf(catalog, number)) {
        const entries = (tree: ReturnType<typeof childRoot>): string[] => {
          const out: string[] = [];
          if (tree !== null) {
            scan(pager, tree, null, (leaf, from, to) => {
              for (let i = from; i < to; i++) out.push(`${leaf.skeys[i]}\n${String(leaf.cell(i, 1))}`);
            });
          }
          return out;
        };
        const [a, b] = [entries(childRoot(pager, root, index.number)), entries(buildIndex(pager, index, childRoot(pager, root, number), pager.newEdit()))];
        if (a.join('\0') !== b.join('\0')) throw new Error(`index ${index.name} of ${world} holds ${a.length} entries, its rows make ${b.length}`);
      }
    }
  }
}
