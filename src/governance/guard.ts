/**
 * Judges a merge between its plan and its event: the agent's policy, merge checks over the result, and
 * the number of deletes that a person has confirmed.
 *
 *   agent under a policy ── rules, scope, checks ──► passes on rules | held for a person (42501)
 *   agent without one    ── checks ──────────────► passes | refused (23514)
 *   person, or reviewer  ── checks, deletes ─────► passes | refused (23514, 55000)
 */
import { assert } from '../base/assert.ts';
import { exactJsonText } from '../base/exact-json.ts';
import { heldInput } from './held-input.ts';
import { SvcError } from '../base/errors/svc-error.ts';
import type { DiffReply, Json, MergePreview, Row } from '../commands/contract.ts';
import type { MergeAttempt, MergeGuard } from '../commands/merge-guard.ts';
import { CATALOG_TREE } from '../events/changes.ts';
import type { Meta } from '../events/meta.ts';
import type { Passage } from '../events/types/merged.ts';
import type { Refused } from '../events/types/refused.ts';
import { actorName, type Principal } from '../session/principal.ts';
import type { Node } from '../tree/node.ts';
import { childRoot } from '../tree/directory.ts';
import { applyToWorld } from '../worlds/apply.ts';
import { type Catalog, catalogAfter, readCatalog, type Table } from '../worlds/catalog.ts';
import type { Context } from '../worlds/context.ts';
import { rowRecord } from '../worlds/document.ts';
import type { HeldMerge, Reason } from '../worlds/governance.ts';
import { rowKey } from '../worlds/keys.ts';
import { lineage, lineageNumbers } from '../worlds/lineage.ts';
import type { Side } from '../worlds/merge/plan.ts';
import { effectOn } from '../worlds/definition-effects.ts';
import { type RowAt, rowIn } from '../tree/row-change.ts';
import { changedTrees, eachRowChange } from '../worlds/changes-between.ts';
import type { World } from '../worlds/world.ts';
import { seesMasked } from '../commands/masked-rows.ts';
import { type BrokenCheck, type CheckRunner, type MergeCheck, runChecks, watches } from './checks.ts';
import { type Changed, changedBy, columnsOf } from './changed.ts';
import type { Policy } from './policy.ts';
import { readersOf, type Touched } from './readers.ts';
import { brokenRules, type Facts } from './rules.ts';
import { staleReads } from './stale-reads.ts';
import { exchanged } from './query-meaning.ts';
import { listed, outsideScope, type RowsOf, SCOPE_KEYS, scopeOf } from './scope.ts';

/** What governance needs from its environment. */
export interface GuardParts {
  readonly context: Context;
  /** The agent's policy (null: none); undefined if there is no such agent. */
  policyOfAgent(agent: string): string | null | undefined;
  readonly runCheck: CheckRunner;
  /** Search path of merge checks' queries. */
  checkPath(): readonly string[];
}

export class GovernedMerges implements MergeGuard {
  readonly #parts: GuardParts;

  constructor(parts: GuardParts) {
    this.#parts = parts;
  }

