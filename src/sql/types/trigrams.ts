/**
 * Trigrams of a text (pg_trgm: of each word in lower case, with two blanks before it and one after), and those that every match of a
 * LIKE pattern has. Case is folded character by character, as ILIKE does.
 */
import { lowerCase } from './letter-case.ts';

export function trigramsOf(text: string): Set<string> {
  const out = new Set<string>();
  addTrigrams(out, lowerCase(text), true, true);
  return out;
}

/** A literal part between wildcards; `begins` and `ends`: at the start or end of the pattern. */
interface Stretch {
  readonly text: string;
  readonly begins: boolean;
  readonly ends: boolean;
}

export function trigramsOfPattern(pattern: string): Set<string> {
  const out = new Set<string>();
  for (const { text, begins, ends } of stretches(pattern)) addTrigrams(out, lowerCase(text), begins, ends);
  return out;
}

/** For words with unknown ends only the inner trigrams count. */
function addTrigrams(out: Set<string>, text: string, begins: boolean, ends: boolean): void {
  // oxlint-disable-next-line no-control-regex
  const isAscii = /^[\0-\x7f]*$/.test(text);
  for (const { 0: word, index } of text.matchAll(isAscii ? /[a-z0-9]+/g : /[\p{L}\p{N}]+/gu)) {
    const before = index > 0 || begins ? '  ' : '';
    const behind = index + word.length < text.length || ends ? ' ' : '';
    const padded = `${before}${word}${behind}`;
    if (isAscii) {
      for (let i = 0; i + 3 <= padded.length; i++) out.add(padded.slice(i, i + 3));
      continue;
    }
    const characters = [...padded];
    for (let i = 0; i + 3 <= characters.length; i++) out.add(characters.slice(i, i + 3).join(''));
  }
}

function stretches(pattern: string): Stretch[] {
  const out: Stretch[] = [];
  let text = '';
  let begins = true;
  for (let i = 0; i < pattern.length; i++) {
    const c = pattern[i];
    if (c === '%' || c === '_') {
      out.push({ text, begins, ends: false });
      text = '';
      begins = false;
    } else if (c === '\\' && i + 1 < pattern.length) text += pattern[++i];
    else text += c;
  }
  out.push({ text, begins, ends: true });
  return out;
}
