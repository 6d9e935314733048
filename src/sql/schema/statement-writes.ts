/**
 * All that one statement writes: a writer a table, created over the state that the transaction has when the
 * statement begins (so it sees what earlier statements did). `finish` ends the statement: foreign keys act
 * and are checked, and the changes come out sorted by tree and key.
 */
import type { TreeChanges } from '../../events/changes.ts';
import type { Node } from '../../tree/node.ts';
import type { Pager } from '../../tree/pager.ts';
import type { Objects } from '../../worlds/world.ts';
import type { Environment } from '../types/environment.ts';
import type { Compiler } from './compiler.ts';
import { type Deferred, enforceDeferred, enforceForeignKeys, type Writers } from './foreign-keys.ts';
import { RowsWriter } from './rows-writer.ts';
import type { Schema } from './schema.ts';
import type { ForeignKey, SqlTable } from './table.ts';

export interface StatementParts {
  readonly pager: Pager;
  readonly objects: Objects;
  readonly schema: Schema;
  /** Not changed in place while the statement runs. */
  readonly root: Node;
  readonly compiler: Compiler;
  readonly env: Environment;
  /** Of SET CONSTRAINTS, by number of the constraint; what stands in neither is as it was declared. */
  readonly deferredNow?: ReadonlySet<number>;
  readonly immediateNow?: ReadonlySet<number>;
}

export class StatementWrites implements Writers {
  readonly schema: Schema;
  readonly env: Environment;
  readonly compiler: Compiler;
  /** After `finish`: what the transaction looks at again when it commits, with `checkDeferred`. */
  deferred: readonly Deferred[] = [];
  readonly #parts: StatementParts;
  readonly #writers = new Map<number, RowsWriter>();

  constructor(parts: StatementParts) {
    this.schema = parts.schema;
    this.env = parts.env;
    this.compiler = parts.compiler;
    this.#parts = parts;
  }

  writer(table: SqlTable): RowsWriter {
    let writer = this.#writers.get(table.number);
    if (writer === undefined) this.#writers.set(table.number, (writer = new RowsWriter(this.#parts, table)));
    return writer;
  }

  all(): Iterable<RowsWriter> {
    return this.#writers.values();
  }

  isDeferred(key: ForeignKey): boolean {
    if (!key.deferrable) return false;
    if (this.#parts.deferredNow?.has(key.number)) return true;
    return key.initiallyDeferred && !this.#parts.immediateNow?.has(key.number);
  }

  /** 23503, and 23505 of deferrable constraints. */
  finish(): TreeChanges[] {
    this.deferred = enforceForeignKeys(this);
    for (const writer of this.#writers.values()) writer.settle();
    const out: TreeChanges[] = [];
    for (const writer of this.#writers.values()) {
      const changes = writer.changes();
      if (changes !== null) out.push(changes);
    }
    return out.sort((a, b) => a.tree - b.tree);
  }
}

/** Constraints that waited, over the state that is to be committed; 23503. */
export function checkDeferred(parts: StatementParts, items: readonly Deferred[]): void {
  if (items.length > 0) enforceDeferred(new StatementWrites(parts), items);
}
