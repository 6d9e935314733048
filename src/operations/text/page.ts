/** How a reply says how to get the rest. */
import { bounded } from '../../base/bounded-text.ts';
import { tokensFor, TOKENS_MAX } from './table.ts';

/** The rows that fit after `offset`, and how to continue. */
export const continueFrom =
  (offset: number): ((shown: number) => string) =>
  (shown) =>
    shown === 0 ? 'call again with a higher limit or max_tokens' : `call again with offset ${offset + shown}`;

/** A text within `room` characters; `whole` says how else to get what is cut. */
export function cutText(text: string, room: number, whole = ''): string {
  if (text.length <= room) return text;
  const wanted = tokensFor(text.length);
  const ways = [wanted <= TOKENS_MAX ? `call again with max_tokens ${wanted}` : '', whole].filter((way) => way !== '');
  return `${bounded(text, room)}\nmore: ${room} of ${text.length} characters are shown; ${ways.length === 0 ? 'read parts with the tool sql (substr)' : ways.join(', or ')}`;
}

/** Lines within `room` characters, whole ones as far as they fit. */
export function cutLines(lines: readonly string[], room: number, more: (shown: number) => string): string {
  const out: string[] = [];
  let length = 0;
  for (const line of lines) {
    if (length + line.length > room && out.length > 0) break;
    out.push(line);
    length += line.length + 1;
  }
  if (out.length < lines.length) out.push(`more: ${lines.length - out.length} lines are not shown; ${more(out.length)}`);
  return out.join('\n');
}
