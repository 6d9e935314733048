/**
 * node dist/test/sql/differential/main.js [--left pglite] [--right svc] [--seed 1] [--count 100] [--partitions]
 *
 * Compares two targets over random statements, a schema a seed; prints each finding with its seed and smallest form.
 * With --partitions only the right target is used, and checked by ternary logic partitioning.
 */
import { parseArgs } from 'node:util';
import { openTarget } from '../../slt/open-target.ts';
import { findingText, runPartitions, runSeed, type Tally } from './run-differential.ts';

const { values } = parseArgs({
  options: {
    left: { type: 'string', default: 'pglite' },
    right: { type: 'string', default: 'svc' },
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '100' },
    partitions: { type: 'boolean', default: false },
  },
});

const right = await openTarget(values.right);
const left = values.partitions ? null : await openTarget(values.left);
const tally: Tally = { statements: 0, refused: 0, codes: new Map() };
let findings = 0;
const first = Number(values.seed);
for (let seed = first; seed < first + Number(values.count); seed++) {
  const finding = left === null ? await runPartitions(seed, right) : await runSeed(seed, left, right, tally);
  if (finding === null) continue;
  findings++;
  process.stdout.write(`${findingText(finding)}\n\n`);
}
const codes = [...tally.codes].sort((a, b) => b[1] - a[1]).map(([code, count]) => `${code} ${count}`);
process.stdout.write(
  `seeds ${first}–${first + Number(values.count) - 1}: ${findings} findings; ${tally.statements} statements, ${tally.refused} queries refused (${codes.join(', ')})\n`,
);
await left?.close();
await right.close();
process.exitCode = findings > 0 ? 1 : 0;
