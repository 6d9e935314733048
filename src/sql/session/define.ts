/** Statements that define objects: bound here, carried out by the schema layer. */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { CreateIndex } from '../ast/define.ts';
import type { Statement } from '../ast/statement.ts';
import { createIndex, type IndexSpec } from '../schema/create-index.ts';
import { createSequence } from '../schema/create-sequence.ts';
import { createTable } from '../schema/create-table.ts';
import { Ddl } from '../schema/ddl.ts';
import { compilerOf } from './compiler.ts';
import { expressionText, referencedName, tableSpec, targetName } from './define-table.ts';
import { done, type StatementResult } from './results.ts';
import { sequenceOptions } from './sequence-options.ts';
import type { SqlSession } from './sql-session.ts';

export async function runDefine(session: SqlSession, statement: Statement): Promise<StatementResult> {
  switch (statement.type) {
    case 'createTable':
      return define(session, 'CREATE TABLE', (ddl) => {
        createTable(ddl, tableSpec(session, statement));
      });
    case 'createIndex':
      return define(session, 'CREATE INDEX', (ddl) => {
        createIndex(ddl, indexSpec(session, statement));
      });
    case 'createSequence':
      return define(session, 'CREATE SEQUENCE', (ddl) => {
        createSequence(ddl, {
          ...targetName(session, statement.name),
          ifNotExists: statement.ifNotExists,
          options: sequenceOptions(session, statement.options),
        });
      });
    default:
      throw new SvcError('0A000', `${commandOf(statement.type)} is not supported`, { position: statement.at + 1 });
  }
}

export function commandOf(type: string): string {
  return type.replace(/[A-Z]/g, (letter) => ` ${letter}`).toUpperCase();
}

/** Runs steps of definition over the transaction's state and puts what they change into it. */
export function define(session: SqlSession, command: string, run: (ddl: Ddl) => void): StatementResult {
  const transaction = session.startStatement();
  session.writable(command);
  const { context } = session.host;
  const ddl = new Ddl({
    pager: context.engine.pager,
    objects: context.objects,
    lookup: session.host.lookup,
    compiler: compilerOf(session),
    root: transaction.seal(),
  });
  run(ddl);
  transaction.write(ddl.finish());
  return done(command, [...session.notices, ...ddl.notices]);
}

function indexSpec(session: SqlSession, statement: CreateIndex): IndexSpec {
  const { schema, name } = referencedName(session, statement.table);
  const found = session.schema().relation(schema, name);
  if (found === null) throw new SvcError('42P01', `relation "${statement.table.name}" does not exist`, { position: statement.table.at + 1 });
  if (found.kind !== 'table') throw new SvcError('42809', `"${name}" is not a table`, { position: statement.table.at + 1 });
  const { table } = found;
  if (!['btree', 'hash'].includes(statement.method)) {
    throw new SvcError(
      ['gin', 'gist', 'brin', 'spgist'].includes(statement.method) ? '0A000' : '42704',
      `access method "${statement.method}" is not supported`,
      {
        hint: 'Indexes are ordered trees (btree).',
      },
    );
  }
  return {
    table: table.number,
    name: statement.name,
    ifNotExists: statement.ifNotExists,
    unique: statement.unique,
    nullsNotDistinct: statement.nullsNotDistinct,
    columns: statement.elements.map(({ column, value, direction, nulls }) => {
      const descending = direction === 'desc';
      const nullsFirst = nulls === 'default' ? descending : nulls === 'first';
      if (value === null) return { column, expression: null, descending, nullsFirst };
      const { text, type, typmod } = expressionText(session, value, table.columns, null, 'index expressions', table.name);
      return { column: null, expression: { sql: text, type, typmod }, descending, nullsFirst };
    }),
    include: statement.include.map(({ column }) => column!),
    where: statement.where === null ? null : expressionText(session, statement.where, table.columns, 'boolean', 'index predicates', table.name).text,
  };
}
