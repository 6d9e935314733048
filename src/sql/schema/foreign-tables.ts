/** Capabilities of a foreign table's wrapper: none writes, and one without a handler cannot read either. */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { ServerObject, WrapperObject } from '../../worlds/definition.ts';
import type { Schema } from './schema.ts';
import type { SqlTable } from './table.ts';

export function wrapperOf(schema: Schema, { wrapper }: ServerObject): WrapperObject {
  return schema.wrappers.get(wrapper)!;
}

/** 55000. */
export function mustHaveHandler({ handler, name }: WrapperObject): void {
  if (handler === null) throw new SvcError('55000', `foreign-data wrapper "${name}" has no handler`);
}

/** The wrapper of a foreign table. */
export function tableWrapper(schema: Schema, { foreign }: SqlTable): WrapperObject {
  return wrapperOf(schema, schema.servers.get(foreign!.server)!);
}

/** 55000 for a wrapper without a handler, otherwise 0A000. `what`: `insert into`, `update`, `delete from`, `truncate`. */
export function refuseForeignWrite(schema: Schema, table: SqlTable, what: string): void {
  if (table.foreign === undefined) return;
  mustHaveHandler(tableWrapper(schema, table));
  throw new SvcError('0A000', `cannot ${what} foreign table "${table.name}"`);
}
