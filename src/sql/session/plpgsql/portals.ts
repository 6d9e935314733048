/** OPEN, FETCH and CLOSE. A cursor variable holds the name of a cursor of the session, from which clients may fetch, too. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import { identity } from '../../bind/current-of.ts';
import type { Direction, Fragment, Statement, Target } from '../../plpgsql/syntax.ts';
import type { SqlType } from '../../types/type.ts';
import type { Value } from '../../types/value.ts';
import { inFrame, TextFrame } from '../call-frames.ts';
import { type Cursor, cursorRows, dropCursor, identified, masksFor } from '../cursors.ts';
import { isQuery, isRows, type Prepared } from '../prepare.ts';
import type { ResultColumn } from '../results.ts';
import { RowStream } from '../row-stream.ts';
import type { SqlSession } from '../sql-session.ts';
import { converted, placeOf } from './assign.ts';
import { dynamicStatements, dynamicText, NO_NAMES } from './dynamic-text.ts';
import { readyFragment } from './fragment.ts';
import { Loop } from './loop.ts';
import { runFragment, runPrepared, runText } from './queries.ts';
import type { Interpreter } from './run.ts';
import { Scope, type Variable } from './scope.ts';
import type { Steps } from './steps.ts';

type Open = Omit<Statement & { kind: 'open' }, 'kind' | 'line'>;

export function* openPortal(at: Interpreter, s: Open): Steps<void> {
  const { session, scope } = at;
  const { variable } = placeOf(scope, s.cursor);
  if (variable.value !== null && session.cursors.has(variable.value as string)) {
    throw new SvcError('42P03', `cursor "${variable.value as string}" already in use`);
  }
  const made = yield* opened(at, variable, s);
  const name = (variable.value as string | null) ?? `<unnamed portal ${++session.unnamedPortals}>`;
  if (session.cursors.has(name)) throw new SvcError('42P03', `cursor "${name}" already in use`);
  const transaction = session.begin();
  session.cursors.set(name, {
    ...made,
    from: 0,
    scroll: s.scroll ?? variable.cursor?.scroll ?? null,
    hold: false,
    transaction,
    depth: transaction.savepoints.length,
    position: 0,
    binary: false,
    at: session.env.statementStart,
    pinned: false,
  });
  if (variable.value === null) variable.set(name);
}

type Opened = Pick<Cursor, 'columns' | 'rows' | 'source' | 'statement' | 'identity' | 'masks'>;

function* opened(at: Interpreter, variable: Variable, s: Open): Steps<Opened> {
  if (s.query !== null) return yield* fragmentOpened(at, s.query);
  if (s.execute !== null) {
    const { text, types, values } = yield* at.dynamicText(s.execute, s.using);
    return yield* textOpened(at.session, text, types, values);
  }
  const { cursor } = variable;
  if (cursor === null) throw new SvcError('42601', `cursor "${variable.name}" has no query: OPEN … FOR says it`);
  const given = argumentsOf(s.args);
  if (given.length !== cursor.args.length) {
    throw new SvcError('42601', `${given.length < cursor.args.length ? 'not enough' : 'too many'} arguments for cursor "${variable.name}"`);
  }
  const inner = new Scope(at.scope, null);
  for (const [i, { name, text }] of given.entries()) {
    const arg = name === null ? cursor.args[i] : cursor.args.find((each) => each.name === name);
    if (arg === undefined) throw new SvcError('42601', `cursor "${variable.name}" has no argument named "${name}"`);
    const found = yield* at.value(text);
    inner.declare({ name: arg.name, type: arg.type, typmod: arg.typmod, value: converted(at.session, found.value, found.type, arg.type, arg.typmod) });
  }
  const outer = at.scope;
  at.scope = inner;
  try {
    return yield* fragmentOpened(at, cursor.query);
  } finally {
    at.scope = outer;
  }
}

function* fragmentOpened(at: Interpreter, fragment: Fragment): Steps<Opened> {
  const { ready, values } = readyFragment(at, fragment, 'cursor');
  if (ready.kind === 'query') return yield* preparedOpened(at.session, ready.prepared, values, fragment.text, ready.table ?? null);
  const { columns, rows } = yield* runFragment(at, fragment);
  return { columns: columns ?? [], rows: [...rows], source: null, statement: fragment.text };
}

function* textOpened(session: SqlSession, text: string | null, types: readonly SqlType[], values: readonly Value[]): Steps<Opened> {
  if (text === null) throw new SvcError('22004', 'query string argument of EXECUTE is null');
  const frame = new TextFrame('SQL statement', text);
  const prepared = inFrame(session, frame, () => {
    const statements = dynamicStatements(session, text);
    if (statements.length !== 1) throw new SvcError('42P11', 'cannot open multi-query plan as cursor');
    const [statement] = statements;
    if (!isQuery(statement)) return null;
    const query = isRows(statement) ? identified(session, statement, (query) => void session.prepareIn(query, types, NO_NAMES)) : null;
    return { prepared: session.prepareIn(query?.query ?? statement, types, NO_NAMES), table: query?.table ?? null };
  });
  if (prepared !== null) return yield* preparedOpened(session, prepared.prepared, values, text, prepared.table);
  const { columns, rows } = yield* runText(session, text, types, values);
  if (columns === null) throw new SvcError('42P11', 'cannot open query as cursor');
  return { columns, rows: [...rows], source: null, statement: text };
}

function* preparedOpened(session: SqlSession, prepared: Prepared, values: readonly Value[], statement: string, table: number | null): Steps<Opened> {
  if (prepared.writes !== null && prepared.columns.length === 0) throw new SvcError('42P11', `cannot open ${prepared.writes} query as cursor`);
  const width = table === null ? 0 : identity(session.schema().tables.get(table)!).length;
  const columns = width === 0 ? prepared.columns : prepared.columns.slice(0, -width);
  const common = { columns, statement, ...(table === null ? {} : { identity: table }), ...masksFor(session) };
  if (!RowStream.takes(prepared)) {
    const { rows } = yield* runPrepared(session, prepared, values);
    return { ...common, rows: [...rows], source: null };
  }
  return { ...common, rows: [], source: inFrame(session, new TextFrame('SQL statement', statement), () => new RowStream(session, prepared, values)) };
}

/** FOR … IN EXECUTE. */
export function* loopOverText(session: SqlSession, text: string | null, types: readonly SqlType[], values: readonly Value[]): Steps<Loop> {
  if (text === null) throw new SvcError('22004', 'query string argument of EXECUTE is null');
  const { query } = inFrame(session, new TextFrame('SQL statement', text), () => dynamicText(session, text, types, values));
  if (query !== null) return yield* Loop.over(session, query.prepared, query.values, text);
  return Loop.of(yield* runText(session, text, types, values));
}

