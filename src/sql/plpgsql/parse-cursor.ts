/** OPEN, and what stands between FETCH or MOVE and its cursor. */
import { parseTarget, type Reader } from './reader.ts';
import type { Direction, Fragment, Statement, Target } from './syntax.ts';

export function parseOpen(reader: Reader, line: number): Statement {
  const cursor = parseTarget(reader);
  let scroll: boolean | null = null;
  if (reader.take('no')) {
    reader.expect('scroll');
    scroll = false;
  } else if (reader.take('scroll')) scroll = true;
  const none = { query: null, execute: null, using: [], args: null } as const;
  if (!reader.take('for')) {
    const args = reader.is('(') ? reader.until(';') : null;
    return { kind: 'open', cursor, scroll, ...none, args, line };
  }
  if (!reader.take('execute')) return { kind: 'open', cursor, scroll, ...none, query: reader.until(';'), line };
  const execute = reader.until('using', ';');
  const using = reader.take('using') ? reader.list(';') : [];
  return { kind: 'open', cursor, scroll, ...none, execute, using, line };
}

const ONE = { direction: 'forward', count: 1 } as const;

/** `NEXT FROM c`, `c`, `RELATIVE -1 IN c`, `FORWARD ALL FROM c`. */
export function parseDirection(reader: Reader): { direction: Direction; cursor: Target } {
  const direction = directionOf(reader);
  if (!reader.take('from')) reader.take('in');
  return { direction, cursor: parseTarget(reader) };
}

function directionOf(reader: Reader): Direction {
  if (reader.take('next')) return ONE;
  if (reader.take('prior')) return { direction: 'backward', count: 1 };
  if (reader.take('first')) return { direction: 'absolute', count: 1 };
  if (reader.take('last')) return { direction: 'absolute', count: -1 };
  if (reader.take('all')) return { direction: 'forward', count: null };
  for (const word of ['absolute', 'relative'] as const) if (reader.take(word)) return { direction: word, count: reader.until('from', 'in') };
  for (const word of ['forward', 'backward'] as const) {
    if (!reader.take(word)) continue;
    if (reader.take('all')) return { direction: word, count: null };
    const count: Fragment | number = reader.is('from') || reader.is('in') ? 1 : reader.until('from', 'in');
    return { direction: word, count };
  }
  return ONE;
}
