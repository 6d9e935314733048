/** Values as text in bytes: the same as their types format them, in all styles. */
import { expect, test } from 'vitest';
import { BinaryWriter } from '../../../src/sql/formats/binary-writer.ts';
import { textIsPlain, textSender } from '../../../src/sql/formats/text-send.ts';
import { LIBRARY } from '../../../src/sql/library/library.ts';
import type { Environment } from '../../../src/sql/types/environment.ts';
import { ENVIRONMENT } from '../numbers/oracle.ts';
import { SAMPLES } from './samples.ts';

const MORE: Record<string, string[]> = {
  int8: ['999999999', '1000000000', '8999999999999999', '9007199254740991', '-9007199254740991'],
  numeric: [
    '9007199254740.991',
    '8.999999999999999',
    '-0.05',
    '-9007199254740991',
    '0.000000000000001',
    '123456789.000000001',
    'NaN',
    'Infinity',
    '99999999999999999999.5',
  ],
  date: ['0001-01-01', '9999-12-31', '10000-01-01', '0044-03-15 BC', 'infinity', '-infinity', '1582-10-15'],
  timestamp: [
    '0001-01-01 00:00:00',
    '9999-12-31 23:59:59.999999',
    '10000-01-01',
    '0044-03-15 12:00 BC',
    'infinity',
    '1999-12-31 23:59:59.9',
    '2000-01-01',
    '294276-12-31 23:59:59.999999',
  ],
  timestamptz: ['0001-01-01 00:00:00Z', '9999-12-31 23:59:59.999999Z', '2024-07-01 12:00:00.5Z', '1890-01-01 12:00Z', '-infinity', '4713-01-01 BC'],
};
const ENVIRONMENTS: Partial<Environment>[] = [
  {},
  { timeZone: 'America/New_York' },
  { timeZone: 'Asia/Kathmandu' },
  { dateStyle: 'German' },
  { dateStyle: 'SQL', dateOrder: 'DMY' },
  { dateStyle: 'Postgres' },
];

test.each(Object.keys(SAMPLES))('%s', (name) => {
  const type = LIBRARY.type(name);
  const send = textSender(type);
  const out = new BinaryWriter(1);
  for (const change of ENVIRONMENTS) {
    const env = Object.assign(Object.create(ENVIRONMENT) as Environment, change);
    for (const text of [...SAMPLES[name], ...(MORE[name] ?? [])]) {
      const value = type.parse(text, -1, env);
      const wanted = type.format(value, env);
      out.clear();
      send(out, value, env);
      expect(out.view().toString()).toBe(wanted);
      if (textIsPlain(type)) expect(wanted).toMatch(/^[-+0-9A-Za-z :./]+$/);
    }
  }
});

test('days that share a place among those kept', () => {
  const date = LIBRARY.type('date');
  const send = textSender(date);
  for (const days of [0, 512, -512, 0, 1, 513, 1, 8, 520, 8 + 512 * 300, 520]) {
    const out = new BinaryWriter();
    send(out, days, ENVIRONMENT);
    expect(out.view().toString()).toBe(date.format(days, ENVIRONMENT));
  }
});
