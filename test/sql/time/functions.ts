/** Every operator, cast and function over dates and times, on values drawn from pools, against real Postgres. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { AggregateFunction, Call, FunctionModule, SetFunction, SqlFunction } from '../../../src/sql/functions/define.ts';
import { ageFunctions } from '../../../src/sql/functions/time/age.ts';
import { timeAggregates } from '../../../src/sql/functions/time/aggregates.ts';
import { timeArithmetic } from '../../../src/sql/functions/time/arithmetic.ts';
import { atTimeZoneFunctions } from '../../../src/sql/functions/time/at-time-zone.ts';
import { timeCasts } from '../../../src/sql/functions/time/casts.ts';
import { timeComparisons } from '../../../src/sql/functions/time/comparisons.ts';
import { binning } from '../../../src/sql/functions/time/date-bin.ts';
import { truncation } from '../../../src/sql/functions/time/date-trunc.ts';
import { extractFunctions } from '../../../src/sql/functions/time/extract.ts';
import { fromCharFunctions } from '../../../src/sql/functions/time/from-char.ts';
import { justification } from '../../../src/sql/functions/time/justify.ts';
import { makers } from '../../../src/sql/functions/time/make.ts';
import { clocks, currentDate, currentTime, currentTimestamp, localTime, localTimestamp } from '../../../src/sql/functions/time/now.ts';
import { overlapsFunctions } from '../../../src/sql/functions/time/overlaps.ts';
import { timeSeries } from '../../../src/sql/functions/time/series.ts';
import { toCharFunctions } from '../../../src/sql/functions/time/to-char.ts';
import type { Environment } from '../../../src/sql/types/environment.ts';
import type { Value } from '../../../src/sql/types/value.ts';
import { castCase, functionCase, operatorCase, scalarFunctions, typeOf, type Argument, type Case } from './evaluate.ts';
import { generator, pick } from './generator.ts';
import { answerOf, differences, type Oracle, quote, testEnvironment } from './oracle.ts';

const MODULES: FunctionModule[] = [
  ageFunctions,
  atTimeZoneFunctions,
  timeCasts,
  binning,
  truncation,
  extractFunctions,
  justification,
  makers,
  overlapsFunctions,
  timeSeries,
];
const OPERATORS = [...timeArithmetic.operators!, ...timeComparisons.operators!];

/** For SQL over the catalogs. */
const TYPE_OIDS = `array['date','time','timetz','timestamp','timestamptz','interval']::regtype[]::oid[]`;

const UNITS = [
  'microseconds',
  'milliseconds',
  'second',
  'minute',
  'hour',
  'day',
  'week',
  'month',
  'quarter',
  'year',
  'decade',
  'century',
  'millennium',
  'julian',
  'dow',
  'isodow',
  'doy',
  'isoyear',
  'epoch',
  'timezone',
  'timezone_hour',
  'timezone_minute',
  'YEAR',
  'us',
  'ms',
  's',
  'm',
  'mm',
  'h',
  'd',
  'w',
  'y',
  'mon',
  'mons',
  'dec',
  'c',
  'mil',
  'ago',
  'now',
  'foo',
  '',
  'jan',
  'infinity',
  'j',
  'at',
  'timezone_m',
  'days',
  'isoyears',
];
const ZONES = [
  'UTC',
  'America/New_York',
  'europe/berlin',
  'PST',
  'EDT',
  'MSK',
  '+02',
  '-05:30',
  'Foo/Bar',
  'EST',
  'Asia/Kathmandu',
  'UTC+3',
  'vet',
  '<+05>-5',
  'z',
  '',
];

