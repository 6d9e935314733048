/** Every mode of `diff` over two states. */
import { SvcError } from '../../src/base/errors/svc-error.ts';
import type { Change, DiffInput, DiffReply, Json } from '../../src/commands/contract.ts';
import { checkCount } from './checks.ts';
import { compareBytes, copyRow, equalJson, fieldOf } from './json.ts';
import { differences, type RowState, type Tables } from './model-world.ts';
import { parseRowKey, rowKey } from './row-key.ts';
import { summarise } from './three-way.ts';

export function checkDiffModes(input: DiffInput): void {
  if (input.sql === true && (input.limit !== undefined || input.after !== undefined)) throw new SvcError('22023', 'sql cannot be paged');
  if (input.limit !== undefined) checkCount('limit', input.limit);
}

export function diffTables(before: Tables, after: Tables, version: number, input: DiffInput): DiffReply {
  const all = differences(before, after).filter(({ after: row }) => input.deletes === undefined || input.deletes === (row === null));
  if (input.sql === true) return { sql: statements(before, all), version };
  const paged = input.limit !== undefined || input.after !== undefined;
  const reply: DiffReply = { version };
  if (paged) {
    const rest = input.after === undefined ? all : all.filter((each) => isAfter(each, input.after!));
    const page = rest.slice(0, input.limit);
    reply.changes = page.map(changeOf);
    reply.next = page.length < rest.length && page.length > 0 ? reply.changes[page.length - 1].key : null;
  } else if (input.count !== true) reply.changes = all.map(changeOf);
  if (input.count === true) {
    reply.total = all.length;
    reply.tables = {};
    for (const { table } of all) reply.tables[table] = (reply.tables[table] ?? 0) + 1;
    if (!paged) {
      reply.summary = summarise(all);
      if (input.to === undefined) reply.effects = [];
    }
  }
  return reply;
}

function isAfter(each: RowState, cursor: string): boolean {
  const { table, id } = parseRowKey(cursor);
  return (compareBytes(each.table, table) || compareBytes(each.id, id)) > 0;
}

function changeOf({ table, id, before, after }: RowState): Change {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].sort();
  const columns = names.filter((name) => before === null || after === null || !equalJson(fieldOf(before, name), fieldOf(after, name)));
  return { key: rowKey(table, id), before: copyRow(before), after: copyRow(after), columns };
}

function statements(before: Tables, all: RowState[]): string[] {
  const name = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  const text = (value: string): string => `'${value.replaceAll("'", "''")}'`;
  const literal = (value: Json): string =>
    value === null ? 'NULL' : typeof value === 'object' ? `${text(JSON.stringify(value))}::jsonb` : typeof value === 'string' ? text(value) : String(value);
  const created = new Set(all.filter(({ table, after }) => after !== null && !before.has(table)).map(({ table }) => table));
  const out = [...created].map((table) => `CREATE TABLE ${name(table)} ("id" text PRIMARY KEY);`);
  for (const { table, id, before: was, after } of all) {
    if (after === null) out.push(`DELETE FROM ${name(table)} WHERE "id" = ${text(id)};`);
    else if (was === null) {
      const names = ['id', ...Object.keys(after)];
      out.push(`INSERT INTO ${name(table)} (${names.map(name).join(', ')}) VALUES (${[text(id), ...Object.values(after).map(literal)].join(', ')});`);
    } else {
      const { columns } = changeOf({ table, id, before: was, after });
      out.push(
        `UPDATE ${name(table)} SET ${columns.map((column) => `${name(column)} = ${literal(fieldOf(after, column) ?? null)}`).join(', ')} WHERE "id" = ${text(id)};`,
      );
    }
  }
  return out;
}
