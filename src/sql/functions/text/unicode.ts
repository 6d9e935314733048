/** Unicode normal forms and escapes. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import type { FunctionModule } from '../define.ts';
import { scalar } from './declare.ts';

function checkForm(form: string): string {
  const upper = form.toUpperCase();
  if (upper === 'NFC' || upper === 'NFD' || upper === 'NFKC' || upper === 'NFKD') return upper;
  throw new SvcError('22023', `invalid normalization form: ${form}`);
}

const ESCAPE = /\\(?:\\|([0-9a-fA-F]{4})|\+([0-9a-fA-F]{6})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))/y;

function surrogatePair(): never {
  throw new SvcError('42601', 'invalid Unicode surrogate pair');
}

function unistr(text: string): string {
  let result = '';
  let lead = 0;
  let at = 0;
  while (at < text.length) {
    let point: number | undefined;
    let literal = '';
    if (text[at] === '\\') {
      ESCAPE.lastIndex = at;
      const match = ESCAPE.exec(text);
      if (match === null) {
        throw new SvcError('42601', 'invalid Unicode escape', { hint: 'Unicode escapes must be \\XXXX, \\+XXXXXX, \\uXXXX, or \\UXXXXXXXX.' });
      }
      at += match[0].length;
      const digits = match[1] ?? match[2] ?? match[3] ?? match[4];
      if (digits === undefined) literal = '\\';
      else {
        point = Number.parseInt(digits, 16);
        if (point === 0 || point > 0x10ffff) throw new SvcError('22023', `invalid Unicode code point: ${point.toString(16).toUpperCase().padStart(4, '0')}`);
      }
    } else literal = text[at++] as string;
    if (lead !== 0) {
      if (point === undefined || point < 0xdc00 || point > 0xdfff) surrogatePair();
      result += String.fromCharCode(lead, point);
      lead = 0;
    } else if (point === undefined) result += literal;
    else if (point >= 0xd800 && point <= 0xdbff) lead = point;
    else if (point >= 0xdc00 && point <= 0xdfff) surrogatePair();
    else result += String.fromCodePoint(point);
  }
  if (lead !== 0) surrogatePair();
  return result;
}

export const unicode: FunctionModule = {
  functions: [
    {
      ...scalar('normalize', ['text', 'text'], 'text', 'The text in a normal form: NFC, NFD, NFKC or NFKD.', (text: string, form = 'NFC') =>
        text.normalize(checkForm(form)),
      ),
      optional: 1,
    },
    {
      ...scalar(
        'is_normalized',
        ['text', 'text'],
        'bool',
        'Whether the text is in a normal form.',
        (text: string, form = 'NFC') => text.normalize(checkForm(form)) === text,
      ),
      optional: 1,
    },
    scalar('unicode_assigned', ['text'], 'bool', 'Whether all characters are assigned.', (text: string) => !/\p{Cn}/u.test(text)),
    scalar('unistr', ['text'], 'text', 'The text with Unicode escapes replaced.', unistr),
  ],
};
