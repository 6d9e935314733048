/** Every promise of the contract has a test that holds it, or is on the list of those that have none. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { MISSING } from './missing.ts';
import { contractPage } from './page.ts';
import { PROMISES, SECTIONS } from './promises.ts';
import { allTags, tagsIn } from './tags.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const tags = allTags(ROOT);
const tagged = new Set(tags.flatMap(({ ids }) => ids));

test('an id is that of one promise', () => {
  const ids = SECTIONS.flatMap(({ promises }) => Object.keys(promises));
  expect(PROMISES.size).toBe(ids.length);
});

test('a tag names promises, and is directly above a test', () => {
  const wrong = tags.flatMap(({ file, line, ids, title }) => [
    ...ids.filter((id) => !PROMISES.has(id)).map((id) => `${file}:${line}: there is no promise ${id}`),
    ...(title === null ? [`${file}:${line}: the next line is no test with a title`] : []),
  ]);
  expect(wrong).toEqual([]);
});

test('every promise has a test or a reason, and no promise has both', () => {
  const promised = [...PROMISES.keys()];
  expect(
    promised.filter((id) => !tagged.has(id) && !Object.hasOwn(MISSING, id)),
    'these have no test',
  ).toEqual([]);
  expect(
    Object.keys(MISSING).filter((id) => tagged.has(id) || !PROMISES.has(id)),
    'these are missing no longer',
  ).toEqual([]);
});

test('the page is what the tags say', () => {
  const path = join(ROOT, 'docs/reference/contract.md');
  if (process.env['UPDATE'] === '1') writeFileSync(path, contractPage(tags));
  expect(readFileSync(path, 'utf8')).toBe(contractPage(tags));
});

test('tags are read with the titles of their tests', () => {
  const text = `
// contract: a.1, a.2
// contract: b.1
test('one', () => {});
  // contract: c.1
  law(
    "it's two", []);
// contract: d.1
test.each([
  ['x', f('y')],
])('%s is three', () => {});
// contract: e.1
const no = 1;`;
  expect(tagsIn('a.test.ts', text).map(({ ids, title }) => [ids.join(), title])).toEqual([
    ['a.1,a.2', 'one'],
    ['b.1', 'one'],
    ['c.1', "it's two"],
    ['d.1', '%s is three'],
    ['e.1', null],
  ]);
  expect(tagsIn('a.slt', '# contract: a.1\nquery I\nSELECT 1\n').map(({ title }) => title)).toEqual(['SELECT 1']);
});
