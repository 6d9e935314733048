/** The shell's terminal: size, keys, colours. */
import type { Keyboard } from '../edit/keyboard.ts';
import type { Style } from '../text/style.ts';

export interface Terminal {
  readonly stdout: NodeJS.WriteStream;
  readonly keyboard: Keyboard;
  readonly style: Style;
}

export function columnsOf(stdout: NodeJS.WriteStream): number {
  return Math.max(20, stdout.columns || 80);
}

export function rowsOf(stdout: NodeJS.WriteStream): number {
  return Math.max(4, stdout.rows || 24);
}
