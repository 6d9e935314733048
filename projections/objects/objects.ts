/**
 * Numbers of tables and columns by name, in the whole database. Two worlds that make a table or a field of
 * the same name get the same number, so their rows merge as rows instead of meeting as strangers.
 *
 *   key `<table name>` → table number,  `<table number>\0<field>` → column number
 */
import { CATALOG_TREE, type TreeChanges } from '../../src/events/changes.ts';
import type { Envelope, Event } from '../../src/events/event.ts';
import type { Projection } from '../../src/projection/projection.ts';
import { KIND, type Shape } from '../../src/tree/datum.ts';
import type { Node } from '../../src/tree/node.ts';
import type { Pager } from '../../src/tree/pager.ts';
import { scan } from '../../src/tree/read.ts';
import { applyChanges, emptyTree } from '../../src/tree/write.ts';
import { catalogObject, utf8Key } from '../../src/worlds/catalog.ts';
import type { Objects } from '../../src/worlds/world.ts';

/** Numbers below are the system's own; Postgres gives users' objects the same range. */
const FIRST_NUMBER = 16384;
const NUMBER: Shape = { ids: [1], kinds: [KIND.F64] };

export class ObjectsProjection implements Projection, Objects {
  readonly slot = 3;
  readonly name = 'objects';
  readonly version = 1;
  readonly #pager: Pager;
  readonly #numbers = new Map<string, number>();
  #root: Node;
  #edit: number;
  #next = FIRST_NUMBER;

  constructor(pager: Pager, root: Node | null) {
    this.#pager = pager;
    this.#edit = pager.newEdit();
    this.#root = root ?? emptyTree(false, this.#edit);
    scan(pager, this.#root, null, (leaf, from, to) => {
      for (let i = from; i < to; i++) this.#learn(leaf.key(i) as string, leaf.cell(i, 1) as number);
    });
  }

  table(name: string): number | null {
    return this.#numbers.get(tableKey(name)) ?? null;
  }

  column(table: number, name: string): number | null {
    return this.#numbers.get(columnKey(table, name)) ?? null;
  }

  free(after: number): number {
    return this.#next + after;
  }

  apply(event: Event, _envelope: Envelope): void {
    if (event.type === 'committed' || event.type === 'forked' || event.type === 'merged' || event.type === 'rebased' || event.type === 'undone') {
      this.#observe(event.changes);
    }
  }

  #observe(changes: readonly TreeChanges[]): void {
    for (const { tree, rows } of changes) {
      if (tree !== CATALOG_TREE) continue;
      for (const { after } of rows) {
        if (after === null) continue;
        const object = catalogObject(after[0] as string);
        const key = object.what === 'table' ? tableKey(object.name) : columnKey(object.table, object.name);
        if (this.#numbers.has(key)) continue;
        this.#learn(key, object.number);
        this.#root = applyChanges(this.#pager, this.#root, [{ key, shape: NUMBER, before: null, after: [object.number] }], this.#edit);
      }
    }
  }

  #learn(key: string, number: number): void {
    this.#numbers.set(key, number);
    this.#next = Math.max(this.#next, number + 1);
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
      this.#learn(key, number);
      this.#root = applyChanges(this.#pager, this.#root, [{ key, shape: NUMBER, before: null, after: [number] }], this.#edit);
    }
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
