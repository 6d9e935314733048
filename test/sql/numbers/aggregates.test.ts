import { afterAll, beforeAll, expect, test } from 'vitest';
import { collectingAggregates } from '../../../src/sql/functions/aggregates/collecting.ts';
import { countAggregates } from '../../../src/sql/functions/aggregates/count.ts';
import { deviationAggregates } from '../../../src/sql/functions/aggregates/deviations.ts';
import { extremeAggregates } from '../../../src/sql/functions/aggregates/extremes.ts';
import { hypotheticalAggregates, type KeyOrder } from '../../../src/sql/functions/aggregates/hypothetical.ts';
import { logicAggregates } from '../../../src/sql/functions/aggregates/logic.ts';
import { orderedSetAggregates } from '../../../src/sql/functions/aggregates/ordered-set.ts';
import { regressionAggregates } from '../../../src/sql/functions/aggregates/regression.ts';
import { sumAggregates } from '../../../src/sql/functions/aggregates/sums.ts';
import type { AggregateFunction, FunctionModule } from '../../../src/sql/functions/define.ts';
import { textOf } from '../../../src/sql/functions/text/text-of.ts';
import type { Value } from '../../../src/sql/types/value.ts';
import { TYPES, agree, matchesCatalog, sqlName, sqlOf, typeNamed, valueOf, type Argument, type Comparison } from './declared.ts';
import { ENVIRONMENT, Oracle, outcome, seeded } from './oracle.ts';
import { argument } from './values.ts';

const MODULES: FunctionModule[] = [
  countAggregates,
  sumAggregates,
  deviationAggregates,
  regressionAggregates,
  extremeAggregates,
  logicAggregates,
  collectingAggregates,
  orderedSetAggregates,
  hypotheticalAggregates,
];

let oracle: Oracle;
beforeAll(async () => {
  oracle = await Oracle.start();
}, 60_000);
afterAll(() => oracle.close());

const random = seeded(Number(process.env.SEED ?? 13));
const int = (limit: number): number => Math.floor(random() * limit);

function all(): AggregateFunction[] {
  return MODULES.flatMap((module) => module.functions ?? []).filter((each): each is AggregateFunction => each.kind === 'aggregate');
}

/** Declared argument types with polymorphic ones made `type`. */
function concrete(declared: string, type: string): string {
  return declared === 'any' || declared === 'anyelement' || declared === 'anynonarray' ? type : declared === 'anyarray' ? `_${type}` : declared;
}

function callOf(types: readonly string[], returns: string): Parameters<AggregateFunction['init']>[0] {
  return { env: ENVIRONMENT, argTypes: types.map(typeNamed), returnType: typeNamed(returns) };
}

function show(returns: string, value: Value): string | null {
  return value === null ? null : textOf(typeNamed(returns), value, ENVIRONMENT);
}

function feed(declared: AggregateFunction, state: unknown, row: readonly Argument[]): unknown {
  const values = row.map(valueOf);
  return declared.strict === true && values.includes(null) ? state : declared.step(state, ...values);
}

function rowsSql(rows: readonly (readonly Argument[])[], types: readonly string[]): string {
  const names = types.map((_, index) => `x${index}`).join(', ');
  if (rows.length === 0) return `(select ${types.map((type) => `null::${sqlName(type)}`).join(', ')} where false) as t(${names})`;
  return `(values ${rows.map((row) => `(${row.map(sqlOf).join(', ')})`).join(', ')}) as t(${names})`;
}

function nearly(ours: string, theirs: string): boolean {
  const [a, b] = [Number(ours), Number(theirs)];
  return Math.abs(a - b) <= Math.abs(b) * 1e-15;
}

function randomRows(types: readonly string[], most: number): Argument[][] {
  const rows: Argument[][] = [];
  for (let count = int(most); count > 0; count--) {
    rows.push(types.map((type) => (type === 'anyarray' ? { type: '_int4', text: '{1,2}' } : int(8) === 0 ? { type, text: null } : argument(type, random))));
  }
  return rows;
}

