/**
 * V8 matches by trying and going back, which for some expressions takes longer than anybody lives: `(a*)*b` doubles its
 * work with each character. Where the text is long enough for that, the match runs under a watchdog, which costs about
 * 0.1 ms; past the limit it is 54001.
 */
import { createContext, Script } from 'node:vm';
import { isMainThread } from 'node:worker_threads';
import { SvcError } from '../../../../base/errors/svc-error.ts';
import { some, type Node } from './syntax.ts';

/** Steps of the worst case that are taken without a watchdog: some 40 ms. */
const FREE_STEPS = 2e7;
/** Where others wait a match gives itself up soon, and a thread tries it for longer. */
const LIMIT_MS = isMainThread ? 40 : 500;
/** From here on a repeat counts as one without an end. */
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
  // A match may begin anywhere, so the text counts once more; one repeat alone is quadratic.
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
