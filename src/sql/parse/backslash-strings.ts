/**
 * Texts of sessions with `standard_conforming_strings` off, where a backslash escapes in plain strings too: each such string is
 * rewritten as a standard one, padded with blanks, so that all positions are kept. Manual, section 4.1.2.2.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import { Scanner, TOKEN } from './scanner.ts';
import { stringValue } from './string-literal.ts';
import { characterPosition } from './text-offsets.ts';

export interface BackslashRules {
  /** For plain strings: `standard_conforming_strings` is off. */
  readonly plain: boolean;
  /** `backslash_quote` is off: `\'` is refused, in E'…' too. */
  readonly refuseQuote: boolean;
  /** Called for the first escape in a plain string; null if warnings are off. */
  readonly warn: ((message: string, hint: string, position: number) => void) | null;
}

/** 22P06 for `\'` if that is refused, 0A000 for U&'…' if plain strings have escapes. */
export function standardStrings(text: string, { plain, refuseQuote, warn }: BackslashRules): string {
  const scanner = new Scanner(text);
  scanner.backslashes = plain;
  let out = '';
  let copied = 0;
  for (let kind = scanner.next(); kind !== TOKEN.end && kind !== TOKEN.unfinished; kind = scanner.next()) {
    if (kind !== TOKEN.string) continue;
    const first = text.charCodeAt(scanner.start) | 32;
    const isPlain = text[scanner.start] === "'";
    const position = (): number => characterPosition(text, scanner.start);
    if (plain && first === 117) {
      throw new SvcError('0A000', 'unsafe use of string constant with Unicode escapes', {
        detail: 'String constants with Unicode escapes cannot be used when standard_conforming_strings is off.',
        position: position(),
      });
    }
    if (!isPlain && first !== 101) continue;
    const written = scanner.lexeme;
    const escape = /\\([^])/.exec(written)?.[1];
    if (escape === undefined) continue;
    if (refuseQuote && /^(?:[^\\]|\\[^'])*\\'/.test(written)) {
      throw new SvcError('22P06', "unsafe use of \\' in a string literal", {
        hint: "Use '' to write quotes in strings. \\' is insecure in client-only encodings.",
        position: position(),
      });
    }
    if (!isPlain) continue;
    if (warn !== null) {
      if (escape === "'")
        warn("nonstandard use of \\' in a string literal", "Use '' to write quotes in strings, or use the escape string syntax (E'...').", position());
      else if (escape === '\\') warn('nonstandard use of \\\\ in a string literal', "Use the escape string syntax for backslashes, e.g., E'\\\\'.", position());
      else warn('nonstandard use of escape in a string literal', "Use the escape string syntax for escapes, e.g., E'\\r\\n'.", position());
    }
    const standard = `'${stringValue(`E${written}`).replaceAll("'", "''")}'`;
    out += text.slice(copied, scanner.start) + standard.padEnd(written.length);
    copied = scanner.end;
  }
  return copied === 0 ? text : out + text.slice(copied);
}
