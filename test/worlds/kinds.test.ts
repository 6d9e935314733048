/** What kinds of catalog objects say of themselves. */
import { describe, expect, test } from 'vitest';
import { type CatalogObject, definitionKey, furtherNames, numberName, numbersOf } from '../../src/worlds/definition.ts';
import { DependencyGraph } from '../../src/worlds/kinds/graph.ts';
import { kindOf, KINDS, referencesOf } from '../../src/worlds/kinds/registry.ts';
import type { Reference } from '../../src/worlds/kinds/reference.ts';
import { SAMPLES } from './kind-samples.ts';

const samples = Object.values(SAMPLES).map(({ object, plain }): { object: CatalogObject; plain: readonly string[] } => ({ object, plain }));

/** Number fields of an object, by their paths. */
function numbersIn(value: unknown, path = ''): [path: string, number: number][] {
  if (typeof value === 'number') return [[path, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => numbersIn(each, `${path}${path === '' ? '' : '.'}${Array.isArray(value) ? '*' : key}`));
}

function numbersReferred(reference: Reference): number[] {
  switch (reference.to) {
    case 'column':
      return [reference.table, reference.column];
    case 'columns':
      return [reference.table];
    case 'unique key':
      return [reference.table, ...reference.columns];
    case 'used':
      return [reference.number, ...reference.columns];
    case 'type':
    case 'role':
      return [reference.oid];
    case 'schema':
    case 'collation':
    case 'extension':
      return [];
    default:
      return [reference.number];
  }
}

describe.each(samples.map(({ object, plain }) => [object.what, object, plain] as const))('%s', (_, object, plain) => {
  test('each number is its own, refers to something, or is listed as neither', () => {
    const known = new Set([...numbersOf(object), ...referencesOf(object).flatMap(numbersReferred)]);
    const found = numbersIn(object);
    expect(found.filter(([path, number]) => !plain.includes(path) && !known.has(number))).toEqual([]);
    expect(plain.filter((path) => !found.some(([each]) => each === path))).toEqual([]);
  });

  test('its numbers have names of their own', () => {
    const own = numbersOf(object);
    const names = furtherNames(object);
    expect(own.length === 0 ? numberName(object) : null).toBeNull();
    expect(names.every(([, number]) => own.slice(1).includes(number))).toBe(true);
    expect(new Set([numberName(object), ...names.map(([name]) => name)]).size).toBe(names.length + 1);
  });

  test('the schema that it is in is one of its references', () => {
    if (!('schema' in object)) return;
    expect(referencesOf(object)).toContainEqual(expect.objectContaining({ to: 'schema', name: object.schema }));
  });

  test('it is called by words that say what it is', () => {
    const names = { table: String, type: String, object: (number: number, attnum = 0) => `object:${number}${attnum === 0 ? '' : `.${attnum}`}` };
    const { words, path } = kindOf(object);
    expect(words(object)).toMatch(/^[a-z]/);
    expect(path(object, names)).toMatch(/^[a-z ]+:\S/);
  });
});

test('each kind is in the registry under its own word', () => {
  for (const [what, { object }] of Object.entries(SAMPLES)) expect(object.what).toBe(what);
  expect(Object.keys(SAMPLES).toSorted()).toEqual(Object.keys(KINDS).toSorted());
});

test('kinds share the letters of their keys only where their numbers keep them apart', () => {
  const byLetters = new Map<string, string[]>();
  for (const { object } of samples) {
    const [letters] = /^[a-z]+/.exec(definitionKey(object))!;
    byLetters.set(letters, [...(byLetters.get(letters) ?? []), object.what]);
  }
  expect([...byLetters.values()].filter(({ length }) => length > 1)).toEqual([
    // One number is that of one object.
    ['table', 'relation'],
    ['column', 'attribute'],
    ['check', 'foreign key'],
    // Of other lengths.
    ['rights', 'grant'],
    // Numbers of triggers lie above all attnums.
    ['trigger', 'facts'],
  ]);
});

test('notes say of which object they are, and take no number', () => {
  for (const { object } of samples) {
    if (kindOf(object).note !== true) continue;
    expect(object).toHaveProperty('object');
    expect(numbersOf(object)).toEqual([]);
    expect(referencesOf(object)).toContainEqual(expect.objectContaining({ to: 'object', how: 'part' }));
  }
});

test('the graph finds each object by each thing that it refers to', () => {
  const graph = new DependencyGraph(samples.map(({ object }) => object));
  for (const { object } of samples) {
    for (const reference of referencesOf(object)) {
      switch (reference.to) {
        case 'role':
        case 'large object':
          continue;
        case 'schema':
        case 'collation':
        case 'extension':
          expect(graph.usersOfName(reference.to, reference.name), `${object.what} in ${reference.name}`).toContain(object);
          continue;
        default: {
          // Columns are found by their table.
          const number = 'number' in reference ? reference.number : 'oid' in reference ? reference.oid : reference.table;
          expect(graph.users(number), `${object.what} by ${reference.to} ${number}`).toContain(object);
        }
      }
    }
  }
});
