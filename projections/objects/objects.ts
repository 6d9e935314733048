/**
 * Numbers of tables, columns and other objects by name, in the whole database. Two worlds that create a table or
 * a field of the same name get the same number, so that their rows can be merged.
 *
 *   key `<table name>` → table number,  `<table number>\0<field>` → column number, see `numberName`
 *   key `\0#` → the next number,  `\0rows` → a bound above all row numbers of tables without a primary key
 *   key `\0large` → a bound above the oids of large objects, except those chosen by users beyond the assigned range
 */
import { CATALOG_TREE, type TreeChanges } from '../../src/events/changes.ts';
import { lastChanged } from '../../src/events/changed-rows.ts';
import type { Envelope, Event } from '../../src/events/event.ts';
import { defineProjection, type Projection } from '../../src/projection/projection.ts';
import { KIND, type RowChange, type Shape } from '../../src/tree/datum.ts';
import type { Node } from '../../src/tree/node.ts';
import type { Pager } from '../../src/tree/pager.ts';
import { scan } from '../../src/tree/read.ts';
import { applyChanges, emptyTree } from '../../src/tree/write.ts';
import { utf8Key } from '../../src/worlds/catalog.ts';
import { catalogObject, furtherNames, numberName, numbersOf } from '../../src/worlds/definition.ts';
import { objectOfKey, OBJECTS as LARGE_OBJECTS } from '../../src/worlds/large-objects.ts';
import type { Objects } from '../../src/worlds/world.ts';

/** Lower numbers are the system's; as in Postgres. */
const FIRST_NUMBER = 16384;
const NUMBER: Shape = { ids: [1], kinds: [KIND.F64] };

/** Row numbers start beyond every int4, to distinguish them from primary keys. */
const FIRST_ROW = 2 ** 40;
/** The bound is stored in steps, so that not every insert writes it. */
const ROW_STEP = 4096;
/** Assigned oids of large objects are lower: one chosen far above does not move the bound. */
const LARGE_OBJECTS_END = 2 ** 28;
const LARGE_OBJECT_STEP = 1024;
const LARGE_OBJECT_BOUND = '\0large';
const NEXT_NUMBER = '\0#';
const ROW_BOUND = '\0rows';

export class ObjectsProjection implements Projection, Objects {
  readonly #pager: Pager;
  readonly #numbers = new Map<string, number>();
  #root: Node;
  #edit: number;
  #next = FIRST_NUMBER;
  /** Assigned to uncommitted objects; a name keeps its number for the life of the process. */
  readonly #promised = new Map<string, number>();
  #nextPromise = FIRST_NUMBER;
  /** As stored: no row number at or above it was ever committed. */
  #rowBound = FIRST_ROW;
  /** The next row number. */
  #nextRow = FIRST_ROW;

  /** As stored, and the next oid. */
  #largeObjectBound = FIRST_NUMBER;
  #nextLargeObject = FIRST_NUMBER;

