/**
 * One DDL statement. Operations (create-table.ts, alter-table.ts …) produce steps; each step is changes of the catalog and, if rows
 * must be rewritten, of tables. A later operation of the statement sees the result of earlier steps; a statement of one step is
 * never applied here, its changes are returned as they are.
 *
 *   root ──step──► root' ──step──► …        notices: messages for the client
 */
import { LayeredMap } from '../../base/layered-map.ts';
import { CATALOG_TREE, type TreeChanges } from '../../events/changes.ts';
import { changedRows } from '../../events/changed-rows.ts';
import type { RowChange } from '../../tree/datum.ts';
import type { Node } from '../../tree/node.ts';
import type { Pager } from '../../tree/pager.ts';
import { applyToWorld } from '../../worlds/apply.ts';
import { type Catalog, catalogAfter, readCatalog } from '../../worlds/catalog.ts';
import { documentKeyName, relationOf } from '../../worlds/document-relation.ts';
import {
  type CatalogObject,
  DEFINITION_SHAPE,
  definitionKey,
  isTemporarySchema,
  numberName,
  numbersOf,
  primaryKeyNumberName,
  tableDefinitionKey,
} from '../../worlds/definition.ts';
import { changesBetween } from '../../worlds/changes-between.ts';
import type { SequenceState } from '../../worlds/sequences.ts';
import type { Objects } from '../../worlds/world.ts';
import { whole } from '../types/value.ts';
import { codeHolder } from '../../worlds/kinds/registry.ts';
import type { Compiler } from './compiler.ts';
import type { DefinitionLog } from './definition-log.ts';
import { type Schema, schemaOf } from './schema.ts';
import type { SqlTable } from './table.ts';
import type { TypeLookup } from './type-lookup.ts';

export interface Notice {
  readonly severity: 'NOTICE' | 'WARNING';
  readonly code: string;
  readonly message: string;
  readonly detail?: string;
}

export interface DdlParts {
  readonly pager: Pager;
  readonly objects: Objects;
  readonly lookup: TypeLookup;
  readonly compiler: Compiler;
  /** The state before the statement, sealed: it is not changed in place. */
  readonly root: Node;
  /** Roles belong to the folder: definitions contain their oids. */
  readonly roleName: (oid: number) => string;
  /** Schemas for unqualified names. */
  readonly path: readonly string[];
  /** Records what is put, removed and dropped, for event triggers. */
  readonly log?: DefinitionLog | null;
  /** Work over rows is deferred to `workSteps`, which yields; otherwise it is done at once. */
  readonly inParts?: boolean;
}

export class Ddl {
  readonly pager: Pager;
  readonly objects: Objects;
  readonly lookup: TypeLookup;
  readonly compiler: Compiler;
  readonly log: DefinitionLog | null;
  readonly roleName: (oid: number) => string;
  readonly path: readonly string[];
  readonly notices: Notice[] = [];
  /** Sequences that are created, dropped or restarted. */
  readonly sequences = new Map<number, { state: SequenceState } | null>();
  readonly #begin: Node;
  #root: Node;
  #edit = 0;
  #steps = 0;
  /** The last step, not applied yet. */
  #waiting: TreeChanges[] = [];
  /** Definitions with the changes of the current step. */
  #objects: LayeredMap<string, CatalogObject> | null = null;
  readonly #changed = new Map<string, CatalogObject | null>();
  #schema: Schema | null = null;
  #rows: TreeChanges[] = [];

  readonly #inParts: boolean;
  /** Pending work over the rows as they are before the current step. */
  #work: Generator<void, void>[] = [];

  constructor({ pager, objects, lookup, compiler, root, inParts, log, roleName, path }: DdlParts) {
    this.roleName = roleName;
    this.path = path;
    this.log = log ?? null;
    this.#inParts = inParts === true;
    this.pager = pager;
    this.objects = objects;
    this.lookup = lookup;
    this.compiler = compiler;
    this.#begin = root;
    this.#root = root;
  }

  notice(code: string, message: string, detail?: string): void {
    this.notices.push({ severity: 'NOTICE', code, message, ...(detail === undefined ? {} : { detail }) });
  }

  /** The state after all ended steps. */
  get root(): Node {
    if (this.#waiting.length > 0) {
      if (this.#edit === 0) this.#edit = this.pager.newEdit();
      this.#root = applyToWorld(this.pager, this.#root, this.#waiting, this.#edit);
      this.#waiting = [];
    }
    return this.#root;
  }

  get catalog(): Catalog {
    return readCatalog(this.pager, this.root);
  }

  /** The schema with the definitions of the current step. */
  get schema(): Schema {
    if (this.#schema === null) {
      const { catalog } = this;
      this.#schema = schemaOf(this.#changed.size === 0 ? catalog : catalogAfter(catalog, this.#definitionRows()), this.lookup);
    }
    return this.#schema;
  }

  /** Definitions by key, with those of the current step. */
  get definitions(): ReadonlyMap<string, CatalogObject> {
    return this.#objects ?? this.catalog.objects;
  }

  #all(): LayeredMap<string, CatalogObject> {
    if (this.#objects === null) {
      const { objects } = this.catalog;
      this.#objects = objects instanceof LayeredMap ? (objects as LayeredMap<string, CatalogObject>).fork() : new LayeredMap(new Map(objects));
    }
    return this.#objects;
  }

  /** Objects whose code the statement writes. */
  readonly codeHolders = new Set<number>();
  /** Functions and views that it replaces; a change or rename leaves the text to its author. */
  readonly rewritten = new Set<number>();

