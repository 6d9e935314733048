/**
 * Finds the readers of what a change touches: from the definitions of a world (views, foreign keys, checks, generated
 * columns, indexes), from merge checks and policies, and from readers registered for external systems.
 */
import type { Catalog, Table } from '../worlds/catalog.ts';
import type { Governance } from '../worlds/governance.ts';
import { columnsOf } from './changed.ts';
import { type MergeCheck, watches } from './checks.ts';
import { columnsNow, type NamedObjects } from './named-objects.ts';
import type { StoredPolicy } from './policy.ts';

export interface Reading {
  table: string;
  /** The changed columns that it reads; empty: the whole table. */
  columns: string[];
  kind: string;
  reader: string;
  detail: string;
  critical: boolean;
}

export interface Coverage {
  analysed: string[];
  not_analysed: string[];
}

/** A table and its changed columns. */
export interface Touched {
  readonly number: number;
  readonly names: ReadonlySet<string>;
  /** The table and its parents, by number. */
  readonly above: ReadonlySet<number>;
  readonly name: string;
  readonly columns: ReadonlySet<string>;
  readonly columnNumbers: ReadonlySet<number>;
}

export interface RegisteredReader {
  table: string;
  columns: string[];
  kind: string;
  critical: boolean;
  detail: string;
  /** What `table` and, as `table.column`, its columns refer to. */
  objects?: NamedObjects;
}

export const KINDS_ANALYSED = [
  'view',
  'materialized view',
  'row policy',
  'foreign key',
  'check',
  'generated column',
  'index',
  'trigger',
  'rule',
  'merge check',
  'policy',
  'registered reader',
];

