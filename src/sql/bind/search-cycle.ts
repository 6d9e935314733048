/**
 * SEARCH and CYCLE of WITH RECURSIVE, rewritten as in Postgres's manual (section 7.8.2): the query gets columns with the path to
 * each row, and the step skips rows that close a cycle.
 */
import type { Expression } from '../ast/expression.ts';
import { plainSelect } from '../ast/plain-select.ts';
import type { CommonTable, FromItem, Query, Select, SelectItem, SetOperation } from '../ast/query.ts';
import type { TypeName } from '../ast/type-name.ts';
import { fail, failNowhere } from './binder.ts';

const START = '*TLOCRN*';
const STEP = '*TROCRN*';

/** The same table without the clauses; `columns` are the query's own column names. */
export function withoutSearchAndCycle(table: CommonTable, body: SetOperation, columns: readonly string[]): CommonTable {
  const { search, cycle, at } = table;
  if (search === null && cycle === null) return table;
  const step = body.inputs[body.inputs.length - 1];
  if (body.inputs[0].type === 'setOperation' || body.inputs.length !== 2)
    failNowhere('0A000', 'with a SEARCH or CYCLE clause, the left side of the UNION must be a SELECT');
  if (step.type !== 'select') failNowhere('0A000', 'with a SEARCH or CYCLE clause, the right side of the UNION must be a SELECT');
  check(table, columns);
  const alias = aliasIn(step.from, table.name);
  if (alias === null) {
    failNowhere(
      '0A000',
      `with a SEARCH or CYCLE clause, the recursive reference to WITH query "${table.name}" must be at the top level of its right-hand SELECT`,
    );
  }
  const first: SelectItem[] = [star(START, at)];
  const next: SelectItem[] = columns.map((name) => item(name, column([STEP, name], at), at));
  const carried: string[] = [];
  if (search !== null) {
    const { sequenceColumn: name } = search;
    carried.push(name);
    const key = (from: string): Expression[] => search.columns.map((each) => column([from, each], at));
    if (search.breadthFirst) {
      const depth: Expression = { type: 'cast', arg: { type: 'integer', value: 0, at }, to: bigint(at), at };
      const deeper = plus({ type: 'field', arg: column([STEP, name], at), name: 'f1', at }, { type: 'integer', value: 1, at }, '+');
      first.push(item(name, row([depth, ...key(START)], at), at));
      next.push(item(name, row([deeper, ...key(STEP)], at), at));
    } else {
      first.push(item(name, { type: 'array', elements: [row(key(START), at)], at }, at));
      next.push(item(name, plus(column([STEP, name], at), { type: 'array', elements: [row(key(STEP), at)], at }, '||'), at));
    }
  }
  let where: Expression | null = null;
  if (cycle !== null) {
    const { markColumn: mark, pathColumn: path, markValue, markDefault } = cycle;
    carried.push(mark, path);
    const key = (from: string): Expression =>
      row(
        cycle.columns.map((each) => column([from, each], at)),
        at,
      );
    first.push(item(mark, markDefault, at), item(path, { type: 'array', elements: [key(START)], at }, at));
    const seen: Expression = {
      type: 'quantifiedArray',
      left: key(STEP),
      operator: { schema: null, name: '=' },
      quantifier: 'any',
      right: column([STEP, path], at),
      at,
    };
    next.push(item(mark, { type: 'case', arg: null, branches: [{ when: seen, then: markValue, at }], otherwise: markDefault, at }, at));
    next.push(item(path, plus(column([STEP, path], at), { type: 'array', elements: [key(STEP)], at }, '||'), at));
    where = { type: 'operator', operator: { schema: null, name: '<>' }, left: column([STEP, mark], at), right: markValue, at };
  }
  const inner: Select = { ...step, items: [...step.items, ...carried.map((name) => item(name, column([alias, name], at), at))] };
  const named = (name: string, query: Query, names: readonly string[]): FromItem => ({
    type: 'derived',
    query,
    alias: { name, columns: [...names] },
    lateral: false,
    at,
  });
  const start = plainSelect(first, [named(START, body.inputs[0], columns)], null, at);
  const again = plainSelect(next, [named(STEP, inner, [...columns, ...carried])], where, at);
  return { ...table, columns: [...columns, ...carried], carried: carried.length, search: null, cycle: null, body: { ...body, inputs: [start, again] } };
}

function check({ search, cycle, name }: CommonTable, columns: readonly string[]): void {
  const known = (list: readonly string[], clause: string, at: number): void => {
    list.forEach((each, i) => {
      if (!columns.includes(each)) fail('42601', `${clause} column "${each}" not in WITH query column list`, at);
      if (list.indexOf(each) !== i) fail('42701', `${clause} column "${each}" specified more than once`, at);
    });
  };
  const fresh = (each: string, what: string, at: number): void => {
    if (columns.includes(each)) fail('42601', `${what} name "${each}" already used in WITH query column list`, at);
  };
  if (search !== null) {
    known(search.columns, 'search', search.at);
    fresh(search.sequenceColumn, 'search sequence column', search.at);
  }
  if (cycle !== null) {
    known(cycle.columns, 'cycle', cycle.at);
    fresh(cycle.markColumn, 'cycle mark column', cycle.at);
    fresh(cycle.pathColumn, 'cycle path column', cycle.at);
    if (cycle.markColumn === cycle.pathColumn) fail('42601', 'cycle mark column name and cycle path column name are the same', cycle.at);
    if (search !== null && search.sequenceColumn === cycle.markColumn)
      fail('42601', 'search sequence column name and cycle mark column name are the same', search.at);
    if (search !== null && search.sequenceColumn === cycle.pathColumn)
      fail('42601', 'search sequence column name and cycle path column name are the same', search.at);
  }
  if (name === START || name === STEP) fail('42601', `"${name}" cannot name a query here`, 0);
}

/** The alias of the table in FROM. */
function aliasIn(items: readonly FromItem[], name: string): string | null {
  for (const each of items) {
    if (each.type === 'table' && each.name.schema === null && each.name.name === name) return each.alias?.name ?? name;
    if (each.type === 'join') {
      const found = aliasIn([each.left, each.right], name);
      if (found !== null) return found;
    }
  }
  return null;
}

function column(parts: string[], at: number): Expression {
  return { type: 'column', parts, star: false, at };
}

function star(relation: string, at: number): SelectItem {
  return { value: { type: 'column', parts: [relation], star: true, at }, alias: null, at };
}

function item(alias: string, value: Expression, at: number): SelectItem {
  return { value, alias, at };
}

function row(fields: Expression[], at: number): Expression {
  return { type: 'row', fields, explicit: true, at };
}

function plus(left: Expression, right: Expression, name: string): Expression {
  return { type: 'operator', operator: { schema: null, name }, left, right, at: right.at };
}

function bigint(at: number): TypeName {
  return { schema: 'pg_catalog', name: 'int8', typmods: [], arrayBounds: [], setOf: false, columnOf: null, at };
}
