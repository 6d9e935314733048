/** Values as shown in one line of a terminal. Control characters are escaped. */
import { exactJsonText } from '../../base/exact-json.ts';
import type { Json } from '../../commands/contract.ts';

/** Escapes line breaks, tabs and other control characters (C0, DEL, C1). */
export function visible(text: string): string {
  // oxlint-disable-next-line no-control-regex
  if (!/[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]/.test(text)) return text;
  // oxlint-disable-next-line no-control-regex
  return text.replaceAll(/[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, (control) => {
    if (control === '\n') return '↵';
    if (control === '\t') return '→';
    const code = control.charCodeAt(0);
    return code < 256 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16)}`;
  });
}

/** A value of a JSON row; text unchanged, everything else as JSON. */
export function jsonCell(value: Json | undefined): string {
  if (value === undefined) return '';
  return visible(typeof value === 'string' ? value : exactJsonText(value));
}
