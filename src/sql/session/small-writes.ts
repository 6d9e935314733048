/**
 * Changes of the small statements that a transaction has run one after the other, as functions and triggers do: what they come to, a change a row.
 * A loop of single rows so is applied, kept and committed as one statement over all of them would be.
 *
 *   statement, statement, … ──add──► changes by key ──finish──► sorted rows, or columns where there are many of one form
 *
 * What is added stays as it was added, too: a query that began between two statements sees the first ones alone.
 */
import { isBeside, type TreeChanges } from '../../events/changes.ts';
import { changedRows } from '../../events/changed-rows.ts';
import { inColumns } from '../../events/in-columns.ts';
import { composed, NO_CHANGE } from '../../tree/composed-change.ts';
import type { Key, RowChange } from '../../tree/datum.ts';
import { ShapeTable } from '../../tree/row-change.ts';

/** A statement of more rows stands for itself. */
const STATEMENT_ROWS_MAX = 16;
/** So many rows fill four leaves: what is put together of them leaves no leaf half empty behind. */
const ROWS_MAX = 1024;
/** So many rows of one form go into columns. */
const COLUMN_ROWS = 128;

interface Net {
  readonly numeric: boolean;
  readonly rows: Map<Key, RowChange>;
  /** Rows came in the order of their keys so far; the last one. */
  ascending: boolean;
  last: Key;
}

export class SmallWrites {
  /** In the order in which they ran; only added to. */
  readonly statements: (readonly TreeChanges[])[] = [];
  readonly #trees = new Map<number, Net>();
  readonly #shapes = new ShapeTable();
  #rows = 0;

  /** Whether a statement with these changes can be one of them. */
  static takes(changes: readonly TreeChanges[]): boolean {
    let rows = 0;
    for (const each of changes) {
      if (isBeside(each.tree)) return false;
      rows += changedRows(each);
    }
    return rows <= STATEMENT_ROWS_MAX;
  }

  get isFull(): boolean {
    return this.#rows >= ROWS_MAX;
  }

  /** False, and nothing done, where what it comes to with those before has to be read off the rows. */
  add(changes: readonly TreeChanges[]): boolean {
    const made = this.#composed(changes);
    if (made === null) return false;
    for (const { tree, numeric, rows } of changes) {
      const net = this.#net(tree, numeric);
      for (const row of rows) {
        const { key } = row;
        const both = made.get(row);
        if (both === NO_CHANGE) net.rows.delete(key);
        else if (both !== undefined) net.rows.set(key, both);
        else {
          if (net.ascending && net.rows.size > 0 && key <= net.last) net.ascending = false;
          net.last = key;
          net.rows.set(key, row);
          this.#rows++;
        }
      }
    }
    this.statements.push(changes);
    return true;
  }

  /** What becomes of changes of rows that were changed before. */
  #composed(changes: readonly TreeChanges[]): ReadonlyMap<RowChange, RowChange | typeof NO_CHANGE> | null {
    let out: Map<RowChange, RowChange | typeof NO_CHANGE> | null = null;
    for (const { tree, rows } of changes) {
      const net = this.#trees.get(tree);
      if (net === undefined || (net.ascending && rows.length === 1 && rows[0].key > net.last)) continue;
      for (const row of rows) {
        const before = net.rows.get(row.key);
        if (before === undefined) continue;
        const both = composed(before, row, this.#shapes);
        if (both === null) return null;
        (out ??= new Map()).set(row, both);
      }
    }
    return out ?? NONE;
  }

  #net(tree: number, numeric: boolean): Net {
    let net = this.#trees.get(tree);
    if (net === undefined) this.#trees.set(tree, (net = { numeric, rows: new Map(), ascending: true, last: 0 }));
    return net;
  }

  changes(tree: number): boolean {
    return this.#trees.has(tree);
  }

  /** What becomes of the row; undefined where it stays as it is in the state before. */
  change(tree: number, key: Key): RowChange | undefined {
    const net = this.#trees.get(tree);
    return net === undefined || (net.ascending && key > net.last) ? undefined : net.rows.get(key);
  }

  /** All of them as one statement's. `edit`: a token that nobody else has. */
  finish(edit: () => number): TreeChanges[] {
    const out: TreeChanges[] = [];
    for (const [tree, { numeric, rows: net, ascending }] of this.#trees) {
      if (net.size === 0) continue;
      const rows = [...net.values()];
      if (!ascending) rows.sort((a, b) => (a.key < b.key ? -1 : 1));
      const changes = { tree, numeric, rows };
      out.push((rows.length < COLUMN_ROWS ? null : inColumns(changes, edit)) ?? changes);
    }
    return out.sort((a, b) => a.tree - b.tree);
  }
}

const NONE: ReadonlyMap<RowChange, RowChange | typeof NO_CHANGE> = new Map();
