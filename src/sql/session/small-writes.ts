/**
 * Changes of consecutive small statements of a transaction, as functions and triggers run them, combined into one change per row. A
 * loop over single rows is thus applied, kept and committed like one statement over all of them.
 *
 *   statement, statement, … ──add──► changes by key ──finish──► sorted rows, or columns for many rows of one form
 *
 * The added changes are kept as well: a query that began between two statements sees only the earlier ones.
 */
import { isBeside, type TreeChanges } from '../../events/changes.ts';
import { changedRows } from '../../events/changed-rows.ts';
import { inColumns } from '../../events/in-columns.ts';
import { composed, NO_CHANGE } from '../../tree/composed-change.ts';
import type { Key, RowChange } from '../../tree/datum.ts';
import { ShapeTable } from '../../tree/row-change.ts';

/** A statement with more rows is not combined. */
const STATEMENT_ROWS_MAX = 16;
/** This many rows fill four leaves, so a batch leaves no leaf half empty. */
const ROWS_MAX = 1024;
/** This many rows of one form are stored as columns. */
const COLUMN_ROWS = 128;

interface Net {
  readonly numeric: boolean;
  readonly rows: Map<Key, RowChange>;
  /** Rows have come in key order so far; the last one. */
  ascending: boolean;
  last: Key;
}

export class SmallWrites {
  /** In execution order; append-only. */
  readonly statements: (readonly TreeChanges[])[] = [];
  readonly #trees = new Map<number, Net>();
  readonly #shapes = new ShapeTable();
  #rows = 0;

  /** Whether a statement with these changes can be combined. */
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

  /** False, without effect, if the combination with earlier changes cannot be computed from the changes alone. */
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

  /** The combined changes of rows that were changed before. */
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

  /** The combined change of the row; undefined if it is unchanged. */
  change(tree: number, key: Key): RowChange | undefined {
    const net = this.#trees.get(tree);
    return net === undefined || (net.ascending && key > net.last) ? undefined : net.rows.get(key);
  }

  /** All changes as one statement's. `edit`: gives a fresh edit token. */
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
