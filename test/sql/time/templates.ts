/** `to_char`, `to_timestamp` and `to_date` with every template pattern and modifier, against real Postgres. */
import { expect, test } from 'vitest';
import { fromCharFunctions } from '../../../src/sql/functions/time/from-char.ts';
import { toCharFunctions } from '../../../src/sql/functions/time/to-char.ts';
import { functionCase, scalarFunctions, type Case } from './evaluate.ts';
import { generator, pick } from './generator.ts';
import { differences, type Oracle } from './oracle.ts';

const PATTERNS =
  'A.D. a.d. A.M. a.m. AD ad AM am B.C. b.c. BC bc CC cc DAY Day day DDD ddd DD dd DY Dy dy D d FF1 FF2 FF3 FF4 FF5 FF6 ff1 ff6 FX fx HH24 hh24 HH12 hh12 HH hh IDDD iddd ID id IW iw IYYY iyyy IYY iyy IY iy I i J j MI mi MM mm MONTH Month month MON Mon mon MS ms OF of P.M. p.m. PM pm Q q RM rm SSSSS sssss SSSS ssss SS ss TZH tzh TZM tzm TZ tz US us WW ww W w Y,YYY y,yyy YYYY yyyy YYY yyy YY yy Y y dAY mONTH Hh tZ FF7 FF SSS'.split(
    ' ',
  );
const LITERALS = [' ', '-', '/', ':', ',', '.', '"text"', '"a\\"b"', '\\"', '\\', 'x', '_', '"', 'é', '  ', '"YYYY"'];
const MOMENTS = [
  '2024-02-29 12:34:56.789012',
  '1999-12-31 23:59:59.999999',
  '2000-01-01 00:00:00',
  '2021-01-03 01:02:03.04',
  '0044-03-15 13:00:00 BC',
  '0001-01-01 00:00:00',
  '0001-12-31 11:11:11 BC',
  '12345-06-07 08:09:10',
  '2015-11-11 22:22:22.1',
  '1900-10-13 12:00:00',
  '0600-05-01 05:05:05 BC',
  '0099-09-09 09:09:09',
  '2012-12-12 12:12:12.121212',
  'infinity',
  '-infinity',
  '2020-12-31 03:21:11',
  '0101-01-01 BC',
];
const SPANS = [
  '1 year 2 mons 3 days 04:05:06.789',
  '-1 year -2 mons -3 days -04:05:06.789',
  '0',
  '12 years',
  '-12 years',
  '25:00:00',
  '-25:30:00',
  '400 days',
  '100 years',
  '-1 mon',
  '11 mons',
  '1234 years',
  '36:00',
  '12:00',
  '-12:00',
  'infinity',
  '-00:00:00.5',
];

