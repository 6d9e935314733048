/** CREATE STATISTICS and ALTER STATISTICS … SET STATISTICS. Catalog-only: the planner does not use them. Manual, CREATE STATISTICS. */
import { SvcError } from '../../base/errors/svc-error.ts';
import { SYSTEM_COLUMNS } from '../bind/system-columns.ts';
import { statisticsTarget } from './define-facts.ts';
import type { ExtendedStatisticsObject } from '../../worlds/definition.ts';
import type { AlterStatistics, CreateStatistics } from '../ast/define.ts';
import { chooseName } from '../schema/implicit-name.ts';
import { schemaMustExist } from '../schema/object-errors.ts';
import { findNamedObject, namedObject, takenName } from './create-collation.ts';
import { expressionText, targetName } from './define-table.ts';
import { define, relationNamed } from './define.ts';
import { mustCreateIn, mustOwnTable } from './ownership.ts';
import { done, type StatementResult } from './results.ts';
import type { SqlSession } from './sql-session.ts';

const KINDS: Readonly<Record<string, string>> = { ndistinct: 'd', dependencies: 'f', mcv: 'm' };
const COLUMNS_MAX = 8;

export function runCreateStatistics(session: SqlSession, statement: CreateStatistics): StatementResult {
  session.startStatement();
  const found = relationNamed(session, statement.table);
  if (found.kind !== 'table') {
    throw new SvcError('42809', `cannot define statistics for relation "${statement.table.name}"`, {
      detail: `This operation is not supported for ${found.kind === 'index' ? 'indexes' : `${found.kind}s`}.`,
    });
  }
  const { table } = found;
  mustOwnTable(session, table);
  const kinds = kindsOf(statement);
  if (statement.columns.length + statement.expressions.length > COLUMNS_MAX)
    throw new SvcError('54011', `cannot have more than ${COLUMNS_MAX} columns in statistics`);
  const columns = statement.columns.map((name) => {
    const column = table.columns.find((each) => each.name === name);
    if (column === undefined && SYSTEM_COLUMNS.has(name)) throw new SvcError('0A000', 'statistics creation on system columns is not supported');
    if (column === undefined) throw new SvcError('42703', `column "${name}" does not exist`);
    if (!column.type.ordered)
      throw new SvcError('0A000', `column "${name}" cannot be used in statistics because its type ${column.type.title} has no default btree operator class`);
    return column;
  });
  if (new Set(columns).size < columns.length) throw new SvcError('42701', 'duplicate column name in statistics definition');
  const expressions = statement.expressions.map(
    (expression) => expressionText(session, expression, table.columns, null, 'statistics expressions', table.name).text,
  );
  if (new Set(expressions).size < expressions.length) throw new SvcError('42701', 'duplicate expression in statistics definition');
  if (columns.length < 2 && expressions.length === 0) throw new SvcError('42P17', 'extended statistics require at least 2 columns');
  if (columns.length === 0 && expressions.length === 1 && statement.kinds.length > 0)
    throw new SvcError('0A000', 'when building statistics on a single expression, statistics kinds may not be specified');
  const written = statement.name;
  const given = written === null ? null : written[written.length - 1];
  const { schema } =
    given === null
      ? { schema: table.schema }
      : targetName(session, { catalog: null, schema: written!.length > 1 ? written![written!.length - 2] : null, name: given, at: statement.at });
  mustCreateIn(session, schema);
  const addition = [...statement.columns, ...expressions.map((_, i) => (i === 0 ? 'expr' : `expr${i}`))].join('_');
  const name = given ?? chooseName(table.name, addition, 'stat', (each) => takenName(session, 'statistics', schema, each));
  return define(session, 'CREATE STATISTICS', (ddl) => {
    schemaMustExist(ddl.schema, schema);
    if (takenName(session, 'statistics', schema, name)) {
      if (!statement.ifNotExists) throw new SvcError('42710', `statistics object "${name}" already exists`);
      return ddl.notice('42710', `statistics object "${name}" already exists, skipping`);
    }
    const object: ExtendedStatisticsObject = {
      what: 'extended statistics',
      number: 0,
      table: table.number,
      schema,
      name,
      kinds: columns.length === 0 && expressions.length === 1 ? 'e' : kinds + (expressions.length > 0 ? 'e' : ''),
      columns: [...columns].sort((a, b) => a.attnum - b.attnum).map(({ number }) => number),
      expressions,
      target: -1,
    };
    object.number = ddl.numberFor(object);
    ddl.put(object);
  });
}

/** All kinds if none is named. */
function kindsOf({ kinds }: CreateStatistics): string {
  for (const each of kinds) if (KINDS[each] === undefined) throw new SvcError('42601', `unrecognized statistics kind "${each}"`);
  return Object.keys(KINDS)
    .filter((each) => kinds.length === 0 || kinds.includes(each))
    .map((each) => KINDS[each])
    .join('');
}

export function runAlterStatistics(session: SqlSession, { name, ifExists, target }: AlterStatistics): StatementResult {
  session.startStatement();
  if (ifExists && findNamedObject(session, 'statistics', name) === null) {
    session.notice('00000', `statistics object "${name.join('.')}" does not exist, skipping`);
    return done('ALTER STATISTICS', session.notices);
  }
  const own = statisticsTarget(target, (...args) => session.notice(...args));
  return define(session, 'ALTER STATISTICS', (ddl) => {
    const found = namedObject(session, 'statistics', { name: [...name] });
    ddl.put({ ...(found as ExtendedStatisticsObject), target: own });
  });
}
