import type { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ARRAY_BUILD } from '../../../src/sql/functions/array/array-build.ts';
import { ARRAY_COMPARE } from '../../../src/sql/functions/array/array-compare.ts';
import { ARRAY_INSPECT } from '../../../src/sql/functions/array/array-inspect.ts';
import { ARRAY_ROWS } from '../../../src/sql/functions/array/array-rows.ts';
import { numberSeries } from '../../../src/sql/functions/numeric/series.ts';
import type { FunctionModule } from '../../../src/sql/functions/define.ts';
import { ENUM_FUNCTIONS } from '../../../src/sql/functions/enum/enum-functions.ts';
import { JSON_ACCESS } from '../../../src/sql/functions/json/json-access.ts';
import { JSON_AGGREGATES } from '../../../src/sql/functions/json/json-aggregates.ts';
import { JSON_BUILD } from '../../../src/sql/functions/json/json-build.ts';
import { JSON_CASTS } from '../../../src/sql/functions/json/json-casts.ts';
import { JSON_INSPECT } from '../../../src/sql/functions/json/json-inspect.ts';
import { JSON_POPULATE } from '../../../src/sql/functions/json/json-populate.ts';
import { JSONB_CHANGE } from '../../../src/sql/functions/json/jsonb-change.ts';
import { JSONB_COMPARE } from '../../../src/sql/functions/json/jsonb-compare.ts';
import { RECORD_COMPARE } from '../../../src/sql/functions/record/record-compare.ts';
import { WINDOW_RANK } from '../../../src/sql/functions/window/window-rank.ts';
import { WINDOW_VALUE } from '../../../src/sql/functions/window/window-value.ts';
import { newPostgres } from '../../postgres-oracle.ts';

const MODULES: readonly FunctionModule[] = [
  ARRAY_BUILD,
  ARRAY_COMPARE,
  ARRAY_INSPECT,
  ARRAY_ROWS,
  numberSeries,
  ENUM_FUNCTIONS,
  JSON_ACCESS,
  JSON_AGGREGATES,
  JSON_BUILD,
  JSON_CASTS,
  JSON_INSPECT,
  JSON_POPULATE,
  JSONB_CHANGE,
  JSONB_COMPARE,
  RECORD_COMPARE,
  WINDOW_RANK,
  WINDOW_VALUE,
];

let pg: PGlite;
beforeAll(async () => {
  pg = await newPostgres();
});
afterAll(() => pg.close());

test('functions are declared as pg_proc has them', async () => {
  for (const f of MODULES.flatMap((module) => module.functions ?? [])) {
    // Defaults are one row there; overloads that differ by an optional argument are several.
    for (let left = 0; left <= (f.optional ?? 0); left++) {
      const args = f.args.slice(0, f.args.length - left);
      if (f.variadic !== undefined) args.push(f.variadic === 'any' ? 'any' : `_${f.variadic}`);
      const { rows } = await pg.query<Record<string, unknown>>(
        `select prorettype::regtype::oid::int as ret, (select typname from pg_type where oid = prorettype) as returns, proretset, proisstrict, provolatile, prokind, pronargdefaults, provariadic <> 0 as variadic,
           (select array_agg(n order by i) from unnest(proargnames, proargmodes) with ordinality u(n, m, i) where m is null or m in ('i', 'v')) as names,
           (select array_agg(n || ' ' || t.typname order by i) from unnest(proargnames, proargmodes, proallargtypes) with ordinality u(n, m, y, i) join pg_type t on t.oid = u.y where m = 'o') as outs
         from pg_proc where proname = $1 and (select coalesce(array_agg(t.typname::text order by i), '{}') from unnest(proargtypes) with ordinality u(y, i) join pg_type t on t.oid = u.y) = $2::text[]`,
        [f.name, args],
      );
      const title = `${f.name}(${args.join(',')})`;
      if (left > 0 && rows.length === 0) continue;
      expect([title, rows.length]).toEqual([title, 1]);
      const row = rows[0];
      const declared = {
        title,
        returns: f.returns,
        set: f.kind === 'set',
        kind: { scalar: 'f', set: 'f', aggregate: 'a', window: 'w' }[f.kind],
        variadic: f.variadic !== undefined,
        strict: f.kind === 'scalar' || f.kind === 'set' ? f.strict !== false : row.proisstrict,
        volatility: f.kind === 'scalar' || f.kind === 'set' ? (f.volatility ?? 'immutable')[0] : row.provolatile,
        names: f.argNames ?? row.names,
        outs: 'columns' in f && f.columns !== undefined ? f.columns.map((column) => `${column.name} ${column.type}`) : null,
      };
      expect(declared).toEqual({
        title,
        returns: row.returns,
        set: row.proretset,
        kind: row.prokind,
        variadic: row.variadic,
        strict: row.proisstrict,
        volatility: row.provolatile,
        names: left > 0 ? declared.names : row.names,
        outs: row.outs ?? null,
      });
    }
  }
});

test('operators are declared as pg_operator has them', async () => {
  for (const o of MODULES.flatMap((module) => module.operators ?? [])) {
    const { rows } = await pg.query<Record<string, unknown>>(
      `select (select typname from pg_type where oid = oprresult) as returns, oprcode::oid::regprocedure::text as code, (select proname from pg_proc where oid = oprcode) as proc,
         (select oprname from pg_operator c where c.oid = o.oprcom) as commutator, (select oprname from pg_operator n where n.oid = o.oprnegate) as negator
       from pg_operator o where oprname = $1 and (select typname from pg_type where oid = oprleft) = $2 and (select typname from pg_type where oid = oprright) = $3`,
      [o.name, o.left, o.right],
    );
    const title = `${o.left} ${o.name} ${o.right}`;
    expect([title, rows.length]).toEqual([title, 1]);
    expect([title, o.returns, o.proc, o.commutator ?? null, o.negator ?? null]).toEqual([
      title,
      rows[0].returns,
      rows[0].proc,
      rows[0].commutator,
      rows[0].negator,
    ]);
  }
});

test('casts are declared as pg_cast has them', async () => {
  for (const cast of JSON_CASTS.casts!) {
    const { rows } = await pg.query<{ castcontext: string; castmethod: string }>(
      'select castcontext, castmethod from pg_cast where (select typname from pg_type where oid = castsource) = $1 and (select typname from pg_type where oid = casttarget) = $2',
      [cast.from, cast.to],
    );
    expect([cast.from, cast.to, cast.context[0], cast.method[0]]).toEqual([cast.from, cast.to, rows[0].castcontext, rows[0].castmethod]);
  }
});

test('nothing is declared twice', () => {
  const seen = MODULES.flatMap((module) => module.functions ?? []).map((f) => `${f.name}(${[...f.args, f.variadic ?? ''].join()})`);
  expect(seen.filter((name, at) => seen.indexOf(name) !== at)).toEqual([]);
});
