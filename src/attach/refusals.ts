/** What cannot be attached: all reasons at once, before anything is copied. */
import { quoteNames } from '../base/quote-identifier.ts';
import { publicName } from '../worlds/catalog.ts';
import type { SourceTable } from './source-catalog.ts';
import type { SourceType } from './source-types.ts';
import { isMasked, type MaskOption } from './masks.ts';

/** One line each, `<table>: <reason>`. */
export function refusals(tables: readonly SourceTable[], types: readonly SourceType[], masks: readonly MaskOption[]): string[] {
  const out: string[] = [];
  const byOid = new Map(types.map((type) => [type.oid, type]));
  for (const table of tables) {
    const name = quoteNames([table.schema, table.name]);
    for (const reason of reasonsOf(table, byOid)) out.push(`${name}: ${reason}`);
    const other = tables.find((each) => each.oid < table.oid && publicName(each.schema, each.name) === publicName(table.schema, table.name));
    if (other !== undefined) out.push(`${name}: its rows would have the same keys in svc as those of ${quoteNames([other.schema, other.name])}`);
  }
  for (const mask of masks) {
    const { table: name, column: wanted } = mask;
    const table = tables.find((each) => isMasked(mask, each));
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
  if (table.rules.length > 0) yield `it has a rule (${table.rules.join(', ')}), which Postgres does not apply to the statement of a merge`;
  const primary = table.constraints.find(({ kind }) => kind === 'p');
  if (primary === undefined) yield 'it has no primary key';
  else if (primary.deferrable) yield 'its primary key is deferrable';
  for (const column of table.columns) {
    if (column.generated) yield `column ${column.name} is generated`;
    const reason = typeReason(column.typeOid, types);
    if (reason !== null) yield `column ${column.name} is of type ${column.type}, ${reason}`;
  }
}

/** aclitem, regproc, regprocedure, regoper, regoperator, regclass, regtype, regconfig, regdictionary, regnamespace, regrole, regcollation, and their arrays. */
const OBJECT_OIDS: ReadonlySet<number> = new Set([
  1033, 1034, 24, 2202, 2203, 2204, 2205, 2206, 3734, 3769, 4089, 4096, 4191, 1008, 2207, 2208, 2209, 2210, 2211, 3735, 3770, 4090, 4097, 4192,
]);

/** Types of pg_catalog that svc does not know are refused when the definitions are tried. */
function typeReason(oid: number, types: ReadonlyMap<number, SourceType>): string | null {
  if (OBJECT_OIDS.has(oid)) return 'which names objects or roles of Postgres';
  const type = types.get(oid);
  if (type === undefined || type.extension !== null) return null;
  if (type.element !== 0) return typeReason(type.element, types);
  if (type.kind === 'd') return typeReason(type.baseOid, types);
  if (type.kind === 'e' || type.schema === 'pg_catalog') return null;
  return { c: 'which is composite', r: 'which is a range of its own', m: 'which is a multirange of its own' }[type.kind] ?? 'which svc does not know';
}
