/** What became of agents' worlds, counted by agent or by policy. */
import type { MergeOutcomes } from '../commands/contract.ts';
import type { Outcome } from '../worlds/governance.ts';

/** `since`: start of history in µs, before which a world may have been forked; `policyOf`: of an agent; undefined if there is none. */
export function outcomes(all: readonly Outcome[], byPolicy: boolean, since: number, policyOf: (agent: string) => string | null | undefined): MergeOutcomes[] {
  const rows = new Map<string, MergeOutcomes>();
  for (const each of all) {
    const policy = each.policy ?? policyOf(each.agent) ?? null;
    const key = byPolicy ? `p${policy ?? ''}` : each.agent;
    let row = rows.get(key);
    if (row === undefined) {
      row = {
        ...(byPolicy ? {} : { agent: each.agent }),
        policy: byPolicy ? policy : (policyOf(each.agent) ?? policy),
        worlds: 0,
        on_rules: 0,
        no_policy: 0,
        approved: 0,
        rejected: 0,
        discarded: 0,
        open: 0,
        partly_merged: 0,
        before_window: 0,
        conflicts: 0,
        stale_reads: 0,
        check_refusals: 0,
        holds: 0,
        rules_rate: null,
      };
      rows.set(key, row);
    }
    row.worlds++;
    switch (each.end) {
      case 'rules':
        row.on_rules++;
        break;
      case 'none':
        row.no_policy++;
        break;
      case 'approved':
      case 'person':
        row.approved++;
        break;
      default:
        row[each.end]++;
    }
    if (each.partly) row.partly_merged++;
    if (each.forked < since) row.before_window++;
    row.conflicts += each.conflicts;
    row.stale_reads += each.staleReads;
    row.check_refusals += each.checkRefusals;
    row.holds += each.holds;
  }
  for (const row of rows.values()) {
    // Share of decided merges that needed no person.
    const decided = row.on_rules + row.approved + row.rejected;
    row.rules_rate = decided === 0 ? null : row.on_rules / decided;
  }
  const name = (row: MergeOutcomes): string => (byPolicy ? (row.policy ?? '') : row.agent!);
  return [...rows.values()].sort((a, b) => (name(a) < name(b) ? -1 : 1));
}
