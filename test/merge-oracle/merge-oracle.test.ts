/** Random definitions and rows on both sides of merges, all ways to bring them together, and Postgres 15 as the judge of what comes out. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { canRun, openPeers } from './peers.ts';
import { type Peers, playRound } from './round.ts';

const FIRST = Number(process.env['SVC_MERGE_SEED'] ?? 1);
const ROUNDS = Number(process.env['SVC_MERGE_ROUNDS'] ?? 150);
const EACH = 25;

let peers: Peers & { close(): Promise<void> };
beforeAll(async () => {
  if (canRun) peers = await openPeers();
});
afterAll(() => peers?.close());

for (let first = FIRST; first < FIRST + ROUNDS; first += EACH) {
  test.skipIf(!canRun)(`seeds ${first} to ${first + EACH - 1}: Postgres takes what merges leave, and dry runs tell it`, async () => {
    let merged = 0;
    for (let seed = first; seed < first + EACH; seed++) {
      const { way, statements, findings, merged: went } = await playRound(peers, seed);
      if (went) merged++;
      expect(findings, `seed ${seed}, ${way}:\n${statements.join('\n')}`).toEqual([]);
    }
    expect(merged, 'some go through').toBeGreaterThan(2);
  });
}
