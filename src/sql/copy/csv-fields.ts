/** Fields of a line (which may hold line ends inside quotes) in COPY's csv format. Manual: COPY, CSV Format. */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { CopyOptions } from './copy-options.ts';
import type { FieldParser } from './text-fields.ts';

/** If `marked` is false there is no quote in the line. */
export function csvFields(options: CopyOptions): FieldParser {
  const { delimiter, quote, null: nullText, default: defaultText } = options;
  const delimiterCode = delimiter.charCodeAt(0);
  const quoteCode = quote.charCodeAt(0);
  const escapeCode = options.escape.charCodeAt(0);
  return (text, start, end, marked, fields) => {
    let count = 0;
    let at = start;
    for (;;) {
      let stop = at;
      if (marked) {
        while (stop < end && text.charCodeAt(stop) !== delimiterCode && text.charCodeAt(stop) !== quoteCode) stop++;
      } else {
        stop = text.indexOf(delimiter, at);
        if (stop < 0 || stop > end) stop = end;
      }
      let field = text.slice(at, stop);
      let quoted = false;
      while (stop < end && text.charCodeAt(stop) === quoteCode) {
        quoted = true;
        stop++;
        let from = stop;
        for (;;) {
          if (stop >= end) throw new SvcError('22P04', 'unterminated CSV quoted field');
          const code = text.charCodeAt(stop);
          if (code === escapeCode && stop + 1 < end) {
            const next = text.charCodeAt(stop + 1);
            if (next === escapeCode || next === quoteCode) {
              field += text.slice(from, stop);
              from = stop + 1;
              stop += 2;
              continue;
            }
          }
          if (code === quoteCode) break;
          stop++;
        }
        field += text.slice(from, stop);
        // Text may continue after the closing quote, and quotes may open again.
        from = ++stop;
        while (stop < end && text.charCodeAt(stop) !== delimiterCode && text.charCodeAt(stop) !== quoteCode) stop++;
        field += text.slice(from, stop);
      }
      // A quoted field is longer than a marker of the same text, so it is none.
      fields[count++] = quoted ? field : field === nullText ? null : field === defaultText ? undefined : field;
      if (stop >= end) return count;
      at = stop + 1;
    }
  };
}
