/**
 * Materialized views: tables filled by a query at creation and at each REFRESH. A refresh changes only the rows that differ, which
 * keeps the log and diffs of worlds small.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import { childRoot } from '../../tree/directory.ts';
import type { Leaf } from '../../tree/node.ts';
import { leaves } from '../../tree/read.ts';
import type { Key } from '../../tree/datum.ts';
import type { CreateTableAs, RefreshMaterializedView } from '../ast/define.ts';
import { withNullTests } from '../ast/null-test.ts';
import type { Query } from '../ast/query.ts';
import { relationObject } from '../schema/alter-table.ts';
import { createTable } from '../schema/create-table.ts';
import { readRow } from '../schema/row-reader.ts';
import type { RowsWriter } from '../schema/rows-writer.ts';
import type { SqlTable } from '../schema/table.ts';
import { STORED } from '../types/environment.ts';
import type { Value } from '../types/value.ts';
import { checkStorage, keepCollations, tableFacts } from './define-facts.ts';
import { fillTable } from './create-table-as.ts';
import { targetName } from './define-table.ts';
import { define, readsTemporary, relationNamed } from './define.ts';
import { sliced } from './large-commit.ts';
import { parseQuery } from './names.ts';
import { mustOwn } from './ownership.ts';
import { isWrite } from './prepare.ts';
import { done, type StatementResult } from './results.ts';
import { runInTurns, type Steps } from './plpgsql/steps.ts';
import type { SqlSession } from './sql-session.ts';
import { viewSpec, writesInWith } from './view-spec.ts';

/** Rows per step of a refresh. */
const STEP = 256;

export async function createMaterializedView(session: SqlSession, statement: CreateTableAs): Promise<StatementResult> {
  return runInTurns(session, createMaterializedViewSteps(session, statement));
}

/** The same, in steps. */
export function* createMaterializedViewSteps(session: SqlSession, statement: CreateTableAs): Steps<StatementResult> {
  const command = 'CREATE MATERIALIZED VIEW';
  session.startStatement();
  session.writable(command);
  const { withData, columns: names, at } = statement;
  const body = session.settings.get('transform_null_equals') === 'on' ? withNullTests(statement.body) : statement.body;
  if (body.type === 'execute' || isWrite(body)) throw new SvcError('0A000', 'materialized views must be made of a query', { position: at + 1 });
  if (writesInWith(body)) throw new SvcError('0A000', 'materialized views must not use data-modifying statements in WITH');
  if (statement.persistence === 'unlogged') throw new SvcError('0A000', 'materialized views cannot be unlogged');
  const target = targetName(session, statement.name);
  if (statement.ifNotExists && session.schema().relation(target.schema, target.name) !== null) {
    session.notice('42P07', `relation "${target.name}" already exists, skipping`);
    return done(command, session.notices);
  }
  if (names.length > 0) tooMany(session, body, names);
  const { sql, columns, uses, collations } = viewSpec(session, { query: body, columns: names, at });
  if (uses.some(({ object }) => readsTemporary(session, object))) throw new SvcError('0A000', 'materialized views must not use temporary tables or views');
  let number: number | null = null;
  define(session, command, (ddl) => {
    number = createTable(ddl, {
      ...target,
      ifNotExists: false,
      columns: columns.map(({ name, type, typmod }, i) => ({
        name,
        type: ddl.schema.typeByOid(type)!,
        typmod,
        notNull: false,
        default: null,
        generated: null,
        identity: null,
        serial: false,
        collation: collations?.[i] ?? null,
      })),
      constraints: [],
      query: { sql, uses, populated: withData },
    });
    if (number === null) return;
    tableFacts(ddl, number, statement, checkStorage(statement, false), []);
    keepCollations(ddl, number, collations);
  });
  if (!withData) return { ...done(command), notices: session.notices };
  const prepared = session.prepare(parseQuery(sql), []);
  const count = yield* fillTable(session, number!, (take) => session.executeSteps(prepared, [], take), prepared.columns);
  return { ...done(`SELECT ${count}`), notices: session.notices };
}

function tooMany(session: SqlSession, query: Query, names: readonly string[]): void {
  const { columns } = session.prepare(query, []);
  if (names.length > columns.length) throw new SvcError('42601', 'too many column names were specified');
}