export function templates(oracle: () => Oracle): void {
  async function compare(cases: readonly Case[]): Promise<void> {
    const names = cases.map(({ sql }) => sql);
    expect(
      differences(
        names,
        cases.map(({ ours }) => ours),
        await oracle().ask(names),
      ),
    ).toEqual([]);
  }
  for (const timeZone of ['America/New_York', 'Asia/Kathmandu']) {
    test(`to_char in ${timeZone}`, async () => {
      const env = await oracle().environment({ timeZone });
      const random = generator(timeZone.length);
      const templates: string[] = [
        '',
        ...PATTERNS,
        ...PATTERNS.map((pattern) => 'FM' + pattern),
        ...PATTERNS.map((pattern) => pattern + 'TH'),
        ...PATTERNS.map((pattern) => 'fm' + pattern + 'th'),
        ...PATTERNS.map((pattern) => 'TM' + pattern + 'SP'),
      ];
      for (let i = 0; i < 100; i++) {
        let template = '';
        for (let k = 0; k < 4; k++)
          template +=
            pick(random, ['', '', 'FM', 'TM', 'fm']) + pick(random, PATTERNS) + pick(random, ['', '', 'TH', 'th', 'SP', 'sp']) + pick(random, LITERALS);
        templates.push(template);
      }
      templates.push(
        'YYYY-MM-DD HH24:MI:SS.US',
        'Dy, DD Mon YYYY HH24:MI:SS TZ',
        'HH12:MI AM',
        'FMMonth FMDDth, YYYY',
        'YYYY"T"HH24:MI:SSOF',
        'HH24H:MIM',
        'FMFMYYYY',
        'IYYY-"W"IW-ID',
        'Q"th quarter"',
        'YYYYY',
        'DDDD',
        'MMM',
        'TH',
        'th',
        'FM',
        'TM',
        'FMx',
      );
      const cases: Case[] = [];
      for (const fn of scalarFunctions([toCharFunctions])) {
        const values = fn.args[0] === 'interval' ? SPANS : MOMENTS;
        for (const template of templates) for (let i = 0; i < 3; i++) cases.push(functionCase(fn, [pick(random, values), template], env));
      }
      for (const fn of scalarFunctions([toCharFunctions])) {
        for (const value of fn.args[0] === 'interval' ? SPANS : MOMENTS) {
          cases.push(
            functionCase(fn, [value, 'CC YYYY YYY YY Y IYYY IYY IY I Y,YYY FMYYYY FMYY RM rm FMRM Q WW IW DDD IDDD J MM DD HH24 HH12 MI SS SSSS W'], env),
          );
        }
      }
      await compare(cases);
    });
  }

  const INPUTS: [string, string][] = [
    ['2024-02-29', 'YYYY-MM-DD'],
    ['20240229', 'YYYYMMDD'],
    ['2024 Feb 29', 'YYYY Mon DD'],
    ['29 February 2024', 'DD Month YYYY'],
    ['29feb2024', 'DDmonYYYY'],
    ['2024-02-30', 'YYYY-MM-DD'],
    ['2024-13-01', 'YYYY-MM-DD'],
    ['24-02-29', 'YY-MM-DD'],
    ['70-01-01', 'YY-MM-DD'],
    ['5 12', 'Y MM'],
    ['520', 'YYY'],
    ['519-1', 'YYY-MM'],
    ['995', 'YYY'],
    ['2024-060', 'YYYY-DDD'],
    ['2023-366', 'YYYY-DDD'],
    ['060', 'DDD'],
    ['2024-400', 'YYYY-DDD'],
    ['2024 9', 'YYYY WW'],
    ['2024-W09-4', 'IYYY-"W"IW-ID'],
    ['2024-09', 'IYYY-IW'],
    ['2024-120', 'IYYY-IDDD'],
    ['2024 02 W3', 'YYYY MM "W"W'],
    ['2024-01 2024', 'YYYY-MM IYYY'],
    ['J2451545', '"J"J'],
    ['2451545', 'J'],
    ['20', 'CC'],
    ['20 24', 'CC YY'],
    ['21 00', 'CC YY'],
    ['6 BC', 'CC BC'],
    ['6 01 BC', 'CC YY BC'],
    ['44-03-15 BC', 'YYYY-MM-DD BC'],
    ['44-03-15 b.c.', 'YYYY-MM-DD b.c.'],
    ['-44-03-15', 'YYYY-MM-DD'],
    ['0000-01-01', 'YYYY-MM-DD'],
    ['12:34:56', 'HH24:MI:SS'],
    ['12:34 PM', 'HH:MI AM'],
    ['12:34 am', 'HH12:MI PM'],
    ['13:34 PM', 'HH:MI AM'],
    ['00:34 AM', 'HH:MI AM'],
    ['1:2:3', 'HH24:MI:SS'],
    ['010203', 'HH24MISS'],
    ['0102', 'HH24MISS'],
    ['25:00', 'HH24:MI'],
    ['23:60', 'HH24:MI'],
    ['86399', 'SSSSS'],
    ['86400', 'SSSS'],
    ['12:34:56.7', 'HH24:MI:SS.MS'],
    ['12:34:56.789', 'HH24:MI:SS.MS'],
    ['12:34:56.789012', 'HH24:MI:SS.US'],
    ['12:34:56.78', 'HH24:MI:SS.US'],
    ['12:34:56.7890', 'HH24:MI:SS.FF3'],
    ['12:34:56.789', 'HH24:MI:SS.FF2'],
    ['12:34:56.789012', 'HH24:MI:SS.FF6'],
    ['2024-02-29 12:34:56 EST', 'YYYY-MM-DD HH24:MI:SS TZ'],
    ['2024-07-29 12:34:56 pdt', 'YYYY-MM-DD HH24:MI:SS tz'],
    ['2024-07-29 12:34:56 MSK', 'YYYY-MM-DD HH24:MI:SS TZ'],
    ['2024-07-29 12:34:56 XYZ', 'YYYY-MM-DD HH24:MI:SS TZ'],
    ['2024-07-29 12:34:56 +05', 'YYYY-MM-DD HH24:MI:SS TZ'],
    ['2024-07-29 12:34:56+05:30', 'YYYY-MM-DD HH24:MI:SSOF'],
    ['2024-07-29 12:34:56 -05:30', 'YYYY-MM-DD HH24:MI:SS TZH:TZM'],
    ['2024-07-29 12:34:56-05', 'YYYY-MM-DD HH24:MI:SS TZH'],
    ['2024-07-29 12:34:56 - 05', 'YYYY-MM-DD HH24:MI:SS TZH'],
    ['2024-07-29 12:34:56 30', 'YYYY-MM-DD HH24:MI:SS TZM'],
    ['2024-07-29 12:34:56+16', 'YYYY-MM-DD HH24:MI:SSTZH'],
    ['2024-07-29 12:34 ESTX', 'YYYY-MM-DD HH24:MI TZ"X"'],
    ['2024/02/29', 'YYYY-MM-DD'],
    ['2024  02   29', 'YYYY-MM-DD'],
    ['2024-02-29', 'YYYY MM DD'],
    ['2024-02-29', 'YYYYMMDD'],
    ['2024 - 02 - 29', 'YYYY-MM-DD'],
    [' 2024-02-29 ', 'YYYY-MM-DD'],
    ['2024-02-29', 'FXYYYY-MM-DD'],
    ['2024/02/29', 'FXYYYY-MM-DD'],
    ['2024 02 29', 'FXYYYY  MM DD'],
    ['2024-2-9', 'FXYYYY-MM-DD'],
    ['2024-2-9', 'FXYYYY-FMMM-FMDD'],
    ['2024-2-9', 'YYYY-MM-DD'],
    ['February 2024', 'FXMonth YYYY'],
    ['Feb 2024', 'Month YYYY'],
    ['Febr 2024', 'Mon YYYY'],
    ['foo 2024', 'Mon YYYY'],
    ['Thursday 29 Feb 2024', 'Day DD Mon YYYY'],
    ['Thu 29 Feb 2024', 'Dy DD Mon YYYY'],
    ['Xyz 29', 'Dy DD'],
    ['IV 2024', 'RM YYYY'],
    ['viii 2024', 'rm YYYY'],
    ['XIII', 'RM'],
    ['1,234', 'Y,YYY'],
    ['12,345-06', 'Y,YYY-MM'],
    ['1234', 'Y,YYY'],
    ['29th Feb 2024', 'DDth Mon YYYY'],
    ['1st 2024', 'DDTH YYYY'],
    ['3 2024', 'Q YYYY'],
    ['2024 5', 'YYYY D'],
    ['2024-01-01 2025', 'YYYY-MM-DD YYYY'],
    ['AM PM', 'AM PM'],
    ['12 AM AM', 'HH AM PM'],
    ['abc', 'YYYY'],
    ['', 'YYYY'],
    ['2024', ''],
    ['', ''],
    ['2024-02-29 extra', 'YYYY-MM-DD'],
    ['2024-02', 'YYYY-MM-DD HH24'],
    ['99999-01-01', 'YYYY-MM-DD'],
    ['294277-01-01', 'YYYY-MM-DD'],
    ['5874898-01-01', 'YYYY-MM-DD'],
    ['99999999999', 'YYYY'],
    ['2024-02-29T12:34:56', 'YYYY-MM-DD"T"HH24:MI:SS'],
    ['2024-02-29T12:34:56', 'YYYY-MM-DDTHH24:MI:SS'],
    ['2024-02-29 12:34:56', 'YYYY-MM-DD"T"HH24:MI:SS'],
    ['15 "text" 2024', 'DD "text" YYYY'],
    ['2024-11-03 01:30', 'YYYY-MM-DD HH24:MI'],
    ['2024-03-10 02:30', 'YYYY-MM-DD HH24:MI'],
    ['1 4 1902', 'Q MM YYYY'],
    ['3 4 21 01', 'W MM CC YY'],
    ['2458872', 'J'],
    ['0', 'J'],
    ['2024-00-00', 'YYYY-MM-DD'],
    ['2024 12 31', 'YYYY-MM-DD'],
    ['2024é02', 'YYYYéMM'],
    ['2024_02', 'YYYY-MM'],
    ['2024--02', 'YYYY-MM'],
    ['2024--02', 'YYYY--MM'],
    ['2024- -02', 'YYYY-MM'],
    ['2024---02', 'YYYY--MM'],
    ['2024+02', 'YYYY-MM'],
    ['20240229', 'YYYYMMDDHH24'],
    ['2024022', 'YYYYMMDD'],
    ['202402xx', 'YYYYMMDD'],
    ['10:15 p.m.', 'HH:MI a.m.'],
    ['10:15 pm', 'HH:MI a.m.'],
    ['10:15PM', 'HH:MIAM'],
    ['2024 29', 'IYYY IW'],
    ['2024 54', 'IYYY IW'],
    ['99 1', 'IY IW'],
    ['4 1 7', 'I IW ID'],
    ['2024-1-8', 'IYYY-IW-ID'],
    ['2147483648', 'YYYY'],
    ['2147483647', 'YYYY'],
    ['30 02', 'DD MM'],
    ['1.5', 'SS.MS'],
    ['-5', 'SS'],
    ['2024  2', 'YYYY MM'],
    ['12 2024', 'FMMM FMYYYY'],
  ];

  for (const timeZone of ['America/New_York', 'Europe/Berlin']) {
    test(`to_timestamp and to_date in ${timeZone}`, async () => {
      const env = await oracle().environment({ timeZone });
      const cases: Case[] = [];
      for (const fn of scalarFunctions([fromCharFunctions])) for (const [text, template] of INPUTS) cases.push(functionCase(fn, [text, template], env));
      await compare(cases);
    });
  }

  test('what to_char writes, to_timestamp reads as Postgres does', async () => {
    const env = await oracle().environment({ timeZone: 'America/New_York' });
    const random = generator(42);
    const usable = PATTERNS.filter((pattern) => !/^(Q|q|J|j|FX|fx)$/.test(pattern));
    const cases: Case[] = [];
    const [toTimestamp, toDate] = scalarFunctions([fromCharFunctions]);
    const toChar = scalarFunctions([toCharFunctions]).find((fn) => fn.args[0] === 'timestamptz')!;
    for (let i = 0; i < 1500; i++) {
      let template = '';
      const count = 1 + Math.floor(random() * 4);
      for (let k = 0; k < count; k++)
        template +=
          pick(random, ['', '', '', 'FM', 'FX']) +
          pick(random, usable) +
          pick(random, ['', '', '', 'TH', 'th']) +
          pick(random, ['', ' ', '-', ':', '  ', '/', 'x', '"T"']);
      const text = functionCase(toChar, [pick(random, MOMENTS.slice(0, 13)), template], env).ours;
      const changed = random() < 0.3 ? text.replace(/[ :/-]/, pick(random, ['', ' ', '-', '  ', '/', ':'])) : text;
      cases.push(functionCase(random() < 0.5 ? toTimestamp! : toDate!, [changed, template], env));
    }
    await compare(cases);
  });
}
