/**
 * Cuts what is typed or piped into pieces: a command is a line, SQL goes on to its `;` outside of quotes, comments,
 * parentheses and the bodies of functions.
 */
import { Scanner, TOKEN } from '../../sql/parse/scanner.ts';

export interface Piece {
  readonly kind: 'command' | 'sql';
  /** Without the `;`. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** SQL that has come to its `;`; a command whose line has ended. */
  readonly whole: boolean;
}

const SEMICOLON = 59;
const OPEN = 40;
const CLOSE = 41;

export function pieces(text: string, isCommand: (line: string) => boolean): Piece[] {
  const out: Piece[] = [];
  const scanner = new Scanner(text);
  for (;;) {
    const kind = scanner.next();
    if (kind === TOKEN.end) return out;
    const { start } = scanner;
    if (scanner.punctuation === SEMICOLON) continue;
    const lineEnd = text.indexOf('\n', start);
    const line = text.slice(start, lineEnd < 0 ? text.length : lineEnd);
    if (kind !== TOKEN.unfinished && isCommand(line)) {
      const end = start + line.length;
      out.push({ kind: 'command', text: line.trim(), start, end, whole: lineEnd >= 0 });
      scanner.moveTo(end);
      continue;
    }
    const end = statementEnd(scanner);
    const whole = scanner.punctuation === SEMICOLON;
    out.push({ kind: 'sql', text: text.slice(start, end).trimEnd(), start, end: whole ? end + 1 : end, whole });
    if (!whole) return out;
  }
}

/** Moves the scanner, which stands at the first token, to the `;` or the end. */
function statementEnd(scanner: Scanner): number {
  let depth = 0;
  let words = 0;
  let routine = false;
  /** BEGIN ATOMIC … END, and the CASE … END inside. */
  let blocks = 0;
  let before = '';
  for (let kind = scanner.kind; ; kind = scanner.next()) {
    if (kind === TOKEN.end || kind === TOKEN.unfinished) return scanner.end;
    const code = scanner.punctuation;
    if (code === OPEN) depth++;
    else if (code === CLOSE) depth = Math.max(0, depth - 1);
    else if (code === SEMICOLON && depth === 0 && blocks === 0) return scanner.start;
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
