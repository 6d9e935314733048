/** Kinds of catalog objects are told apart in src/worlds/kinds; elsewhere by fewer and fewer files. */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { type CatalogObject, definitionKey } from '../../src/worlds/definition.ts';
import { KINDS } from '../../src/worlds/kinds/registry.ts';
import { SAMPLES } from '../worlds/kind-samples.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const HOME = 'src/worlds/kinds';
const GUIDE = 'docs/howto/add-a-catalog-kind.md';

/** A file that tells so many kinds apart has a rule that belongs to the kinds. */
const KINDS_MAX = 4;

/**
 * Files that still do, and by how many kinds. Numbers only go down: what a kind is asked becomes a field of `Kind`. Where a change makes one
 * smaller, lower it here.
 */
const STILL: Readonly<Record<string, number>> = {
  'src/governance/changed.ts': 7,
  'src/governance/query-meaning.ts': 21,
  'src/governance/readers.ts': 10,
  'src/sql/catalog/constraint-rows.ts': 5,
  'src/sql/catalog/difference/changed-definitions.ts': 6,
  'src/sql/catalog/difference/type-parts.ts': 5,
  'src/sql/catalog/user-type-rows.ts': 5,
  'src/sql/schema/alter-table.ts': 9,
  'src/sql/schema/dependents.ts': 8,
  'src/sql/schema/drop.ts': 10,
  'src/sql/schema/other-objects.ts': 9,
  'src/sql/schema/rename-enum-label.ts': 5,
  'src/sql/schema/rows-in-use.ts': 5,
  'src/sql/schema/schema-rights.ts': 5,
  'src/sql/schema/schema.ts': 24,
  'src/sql/schema/stored-texts.ts': 12,
  'src/sql/schema/text-dependents.ts': 11,
  'src/sql/session/event-triggers/defined-commands.ts': 13,
  'src/sql/session/event-triggers/dropped-objects.ts': 8,
  'src/sql/session/mask-guard.ts': 8,
  'src/sql/session/temporary-tables.ts': 8,
  'src/worlds/catalog.ts': 7,
  'src/worlds/definition.ts': 5,
  'src/worlds/masks.ts': 5,
  'src/worlds/merge/heritage.ts': 6,
  'src/worlds/merge/references.ts': 5,
  'src/worlds/merge/schema.ts': 16,
  'src/worlds/merge/undo-schema.ts': 5,
};

/** Files beside the kinds in their folder. */
const SHARED = ['address', 'family-member', 'graph', 'join-labels', 'keys', 'kind', 'reference', 'registry', 'routine-reference'];

/** Kinds whose words would be names of files that mean something else. */
const FILES: Readonly<Record<string, string>> = { table: 'document-table', column: 'document-column', index: 'table-index' };

