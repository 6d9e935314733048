/**
 * node dist/test/sql/transactions/interleavings.js --svc PORT --postgres PORT [--seed 1] [--count 100] [--level "READ COMMITTED"]
 *
 * Plays random steps of several sessions on both servers and prints, for each seed where they differ, the fewest steps that still do.
 * Postgres needs enable_seqscan = off, enable_bitmapscan = off (rows are then locked in the order of their keys) and a short deadlock_timeout.
 */
import { parseArgs } from 'node:util';
import { type Level, play, type Scenario } from './play.ts';
import { randomScenario } from './random-scenario.ts';

const { values } = parseArgs({
  options: {
    svc: { type: 'string' },
    postgres: { type: 'string' },
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '100' },
    level: { type: 'string' },
  },
});

const levels: Level[] = values.level === undefined ? ['READ COMMITTED', 'REPEATABLE READ'] : [values.level as Level];

async function both(scenario: Scenario, level: Level): Promise<{ ours: string[]; theirs: string[] }> {
  const [ours, theirs] = await Promise.all([play(Number(values.svc), 'main', scenario, level), play(Number(values.postgres), 'main', scenario, level)]);
  return { ours, theirs };
}

async function differ(scenario: Scenario, level: Level): Promise<boolean> {
  // Who comes first of several that were let go at once is chance.
  for (let tries = 0; tries < 2; tries++) {
    const { ours, theirs } = await both(scenario, level);
    if (ours.join('\n') === theirs.join('\n')) return false;
  }
  return true;
}

async function fewest(scenario: Scenario, level: Level): Promise<Scenario> {
  let best = scenario;
  for (let again = true; again;) {
    again = false;
    for (let at = 0; at < best.steps.length; at++) {
      const fewer = { ...best, steps: best.steps.toSpliced(at, 1) };
      if (!(await differ(fewer, level))) continue;
      best = fewer;
      again = true;
      at--;
    }
  }
  return best;
}

let findings = 0;
const first = Number(values.seed);
for (let seed = first; seed < first + Number(values.count); seed++) {
  for (const level of levels) {
    const scenario = randomScenario(seed);
    if (!(await differ(scenario, level))) continue;
    findings++;
    const least = await fewest(scenario, level);
    const { ours, theirs } = await both(least, level);
    process.stdout.write(`seed ${seed}, ${level}\n${least.setup.split('\n')[2].trim()}\n`);
    for (let at = 0; at < Math.max(ours.length, theirs.length); at++) {
      if (ours[at] === theirs[at]) process.stdout.write(`  ${ours[at]}\n`);
      else process.stdout.write(`- ${theirs[at] ?? ''}\n+ ${ours[at] ?? ''}\n`);
    }
    process.stdout.write('\n');
  }
}
process.stdout.write(`seeds ${first}–${first + Number(values.count) - 1}: ${findings} findings\n`);
process.exitCode = findings > 0 ? 1 : 0;