const POOLS: Readonly<Record<string, readonly string[]>> = {
  date: [
    '2024-02-29',
    '2023-12-31',
    '2000-01-01',
    '1999-12-31',
    '1970-01-01',
    '2024-03-10',
    '2024-11-03',
    '0001-01-01',
    '0001-12-31 BC',
    '0044-03-15 BC',
    '4714-11-24 BC',
    '5874897-12-31',
    '294276-12-31',
    '294277-01-01',
    'infinity',
    '-infinity',
    '2021-01-03',
    '2020-12-28',
    '1901-01-01',
    '2016-01-31',
  ],
  time: ['00:00', '00:00:00.000001', '12:34:56.789', '23:59:59.999999', '24:00', '06:30', '17:45:01.5', '08:08:08.080808'],
  timetz: ['00:00+00', '12:34:56.789-08', '23:59:59.999999+15:59', '24:00-05:30', '06:30+05:45:15', '17:45:01.5+02', '17:45:01.5+00'],
  timestamp: [
    '2024-02-29 12:34:56.789',
    '2023-12-31 23:59:59.999999',
    '2000-01-01',
    '1999-12-31 23:00',
    '1970-01-01 00:00:00.000001',
    '2024-03-10 02:30',
    '2024-11-03 01:30',
    '0001-01-01 05:06:07',
    '0001-12-31 23:59:59.5 BC',
    '0044-03-15 12:00 BC',
    '4714-11-24 00:00 BC',
    '294276-12-31 23:59:59.999999',
    'infinity',
    '-infinity',
    '2021-01-03 04:05:06.070809',
    '2020-12-28',
    '1901-01-01',
    '2016-01-31 00:00:01',
    '2015-03-31 08:09:10.123456',
    '1990-07-15 10:00',
    '2500-06-15 10:11:12',
  ],
  timestamptz: [
    '2024-02-29 12:34:56.789+00',
    '2023-12-31 23:59:59.999999+00',
    '2000-01-01+00',
    '1999-12-31 23:00-05',
    '1970-01-01 00:00:00.000001+00',
    '2024-03-10 07:30+00',
    '2024-03-10 06:59:59.9+00',
    '2024-11-03 05:30+00',
    '2024-11-03 06:30+00',
    '0001-01-01 05:06:07+00',
    '0044-03-15 12:00+00 BC',
    '4714-11-24 00:00+00 BC',
    '294276-12-31 23:59:59.999999+00',
    'infinity',
    '-infinity',
    '2021-01-03 04:05:06.070809+00',
    '1990-07-15 10:00+00',
    '2500-06-15 10:11:12+00',
    '1883-11-18 17:00+00',
  ],
  interval: [
    '0',
    '1 day',
    '-1 day',
    '1 mon',
    '-1 mon',
    '1 year 2 mons 3 days 04:05:06.789',
    '-1 year -2 mons -3 days -04:05:06.789',
    '1 mon -1 day',
    '-1 mon 31 days 24:00',
    '24:00',
    '25:00:00.000001',
    '-00:00:00.000001',
    '40 days 30:00',
    '-40 days 30:00',
    '14 mons -45 days',
    '00:15',
    '5 min',
    '1.5 s',
    '100 years',
    '178956970 years',
    '2147483647 days',
    '-2147483648 days',
    '2562047788:00:54.775807',
    '-9223372036854775808 us',
    'infinity',
    '-infinity',
    '1000 years',
    '7 days',
    '02:00',
    '-05:30',
    '05:45:15',
  ],
  int4: ['0', '1', '-1', '2', '12', '13', '24', '28', '29', '31', '59', '60', '99', '100', '2024', '-44', '294276', '2147483647', '-2147483648', '5874897'],
  float8: [
    '0',
    '1',
    '-1',
    '0.5',
    '2',
    '1.5',
    '-0.333',
    '59.9999999',
    '60',
    '1e10',
    '1e15',
    '-1e20',
    'NaN',
    'Infinity',
    '-Infinity',
    '1700000000.123456',
    '0.0000005',
    '12.3456789',
    '-210866803200',
    '9224318015999',
    '9224318016000',
    '3.7',
    '100',
  ],
};

function poolFor(name: string, type: string): readonly string[] {
  if (type !== 'text') return POOLS[type]!;
  return name === 'extract' || name === 'date_part' || name === 'date_trunc' ? UNITS : ZONES;
}

