/** The documents of on-disk formats name everything that the code writes. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { projections } from '../../projections/index.ts';
import { EVENT_TYPES } from '../../src/events/codec.ts';

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

test('events whose payload is JSON have all their fields in the document', () => {
  const codec = read('src/events/codec.ts');
  const [, cases] = /((?: {4}case '\w+':\n)+) {4}case 'readsRecorded': \{/.exec(codec)!;
  const names = [...`${cases}case 'readsRecorded':`.matchAll(/'(\w+)'/g)].map(([, name]) => name);
  expect(names.length).toBeGreaterThan(3);
  for (const name of names) {
    const [, shape] = new RegExp(`interface \\w+ \\{\\n  type: '${name}';\\n([\\s\\S]*?)^\\}`, 'm').exec(read('src/events/event.ts'))!;
    for (const [, field] of shape.matchAll(/^ {2}(\w+)\??:/gm)) expect(rows.get(name)!.payload, `${name}: ${field}`).toContain(`\`${field}\``);
  }
});

test('the document of the log lists every projection with its slot', () => {
  const text = read('docs/formats/log.md');
  for (const [name, { slot }] of Object.entries(projections)) expect(text).toContain(`${slot} ${name}`);
});
