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
  const { body } = statement;
  const target = targetName(session, statement.name, statement.persistence === 'temporary');
  if (statement.ifNotExists && session.schema().relation(target.schema, target.name) !== null) {
    session.notice('42P07', `relation "${target.name}" already exists, skipping`);
    return done('CREATE TABLE AS', session.notices);
  }
  const rows: Value[][] = [];
  let columns: StatementResult['columns'];
  if (body.type === 'execute') {
    const result = await executePrepared(session, body);
    columns = result.columns;
    rows.push(...(result.rows as Value[][]));
  } else {
    const { prepared, values } = session.withParameters(body, params);
    columns = prepared.columns;
    if (statement.withData) {
      await session.execute(prepared, values, (more) => {
        for (const row of more) rows.push(row);
      });
    }
  }
  if (columns === null) throw new SvcError('42601', 'the statement gives no rows', { position: statement.at + 1 });
  if (statement.columns.length > columns.length) throw new SvcError('42601', 'too many column names were specified');
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
  const transaction = session.begin();
  const writes = session.writesOver(transaction);
  const writer = writes.writer(session.schema().tables.get(number!)!);
  for (const row of rows) writer.insert(row);
  session.finish(transaction, writes);
  return { ...done(statement.withData ? `SELECT ${rows.length}` : 'CREATE TABLE AS'), notices: session.notices };
}
