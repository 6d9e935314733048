/** Display width of text in terminal cells; truncation and padding. */

// oxlint-disable-next-line no-control-regex
const ESCAPES = /\x1b\[[0-9;]*m/g;

/** Ranges that terminals draw two cells wide (East Asian Wide and Fullwidth, emoji). */
const WIDE: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xa000, 0xa4cf],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x1f300, 0x1f64f],
  [0x1f680, 0x1f6ff],
  [0x1f900, 0x1f9ff],
  [0x20000, 0x3fffd],
];
const MARK = /^[\p{Mn}\p{Me}\p{Cf}]$/u;

export function characterWidth(character: string): number {
  const code = character.codePointAt(0)!;
  if (code < 0x300) return code < 32 || (code >= 0x7f && code < 0xa0) ? 0 : 1;
  if (MARK.test(character)) return 0;
  for (const [from, to] of WIDE) if (code >= from && code <= to) return 2;
  return 1;
}

/** Without colours and weights. */
export function plainText(text: string): string {
  return text.replaceAll(ESCAPES, '');
}

/** Colour codes have no width. */
export function textWidth(text: string): number {
  // oxlint-disable-next-line no-control-regex
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let width = 0;
  for (const character of text.replaceAll(ESCAPES, '')) width += characterWidth(character);
  return width;
}

/** The start of a text without colours, with `…` if truncated. */
export function cut(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  if (width <= 0) return '';
  let taken = 0;
  let out = '';
  for (const character of text) {
    const own = characterWidth(character);
    if (taken + own > width - 1) break;
    taken += own;
    out += character;
  }
  return `${out}…`;
}

/** Truncates a line with colours; open styles are closed. */
export function cutLine(line: string, width: number): string {
  if (textWidth(line) <= width) return line;
  let taken = 0;
  let out = '';
  // oxlint-disable-next-line no-control-regex
  for (const [part, escape] of line.matchAll(/(\x1b\[[0-9;]*m)|[^]/gu)) {
    if (escape !== undefined) {
      out += escape;
      continue;
    }
    const own = characterWidth(part);
    if (taken + own > width - 1) break;
    taken += own;
    out += part;
  }
  return `${out}…${out.includes('\x1b') ? '\x1b[0m' : ''}`;
}

export function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - textWidth(text)));
}

export function padStart(text: string, width: number): string {
  return ' '.repeat(Math.max(0, width - textWidth(text))) + text;
}

/** Wraps words to lines of a width; longer words are broken. */
export function wrapWords(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const paragraph of text.split('\n')) {
    let line = '';
    for (let word of paragraph.split(' ')) {
      if (line !== '' && textWidth(line) + 1 + textWidth(word) > width) {
        lines.push(line);
        line = '';
      }
      while (textWidth(word) > width && width > 1) {
        const head = cut(word, width + 1).slice(0, -1) || word.slice(0, 1);
        lines.push(head);
        word = word.slice(head.length);
      }
      line = line === '' ? word : `${line} ${word}`;
    }
    lines.push(line);
  }
  return lines;
}
