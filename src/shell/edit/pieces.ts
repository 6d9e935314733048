/**
 * Splits input into pieces: a command is a line; SQL extends to its `;` outside of quotes, comments, parentheses and function
 * bodies, or to a backslash command.
 */
import { Scanner, TOKEN } from '../../sql/parse/scanner.ts';

export interface Piece {
  /** `held`: SQL without a `;` before a psql command in its line that uses it: `SELECT now() \watch`. */
  readonly kind: 'command' | 'sql' | 'held';
  /** Without the `;`. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** SQL with its `;`, or a complete command line. */
  readonly whole: boolean;
}

const SEMICOLON = 59;
const OPEN = 40;
const CLOSE = 41;
const BACKSLASH = 92;

export function pieces(text: string, isCommand: (line: string) => boolean): Piece[] {
  const out: Piece[] = [];
  for (let at = 0; ;) {
    const piece = firstPiece(text, at, isCommand);
    if (piece === null) return out;
    out.push(piece);
    if (!piece.whole) return out;
    at = piece.end;
  }
}

/** The first piece at or after `at`. */
export function firstPiece(text: string, at: number, isCommand: (line: string) => boolean): Piece | null {
  const scanner = new Scanner(text, at);
  for (;;) {
    const kind = scanner.next();
    if (kind === TOKEN.end) return null;
    const { start } = scanner;
    if (scanner.punctuation === SEMICOLON) continue;
    const lineEnd = text.indexOf('\n', start);
    const line = text.slice(start, lineEnd < 0 ? text.length : lineEnd);
    if (kind !== TOKEN.unfinished && isCommand(line)) return { kind: 'command', text: line.trim(), start, end: start + line.length, whole: lineEnd >= 0 };
    const end = statementEnd(scanner);
    const held = text[end] === '\\' && scanner.start === end;
    const whole = scanner.punctuation === SEMICOLON || held;
    return { kind: held ? 'held' : 'sql', text: text.slice(start, end).trimEnd(), start, end: whole && !held ? end + 1 : end, whole };
  }
}

/** Advances the scanner from the first token to the `;` or the end. */
function statementEnd(scanner: Scanner): number {
  let depth = 0;
  let words = 0;
  let routine = false;
  /** BEGIN ATOMIC … END, with nested CASE … END. */
  let blocks = 0;
  let before = '';
  for (let kind = scanner.kind; ; kind = scanner.next()) {
    if (kind === TOKEN.end || kind === TOKEN.unfinished) return scanner.end;
    const code = scanner.punctuation;
    if (code === OPEN) depth++;
    else if (code === CLOSE) depth = Math.max(0, depth - 1);
    else if (code === SEMICOLON && depth === 0 && blocks === 0) return scanner.start;
    // Outside of quotes no statement has a backslash.
    if (scanner.text.charCodeAt(scanner.start) === BACKSLASH && depth === 0) return scanner.start;
    if (kind !== TOKEN.word) continue;
    const word = scanner.lexeme.toLowerCase();
    words++;
    if (words <= 4 && (word === 'function' || word === 'procedure')) routine = true;
    if (routine) {
      if (word === 'atomic' && before === 'begin') blocks++;
      else if (word === 'case' && blocks > 0) blocks++;
      else if (word === 'end' && blocks > 0) blocks--;
    }
    before = word;
  }
}