  put(object: CatalogObject): void {
    this.log?.put.push(object);
    const holder = codeHolder(object);
    if (holder !== null) this.codeHolders.add(holder);
    this.#put(object);
  }

  #put(object: CatalogObject): void {
    const key = definitionKey(object);
    if (object.what === 'sequence' && !this.definitions.has(key)) this.setSequence(object.number, { last: whole(BigInt(object.start)), called: false });
    const objects = this.#all();
    this.#count(objects.get(key), -1);
    this.#count(object, 1);
    objects.set(key, object);
    this.#changed.set(key, object);
    this.#schema = null;
  }

  /** A table whose definition follows from its documents gets one of its own, with the same rows, columns and numbers. */
  definedTable(number: number): SqlTable {
    const table = this.schema.catalog.byNumber.get(number);
    if (table?.relation === null) {
      const name = this.#freeName(documentKeyName(table.name));
      for (const object of relationOf(table, { number: this.objects.number(primaryKeyNumberName(number, name)), name })) this.#put(object);
    }
    return this.schema.tables.get(number)!;
  }

  #freeName(name: string): string {
    for (let i = 0; ; i++) {
      const candidate = i === 0 ? name : `${name}${i}`;
      if (this.schema.relation('public', candidate) === null) return candidate;
    }
  }

  remove(object: CatalogObject): void {
    this.log?.removed.push(object);
    const key = definitionKey(object);
    if (object.what === 'sequence') this.sequences.set(object.number, null);
    const objects = this.#all();
    this.#count(objects.get(key), -1);
    objects.delete(key);
    this.#changed.set(key, null);
    this.#schema = null;
  }

  setSequence(number: number, state: SequenceState): void {
    this.sequences.set(number, { state });
  }

  /** Checks or rewrites rows: over the state before the step, and nothing later in it. */
  work(steps: Generator<void, void>): void {
    if (this.#inParts) this.#work.push(steps);
    else for (const _ of steps);
  }

  /** Runs once the pending work is done. */
  afterWork(run: () => void): void {
    this.work(
      (function* () {
        run();
        yield;
      })(),
    );
  }

  /** Does the pending work, with a step every few rows. */
  *workSteps(): Generator<void, void> {
    for (let next = this.#work.shift(); next !== undefined; next = this.#work.shift()) yield* next;
  }

  /** Rows of a table that the step rewrites, in key order. */
  rows(changes: TreeChanges): void {
    if (changedRows(changes) > 0) this.#rows.push(changes);
  }

  /**
   * A number for a new object: all worlds use one number for objects of the same name, unless this world has used it for something
   * else, or for a former object (`not`).
   */
  numberFor(object: CatalogObject, not: readonly number[] = []): number {
    const own = this.#numberFor(object, not);
    if (object.what === 'relation' && isTemporarySchema(object.schema)) this.#temporary.add(own);
    return own;
  }

  #numberFor(object: CatalogObject, not: readonly number[]): number {
    const number = this.objects.number(this.#isTemporary(object) ? null : numberName(object));
    return not.includes(number) || this.#taken(number) ? this.objects.number(null) : number;
  }

  /** Temporary objects have numbers of their own: no other session can find them by name. */
  #isTemporary(object: CatalogObject): boolean {
    if ('schema' in object) return isTemporarySchema(object.schema);
    if (object.what === 'schema') return isTemporarySchema(object.name);
    if (!('table' in object)) return false;
    if (this.#temporary.has(object.table)) return true;
    const table = this.definitions.get(tableDefinitionKey(object.table));
    return table?.what === 'relation' && isTemporarySchema(table.schema);
  }
  /** Temporary tables that the step creates. */
  readonly #temporary = new Set<number>();

  /** Whether this world's definitions use the number, including changes of the current step. */
  #taken(number: number): boolean {
    return (this.catalog.numbers.get(number) ?? 0) + (this.#numbers.get(number) ?? 0) > 0;
  }
  /** The change in the number of objects per number, by the current step. */
  readonly #numbers = new Map<number, number>();

  #count(object: CatalogObject | undefined, by: number): void {
    if (object === undefined) return;
    for (const number of numbersOf(object)) this.#numbers.set(number, (this.#numbers.get(number) ?? 0) + by);
  }

  #definitionRows(): RowChange[] {
    if (this.#changed.size === 0) return [];
    const { objects } = this.catalog;
    const rows: RowChange[] = [];
    for (const [key, object] of this.#changed) {
      const before = objects.get(key);
      const text = object === null ? null : JSON.stringify(object);
      const old = before === undefined ? null : JSON.stringify(before);
      if (text === old) continue;
      rows.push({ key, shape: DEFINITION_SHAPE, before: old === null ? null : [old], after: text === null ? null : [text] });
    }
    return rows.sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  /** Ends the step: its changes take effect. */
  end(): void {
    for (const _ of this.workSteps());
    const rows = this.#definitionRows();
    const step: TreeChanges[] = rows.length === 0 ? [] : [{ tree: CATALOG_TREE, numeric: false, rows }];
    step.push(...this.#rows.sort((a, b) => a.tree - b.tree));
    this.#objects = null;
    this.#changed.clear();
    this.#numbers.clear();
    this.#schema = null;
    this.#rows = [];
    if (step.length === 0) return;
    this.#waiting = step;
    this.#steps++;
  }

  /** All changes of the statement. */
  finish(): TreeChanges[] {
    this.end();
    // A single step is returned as it is, unless the state after it was read.
    if (this.#steps === 0 || (this.#steps === 1 && this.#waiting.length > 0)) return this.#waiting;
    // Later steps do not modify the nodes of this one.
    this.#edit = 0;
    return changesBetween(this.pager, this.#begin, this.root, true);
  }
}
