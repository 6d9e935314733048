/** Recipes and maps stay true: the files that they name are there, and they stay short enough to be read. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');

const LINES_MAX = 150;
const WORDS_MAX = 700;

function pagesIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`);
}

const RECIPES = pagesIn('docs/howto');
const INTERNALS = pagesIn('docs/internals');
const MAPS = [...RECIPES, ...INTERNALS, ...pagesIn('docs/formats'), 'docs/ARCHITECTURE.md', 'docs/CONTRIBUTING.md', 'docs/limitations.md', 'docs/README.md'];

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** Paths in backticks; those with `<name>` or `*` are placeholders. */
function pathsIn(text: string): string[] {
  return [...text.matchAll(/`((?:src|test|docs|projections|fixtures)\/[^`\s]*)`/g)].map(([, path]) => path).filter((path) => !/[<>*…]/.test(path));
}

test.each(MAPS)('%s names files that are there', (page) => {
  expect(pathsIn(read(page)).filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

test('a path that is not there would be found', () => {
  expect(pathsIn('`src/a.ts`, `src/<name>.ts`, `projections/b/` and `test/c.test.ts`')).toEqual(['src/a.ts', 'projections/b/', 'test/c.test.ts']);
});

test.each(RECIPES)('%s names a test to add to and source files to change', (page) => {
  const paths = pathsIn(read(page));
  expect(paths.filter((path) => path.endsWith('.test.ts'))).not.toEqual([]);
  expect(paths.filter((path) => /^(src|projections)\/.*\.ts$/.test(path))).not.toEqual([]);
});

test.each(RECIPES)('%s has a command that checks', (page) => {
  expect(read(page)).toMatch(/^## Check\n\n```sh\n/m);
});

test.each(INTERNALS)('%s is short, and says what to open first and which tests there are', (page) => {
  const text = read(page);
  expect(text.split('\n').length).toBeLessThanOrEqual(LINES_MAX + 1);
  expect(text).toMatch(/^Open first: /m);
  expect(text).toMatch(/^## Tests$/m);
});

test('the architecture is one page', () => {
  expect(read('docs/ARCHITECTURE.md').split(/\s+/).length).toBeLessThanOrEqual(WORDS_MAX);
});
