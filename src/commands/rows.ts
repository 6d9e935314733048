/** Rows of a world: get, put, delete, batch. */
import type { Sequence } from '../base/brands.ts';
import { SvcError } from '../base/errors/svc-error.ts';
import { LIMITS } from '../base/limits.ts';
import type { TreeChanges } from '../events/changes.ts';
import { TABLE_LOCK } from '../locks/lock-mode.ts';
import { LockOwner } from '../locks/lock-owner.ts';
import { LockWait } from '../locks/lock-wait.ts';
import type { Key } from '../tree/datum.ts';
import type { Catalog } from '../worlds/catalog.ts';
import { blockedBy } from '../worlds/change-locks.ts';
import { authorize } from '../session/authorize.ts';
import { actorName, type Principal } from '../session/principal.ts';
import type { Context } from '../worlds/context.ts';
import { rowRecord } from '../worlds/document.ts';
import { checkTableName, idKey } from '../worlds/keys.ts';
import { rowIn } from '../tree/row-change.ts';
import { admitChanges } from '../worlds/admit-changes.ts';
import { RecordWriter } from '../worlds/record-writer.ts';
import type { RowToLock } from '../worlds/typed-tables.ts';
import { refusePartitioned } from '../worlds/partitioned-table.ts';
import type { World } from '../worlds/world.ts';
import { childRoot } from '../tree/directory.ts';
import type { BatchInput, DeleteInput, GetInput, PutInput, Row, RunControl } from './contract.ts';

/** How long a row operation waits for open transactions, so that an abandoned transaction does not block requests forever. */
const LOCK_WAIT_MS = 30_000;

export async function getRow(context: Context, input: GetInput, by: Principal): Promise<{ id: string; row: Row }> {
  checkTableName(input.table);
  const idBytes = idKey(input.id);
  const { root, catalog, seen, world, past } = context.read(input.branch);
  const table = catalog.tables.get(input.table);
  if (table !== undefined) refusePartitioned(table);
  const key = table === undefined || table.relation === null ? idBytes : context.typed.key(table, input.id);
  const { pager } = context.engine;
  const found = table === undefined ? null : rowIn(pager, childRoot(pager, root, table.number), key);
  if (!past && table !== undefined) context.noting(by, world)?.row(table.number, key);
  const row = found === null ? null : rowRecord(context.typed, table!, found.leaf, found.index);
  await context.engine.durable(seen);
  if (row === null) throw noRow(input.table, input.id, input.branch);
  return { id: input.id, row };
}

export async function putRow(context: Context, input: PutInput, by: Principal, control: RunControl): Promise<{ ok: true; version: number }> {
  checkTableName(input.table);
  const key = idKey(input.id);
  const { sequence, version } = await writeRows(context, input.branch, by, control, (writer) => {
    writer.observe(input.table, input.record);
    writer.put(input.table, input.id, key, input.record);
  });
  await context.engine.durable(sequence);
  return { ok: true, version };
}

export async function deleteRow(context: Context, input: DeleteInput, by: Principal, control: RunControl): Promise<{ ok: true; version: number }> {
  checkTableName(input.table);
  const key = idKey(input.id);
  const { sequence, version, changed } = await writeRows(context, input.branch, by, control, (writer) => writer.delete(input.table, input.id, key), false);
  if (!changed) {
    await context.engine.durable(sequence);
    throw noRow(input.table, input.id, input.branch);
  }
  await context.engine.durable(sequence);
  return { ok: true, version };
}

export async function batchRows(
  context: Context,
  input: BatchInput,
  by: Principal,
  control: RunControl,
): Promise<{ ok: true; count: number; version: number }> {
  if (!Array.isArray(input.rows)) throw new SvcError('22023', 'rows must be an array of {table, id, record}');
  if (input.rows.length > LIMITS.batchRowsMax) {
    throw new SvcError('54000', `a batch has at most ${LIMITS.batchRowsMax} rows, this one has ${input.rows.length}`, {
      hint: 'Send it in several batches, into a fork if they belong together.',
    });
  }
  const keys = input.rows.map(({ table, id }, i) => {
    try {
      checkTableName(table);
      return idKey(id);
    } catch (error) {
      throw inEntry(error, i);
    }
  });
  if (input.rows.length === 0) {
    const world = context.writable(input.branch);
    authorize(by, { what: 'change', world });
    return { ok: true, count: 0, version: world.version };
  }
  const { sequence, version } = await writeRows(context, input.branch, by, control, (writer) => {
    input.rows.forEach(({ table, record }, i) => {
      try {
        if (record !== null) writer.observe(table, record);
      } catch (error) {
        throw inEntry(error, i);
      }
    });
    input.rows.forEach(({ table, id, record }, i) => {
      try {
        if (record === null) writer.delete(table, id, keys[i]);
        else writer.put(table, id, keys[i], record);
      } catch (error) {
        throw inEntry(error, i);
      }
    });
  });
  await context.engine.durable(sequence);
  return { ok: true, count: input.rows.length, version };
}