export async function refreshMaterializedView(session: SqlSession, statement: RefreshMaterializedView): Promise<StatementResult> {
  return runInTurns(session, refreshMaterializedViewSteps(session, statement));
}

/** The same, in steps. */
export function* refreshMaterializedViewSteps(session: SqlSession, { name, concurrently, withData }: RefreshMaterializedView): Steps<StatementResult> {
  const command = 'REFRESH MATERIALIZED VIEW';
  const found = relationNamed(session, name);
  if (found.kind !== 'table') throw new SvcError('42809', `"${name.name}" is not a table or materialized view`);
  if (found.table.materialized === null) throw new SvcError('0A000', `"${name.name}" is not a materialized view`);
  mustOwn(session, 'materialized view', found.table.number, found.table.name);
  session.writable(command);
  const { table } = found;
  const { sql, populated } = table.materialized!;
  if (concurrently && !populated) throw new SvcError('0A000', 'CONCURRENTLY cannot be used when the materialized view is not populated');
  if (concurrently && !withData) throw new SvcError('42601', 'CONCURRENTLY and WITH NO DATA options cannot be used together');
  if (concurrently && !table.indexes.some((index) => index.unique && index.where === null && index.columns.every(({ column }) => column !== null))) {
    throw new SvcError('55000', `cannot refresh materialized view "${table.schema}.${table.name}" concurrently`, {
      hint: 'Create a unique index with no WHERE clause on one or more columns of the materialized view.',
    });
  }
  const rows = withData ? yield* rowsOf(session, parseQuery(sql)) : [];
  if (withData !== populated || !withData) {
    define(session, command, (ddl) => {
      const relation = relationObject(ddl, table.number);
      ddl.put({ ...relation, epoch: withData ? relation.epoch : relation.epoch + 1, query: { ...relation.query!, populated: withData } });
    });
  }
  yield* replaceRows(session, table.number, rows);
  return { ...done(command), notices: session.notices };
}

function* rowsOf(session: SqlSession, query: Query): Steps<Value[][]> {
  const rows: Value[][] = [];
  yield* session.executeSteps(session.prepare(query, []), [], (more) => {
    for (const row of more) rows.push(row);
  });
  return rows;
}

/** Replaces the table's rows, leaving equal ones alone. */
function* replaceRows(session: SqlSession, number: number, rows: readonly Value[][]): Steps<void> {
  const transaction = session.startStatement();
  const writes = session.writesOver(transaction);
  const writer = writes.writer(session.schema().tables.get(number)!);
  const { pager } = session.host.context.engine;
  const tree = childRoot(pager, transaction.root, number);
  yield* sliced(replaceSteps(writer, rows, tree === null ? [] : leaves(pager, tree, null)));
  session.finish(transaction, writes, yield* sliced(writes.finishSteps()));
}

/** A step is a few hundred rows. */
function* replaceSteps(writer: RowsWriter, rows: readonly Value[][], had: Iterable<{ leaf: Leaf; start: number }>): Generator<void, void> {
  const { table } = writer;
  const wanted = new Map<string, Value[][]>();
  for (let i = 0; i < rows.length; i++) {
    const text = textOf(table, rows[i]);
    const list = wanted.get(text);
    if (list === undefined) wanted.set(text, [rows[i]]);
    else list.push(rows[i]);
    if (i % STEP === STEP - 1) yield;
  }
  const gone: Key[] = [];
  for (const { leaf, start } of had) {
    for (let i = start; i < leaf.count; i++) if (wanted.get(textOf(table, readRow(table, leaf, i)))?.pop() === undefined) gone.push(leaf.key(i));
    yield;
  }
  let step = 0;
  for (const key of gone) {
    writer.delete(key);
    if (++step % STEP === 0) yield;
  }
  for (const list of wanted.values()) {
    for (const row of list) writer.insert(row);
    if (++step % STEP === 0) yield;
  }
}

function textOf({ columns }: SqlTable, row: readonly Value[]): string {
  return JSON.stringify(row.map((value, i) => (value === null ? null : columns[i].type.format(value, STORED))));
}
