/** Texts of dates, times and intervals, read and printed under several settings, against real Postgres. */
import { expect, test } from 'vitest';
import { dateType } from '../../../src/sql/types/time/date-type.ts';
import { intervalType } from '../../../src/sql/types/time/interval-type.ts';
import { timeType } from '../../../src/sql/types/time/time-type.ts';
import { timestampType, timestamptzType } from '../../../src/sql/types/time/timestamp-type.ts';
import { timetzType } from '../../../src/sql/types/time/timetz-type.ts';
import type { SqlType } from '../../../src/sql/types/type.ts';
import { DATETIMES, INTERVALS, TIMES } from './texts.ts';
import { answerOf, differences, type Oracle, quote, type Settings } from './oracle.ts';

const SETTINGS: Settings[] = [
  { timeZone: 'UTC' },
  { timeZone: 'America/New_York', dateStyle: 'SQL', intervalStyle: 'sql_standard' },
  { timeZone: 'Europe/Berlin', dateStyle: 'German', dateOrder: 'DMY', intervalStyle: 'iso_8601' },
  { timeZone: 'Asia/Kathmandu', dateStyle: 'Postgres', dateOrder: 'MDY', intervalStyle: 'postgres_verbose' },
  { timeZone: 'Australia/Lord_Howe', dateStyle: 'Postgres', dateOrder: 'DMY' },
  { timeZone: 'America/Los_Angeles', dateStyle: 'ISO', dateOrder: 'YMD' },
  { timeZone: '<+03:30>-3:30', dateStyle: 'SQL', dateOrder: 'DMY' },
];

const CASES: [SqlType, readonly string[]][] = [
  [dateType, DATETIMES],
  [timestampType, DATETIMES],
  [timestamptzType, DATETIMES],
  [timeType, TIMES],
  [timetzType, TIMES],
  [intervalType, INTERVALS],
];

export function inputAndOutput(oracle: () => Oracle): void {
  for (const settings of SETTINGS) {
    for (const [type, texts] of CASES) {
      test(`${type.name} with ${JSON.stringify(settings)}`, async () => {
        const env = await oracle().environment(settings);
        const theirs = await oracle().ask(texts.map((text) => `${quote(text)}::${type.name}`));
        const ours = texts.map((text) => answerOf(() => type.format(type.parse(text, -1, env), env)));
        expect(differences(texts, ours, theirs)).toEqual([]);
      });
    }
  }

  test('typmods round and cut', async () => {
    const env = await oracle().environment({});
    const cases: [SqlType, string, number, string][] = [];
    for (let p = 0; p <= 6; p++) {
      for (const text of [
        '2024-02-29 12:34:56.789456',
        '1999-12-31 23:59:59.999999',
        '1970-01-01 00:00:00.5',
        '4713-01-01 00:00:00.4999995 BC',
        'infinity',
        '294276-12-31 23:59:59.999999',
      ]) {
        cases.push([timestampType, text, p, `${quote(text)}::timestamp(${p})`], [timestamptzType, text, p, `${quote(text)}::timestamptz(${p})`]);
      }
      for (const text of ['12:34:56.789456', '23:59:59.999999', '00:00:00.5']) {
        cases.push([timeType, text, p, `${quote(text)}::time(${p})`], [timetzType, text, p, `${quote(text)}::timetz(${p})`]);
      }
      for (const text of ['1 day 00:00:01.123456', '-1.555555 s', '-0.5 s', 'infinity'])
        cases.push([intervalType, text, (0x7fff << 16) | p, `${quote(text)}::interval(${p})`]);
    }
    const [M, Y, D, H, MI, S] = [2, 4, 8, 1024, 2048, 4096];
    const ranges: [string, number][] = [
      ['year', Y],
      ['month', M],
      ['day', D],
      ['hour', H],
      ['minute', MI],
      ['second', S],
      ['year to month', Y | M],
      ['day to hour', D | H],
      ['day to minute', D | H | MI],
      ['day to second', D | H | MI | S],
      ['hour to minute', H | MI],
      ['hour to second', H | MI | S],
      ['minute to second', MI | S],
    ];
    for (const [name, mask] of ranges) {
      for (const text of ['1', '-1.5', '1-2', '1:2', '1:2:3', '1 2:3', '3 years 14 mons 5 days 26:27:28.9', '-3 years -14 mons -5 days -26:27:28.9']) {
        cases.push([intervalType, text, (mask << 16) | 0xffff, `${quote(text)}::interval ${name}`]);
      }
    }
    const theirs = await oracle().ask(cases.map((c) => c[3]));
    const ours = cases.map(([type, text, typmod]) => answerOf(() => type.format(type.parse(text, typmod, env), env)));
    expect(
      differences(
        cases.map((c) => c[3]),
        ours,
        theirs,
      ),
    ).toEqual([]);
  });

  test('values are ordered and hashed as Postgres orders them', async () => {
    const env = await oracle().environment({ timeZone: 'America/New_York' });
    const values: [SqlType, string[]][] = [
      [dateType, ['-infinity', '4714-11-24 BC', '2000-01-01', '2024-02-29', '5874897-12-31', 'infinity']],
      [timestampType, ['-infinity', '4714-11-24 BC', '2000-01-01', '2000-01-01 00:00:00.000001', '294276-12-31 23:59:59.999999', 'infinity']],
      [timetzType, ['12:00+00', '13:00+01', '12:00:00.000001+00', '00:00+15:59', '24:00-15:59', '00:00+00', '24:00+00']],
      [
        intervalType,
        [
          '1 mon',
          '30 days',
          '720:00',
          '29 days',
          '1 day 24:00',
          '2 days',
          '-1 day',
          '0',
          '178000000 years',
          '178956970 years',
          'infinity',
          '-infinity',
          '2147483647 days',
        ],
      ],
    ];
    const names: string[] = [];
    const ours: string[] = [];
    for (const [type, texts] of values) {
      for (const a of texts) {
        for (const b of texts) {
          const [x, y] = [type.parse(a, -1, env), type.parse(b, -1, env)];
          const order = Math.sign(type.compare(x, y));
          names.push(`(${quote(a)}::${type.name} > ${quote(b)})::int - (${quote(a)}::${type.name} < ${quote(b)})::int`);
          ours.push(String(order));
          expect(type.hashKey(x) === type.hashKey(y), `${a} ${b}`).toBe(order === 0);
        }
      }
    }
    expect(differences(names, ours, await oracle().ask(names))).toEqual([]);
  });

  test('JSON texts are ISO 8601', async () => {
    const env = await oracle().environment({ timeZone: 'Asia/Kolkata', dateStyle: 'German', intervalStyle: 'postgres_verbose' });
    const cases: [SqlType, string][] = [
      [dateType, '2024-02-29'],
      [timeType, '12:34:56.78'],
      [timetzType, '12:34:56-05'],
      [timestampType, '2024-02-29 12:34:56.5'],
      [timestampType, 'infinity'],
      [timestamptzType, '2024-02-29 12:34:56Z'],
      [timestamptzType, '0044-03-15 12:00:00Z BC'],
    ];
    const theirs = await oracle().ask(cases.map(([type, text]) => `to_json(${quote(text)}::${type.name}) #>> '{}'`));
    expect(cases.map(([type, text]) => type.json(type.parse(text, -1, env), env))).toEqual(theirs);
    expect(intervalType.json(intervalType.parse('1 year 2 days -3:04:05.6', -1, env), env)).toBe('P1Y2DT-3H-4M-5.6S');
  });
}
