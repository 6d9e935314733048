/** Rows of a world: get, put, delete, batch. */
import { SvcError } from '../base/errors/svc-error.ts';
import { LIMITS } from '../base/limits.ts';
import { authorize } from '../session/authorize.ts';
import { actorName, type Principal } from '../session/principal.ts';
import type { Context } from '../worlds/context.ts';
import { rowRecord } from '../worlds/document.ts';
import { checkTableName, idKey } from '../worlds/keys.ts';
import { rowIn } from '../worlds/row-change.ts';
import { admitChanges } from '../worlds/admit-changes.ts';
import { RecordWriter } from '../worlds/record-writer.ts';
import { typedTables } from '../worlds/typed-tables.ts';
import { childRoot } from '../tree/directory.ts';
import type { BatchInput, DeleteInput, GetInput, PutInput, Row } from './contract.ts';

export async function getRow(context: Context, input: GetInput, by: Principal): Promise<{ id: string; row: Row }> {
  checkTableName(input.table);
  const idBytes = idKey(input.id);
  const { root, catalog, seen, world, past } = context.read(input.branch);
  const table = catalog.tables.get(input.table);
  const key = table === undefined || table.relation === null ? idBytes : typedTables().key(table, input.id);
  const { pager } = context.engine;
  const found = table === undefined ? null : rowIn(pager, childRoot(pager, root, table.number), key);
  if (!past && table !== undefined) context.noting(by, world)?.row(table.number, key);
  const row = found === null ? null : rowRecord(table!, found.leaf, found.index);
  await context.engine.durable(seen);
  if (row === null) throw noRow(input.table, input.id, input.branch);
  return { id: input.id, row };
}

export async function putRow(context: Context, input: PutInput, by: Principal): Promise<{ ok: true; version: number }> {
  checkTableName(input.table);
  const key = idKey(input.id);
  await context.engine.admit();
  const world = context.writable(input.branch);
  authorize(by, { what: 'change', world });
  const writer = new RecordWriter(context.engine.pager, context.objects, world.root, context.catalog(world));
  writer.put(input.table, input.id, key, input.record);
  const changes = writer.finish();
  admitChanges(context, by, world, changes);
  const { sequence } = context.engine.commit({ type: 'committed', how: 'write', changes }, world.number, actorName(by));
  const { version } = world;
  await context.engine.durable(sequence);
  return { ok: true, version };
}

export async function deleteRow(context: Context, input: DeleteInput, by: Principal): Promise<{ ok: true; version: number }> {
  checkTableName(input.table);
  const key = idKey(input.id);
  await context.engine.admit();
  const world = context.writable(input.branch);
  authorize(by, { what: 'change', world });
  const writer = new RecordWriter(context.engine.pager, context.objects, world.root, context.catalog(world));
  writer.delete(input.table, input.id, key);
  const changes = writer.finish();
  if (changes.length === 0) {
    await context.engine.durable(world.lastWrite);
    throw noRow(input.table, input.id, input.branch);
  }
  admitChanges(context, by, world, changes);
  const { sequence } = context.engine.commit({ type: 'committed', how: 'write', changes }, world.number, actorName(by));
  const { version } = world;
  await context.engine.durable(sequence);
  return { ok: true, version };
}

export async function batchRows(context: Context, input: BatchInput, by: Principal): Promise<{ ok: true; count: number; version: number }> {
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
  await context.engine.admit();
  const world = context.writable(input.branch);
  authorize(by, { what: 'change', world });
  if (input.rows.length === 0) return { ok: true, count: 0, version: world.version };
  const writer = new RecordWriter(context.engine.pager, context.objects, world.root, context.catalog(world));
  input.rows.forEach(({ table, id, record }, i) => {
    try {
      if (record === null) writer.delete(table, id, keys[i]);
      else writer.put(table, id, keys[i], record);
    } catch (error) {
      throw inEntry(error, i);
    }
  });
  const changes = writer.finish();
  admitChanges(context, by, world, changes);
  const { sequence } = context.engine.commit({ type: 'committed', how: 'write', changes }, world.number, actorName(by));
  const { version } = world;
  await context.engine.durable(sequence);
  return { ok: true, count: input.rows.length, version };
}

function inEntry(error: unknown, index: number): unknown {
  if (!(error instanceof SvcError)) return error;
  return new SvcError(error.code, `rows[${index}]: ${error.message}`, { detail: error.detail, hint: error.hint, cause: error });
}

function noRow(table: string, id: string, branch = 'main'): SvcError {
  return new SvcError('02000', `there is no row "${id.slice(0, 80)}" in table "${table}" of "${branch}"`);
}
