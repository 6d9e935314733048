/** Identifies svc's own statements by their first words alone, none of which starts a Postgres statement. */
import { Scanner, TOKEN } from '../scanner.ts';

/** Possible first words of a world statement, as a quick test. */
export const WORLD_FIRST_WORDS: ReadonlySet<string> = new Set([
  'create',
  'fork',
  'use',
  'show',
  'drop',
  'alter',
  'diff',
  'merge',
  'rebase',
  'restore',
  'checkpoint',
  'undo',
  'review',
  'notify',
  'claim',
  'ack',
  'retry',
  'simulate',
  'replay',
  'backup',
  'verify',
]);

const SHOWN = new Set(['world', 'worlds', 'metrics', 'agents', 'reviews', 'readers', 'history', 'audit']);

export function startsWorldStatement(text: string, start: number): boolean {
  const scanner = new Scanner(text, start);
  const next = (): string => (scanner.next() === TOKEN.word ? scanner.lexeme.toLowerCase() : '');
  const first = next();
  const second = next();
  const secondKind = scanner.kind;
  switch (first) {
    case 'create':
    case 'drop':
      if (first === 'create' && second === 'or') return next() === 'replace' && next() === 'merge' && next() === 'check';
      return second === 'world' || second === 'agent' || second === 'reader' || (second === 'merge' && isOneOf(next(), 'policy', 'check'));
    case 'alter':
      return second === 'world' || second === 'agent' || (second === 'merge' && next() === 'policy');
    case 'show':
      if (second === 'merge') return isOneOf(next(), 'policies', 'checks', 'outcomes');
      // `SHOW world.setting` is a custom setting.
      return SHOWN.has(second) && (scanner.next() !== TOKEN.punctuation || scanner.lexeme !== '.');
    case 'merge':
    case 'diff':
    case 'rebase':
    case 'restore':
    case 'review':
    case 'replay':
      return second === 'world';
    case 'backup':
      return second === 'to';
    case 'undo':
      return isOneOf(second, 'merge', 'agent');
    case 'notify':
      return second === 'on' && next() === 'merge';
    case 'claim':
    case 'ack':
    case 'retry':
      return second === 'outbox';
    case 'checkpoint':
      return isNameStart(secondKind);
    case 'fork':
    case 'use':
      return isNameStart(secondKind);
    case 'verify':
      return secondKind === TOKEN.end || (secondKind === TOKEN.punctuation && scanner.lexeme === ';');
    case 'simulate':
      return secondKind === TOKEN.number;
    default:
      return false;
  }
}

function isOneOf(word: string, a: string, b: string, c = a): boolean {
  return word === a || word === b || word === c;
}

function isNameStart(kind: number): boolean {
  return kind === TOKEN.word || kind === TOKEN.quotedName || kind === TOKEN.number || kind === TOKEN.string;
}
