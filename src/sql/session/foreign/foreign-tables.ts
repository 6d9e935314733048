/** Clauses of CREATE and ALTER FOREIGN TABLE beyond those of CREATE and ALTER TABLE. Manual, CREATE FOREIGN TABLE. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import type { RelationObject, ServerObject } from '../../../worlds/definition.ts';
import type { AlterAction, ColumnDefinition, Option, TableElement } from '../../ast/define.ts';
import { CLASS } from '../../catalog/fixed-oids.ts';
import { attributeOf, relationObject } from '../../schema/alter-table.ts';
import type { ColumnSpec } from '../../schema/create-table.ts';
import type { Ddl } from '../../schema/ddl.ts';
import { tableWrapper, wrapperOf } from '../../schema/foreign-tables.ts';
import type { SqlTable } from '../../schema/table.ts';
import type { SqlSession } from '../sql-session.ts';
import { unscopedNamed } from '../unscoped-objects.ts';
import { validatedOptions } from './foreign-options.ts';
import { mustUseServer } from './servers.ts';

const CONSTRAINTS: Readonly<Record<string, string>> = { primaryKey: 'primary key', unique: 'unique', exclude: 'exclusion', foreignKey: 'foreign key' };

/** 0A000 for clauses that need stored rows. */
export function refuseForForeign(elements: readonly TableElement[]): void {
  for (const element of elements) {
    if (element.type === 'like') throw new SvcError('0A000', 'LIKE is not supported for creating foreign tables', { position: element.at + 1 });
    for (const { type, at } of element.type === 'column' ? element.constraints : [element]) {
      const what = CONSTRAINTS[type];
      if (what !== undefined) throw new SvcError('0A000', `${what} constraints are not supported on foreign tables`, { position: at + 1 });
    }
  }
}

/** 42704, 42501, and errors of the wrapper's validator. */
export function foreignSource(
  session: SqlSession,
  { server: name, options }: { server: string; options: readonly Option[] },
): NonNullable<RelationObject['foreign']> {
  const server = unscopedNamed(session, 'server', name);
  mustUseServer(session, server);
  const { validator } = wrapperOf(session.schema(), server);
  return { server: server.number, options: validatedOptions(session, validator, [], options, CLASS.pg_foreign_table) };
}

/** The new column with its options; 42809 if `table` is not a foreign one (`server` null), and errors of the wrapper's validator. */
export function withForeignOptions(
  session: SqlSession,
  table: string,
  server: () => ServerObject | null,
  column: ColumnSpec,
  { foreignOptions }: ColumnDefinition,
): ColumnSpec {
  if (foreignOptions === undefined) return column;
  const own = server();
  if (own === null) throw new SvcError('42809', `"${table}" is not a foreign table`);
  const { validator } = wrapperOf(session.schema(), own);
  return { ...column, options: validatedOptions(session, validator, [], foreignOptions, CLASS.pg_attribute) };
}

/** OPTIONS of the table or of a column. */
export function alterForeignOptions(
  session: SqlSession,
  ddl: Ddl,
  table: SqlTable,
  action: Extract<AlterAction, { type: 'foreignOptions' | 'columnForeignOptions' }>,
): void {
  const { validator } = tableWrapper(ddl.schema, table);
  if (action.type === 'foreignOptions') {
    const options = validatedOptions(session, validator, table.foreign!.options, action.options, CLASS.pg_foreign_table);
    return ddl.put({ ...relationObject(ddl, table.number), foreign: { ...table.foreign!, options } });
  }
  if (!table.columns.some(({ name }) => name === action.column))
    throw new SvcError('42703', `column "${action.column}" of relation "${table.name}" does not exist`);
  const { options: before = [], ...attribute } = attributeOf(ddl, table, action.column);
  const options = validatedOptions(session, validator, before, action.options, CLASS.pg_attribute);
  ddl.put(options.length === 0 ? attribute : { ...attribute, options });
}