const split = new WeakMap<Fragment, { name: string | null; text: Fragment }[]>();

/** `(1, k := 2)`. */
function argumentsOf(args: Fragment | null): { name: string | null; text: Fragment }[] {
  if (args === null) return [];
  let known = split.get(args);
  if (known !== undefined) return known;
  const inside = args.text.trim().slice(1, -1);
  known = [];
  let depth = 0;
  let from = 0;
  let quote = false;
  const add = (to: number): void => {
    const text = inside.slice(from, to).trim();
    if (text === '') return;
    const named = /^([a-z_]\w*)\s*(?::=|=>)\s*(.*)$/is.exec(text);
    known!.push(named === null ? { name: null, text: { text, at: args.at } } : { name: named[1].toLowerCase(), text: { text: named[2], at: args.at } });
  };
  for (let i = 0; i < inside.length; i++) {
    const letter = inside[i];
    if (letter === "'") quote = !quote;
    if (quote) continue;
    if (letter === '(' || letter === '[') depth++;
    else if (letter === ')' || letter === ']') depth--;
    else if (letter === ',' && depth === 0) {
      add(i);
      from = i + 1;
    }
  }
  add(inside.length);
  split.set(args, known);
  return known;
}

export function* fetchPortal(
  at: Interpreter,
  target: Target,
  { direction, count }: Direction,
): Steps<{ columns: readonly ResultColumn[]; rows: readonly (readonly Value[])[] }> {
  const { session, scope } = at;
  const { variable } = placeOf(scope, target);
  const name = variable.value as string | null;
  if (name === null) throw new SvcError('22004', `cursor variable "${variable.name}" is null`);
  const cursor = session.cursors.get(name);
  if (cursor === undefined) throw new SvcError('34000', `cursor "${name}" does not exist`);
  let number: number | null;
  if (count === null || typeof count === 'number') number = count;
  else {
    const { value } = yield* at.value(count, { type: session.host.registry.type('int4'), typmod: -1 });
    if (value === null) throw new SvcError('22004', 'relative or absolute cursor position is null');
    number = value as number;
  }
  return { columns: cursor.columns, rows: yield* cursorRows(cursor, { direction, count: number }) };
}

export function closePortal(at: Interpreter, target: Target): void {
  const { variable } = placeOf(at.scope, target);
  const name = variable.value as string | null;
  if (name === null) throw new SvcError('22004', `cursor variable "${variable.name}" is null`);
  if (!dropCursor(at.session.cursors, name)) throw new SvcError('34000', `cursor "${name}" does not exist`);
}