  judge(attempt: MergeAttempt, by: Principal, signal?: AbortSignal): Passage | null | Promise<Passage | null> {
    const { typed } = this.#parts.context;
    const { governance } = this.#parts.context.state;
    const { branch, target, plan, input, approved } = attempt;
    const agentPolicy = policyOf(by);
    const held = governance.held(branch.number);
    if (agentPolicy === undefined && branch.owner === null && held === null && governance.count('check') === 0) return null;
    const changed = changedBy(typed, plan, catalogsOf(attempt));
    let passage: Passage | null = null;
    let reasons: Reason[] = [];
    if (agentPolicy !== undefined && !approved) {
      this.#refuseOthersHeld(held, branch, by, agentPolicy);
      const governed = agentPolicy !== null && governs(target, actorName(by));
      if (governed) reasons = this.#reasons(attempt, changed, agentPolicy, by);
      if (held !== null && isRejected(held, branch)) {
        const reviewer = held.reviewer === null || held.reviewer === '' ? 'a person' : held.reviewer;
        reasons.push({
          rule: 'review',
          message: `review: ${reviewer} rejected it${held.reason === null ? '' : `: ${held.reason}`}`,
          found: 'reject',
          limit: null,
        });
      }
      passage = { policy: agentPolicy, approvedBy: governed ? 'rules' : 'none', rows: changed.rows, deletes: changed.deletes };
    } else {
      const policy = held?.policy ?? (branch.owner === null ? null : (this.#parts.policyOfAgent(branch.owner) ?? null));
      this.#confirmDeletes(policy, changed, input.confirm_deletes, approved && agentPolicy !== undefined);
      if (branch.owner !== null || held !== null) {
        passage = { policy, approvedBy: held !== null ? 'approved' : policy === null ? 'none' : 'person', rows: changed.rows, deletes: changed.deletes };
      }
    }
    if (agentPolicy !== undefined && !approved && governs(target, actorName(by))) {
      const lost = this.#exchanged(attempt, changed);
      if (lost.length > 0 && agentPolicy === null) {
        this.#note(attempt, 'check', by);
        throw exchangedCheck(lost);
      }
      reasons.push(...lost.map(checkReason));
    }
    const checks = governance.count('check') === 0 ? null : this.#checks(attempt, changed, { sees: seesMasked(by, this.#parts.context), signal });
    if (checks === null) {
      if (reasons.length === 0) return passage;
      return this.#hold(attempt, agentPolicy ?? null, reasons, by);
    }
    return checks.then((broken) => {
      if (broken.length > 0) {
        this.#note(attempt, 'check', by);
        if (agentPolicy === undefined || agentPolicy === null || approved || !governs(target, actorName(by))) throw brokenCheck(broken);
        reasons.push(...broken.map(checkReason));
      }
      return reasons.length === 0 ? passage : this.#hold(attempt, agentPolicy ?? null, reasons, by);
    });
  }

  /** A principal with a policy may not replace another's held merge. */
  #refuseOthersHeld(held: HeldMerge | null, branch: World, by: Principal, policy: string | null): void {
    if (held === null || policy === null || branch.owner === actorName(by)) return;
    throw new SvcError('42501', `the merge of "${branch.name}" is held for review and belongs to ${branch.owner ?? "the database's own user"}`, {
      hint: 'A person or the reviewer of its policy decides.',
    });
  }

  #reasons(attempt: MergeAttempt, changed: Changed, name: string, by: Principal): Reason[] {
    const policy = this.#parts.context.state.governance.named('policy', name)?.value as unknown as Policy | undefined;
    if (policy === undefined) return [{ rule: 'policy', message: `policy: there is no policy "${name}", so a person decides`, found: name, limit: null }];
    return brokenRules(policy, this.facts(attempt, changed, actorName(by)));
  }

  facts(attempt: MergeAttempt, changed: Changed, agent: string): Facts {
    const { context } = this.#parts;
    const { branch, plan } = attempt;
    const now = context.engine.clock.nowMicros();
    const before = context.state.outcomes.mergedOnRules(branch.number);
    let scope: Reason[] | null = null;
    const { meta } = branch;
    try {
      const declared = scopeOf(meta);
      scope = declared === null ? null : outsideScope(declared, changed, this.#rowsOf(attempt), before);
    } catch (error) {
      scope = [{ rule: 'scope', message: `scope: ${(error as Error).message}`, found: null, limit: null }];
    }
    return {
      changed,
      overwritten: plan.overwritten,
      alike: plan.alike,
      before,
      ageMs: (now - branch.created) / 1000,
      lastHour: context.state.outcomes.mergedSince(agent, (now - 3_600_000_000) as typeof now),
      readers: readersOf(attempt.sides.ours.catalog, context.state.governance, changed.tables).readers,
      stale: staleReads(this.#parts.context, branch),
      scope,
      declares: { may_change: meta['may_change'] !== undefined, tenant: meta['tenant'] !== undefined },
    };
  }

  /** Whole rows of a changed table: before in the target, and in the result. */
  #rowsOf(attempt: MergeAttempt): RowsOf {
    const { engine, typed } = this.#parts.context;
    const { pager } = engine;
    let result: Node | null = null;
    return function* rowsOf(number) {
      result ??= resultOf(attempt, pager);
      const changes = attempt.plan.changes.find(({ tree }) => tree === number);
      const after = readCatalog(pager, result).byNumber.get(number);
      const before = attempt.sides.ours.catalog.byNumber.get(number) ?? after;
      const record = (root: Node, table: typeof before, key: never): Row | null => {
        const at: RowAt | null = table === undefined ? null : rowIn(pager, childRoot(pager, root, number), key);
        return at === null ? null : rowRecord(typed, table!, at.leaf, at.index);
      };
      for (const { key } of changes?.rows ?? []) {
        yield {
          key: rowKey(typed, (after ?? before)!, key),
          before: record(attempt.sides.ours.root, before, key as never),
          after: record(result, after, key as never),
        };
      }
    };
  }

  #confirmDeletes(name: string | null, changed: Changed, given: number | undefined, byAgent: boolean): void {
    const asked = this.#deletesToConfirm(name, changed);
    if (asked === null || (given === asked.deletes && !byAgent)) return;
    throw new SvcError('55000', `the merge deletes ${asked.deletes} rows, and the policy "${asked.policy}" asks a person for that number above ${asked.over}`, {
      hint: byAgent
        ? 'A person merges it, with `confirm_deletes`.'
        : `Look at the deletes, then merge with CONFIRM DELETES ${asked.deletes} (\`confirm_deletes: ${asked.deletes}\`).`,
      status: 409,
      data: { confirm_deletes: asked },
    });
  }

