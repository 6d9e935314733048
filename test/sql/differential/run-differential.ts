/** One seed: a schema, its rows, then queries and writes on two targets, and partitions on the second. The first difference is shrunk. */
import { runOne } from '../../slt/run-slt.ts';
import { SqlFailure, type Target } from '../../slt/target.ts';
import { compareTargets } from './compare-targets.ts';
import { render } from './piece.ts';
import { randomQuery } from './random-query.ts';
import { randomSchema, schemaStatements } from './random-schema.ts';
import { randomWrite } from './random-write.ts';
import { Seeded } from './seeded.ts';
import { shrink } from './shrink.ts';
import { checkPartition, randomPartition } from './tlp.ts';

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
}

const STATEMENTS_A_SEED = 40;

export async function runSeed(seed: number, left: Target, right: Target, tally?: Tally): Promise<Finding | null> {
  const random = new Seeded(seed);
  const tables = randomSchema(random);
  const before = schemaStatements(tables);
  await prepare(left, before);
  await prepare(right, before);
  for (let count = 0; count < STATEMENTS_A_SEED; count++) {
    const write = random.chance(0.2);
    const statement = write ? randomWrite(random, tables) : randomQuery(random, tables);
    const sql = render(statement.piece);
    const table = write ? tables.map(({ name }) => `SELECT * FROM ${name} ORDER BY id`) : [];
    let difference = await compareTargets(left, right, sql, statement);
    for (const query of table) difference ??= await compareTargets(left, right, query, { ordered: true, representative: false });
    if (tally !== undefined) {
      tally.statements++;
      const answer = write ? null : await runOne(left, sql);
      if (answer instanceof SqlFailure) {
        tally.refused++;
        tally.codes.set(answer.code, (tally.codes.get(answer.code) ?? 0) + 1);
      }
    }
    if (difference !== null) {
      const fails = async (candidate: { before: string[]; piece: typeof statement.piece }): Promise<boolean> => {
        await prepare(left, candidate.before);
        await prepare(right, candidate.before);
        let found = await compareTargets(left, right, render(candidate.piece), statement);
        for (const query of table) found ??= await compareTargets(left, right, query, { ordered: true, representative: false });
        if (found !== null) difference = found;
        return found !== null;
      };
      const least = await shrink({ before, piece: statement.piece }, fails);
      return { seed, statements: [...least.before, render(least.piece)], difference };
    }
    if (write) before.push(sql);
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
    const fails = async (candidate: { before: string[]; piece: typeof partition.condition }): Promise<boolean> => {
      await prepare(target, candidate.before);
      const found = await checkPartition(target, { ...partition, condition: candidate.piece });
      // A refusal that shrinking itself caused is not the fault that was found.
      if (found === null || / 4\d{4} |\n4\d/.test(found)) return false;
      difference = found;
      return true;
    };
    const least = await shrink({ before, piece: partition.condition }, fails);
    return { seed, statements: [...least.before, `${partition.whole} WHERE ${render(least.piece)}`], difference };
  }
  return null;
}

export function findingText(finding: Finding): string {
  return [`seed ${finding.seed}`, ...finding.statements.map((sql) => `${sql};`), '', finding.difference].join('\n');
}

async function prepare(target: Target, statements: readonly string[]): Promise<void> {
  await target.reset();
  for (const sql of statements) await runOne(target, sql);
}