function filesBelow(folder: string): string[] {
  return readdirSync(join(ROOT, folder)).flatMap((name) => {
    const path = `${folder}/${name}`;
    return statSync(join(ROOT, path)).isDirectory() ? filesBelow(path) : path.endsWith('.ts') ? [path] : [];
  });
}

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** Kinds that a text tells apart: compared with `what`, or cases of a switch over it. */
function kindsToldApart(text: string): Set<string> {
  const code = text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
  const found = [...code.matchAll(/\.what [!=]== '([^']+)'/g)].map(([, word]) => word);
  for (const [body] of code.matchAll(/^( *)switch \([\w.!]*\bwhat\) \{$[\s\S]*?^\1\}$/gm)) {
    found.push(...[...body.matchAll(/case '([^']+)':/g)].map(([, word]) => word));
  }
  return new Set(found.filter((word) => Object.hasOwn(KINDS, word)));
}

const apart = new Map(
  [...filesBelow('src'), ...filesBelow('projections')]
    .filter((file) => !file.startsWith(`${HOME}/`))
    .map((file) => [file, kindsToldApart(read(file)).size] as const)
    .filter(([, count]) => count > KINDS_MAX),
);

test('only the listed files distinguish many kinds of catalog objects', () => {
  const more = [...apart].filter(([file, count]) => count > (STILL[file] ?? KINDS_MAX)).map(([file, count]) => `${file}: ${count}`);
  expect(more.toSorted(), `ask the kind instead: ${GUIDE}`).toEqual([]);
  expect(
    Object.keys(STILL).filter((file) => !apart.has(file)),
    'take them off the list',
  ).toEqual([]);
});

test('distinctions of kinds are found', () => {
  const text =
    "switch (object.what) {\n  case 'view':\n  case 'check':\n    break;\n}\nif (a.what === 'index' || b.what !== 'facts') f('enum');\n// c.what === 'cast'";
  expect([...kindsToldApart(text)].toSorted()).toEqual(['check', 'facts', 'index', 'view']);
});

test('each kind has a file of its name, and the folder has no other but those that are shared', () => {
  const expected = Object.keys(KINDS).map((word) => FILES[word] ?? word.replaceAll(' ', '-'));
  const names = filesBelow(HOME).map((file) => file.slice(HOME.length + 1, -'.ts'.length));
  expect(names.toSorted()).toEqual([...expected, ...SHARED].toSorted());
});

test('kinds know nothing of what stands above them', () => {
  for (const file of filesBelow(HOME)) {
    for (const [, path] of read(file).matchAll(/from '(\.[^']+)'/g)) expect(path, file).toMatch(/^(\.\/[\w-]+|\.\.\/\.\.\/base\/[\w/-]+)\.ts$/);
  }
});

test('the recipe names existing files, and all that still distinguish kinds', () => {
  const begin = '<!-- files: kept by test/tidy -->\n';
  const list = Object.keys(STILL)
    .toSorted()
    .map((file) => `- \`${file}\`\n`)
    .join('');
  const [before, rest] = read(GUIDE).split(begin);
  const after = rest.replace(/^(- .*\n)*/, '');
  if (process.env['UPDATE'] === '1') writeFileSync(join(ROOT, GUIDE), before + begin + list + after);
  expect(read(GUIDE)).toBe(before + begin + list + after);
  for (const [, path] of read(GUIDE).matchAll(/`((?:src|test|docs)\/[\w/.-]+)`/g)) expect(existsSync(join(ROOT, path)), path).toBe(true);
});

/** Letters and fields of a key: in samples, fields that are not attnums have numbers of their own. */
function keyForm(object: CatalogObject): string {
  const field = (digits: string): string => Object.entries(object).find(([, value]) => value === Number(digits))![0];
  return definitionKey(object)
    .replace(/(\d)[a-zA-Z]$/, '$1 kind')
    .replace(/\d{15}/g, (digits) => ` ${field(digits)}`);
}

/** Fields of a kind's stored shape, as its file declares them; `?`: left out where it does not apply. */
function storedFields(word: string): string[] {
  for (const file of filesBelow(HOME)) {
    const text = read(file);
    const found = new RegExp(`^export interface \\w+( extends FamilyMember)? \\{\\n  what: '${word}';\\n([\\s\\S]*?)^\\}`, 'm').exec(text);
    if (found === null) continue;
    const inherited = found[1] === undefined ? '' : /^export interface FamilyMember \{([\s\S]*?)^\}/m.exec(read(`${HOME}/family-member.ts`))![1];
    return [...`${inherited}${found[2]}`.matchAll(/^ {2}(\w+\??):/gm)].map(([, name]) => name);
  }
  throw new Error(`no shape of "${word}"`);
}

test('keys and fields of all kinds are documented', () => {
  const path = 'docs/formats/catalog-keys.md';
  const rows = Object.values(SAMPLES).map(({ object }) => `| ${object.what} | \`${keyForm(object)}\` | ${storedFields(object.what).join(', ')} |\n`);
  const head = '| --- | --- | --- |\n';
  const [before] = read(path).split(head);
  if (process.env['UPDATE'] === '1') writeFileSync(join(ROOT, path), before + head + rows.join(''));
  expect(read(path)).toBe(before + head + rows.join(''));
});
