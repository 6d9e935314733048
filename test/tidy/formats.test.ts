/** The documents of on-disk formats name everything that the code writes. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { projections } from '../../projections/index.ts';
import { EVENT_TYPES } from '../../src/events/codec.ts';
import { EVENTS } from '../../src/events/table.ts';

const ROOT = resolve(import.meta.dirname, '../..');

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

const rows = new Map(
  [...read('docs/formats/events.md').matchAll(/^\| (\d+) \| (\w+) \|(.*)\|$/gm)].map(([, number, name, payload]) => [name, { number, payload }]),
);

test('the document of events lists every event type with its number, and no other', () => {
  const written = [...rows].map(([name, { number }]) => `${number} ${name}`);
  expect(written.toSorted()).toEqual(
    Object.entries(EVENT_TYPES)
      .map(([name, number]) => `${number} ${name}`)
      .toSorted(),
  );
});

const TYPES = readdirSync(join(ROOT, 'src/events/types'));

test('each event type is a file named for it, and an entry of the table in the order of the numbers', () => {
  const named = EVENTS.map(({ type }) => `${type.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.ts`);
  expect(TYPES.toSorted()).toEqual(named.toSorted());
  for (const [i, file] of named.entries()) {
    const { type, number } = EVENTS[i];
    const text = read(`src/events/types/${file}`);
    expect(text, file).toMatch(new RegExp(`^export const ${type} = \\w+Event<`, 'm'));
    expect(text, file).toMatch(new RegExp(`^export interface \\w+ \\{\\n  type: '${type}';\\n`, 'm'));
    expect(number, file).toBeGreaterThan(i === 0 ? 0 : EVENTS[i - 1].number);
  }
});

test('events whose payload is JSON have all their fields in the document', () => {
  const shapes = TYPES.map((file) => read(`src/events/types/${file}`)).filter((text) => text.includes('jsonEvent<'));
  expect(shapes.length).toBeGreaterThan(3);
  for (const text of shapes) {
    const [, name, shape] = /interface \w+ \{\n  type: '(\w+)';\n([\s\S]*?)^\}/m.exec(text)!;
    for (const [, field] of shape.matchAll(/^ {2}(\w+)\??:/gm)) expect(rows.get(name)!.payload, `${name}: ${field}`).toContain(`\`${field}\``);
  }
});

test('the document of the log lists every projection with its slot', () => {
  const text = read('docs/formats/log.md');
  for (const [name, { slot }] of Object.entries(projections)) expect(text).toContain(`${slot} ${name}`);
});
