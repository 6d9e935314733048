/** Which records of a folder's files are left out: `skip.json` at its root, `{ "file": [line, …] }`, names without `.gz`. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

export interface SkipList {
  root: string;
  lines: Map<string, ReadonlySet<number>>;
}

/** Looks for the list in the folder and above it. */
export function findSkipList(path: string): SkipList | null {
  for (let folder = resolve(path); dirname(folder) !== folder; folder = dirname(folder)) {
    const list = join(folder, 'skip.json');
    if (!existsSync(list)) continue;
    const entries = Object.entries(JSON.parse(readFileSync(list, 'utf8')) as Record<string, number[]>);
    return { root: folder, lines: new Map(entries.map(([file, lines]) => [file, new Set(lines)])) };
  }
  return null;
}

export function skippedLines(list: SkipList | null, path: string): ReadonlySet<number> {
  if (list === null) return new Set();
  return list.lines.get(relative(list.root, resolve(path)).replace(/\.gz$/, '')) ?? new Set();
}
