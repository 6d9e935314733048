/**
 * node dist/test/sql/differential/main.js [--left pglite] [--right svc] [--seed 1] [--count 100] [--plain] [--writes] [--messages] [--partitions | --variations]
 *
 * Compares two targets over random statements, a schema a seed; prints each finding with its seed and smallest form.
 *
 *   --plain       small tables of plain types
 *   --writes      most statements write
 *   --messages    prints refusals whose messages differ
 *   --partitions  the right target alone, by ternary logic partitioning
 *   --variations  the right target alone, one thing asked in many ways
 */
import { parseArgs } from 'node:util';
import { openTarget } from '../../slt/open-target.ts';
import { runVariations } from './variations.ts';
import { findingText, newTally, runPartitions, runSeed } from './run-differential.ts';

const { values } = parseArgs({
  options: {
    left: { type: 'string', default: 'pglite' },
    right: { type: 'string', default: 'svc' },
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '100' },
    partitions: { type: 'boolean', default: false },
    variations: { type: 'boolean', default: false },
    writes: { type: 'boolean', default: false },
    plain: { type: 'boolean', default: false },
    messages: { type: 'boolean', default: false },
  },
});

const right = await openTarget(values.right);
const left = values.partitions || values.variations ? null : await openTarget(values.left);
const tally = newTally();
let findings = 0;
const first = Number(values.seed);
for (let seed = first; seed < first + Number(values.count); seed++) {
  const finding =
    left === null
      ? await (values.variations ? runVariations : runPartitions)(seed, right)
      : await runSeed(seed, left, right, tally, { wide: !values.plain, writes: values.writes });
  if (finding === null) continue;
  findings++;
  process.stdout.write(`${findingText(finding)}\n\n`);
}
if (values.messages) for (const text of new Set(tally.messages)) process.stdout.write(`other messages\n${text}\n`);
const codes = [...tally.codes].sort((a, b) => b[1] - a[1]).map(([code, count]) => `${code} ${count}`);
process.stdout.write(
  `seeds ${first}–${first + Number(values.count) - 1}: ${findings} findings; ${tally.statements} statements, ${tally.refused} queries refused (${codes.join(', ')})\n`,
);
await left?.close();
await right.close();
process.exitCode = findings > 0 ? 1 : 0;
