/**
 * Runs a function in PL/pgSQL: block by block, statement by statement, over the session's transaction. Each statement of
 * SQL sees what those before it have changed. A block with EXCEPTION is a savepoint of its own. Manual, 43.5 to 43.9.
 */
import { SvcError } from '../../../base/errors/svc-error.ts';
import type { SqlState } from '../../../base/errors/sqlstate.ts';
import { YIELD } from '../../exec/batch.ts';
import { takes } from '../../plpgsql/conditions.ts';
import type { Block, Fragment, Into, Routine, Statement, Target } from '../../plpgsql/syntax.ts';
import { ArrayValue } from '../../types/array-value.ts';
import type { SqlType } from '../../types/type.ts';
import type { Value } from '../../types/value.ts';
import { type CallFrame, contextLines, located } from '../call-frames.ts';
import { cursorRows, dropCursor, rollbackCursors } from '../cursors.ts';
import type { Prepared } from '../prepare.ts';
import type { ResultColumn } from '../results.ts';
import type { SqlSession } from '../sql-session.ts';
import { assignColumns, assignValue, converted, placeOf } from './assign.ts';
import { callInside } from './call-inside.ts';
import { endTransaction } from './end-transaction.ts';
import { Loop } from './loop.ts';
import { closePortal, fetchPortal, loopOverText, openPortal } from './portals.ts';
import { type Assigned, compute, expressionFrame, inFrame, readyFragment, type Surroundings } from './fragment.ts';
import { declaredType } from './declared-type.ts';
import { type Rows, runFragment, runPrepared, runText } from './queries.ts';
import { raised, raiseNotice } from './raise.ts';
import { Scope } from './scope.ts';
import { titleOf } from './statement-title.ts';
import type { Steps } from './steps.ts';

/** How a statement ends: on with the next, out of a loop, its next turn, or out of the function. */
type Signal = 'on' | 'exit' | 'continue' | 'return';

/** Turns of loops without a look at the clock. */
const TURNS = 256;

export interface Returned {
  readonly value: Value;
  readonly type: SqlType;
}

/** Rows that a set-returning function has gathered. */
export interface Gathered {
  readonly columns: readonly ResultColumn[] | null;
  readonly values: readonly Value[];
  readonly type: SqlType | null;
}

export interface RunParts {
  readonly session: SqlSession;
  readonly name: string;
  /** Of the function; null: DO. */
  readonly number?: number;
  readonly routine: Routine;
  /** Arguments, FOUND and what else is there before the first block. */
  readonly scope: Scope;
  /** What RETURN NEXT without a value gives: the OUT columns as they are. */
  readonly out: () => { columns: readonly ResultColumn[]; values: readonly Value[] };
  /** It may not end its transaction. */
  readonly atomic?: boolean;
}

export class Interpreter implements Surroundings, CallFrame {
  readonly session: SqlSession;
  readonly name: string;
  readonly conflict: NonNullable<Routine['conflict']>;
  readonly atomic: boolean;
  scope: Scope;
  readonly gathered: Gathered[] = [];
  returned: Returned | null = null;
  readonly #routine: Routine;
  readonly #number: number | null;
  readonly #out: RunParts['out'];
  #rowCount = 0;
  /** The statement that runs, and what else there is to say of the moment. */
  #at: Statement | null = null;
  during: string | null = null;
  #duringLine = 0;
  readonly sql = null;
  readonly shift = 0;
  #label: string | null = null;
  /** The error that a handler is at. */
  #error: SvcError | null = null;
  #turns = 0;
  #until = performance.now() + 5;
  readonly #bool: SqlType;

  constructor({ session, name, number, routine, scope, out, atomic }: RunParts) {
    this.atomic = atomic ?? true;
    this.session = session;
    this.name = name;
    this.#number = number ?? null;
    this.conflict = routine.conflict ?? CONFLICTS[session.settings.get('plpgsql.variable_conflict')!];
    this.scope = scope;
    this.#routine = routine;
    this.#out = out;
    this.#bool = session.host.registry.type('bool');
  }

