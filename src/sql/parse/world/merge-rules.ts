/** Merge policies, merge checks, reviews and outcomes. */
import type { CreateMergeCheck, DefineMergePolicy, DropMergeCheck, DropMergePolicy, ReviewWorld, Show, ShowMergeOutcomes } from '../../ast/world.ts';
import { parseRules } from './rules.ts';
import type { WorldReader } from './world-reader.ts';

/** `n (rule = value, …)` */
export function parseDefineMergePolicy(reader: WorldReader, type: DefineMergePolicy['type']): DefineMergePolicy {
  const name = reader.name();
  return { type, name, rules: parseRules(reader), at: reader.start };
}

/** `n [RELEASE AGENTS]` */
export function parseDropMergePolicy(reader: WorldReader): DropMergePolicy {
  const name = reader.name();
  return { type: 'dropMergePolicy', name, releaseAgents: reader.accept('release', 'agents'), at: reader.start };
}

/** `n [ON (t, …)] [TIMEOUT ms] AS query`, after OR REPLACE if `replaces`. */
export function parseCreateMergeCheck(reader: WorldReader, replaces = false): CreateMergeCheck {
  const name = reader.name();
  const tables = reader.accept('on') ? reader.list(() => reader.table()) : [];
  const timeoutMs = reader.accept('timeout') ? reader.count() : null;
  reader.expect('as');
  if (reader.atEnd) throw reader.failure();
  const from = reader.at;
  const query = reader.inner.query(reader.text, from, reader.end);
  reader.skipTo(reader.end);
  const queryText = reader.text.slice(from, reader.end);
  return { type: 'createMergeCheck', name, tables, timeoutMs, query, queryText, ...(replaces ? { replaces: true as const } : {}), at: reader.start };
}

export function parseDropMergeCheck(reader: WorldReader): DropMergeCheck {
  return { type: 'dropMergeCheck', name: reader.name(), at: reader.start };
}

/** `WORLD a APPROVE | REJECT | PASS ['reason'] [CONFIRM DELETES n]` */
export function parseReviewWorld(reader: WorldReader): ReviewWorld {
  reader.expect('world');
  const name = reader.name();
  let verdict: ReviewWorld['verdict'];
  if (reader.accept('approve')) verdict = 'approve';
  else if (reader.accept('reject')) verdict = 'reject';
  else {
    reader.expect('pass');
    verdict = 'pass';
  }
  // In either order.
  let reason = reader.isString ? reader.string().value : null;
  const confirmDeletes = verdict === 'approve' && reader.accept('confirm', 'deletes') ? reader.count() : null;
  if (reason === null && reader.isString) reason = reader.string().value;
  return { type: 'reviewWorld', name, verdict, reason, confirmDeletes, at: reader.start };
}

/** `POLICIES | CHECKS | OUTCOMES [BY POLICY]`, each `[AS OF 'moment']` */
export function parseShowMerge(reader: WorldReader): Show | ShowMergeOutcomes {
  if (reader.accept('policies')) return { type: 'showMergePolicies', asOf: reader.asOf(), at: reader.start };
  if (reader.accept('checks')) return { type: 'showMergeChecks', asOf: reader.asOf(), at: reader.start };
  reader.expect('outcomes');
  return { type: 'showMergeOutcomes', byPolicy: reader.accept('by', 'policy'), asOf: reader.asOf(), at: reader.start };
}
