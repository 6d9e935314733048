/** OPEN, and the direction of FETCH and MOVE. */
import { TOKEN } from '../parse/scanner.ts';
import { parseTarget, type Reader } from './reader.ts';
import type { Direction, Fragment, Statement, Target } from './syntax.ts';

export function parseOpen(reader: Reader, line: number): Statement {
  const cursor = parseTarget(reader);
  const known = reader.checks?.cursor(cursor);
  let scroll: boolean | null = null;
  if (reader.take('no')) {
    reader.expect('scroll');
    scroll = false;
  } else if (reader.take('scroll')) scroll = true;
  const none = { query: null, execute: null, using: [], args: null } as const;
  if (known?.args !== undefined) {
    if (scroll !== null || reader.is('for')) reader.fail();
    cursorArguments(reader, cursor.parts.join('.'), known.args);
  }
  if (!reader.take('for')) {
    if (known !== undefined && known.args === undefined) reader.failAs('syntax error, expected "FOR"');
    const args = reader.is('(') ? reader.until(';') : null;
    return { kind: 'open', cursor, scroll, ...none, args, line };
  }
  if (!reader.take('execute')) return { kind: 'open', cursor, scroll, ...none, query: reader.query(';'), line };
  const execute = reader.expression('using', ';');
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
  for (const word of ['absolute', 'relative'] as const) if (reader.take(word)) return { direction: word, count: reader.expression('from', 'in') };
  for (const word of ['forward', 'backward'] as const) {
    if (!reader.take(word)) continue;
    if (reader.take('all')) return { direction: word, count: null };
    const count: Fragment | number = reader.is('from') || reader.is('in') ? 1 : reader.expression('from', 'in');
    return { direction: word, count };
  }
  // A number alone: that many forward.
  if (reader.kind === TOKEN.number || reader.is('-') || reader.is('+') || reader.is('('))
    return { direction: 'forward', count: reader.expression('from', 'in') };
  return ONE;
}

/** A bound cursor needs each of its arguments exactly once. The reader's position is unchanged. */
export function cursorArguments(reader: Reader, name: string, args: readonly string[]): void {
  if (args.length > 0 && !reader.is('(')) reader.error(`cursor "${name}" has arguments`);
  if (args.length === 0 && reader.is('(')) reader.error(`cursor "${name}" has no arguments`);
  if (args.length === 0) return;
  const from = reader.start;
  const given = new Set<string>();
  reader.next();
  for (let i = 0; i < args.length; i++) {
    const at = reader.start;
    const named = argumentName(reader);
    if (named !== null && !args.includes(named)) reader.error(`cursor "${name}" has no argument named "${named}"`, at);
    const arg = named ?? args[i];
    if (given.has(arg)) reader.error(`value for parameter "${arg}" of cursor "${name}" specified more than once`, at);
    given.add(arg);
    reader.expression(',', ')');
    const last = i === args.length - 1;
    if (reader.is(')') && !last) reader.error(`not enough arguments for cursor "${name}"`);
    if (reader.is(',') && last) reader.error(`too many arguments for cursor "${name}"`);
    reader.next();
  }
  reader.moveTo(from);
}

/** `name :=` or `name =>`; null, and nothing consumed, if there is none. */
function argumentName(reader: Reader): string | null {
  if (!reader.isName) return null;
  const at = reader.start;
  const name = reader.name();
  if (reader.take(':=') || reader.take('=>')) return name;
  reader.moveTo(at);
  return null;
}
