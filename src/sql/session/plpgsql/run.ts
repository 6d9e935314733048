/**
 * Interprets a PL/pgSQL function, block by block and statement by statement, over the session's transaction. Each SQL statement sees
 * the changes of those before it. A block with EXCEPTION is a savepoint. Manual, 43.5 to 43.9.
 */
import { SvcError } from '../../../base/errors/svc-error.ts';
import type { SqlState } from '../../../base/errors/sqlstate.ts';
import { YIELD } from '../../exec/batch.ts';
import { valueBytes } from '../../exec/spill-codec.ts';
import { ResultMemory } from '../result-memory.ts';
import { takes } from '../../plpgsql/conditions.ts';
import type { Block, Declaration, Fragment, Into, Routine, Statement, Target } from '../../plpgsql/syntax.ts';
import { ArrayValue } from '../../types/array-value.ts';
import { columnsOf } from '../../types/record-type.ts';
import { RecordValue } from '../../types/record-value.ts';
import type { SqlType } from '../../types/type.ts';
import type { Value } from '../../types/value.ts';
import { type CallFrame, contextLines, inFrame, located, TextFrame } from '../call-frames.ts';
import { cursorRows, dropCursor, rollbackCursors } from '../cursors.ts';
import type { Prepared } from '../prepare.ts';
import type { ResultColumn } from '../results.ts';
import type { SqlSession } from '../sql-session.ts';
import { assignColumns, assignValue, converted, placeOf } from './assign.ts';
import { callInside } from './call-inside.ts';
import { endTransaction } from './end-transaction.ts';
import { Loop } from './loop.ts';
import { closePortal, fetchPortal, loopOverText, openPortal } from './portals.ts';
import { type Assigned, compute, type Entry, entryOf, expressionFrame, variablesIn, RAW, inFrameSteps, readyFragment, type Surroundings } from './fragment.ts';
import { declaredType } from './declared-type.ts';
import { difference } from './row-shape.ts';
import { type Rows, runFragment, runNow, runPrepared, runText, Stopped } from './queries.ts';
import { raised, raiseNotice } from './raise.ts';
import { Scope, type Variable } from './scope.ts';
import { titleOf } from './statement-title.ts';
import type { Steps } from './steps.ts';

/** The outcome of a statement: next statement, leave a loop, next iteration, or return. */
type Signal = 'on' | 'exit' | 'continue' | 'return';
/** `rest`: a remainder may have to wait. */
type Now = Signal | 'rest';

type Declared = Declaration & { readonly kind: 'variable' };
const DECLARING = 'during statement block local variable initialization';

/** Loop iterations between two clock checks. */
const TURNS = 256;
/** An SQL statement counts as this many iterations. */
const SQL_TURNS = 16;
/** Only the name of a variable. */
const VARIABLE = /^\s*(?:[a-z_]\w*|"[^"]+")\s*$/i;

export interface Returned {
  readonly value: Value;
  readonly type: SqlType;
}

/** Rows that a set-returning function has collected. */
export interface Gathered {
  readonly columns: readonly ResultColumn[] | null;
  readonly values: readonly Value[];
  readonly type: SqlType | null;
}

/** Functions that hold less are not counted. */
const WEIGHED_BYTES = 1 << 20;

export interface RunParts {
  readonly session: SqlSession;
  readonly name: string;
  /** The function's number; absent for DO. */
  readonly number?: number;
  readonly routine: Routine;
  /** Arguments, FOUND and the other variables outside the first block. */
  readonly scope: Scope;
  /** The row of RETURN NEXT without a value: the OUT columns. */
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
  gathered: Gathered[] = [];
  /** Column types that RETURN QUERY must give; null: any. */
  wanted: readonly SqlType[] | null = null;
  /** Whether the function returns rows, not plain values. */
  givesRows = false;
  returned: Returned | null = null;
  readonly #routine: Routine;
  readonly #number: number | null;
  readonly #out: RunParts['out'];
  #rowCount = 0;
  /** The running statement, and the phase for its context. */
  #at: Statement | null = null;
  during: string | null = null;
  #duringLine = 0;
  readonly sql = null;
  readonly shift = 0;
  #label: string | null = null;
  /** The error that a handler is handling. */
  #error: SvcError | null = null;
  #turns = 0;
  #until = performance.now() + 5;
  /** The type that conditions are converted to. */
  readonly #truth: Assigned;

