/** `a."B c".d` as its parts, folded as SQL folds names. */
import { SvcError } from '../../base/errors/svc-error.ts';

export function splitDotted(text: string): string[] {
  const parts: string[] = [];
  let at = 0;
  const bad = (): SvcError => new SvcError('42602', 'invalid name syntax');
  for (;;) {
    while (/\s/.test(text[at] ?? '')) at++;
    if (text[at] === '"') {
      let part = '';
      for (at++; ; at++) {
        if (at >= text.length) throw bad();
        if (text[at] === '"') {
          if (text[at + 1] !== '"') break;
          at++;
        }
        part += text[at];
      }
      at++;
      parts.push(part);
    } else {
      const found = /^[^\s."]+/.exec(text.slice(at));
      if (found === null) throw bad();
      parts.push(found[0].toLowerCase());
      at += found[0].length;
    }
    while (/\s/.test(text[at] ?? '')) at++;
    if (at >= text.length) return parts;
    if (text[at] !== '.') throw bad();
    at++;
  }
}
