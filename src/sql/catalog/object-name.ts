/** Parsing of names for the reg… types and functions like to_regclass: `a.b`, optionally quoted. */
import { SvcError } from '../../base/errors/svc-error.ts';

/** Parts of a dotted name; 42602 for anything else. */
export function splitName(text: string): string[] {
  const parts: string[] = [];
  // An unquoted part may contain any other characters: Postgres does not check that they form an identifier.
  const pattern = /\s*(?:"((?:[^"]|"")+)"|([^".\s][^.\s]*))\s*(\.|$)/y;
  const trimmed = text.trim();
  for (;;) {
    const found = pattern.exec(trimmed);
    if (found === null) throw new SvcError('42602', 'invalid name syntax');
    parts.push(found[1] === undefined ? found[2].toLowerCase() : found[1].replaceAll('""', '"'));
    if (found[3] === '') return parts;
  }
}

/** `name(type, …)` as the name's text and the types' texts; null without parentheses. */
export function splitSignature(text: string): { name: string; args: string[] } | null {
  const open = topLevel(text, '(');
  const trimmed = text.trimEnd();
  if (open < 0 || !trimmed.endsWith(')')) return null;
  const inner = trimmed.slice(open + 1, -1);
  const args: string[] = [];
  let depth = 0;
  let quoted = false;
  let start = 0;
  for (let i = 0; i <= inner.length; i++) {
    const char = inner[i];
    if (char === '"') quoted = !quoted;
    if (quoted) continue;
    if (char === '(') depth++;
    else if (char === ')') depth--;
    else if ((char === ',' && depth === 0) || char === undefined) {
      args.push(inner.slice(start, i).trim());
      start = i + 1;
    }
  }
  return { name: text.slice(0, open).trim(), args: args.length === 1 && args[0] === '' ? [] : args };
}

function topLevel(text: string, wanted: string): number {
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '"') quoted = !quoted;
    else if (!quoted && text[i] === wanted) return i;
  }
  return -1;
}
