/** One seed: a schema, its rows, then queries and writes on two targets, and partitions on the second. The first difference is shrunk. */
import { runOne } from '../../slt/run-slt.ts';
import { SqlFailure, type Target } from '../../slt/target.ts';
import { compareTargets, type Comparison, type Difference } from './compare-targets.ts';
import { type Piece, render } from './piece.ts';
import { randomQuery } from './random-query.ts';
import { randomSchema, schemaPieces, schemaStatements, wideSchema } from './random-schema.ts';
import { PLAIN_TYPES, WIDE_TYPES } from './random-type.ts';
import { randomTriggers } from './random-trigger.ts';
import { randomWrite } from './random-write.ts';
import { Seeded } from './seeded.ts';
import { shrink } from './shrink.ts';
import { checkPartition, randomPartition } from './tlp.ts';
import { plainly, randomWay, randomWayToWrite } from './ways.ts';

export interface Finding {
  seed: number;
  /** Statements that show it, the failing one last. */
  statements: string[];
  difference: string;
}

export interface Tally {
  statements: number;
  refused: number;
  /** SQLSTATE of refusals by the first target. */
  codes: Map<string, number>;
  /** Refusals whose messages differ. */
  messages: string[];
}

export function newTally(): Tally {
  return { statements: 0, refused: 0, codes: new Map(), messages: [] };
}

export interface SeedOptions {
  /** All types, larger tables, other ways of asking; without it, small plain tables. */
  wide?: boolean;
  /** Mostly writes. */
  writes?: boolean;
  statements?: number;
  shrinkTriesMax?: number;
}

export async function runSeed(seed: number, left: Target, right: Target, tally?: Tally, options: SeedOptions = {}): Promise<Finding | null> {
  const { wide = false, writes = false, statements = 40, shrinkTriesMax = 800 } = options;
  const random = new Seeded(seed);
  const tables = wide ? wideSchema(random) : randomSchema(random);
  const before: Piece[] = schemaPieces(tables, wide);
  const logs = wide && random.chance(0.4);
  if (logs) before.push(...randomTriggers(random, tables));
  await prepare(left, before);
  await prepare(right, before);
  for (let count = 0; count < statements; count++) {
    const write = random.chance(wide && writes ? 0.7 : 0.2);
    const statement = write ? randomWrite(random, tables, wide ? WIDE_TYPES : PLAIN_TYPES) : randomQuery(random, tables, wide ? WIDE_TYPES : PLAIN_TYPES);
    const way = !wide ? plainly : write ? randomWayToWrite(random) : randomWay(random, statement);
    const looks = write
      ? [
          ...tables.filter(({ kind }) => kind === 'table').map(({ name }) => `SELECT tableoid::regclass, * FROM ${name}`),
          ...(logs ? ['SELECT * FROM log'] : []),
        ]
      : [];
    const ask = async (piece: Piece): Promise<Comparison> => {
      let all: Comparison = { difference: null, code: null, messages: null };
      for (const sql of way(piece)) {
        const one = await compareTargets(left, right, sql, statement);
        all = { difference: all.difference ?? one.difference, code: all.code ?? one.code, messages: all.messages ?? one.messages };
        if ((one.difference !== null || one.code !== null) && way !== plainly) {
          for (const target of [left, right]) for (const end of ['ROLLBACK', 'DEALLOCATE ALL']) await runOne(target, end);
          break;
        }
      }
      for (const query of looks) {
        if (all.difference !== null) break;
        all = { ...all, difference: (await compareTargets(left, right, query, { ordered: false, representative: false })).difference };
      }
      return all;
    };
    const { difference, code, messages } = await ask(statement.piece);
    if (tally !== undefined) {
      tally.statements++;
      if (messages !== null) tally.messages.push(messages);
      if (code !== null && !write) {
        tally.refused++;
        tally.codes.set(code, (tally.codes.get(code) ?? 0) + 1);
      }
    }
    if (difference !== null) {
      let last: Difference = difference;
      const fails = async (candidate: { before: Piece[]; piece: Piece }, changed: boolean): Promise<boolean> => {
        if (changed || write) {
          await prepare(left, candidate.before);
          await prepare(right, candidate.before);
        }
        const found = (await ask(candidate.piece)).difference;
        if (found?.kind !== difference.kind) return false;
        last = found;
        return true;
      };
      const least = await shrink({ before, piece: statement.piece }, fails, shrinkTriesMax);
      return { seed, statements: [...least.before.map(render), ...way(least.piece)], difference: last.text };
    }
    if (write) before.push(...way(statement.piece));
  }
  return null;
}

/** Partitions need no second engine, so they find faults where both agree with one another. */
export async function runPartitions(seed: number, target: Target, count = 20): Promise<Finding | null> {
  const random = new Seeded(seed);
  const tables = randomSchema(random);
  const before = schemaStatements(tables);
  await prepare(target, before);
  for (let at = 0; at < count; at++) {
    const partition = randomPartition(random, tables);
    let difference = await checkPartition(target, partition);
    if (difference === null) continue;
    const fails = async (candidate: { before: Piece[]; piece: Piece }): Promise<boolean> => {
      await prepare(target, candidate.before);
      const found = await checkPartition(target, { ...partition, condition: candidate.piece });
      // A refusal that shrinking itself caused is not the fault that was found.
      if (found === null || / 4\d{4} |\n4\d/.test(found)) return false;
      difference = found;
      return true;
    };
    const least = await shrink({ before, piece: partition.condition }, fails);
    return { seed, statements: [...least.before.map(render), `${partition.whole} WHERE ${render(least.piece)}`], difference };
  }
  return null;
}

export function findingText(finding: Finding): string {
  return [`seed ${finding.seed}`, ...finding.statements.map((sql) => `${sql};`), '', finding.difference].join('\n');
}

/** A statement that takes longer than this is not compared. */
const STATEMENT_TIMEOUT = `SET statement_timeout = '5s'`;

async function prepare(target: Target, statements: readonly Piece[]): Promise<void> {
  await target.reset();
  for (const sql of [STATEMENT_TIMEOUT, ...statements.map(render)]) {
    const answer = await runOne(target, sql);
    if (answer instanceof SqlFailure && process.env['SVC_SHOW_SETUP'] !== undefined)
      process.stderr.write(`${target.name}: ${sql}\n  ${answer.code} ${answer.message}\n`);
  }
}
