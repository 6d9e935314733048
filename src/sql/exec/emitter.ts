/**
 * Writes the JavaScript of one pipeline. Code is a list of statements in nested blocks; what a block computed can be reused inside
 * it, not after it. Values that are constant during a chunk of rows are loaded once at the start of the function (`hoist`);
 * constants of the plan live outside of it.
 *
 *   const k0 = K[0], { addInt8 } = R;
 *   return function (S, c) { <hoisted> <loop> <epilogue> }
 *
 * Code that may work long on one row pauses in between: the function is then a generator, and a pause is the epilogue, `yield`, and
 * the hoisted loads again, since the output batch may have been handed on.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import { TextCache } from '../../base/text-cache.ts';
import { RUNTIME, type RuntimeName } from './runtime.ts';

type Make = (constants: readonly unknown[], runtime: typeof RUNTIME) => unknown;

const made = new TextCache<Make>(2000, 8_000_000);

const PAUSE = '/*pause*/ ';
const WAY = '/*way*/ ';
const LONG = '/*long*/ ';
/** If the loads after all pauses are more than this, they become functions. */
const LOADS_MAX = 4000;

const LINES_LONG = 2000;

function isPause(line: string): boolean {
  return line.startsWith(PAUSE) || line.startsWith(LONG) || line.startsWith(WAY);
}

export class Emitter {
  readonly #lines: string[] = [];
  readonly #before: string[] = [];
  readonly #hoisted: { readonly name: string; readonly source: string; readonly mutable: boolean }[] = [];
  readonly #epilogue: string[] = [];
  readonly #hoistedNames = new Map<string, string>();
  readonly #constants: unknown[] = [];
  readonly #constantNames = new Map<unknown, string>();
  readonly #runtime = new Set<string>();
  readonly #memos: Map<unknown, unknown>[] = [new Map()];
  #names = 0;
  /** Whether the caller of the function can yield. */
  readonly mayPause: boolean;
  /** It pauses: always at fixed places, or at yield points (`way`) on request. */
  pauses = false;
  /** It also pauses elsewhere than at calls on threads, which are few. */
  pausesOften = false;
  hasWays = false;
  /** Nesting of calls of the expression compiler, see `expression.ts`. */
  depth = 0;

  constructor(mayPause = false) {
    this.mayPause = mayPause;
  }

  /** Compiling it to machine code takes longer than a turn. */
  get isLong(): boolean {
    return this.#lines.length > LINES_LONG;
  }

  fresh(prefix: string): string {
    return `${prefix}${this.#names++}`;
  }

  line(text: string): void {
    this.#lines.push(text);
  }

