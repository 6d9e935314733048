/** The statements that a difference tells, run in the state that it begins with, give the one that it ends with. */
import { afterEach, expect, test } from 'vitest';
import { render } from '../differential/piece.ts';
import { randomDefinition } from '../differential/random-definition.ts';
import { randomObject } from '../differential/random-object.ts';
import { randomRight, ROLE_STATEMENTS } from '../differential/random-right.ts';
import { schemaPieces, wideSchema } from '../differential/random-schema.ts';
import { randomTriggers } from '../differential/random-trigger.ts';
import { WIDE_TYPES } from '../differential/random-type.ts';
import { randomWrite } from '../differential/random-write.ts';
import { Seeded } from '../differential/seeded.ts';
import { TestDatabase } from './open-database.ts';
import { outcomeOf, stateOf } from './world-state.ts';

const SEEDS = Number(process.env['SEEDS'] ?? 8);
const FIRST = Number(process.env['SEED'] ?? 1);

let t: TestDatabase;
afterEach(() => t.close());

const done = (sql: string, branch = 'main'): Promise<string> => outcomeOf(t, sql, branch);

test.each(Array.from({ length: SEEDS }, (_, i) => FIRST + i))('seed %i', async (seed) => {
  const random = new Seeded(seed);
  const tables = wideSchema(random);
  t = await TestDatabase.open();
  await t.run(ROLE_STATEMENTS);
  for (const piece of [...schemaPieces(tables, true), ...(random.chance(0.5) ? randomTriggers(random, tables) : [])]) await done(render(piece));
  await t.run('CREATE WORLD branch; CREATE WORLD copy; CREATE WORLD back FROM branch');
  const said: string[] = [];
  for (let at = 1; at <= 10; at++) {
    const roll = random.between(1, 100);
    const sql =
      roll <= 20
        ? randomRight(random, tables, at)
        : roll <= 50
          ? randomObject(random, tables, at)
          : roll <= 70
            ? randomDefinition(random, tables, at)
            : render(randomWrite(random, tables, WIDE_TYPES).piece);
    said.push(`${sql}  -- ${await done(sql, 'branch')}`);
  }
  const made = said.join(';\n');
  for (const [from, to, into] of [
    ['copy', 'branch', 'copy'],
    ['branch', 'back', 'branch'],
  ]) {
    const script = (await t.lines(`DIFF WORLD ${from} TO ${to} AS SQL`)).join('\n');
    // A label that an enum type has stays, and the script says so.
    const staying = [...script.matchAll(/^-- label .* of type (\w+) stays/gmu)].map(([, name]) => `(${name},e,`);
    const compared = async (world: string): Promise<string[]> =>
      (await stateOf(t, world, { byName: true })).filter((line) => !staying.some((start) => line.startsWith(start)));
    const meant = await compared(to);
    try {
      await t.run(script, into);
    } catch (error) {
      throw new Error(`${made}\n--- ${from} to ${to}: ${(error as Error).message}\n${script}`);
    }
    expect(await compared(into), `${made}\n--- ${from} to ${to}\n${script}`).toEqual(meant);
  }
});
