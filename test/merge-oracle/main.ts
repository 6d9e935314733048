/** More rounds than the suite plays: `node dist/test/merge-oracle/main.js [first seed] [rounds]`. */
import { openPeers } from './peers.ts';
import { playRound } from './round.ts';

const first = Number(process.argv[2] ?? 1);
const rounds = Number(process.argv[3] ?? 2000);
const peers = await openPeers();
let merged = 0;
let bad = 0;
for (let seed = first; seed < first + rounds; seed++) {
  const round = await playRound(peers, seed);
  if (round.merged) merged++;
  if (round.findings.length === 0) continue;
  bad++;
  console.log(
    `\nseed ${seed} (${round.way})\n  ${round.statements.join('\n  ')}\n${round.findings.map((each) => `  ! ${each.replaceAll('\n', '\n    ')}`).join('\n')}`,
  );
}
console.log(`\n${rounds} rounds from seed ${first}, ${merged} went through, ${bad} with findings`);
await peers.close();
