/** Character classes as members of a JS class under the flag u. Letters are Unicode's, digits are 0 to 9. */
const MEMBERS: Record<string, string> = {
  alpha: '\\p{Alphabetic}',
  digit: '0-9',
  alnum: '\\p{Alphabetic}\\p{Nd}',
  word: '\\p{Alphabetic}\\p{Nd}_',
  upper: '\\p{Uppercase}',
  lower: '\\p{Lowercase}',
  // Without no-break spaces.
  space: '\\t-\\r \\u1680\\u2000-\\u2006\\u2008-\\u200a\\u2028\\u2029\\u205f\\u3000',
  blank: '\\t \\u1680\\u2000-\\u2006\\u2008-\\u200a\\u205f\\u3000',
  punct: '!-\\/:-@\\[-`\\{-~\\p{P}\\p{S}',
  cntrl: '\\0-\\x1f\\x7f-\\x9f\\u2028\\u2029',
  graph: '!-~\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}\\p{Cf}\\p{Co}',
  print: ' -~\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}\\p{Cf}\\p{Co}\\p{Zs}',
  xdigit: '0-9A-Fa-f',
  ascii: '\\0-\\x7f',
};

export function classMembers(name: string, ignoreCase: boolean): string | undefined {
  return Object.hasOwn(MEMBERS, name) ? MEMBERS[ignoreCase && (name === 'upper' || name === 'lower') ? 'alpha' : name] : undefined;
}

export const WORD = `[${MEMBERS.word}]`;

/** POSIX's names of collating elements. */
export const NAMED_CHARACTERS: Record<string, string> = {
  NUL: '\0', SOH: '\x01', STX: '\x02', ETX: '\x03', EOT: '\x04', ENQ: '\x05', ACK: '\x06', BEL: '\x07', alert: '\x07', BS: '\b', backspace: '\b',
  HT: '\t', tab: '\t', LF: '\n', newline: '\n', VT: '\v', 'vertical-tab': '\v', FF: '\f', 'form-feed': '\f', CR: '\r', 'carriage-return': '\r',
  ESC: '\x1b', space: ' ', 'exclamation-mark': '!', 'quotation-mark': '"', 'number-sign': '#', 'dollar-sign': '$', 'percent-sign': '%', ampersand: '&',
  apostrophe: "'", 'left-parenthesis': '(', 'right-parenthesis': ')', asterisk: '*', 'plus-sign': '+', comma: ',', hyphen: '-', 'hyphen-minus': '-',
  period: '.', 'full-stop': '.', slash: '/', solidus: '/', zero: '0', one: '1', two: '2', three: '3', four: '4', five: '5', six: '6', seven: '7', eight: '8',
  nine: '9', colon: ':', semicolon: ';', 'less-than-sign': '<', 'equals-sign': '=', 'greater-than-sign': '>', 'question-mark': '?', 'commercial-at': '@',
  'left-square-bracket': '[', backslash: '\\', 'reverse-solidus': '\\', 'right-square-bracket': ']', circumflex: '^', 'circumflex-accent': '^',
  underscore: '_', 'low-line': '_', 'grave-accent': '`', 'left-brace': '{', 'left-curly-bracket': '{', 'vertical-line': '|', 'right-brace': '}',
  'right-curly-bracket': '}', tilde: '~', DEL: '\x7f',
}; // prettier-ignore
