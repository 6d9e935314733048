/** A diff as SQL statements that make it. */
import { inQuotes } from '../base/quote-identifier.ts';
import { exactJsonText } from '../base/exact-json.ts';
import type { Json } from './contract.ts';
import { type Catalog, keyText, type Table } from '../worlds/catalog.ts';
import type { TypedTables } from '../worlds/typed-tables.ts';
import { rowRecord } from '../worlds/document.ts';
import type { RowAt } from '../tree/row-change.ts';
import { sameJson } from './diff.ts';

export function quoteName(name: string): string {
  const dot = name.indexOf('.');
  return dot > 0 && dot < name.length - 1 ? `${inQuotes(name.slice(0, dot))}.${inQuotes(name.slice(dot + 1))}` : inQuotes(name);
}

function literal(value: Json | undefined): string {
  if (value === null || value === undefined) return 'NULL';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`;
  return `'${exactJsonText(value).replaceAll("'", "''")}'::jsonb`;
}

export const sqlType = (type: string): string => (type === 'unknown' ? 'text' : type);

/** CREATE TABLE, ADD COLUMN and ALTER TYPE for definitions that are new in `after`. */
export function definitionStatements(before: Catalog, after: Catalog): string[] {
  const out: string[] = [];
  for (const table of after.tables.values()) {
    if (table.relation !== null) continue;
    const old = before.byNumber.get(table.number);
    if (old?.relation) continue;
    if (old === undefined) {
      const columns = table.columns.map(({ name, type }) => `, ${inQuotes(name)} ${sqlType(type)}`).join('');
      out.push(`CREATE TABLE ${quoteName(table.name)} ("id" text PRIMARY KEY${columns});`);
      continue;
    }
    for (const { number, name, type } of table.columns) {
      const was = old.byNumber.get(number);
      if (was === undefined) out.push(`ALTER TABLE ${quoteName(table.name)} ADD COLUMN ${inQuotes(name)} ${sqlType(type)};`);
      else if (sqlType(was.type) !== sqlType(type)) {
        const using = type === 'jsonb' ? `to_jsonb(${inQuotes(name)})` : `${inQuotes(name)}::${sqlType(type)}`;
        out.push(`ALTER TABLE ${quoteName(table.name)} ALTER COLUMN ${inQuotes(name)} TYPE ${sqlType(type)} USING ${using};`);
      }
    }
  }
  return out;
}

export function rowStatement(typed: TypedTables, table: Table, key: string, before: RowAt | null, after: RowAt | null): string {
  const id = literal(keyText(key));
  if (after === null) return `DELETE FROM ${quoteName(table.name)} WHERE "id" = ${id};`;
  const row = rowRecord(typed, table, after.leaf, after.index);
  const value = (name: string): string => {
    const json = Object.hasOwn(row, name) ? row[name] : undefined;
    const isJson = table.byName.get(name)?.type === 'jsonb';
    return isJson && json !== undefined && json !== null && typeof json !== 'object' ? `'${exactJsonText(json).replaceAll("'", "''")}'::jsonb` : literal(json);
  };
  if (before === null) {
    const names = Object.keys(row);
    const columns = ['"id"', ...names.map(inQuotes)].join(', ');
    return `INSERT INTO ${quoteName(table.name)} (${columns}) VALUES (${[id, ...names.map(value)].join(', ')});`;
  }
  const old = rowRecord(typed, table, before.leaf, before.index);
  const names = new Set([...Object.keys(old), ...Object.keys(row)]);
  const sets: string[] = [];
  for (const name of names) {
    const was = Object.hasOwn(old, name) ? old[name] : undefined;
    const now = Object.hasOwn(row, name) ? row[name] : undefined;
    if (!sameJson(was, now)) sets.push(`${inQuotes(name)} = ${value(name)}`);
  }
  return `UPDATE ${quoteName(table.name)} SET ${sets.join(', ')} WHERE "id" = ${id};`;
}
