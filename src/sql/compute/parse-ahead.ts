/**
 * Parses long texts on a thread: the grammar takes a second for a statement of some megabytes and would block the event loop. The
 * tree comes in parts, long lists some nodes at a time, since copying it takes time proportional to its size.
 */
import { setTimeout as rest } from 'node:timers/promises';
import type { ParsedStatement } from '../parse/parse.ts';
import type { Hole } from './messages.ts';
import { PARSE } from './messages.ts';
import { Computing } from './threads.ts';

/** Shorter texts take some 10 ms. */
export const LONG_TEXT_MIN = 40_000;
const REST_MS = 1;

/** `checkCancel` throws if the result is no longer needed. Raises the parser's errors. */
export async function parseAhead(text: string, checkCancel: () => void): Promise<readonly ParsedStatement[]> {
  const computing = new Computing(PARSE, false, [text], null);
  const lists: unknown[][] = [];
  try {
    for (;;) {
      checkCancel();
      const answer = computing.answer();
      if (answer === null) await rest(REST_MS);
      else if (answer.type === 'nodes') {
        const list = (lists[answer.list] ??= []);
        for (const node of answer.nodes) list.push(node);
        await new Promise(setImmediate);
      } else if (answer.type === 'parsed') {
        const { statements } = filled(answer.statements as object, lists) as { statements: readonly ParsedStatement[] };
        // Planning the statements alone takes long enough.
        await new Promise(setImmediate);
        return statements;
      }
    }
  } finally {
    computing.close();
  }
}

function filled(root: object, lists: readonly unknown[][]): object {
  const stack: object[] = [root];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    for (const [key, value] of Object.entries(node)) {
      if (typeof value !== 'object' || value === null) continue;
      if ('hole' in value) (node as Record<string, unknown>)[key] = lists[(value as Hole).hole];
      else stack.push(value as object);
    }
  }
  return root;
}