  #deletesToConfirm(name: string | null, changed: Changed): { deletes: number; over: number; policy: string } | null {
    const policy = name === null ? undefined : (this.#parts.context.state.governance.named('policy', name)?.value as unknown as Policy | undefined);
    const over = policy?.confirm_deletes_over ?? null;
    return over === null || changed.deletes <= over ? null : { deletes: changed.deletes, over, policy: name! };
  }

  /**
   * Checks whose queries would mean something else in the result. Considers all checks: one unaffected today would miss
   * violations in the next merge. A person may change what a check reads; it then applies with its new meaning.
   */
  #exchanged({ plan, sides }: MergeAttempt, { definitions }: Changed): BrokenCheck[] {
    const { context, checkPath } = this.#parts;
    if (definitions.length === 0 || context.state.governance.count('check') === 0) return [];
    const rows = plan.changes.find(({ tree }) => tree === CATALOG_TREE)?.rows ?? [];
    const result = catalogAfter(sides.ours.catalog, rows);
    const path = checkPath();
    return context.state.governance.all('check').flatMap(({ name, value }) => {
      const found = exchanged((value as unknown as MergeCheck).query, path, sides.ours.catalog, result);
      return found.length === 0 ? [] : [{ name, message: `the merge exchanges what it reads: ${listed(found)}`, rows: [] }];
    });
  }

  /** null: no check watches what changes. */
  #checks(attempt: MergeAttempt, changed: Changed, how: { sees: boolean; preview?: boolean; signal: AbortSignal | undefined }): Promise<BrokenCheck[]> | null {
    const { context, runCheck } = this.#parts;
    const checks = context.state.governance.all('check').filter(({ value }) => {
      const check = value as unknown as MergeCheck;
      return check.tables.length === 0 || changed.tables.some((table) => watches(check, table));
    });
    if (checks.length === 0) return null;
    context.state.worlds.share(attempt.target);
    const root = resultOf(attempt, context.engine.pager);
    return runChecks(checks, { world: attempt.target, root, catalog: readCatalog(context.engine.pager, root) }, runCheck, how);
  }

  /** `policy` null: the only obstacle is a rejection. */
  async #hold(attempt: MergeAttempt, policy: string | null, reasons: Reason[], by: Principal): Promise<never> {
    const { context } = this.#parts;
    const { branch, target, input } = attempt;
    if (reasons.some(({ rule }) => rule === 'check_reads')) this.#note(attempt, 'stale reads', by);
    const known = context.state.governance.held(branch.number);
    const { version: _version, dry_run: _dry, diff: _diff, hash: _hash, count: _count, held: _held, ...asked } = input;
    const held = {
      type: 'mergeHeld',
      into: target.number,
      version: branch.version,
      policy: policy ?? '',
      input: heldInput(asked),
      reasons: reasons as unknown as Meta[],
    } as const;
    if (known === null || !stands(known, held, branch)) {
      assert(policy !== null, `the merge of world ${branch.number} waits under a policy`);
      context.engine.commit(held, branch.number, actorName(by));
    }
    await context.engine.durable(context.engine.log.head);
    throw heldError(branch.name, policy, reasons);
  }

  conflicted(attempt: MergeAttempt, by: Principal): void {
    this.#note(attempt, 'conflicts', by);
  }

  #note({ branch }: MergeAttempt, why: Refused['why'], by: Principal): void {
    if (branch.owner !== null && actorName(by) !== '') this.#parts.context.engine.commit({ type: 'refused', why }, branch.number, actorName(by));
  }

  async preview(
    attempt: MergeAttempt,
    by: Principal,
    signal?: AbortSignal,
  ): Promise<Pick<MergePreview, 'blocked' | 'readers' | 'coverage' | 'confirm_deletes'>> {
    const { context } = this.#parts;
    const { branch, target, sides } = attempt;
    const changed = changedBy(context.typed, attempt.plan, catalogsOf(attempt));
    const policy = policyOf(by);
    const reasons = typeof policy === 'string' && governs(target, actorName(by)) ? this.#reasons(attempt, changed, policy, by) : [];
    const { readers, coverage } = readersOf(sides.ours.catalog, context.state.governance, changed.tables);
    const confirm =
      policy === undefined
        ? this.#deletesToConfirm(
            context.state.governance.held(branch.number)?.policy ?? (branch.owner === null ? null : (this.#parts.policyOfAgent(branch.owner) ?? null)),
            changed,
          )
        : null;
    const checks =
      attempt.plan.conflicts.length > 0 || context.state.governance.count('check') === 0
        ? null
        : this.#checks(attempt, changed, { sees: seesMasked(by, context), preview: true, signal });
    const lost = policy !== undefined && governs(target, actorName(by)) ? this.#exchanged(attempt, changed) : [];
    const broken = [...lost, ...(checks === null ? [] : await checks)];
    return {
      blocked: [...reasons, ...broken.map(checkReason)].map(({ rule, message }) => ({ rule, message })),
      readers: readers.map(({ critical: _critical, ...reader }) => reader),
      coverage,
      ...(confirm === null ? {} : { confirm_deletes: confirm }),
    };
  }

  rebasing(world: World): void {
    const stale = staleReads(this.#parts.context, world);
    if (stale === null || stale.length === 0) return;
    throw new SvcError('40001', `"${world.name}" read ${stale.slice(0, 5).join(', ')}, which changed since its fork point; it was not rebased`, {
      hint: 'Look again at what changed (check_reads), then do the work in a new fork.',
      data: { stale },
    });
  }

  forking(meta: { readonly [key: string]: unknown }, by: Principal): void {
    const policy = this.#policyOf(by);
    if (policy === null) return;
    scopeOf(meta as Meta);
    if (policy.rules.require_scope && meta['may_change'] === undefined && meta['tenant'] === undefined) {
      throw new SvcError('42501', `require_scope: the policy "${policy.name}" asks each fork to declare \`may_change\` or \`tenant\` in its meta`, {
        hint: 'Fork with meta such as {"may_change": ["orders.status"], "tenant": {"tenant_id": 7}}.',
      });
    }
  }

  describing(world: World, meta: { readonly [key: string]: unknown }, by: Principal): void {
    const policy = this.#policyOf(by);
    const key = policy === null ? undefined : SCOPE_KEYS.find((each) => Object.hasOwn(meta, each));
    if (key === undefined) return;
    throw new SvcError(
      '42501',
      `the scope of "${world.name}" was declared when it was forked: "${key}" cannot be changed by an agent under the policy "${policy!.name}"`,
      {
        hint: 'Fork again with the scope that is needed.',
      },
    );
  }

  #policyOf(by: Principal): { name: string; rules: Policy } | null {
    const name = policyOf(by);
    const stored = typeof name === 'string' ? this.#parts.context.state.governance.named('policy', name) : null;
    return stored === null ? null : { name: stored.name, rules: stored.value as unknown as Policy };
  }

  readers(from: Side, to: Side): Pick<DiffReply, 'readers' | 'coverage'> {
    const { context } = this.#parts;
    const touched: Touched[] = [];
    const trees = changedTrees(context.engine.pager, from.root, to.root);
    // An added or dropped column is changed even without row writes.
    const effects = new Map([...to.catalog.byNumber].map(([number, table]) => [number, effectOn(from.catalog.byNumber.get(number), table)]));
    for (const [tree, effect] of effects) if (effect !== null && !trees.some((each) => each.tree === tree)) trees.push({ tree, from: null, to: null });
    for (const { tree, from: a, to: b } of trees) {
      const tables = [to.catalog.byNumber.get(tree), from.catalog.byNumber.get(tree)].filter((table) => table !== undefined);
      if (tables.length === 0) continue;
      const effect = effects.get(tree) ?? null;
      const numbers = new Set([...(effect?.lost ?? []), ...(effect?.gained ?? [])].map(({ number }) => number));
      let whole = false;
      if (a !== null || b !== null)
        eachRowChange(context.engine.pager, a, b, (_key, x, y) => {
          if (x === null || y === null) whole = true;
          else noteColumns(x, y, numbers);
          return !whole;
        });
      const columns = tables.flatMap((table) => columnsOf(table)).filter(({ number }) => whole || numbers.has(number));
      const of = <T>(above: (catalog: Catalog, table: Table) => Iterable<T>): T[] =>
        [to.catalog, from.catalog].flatMap((catalog) => {
          const table = catalog.byNumber.get(tree);
          return table === undefined ? [] : [...above(catalog, table)];
        });
      touched.push({
        number: tree,
        name: tables[0].name,
        names: new Set(of(lineage)),
        above: new Set(of(lineageNumbers)),
        columns: new Set(columns.map(({ name }) => name)),
        columnNumbers: new Set(columns.map(({ number }) => number)),
      });
    }
    const { readers, coverage } = readersOf(to.catalog, context.state.governance, touched);
    return { readers: readers.map(({ critical: _critical, ...reader }) => reader), coverage };
  }
}

