/** Links in the documents lead somewhere, and every document is in the index. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const INDEX = 'docs/README.md';

const DOCUMENTS = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.md'))
  .map((path) => `docs/${path}`)
  .sort();

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** Code is left out: brackets in it are no links. */
function linksIn(text: string): { path: string; anchor: string | undefined }[] {
  const prose = text.replace(/```[\s\S]*?```/g, '').replace(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]*))?\)/g)].map(([, path, anchor]) => ({ path, anchor }));
}

/** As GitHub makes them of headings. */
function anchorsIn(text: string): string[] {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, title]) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

test.each(['README.md', 'CHANGELOG.md', 'SECURITY.md', 'test/slt/README.md', ...DOCUMENTS])('links of %s lead to files and headings that are there', (file) => {
  const broken: string[] = [];
  for (const { path, anchor } of linksIn(read(file))) {
    const target = path === '' ? file : join(dirname(file), path);
    if (!existsSync(join(ROOT, target))) broken.push(path);
    else if (anchor !== undefined && target.endsWith('.md') && !anchorsIn(read(target)).includes(anchor)) broken.push(`${path}#${anchor}`);
  }
  expect(broken).toEqual([]);
});

test('links and headings are found', () => {
  expect(linksIn('[a](b.md#c) `[d](e)` [f](https://g) [h](#i)')).toEqual([
    { path: 'b.md', anchor: 'c' },
    { path: '', anchor: 'i' },
  ]);
  expect(anchorsIn('## Where it differs from Postgres 15\n')).toEqual(['where-it-differs-from-postgres-15']);
});

test('every document is in the index, itself or its folder', () => {
  const listed = new Set(linksIn(read(INDEX)).map(({ path }) => relative(ROOT, resolve(ROOT, dirname(INDEX), path))));
  expect(DOCUMENTS.filter((path) => path !== INDEX && !listed.has(path) && !listed.has(dirname(path)))).toEqual([]);
});