  constructor(pager: Pager, root: Node | null) {
    this.#pager = pager;
    this.#edit = pager.newEdit();
    this.#root = root ?? emptyTree(false, this.#edit);
    scan(pager, this.#root, null, (leaf, from, to) => {
      for (let i = from; i < to; i++) this.#learn(leaf.key(i) as string, leaf.cell(i, 1) as number);
    });
    // Numbers below the bound may have been used before the seal.
    this.#nextRow = this.#rowBound;
    this.#nextLargeObject = this.#largeObjectBound;
  }

  table(name: string): number | null {
    return this.#numbers.get(tableKey(name)) ?? null;
  }

  column(table: number, name: string): number | null {
    return this.#numbers.get(columnKey(table, name)) ?? null;
  }

  named(name: string): number | null {
    return this.#numbers.get(utf8Key(name)) ?? null;
  }

  number(name: string | null): number {
    const key = name === null ? null : utf8Key(name);
    const known = key === null ? undefined : (this.#numbers.get(key) ?? this.#promised.get(key));
    if (known !== undefined) return known;
    const number = Math.max(this.#next, this.#nextPromise);
    this.#nextPromise = number + 1;
    if (key !== null) this.#promised.set(key, number);
    return number;
  }

  rowNumber(): number {
    return this.#nextRow++;
  }

  largeObjectNumber(): number {
    if (this.#nextLargeObject >= LARGE_OBJECTS_END) this.#nextLargeObject = FIRST_NUMBER;
    return this.#nextLargeObject++;
  }

  apply(event: Event, _envelope: Envelope): void {
    if (event.type === 'simulated' || event.type === 'worldKept') return this.#observe(event.changes);
    if (event.type === 'committed' || event.type === 'forked' || event.type === 'merged' || event.type === 'rebased' || event.type === 'undone') {
      this.#observe(event.changes);
    }
  }

  #observe(changes: readonly TreeChanges[]): void {
    for (const each of changes) {
      if (each.tree === CATALOG_TREE) {
        this.#observeDefinitions(each.rows);
        continue;
      }
      if (each.tree === LARGE_OBJECTS) this.#observeLargeObjects(each.rows);
      const highest = each.numeric ? lastChanged(each) : undefined;
      if (typeof highest === 'number') {
        if (highest >= this.#rowBound) this.#put(ROW_BOUND, highest + ROW_STEP - (highest % ROW_STEP));
        if (highest >= this.#nextRow) this.#nextRow = highest + 1;
      }
    }
  }

  #observeDefinitions(rows: readonly RowChange[]): void {
    const next = this.#next;
    for (const { after } of rows) {
      if (after === null) continue;
      const object = catalogObject(after[0] as string);
      const name = numberName(object);
      if (name !== null && 'number' in object && !this.#numbers.has(utf8Key(name))) this.#put(utf8Key(name), object.number);
      for (const [further, number] of furtherNames(object)) if (!this.#numbers.has(utf8Key(further))) this.#put(utf8Key(further), number);
      for (const number of numbersOf(object)) this.#next = Math.max(this.#next, number + 1);
    }
    if (this.#next !== next) this.#put(NEXT_NUMBER, this.#next);
  }

  #observeLargeObjects(rows: readonly RowChange[]): void {
    for (const { key, before } of rows) {
      const oid = before === null ? objectOfKey(key as string) : 0;
      if (oid >= LARGE_OBJECTS_END) continue;
      if (oid >= this.#largeObjectBound) this.#put(LARGE_OBJECT_BOUND, oid + LARGE_OBJECT_STEP - (oid % LARGE_OBJECT_STEP));
      if (oid >= this.#nextLargeObject) this.#nextLargeObject = oid + 1;
    }
  }

  #put(key: string, number: number): void {
    this.#learn(key, number);
    this.#root = applyChanges(this.#pager, this.#root, [{ key, shape: NUMBER, before: null, after: [number] }], this.#edit);
  }

  #learn(key: string, number: number): void {
    if (key === NEXT_NUMBER) this.#next = Math.max(this.#next, number);
    else if (key === ROW_BOUND) {
      this.#rowBound = number;
    } else if (key === LARGE_OBJECT_BOUND) {
      this.#largeObjectBound = number;
    } else {
      this.#numbers.set(key, number);
      this.#promised.delete(key);
      this.#next = Math.max(this.#next, number + 1);
    }
  }

  *dump(root: Node): Iterable<Uint8Array> {
    let numbers: [string, number][] = [];
    const parts: [string, number][][] = [numbers];
    scan(this.#pager, root, null, (leaf, from, to) => {
      for (let i = from; i < to; i++) numbers.push([leaf.key(i) as string, leaf.cell(i, 1) as number]);
      if (numbers.length > 5000) parts.push((numbers = []));
    });
    for (const part of parts) yield Buffer.from(JSON.stringify(part));
  }

  load(part: Uint8Array): void {
    for (const [key, number] of JSON.parse(Buffer.from(part).toString()) as [string, number][]) {
      this.#put(key, number);
    }
    this.#nextRow = Math.max(this.#nextRow, this.#rowBound);
    this.#nextLargeObject = Math.max(this.#nextLargeObject, this.#largeObjectBound);
  }

  seal(): Node {
    this.#edit = this.#pager.newEdit();
    return this.#root;
  }
}

function tableKey(name: string): string {
  return utf8Key(name);
}

function columnKey(table: number, name: string): string {
  return utf8Key(`${table}\0${name}`);
}

export const objects = defineProjection({ name: 'objects', slot: 3, version: 1, make: (pager, root) => new ObjectsProjection(pager, root) });