/** The agent's policy (null: none); undefined for other principals. The guest never merges. */
export function policyOf(by: Principal): string | null | undefined {
  return by.kind === 'agent' ? (by.agent.state?.policy ?? null) : undefined;
}

/** A policy governs what reaches `main` or another principal's world; an agent may merge freely between its own. */
function governs(target: World, agent: string): boolean {
  return target.name === 'main' || target.owner !== agent;
}

function isRejected({ verdict, version }: HeldMerge, branch: World): boolean {
  return verdict === 'reject' && version === branch.version;
}

/** Held merges without a verdict that ended them: a rejected one stays in the list until its world changes or is gone. */
export function waitingMerges({ governance, worlds }: Context['state']): number {
  if (governance.heldCount === 0) return 0;
  return governance.allHeld().filter((held) => {
    const branch = worlds.byNumber(held.world);
    return branch !== null && !isRejected(held, branch);
  }).length;
}

/**
 * The same merge requested again without a change stays held, with its verdict. A rejection applies to the branch for any
 * input, since another request could otherwise replace it.
 */
function stands(known: HeldMerge, asked: Pick<HeldMerge, 'into' | 'input'> & { readonly reasons: readonly unknown[] }, branch: World): boolean {
  if (isRejected(known, branch)) return true;
  if (known.version !== branch.version || known.into !== asked.into) return false;
  return fieldsText(known.input) === fieldsText(asked.input) && JSON.stringify(known.reasons) === JSON.stringify(asked.reasons);
}