  line(): string {
    const where = `PL/pgSQL function ${this.signature}`;
    if (this.during !== null) return this.#duringLine === 0 ? `${where} ${this.during}` : `${where} line ${this.#duringLine} ${this.during}`;
    return this.#at === null ? where : `${where} line ${this.#at.line} at ${titleOf(this.#at)}`;
  }

  get signature(): string {
    return this.#number === null ? this.name : (this.session.catalogNames().procedureName(this.#number) ?? this.name);
  }

  /** To the RETURN, or to the end: false. */
  *run(): Steps<boolean> {
    const { frames } = this.session;
    frames.push(this);
    try {
      const ended = yield* this.#all();
      this.#at = null;
      return ended;
    } catch (error) {
      throw located(frames, error);
    } finally {
      frames.pop();
    }
  }

  *#all(): Steps<boolean> {
    this.#at = this.#routine.block;
    const signal = yield* this.#block(this.#routine.block);
    if (signal === 'exit')
      throw new SvcError(
        '42601',
        this.#label === null
          ? 'EXIT cannot be used outside a loop, unless it has a label'
          : `there is no label "${this.#label}" attached to any block or loop enclosing this statement`,
      );
    if (signal === 'continue') throw new SvcError('42601', 'CONTINUE cannot be used outside a loop');
    return signal === 'return';
  }

  // --- blocks

  *#block(block: Block): Steps<Signal> {
    const outer = this.scope;
    this.scope = new Scope(outer, block.label);
    try {
      yield* this.#declare(block);
      const signal = block.handlers.length === 0 ? yield* this.#statements(block.body) : yield* this.#guarded(block);
      return this.#leaves(signal, block.label) ? 'on' : signal;
    } finally {
      this.scope = outer;
    }
  }

  /** EXIT with the block's own label ends here. */
  #leaves(signal: Signal, label: string | null): boolean {
    if (signal !== 'exit' || label === null || this.#label !== label) return false;
    this.#label = null;
    return true;
  }

  *#declare({ declarations }: Block): Steps<void> {
    const { session, scope } = this;
    if (declarations.length === 0) return;
    this.during = 'during statement block local variable initialization';
    for (const each of declarations) {
      this.#duringLine = each.line;
      if (each.kind === 'alias') {
        const { variable } = placeOf(scope, { parts: each.of, path: null, at: 0 });
        scope.names.set(each.name, variable);
        continue;
      }
      if (each.kind === 'cursor') {
        // A bound cursor has the name of its variable.
        const variable = scope.declare({ name: each.name, type: session.host.registry.type('refcursor'), value: each.name });
        const args = each.args.map(({ name, type }) => ({ name, ...declaredType(this, type) }));
        variable.cursor = { query: each.query, args, scroll: each.scroll };
        continue;
      }
      const { type, typmod } = declaredType(this, each.type);
      let value: Value = null;
      let own = type;
      if (each.value !== null) {
        const found = yield* this.value(each.value, { type, typmod, cast: true });
        value = found.value;
        own = found.type;
      } else if (type.domain !== null) value = converted(session, null, session.host.registry.type('text'), type, typmod);
      if (value === null && each.notNull) {
        throw new SvcError('22004', `null value cannot be assigned to variable "${each.name}" declared NOT NULL`);
      }
      const variable = scope.declare({ name: each.name, type, typmod, constant: each.constant, notNull: each.notNull, value });
      if (variable.anyRow && value !== null) variable.type = own;
    }
    this.during = null;
    this.#duringLine = 0;
  }

  /** The body; where it fails, everything that it has changed is taken back and the first fitting handler runs. */
  *#guarded(block: Block): Steps<Signal> {
    const { session, scope } = this;
    if (session.writing.length > 0) session.flush();
    const transaction = session.begin();
    const index = transaction.savepoints.length;
    session.savepoint('');
    try {
      const signal = yield* this.#statements(block.body);
      if (session.transaction === transaction) transaction.savepoints.length = index;
      return signal;
    } catch (thrown) {
      const error = located(session.frames, thrown);
      this.#at = block;
      this.during = null;
      this.#duringLine = 0;
      const failure = error instanceof SvcError ? error : null;
      const handler = failure === null ? undefined : block.handlers.find(({ conditions }) => conditions.some((each) => takes(each, failure.code)));
      if (failure === null || handler === undefined || session.transaction !== transaction) throw error;
      session.rollbackTo(index);
      rollbackCursors(session.cursors, transaction, index);
      transaction.savepoints.length = index;
      const before = this.#error;
      this.#error = failure;
      this.scope = new Scope(scope, null);
      const text = session.host.registry.type('text');
      this.scope.declare({ name: 'sqlstate', type: text, constant: true, value: failure.code });
      this.scope.declare({ name: 'sqlerrm', type: text, constant: true, value: failure.message });
      try {
        return yield* this.#statements(handler.body);
      } finally {
        this.#error = before;
        this.scope = scope;
      }
    }
  }

  *#statements(statements: readonly Statement[]): Steps<Signal> {
    const outer = this.#at;
    for (const statement of statements) {
      this.#at = statement;
      const signal = yield* this.#statement(statement);
      if (signal !== 'on') return signal;
    }
    this.#at = outer;
    return 'on';
  }

  // --- statements

  *#statement(s: Statement): Steps<Signal> {
    switch (s.kind) {
      case 'block':
        return yield* this.#block(s);
      case 'null':
        return 'on';
      case 'assign':
        yield* this.#assign(s.target, s.value);
        return 'on';
      case 'if':
        for (const { when, body } of s.branches) if (yield* this.truth(when)) return yield* this.#statements(body);
        return yield* this.#statements(s.otherwise);
      case 'case':
        return yield* this.#case(s);
      case 'loop':
      case 'while':
      case 'count':
      case 'foreach':
      case 'forQuery':
      case 'forExecute':
      case 'forCursor':
        return yield* this.#loop(s);
      case 'exit': {
        if (s.when !== null && !(yield* this.truth(s.when))) return 'on';
        this.#label = s.label;
        return s.next ? 'continue' : 'exit';
      }
      case 'return':
        this.returned = s.value === null ? null : yield* this.value(s.value);
        return 'return';
      case 'returnNext': {
        if (s.value === null) {
          const { columns, values } = this.#out();
          this.gathered.push({ columns, values, type: null });
        } else {
          const { value, type } = yield* this.value(s.value);
          this.gathered.push({ columns: null, values: [value], type });
        }
        return 'on';
      }
      case 'returnQuery':
        this.#gather(yield* runFragment(this, s.query));
        return 'on';
      case 'returnExecute':
        this.#gather(yield* this.#dynamic(s.query, s.using));
        return 'on';
      case 'raise':
        yield* this.#raise(s);
        return 'on';
      case 'assert':
        if (this.session.settings.get('plpgsql.check_asserts') === 'off') return 'on';
        if (!(yield* this.truth(s.when))) {
          const message = s.message === null ? null : ((yield* this.text(s.message)) ?? null);
          throw new SvcError('P0004', message ?? 'assertion failed');
        }
        return 'on';
      case 'perform':
        this.#counted(yield* runFragment(this, s.query));
        return 'on';
      case 'sql':
        yield* this.#sql(s.sql, s.into);
        return 'on';
      case 'call':
        yield* this.#call(s.sql);
        return 'on';
      case 'execute': {
        const most = s.into === null ? Infinity : 2;
        const rows = yield* this.#dynamic(s.query, s.using, most);
        this.#rowCount = rows.count;
        if (s.into !== null) this.#into(s.into, rows, s.into.strict);
        return 'on';
      }
      case 'diagnostics':
        this.#diagnostics(s);
        return 'on';
      case 'open':
        yield* openPortal(this, s);
        return 'on';
      case 'fetch': {
        const found = yield* fetchPortal(this, s.cursor, s.direction);
        this.#rowCount = found.rows.length;
        this.#found(found.rows.length > 0);
        if (!s.move) assignColumns(this.session, this.scope, s.targets, found.columns, found.rows[0] ?? null);
        return 'on';
      }
      case 'close':
        closePortal(this, s.cursor);
        return 'on';
      case 'transaction':
        if (this.atomic) throw new SvcError('2D000', 'invalid transaction termination');
        yield* endTransaction(this.session, s.what, s.chain);
        return 'on';
    }
  }

  *#assign(target: Target, value: Fragment): Steps<void> {
    const { variable, fields } = placeOf(this.scope, target);
    const whole = fields.length === 0 && target.path === null;
    const found = yield* this.value(value, whole && !variable.anyRow ? { type: variable.type, typmod: variable.typmod } : null);
    if (whole && !variable.anyRow) variable.set(found.value);
    else assignValue(this.session, this.scope, target, found.value, found.type);
  }

  *#case(s: Statement & { kind: 'case' }): Steps<Signal> {
    const { session } = this;
    const value = s.value === null ? null : yield* this.value(s.value);
    const outer = this.scope;
    try {
      if (value !== null) {
        this.scope = new Scope(outer, null);
        this.scope.declare({ name: CASE_VALUE, type: value.type.name === 'unknown' ? session.host.registry.type('text') : value.type, value: value.value });
      }
      for (const branch of s.branches) {
        const when = value === null ? branch.when : compared(branch.when);
        if (!(yield* this.truth(when))) continue;
        this.scope = outer;
        return yield* this.#statements(branch.body);
      }
    } finally {
      this.scope = outer;
    }
    if (s.otherwise === null) throw new SvcError('20000', 'case not found', { hint: 'CASE statement is missing ELSE part.' });
    return yield* this.#statements(s.otherwise);
  }

  // --- loops

  *#loop(s: Statement & { kind: 'loop' | 'while' | 'count' | 'foreach' | 'forQuery' | 'forExecute' | 'forCursor' }): Steps<Signal> {
    switch (s.kind) {
      case 'loop':
        for (;;) {
          const signal = yield* this.#turn(s);
          if (signal !== 'on') return signal === 'left' ? 'on' : signal;
        }
      case 'while':
        while (yield* this.truth(s.when)) {
          const signal = yield* this.#turn(s);
          if (signal !== 'on') return signal === 'left' ? 'on' : signal;
        }
        return 'on';
      case 'count':
        return yield* this.#count(s);
      case 'foreach':
        return yield* this.#foreach(s);
      default:
        return yield* this.#rows(s);
    }
  }

  /** One turn of a loop's body; 'left': the loop is over. */
  *#turn(s: { readonly label: string | null; readonly body: readonly Statement[] }): Steps<Signal | 'left'> {
    if (++this.#turns >= TURNS) {
      this.#turns = 0;
      if (performance.now() > this.#until) {
        yield YIELD;
        this.#until = performance.now() + 5;
      }
    }
    const signal = yield* this.#statements(s.body);
    if (signal === 'on' || signal === 'return') return signal;
    if (this.#label !== null && this.#label !== s.label) return signal;
    this.#label = null;
    return signal === 'exit' ? 'left' : 'on';
  }

  *#count(s: Statement & { kind: 'count' }): Steps<Signal> {
    const type = this.session.host.registry.type('int4');
    const bound = function* (this: Interpreter, fragment: Fragment, what: string): Steps<number> {
      const { value } = yield* this.value(fragment, { type, typmod: -1 });
      if (value === null) throw new SvcError('22004', `${what} of FOR loop cannot be null`);
      return value as number;
    };
    const from = yield* bound.call(this, s.from, 'lower bound');
    const to = yield* bound.call(this, s.to, 'upper bound');
    const step = s.step === null ? 1 : yield* bound.call(this, s.step, 'BY value');
    if (step <= 0) throw new SvcError('22023', 'BY value of FOR loop must be greater than zero');
    const outer = this.scope;
    this.scope = new Scope(outer, s.label);
    const variable = this.scope.declare({ name: s.name, type });
    let found = false;
    try {
      for (let i = from; s.reverse ? i >= to : i <= to; i += s.reverse ? -step : step) {
        found = true;
        variable.value = i;
        const signal = yield* this.#turn(s);
        if (signal === 'left') break;
        if (signal !== 'on') return signal;
      }
    } finally {
      this.scope = outer;
    }
    this.#found(found);
    return 'on';
  }

  *#foreach(s: Statement & { kind: 'foreach' }): Steps<Signal> {
    const { value, type } = yield* this.value(s.array);
    if (value === null) throw new SvcError('22004', 'FOREACH expression must not be null');
    if (!(value instanceof ArrayValue)) throw new SvcError('42804', `FOREACH expression must yield an array, not type ${type.title}`);
    const dimensions = value.lengths.length;
    if (s.slice > dimensions) throw new SvcError('2202E', `slice dimension (${s.slice}) is out of the valid range 0..${dimensions}`);
    const element = type.element ?? type;
    const size = value.lengths.slice(dimensions - s.slice).reduce((all, each) => all * each, 1);
    let found = false;
    for (let at = 0; at < value.elements.length; at += size) {
      found = true;
      const part =
        s.slice === 0
          ? value.elements[at]
          : new ArrayValue(value.elements.slice(at, at + size), value.lengths.slice(dimensions - s.slice), value.lowers.slice(dimensions - s.slice));
      if (s.targets.length > 1) {
        throw new SvcError('42601', 'FOREACH loop variable must be one variable');
      }
      assignValue(this.session, this.scope, s.targets[0], part, s.slice === 0 ? element : type);
      const signal = yield* this.#turn(s);
      if (signal === 'left') break;
      if (signal !== 'on') return signal;
    }
    this.#found(found);
    return 'on';
  }

  *#rows(s: Statement & { kind: 'forQuery' | 'forExecute' | 'forCursor' }): Steps<Signal> {
    const outer = this.scope;
    if (s.kind === 'forCursor') return yield* this.#cursorRows(s);
    const loop = yield* this.#source(s);
    const { loops } = this.session;
    loops.add(loop);
    try {
      for (;;) {
        const row = yield* loop.next();
        if (row === null) break;
        assignColumns(this.session, this.scope, s.targets, loop.columns, row);
        const signal = yield* this.#turn(s);
        if (signal === 'left') break;
        if (signal !== 'on') return signal;
      }
      if (loop.count === 0) assignColumns(this.session, this.scope, s.targets, loop.columns, null);
    } finally {
      this.scope = outer;
      loops.delete(loop);
      loop.close();
    }
    this.#found(loop.count > 0);
    return 'on';
  }

  /** The variable of a cursor's loop is the loop's own. */
  *#cursorRows(s: Statement & { kind: 'forCursor' }): Steps<Signal> {
    const { session } = this;
    const outer = this.scope;
    const name = { parts: [s.cursor], path: null, at: 0 };
    const { variable } = placeOf(outer, name);
    const unnamed = variable.value === null;
    yield* openPortal(this, { cursor: name, scroll: null, query: null, execute: null, using: [], args: s.args });
    const portal = variable.value as string;
    const cursor = session.cursors.get(portal)!;
    cursor.pinned = true;
    this.scope = new Scope(outer, s.label);
    this.scope.declare({ name: s.targets[0].parts[0], type: session.host.registry.type('record') });
    let found = false;
    try {
      for (;;) {
        const [row] = yield* cursorRows(cursor, { direction: 'forward', count: 1 });
        if (row === undefined) break;
        found = true;
        assignColumns(session, this.scope, s.targets, cursor.columns, row);
        const signal = yield* this.#turn(s);
        if (signal === 'left') break;
        if (signal !== 'on') return signal;
      }
      if (!found) assignColumns(session, this.scope, s.targets, cursor.columns, null);
    } finally {
      this.scope = outer;
      cursor.pinned = false;
      if (session.cursors.get(portal) === cursor) dropCursor(session.cursors, portal);
      if (unnamed && !variable.constant) variable.put(null);
    }
    this.#found(found);
    return 'on';
  }

  cursorNamed(variable: string): string | null {
    return (this.scope.find(variable)?.value as string | null | undefined) ?? null;
  }

  *#source(s: Statement & { kind: 'forQuery' | 'forExecute' }): Steps<Loop> {
    if (s.kind === 'forExecute') {
      const { text, types, values } = yield* this.dynamicText(s.query, s.using);
      return yield* loopOverText(this.session, text, types, values);
    }
    const { ready, values } = readyFragment(this, s.query, 'statement');
    if (ready.kind === 'query') return yield* Loop.over(this.session, ready.prepared, values, s.query.text);
    return Loop.of(yield* runFragment(this, s.query));
  }

  // --- SQL

  *#sql(sql: Fragment, into: Into | null): Steps<void> {
    const rows = yield* runFragment(this, sql, into === null ? Infinity : 2);
    if (into !== null) {
      // More than one changed row cannot be told into variables.
      this.#into(into, rows, into.strict || rows.writes, into.strict);
      return;
    }
    if (rows.columns !== null) {
      throw new SvcError('42601', 'query has no destination for result data', {
        hint: rows.writes ? undefined : 'If you want to discard the results of a SELECT, use PERFORM instead.',
      });
    }
    this.#counted(rows);
  }

  #counted({ count }: Rows): void {
    this.#rowCount = count;
    this.#found(count > 0);
  }

  #found(found: boolean): void {
    this.scope.find('found')!.put(found);
  }

  #into({ targets }: Into, { columns, rows }: Rows, single: boolean, needed = single): void {
    if (columns === null) throw new SvcError('42601', 'INTO used with a command that cannot return data');
    this.#found(rows.length > 0);
    this.#rowCount = Math.min(1, rows.length);
    if (rows.length === 0 && needed) throw new SvcError('P0002', 'query returned no rows');
    if (rows.length > 1 && single) {
      throw new SvcError('P0003', 'query returned more than one row', { hint: 'Make sure the query returns a single row, or use LIMIT 1.' });
    }
    assignColumns(this.session, this.scope, targets, columns, rows[0] ?? null);
  }

  *#dynamic(query: Fragment, using: readonly Fragment[], most = Infinity): Steps<Rows> {
    const { text, types, values } = yield* this.dynamicText(query, using);
    return yield* runText(this.session, text, types, values, most);
  }

  /** The text of EXECUTE, and what its USING gives. */
  *dynamicText(query: Fragment, using: readonly Fragment[]): Steps<{ text: string | null; types: SqlType[]; values: Value[] }> {
    const text = yield* this.text(query);
    const types: SqlType[] = [];
    const values: Value[] = [];
    for (const each of using) {
      const { value, type } = yield* this.value(each);
      types.push(type.name === 'unknown' ? this.session.host.registry.type('text') : type);
      values.push(value);
    }
    return { text, types, values };
  }

  /** CALL: what the procedure gives back goes to the variables that stand in its OUT places. */
  *#call(sql: Fragment): Steps<void> {
    yield* callInside(this, sql);
  }

  #gather({ columns, rows }: Rows): void {
    if (columns === null) throw new SvcError('42601', 'RETURN QUERY used with a command that cannot return data');
    for (const values of rows) this.gathered.push({ columns, values, type: null });
    this.#rowCount = rows.length;
    this.#found(rows.length > 0);
  }

  // --- values

  *value(fragment: Fragment, into: Assigned | null = null): Steps<Returned> {
    const { session } = this;
    const { ready, values } = readyFragment(this, fragment, 'expression', into);
    if (ready.kind === 'simple') {
      if (!ready.constant) return { value: compute(session, ready, values), type: ready.type };
      return { value: inFrame(session, expressionFrame(fragment), () => compute(session, ready, values)), type: ready.type };
    }
    if (ready.kind !== 'query') throw new SvcError('42601', 'an expression is expected here');
    const { columns, rows } = yield* this.#queried(fragment, ready.prepared, values);
    if (columns === null || columns.length !== 1) {
      throw new SvcError('42601', `query returned ${columns?.length ?? 0} columns`);
    }
    if (rows.length > 1) throw new SvcError('21000', 'query returned more than one row');
    const [{ type }] = columns;
    const value = rows.length === 0 ? null : rows[0][0];
    return into === null ? { value, type } : { value: converted(session, value, type, into.type, into.typmod), type: into.type };
  }

  *#queried(fragment: Fragment, prepared: Prepared, values: readonly Value[]): Steps<Rows> {
    const { frames } = this.session;
    frames.push(expressionFrame(fragment));
    try {
      return yield* runPrepared(this.session, prepared, values, 2);
    } catch (error) {
      throw located(frames, error);
    } finally {
      frames.pop();
    }
  }

  *truth(fragment: Fragment): Steps<boolean> {
    return (yield* this.value(fragment, { type: this.#bool, typmod: -1, cast: true })).value === true;
  }

  *text(fragment: Fragment): Steps<string | null> {
    const { value, type } = yield* this.value(fragment);
    return value === null ? null : type.format(value, this.session.env);
  }

  // --- messages

  *#raise(s: Statement & { kind: 'raise' }): Steps<void> {
    if (s.message === null && s.condition === null && s.options.length === 0) {
      if (this.#error === null) throw new SvcError('0Z002' as SqlState, 'RAISE without parameters cannot be used outside an exception handler');
      throw this.#error;
    }
    const args: string[] = [];
    for (const each of s.args) args.push((yield* this.text(each)) ?? '<NULL>');
    const options = new Map<string, string>();
    for (const { option, value } of s.options) {
      if (options.has(option)) throw new SvcError('42601', `RAISE option already specified: ${option.toUpperCase()}`);
      const text = yield* this.text(value);
      if (text === null) throw new SvcError('22004', 'RAISE statement option cannot be null');
      options.set(option, text);
    }
    const message = raised(s, args, options);
    if (s.level === 'exception') throw message;
    raiseNotice(this.session, s.level, message);
  }

  #diagnostics({ stacked, items }: Statement & { kind: 'diagnostics' }): void {
    const { registry } = this.session.host;
    const text = registry.type('text');
    if (stacked && this.#error === null) throw new SvcError('0Z002' as SqlState, 'GET STACKED DIAGNOSTICS cannot be used outside an exception handler');
    for (const { target, item } of items) {
      if (item === 'row_count') assignValue(this.session, this.scope, target, this.#rowCount, registry.type('int8'));
      else assignValue(this.session, this.scope, target, this.#diagnostic(item), text);
    }
  }

  #diagnostic(item: string): string {
    const error = this.#error;
    switch (item) {
      case 'returned_sqlstate':
        return error!.code;
      case 'message_text':
        return error!.message;
      case 'pg_exception_detail':
        return error!.detail ?? '';
      case 'pg_exception_hint':
        return error!.hint ?? '';
      case 'pg_context':
      case 'pg_exception_context':
        return item === 'pg_context' ? contextLines(this.session.frames) : (error!.context?.where ?? '');
      default:
        return String(error?.data?.[ITEMS[item]] ?? '');
    }
  }
}

const CONFLICTS: Readonly<Record<string, NonNullable<Routine['conflict']>>> = { error: 'error', use_variable: 'variable', use_column: 'column' };

const CASE_VALUE = '__case_value';

const comparisons = new WeakMap<Fragment, Fragment>();

/** `WHEN a, b` of a CASE over a value. */
function compared(when: Fragment): Fragment {
  let out = comparisons.get(when);
  if (out === undefined) comparisons.set(when, (out = { text: `"${CASE_VALUE}" IN (${when.text})`, at: when.at }));
  return out;
}

/** Where an error has what GET STACKED DIAGNOSTICS asks for. */
const ITEMS: Readonly<Record<string, string>> = {
  column_name: 'column',
  constraint_name: 'constraint',
  pg_datatype_name: 'type',
  table_name: 'table',
  schema_name: 'schema',
};