  /** Replaces lines that were written before. */
  replace(lines: ReadonlyMap<string, string>): void {
    for (let i = 0; i < this.#lines.length; i++) this.#lines[i] = lines.get(this.#lines[i]) ?? this.#lines[i];
  }

  open(header: string): void {
    this.#lines.push(`${header} {`);
    this.#memos.push(new Map());
  }

  close(): void {
    this.#lines.push('}');
    this.#memos.pop();
  }

  /** The cached result of an enclosing block. */
  memo<T>(key: unknown): T | undefined {
    for (let i = this.#memos.length - 1; i >= 0; i--) {
      const found = this.#memos[i].get(key);
      if (found !== undefined) return found as T;
    }
    return undefined;
  }

  remember(key: unknown, value: unknown): void {
    this.#memos[this.#memos.length - 1].set(key, value);
  }

  /** A variable that is set once per chunk; `key` names what it holds. */
  hoist(key: string, source: string, mutable = false): string {
    const found = this.#hoistedNames.get(key);
    if (found !== undefined) return found;
    const name = this.fresh('h');
    this.#hoistedNames.set(key, name);
    this.#hoisted.push({ name, source, mutable });
    return name;
  }

  /** The variable that was hoisted under this key. */
  memoised(key: string): string | undefined {
    return this.#hoistedNames.get(key);
  }

  /** State number `n` of the run. */
  state(n: number): string {
    return this.hoist(`state ${n}`, `S[${n}]`);
  }

  /** A statement before the loop. */
  before(text: string): void {
    this.#before.push(text);
  }

  /** A pause. `work`: the generator's step, and the assignment of its result. */
  pause(work = 'yield'): void {
    this.pauses = this.pausesOften = true;
    this.#lines.push(`${PAUSE}${work};`);
  }

  /** A pause while a thread runs a call. A function without pauses throws `LONG_CALL` here, and is replaced by one with pauses. */
  pauseLong(work: string): void {
    this.pauses = true;
    this.#lines.push(`${LONG}${work};`);
    this.runtime('throwLong');
  }

  /** A yield point: pauses if the condition holds and the function can. */
  yieldPoint(condition: string): void {
    this.hasWays = true;
    this.#lines.push(`${WAY}${condition}`);
  }

  /** A statement after the loop; `first`: before the existing ones. */
  after(text: string, first = false): void {
    if (first) this.#epilogue.unshift(text);
    else this.#epilogue.push(text);
  }

  constant(value: unknown): string {
    let name = this.#constantNames.get(value);
    if (name === undefined) {
      name = `k${this.#constants.length}`;
      this.#constants.push(value);
      this.#constantNames.set(value, name);
    }
    return name;
  }

  runtime(name: RuntimeName): string {
    this.#runtime.add(name);
    return name;
  }

  /** The body with its head, for tests and inspection. */
  source(args: string, result = '', pauses = this.pauses): string {
    const constants = this.#constants.map((_, i) => `k${i} = K[${i}]`);
    if (this.#runtime.size > 0) constants.push(`{ ${[...this.#runtime].join(', ')} } = R`);
    const loads = this.#hoisted.map(({ name, source }) => `${name} = ${source};`);
    // Written at each pause, they would number pauses times hoisted loads.
    const reloads = pauses && loads.length * this.#lines.filter(isPause).length > LOADS_MAX;
    const load = reloads ? 'reload();' : loads.join(' ');
    const pause = (work: string): string => [...this.#epilogue, work, load].join(' ');
    const lines = pauses
      ? this.#lines.map((line) =>
          line.startsWith(PAUSE) || line.startsWith(LONG)
            ? pause(line.slice(line.startsWith(PAUSE) ? PAUSE.length : LONG.length))
            : line.startsWith(WAY)
              ? `if (${line.slice(WAY.length)}) { ${pause('yield;')} }`
              : line,
        )
      : this.#lines.filter((line) => !line.startsWith(WAY)).map((line) => (line.startsWith(LONG) ? 'throwLong();' : line));
    return [
      '"use strict";',
      constants.length > 0 ? `const ${constants.join(', ')};` : '',
      `return function${pauses ? '*' : ''} pipeline(${args}) {`,
      ...this.#before,
      ...this.#hoisted.map(({ name, source, mutable }) => `${mutable || pauses ? 'let' : 'const'} ${name} = ${source};`),
      reloads ? `const reload = () => { ${loads.join(' ')} };` : '',
      ...lines,
      ...this.#epilogue,
      result === '' ? '' : `return ${result};`,
      '};',
    ].join('\n');
  }

  /** Writes the source for `build` in advance: of long code it takes a third of the time. */
  writeSource(args: string, result: string, pauses: boolean): void {
    this.#written = { pauses, source: this.source(args, result, pauses) };
  }
  #written: { readonly pauses: boolean; readonly source: string } | null = null;

  /**
   * 54001 if the code nests deeper than the parser allows. `over`: what it works on; equal code over the same is compiled once, so
   * that a statement with another literal runs optimised code.
   */
  build<F>(args: string, result = '', pauses = this.pauses, over: string | null = null): F {
    const source = this.#written?.pauses === pauses ? this.#written.source : this.source(args, result, pauses);
    this.#written = null;
    const key = over === null ? null : `${over}\n${source}`;
    let make = key === null ? undefined : made.get(key);
    if (make === undefined) {
      // oxlint-disable-next-line no-new-func, no-implied-eval
      make = withinStack(() => new Function('K', 'R', source) as Make);
      if (key !== null) made.set(key, make);
    }
    return make(this.#constants, RUNTIME) as F;
  }
}

/** A stack overflow while compiling is an error of the statement. */
export function withinStack<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new SvcError('54001', 'stack depth limit exceeded', { cause: error });
  }
}
