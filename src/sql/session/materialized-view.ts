/**
 * Materialized views: tables whose rows come of a query, when they are made and at each REFRESH. A refresh changes
 * only the rows that differ, so that the difference of two worlds, and the log, have no more than that.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import { childRoot } from '../../tree/directory.ts';
import { scan } from '../../tree/read.ts';
import type { Key } from '../../tree/datum.ts';
import type { CreateTableAs, RefreshMaterializedView } from '../ast/define.ts';
import type { Query } from '../ast/query.ts';
import { relationObject } from '../schema/alter-table.ts';
import { createTable } from '../schema/create-table.ts';
import { readRow } from '../schema/row-reader.ts';
import type { SqlTable } from '../schema/table.ts';
import { STORED } from '../schema/type-lookup.ts';
import type { Value } from '../types/value.ts';
import { targetName } from './define-table.ts';
import { define, relationNamed } from './define.ts';
import { parseQuery } from './names.ts';
import { mustOwn } from './ownership.ts';
import { isWrite } from './prepare.ts';
import { done, type StatementResult } from './results.ts';
import type { SqlSession } from './sql-session.ts';
import { viewSpec } from './view-spec.ts';

export async function createMaterializedView(session: SqlSession, statement: CreateTableAs): Promise<StatementResult> {
  const command = 'CREATE MATERIALIZED VIEW';
  session.startStatement();
  session.writable(command);
  const { body, withData, columns: names, at } = statement;
  if (body.type === 'execute' || isWrite(body)) throw new SvcError('0A000', 'materialized views must be made of a query', { position: at + 1 });
  const target = targetName(session, statement.name);
  if (statement.ifNotExists && session.schema().relation(target.schema, target.name) !== null) {
    session.notice('42P07', `relation "${target.name}" already exists, skipping`);
    return done(command, session.notices);
  }
  if (names.length > 0) tooMany(session, body, names);
  const { sql, columns, uses } = viewSpec(session, { query: body, columns: names, at });
  const rows = withData ? await rowsOf(session, parseQuery(sql)) : [];
  let number: number | null = null;
  define(session, command, (ddl) => {
    number = createTable(ddl, {
      ...target,
      ifNotExists: false,
      columns: columns.map(({ name, type, typmod }) => ({
        name,
        type: ddl.schema.typeByOid(type)!,
        typmod,
        notNull: false,
        default: null,
        generated: null,
        identity: null,
        serial: false,
      })),
      constraints: [],
      query: { sql, uses, populated: withData },
    });
  });
  fill(session, number!, rows);
  return { ...done(withData ? `SELECT ${rows.length}` : command), notices: session.notices };
}

function tooMany(session: SqlSession, query: Query, names: readonly string[]): void {
  const { columns } = session.prepare(query, []);
  if (names.length > columns.length) throw new SvcError('42601', 'too many column names were specified');
}

export async function refreshMaterializedView(session: SqlSession, { name, concurrently, withData, at }: RefreshMaterializedView): Promise<StatementResult> {
  const command = 'REFRESH MATERIALIZED VIEW';
  const found = relationNamed(session, name);
  if (found.kind !== 'table' || found.table.materialized === null) throw new SvcError('0A000', `"${name.name}" is not a materialized view`);
  mustOwn(session, 'materialized view', found.table.number, found.table.name);
  session.writable(command);
  const { table } = found;
  const { sql, populated } = table.materialized!;
  if (concurrently && !populated) throw new SvcError('0A000', 'CONCURRENTLY cannot be used when the materialized view is not populated');
  if (concurrently && !withData) throw new SvcError('42601', 'REFRESH options CONCURRENTLY and WITH NO DATA cannot be used together', { position: at + 1 });
  if (concurrently && !table.indexes.some((index) => index.unique && index.where === null && index.columns.every(({ column }) => column !== null))) {
    throw new SvcError('55000', `cannot refresh materialized view "${table.schema}.${table.name}" concurrently`, {
      hint: 'Create a unique index with no WHERE clause on one or more columns of the materialized view.',
    });
  }
  const rows = withData ? await rowsOf(session, parseQuery(sql)) : [];
  if (withData !== populated || !withData) {
    define(session, command, (ddl) => {
      const relation = relationObject(ddl, table.number);
      ddl.put({ ...relation, epoch: withData ? relation.epoch : relation.epoch + 1, query: { ...relation.query!, populated: withData } });
    });
  }
  fill(session, table.number, rows);
  return { ...done(command), notices: session.notices };
}

async function rowsOf(session: SqlSession, query: Query): Promise<Value[][]> {
  const rows: Value[][] = [];
  await session.execute(session.prepare(query, []), [], (more) => {
    for (const row of more) rows.push(row);
  });
  return rows;
}

/** Makes the table's rows these, and leaves alone those that are there. */
function fill(session: SqlSession, number: number, rows: readonly Value[][]): void {
  const transaction = session.startStatement();
  const table = session.schema().tables.get(number)!;
  const wanted = new Map<string, Value[][]>();
  for (const row of rows) {
    const text = textOf(table, row);
    const list = wanted.get(text);
    if (list === undefined) wanted.set(text, [row]);
    else list.push(row);
  }
  const gone: Key[] = [];
  const { pager } = session.host.context.engine;
  const tree = childRoot(pager, transaction.root, number);
  if (tree !== null) {
    scan(pager, tree, null, (leaf, from, to) => {
      for (let i = from; i < to; i++) if (wanted.get(textOf(table, readRow(table, leaf, i)))?.pop() === undefined) gone.push(leaf.key(i));
    });
  }
  const writes = session.writesOver(transaction);
  const writer = writes.writer(table);
  for (const key of gone) writer.delete(key);
  for (const list of wanted.values()) for (const row of list) writer.insert(row);
  session.finish(transaction, writes);
}

function textOf({ columns }: SqlTable, row: readonly Value[]): string {
  return JSON.stringify(row.map((value, i) => (value === null ? null : columns[i].type.format(value, STORED))));
}
