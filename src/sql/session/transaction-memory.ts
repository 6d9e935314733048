/**
 * The memory of an open transaction's changes, which are held until it ends. It counts towards the process limit
 * (`exec/process-memory.ts`); beyond that further writes of large transactions are refused with 53200.
 *
 *     write ─► add ─► check ─► 53200
 *     ROLLBACK TO ─► backTo            end ─► release
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import { changedRows } from '../../events/changed-rows.ts';
import type { TreeChanges } from '../../events/changes.ts';
import { ColumnChanges } from '../../events/column-changes.ts';
import { LaterRows } from '../../events/later-rows.ts';
import { NewRows } from '../../events/new-rows.ts';
import type { Datum, RowChange } from '../../tree/datum.ts';
import { ALL_BYTES_MAX, giveMemory, heldByAll, megabytes } from '../exec/process-memory.ts';

/** Smaller transactions are not counted, and never refused. */
const COUNTED_MIN_BYTES = 1 << 20;
const ROW_BYTES = 96;
const CELL_BYTES = 16;
/** Rows that are sampled of longer lists. */
const SAMPLED_ROWS = 64;

export class TransactionMemory {
  #bytes = 0;
  /** The part that was reported to the process. */
  #counted = 0;

  get bytes(): number {
    return this.#bytes;
  }

  /** May be negative. */
  add(bytes: number): void {
    this.#set(Math.max(0, this.#bytes + bytes));
  }

  backTo(bytes: number): void {
    if (bytes < this.#bytes) this.#set(bytes);
  }

  /** 53200 if all together hold too much, unless this one is small. */
  check(): void {
    if (this.#bytes < COUNTED_MIN_BYTES || heldByAll() <= ALL_BYTES_MAX) return;
    throw new SvcError('53200', 'out of memory', {
      detail:
        `The transaction has changes of ${megabytes(this.#bytes)}, which are held until it ends. ` +
        `All transactions and statements together may hold ${megabytes(ALL_BYTES_MAX)}, half of the server's heap.`,
      hint: 'Change less in one transaction: commit in parts, or give the server a larger heap (NODE_OPTIONS=--max-old-space-size=…).',
    });
  }

  release(): void {
    this.#bytes = 0;
    if (this.#counted > 0) this.#set(0);
  }

  #set(bytes: number): void {
    this.#bytes = bytes;
    const counted = bytes < COUNTED_MIN_BYTES ? 0 : bytes;
    giveMemory(this.#counted - counted);
    this.#counted = counted;
  }
}

/**
 * Approximate memory of changes, by a sample of the rows. Leaves of new rows go into the tree as they are; other changes exist
 * twice, in the list and in the transaction's own nodes.
 */
export function bytesOfChanges(changes: readonly TreeChanges[]): number {
  let once = 0;
  let twice = 0;
  for (const each of changes) {
    if (each instanceof NewRows) for (const leaf of each.leaves) once += leaf.held;
    else if (each instanceof ColumnChanges) for (const { before, after } of each.parts) twice += before.held + (after?.held ?? 0);
    else if (each instanceof LaterRows) twice += sampled(changedRows(each), (i) => each.bytesOf(i));
    else twice += sampled(each.rows.length, (i) => bytesOfRow(each.rows[i]));
  }
  return once + 2 * twice;
}

function sampled(count: number, bytesOf: (i: number) => number): number {
  if (count <= SAMPLED_ROWS) {
    let bytes = 0;
    for (let i = 0; i < count; i++) bytes += bytesOf(i);
    return bytes;
  }
  let bytes = 0;
  for (let i = 0; i < SAMPLED_ROWS; i++) bytes += bytesOf(Math.floor(((i + 0.5) * count) / SAMPLED_ROWS));
  return (bytes * count) / SAMPLED_ROWS;
}

function bytesOfRow({ key, before, after }: RowChange): number {
  return ROW_BYTES + (typeof key === 'string' ? key.length : 8) + bytesOfCells(before) + bytesOfCells(after);
}

function bytesOfCells(cells: readonly Datum[] | null): number {
  if (cells === null) return 0;
  let bytes = 0;
  for (let i = 0; i < cells.length; i++) {
    const cell = cells[i];
    bytes += CELL_BYTES + (typeof cell === 'string' ? cell.length : 0);
  }
  return bytes;
}
