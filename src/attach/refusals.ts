/** What cannot be attached: all reasons at once, before anything is copied. */
import { quoteNames } from '../base/quote-identifier.ts';
import type { SourceTable } from './source-catalog.ts';
import type { SourceType } from './source-types.ts';
import type { MaskOption } from './masks.ts';

/** One line each, `<table>: <reason>`. */
export function refusals(tables: readonly SourceTable[], types: readonly SourceType[], masks: readonly MaskOption[]): string[] {
  const out: string[] = [];
  const byOid = new Map(types.map((type) => [type.oid, type]));
  for (const table of tables) {
    const name = quoteNames([table.schema, table.name]);
    for (const reason of reasonsOf(table, byOid)) out.push(`${name}: ${reason}`);
  }
  for (const { table: name, column: wanted } of masks) {
    const table = tables.find((each) => each.name === name || `${each.schema}.${each.name}` === name);
    const column = table?.columns.find((each) => each.name === wanted);
    if (table === undefined) out.push(`--mask ${name}.${wanted}: that table is not attached`);
    else if (column === undefined) out.push(`--mask ${name}.${wanted}: the table has no such column`);
    else if (keyOf(table).includes(column.attnum)) out.push(`--mask ${name}.${wanted}: a column of the primary key cannot be masked`);
  }
  return out;
}

/** Numbers of the columns of the primary key. */
export function keyOf({ constraints }: SourceTable): readonly number[] {
  return constraints.find(({ kind }) => kind === 'p')?.columns ?? [];
}

function* reasonsOf(table: SourceTable, types: ReadonlyMap<number, SourceType>): Iterable<string> {
  if (table.kind === 'p' || table.partition) {
    yield table.kind === 'p' ? 'it is partitioned' : 'it is a partition';
    return;
  }
  if (table.kind !== 'r') {
    yield { v: 'it is a view', m: 'it is a materialized view', f: 'it is a foreign table' }[table.kind] ?? 'it is no table';
    return;
  }
  if (table.parents) yield 'it inherits from another table';
  if (table.children) yield 'other tables inherit from it';
  if (table.temporary) yield 'it is temporary';
  if (table.rowSecurity) yield 'it has row-level security';
  if (!table.readable) yield 'the role of the connection may not read it (SELECT on the table, USAGE on its schema)';
  const primary = table.constraints.find(({ kind }) => kind === 'p');
  if (primary === undefined) yield 'it has no primary key';
  else if (primary.deferrable) yield 'its primary key is deferrable';
  for (const column of table.columns) {
    if (column.generated) yield `column ${column.name} is generated`;
    const reason = typeReason(column.typeOid, types);
    if (reason !== null) yield `column ${column.name} is of type ${column.type}, ${reason}`;
  }
}

/** Types of pg_catalog that svc does not know are refused when the definitions are tried. */
function typeReason(oid: number, types: ReadonlyMap<number, SourceType>): string | null {
  const type = types.get(oid);
  if (type === undefined || type.extension !== null) return null;
  if (type.element !== 0) return typeReason(type.element, types);
  if (type.kind === 'd') return typeReason(type.baseOid, types);
  if (type.kind === 'e' || type.schema === 'pg_catalog') return null;
  return { c: 'which is composite', r: 'which is a range of its own', m: 'which is a multirange of its own' }[type.kind] ?? 'which svc does not know';
}
