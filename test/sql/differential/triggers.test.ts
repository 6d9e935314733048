/** Random triggers, one inside the other, and random writes: what they log is what Postgres's log. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PGliteTarget } from '../../slt/pglite-target.ts';
import { openSvc } from '../../slt/svc-target.ts';
import { SqlFailure, type Target } from '../../slt/target.ts';
import { Seeded } from './seeded.ts';

let postgres: Target;
beforeAll(async () => {
  postgres = await PGliteTarget.open();
}, 60_000);
afterAll(() => postgres.close());

const svc = await openSvc();
afterAll(() => svc?.close());

const TABLES = ['a', 'b'] as const;

/** What a trigger's function does beside logging; rows have the columns id and v. */
const ACTIONS: readonly ((to: string) => string)[] = [
  () => '',
  () => '',
  () => "IF TG_WHEN = 'BEFORE' AND TG_LEVEL = 'ROW' AND TG_OP <> 'DELETE' THEN NEW.v := NEW.v + 1; END IF;",
  () => "IF TG_LEVEL = 'ROW' AND TG_OP <> 'DELETE' AND NEW.v % 7 = 0 THEN RETURN NULL; END IF;",
  (to) =>
    `IF pg_trigger_depth() < 3 AND TG_LEVEL = 'ROW' AND TG_OP = 'INSERT' THEN INSERT INTO ${to} VALUES (NEW.id + 100, NEW.v) ON CONFLICT (id) DO UPDATE SET v = ${to}.v + 1; END IF;`,
  (to) => `IF pg_trigger_depth() < 3 AND TG_LEVEL = 'STATEMENT' THEN UPDATE ${to} SET v = v + 1 WHERE id % 3 = 0; END IF;`,
  (to) => `IF pg_trigger_depth() < 2 AND TG_OP = 'DELETE' AND TG_LEVEL = 'ROW' THEN DELETE FROM ${to} WHERE id = OLD.id; END IF;`,
  (to) => `IF pg_trigger_depth() < 2 AND TG_OP = 'UPDATE' AND TG_LEVEL = 'ROW' THEN UPDATE ${to} SET v = NEW.v WHERE id = OLD.id + 1; END IF;`,
  (to) => `IF TG_LEVEL = 'ROW' THEN PERFORM logged('count ' || (SELECT count(*) || ' ' || coalesce(sum(v), 0) FROM ${to})); END IF;`,
];

function setup(random: Seeded): string[] {
  const out = [
    'CREATE TABLE a (id int PRIMARY KEY, v int CHECK (v < 1000))',
    'CREATE TABLE b (id int PRIMARY KEY, v int)',
    'CREATE TABLE log (n int GENERATED ALWAYS AS IDENTITY, what text)',
    'CREATE FUNCTION logged(text) RETURNS void LANGUAGE plpgsql AS $$ BEGIN INSERT INTO log (what) VALUES ($1); END $$',
    'INSERT INTO a SELECT g, g FROM generate_series(1, 6) g',
    'INSERT INTO b SELECT g, g FROM generate_series(1, 6) g',
  ];
  for (let i = 0; i < random.between(2, 5); i++) {
    const on = random.pick(TABLES);
    const action = random.pick(ACTIONS)(random.pick(TABLES));
    const events = random.some(['INSERT', random.chance(0.3) ? 'UPDATE OF v' : 'UPDATE', 'DELETE']).join(' OR ');
    const level = random.chance(0.7) ? 'ROW' : 'STATEMENT';
    const when = level === 'ROW' && random.chance(0.3) ? 'WHEN (pg_trigger_depth() < 2)' : '';
    out.push(
      `CREATE FUNCTION f${i}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         PERFORM logged(concat_ws(' ', TG_NAME, TG_TABLE_NAME, TG_WHEN, TG_LEVEL, TG_OP, pg_trigger_depth(), OLD, NEW)); ${action}
         IF TG_OP = 'DELETE' THEN RETURN OLD; END IF; RETURN NEW; END $$`,
      `CREATE TRIGGER t${i} ${random.pick(['BEFORE', 'AFTER'])} ${events} ON ${on} FOR EACH ${level} ${when} EXECUTE FUNCTION f${i}()`,
    );
  }
  return out;
}

function write(random: Seeded): string {
  const on = random.pick(TABLES);
  const id = random.between(1, 9);
  switch (random.between(0, 5)) {
    case 0:
      return `INSERT INTO ${on} VALUES (${id}, ${random.between(1, 20)}), (${id + 20}, ${random.between(1, 20)}) RETURNING *`;
    case 1:
      return `INSERT INTO ${on} VALUES (${id}, 5) ON CONFLICT (id) DO UPDATE SET v = excluded.v + 1 RETURNING *`;
    case 2:
      return `UPDATE ${on} SET v = v + ${id} WHERE id < ${id} RETURNING *`;
    case 3:
      return `DELETE FROM ${on} WHERE id % ${id + 1} = 1 RETURNING *`;
    case 4:
      return `UPDATE ${on} SET id = id + 50 WHERE id = ${id}`;
    default:
      return `MERGE INTO ${on} t USING (VALUES (${id}, 3), (${id + 1}, 4)) s(i, x) ON t.id = s.i WHEN MATCHED THEN UPDATE SET v = x WHEN NOT MATCHED THEN INSERT VALUES (i, x)`;
  }
}

async function answer(target: Target, sql: string): Promise<string> {
  try {
    const outcomes = await target.run(sql);
    return JSON.stringify(outcomes.map(({ rows }) => rows.map((row) => row.map(String).join(' ')).sort()));
  } catch (error) {
    if (error instanceof SqlFailure) return error.code;
    throw error;
  }
}

test.skipIf(svc === null)(
  'random triggers log what they log in Postgres',
  async () => {
    for (let seed = 1; seed <= 25; seed++) {
      const random = new Seeded(seed);
      const statements = [...setup(random), ...Array.from({ length: 8 }, () => write(random))];
      await postgres.reset();
      await svc!.reset();
      for (const sql of [...statements.flatMap((each) => [each, 'SELECT * FROM a', 'SELECT * FROM b']), 'SELECT what FROM log ORDER BY n']) {
        const [expected, got] = [await answer(postgres, sql), await answer(svc!, sql)];
        if (got !== expected) expect(`seed ${seed}\n${statements.join(';\n')}\n${sql}\n${got}`).toBe(expected);
      }
    }
  },
  120_000,
);
