/** Changed definitions between two states, as shown in diffs, merge previews and reviews. */
import { inQuotes, quoteIdentifier } from '../base/quote-identifier.ts';
import { OWNER_ROLE } from '../identity/roles.ts';
import { type Principal, seesSecrets } from '../session/principal.ts';
import type { Catalog, Table } from '../worlds/catalog.ts';
import type { Context } from '../worlds/context.ts';
import type { Reader, TypedTables } from '../worlds/typed-tables.ts';
import type { DefinitionChange } from './contract.ts';
import { quoteName, sqlType } from './diff-sql.ts';

export function readerOf(context: Context, by: Principal): Reader {
  return { roles: context.state.roles.current, role: roleOf(by), secrets: seesSecrets(by) };
}

/** 0: no role. */
function roleOf(principal: Principal): number {
  switch (principal.kind) {
    case 'role':
      return principal.oid;
    case 'agent':
    case 'guest':
      return 0;
    default:
      return OWNER_ROLE;
  }
}

/**
 * In the order in which they are dropped and created. Fields of documents are data; a document table is created by its first
 * row, so it is listed only without rows (`rowsOf`), and when it is dropped.
 */
export function definitionsBetween(typed: TypedTables, before: Catalog, after: Catalog, reader: Reader, rowsOf: (table: number) => number): DefinitionChange[] {
  if (before === after) return [];
  const out: DefinitionChange[] = [];
  for (const table of before.tables.values()) {
    if (table.relation !== null || after.byNumber.has(table.number)) continue;
    out.push({
      object: `table ${shownName(table.name)}`,
      change: 'drop',
      before: documentTable(table),
      after: null,
      statement: `DROP TABLE ${quoteName(table.name)};`,
    });
  }
  for (const table of after.tables.values()) {
    if (table.relation !== null || before.byNumber.has(table.number) || rowsOf(table.number) > 0) continue;
    const text = documentTable(table);
    out.push({ object: `table ${shownName(table.name)}`, change: 'create', before: null, after: text, statement: text });
  }
  if (hasTyped(before) || hasTyped(after)) {
    for (const { table: _table, ...each } of typed.script(before, after, reader).definitions()) out.push(each);
  }
  return out;
}

function shownName(name: string): string {
  return name
    .split('.')
    .map((part) => quoteIdentifier(part))
    .join('.');
}

function documentTable({ name, columns }: Table): string {
  return `CREATE TABLE ${quoteName(name)} ("id" text PRIMARY KEY${columns.map((each) => `, ${inQuotes(each.name)} ${sqlType(each.type)}`).join('')});`;
}

/** Whether anything but document tables is defined. */
export function hasTyped({ objects }: Catalog): boolean {
  for (const { what } of objects.values()) if (what !== 'table' && what !== 'column') return true;
  return false;
}
