/**
 * V8 matches by backtracking, which is exponential for some expressions: `(a*)*b` doubles its work with each character. If the text
 * is long enough for that, the match runs under a watchdog, which costs about 0.1 ms; past the limit it is 54001.
 */
import { createContext, Script } from 'node:vm';
import { isMainThread } from 'node:worker_threads';
import { SvcError } from '../../../../base/errors/svc-error.ts';
import { some, type Node } from './syntax.ts';

/** Worst-case steps without a watchdog: some 40 ms. */
const FREE_STEPS = 2e7;
/** On the main thread a match stops soon, and a thread repeats it with a longer limit. */
const LIMIT_MS = isMainThread ? 40 : 500;
/** A repeat of at least this many counts as unbounded. */
const MANY = 16;

export class SlowMatch extends SvcError {
  constructor() {
    super('54001', 'the regular expression tries too many ways to match', { hint: 'Repeat nothing that is itself a repeat, or match shorter texts.' });
  }
}

/** The longest text that needs no watchdog. */
export function freeLength(root: Node): number {
  if (some(root, (node) => isRepeat(node) && some(node.body, (inner) => isRepeat(inner) || inner.kind === 'either'))) return 20;
  if (some(root, (node) => node.kind === 'back')) return 100;
  let repeats = 0;
  some(root, (node) => {
    if (isRepeat(node)) repeats++;
    return false;
  });
  // A match may start anywhere, so the text counts once more; one repeat alone is quadratic.
  return repeats === 0 ? Infinity : Math.floor(FREE_STEPS ** (1 / (repeats + 1)));
}

function isRepeat(node: Node): node is Node & { kind: 'repeat' } {
  return node.kind === 'repeat' && node.max > 1 && (node.max >= MANY || node.max > node.min);
}

const holder: { match: () => void } = { match: () => {} };
let context: object | undefined;
const script = new Script('match()');

export function withinLimit<T>(match: () => T): T {
  context ??= createContext(holder);
  let result: T | undefined;
  holder.match = () => {
    result = match();
  };
  try {
    script.runInContext(context, { timeout: LIMIT_MS });
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    throw new SlowMatch();
  }
  return result as T;
}