/** Numbers without NaN, infinities and extremes too, which most random lists have. */
function plainRows(types: readonly string[]): Argument[][] {
  const rows: Argument[][] = [];
  for (let count = 1 + int(8); count > 0; count--) {
    rows.push(
      types.map((type) => {
        if (type === 'numeric') return { type, text: (int(2000000) / 1000 - 1000).toFixed(int(5)) };
        if (type === 'float4' || type === 'float8') return { type, text: String(int(4000) / 16 - 100) };
        return argument(type, random);
      }),
    );
  }
  return rows;
}

test('aggregates are those of the catalog', async () => {
  await matchesCatalog(oracle, MODULES);
});

test('values', async () => {
  const cases: Comparison[] = [];
  for (const declared of all()) {
    if (declared.orderedSet !== undefined) continue;
    const polymorphic = declared.args.some((type) => type.startsWith('any'));
    for (const type of polymorphic ? ['int4', 'text', 'float8', 'bpchar'] : ['']) {
      const types = declared.args.map((each) => concrete(each, type));
      const returns = concrete(declared.returns, type);
      if (types.some((each) => !TYPES.has(each) || each.startsWith('_'))) continue;
      for (let i = 0; i < 24; i++) {
        const rows = i % 3 === 0 ? plainRows(types) : randomRows(types, 8);
        const call = declared.args.length === 0 ? 'count(*)' : `${declared.name}(${types.map((_, index) => `x${index}`).join(', ')})`;
        cases.push({
          sql: `select (${call})::text from ${rowsSql(rows, types.length === 0 ? ['int4'] : types)}`,
          ours: outcome(() => show(returns, declared.finish(rows.reduce((state, row) => feed(declared, state, row), declared.init(callOf(types, returns)))))),
        });
      }
    }
  }
  await agree(
    oracle,
    // count(*) over no columns has nothing to list.
    cases.filter((each) => !each.sql.includes('values ()')).map((each) => ({ ...each, sql: `(${each.sql})` })),
    nearly,
  );
});

test('moving frames', async () => {
  const cases: Comparison[] = [];
  for (const declared of all()) {
    if (declared.inverse === undefined || declared.args.length !== 1) continue;
    const types = declared.args.map((each) => concrete(each, 'int4'));
    const returns = declared.returns;
    for (let i = 0; i < 12; i++) {
      const rows = i % 2 === 0 ? plainRows(types) : randomRows(types, 9);
      if (rows.length === 0) continue;
      const list = rows.map((row, index) => `(${index}, ${row.map(sqlOf).join(', ')})`).join(', ');
      cases.push({
        sql: `(select string_agg(coalesce(s::text, '-'), ' ' order by n) from (select n, ${declared.name}(x) over (order by n rows between 2 preceding and current row) s
               from (values ${list}) t(n, x)) q)`,
        ours: outcome(() => {
          let state = declared.init(callOf(types, returns));
          return rows
            .map((row, index) => {
              state = feed(declared, state, row);
              const gone = rows[index - 3];
              const values = gone?.map(valueOf);
              if (values !== undefined && !(declared.strict === true && values.includes(null))) state = declared.inverse?.(state, ...values);
              return show(returns, declared.finish(state)) ?? '-';
            })
            .join(' ');
        }),
      });
    }
  }
  await agree(oracle, cases);
});

test('string_agg, array_agg and their order', async () => {
  const cases: Comparison[] = [];
  const arrays = collectingAggregates.functions?.find((each) => each.name === 'array_agg' && each.args[0] === 'anyarray') as AggregateFunction;
  for (const given of [['{1,2}', '{3,4}'], ['{1,2}', '{3}'], ['{}'], ['{1,NULL}', null], [null], []]) {
    const rows = given.map((text) => [{ type: '_int4', text }]);
    cases.push({
      sql: `(select array_agg(x0)::text from ${rowsSql(rows, ['_int4'])})`,
      ours: outcome(() => show('_int4', arrays.finish(rows.reduce((state, row) => feed(arrays, state, row), arrays.init(callOf(['_int4'], '_int4')))))),
    });
  }
  await agree(oracle, cases);
});

