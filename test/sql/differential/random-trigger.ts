/** Random triggers and rules over random tables. All that they do is told by the row they fire for, so the order of rows does not show. */
import { group, type Piece } from './piece.ts';
import type { Table } from './random-schema.ts';
import { literal } from './random-type.ts';
import type { Seeded } from './seeded.ts';

/** Definitions; what fires is written to the table `log`. */
export function randomTriggers(random: Seeded, tables: readonly Table[]): Piece[] {
  const own = tables.filter(({ kind }) => kind === 'table');
  const out: Piece[] = ['CREATE TABLE log (what text)'];
  for (let count = random.between(1, 3); count > 0; count--) out.push(...trigger(random, random.pick(own), own, out.length));
  // Postgres applies rules to what foreign keys do as well, which leaves rows that refer to nothing.
  const ruled = tables.filter(({ constraints }) => !Object.values(constraints).some((text) => text.includes('REFERENCES')));
  if (ruled.length > 0 && random.chance(0.4)) out.push(rule(random, random.pick(ruled), out.length));
  return out;
}

function trigger(random: Seeded, table: Table, tables: readonly Table[], at: number): Piece[] {
  const level = random.chance(0.65) ? 'ROW' : 'STATEMENT';
  const when = random.pick(['BEFORE', 'AFTER']);
  const events = random.some(['INSERT', 'UPDATE', 'DELETE']);
  const written = table.columns.slice(1).filter(({ generated }) => generated !== true);
  const column = random.pick(written);
  if (level === 'STATEMENT' && when === 'AFTER' && random.chance(0.6) && table.storage === '') {
    const event = events[0];
    const names = event === 'INSERT' ? ['NEW TABLE AS fresh'] : event === 'DELETE' ? ['OLD TABLE AS gone'] : ['OLD TABLE AS gone', 'NEW TABLE AS fresh'];
    const body = names
      .map((each) => each.split(' ')[3])
      .map(
        (name) => `INSERT INTO log SELECT TG_NAME || ' ${name} ' || count(*) || ' ' || coalesce(string_agg(r::text, ';' ORDER BY r::text), '') FROM ${name} r;`,
      );
    return define(at, body.join(' '), `AFTER ${event} ON ${table.name} REFERENCING ${names.join(' ')} FOR EACH STATEMENT`);
  }
  const log = `INSERT INTO log VALUES (concat_ws(' ', TG_NAME, TG_WHEN, TG_LEVEL, TG_OP, TG_TABLE_NAME, OLD, NEW));`;
  const other = random.pick(tables);
  const target = random.pick(other.columns.slice(1).filter(({ generated }) => generated !== true));
  const value = literal(random, target.type);
  const actions =
    level === 'STATEMENT'
      ? ['']
      : [
          '',
          `IF TG_OP <> 'DELETE' THEN NEW.${column.name} := ${literal(random, column.type)}; END IF;`,
          `IF TG_OP <> 'DELETE' AND NEW.id % 5 = 0 THEN RETURN NULL; END IF;`,
          `IF TG_OP = 'DELETE' AND OLD.id % 4 = 0 THEN RETURN NULL; END IF;`,
          `IF TG_OP = 'INSERT' AND pg_trigger_depth() < 2 THEN UPDATE ${other.name} SET ${target.name} = ${value} WHERE id = NEW.id; END IF;`,
          `IF TG_OP = 'UPDATE' AND pg_trigger_depth() < 2 THEN INSERT INTO log SELECT 'seen ' || count(*) FROM ${other.name} WHERE id = NEW.id + 1000000; END IF;`,
          `BEGIN INSERT INTO log VALUES (CASE WHEN TG_OP = 'INSERT' THEN 10 / (NEW.id % 3) ELSE 1 END); EXCEPTION WHEN division_by_zero THEN INSERT INTO log VALUES ('caught'); END;`,
        ];
  const condition =
    level === 'ROW' && random.chance(0.3) && !events.includes('DELETE')
      ? ` WHEN (NEW.${column.name} IS NOT NULL)`
      : level === 'ROW' && events.length === 1 && events[0] === 'UPDATE'
        ? ' WHEN (OLD.* IS DISTINCT FROM NEW.*)'
        : '';
  const timing = events.map((event) => (event === 'UPDATE' && random.chance(0.3) ? `UPDATE OF ${column.name}` : event)).join(' OR ');
  return define(
    at,
    `${log} ${random.pick(actions)} IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;`,
    `${when} ${timing} ON ${table.name} FOR EACH ${level}${condition}`,
  );
}

function define(at: number, body: string, what: string): Piece[] {
  return [
    `CREATE FUNCTION f${at}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body} RETURN NEW; END $$`,
    `CREATE TRIGGER r${at} ${what} EXECUTE FUNCTION f${at}()`,
  ];
}

function rule(random: Seeded, table: Table, at: number): Piece {
  const event = random.pick(['INSERT', 'UPDATE', 'DELETE']);
  const row = event === 'DELETE' ? 'OLD' : event === 'INSERT' ? 'NEW' : random.pick(['OLD', 'NEW']);
  const where = random.chance(0.5) ? ` WHERE ${row}.id % 2 = 0` : '';
  const action = random.pick([
    `ALSO INSERT INTO log VALUES ('rule ' || ${row}.id)`,
    'INSTEAD NOTHING',
    `INSTEAD INSERT INTO log VALUES ('instead ' || ${row}.id)`,
  ]);
  return group([`CREATE RULE u${at} AS ON ${event} TO ${table.name}${where} DO ${action}`]);
}
