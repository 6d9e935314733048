/** OPEN, FETCH and CLOSE. A cursor variable holds the name of a cursor of the session, which clients may fetch from, too. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import type { Fetch } from '../../ast/session.ts';
import type { Direction, Fragment, Statement, Target } from '../../plpgsql/syntax.ts';
import type { SqlType } from '../../types/type.ts';
import type { Value } from '../../types/value.ts';
import { cursorRows } from '../cursors.ts';
import type { ResultColumn } from '../results.ts';
import { converted, placeOf } from './assign.ts';
import type { Interpreter } from './run.ts';
import { type Rows, runFragment, runText } from './queries.ts';
import { Scope, type Variable } from './scope.ts';
import type { Steps } from './steps.ts';

type Open = Omit<Statement & { kind: 'open' }, 'kind' | 'line'>;

let portals = 0;

export function* openPortal(at: Interpreter, s: Open): Steps<void> {
  const { session, scope } = at;
  const { variable } = placeOf(scope, s.cursor);
  if (variable.value !== null && session.cursors.has(variable.value as string)) {
    throw new SvcError('42P03', `cursor "${variable.value as string}" already in use`);
  }
  const rows = yield* opened(at, variable, s);
  // A bound cursor is known by its variable's name, any other by one of its own.
  const name = (variable.value as string | null) ?? (variable.cursor === null ? `<unnamed portal ${++portals}>` : variable.name);
  if (session.cursors.has(name)) throw new SvcError('42P03', `cursor "${name}" already in use`);
  const transaction = session.begin();
  session.cursors.set(name, {
    columns: rows.columns ?? [],
    rows: rows.rows,
    backward: s.scroll !== false && variable.cursor?.scroll !== false,
    hold: false,
    transaction,
    depth: transaction.savepoints.length,
    position: 0,
  });
  if (variable.value === null) variable.set(name);
}

function* opened(at: Interpreter, variable: Variable, s: Open): Steps<Rows> {
  if (s.query !== null) return yield* runFragment(at, s.query);
  if (s.execute !== null) {
    const types: SqlType[] = [];
    const values: Value[] = [];
    const text = yield* at.text(s.execute);
    for (const each of s.using) {
      const { value, type } = yield* at.value(each);
      types.push(type.name === 'unknown' ? at.session.host.registry.type('text') : type);
      values.push(value);
    }
    return yield* runText(at.session, text, types, values);
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
    return yield* runFragment(at, cursor.query);
  } finally {
    at.scope = outer;
  }
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
  const statement: Fetch = { type: 'fetch', cursor: name, direction, count: number, at: 0 };
  return { columns: cursor.columns, rows: cursorRows(cursor, statement) };
}

export function closePortal(at: Interpreter, target: Target): void {
  const { variable } = placeOf(at.scope, target);
  const name = variable.value as string | null;
  if (name === null) throw new SvcError('22004', `cursor variable "${variable.name}" is null`);
  if (!at.session.cursors.delete(name)) throw new SvcError('34000', `cursor "${name}" does not exist`);
  // A bound cursor can be opened again.
  if (variable.cursor !== null) variable.set(null);
}