test('ordered sets', async () => {
  const cases: Comparison[] = [];
  const fractions = ['0', '1', '0.5', '0.25', '0.3333', '-0.1', '1.5', 'NaN', null];
  const lists = ['{0,0.5,1}', '{}', '{0.25,NULL}', '{2}', null];
  for (const declared of orderedSetAggregates.functions ?? []) {
    // Intervals have no values here: percentile_cont over them is in the .slt files.
    if (declared.kind !== 'aggregate' || declared.returns.includes('interval')) continue;
    for (const type of declared.args.includes('anyelement') ? ['int4', 'text', 'numeric'] : ['float8']) {
      const key = concrete(declared.args[declared.args.length - 1] as string, type);
      const returns = concrete(declared.returns, type);
      for (let i = 0; i < 30; i++) {
        const rows = plainRows([key]).slice(i % 5 === 0 ? 8 : 0);
        if (i % 4 === 0) rows.push(...rows.slice(0, 2), [{ type: key, text: null }]);
        const direct: Argument[] = declared.name === 'mode' ? [] : [{ type: declared.args[0] as string, text: (declared.args[0] === '_float8' ? lists : fractions)[i % (declared.args[0] === '_float8' ? 5 : 9)] ?? null }]; // prettier-ignore
        const order = typeNamed(key).compare;
        const sorted = rows.filter((row) => row[0]?.text !== null).sort((a, b) => order(valueOf(a[0] as Argument), valueOf(b[0] as Argument)));
        cases.push({
          sql: `(select (${declared.name}(${direct.map(sqlOf).join()}) within group (order by x0${key === 'text' ? ' collate "C"' : ''}))::text from ${rowsSql(rows, [key])})`,
          ours: outcome(() => {
            const types = [...direct.map((each) => each.type), key];
            const state = sorted.reduce((before, row) => feed(declared, before, row), declared.init(callOf(types, returns)));
            return show(returns, declared.finish(state, ...direct.map(valueOf)));
          }),
        });
      }
    }
  }
  await agree(oracle, cases, nearly);
});

test('hypothetical rows', async () => {
  const cases: Comparison[] = [];
  for (const declared of hypotheticalAggregates.functions ?? []) {
    if (declared.kind !== 'aggregate') continue;
    for (let i = 0; i < 60; i++) {
      const rows: Argument[][] = [];
      for (let count = int(8); count > 0; count--) rows.push([0, 1].map(() => ({ type: 'int4', text: int(7) === 0 ? null : String(int(4)) })));
      const direct = [0, 1].map(() => ({ type: 'int4', text: int(9) === 0 ? null : String(int(4)) }));
      const order: KeyOrder[] = [0, 1].map(() => ({ descending: int(2) === 0, nullsFirst: int(2) === 0 }));
      const sql = order.map((each, index) => `x${index} ${each.descending ? 'desc' : 'asc'} nulls ${each.nullsFirst ? 'first' : 'last'}`).join(', ');
      const key = (argument: Argument | undefined, each: KeyOrder): number =>
        argument?.text === null ? (each.nullsFirst ? -100 : 100) : Number(argument?.text) * (each.descending ? -1 : 1);
      const sorted = [...rows].sort(
        (a, b) => key(a[0], order[0] as KeyOrder) - key(b[0], order[0] as KeyOrder) || key(a[1], order[1] as KeyOrder) - key(b[1], order[1] as KeyOrder),
      );
      cases.push({
        sql: `(select (${declared.name}(${direct.map(sqlOf).join()}) within group (order by ${sql}))::text from ${rowsSql(rows, ['int4', 'int4'])})`,
        ours: outcome(() => {
          const call = { ...callOf(['int4', 'int4'], declared.returns), order };
          return show(
            declared.returns,
            declared.finish(
              sorted.reduce((state, row) => feed(declared, state, row), declared.init(call)),
              ...direct.map(valueOf),
            ),
          );
        }),
      });
    }
  }
  await agree(oracle, cases, nearly);
  expect(cases.length).toBe(240);
});
