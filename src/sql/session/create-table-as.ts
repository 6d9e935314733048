/** CREATE TABLE AS and SELECT INTO: a table of the query's columns, then its rows. */
import { SvcError } from '../../base/errors/svc-error.ts';
import { isTemporarySchema } from '../../worlds/definition.ts';
import type { CreateTableAs } from '../ast/define.ts';
import { createTable } from '../schema/create-table.ts';
import type { SqlType } from '../types/type.ts';
import type { Value } from '../types/value.ts';
import { isOfAnotherState, valueRules } from '../types/value-rules.ts';
import { targetName } from './define-table.ts';
import { checkStorage, keepCollations, tableFacts } from './define-facts.ts';
import { define } from './define.ts';
import { sliced } from './large-commit.ts';
import { areTyped, type Parameters } from './parameters.ts';
import { isRows } from './prepare.ts';
import { executed } from './prepared-statement.ts';
import { done, type StatementResult } from './results.ts';
import { runInTurns, type Steps } from './plpgsql/steps.ts';
import { mustUseType } from './ownership.ts';
import type { SqlSession } from './sql-session.ts';

export async function createTableAs(session: SqlSession, statement: CreateTableAs, params: Parameters): Promise<StatementResult> {
  return runInTurns(session, createTableAsSteps(session, statement, params));
}

/** The same, in steps. */
export function* createTableAsSteps(session: SqlSession, statement: CreateTableAs, params: Parameters): Steps<StatementResult> {
  session.startStatement();
  session.writable('CREATE TABLE AS');
  const target = targetName(session, statement.name, statement.persistence === 'temporary');
  if (statement.onCommit !== 'none' && !isTemporarySchema(target.schema)) throw new SvcError('42P16', 'ON COMMIT can only be used on temporary tables');
  if (statement.ifNotExists && session.schema().relation(target.schema, target.name) !== null) {
    session.notice('42P07', `relation "${target.name}" already exists, skipping`);
    return done('CREATE TABLE AS', session.notices);
  }
  const source = yield* sourceOf(session, statement, params);
  const { columns } = source;
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
    collation: source.collations?.[i] ?? null,
  }));
  source.collations?.forEach((collation, i) => {
    if (collation !== '') return;
    throw new SvcError('42P22', `no collation was derived for column "${specs[i].name}" with collatable type ${specs[i].type.title}`, {
      hint: 'Use the COLLATE clause to set the collation explicitly.',
    });
  });
  for (const { type } of specs) mustUseType(session, type);
  let number: number | null = null;
  define(session, 'CREATE TABLE AS', (ddl) => {
    const options = checkStorage(statement, false);
    number = createTable(ddl, {
      ...target,
      ifNotExists: false,
      columns: specs,
      constraints: [],
      ...(statement.onCommit === 'deleteRows' ? { onCommit: 'delete rows' } : statement.onCommit === 'drop' ? { onCommit: 'drop' } : {}),
    });
    if (number === null) return;
    tableFacts(ddl, number, statement, options, []);
    keepCollations(ddl, number, source.collations);
  });
  const count = yield* fillTable(session, number!, source.run, columns);
  return { ...done(statement.withData || statement.body.type === 'execute' ? `SELECT ${count}` : 'CREATE TABLE AS'), notices: session.notices };
}

/** A query's columns, and its rows part by part. */
interface Source {
  readonly columns: StatementResult['columns'];
  readonly collations: readonly (string | null)[] | null;
  run(take: (rows: Value[][]) => void): Steps<unknown>;
}

function* sourceOf(session: SqlSession, { body, withData }: CreateTableAs, params: Parameters): Steps<Source> {
  if (body.type === 'execute') {
    const { known, prepared, values } = executed(session, body);
    if (prepared.writes !== null || !isRows(known.statement)) throw new SvcError('42809', 'prepared statement is not a SELECT');
    return {
      columns: prepared.columns,
      collations: prepared.collations,
      *run(take) {
        if (withData) yield* session.executeSteps(prepared, values, take);
      },
    };
  }
  if (!areTyped(params)) yield* session.planSteps(body, [], params.length === 0);
  const { prepared, values } = session.withParameters(body, params);
  return {
    columns: prepared.columns,
    collations: prepared.collations,
    *run(take) {
      if (withData) yield* session.executeSteps(prepared, values, take);
    },
  };
}

/** Writes the rows of a query into an empty table as they come, and yields between parts. Gives the number of rows. */
export function* fillTable(session: SqlSession, number: number, run: Source['run'], given: readonly { readonly type: SqlType }[] | null = null): Steps<number> {
  const transaction = session.begin();
  const writes = session.writesOver(transaction);
  const writer = writes.writer(session.schema().tables.get(number)!);
  const { env } = session;
  // Rows of another world or moment may have types that differ here.
  const taken = writer.table.columns.flatMap(({ type }, i) => {
    const from = given?.[i]?.type;
    return from === undefined || !isOfAnotherState(from, type) ? [] : [{ i, from, type }];
  });
  let count = 0;
  yield* run((rows) => {
    for (const row of rows) {
      for (const { i, from, type } of taken) {
        if (row[i] === null) valueRules(type)?.(null);
        else row[i] = type.parse(from.format(row[i], env), -1, env);
      }
      writer.insert(row);
    }
    count += rows.length;
  });
  session.finish(transaction, writes, yield* sliced(writes.finishSteps()));
  return count;
}