/** The same text for the same fields, in any order. */
function fieldsText(input: Meta): string {
  const given = Object.entries(input).filter(([, value]) => value !== undefined);
  return exactJsonText(Object.fromEntries(given.sort(([a], [b]) => (a < b ? -1 : 1))));
}

function catalogsOf({ sides }: MergeAttempt): { base: Side['catalog']; ours: Side['catalog']; theirs: Side['catalog'] } {
  return { base: sides.base.catalog, ours: sides.ours.catalog, theirs: sides.theirs.catalog };
}

function resultOf({ plan, sides }: MergeAttempt, pager: Context['engine']['pager']): Node {
  return applyToWorld(pager, sides.ours.root, plan.changes, pager.newEdit());
}

function noteColumns(x: RowAt, y: RowAt, numbers: Set<number>): void {
  for (const id of new Set([...x.leaf.colIds, ...y.leaf.colIds])) {
    if (!numbers.has(id) && x.leaf.cell(x.index, id) !== y.leaf.cell(y.index, id)) numbers.add(id);
  }
}

function checkReason({ name, message, rows }: BrokenCheck): Reason {
  return { rule: 'merge check', message: `merge check "${name}": ${message}`, found: rows, limit: [] };
}

function brokenCheck(broken: readonly BrokenCheck[]): SvcError {
  return new SvcError('23514', `the merge's result breaks ${broken.map(({ name, message }) => `merge check "${name}": ${message}`).join('; ')}`, {
    hint: 'Mend the rows in the branch, then merge again. Nothing was merged.',
    status: 409,
    data: { checks: broken },
  });
}

function exchangedCheck(lost: readonly BrokenCheck[]): SvcError {
  return new SvcError('23514', lost.map(({ name, message }) => `merge check "${name}": ${message}`).join('; '), {
    hint: 'Leave in the branch what the check reads as it is, or ask a person to merge it. Nothing was merged.',
    status: 409,
    data: { checks: lost },
  });
}

export function heldError(branch: string, policy: string | null, reasons: readonly Reason[]): SvcError {
  const under = policy === null ? '' : ` under the policy "${policy}"`;
  return new SvcError('42501', `the merge of "${branch}" waits for a person${under}: ${reasons.map(({ message }) => message).join('; ')}`, {
    hint: 'It is listed in the reviews; report the branch name to a person.',
    data: { held: true, reasons: reasons as unknown as Json },
  });
}