  constructor({ session, name, number, routine, scope, out, atomic }: RunParts) {
    this.atomic = atomic ?? true;
    this.session = session;
    this.name = name;
    this.#number = number ?? null;
    this.conflict = routine.conflict ?? CONFLICTS[session.settings.get('plpgsql.variable_conflict')!];
    this.scope = scope;
    this.#routine = routine;
    this.#out = out;
    this.#truth = { type: session.host.registry.type('bool'), typmod: -1, cast: true };
  }

  line(): string {
    const where = `PL/pgSQL function ${this.signature}`;
    if (this.during !== null) return this.#duringLine === 0 ? `${where} ${this.during}` : `${where} line ${this.#duringLine} ${this.during}`;
    return this.#at === null ? where : `${where} line ${this.#at.line} at ${titleOf(this.#at)}`;
  }

  get signature(): string {
    return this.#number === null ? this.name : (this.session.catalogNames().procedureName(this.#number) ?? this.name);
  }

  /** Runs to a RETURN; false if it reaches the end. */
  *run(): Steps<boolean> {
    try {
      const ended = yield* inFrameSteps(this.session, this, () => (this.#outside === null ? this.#all() : this.#rest(this.#outside)));
      this.#at = null;
      return ended;
    } finally {
      this.#memory.release();
      this.#weighed = 0;
      this.#gatheredBytes = 0;
    }
  }

  /** The same without stopping; null: continue with `run`. */
  runNow(): boolean | null {
    const ended = inFrame(this.session, this, () => this.#allNow());
    if (ended !== null) this.#at = null;
    return ended;
  }

  *#all(): Steps<boolean> {
    this.#at = this.#routine.block;
    return this.#endedBy(yield* this.#block(this.#routine.block));
  }

  #allNow(): boolean | null {
    const { block } = this.#routine;
    if (block.handlers.length > 0) return null;
    const outside = this.scope;
    this.#at = block;
    this.#outside = outside;
    this.scope = this.#within(block, outside, block.label);
    this.#declared = this.#declareNow(block, 0);
    if (this.#declared < block.declarations.length) return null;
    const now = this.#now(block.body, 0);
    return now === 'rest' ? null : this.#leave(now, outside);
  }
  /** After `#allNow` has stopped: the scope outside the outermost block, and the number of its declared variables. */
  #outside: Scope | null = null;
  #declared = 0;

  *#rest(outside: Scope): Steps<boolean> {
    const { block } = this.#routine;
    if (this.#declared < block.declarations.length) {
      yield* this.#declare(block, this.#declared);
      return this.#leave(yield* this.#statements(block.body), outside);
    }
    return this.#leave(yield* this.#continue(block), outside);
  }

  #leave(signal: Signal, outside: Scope): boolean {
    this.scope = outside;
    this.#outside = null;
    return this.#endedBy(this.#leaves(signal, this.#routine.block.label) ? 'on' : signal);
  }

  #endedBy(signal: Signal): boolean {
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
    this.scope = this.#within(block, outer, block.label);
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