export function readersOf(catalog: Catalog, governance: Governance, touched: readonly Touched[]): { readers: Reading[]; coverage: Coverage } {
  const readers: Reading[] = [];
  const notAnalysed: string[] = [];
  // Function bodies are not analysed.
  for (const object of catalog.objects.values()) if (object.what === 'function') notAnalysed.push(`function ${qualified(object.schema, object.name)}`);
  for (const each of touched) {
    const table = catalog.byNumber.get(each.number);
    const add = (columns: string[], kind: string, reader: string, detail: string, critical = false): void => {
      readers.push({ table: each.name, columns, kind, reader, detail, critical });
    };
    const overlap = (numbers: readonly number[]): string[] =>
      table === undefined
        ? []
        : columnNames(
            table,
            numbers.filter((number) => each.columnNumbers.has(number)),
          );
    for (const object of catalog.objects.values()) {
      switch (object.what) {
        case 'view': {
          for (const use of object.uses) {
            if (use.object !== each.number) continue;
            const columns = overlap(use.columns);
            if (columns.length > 0 || use.columns.length === 0) add(columns, 'view', qualified(object.schema, object.name), object.sql);
          }
          break;
        }
        case 'relation': {
          for (const use of object.query?.uses ?? []) {
            if (use.object !== each.number) continue;
            const columns = overlap(use.columns);
            if (columns.length > 0 || use.columns.length === 0) add(columns, 'materialized view', qualified(object.schema, object.name), object.query!.sql);
          }
          break;
        }
        case 'policy': {
          const texts = [object.using, object.check].filter((text) => text !== null).join(' ');
          const own = object.table === each.number && table !== undefined ? mentionedColumns(table, each, texts) : [];
          const used = object.uses.flatMap((use) => (use.object === each.number ? overlap(use.columns) : []));
          const columns = [...new Set([...own, ...used])];
          const on = catalog.byNumber.get(object.table)?.name ?? String(object.table);
          if (columns.length > 0) add(columns, 'row policy', `${object.name} on ${on}`, texts);
          break;
        }
        case 'check': {
          const columns = object.table === each.number ? overlap(object.columns) : [];
          if (columns.length > 0) add(columns, 'check', object.name, `CHECK (${object.condition})`);
          break;
        }
        case 'foreign key': {
          const from = object.table === each.number ? overlap(object.columns) : [];
          const to = object.target === each.number ? overlap(object.targetColumns) : [];
          const other = (number: number): string => catalog.byNumber.get(number)?.name ?? String(number);
          if (from.length > 0) add(from, 'foreign key', object.name, `references ${other(object.target)}`);
          if (to.length > 0) add(to, 'foreign key', object.name, `is referenced by ${other(object.table)}`);
          break;
        }
        case 'index': {
          if (object.table !== each.number) break;
          const columns = overlap([...object.columns.flatMap(({ column }) => column ?? []), ...object.include]);
          const computed = object.columns.flatMap(({ expression }) => expression ?? []).concat(object.where ?? []);
          const mentioned = table === undefined ? [] : mentionedColumns(table, each, computed.join(' '));
          const all = [...new Set([...columns, ...mentioned])];
          if (all.length > 0) add(all, object.unique ? 'unique index' : 'index', object.name, '');
          break;
        }
        case 'attribute': {
          if (object.table !== each.number || object.generated === null || table === undefined) break;
          const columns = mentionedColumns(table, each, object.generated);
          if (columns.length > 0) add(columns, 'generated column', object.name, object.generated);
          break;
        }
        case 'rule': {
          for (const use of object.uses) {
            if (use.object !== each.number) continue;
            const columns = overlap(use.columns);
            if (columns.length > 0 || use.columns.length === 0) add(columns, 'rule', object.name, object.actions.join('; '));
          }
          break;
        }
        case 'trigger': {
          if (object.table !== each.number || object.parent !== undefined) break;
          const mentioned = table === undefined || object.when === null ? [] : mentionedColumns(table, each, object.when);
          const columns = [...new Set([...overlap(object.columns), ...mentioned])];
          const watchesAll = object.columns.length === 0 && object.when === null;
          if (columns.length > 0 || watchesAll) add(columns, 'trigger', object.name, `${object.timing} ${object.events.join(' or ')}`);
          break;
        }
        default:
      }
    }
    for (const { name, value } of governance.all('check')) {
      const { tables, query, objects } = value as unknown as MergeCheck;
      if (watches({ tables, objects }, each)) add([], 'merge check', name, query);
      else if (tables.length === 0) {
        if (mentions(query, each.names)) add([], 'merge check', name, query);
      }
    }
    for (const { name, value } of governance.all('policy')) {
      const policy = value as unknown as StoredPolicy;
      const watched = columnsNow(policy.review_columns, policy.objects, [catalog]);
      const columns = [...each.columns].filter((column) => [...each.names].some((one) => watched.has(`${one}.${column}`)));
      if (columns.length > 0) add(columns, 'policy', name, 'review_columns');
      else if (watches({ tables: policy.review_tables, objects: policy.objects }, each)) add([], 'policy', name, 'review_tables');
    }
    for (const { name, value } of governance.all('reader')) {
      const reader = value as unknown as RegisteredReader;
      if (!watches({ tables: [reader.table], objects: reader.objects }, each)) continue;
      const columns = reader.columns.filter((column) => {
        const [table, number] = reader.objects?.[`${reader.table}.${column}`] ?? [];
        return each.columns.has(column) || (table === each.number && each.columnNumbers.has(number));
      });
      if (columns.length > 0 || reader.columns.length === 0) add(columns, reader.kind, name, reader.detail, reader.critical);
    }
  }
  return { readers, coverage: { analysed: KINDS_ANALYSED, not_analysed: notAnalysed } };
}

function columnNames(table: Table, numbers: readonly number[]): string[] {
  const wanted = new Set(numbers);
  return columnsOf(table).flatMap(({ number, name }) => (wanted.has(number) ? [name] : []));
}

/** Columns named by an expression's text: may list too many (a name inside a string), never too few. */
function mentionedColumns(table: Table, { columnNumbers }: Touched, text: string): string[] {
  return columnsOf(table).flatMap(({ number, name }) => (columnNumbers.has(number) && mentions(text, new Set([name])) ? [name] : []));
}

function mentions(text: string, names: ReadonlySet<string>): boolean {
  for (const name of names) {
    const word = name.includes('.') ? name.slice(name.lastIndexOf('.') + 1) : name;
    if (new RegExp(`(?<![\\w$])"?${word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}"?(?![\\w$])`, 'i').test(text)) return true;
  }
  return false;
}

function qualified(schema: string, name: string): string {
  return schema === 'public' ? name : `${schema}.${name}`;
}
