/** Conversions between UTC and local time, against real Postgres, over zones with unusual rules. */
import { expect, test } from 'vitest';
import { timestampType, timestamptzType } from '../../../src/sql/types/time/timestamp-type.ts';
import { generator } from './generator.ts';
import { differences, type Oracle, quote, testEnvironment } from './oracle.ts';

const ZONES = [
  'America/New_York',
  'America/Los_Angeles',
  'America/St_Johns',
  'America/Sao_Paulo',
  'America/Argentina/Buenos_Aires',
  'Europe/London',
  'Europe/Berlin',
  'Europe/Dublin',
  'Europe/Moscow',
  'Europe/Paris',
  'Africa/Cairo',
  'Africa/Johannesburg',
  'Asia/Tokyo',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Asia/Shanghai',
  'Australia/Sydney',
  'Australia/Lord_Howe',
  'Pacific/Auckland',
  'Pacific/Apia',
  'Pacific/Chatham',
  'UTC',
  'NZST-12NZDT,M9.5.0,M4.1.0/3',
];

export function zoneConversions(oracle: () => Oracle): void {
  for (const zone of ZONES) {
    test(`local times of ${zone}`, async () => {
      const env = await oracle().environment({ timeZone: zone });
      const utc = testEnvironment();
      const random = generator(zone.length * 7919 + zone.charCodeAt(0));
      const texts: string[] = [];
      for (let i = 0; i < 300; i++) {
        const seconds = i % 10 === 0 ? random() * 9e12 - 2.1e11 : i % 3 === 0 ? -4.7e9 + random() * 5e9 : random() * 3e9;
        texts.push(timestampType.format(Math.floor(seconds) * 1_000_000, utc));
      }
      const forward = await oracle().ask(texts.map((text) => `${quote(text + ' UTC')}::timestamptz`));
      expect(
        differences(
          texts,
          texts.map((text) => timestamptzType.format(timestamptzType.parse(text + ' UTC', -1, env), env)),
          forward,
        ),
      ).toEqual([]);
      // Also read near midnight of the days around, where clocks change.
      const locals = [
        ...texts,
        ...texts.map((text) => text.replace(/\d\d:\d\d:\d\d/, '02:15:00')),
        ...texts.map((text) => text.replace(/-\d\d /, '-28 ').replace(/\d\d:\d\d:\d\d/, '00:30:00')),
      ];
      const back = await oracle().ask(locals.map((text) => `(${quote(text)}::timestamptz at time zone 'UTC')`));
      expect(
        differences(
          locals,
          locals.map((text) => timestampType.format(timestamptzType.parse(text, -1, env), utc)),
          back,
        ),
      ).toEqual([]);
    });
  }

  test('clocks that spring forward and fall back', async () => {
    const env = await oracle().environment({ timeZone: 'America/New_York', dateStyle: 'Postgres' });
    const texts: string[] = [];
    for (const day of ['2024-03-10', '2024-11-03'])
      for (let minute = 0; minute < 240; minute += 10) texts.push(`${day} ${Math.floor(minute / 60)}:${minute % 60}:00`);
    const theirs = await oracle().ask(texts.map((text) => `${quote(text)}::timestamptz`));
    expect(
      differences(
        texts,
        texts.map((text) => timestamptzType.format(timestamptzType.parse(text, -1, env), env)),
        theirs,
      ),
    ).toEqual([]);
  });

  test('a conversion costs well under a microsecond', () => {
    const env = testEnvironment({ timeZone: 'Europe/Berlin' });
    const convert = (count: number): number => {
      let sum = 0;
      for (let i = 0; i < count; i++) sum += timestamptzType.format(700_000_000_000_000 + i * 100_000_000_000, env).length;
      return sum;
    };
    convert(20_000);
    const start = performance.now();
    convert(20_000);
    // Twenty times of what it costs on an idle machine.
    expect(performance.now() - start).toBeLessThan(400);
  });
}
