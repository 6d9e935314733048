/** CREATE TABLE AS and SELECT INTO: a table of the query's columns, then its rows. */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { CreateTableAs } from '../ast/define.ts';
import { createTable } from '../schema/create-table.ts';
import type { Value } from '../types/value.ts';
import { targetName } from './define-table.ts';
import { define } from './define.ts';
import type { Parameters } from './parameters.ts';
import { executePrepared } from './prepared-statement.ts';
import { done, type StatementResult } from './results.ts';
import type { SqlSession } from './sql-session.ts';

export async function createTableAs(session: SqlSession, statement: CreateTableAs, params: Parameters): Promise<StatementResult> {
  session.startStatement();
  session.writable('CREATE TABLE AS');
  const target = targetName(session, statement.name, statement.persistence === 'temporary');
  if (statement.ifNotExists && session.schema().relation(target.schema, target.name) !== null) {
    session.notice('42P07', `relation "${target.name}" already exists, skipping`);
    return done('CREATE TABLE AS', session.notices);
  }
  const source = await sourceOf(session, statement, params);
  const { columns } = source;
  if (columns === null) throw new SvcError('42601', 'the statement gives no rows', { position: statement.at + 1 });
  if (statement.columns.length > columns.length) throw new SvcError('42601', 'too many column names were specified', { position: statement.at + 1 });
  const specs = columns.map(({ name, type, typmod }, i) => ({
    name: statement.columns[i] ?? name,
    type,
    typmod,
    notNull: false,
    default: null,
    generated: null,
    identity: null,
    serial: false,
  }));
  let number: number | null = null;
  define(session, 'CREATE TABLE AS', (ddl) => {
    number = createTable(ddl, {
      ...target,
      ifNotExists: false,
      columns: specs,
      constraints: [],
      ...(statement.onCommit === 'deleteRows' ? { onCommit: 'delete rows' } : statement.onCommit === 'drop' ? { onCommit: 'drop' } : {}),
    });
  });
  const count = await fillTable(session, number!, source.run);
  return { ...done(statement.withData ? `SELECT ${count}` : 'CREATE TABLE AS'), notices: session.notices };
}

/** What a query gives: its columns at once, its rows to whoever takes them, part by part. */
interface Source {
  readonly columns: StatementResult['columns'];
  run(take: (rows: readonly Value[][]) => void): Promise<unknown>;
}

async function sourceOf(session: SqlSession, { body, withData }: CreateTableAs, params: Parameters): Promise<Source> {
  if (body.type === 'execute') {
    const { columns, rows } = await executePrepared(session, body);
    return { columns, run: async (take) => take(rows as Value[][]) };
  }
  const { prepared, values } = session.withParameters(body, params);
  return { columns: prepared.columns, run: async (take) => withData && session.execute(prepared, values, take) };
}

/** Puts the rows of a query into a table that has none, as they come; others are let in meanwhile. Gives how many there were. */
export async function fillTable(session: SqlSession, number: number, run: Source['run']): Promise<number> {
  const transaction = session.begin();
  const writes = session.writesOver(transaction);
  const writer = writes.writer(session.schema().tables.get(number)!);
  let count = 0;
  await run((rows) => {
    for (const row of rows) writer.insert(row);
    count += rows.length;
  });
  await session.finishGiven(transaction, writes);
  return count;
}
