/** One language: the words of words.ts may only become fewer, in each folder. `UPDATE=1` writes the counts. */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { AVOIDED, NOT_OURS } from './words.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const COUNTS = join(import.meta.dirname, 'words.json');

const ANY = new RegExp(`\\b(?:${AVOIDED.map(({ pattern }) => pattern).join('|')})\\b`, 'gi');

function filesBelow(path: string): string[] {
  if (!statSync(join(ROOT, path)).isDirectory()) return /\.(ts|md)$/.test(path) ? [path] : [];
  return readdirSync(join(ROOT, path)).flatMap((name) => filesBelow(`${path}/${name}`));
}

/** Two levels deep, and src/sql and test/sql three, so that a failure names a small place. */
function folderOf(file: string): string {
  const parts = file.split('/');
  return parts.slice(0, Math.min(parts.length - 1, parts[1] === 'sql' ? 3 : 2)).join('/') || file;
}

const files = ['src', 'projections', 'test', 'docs', 'README.md'].flatMap(filesBelow).filter((file) => !NOT_OURS.some((path) => file.startsWith(path)));

/** Identifiers split at case and underscores; line breaks of prose joined. */
function readable(text: string): string {
  return text
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/_/g, ' ')
    .replace(/\n\s*(?:\*|\/\/)?\s*/g, ' ');
}

function wordsIn(file: string): string[] {
  return readable(readFileSync(join(ROOT, file), 'utf8')).match(ANY) ?? [];
}

test('no folder gains a word that the glossary avoids', () => {
  const found = new Map<string, number>();
  const byFolder = new Map<string, [string, string[]][]>();
  for (const file of files) {
    const words = wordsIn(file);
    if (words.length === 0) continue;
    const folder = folderOf(file);
    found.set(folder, (found.get(folder) ?? 0) + words.length);
    byFolder.set(folder, [...(byFolder.get(folder) ?? []), [file, words]]);
  }
  const counts = Object.fromEntries([...found].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  if (process.env['UPDATE'] === '1') writeFileSync(COUNTS, `${JSON.stringify(counts, null, 2)}\n`);
  const allowed: Record<string, number> = JSON.parse(readFileSync(COUNTS, 'utf8'));
  const grown: string[] = [];
  for (const [folder, count] of found) {
    if (count <= (allowed[folder] ?? 0)) continue;
    const where = byFolder.get(folder)!.map(([file, words]) => `  ${file}: ${[...new Set(words.map((word) => word.toLowerCase()))].join(', ')}`);
    grown.push(`${folder} has ${count}, ${allowed[folder] ?? 0} are allowed; test/tidy/words.ts says what to use instead\n${where.join('\n')}`);
  }
  expect(grown.join('\n')).toBe('');
  const fewer = Object.keys(allowed).filter((folder) => (found.get(folder) ?? 0) < allowed[folder]);
  if (fewer.length > 0) console.warn(`Fewer words to avoid in ${fewer.join(', ')}: lower the counts with UPDATE=1 npx vitest run test/tidy/words.test.ts`);
});

test('every word is found where it stands, also inside identifiers and over line breaks', () => {
  for (const text of ['toldOf', 'told_of', 'what hangs\n * on it', 'WHOEVER']) expect(readable(text), text).toMatch(new RegExp(ANY.source, 'i'));
  for (const text of ['Promise.allSettled', 'setting-hint', 'toldest']) {
    expect(readable(text), text).not.toMatch(new RegExp(ANY.source, 'i'));
  }
});
