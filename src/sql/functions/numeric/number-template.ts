/** Templates of to_char and to_number for numbers (manual, table 9.30), parsed once and cached. */
import { SvcError } from '../../../base/errors/svc-error.ts';

export type Token = { readonly key: string; readonly text: '' } | { readonly key: 'literal'; readonly text: string };

/** A parsed template. Digit counts are before the point, after it, and after V. */
export class Template {
  readonly tokens: Token[] = [];
  pre = 0;
  post = 0;
  multi = 0;
  /** Digits before the first 0, and all digits up to the last 0. */
  zeroStart = 0;
  zeroEnd = 0;
  zero = false;
  decimal = false;
  fill = false;
  sign = false;
  signBefore = false;
  digitsBeforeSign = 0;
  bracket = false;
  minus = false;
  plus = false;
  roman = false;
  blank = false;
  shift = false;
  scientific = false;
}

const KEYS = ['EEEE', 'FM', 'MI', 'PL', 'PR', 'RN', 'SG', 'SP', 'TH', ',', '.', '0', '9', 'B', 'C', 'D', 'G', 'L', 'S', 'V'];

function fail(message: string, detail?: string): never {
  throw new SvcError('42601', message, detail === undefined ? {} : { detail });
}

/** The keyword at a position: upper case, except `rn` and `th`, whose case shows in the output. */
function keyAt(text: string, at: number): { key: string; length: number } | undefined {
  for (const key of KEYS) {
    if (text.startsWith(key, at)) return { key, length: key.length };
    const lower = key.toLowerCase();
    if (text.startsWith(lower, at)) return { key: key === 'RN' || key === 'TH' ? lower : key, length: key.length };
  }
  return undefined;
}

function digit(template: Template, key: string): void {
  if (template.bracket) fail(`"${key}" must be ahead of "PR"`);
  if (key === '9') {
    if (template.shift) template.multi++;
    else if (template.decimal) template.post++;
    else template.pre++;
    return;
  }
  if (!template.zero && !template.decimal) {
    template.zero = true;
    template.zeroStart = template.pre + 1;
  }
  if (template.decimal) template.post++;
  else template.pre++;
  template.zeroEnd = template.pre + template.post;
}

function note(template: Template, key: string): void {
  if (template.scientific && key !== 'EEEE') fail('"EEEE" must be the last pattern used');
  switch (key) {
    case '9':
    case '0':
      digit(template, key);
      break;
    case 'B':
      if (template.pre === 0 && template.post === 0 && !template.zero) template.blank = true;
      break;
    case 'D':
    case '.':
      if (template.decimal) fail('multiple decimal points');
      if (template.shift) fail('cannot use "V" and decimal point together');
      template.decimal = true;
      break;
    case 'FM':
      template.fill = true;
      break;
    case 'S':
      if (template.sign) fail('cannot use "S" twice');
      if (template.plus || template.minus || template.bracket) fail('cannot use "S" and "PL"/"MI"/"SG"/"PR" together');
      template.sign = true;
      if (!template.decimal) {
        template.signBefore = true;
        template.digitsBeforeSign = template.pre;
      }
      break;
    case 'MI':
    case 'PL':
    case 'SG':
      if (template.sign) fail(`cannot use "S" and "${key}" together`);
      if (key !== 'PL') template.minus = true;
      if (key !== 'MI') template.plus = true;
      break;
    case 'PR':
      if (template.sign || template.plus || template.minus) fail('cannot use "PR" and "S"/"PL"/"MI"/"SG" together');
      template.bracket = true;
      break;
    case 'RN':
    case 'rn':
      if (template.roman) fail('cannot use "RN" twice');
      template.roman = true;
      break;
    case 'V':
      if (template.decimal) fail('cannot use "V" and decimal point together');
      template.shift = true;
      break;
    case 'EEEE':
      if (template.scientific) fail('cannot use "EEEE" twice');
      if (template.blank || template.fill || template.sign || template.bracket || template.minus || template.plus || template.roman || template.shift) {
        fail('"EEEE" is incompatible with other formats', '"EEEE" may only be used together with digit and decimal point patterns.');
      }
      template.scientific = true;
      break;
  }
  const other =
    template.decimal ||
    template.sign ||
    template.bracket ||
    template.minus ||
    template.plus ||
    template.shift ||
    template.scientific ||
    template.zero ||
    template.blank;
  if (template.roman && other) fail('"RN" is incompatible with other formats', '"RN" may only be used together with "FM".');
}

function parse(text: string): Template {
  const template = new Template();
  let at = 0;
  const literal = (): void => {
    const character = String.fromCodePoint(text.codePointAt(at) as number);
    template.tokens.push({ key: 'literal', text: character });
    at += character.length;
  };
  while (at < text.length) {
    const found = keyAt(text, at);
    if (found !== undefined) {
      template.tokens.push({ key: found.key, text: '' });
      note(template, found.key);
      at += found.length;
    } else if (text[at] === '"') {
      at++;
      while (at < text.length && text[at] !== '"') {
        if (text[at] === '\\' && at + 1 < text.length) at++;
        literal();
      }
      at++;
    } else {
      // Outside quotes a backslash matters before a quote only.
      if (text[at] === '\\' && text[at + 1] === '"') at++;
      literal();
    }
  }
  return template;
}

const KEPT = new Map<string, Template>();
const KEPT_MAX = 200;

export function numberTemplate(text: string): Template {
  let template = KEPT.get(text);
  if (template === undefined) {
    template = parse(text);
    if (KEPT.size >= KEPT_MAX) KEPT.clear();
    KEPT.set(text, template);
  }
  return template;
}

const ROMAN: readonly (readonly [number, string])[] = [
  [1000, 'M'],
  [900, 'CM'],
  [500, 'D'],
  [400, 'CD'],
  [100, 'C'],
  [90, 'XC'],
  [50, 'L'],
  [40, 'XL'],
  [10, 'X'],
  [9, 'IX'],
  [5, 'V'],
  [4, 'IV'],
  [1, 'I'],
];

export const ROMAN_LENGTH = 15;

/** Signs of overflow outside 1 … 3999. */
export function toRoman(value: number): string {
  if (!(value >= 1 && value <= 3999)) return '#'.repeat(ROMAN_LENGTH);
  let rest = value;
  let result = '';
  for (const [amount, letters] of ROMAN) {
    while (rest >= amount) {
      result += letters;
      rest -= amount;
    }
  }
  return result;
}
