/** A compiled regular expression: matching and match positions. Compiled ones are cached. */
import { SvcError } from '../../../../base/errors/svc-error.ts';
import { Divider } from './divide-match.ts';
import { PLAIN_OPTIONS, parseRegexp, withLetter, type Options } from './parse.ts';
import { spansAgree } from './spans-agree.ts';
import { some, type Parsed } from './syntax.ts';
import { freeLength, withinLimit } from './time-limit.ts';
import { toJavaScript } from './to-javascript.ts';

/** Start and end of the match, then of each group (-1 if it did not participate), in units of the string. */
export type Spans = readonly number[];

export class Regexp {
  readonly groups: number;
  readonly #parsed: Parsed;
  readonly #test: RegExp;
  readonly #looksBehind: boolean;
  readonly #freeLength: number;
  #search: RegExp | undefined;
  #divider: Divider | undefined;

  constructor(pattern: string, options: Options) {
    this.#parsed = parseRegexp(pattern, options);
    this.groups = this.#parsed.groups;
    this.#test = this.#compile('');
    this.#freeLength = freeLength(this.#parsed.root);
    this.#looksBehind = this.#test.source.includes('(?<');
  }

  #compile(flags: string): RegExp {
    const source = toJavaScript(this.#parsed.root);
    try {
      return new RegExp(source === '' ? '(?:)' : source, (this.#parsed.ignoreCase ? 'iu' : 'u') + flags);
    } catch {
      throw new SvcError('2201B', 'invalid regular expression: regular expression is too complex');
    }
  }

  test(text: string): boolean {
    return text.length > this.#freeLength ? withinLimit(() => this.#plainTest(text)) : this.#plainTest(text);
  }

  #plainTest(text: string): boolean {
    return this.#looksBehind ? this.#plainExec(text, 0) !== null : this.#test.test(text);
  }

  /** The leftmost match at or after a position. */
  exec(text: string, from: number): Spans | null {
    if (text.length - from <= this.#freeLength) return this.#plainExec(text, from);
    try {
      return withinLimit(() => this.#plainExec(text, from));
    } catch (error) {
      // A search that was aborted must not be continued.
      this.#search = undefined;
      throw error;
    }
  }

  #plainExec(text: string, from: number): Spans | null {
    if (this.#search === undefined) {
      const { root, groups, ignoreCase } = this.#parsed;
      const agrees = spansAgree(root) || some(root, (node) => node.kind === 'back');
      if (!agrees) this.#divider = new Divider(root, groups, ignoreCase);
      this.#search = this.#compile(agrees && groups > 0 ? 'dg' : 'g');
    }
    const search = this.#search;
    search.lastIndex = from;
    let match = search.exec(text);
    // V8's lookbehind also starts within a surrogate pair, and then finds matches that begin there.
    while (this.#looksBehind && match !== null && insidePair(text, match.index)) {
      search.lastIndex = match.index + 1;
      match = search.exec(text);
    }
    if (match === null) return null;
    if (this.#divider !== undefined) return this.#divider.divide(text, match.index);
    const spans = [match.index, match.index + match[0].length];
    if (this.groups > 0) {
      const { indices } = match;
      for (let group = 1; group <= this.groups; group++) {
        const span = indices?.[group];
        if (span === undefined) spans.push(-1, -1);
        else spans.push(span[0], span[1]);
      }
    }
    return spans;
  }
}

function insidePair(text: string, index: number): boolean {
  return index > 0 && (text.charCodeAt(index) & 0xfc00) === 0xdc00 && (text.charCodeAt(index - 1) & 0xfc00) === 0xd800;
}

/** Where the search continues after an empty match. */
export function afterCharacter(text: string, index: number): number {
  return index + ((text.charCodeAt(index) & 0xfc00) === 0xd800 ? 2 : 1);
}

export interface Flags {
  readonly options: Options;
  readonly global: boolean;
}

const KEPT_MAX = 500;
const FLAGS = new Map<string, Flags>();

export function parseFlags(flags: string): Flags {
  let parsed = FLAGS.get(flags);
  if (parsed === undefined) {
    let options = PLAIN_OPTIONS;
    let global = false;
    for (const letter of flags) {
      if (letter === 'g') global = true;
      else {
        const next = withLetter(options, letter);
        if (next === undefined) throw new SvcError('22023', `invalid regular expression option: "${letter}"`);
        options = next;
      }
    }
    parsed = { options, global };
    if (FLAGS.size >= KEPT_MAX) FLAGS.clear();
    FLAGS.set(flags, parsed);
  }
  return parsed;
}

export const IGNORE_CASE: Options = { ...PLAIN_OPTIONS, ignoreCase: true };

let kept = new WeakMap<Options, Map<string, Regexp>>();
let keptCount = 0;
let lastPattern: string | undefined;
let lastOptions: Options | undefined;
let lastRegexp: Regexp | undefined;

export function regexp(pattern: string, options: Options): Regexp {
  if (pattern === lastPattern && options === lastOptions) return lastRegexp as Regexp;
  let same = kept.get(options);
  if (same === undefined) kept.set(options, (same = new Map<string, Regexp>()));
  let compiled = same.get(pattern);
  if (compiled === undefined) {
    compiled = new Regexp(pattern, options);
    if (++keptCount > KEPT_MAX) {
      kept = new WeakMap();
      same = new Map<string, Regexp>();
      kept.set(options, same);
      keptCount = 1;
    }
    same.set(pattern, compiled);
  }
  lastPattern = pattern;
  lastOptions = options;
  lastRegexp = compiled;
  return compiled;
}