  *#declare(block: Block, from = 0): Steps<void> {
    const { declarations } = block;
    for (let at = this.#declareNow(block, from); at < declarations.length; at = this.#declareNow(block, at + 1)) {
      const each = declarations[at] as Declared;
      this.during = DECLARING;
      this.#duringLine = each.line;
      const { type, typmod } = declaredType(this, each.type);
      const found = yield* this.value(each.value!, { type, typmod, cast: true });
      this.#declareOne(each, { type, typmod }, found);
      this.during = null;
      this.#duringLine = 0;
    }
  }

  /** Declares variables while their defaults need no rows; gives the number declared. */
  #declareNow({ declarations }: Block, from: number): number {
    if (from >= declarations.length) return from;
    const { session, scope } = this;
    this.#key = session.planKey();
    this.during = DECLARING;
    let at = from;
    for (; at < declarations.length; at++) {
      const each = declarations[at];
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
        const entry = this.#entry(each.value, { type, typmod, cast: true });
        if (entry.simple === null) break;
        value = this.#valueNow(entry, each.value);
        own = entry.simple.type;
      } else if (type.domain !== null) value = converted(session, null, session.host.registry.type('text'), type, typmod);
      this.#declareOne(each, { type, typmod }, { value, type: own });
    }
    this.during = null;
    this.#duringLine = 0;
    return at;
  }

  #declareOne(each: Declared, { type, typmod }: Assigned, { value, type: own }: Returned): void {
    if (value === null && each.notNull) {
      throw new SvcError('22004', `null value cannot be assigned to variable "${each.name}" declared NOT NULL`);
    }
    const variable = this.scope.declare({ name: each.name, type, typmod, constant: each.constant, notNull: each.notNull, value });
    if (variable.anyRow && value !== null) variable.type = own;
  }

  /** The body; if it fails, its changes are rolled back and the first matching handler runs. */
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
    const signal = this.#now(statements, 0);
    return signal === 'rest' ? yield* this.#continue(outer) : signal;
  }

  /** Continues what `#now` has left, the innermost list first. */
  *#continue(outer: Statement | null): Steps<Signal> {
    const left = this.#left;
    this.#left = [];
    for (const { statements, from } of left) {
      for (let i = from; i < statements.length; i++) {
        this.#at = statements[i];
        const signal = yield* this.#statement(statements[i]);
        if (signal !== 'on') return signal;
        const now = this.#now(statements, i + 1);
        if (now === 'on') break;
        if (now !== 'rest') return now;
        const rest = yield* this.#continue(outer);
        if (rest !== 'on') return rest;
        break;
      }
    }
    this.#at = outer;
    return 'on';
  }
  #left: { readonly statements: readonly Statement[]; readonly from: number }[] = [];

  /** Runs statements that cannot wait: assignments, conditions and loop exits, over expressions without rows. */
  #now(statements: readonly Statement[], from: number): Now {
    this.#key = this.session.planKey();
    const outer = this.#at;
    for (let i = from; i < statements.length; i++) {
      const s = statements[i];
      const signal = this.#statementNow(s);
      if (signal === 'on') continue;
      if (signal === null) {
        this.#left.push({ statements, from: i });
        return 'rest';
      }
      if (signal === 'rest') {
        if (i + 1 < statements.length) this.#left.push({ statements, from: i + 1 });
        return 'rest';
      }
      return signal;
    }
    this.#at = outer;
    return 'on';
  }

  /** null: run it step by step. */
  #statementNow(s: Statement): Now | null {
    switch (s.kind) {
      case 'null':
        return 'on';
      case 'assign': {
        const { parts, path } = s.target;
        this.#at = s;
        if (parts.length > 1 || path !== null) {
          const part = this.#entry(s.value, RAW);
          if (part.simple === null) return null;
          placeOf(this.scope, s.target);
          assignValue(this.session, this.scope, s.target, this.#valueNow(part, s.value), part.simple.type, s.value);
          return 'on';
        }
        const last = s.value.made as Entry | null | undefined;
        if (last !== undefined && last !== null && last.target !== null && last.fits(this.scope, this.#key)) {
          this.#assignNow(last, last.target, s.value);
          return 'on';
        }
        const variable = this.scope.find(parts[0]);
        if (variable === null || variable.anyRow) return null;
        const entry = this.#entry(s.value, variable);
        if (entry.simple === null) return null;
        entry.target = variable;
        this.#assignNow(entry, variable, s.value);
        return 'on';
      }
      case 'if': {
        this.#at = s;
        const { branches } = s;
        for (let i = 0; i < branches.length; i++) {
          const { when, body } = branches[i];
          // Evaluated only after those above were false: a trigger function may test the table before it names a column.
          const entry = this.#entry(when, this.#truth);
          if (entry.simple === null) {
            this.#denied = i;
            return null;
          }
          if (this.#valueNow(entry, when) === true) return this.#now(body, 0);
        }
        return this.#now(s.otherwise, 0);
      }
      case 'exit': {
        this.#at = s;
        if (s.when !== null) {
          const entry = this.#entry(s.when, this.#truth);
          if (entry.simple === null) return null;
          if (this.#valueNow(entry, s.when) !== true) return 'on';
        }
        this.#label = s.label;
        return s.next ? 'continue' : 'exit';
      }
      case 'return': {
        this.#at = s;
        if (s.value === null) this.returned = null;
        else {
          const entry = this.#entry(s.value, null);
          if (entry.simple === null) return null;
          this.returned = { value: this.#valueNow(entry, s.value), type: entry.simple.type };
        }
        return 'return';
      }
      case 'returnNext': {
        if (s.value === null) return null;
        this.#at = s;
        const entry = this.#entry(s.value, null);
        if (entry.simple === null) return null;
        this.gathered.push({ columns: null, ...this.#nextOf(s.value, this.#valueNow(entry, s.value), entry.simple.type) });
        return 'on';
      }
      case 'perform':
        return this.#sqlNow(s, s.query, null);
      case 'sql':
        return this.#sqlNow(s, s.sql, s.into);
      default:
        return null;
    }
  }

  #sqlNow(s: Statement & { kind: 'perform' | 'sql' }, sql: Fragment, into: Into | null): Now | null {
    this.#at = s;
    const rows = runNow(this.session, sql, this.#entry(sql, null, 'statement'), mostOf(into));
    if (rows === null || rows instanceof Stopped) {
      this.#stopped = rows;
      return null;
    }
    this.#turns += SQL_TURNS;
    // It may have changed definitions and settings.
    this.#key = this.session.planKey();
    this.#took(s, rows);
    return 'on';
  }
  /** Number of conditions of the IF that `#statementNow` left that were false: none is evaluated twice. */
  #denied = 0;
  /** A statement that `#sqlNow` has started. */
  #stopped: Stopped | null = null;

  readonly #entries = new Map<Fragment, Entry>();
  /** The key of the definitions and settings that statements run under. */
  #key = '';

  #entry(fragment: Fragment, into: Assigned | null, as: 'expression' | 'statement' = 'expression'): Entry {
    const last = fragment.made as Entry | null | undefined;
    if (last !== undefined && last !== null && last.fits(this.scope, this.#key)) return last;
    let known = this.#entries.get(fragment);
    if (known === undefined || !known.fits(this.scope, this.#key)) {
      known = entryOf(this, fragment, as, into);
      this.#entries.set(fragment, known);
    }
    // Recursive calls each have their own.
    fragment.made = known;
    return known;
  }

  #assignNow(entry: Entry, variable: Variable, fragment: Fragment): void {
    if (entry.simple!.change === null) variable.set(this.#valueNow(entry, fragment));
    else entry.assign(this.session, variable);
  }

  #valueNow(entry: Entry, fragment: Fragment): Value {
    if (!entry.simple!.constant) return entry.value(this.session);
    return inFrame(this.session, expressionFrame(fragment), () => entry.value(this.session));
  }

  /** The scope of a block or loop, the same at each entry. */
  #within(owner: object, outer: Scope, label: string | null): Scope {
    const known = this.#scopes.get(owner);
    if (known !== undefined && known.parent === outer) {
      known.restart();
      return known;
    }
    const scope = new Scope(outer, label);
    this.#scopes.set(owner, scope);
    return scope;
  }
  readonly #scopes = new Map<object, Scope>();

  /** For another call of the function: the caller sets the arguments. */
  reset(): void {
    this.gathered = [];
    this.returned = null;
    this.during = null;
    this.#rowCount = 0;
    this.#label = null;
    this.#error = null;
    this.#at = null;
    this.#left.length = 0;
    this.#stopped = null;
    this.#denied = 0;
    this.#outside = null;
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
      case 'if': {
        const from = this.#denied;
        this.#denied = 0;
        for (let i = from; i < s.branches.length; i++) {
          const { when, body } = s.branches[i];
          if (yield* this.truth(when)) return yield* this.#statements(body);
        }
        return yield* this.#statements(s.otherwise);
      }
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
          this.gathered.push({ columns: null, ...this.#nextOf(s.value, value, type) });
        }
        return 'on';
      }
      case 'returnQuery':
        this.#gather(yield* runFragment(this, s.query), s.query.text);
        return 'on';
      case 'returnExecute':
        this.#gather(yield* this.#dynamic(s.query, s.using), null);
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
      case 'sql': {
        const stopped = this.#stopped;
        this.#stopped = null;
        this.#took(s, yield* stopped === null ? (s.kind === 'sql' ? runFragment(this, s.sql, mostOf(s.into)) : runFragment(this, s.query)) : stopped.resume());
        return 'on';
      }
      case 'call':
        yield* this.#call(s.sql);
        return 'on';
      case 'execute': {
        const most = s.into === null ? Infinity : 2;
        const rows = yield* this.#dynamic(s.query, s.using, most);
        this.#rowCount = rows.count;
        if (s.into !== null) this.#into(s.into, rows, s.into.strict, s.into.strict, null);
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
    const found = yield* this.value(value, whole ? (variable.anyRow ? null : variable) : RAW);
    if (whole && !variable.anyRow) variable.set(found.value);
    else assignValue(this.session, this.scope, target, found.value, found.type, value);
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
          this.#loopAt = s;
          const signal = this.#turnNow(s) ?? (yield* this.#turnOn(s));
          if (signal !== 'on') return signal === 'left' ? 'on' : signal;
        }
      case 'while':
        for (;;) {
          this.#key = this.session.planKey();
          const entry = this.#entry(s.when, this.#truth);
          if (!(entry.simple === null ? yield* this.truth(s.when) : this.#valueNow(entry, s.when) === true)) break;
          this.#loopAt = s;
          const signal = this.#turnNow(s) ?? (yield* this.#turnOn(s));
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

  /** Counts the memory of variables and of rows for RETURN, at each yield point. 53200. */
  #weigh(): void {
    let bytes = 0;
    for (let scope: Scope | null = this.scope; scope !== null; scope = scope.parent) {
      for (const variable of scope.names.values()) bytes += valueBytes(variable.peek());
    }
    for (; this.#weighed < this.gathered.length; this.#weighed++)
      for (const value of this.gathered[this.#weighed].values) this.#gatheredBytes += valueBytes(value);
    if (bytes + this.#gatheredBytes >= WEIGHED_BYTES) this.#memory.weigh(bytes + this.#gatheredBytes, this.session.statementBytes);
  }
  readonly #memory = new ResultMemory();
  #weighed = 0;
  #gatheredBytes = 0;

  /** One iteration of a loop's body; 'left': the loop is over. */
  *#turn(s: { readonly label: string | null; readonly body: readonly Statement[] }): Steps<Signal | 'left'> {
    if (++this.#turns >= TURNS) {
      this.#turns = 0;
      if (performance.now() > this.#until) {
        this.#weigh();
        yield YIELD;
        this.#until = performance.now() + 5;
      }
    }
    const outer = this.#at;
    const now = this.#now(s.body, 0);
    const signal = now === 'rest' ? yield* this.#continue(outer) : now;
    return this.#ended(s, signal, outer);
  }

  /** What the outcome of the body means for the loop. */
  #ended({ label }: { readonly label: string | null }, signal: Signal, outer: Statement | null): Signal | 'left' {
    if (signal === 'on' || signal === 'return') return signal;
    if (this.#label !== null && this.#label !== label) return signal;
    this.#label = null;
    this.#at = outer;
    return signal === 'exit' ? 'left' : 'on';
  }

  /** An iteration that cannot wait; null: run it step by step. */
  #turnNow(s: { readonly label: string | null; readonly body: readonly Statement[] }): Signal | 'left' | null {
    if (this.#turns + 1 >= TURNS) return null;
    this.#turns++;
    const outer = this.#at;
    const now = this.#now(s.body, 0);
    return now === 'rest' ? null : this.#ended(s, now, outer);
  }

  /** Continues the iteration that `#turnNow` left. */
  *#turnOn(s: { readonly label: string | null; readonly body: readonly Statement[] }): Steps<Signal | 'left'> {
    if (this.#left.length === 0) return yield* this.#turn(s);
    const outer = this.#loopAt;
    return this.#ended(s, yield* this.#continue(outer), outer);
  }
  #loopAt: Statement | null = null;

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
    this.scope = this.#within(s, outer, s.label);
    const variable = this.scope.declare({ name: s.name, type });
    let found = false;
    try {
      for (let i = from; s.reverse ? i >= to : i <= to; i += s.reverse ? -step : step) {
        found = true;
        variable.value = i;
        this.#loopAt = s;
        const signal = this.#turnNow(s) ?? (yield* this.#turnOn(s));
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
    const { variable, fields } = placeOf(this.scope, s.targets[0]);
    if (fields.length === 0 && s.targets[0].path === null && !variable.anyRow) {
      if (s.slice > 0 && variable.type.element === null) throw new SvcError('42804', 'FOREACH ... SLICE loop variable must be of an array type');
      if (s.slice === 0 && variable.type.element !== null) throw new SvcError('42804', 'FOREACH loop variable must not be of an array type');
    }
    let found = false;
    for (let at = 0; at < value.elements.length; at += size) {
      found = true;
      const part =
        s.slice === 0
          ? value.elements[at]
          : new ArrayValue(value.elements.slice(at, at + size), value.lengths.slice(dimensions - s.slice), value.lowers.slice(dimensions - s.slice));
      const columns = s.targets.length > 1 ? columnsOf(element) : null;
      if (columns === null) assignValue(this.session, this.scope, s.targets[0], part, s.slice === 0 ? element : type);
      else assignColumns(this.session, this.scope, s.targets, columns, part === null ? null : (part as RecordValue).fields);
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
        const row = loop.nextNow() ?? (yield* loop.next());
        if (row === null) break;
        assignColumns(this.session, this.scope, s.targets, loop.columns, row);
        this.#loopAt = s;
        const signal = this.#turnNow(s) ?? (yield* this.#turnOn(s));
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

  /** The loop variable of a cursor loop belongs to the loop. */
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
    this.scope = this.#within(s, outer, s.label);
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

  #took(s: Statement & { kind: 'perform' | 'sql' }, rows: Rows): void {
    if (s.kind === 'perform') {
      this.#counted(rows);
      return;
    }
    const { sql, into } = s;
    if (into !== null) {
      // More than one changed row cannot be assigned to variables.
      this.#into(into, rows, into.strict || rows.writes, into.strict, sql);
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
    if (this.#foundIn !== this.scope) {
      this.#foundIn = this.scope;
      this.#foundAt = this.scope.find('found')!;
    }
    this.#foundAt!.put(found);
  }
  /** The variable FOUND in the current scope. */
  #foundIn: Scope | null = null;
  #foundAt: Variable | null = null;

  /** Whether plpgsql.extra_errors or plpgsql.extra_warnings enables a check, and which of them. */
  #extra(check: string): 'extra_errors' | 'extra_warnings' | null {
    for (const setting of ['extra_errors', 'extra_warnings'] as const) {
      const names = this.session.settings.get(`plpgsql.${setting}`)!;
      if (names !== 'none' && (names === 'all' || names.includes(check))) return setting;
    }
    return null;
  }

  /** Reports what an extra check has found. */
  #extraFound(of: 'extra_errors' | 'extra_warnings', code: SvcError['code'], message: string, parts: { detail?: string; hint?: string }): void {
    if (of === 'extra_errors') throw new SvcError(code, message, parts);
    this.session.notice(code, message, 'WARNING', parts);
  }

  /** With `#print_strict_params`: the values of the query's variables. */
  #strictDetail(sql: Fragment | null): { detail?: string } {
    if (sql === null || !(this.#routine.printStrict ?? this.session.settings.get('plpgsql.print_strict_params') === 'on')) return {};
    const named = variablesIn(this, sql).map(({ name, type, value }) => `${name} = ${value === null ? 'NULL' : `'${type.format(value, this.session.env)}'`}`);
    return named.length === 0 ? {} : { detail: `parameters: ${named.join(', ')}` };
  }

  #into({ targets }: Into, { columns, rows }: Rows, single: boolean, needed: boolean, sql: Fragment | null): void {
    if (columns === null) throw new SvcError('42601', 'INTO used with a command that cannot return data');
    this.#found(rows.length > 0);
    this.#rowCount = Math.min(1, rows.length);
    if (rows.length === 0 && needed) throw new SvcError('P0002', 'query returned no rows', this.#strictDetail(sql));
    const several = rows.length < 2 ? null : single ? 'extra_errors' : sql === null ? null : this.#extra('too_many_rows');
    if (several !== null) {
      const hint = sql === null ? {} : { hint: 'Make sure the query returns a single row, or use LIMIT 1.' };
      this.#extraFound(several, 'P0003', 'query returned more than one row', { ...hint, ...this.#strictDetail(sql) });
    }
    const uneven = targets.length > 1 && targets.length !== columns.length ? this.#extra('strict_multi_assignment') : null;
    if (uneven !== null) {
      this.#extraFound(uneven, '42804', 'number of source and target fields in assignment does not match', {
        detail: `strict_multi_assignment check of ${uneven} is active.`,
        hint: 'Make sure the query returns the exact list of columns.',
      });
    }
    assignColumns(this.session, this.scope, targets, columns, rows[0] ?? null);
  }

  *#dynamic(query: Fragment, using: readonly Fragment[], most = Infinity): Steps<Rows> {
    const { text, types, values } = yield* this.dynamicText(query, using);
    return yield* runText(this.session, text, types, values, most);
  }

  /** The text of EXECUTE, and the values of USING. */
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

  /** CALL: the procedure's results go to the variables in its OUT positions. */
  *#call(sql: Fragment): Steps<void> {
    yield* callInside(this, sql);
  }

  #gather(rows: Rows, text: string | null): void {
    if (text === null) this.#gathered(rows);
    else inFrame(this.session, new TextFrame('SQL statement', text), () => this.#gathered(rows));
  }

  #gathered({ columns, rows }: Rows): void {
    if (columns === null) throw new SvcError('42601', 'RETURN QUERY used with a command that cannot return data');
    const detail =
      this.wanted === null
        ? null
        : difference(
            columns.map(({ type }) => type),
            this.wanted,
          );
    if (detail !== null) throw new SvcError('42804', 'structure of query does not match function result type', { detail });
    for (const values of rows) this.gathered.push({ columns, values, type: null });
    this.#rowCount = rows.length;
    this.#found(rows.length > 0);
  }

  /** A row variable with one field means that field, if the function returns plain values. 42804. */
  #nextOf({ text }: Fragment, value: Value, type: SqlType): { values: readonly Value[]; type: SqlType } {
    const { wanted } = this;
    if (!(value instanceof RecordValue) || this.givesRows || wanted?.length !== 1 || !VARIABLE.test(text)) return { values: [value], type };
    const types = columnsOf(type)?.map((column) => column.type) ?? value.types;
    const detail = difference(types, wanted);
    if (detail !== null) throw new SvcError('42804', 'wrong record type supplied in RETURN NEXT', { detail });
    return { values: value.fields, type: types[0] };
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
      const what = fragment.assignment === undefined ? 'query' : 'assignment source';
      throw inFrame(session, expressionFrame(fragment), () =>
        located(session.frames, new SvcError('42601', `${what} returned ${columns?.length ?? 0} columns`)),
      );
    }
    if (rows.length > 1) throw new SvcError('21000', 'query returned more than one row');
    const [{ type }] = columns;
    const value = rows.length === 0 ? null : rows[0][0];
    return into === null || into === RAW ? { value, type } : { value: converted(session, value, type, into.type, into.typmod), type: into.type };
  }

  *#queried(fragment: Fragment, prepared: Prepared, values: readonly Value[]): Steps<Rows> {
    return yield* inFrameSteps(this.session, expressionFrame(fragment), () => runPrepared(this.session, prepared, values, 2));
  }

  *truth(fragment: Fragment): Steps<boolean> {
    return (yield* this.value(fragment, this.#truth)).value === true;
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
    // Backpressure: waits until the client reads, if it can.
    if (this.session.messages.sink?.backpressure) yield YIELD;
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

/** The number of rows that shows whether there is more than one. */
function mostOf(into: Into | null): number {
  return into === null ? Infinity : 2;
}

const CASE_VALUE = '__case_value';

const comparisons = new WeakMap<Fragment, Fragment>();

/** `WHEN a, b` of a CASE over a value. */
function compared(when: Fragment): Fragment {
  let out = comparisons.get(when);
  if (out === undefined) comparisons.set(when, (out = { text: `"${CASE_VALUE}" IN (${when.text})`, at: when.at }));
  return out;
}

/** The error field of each GET STACKED DIAGNOSTICS item. */
const ITEMS: Readonly<Record<string, string>> = {
  column_name: 'column',
  constraint_name: 'constraint',
  pg_datatype_name: 'type',
  table_name: 'table',
  schema_name: 'schema',
};