export function operatorsAndFunctions(oracle: () => Oracle): void {
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
    describe(timeZone, () => {
      let env: Environment;
      beforeAll(async () => {
        env = await oracle().environment({ timeZone });
      });

      test('operators', async () => {
        const random = generator(timeZone.length);
        const cases: Case[] = [];
        for (const operator of OPERATORS) {
          const types = operator.left === null ? [operator.right] : [operator.left, operator.right];
          for (let i = 0; i < 60; i++)
            cases.push(
              operatorCase(
                operator,
                types.map((type) => pick(random, POOLS[type]!)),
                env,
              ),
            );
        }
        await compare(cases);
      });

      test('casts', async () => {
        const cases: Case[] = [];
        for (const cast of timeCasts.casts!) for (const text of POOLS[cast.from]!) cases.push(castCase(cast, text, env));
        await compare(cases);
      });

      const names = [...new Set(scalarFunctions(MODULES).map(({ name }) => name))].filter((name) => !typeNames.has(name));
      for (const name of names) {
        test(name, async () => {
          const random = generator(timeZone.length * 31 + name.length);
          const cases: Case[] = [];
          for (const fn of scalarFunctions(MODULES, name)) {
            const pools = fn.args.map((type, i) => (name === 'date_trunc' && i === 2 ? ZONES : poolFor(name, type)));
            const size = pools.reduce((product, pool) => product * pool.length, 1);
            if (size <= 1200) {
              for (let n = 0; n < size; n++) {
                let rest = n;
                const args = pools.map((pool) => {
                  const text = pool[rest % pool.length]!;
                  rest = Math.floor(rest / pool.length);
                  return text;
                });
                cases.push(functionCase(fn, args, env));
              }
            } else {
              for (let i = 0; i < 400; i++) {
                const args = pools.map((pool): Argument => (name === 'overlaps' && random() < 0.15 ? null : pick(random, pool)));
                cases.push(functionCase(fn, args, env));
              }
            }
          }
          await compare(cases);
        });
      }

      test('generate_series', async () => {
        const calls: [string, string, string, string, string | null][] = [
          ['timestamp', '2024-01-01', '2024-01-10', '1 day', null],
          ['timestamp', '2024-01-31', '2024-12-31', '1 mon', null],
          ['timestamp', '2024-01-10', '2024-01-01', '-36:00', null],
          ['timestamp', '2024-01-10', '2024-01-01', '1 day', null],
          ['timestamp', '2024-01-10', '2024-01-11', '0', null],
          ['timestamp', '2024-01-10', '2024-01-11', 'infinity', null],
          ['timestamp', '294276-12-30', 'infinity', '1 day', null],
          ['timestamptz', '2024-03-08', '2024-03-13', '1 day', null],
          ['timestamptz', '2024-11-02', '2024-11-04', '12:00', null],
          ['timestamptz', '2024-03-29', '2024-04-02', '1 day', 'Europe/Berlin'],
          ['timestamptz', '2024-03-29', '2024-04-02', '1 day', 'Nowhere'],
        ];
        const fns = timeSeries.functions!.filter((fn): fn is SetFunction => fn.kind === 'set');
        const sqls: string[] = [];
        const ours: string[] = [];
        for (const [type, start, stop, step, zone] of calls) {
          const args = [`${quote(start)}::${type}`, `${quote(stop)}::${type}`, `${quote(step)}::interval`];
          if (zone !== null) args.push(quote(zone));
          sqls.push(`(select string_agg(g::text, ',') from generate_series(${args.join(', ')}) g)`);
          const fn = fns.find((candidate) => candidate.args[0] === type && candidate.args.length === args.length)!;
          ours.push(
            answerOf(() => {
              const values: Value[] = [typeOf(type).parse(start, -1, env), typeOf(type).parse(stop, -1, env), typeOf('interval').parse(step, -1, env)];
              if (zone !== null) values.push(zone);
              const call: Call = { env, argTypes: [], returnType: typeOf(type) };
              const rows = [...(fn.needsCall === true ? fn.impl(call, ...values) : fn.impl(...values))] as Value[];
              return rows.length === 0 ? null : rows.map((row) => typeOf(type).format(row, env)).join(',');
            }),
          );
        }
        expect(differences(sqls, ours, await oracle().ask(sqls))).toEqual([]);
      });
    });
  }

  const typeNames = new Set(['date', 'time', 'timetz', 'timestamp', 'timestamptz', 'interval']);

  test('constructor-like casts are functions too', async () => {
    const env = await oracle().environment({ timeZone: 'America/New_York' });
    const cases: Case[] = [];
    for (const fn of scalarFunctions([timeCasts])) {
      for (const first of POOLS[fn.args[0]!]!) {
        for (const second of fn.args.length === 2 ? POOLS[fn.args[1]!]! : ['']) {
          cases.push(functionCase(fn, [first, second].slice(0, fn.args.length), env));
        }
      }
    }
    await compare(cases);
  });

  test('aggregates', async () => {
    const env = await oracle().environment({});
    const lists: Record<string, string[][]> = {
      date: [[], ['2024-01-01', '2023-01-01', 'infinity'], ['-infinity', '1999-01-01']],
      time: [['12:00', '11:00', '24:00']],
      timetz: [['12:00+00', '13:00+01', '11:00-01'], []],
      timestamp: [['2024-01-01', '294276-12-31', '4714-11-24 BC']],
      timestamptz: [['2024-01-01', 'infinity', '-infinity']],
      interval: [
        [],
        ['1 day', '24:00'],
        ['24:00', '1 day'],
        ['1 mon', '1 day', '03:04:05.6'],
        ['1 mon', '2 mons', '-7 days'],
        ['infinity', '1 day'],
        ['infinity', '-infinity'],
        ['-infinity', '-infinity'],
        ['178956970 years', '178956970 years'],
        ['10 days', '10 days', '10 days', '1 day'],
      ],
    };
    const sqls: string[] = [];
    const ours: string[] = [];
    for (const fn of timeAggregates.functions as AggregateFunction<unknown>[]) {
      const type = fn.args[0]!;
      for (const list of lists[type]!) {
        sqls.push(`(select ${fn.name}(x::${type}) from unnest(array[${list.map(quote).join(',')}]::text[]) x)`);
        ours.push(
          answerOf(() => {
            const call: Call = { env, argTypes: [typeOf(type)], returnType: typeOf(fn.returns) };
            let state = fn.init(call);
            for (const text of list) state = fn.step(state, typeOf(type).parse(text, -1, env));
            const result = fn.finish(state);
            return result === null ? null : typeOf(fn.returns).format(result, env);
          }),
        );
      }
    }
    expect(differences(sqls, ours, await oracle().ask(sqls))).toEqual([]);
  });

  test('a moving frame of sums takes values away again', () => {
    const env = testEnvironment();
    const sum = timeAggregates.functions!.find((fn) => fn.name === 'sum') as AggregateFunction<unknown>;
    const [a, b, c] = ['1 mon', 'infinity', '2 days'].map((text) => typeOf('interval').parse(text, -1, env));
    let state = sum.init({ env, argTypes: [], returnType: typeOf('interval') });
    for (const value of [a, b, c]) state = sum.step(state, value);
    expect(typeOf('interval').format(sum.finish(state), env)).toBe('infinity');
    state = sum.inverse!(sum.inverse!(state, a), b);
    expect(typeOf('interval').format(sum.finish(state), env)).toBe('2 days');
    expect(sum.finish(sum.inverse!(state, c))).toBeNull();
  });

  test('clocks read the environment', () => {
    const env = { ...testEnvironment({ timeZone: 'Europe/Berlin' }), transactionStart: 1, statementStart: 2, clock: () => 3 };
    const call: Call = { env, argTypes: [], returnType: typeOf('timestamptz') };
    const value = (name: string): Value => scalarFunctions([clocks], name)[0]!.impl(call);
    expect(['now', 'transaction_timestamp', 'statement_timestamp', 'clock_timestamp'].map(value)).toEqual([1, 1, 2, 3]);
    expect([currentDate(env), currentTimestamp(env), currentTimestamp(env, 3), localTimestamp(env), localTime(env, 0)]).toEqual([
      0, 1, 0, 3_600_000_001, 3_600_000_000,
    ]);
    expect(typeOf('timetz').format(currentTime(env), env)).toBe('01:00:00.000001+01');
    expect(value('timeofday')).toBe('Sat Jan 01 01:00:00.000003 2000 CET');
  });

  test('nothing that Postgres has is missing', async () => {
    const rows = await oracle().rows(
      `select o.oprname::text || ' ' || coalesce(l.typname::text || ' ', '') || r.typname || ' ' || o.oprcode::oid::regproc || ' ' || t.typname || ' ' || p.provolatile::text || ' ' || coalesce(c.oprname::text, '') || ' ' || coalesce(n.oprname::text, '')
     from pg_operator o join pg_type r on r.oid = o.oprright join pg_type t on t.oid = o.oprresult join pg_proc p on p.oid = o.oprcode left join pg_type l on l.oid = o.oprleft
     left join pg_operator c on c.oid = o.oprcom left join pg_operator n on n.oid = o.oprnegate where o.oprleft = any(${TYPE_OIDS}) or o.oprright = any(${TYPE_OIDS}) order by 1`,
    );
    const ours = OPERATORS.map(
      (o) =>
        `${o.name} ${o.left === null ? '' : o.left + ' '}${o.right} ${o.proc} ${o.returns} ${o.volatility === 'stable' ? 's' : 'i'} ${o.commutator ?? ''} ${o.negator ?? ''}`,
    );
    expect(ours.sort()).toEqual(rows.map((row) => row[0]!).sort());

    const casts = await oracle().rows(
      `select s.typname::text || ' ' || t.typname || ' ' || castcontext::text || ' ' || provolatile::text from pg_cast join pg_type s on s.oid = castsource join pg_type t on t.oid = casttarget join pg_proc p on p.oid = castfunc
     where (castsource = any(${TYPE_OIDS}) or casttarget = any(${TYPE_OIDS})) and castsource <> casttarget`,
    );
    expect(timeCasts.casts!.map((c) => `${c.from} ${c.to} ${c.context[0]} ${c.volatility![0]}`).sort()).toEqual(casts.map((row) => row[0]!).sort());
  });

  test('no function of Postgres is missing', async () => {
    // Without input and output, what stands behind operators and indexes, casts to a typmod, ranges, and what is of other areas.
    const rows = await oracle().rows(
      `select proname || '(' || coalesce((select string_agg(t.typname, ',' order by n) from unnest(proargtypes) with ordinality a(o, n) join pg_type t on t.oid = a.o), '') || ') ' || r.typname || ' ' || provolatile::text
       from pg_proc p join pg_type r on r.oid = prorettype
       where pronamespace = 'pg_catalog'::regnamespace and (prorettype = any(${TYPE_OIDS}) or proargtypes::oid[] && ${TYPE_OIDS}) and not exists (select from pg_operator where oprcode = p.oid)
       and proname !~ '_(in|out|recv|send|hash|hash_extended|cmp|cmp_.*|larger|smaller|support|accum|avg|sum|serialize|deserialize|combine|accum_inv|subdiff)$|^(pg_|hash|in_range|uuid|percentile|(ts|tstz|date)(multi)?range|interval_(avg|sum))|sortsupport'
       and proargtypes::text !~ ' 23$|^[0-9]+ 23$'`,
    );
    const argsOf = (fn: SqlFunction): string => fn.args.join(',');
    const ours = new Set(
      [...MODULES, clocks, timeAggregates, toCharFunctions, fromCharFunctions]
        .flatMap((module) => module.functions ?? [])
        .map((fn) => `${fn.name}(${argsOf(fn)}) ${fn.returns} ${volatilityOf(fn)}`),
    );
    expect(rows.map((row) => row[0]!).filter((signature) => !ours.has(signature))).toEqual([]);
  });
}

function volatilityOf(fn: SqlFunction): string {
  return ((fn.kind === 'scalar' || fn.kind === 'set' ? fn.volatility : undefined) ?? 'immutable')[0]!;
}
