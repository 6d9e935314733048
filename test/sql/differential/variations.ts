/**
 * One query in worlds that must answer alike (metamorphic testing, as in SQLancer): without the further indexes, in a fork, with
 * the rows of each table written at once, with time slices that end at other moments, in a view, behind a WITH that is materialized, and with parameters for its literals.
 */
import { runOne } from '../../slt/run-slt.ts';
import { SqlFailure, type Target } from '../../slt/target.ts';
import { compareOutcomes } from './compare-targets.ts';
import { type Piece, render } from './piece.ts';
import { randomQuery, type Statement } from './random-query.ts';
import { schemaPieces, type Table, wideSchema } from './random-schema.ts';
import { WIDE_TYPES } from './random-type.ts';
import type { Finding } from './run-differential.ts';
import { Seeded } from './seeded.ts';
import { shrink } from './shrink.ts';
import { withUnsteadyClock } from './unsteady-clock.ts';
import { prepared, type Way, within } from './ways.ts';

/** The statements that make a world from those that make the first one. */
const WORLDS: Record<string, (before: readonly Piece[], tables: readonly Table[]) => string[]> = {
  'without indexes': (before) => before.map(render).filter((sql) => !/^CREATE (UNIQUE )?INDEX/.test(sql)),
  'in a fork': (before) => [...before.map(render), 'CREATE WORLD varied', 'USE WORLD varied'],
  'written at once': (before, tables) => {
    const rows = new Map<string, string[]>(tables.map(({ name }) => [name, []]));
    const out: string[] = [];
    for (const sql of before.map(render)) {
      const [, name, row] = /^INSERT INTO (\w+) VALUES (\(.*\))$/s.exec(sql) ?? [];
      const known = rows.get(name ?? '');
      if (known === undefined || known.length === 0) out.push(sql);
      else out[out.findIndex((each) => each.startsWith(`INSERT INTO ${name} VALUES`))] += `, ${row}`;
      known?.push(row);
    }
    return out;
  },
};

const WAYS: Record<string, Way> = {
  'in a view': (piece) => within([`CREATE VIEW q AS ${render(piece)}`, 'SELECT * FROM q']),
  'behind WITH': (piece) => [`WITH q AS MATERIALIZED (${render(piece)}) SELECT * FROM q`],
  'with parameters': (piece) => prepared(piece, 1),
  'inside of a join': (piece) => [`SELECT q.* FROM (SELECT 1 AS one) o CROSS JOIN LATERAL (${render(piece)}) q`],
};

const QUERIES = 25;

export async function runVariations(seed: number, target: Target): Promise<Finding | null> {
  const random = new Seeded(seed);
  const tables = wideSchema(random);
  const before = schemaPieces(tables, true);
  const queries = Array.from({ length: QUERIES }, () => randomQuery(random, tables, WIDE_TYPES));
  const plain: Way = (piece) => [render(piece)];
  const expected = await answers(target, before.map(render), queries, plain);
  const atOtherMoments = await withUnsteadyClock(seed, () => answers(target, before.map(render), queries, plain));
  for (const [at, statement] of queries.entries()) {
    const difference = differs(expected[at], atOtherMoments[at], statement);
    if (difference !== null) return { seed, statements: [...before.map(render), render(statement.piece)], difference: `with other time slices: ${difference}` };
  }
  for (const [how, world] of Object.entries(WORLDS)) {
    const found = await answers(target, world(before, tables), queries, plain);
    for (const [at, statement] of queries.entries()) {
      const difference = differs(expected[at], found[at], statement);
      if (difference !== null) return { seed, statements: [...before.map(render), render(statement.piece)], difference: `${how}: ${difference}` };
    }
  }
  await make(target, before.map(render));
  for (const statement of queries) {
    for (const [how, way] of Object.entries(WAYS)) {
      const ask = async (piece: Piece): Promise<string | null> => differs(await answer(target, plain(piece)), await answer(target, way(piece)), statement);
      let difference = await ask(statement.piece);
      if (difference === null) continue;
      const fails = async (candidate: { before: Piece[]; piece: Piece }, changed: boolean): Promise<boolean> => {
        if (changed) await make(target, candidate.before.map(render));
        const now = await ask(candidate.piece);
        if (now !== null) difference = now;
        return now !== null;
      };
      const least = await shrink({ before, piece: statement.piece }, fails);
      return { seed, statements: [...least.before.map(render), ...way(least.piece)], difference: `${how}: ${difference}` };
    }
  }
  return null;
}

type Answer = Awaited<ReturnType<typeof runOne>>;

async function make(target: Target, statements: readonly string[]): Promise<void> {
  await target.reset();
  for (const sql of [`SET statement_timeout = '5s'`, ...statements]) await runOne(target, sql);
}

async function answers(target: Target, statements: readonly string[], queries: readonly Statement[], way: Way): Promise<Answer[]> {
  await make(target, statements);
  const out: Answer[] = [];
  for (const { piece } of queries) out.push(await answer(target, way(piece)));
  return out;
}

/** What the last statement that gives rows answers, or the refusal of the first that is refused. */
async function answer(target: Target, statements: readonly string[]): Promise<Answer> {
  let last: Answer = [];
  for (const sql of statements) {
    const one = await runOne(target, sql);
    if (one instanceof SqlFailure) {
      for (const end of ['ROLLBACK', 'DEALLOCATE ALL']) await runOne(target, end);
      return one;
    }
    if (one.some(({ columns }) => columns.length > 0)) last = one;
  }
  return last;
}

function differs(a: Answer, b: Answer, { ordered }: Statement): string | null {
  if (a instanceof SqlFailure || b instanceof SqlFailure) {
    const codes = [a, b].map((each) => (each instanceof SqlFailure ? each.code : 'success'));
    // A view or a parameter may be refused where the query is not, and time is no answer.
    return a instanceof SqlFailure || codes.includes('57014') || /^(42|0A)/.test(codes[1]) ? null : codes.join(', ');
  }
  const found = compareOutcomes({ ...a[0], command: '' }, { ...b[0], command: '' }, { ordered, representative: true });
  return found === null ? null : `${found}\n${JSON.stringify(a[0].rows.slice(0, 8))}\n${JSON.stringify(b[0].rows.slice(0, 8))}`;
}