interface Written {
  readonly sequence: Sequence;
  readonly version: number;
  readonly changed: boolean;
}

/**
 * Decides on the current state and commits in the same tick. If an open transaction has locked a row to change, it waits for
 * the end of that transaction and decides again, like a single-statement UPDATE.
 */
async function writeRows(
  context: Context,
  branch: string | undefined,
  by: Principal,
  control: RunControl,
  write: (writer: RecordWriter) => void,
  always = true,
): Promise<Written> {
  const { engine, locks } = context;
  await engine.admit();
  let owner: LockOwner | null = null;
  const deadlineMs = performance.now() + LOCK_WAIT_MS;
  try {
    for (;;) {
      const world = context.writable(branch);
      authorize(by, { what: 'change', world });
      const catalog = context.catalog(world);
      const shares: RowToLock[] = [];
      const contended = contendedBy(context, world.number, () => owner);
      const writer = new RecordWriter(context.typed, { pager: engine.pager, objects: context.state.objects, catalog, root: world.root, contended }, shares);
      let changes: TreeChanges[];
      let inTheWay: LockWait | null = null;
      try {
        write(writer);
        changes = writer.finish();
        if (locks.count > 0) inTheWay = firstBlocked(context, world, catalog, owner, changes, shares);
        if (inTheWay === null) {
          if (changes.length === 0 && !always) return { sequence: world.lastWrite, version: world.version, changed: false };
          admitChanges(context, by, world, changes);
          const { sequence } = context.commitChecked({ type: 'committed', how: 'write', changes }, world.number, actorName(by));
          return { sequence, version: world.version, changed: true };
        }
      } catch (error) {
        if (!(error instanceof LockWait)) throw error;
        inTheWay = error;
      }
      // Locks already acquired are kept until the end, to avoid starvation.
      owner ??= new LockOwner(() => process.pid);
      await waitFor(context, owner, inTheWay, deadlineMs - performance.now(), control.signal);
    }
  } finally {
    if (owner !== null) locks.release(owner);
  }
}

async function waitFor({ locks }: Context, owner: LockOwner, { kind, world, tree, key, mode }: LockWait, ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  const refuse = (): void =>
    locks.abandon(owner, new SvcError('55P03', 'a row is locked by an open transaction', { hint: 'Try again when that transaction has ended.', status: 409 }));
  const timer = setTimeout(refuse, Math.max(0, ms));
  const cancel = (): void => locks.abandon(owner, signal!.reason as Error);
  signal?.addEventListener('abort', cancel);
  try {
    await locks.wait(owner, locks.space(kind, world, tree), key, mode);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', cancel);
  }
  // It may have been cancelled in the tick in which the lock was granted.
  signal?.throwIfAborted();
}

function firstBlocked(
  { engine, locks }: Context,
  world: World,
  catalog: Catalog,
  owner: LockOwner | null,
  changes: readonly TreeChanges[],
  shares: readonly RowToLock[],
): LockWait | null {
  const tables = locks.tables(world.number);
  for (const { tree } of changes)
    if (locks.blocked(owner, tables, tree, TABLE_LOCK.rowExclusive) !== null) return new LockWait(tables, tree, TABLE_LOCK.rowExclusive);
  const found = blockedBy(locks, world.number, owner, engine.pager, catalog, world.root, changes);
  if (found !== null) return new LockWait(found.space, found.key, found.mode);
  for (const { table, key, mode } of shares) {
    const space = locks.rows(world.number, table);
    if (locks.blocked(owner, space, key, mode) !== null) return new LockWait(space, key, mode);
  }
  return null;
}

/** Before an error about a blocking row: whether an open transaction may still change that row. */
function contendedBy({ locks }: Context, world: number, owner: () => LockOwner | null): (tree: number, key: Key, mode: number) => void {
  return (tree, key, mode) => {
    if (locks.count === 0) return;
    const space = locks.rows(world, tree);
    if (locks.blocked(owner(), space, key, mode) !== null) throw new LockWait(space, key, mode);
    const tables = locks.tables(world);
    if (locks.blocked(owner(), tables, tree, TABLE_LOCK.rowExclusive) !== null) throw new LockWait(tables, tree, TABLE_LOCK.rowExclusive);
  };
}

function inEntry(error: unknown, index: number): unknown {
  if (!(error instanceof SvcError)) return error;
  return new SvcError(error.code, `rows[${index}]: ${error.message}`, { detail: error.detail, hint: error.hint, cause: error });
}

export function noRow(table: string, id: string, branch = 'main'): SvcError {
  return new SvcError('02000', `there is no row "${id.slice(0, 80)}" in table "${table}" of "${branch}"`);
}
