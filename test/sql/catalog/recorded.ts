/** Queries of clients as they were recorded: `--: client or command`, then each query behind `--;`. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Recorded {
  readonly command: string;
  readonly sql: string;
}

export const RECORDED_FILES = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.sql'));

export function recorded(file: string): Recorded[] {
  const out: Recorded[] = [];
  let command = '';
  let lines: string[] = [];
  const end = (): void => {
    if (lines.some((line) => line.trim() !== '')) out.push({ command, sql: lines.join('\n') });
    lines = [];
  };
  for (const line of readFileSync(join(import.meta.dirname, file), 'utf8').split('\n')) {
    if (line === '--;') end();
    else if (line.startsWith('--: ')) {
      end();
      command = line.slice(4);
    } else lines.push(line);
  }
  end();
  return out;
}
