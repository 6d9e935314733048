/** Commands of governed merges: policies, checks, readers, reviews, outcomes, the outbox. */
import { formatMicros } from '../base/clock.ts';
import { SvcError } from '../base/errors/svc-error.ts';
import type { WorldNumber } from '../base/brands.ts';
import type {
  CheckView,
  CheckMergePolicyInput,
  CheckMergePolicyReply,
  DropMergeCheckInput,
  DropMergePolicyInput,
  DropReaderInput,
  MergeChecksInput,
  MergeChecksReply,
  MergeOutcomesInput,
  MergeOutcomesReply,
  MergeInput,
  MergePoliciesInput,
  MergePoliciesReply,
  ReadersInput,
  ReadersReply,
  ReviewInput,
  ReviewReply,
  ReviewsInput,
  ReviewsReply,
  RunControl,
  SetMergeCheckInput,
  SetMergePolicyInput,
  SetReaderInput,
  Json,
  PolicyView,
  ReaderView,
  ReviewView,
} from '../commands/contract.ts';
import { seesMasked } from '../commands/masked-rows.ts';
import { mergeWorld } from '../commands/merge.ts';
import { attemptMerge } from '../commands/merge-attempt.ts';
import { staleVersion } from '../commands/diff.ts';
import type { Meta } from '../events/meta.ts';
import type { PolicyChanged } from '../events/types/policy-changed.ts';
import { authorize, READ } from '../session/authorize.ts';
import { actorName, describe, isOwnUser, type Principal } from '../session/principal.ts';
import type { Catalog } from '../worlds/catalog.ts';
import type { Context } from '../worlds/context.ts';
import type { World } from '../worlds/world.ts';
import type { Governance as Rules, HeldMerge, StoredRule } from '../worlds/governance.ts';
import { changedBy } from './changed.ts';
import { CHECK_TIMEOUT_MS, type MergeCheck } from './checks.ts';
import type { GovernedMerges } from './guard.ts';
import { type Catalogs, columnNamed, type NamedObjects, tablesNamed } from './named-objects.ts';
import { defaultPolicy, type StoredPolicy, type Policy, POLICY_NAME, policyWith, withObjects } from './policy.ts';
import type { RegisteredReader } from './readers.ts';
import { outcomes } from './outcomes.ts';
import { reviewsAt, reviewView } from './reviews.ts';
import { brokenRules } from './rules.ts';
import { givenInput } from './held-input.ts';

export interface GovernanceParts {
  readonly context: Context;
  readonly guard: GovernedMerges;
  /** As in GuardParts. */
  policyOfAgent(agent: string): string | null | undefined;
  /** Assigns the policy to the agent in this tick; null: removes its policy. */
  putUnder(agent: string, policy: string | null, by: Principal): Promise<void>;
  /** Agents with the policy. */
  agentsUnder(policy: string): string[];
  /** Refuses a query that is not a single SELECT, writes, or does not run on `main`. `masked`: tried with masked columns masked. */
  tryCheck(query: string, masked: boolean): Promise<void>;
}

export interface Governance {
  mergePolicies(input: MergePoliciesInput): Promise<MergePoliciesReply>;
  setMergePolicy(input: SetMergePolicyInput, by: Principal, draft?: true): Promise<PolicyView>;
  dropMergePolicy(input: DropMergePolicyInput, by: Principal, draft?: true): Promise<{ ok: true }>;
  checkMergePolicy(input: CheckMergePolicyInput, by: Principal): Promise<CheckMergePolicyReply>;
  mergeChecks(input: MergeChecksInput): Promise<MergeChecksReply>;
  setMergeCheck(input: SetMergeCheckInput, by: Principal, draft?: true): Promise<CheckView>;
  dropMergeCheck(input: DropMergeCheckInput, by: Principal, draft?: true): Promise<{ ok: true }>;
  readers(input: ReadersInput): Promise<ReadersReply>;
  setReader(input: SetReaderInput, by: Principal): Promise<ReaderView>;
  dropReader(input: DropReaderInput, by: Principal): Promise<{ ok: true }>;
  reviews(input: ReviewsInput, by: Principal, control: RunControl): Promise<ReviewsReply>;
  review(input: ReviewInput, by: Principal): Promise<ReviewReply>;
  /** The dry run's input with the fields of the merge that is held for review. 55000 if none is. */
  asHeld(input: MergeInput): MergeInput;
  mergeOutcomes(input: MergeOutcomesInput, by: Principal): Promise<MergeOutcomesReply>;
}

export function governanceOver({ context, guard, policyOfAgent, agentsUnder, putUnder, tryCheck }: GovernanceParts): Governance {
  const { engine } = context;

  /** Stores or removes a rule object, and waits for the sync. */
  const rule = async (kind: PolicyChanged['kind'], name: string, value: object | null, by: Principal): Promise<StoredRule | null> => {
    const { sequence } = engine.commit({ type: 'policyChanged', kind, name, value: value as Meta | null }, 0 as WorldNumber, actorName(by));
    const stored = context.state.governance.named(kind, name);
    await engine.durable(sequence);
    return stored;
  };
  const rulesAt = async (at: string | undefined): Promise<Rules> =>
    at === undefined ? context.state.governance : (await context.stateAt(at)).state.governance;
  const admin = (by: Principal, as: string): void => authorize(by, { what: 'admin', as });

  const known = (kind: PolicyChanged['kind'], name: string): StoredRule => {
    const stored = context.state.governance.named(kind, name);
    if (stored !== null) return stored;
    throw new SvcError('42704', `there is no ${WORDS[kind]} "${String(name).slice(0, 80)}"`, { hint: `List them with \`${LISTS[kind]}\`.` });
  };
  /** Definitions of `main`, then of each other open world that changed its own. */
  const catalogs: Catalogs = function* () {
    yield context.read('main').catalog;
    const seen = new Set<Catalog>();
    for (const world of context.state.worlds.open()) {
      const catalog = context.catalog(world);
      if (seen.has(catalog)) continue;
      seen.add(catalog);
      yield catalog;
    }
  };
  const knownAgent = (name: string): void => {
    if (policyOfAgent(name) !== undefined) return;
    throw new SvcError('42704', `there is no agent "${String(name).slice(0, 80)}"; nothing was changed`, { hint: 'SHOW AGENTS lists them.' });
  };
  const checkedPolicy = (before: StoredPolicy | null, rules: { [rule: string]: Json }): StoredPolicy => {
    const policy = withObjects(policyWith(before, rules), rules, catalogs);
    if (typeof rules['reviewer'] === 'string') knownAgent(rules['reviewer']);
    return policy;
  };
  const checkNew = (kind: PolicyChanged['kind'], name: string, create: boolean | undefined): void => {
    if (!POLICY_NAME.test(name))
      throw new SvcError('22023', `"${String(name).slice(0, 80)}" is no name for a ${WORDS[kind]}: use letters, digits, "_" and "-"`);
    const there = context.state.governance.named(kind, name) !== null;
    if (create === true && there) throw new SvcError('42710', `there is a ${WORDS[kind]} "${name}" already`);
    if (create === false && !there) known(kind, name);
  };
  const drop = async (kind: PolicyChanged['kind'], name: string, by: Principal): Promise<{ ok: true }> => {
    known(kind, name);
    await rule(kind, name, null, by);
    return { ok: true };
  };

  const heldMerge = (name: string): { branch: World; held: HeldMerge } => {
    const branch = context.writable(name);
    const held = context.state.governance.held(branch.number);
    if (held === null) throw new SvcError('55000', `no merge of "${branch.name}" is held for review`, { hint: 'List those that are with `reviews`.' });
    return { branch, held };
  };

  return {
    async mergePolicies({ at }: MergePoliciesInput): Promise<MergePoliciesReply> {
      const policies = (await rulesAt(at)).all('policy').map(policyView);
      await engine.durable(engine.log.head);
      return { policies };
    },
    async setMergePolicy({ name, rules, create, agents = [] }: SetMergePolicyInput, by: Principal, draft?: true): Promise<PolicyView> {
      if (draft !== true) admin(by, 'lay down merge policies');
      checkNew('policy', name, create);
      const before = context.state.governance.named('policy', name);
      const policy = checkedPolicy(before === null ? null : (before.value as unknown as StoredPolicy), rules);
      // Everything that can be refused is refused before anything is stored.
      for (const agent of agents) knownAgent(agent);
      if (draft === true) return policyView({ name, created: engine.clock.nowMicros(), value: policy as unknown as Meta });
      const [stored] = await Promise.all([rule('policy', name, policy, by), ...[...new Set(agents)].map((agent) => putUnder(agent, name, by))]);
      return policyView(stored!);
    },
    async dropMergePolicy({ name, release_agents }: DropMergePolicyInput, by: Principal, draft?: true): Promise<{ ok: true }> {
      if (draft !== true) admin(by, 'drop merge policies');
      known('policy', name);
      const agents = agentsUnder(name);
      if (release_agents === true && draft !== true) for (const agent of agents) await putUnder(agent, null, by);
      else if (agents.length > 0 && release_agents !== true) {
        throw new SvcError(
          '2BP01',
          `${agents.length} agent${agents.length === 1 ? ' is' : 's are'} under the policy "${name}": ${agents.slice(0, 5).join(', ')}`,
          {
            hint: 'Release them (RELEASE AGENTS, release_agents) or give them another policy first. Without a policy they merge as their rights say.',
          },
        );
      }
      return draft === true ? { ok: true } : drop('policy', name, by);
    },
    async checkMergePolicy({ branch, name, rules }: CheckMergePolicyInput, by: Principal): Promise<CheckMergePolicyReply> {
      const { owner, number } = context.writable(branch);
      const ofOwner = rules === undefined && owner !== null ? policyOfAgent(owner) : null;
      const tried = name ?? ofOwner ?? null;
      const policy = checkedPolicy(tried === null ? defaultPolicy() : (known('policy', tried).value as unknown as StoredPolicy), rules ?? {});
      const held = context.state.governance.held(number);
      const attempt = attemptMerge(context, { ...(held === null ? {} : givenInput(held.input)), branch });
      const { sides } = attempt;
      const catalogsOf = { base: sides.base.catalog, ours: sides.ours.catalog, theirs: sides.theirs.catalog };
      const changed = changedBy(context.typed, attempt.plan, catalogsOf);
      const reasons = brokenRules(policy, guard.facts(attempt, changed, attempt.branch.owner ?? actorName(by)));
      return { passes: reasons.length === 0, reasons: reasons as unknown as ReviewView['reasons'], rows: changed.rows, deletes: changed.deletes };
    },
    async mergeChecks({ at }: MergeChecksInput): Promise<MergeChecksReply> {
      const checks = (await rulesAt(at)).all('check').map(checkView);
      await engine.durable(engine.log.head);
      return { checks };
    },
    async setMergeCheck(
      { name, query, tables = [], timeout_ms = CHECK_TIMEOUT_MS, create }: SetMergeCheckInput,
      by: Principal,
      draft?: true,
    ): Promise<CheckView> {
      if (draft !== true) admin(by, 'lay down merge checks');
      checkNew('check', name, create);
      if (!Number.isInteger(timeout_ms) || timeout_ms < 1 || timeout_ms > 600_000) {
        throw new SvcError('22023', 'a timeout is a whole number of milliseconds from 1 to 600000');
      }
      const trimmed = query.trim().replace(/;+$/, '');
      const objects = Object.fromEntries(tables.map((table) => [table, tablesNamed(table, catalogs, `merge check "${name}"`)]));
      await tryCheck(trimmed, !seesMasked(by, context));
      const check = { tables: [...new Set(tables)], timeout_ms, query: trimmed, objects } satisfies MergeCheck;
      if (draft === true) return checkView({ name, created: engine.clock.nowMicros(), value: check as unknown as Meta });
      return checkView((await rule('check', name, check, by))!);
    },
    async dropMergeCheck({ name }: DropMergeCheckInput, by: Principal, draft?: true): Promise<{ ok: true }> {
      if (draft !== true) admin(by, 'drop merge checks');
      if (draft === true) return known('check', name) && { ok: true };
      return drop('check', name, by);
    },
    async readers({ at }: ReadersInput): Promise<ReadersReply> {
      const readers = (await rulesAt(at)).all('reader').map(readerView);
      await engine.durable(engine.log.head);
      return { readers };
    },
    async setReader(
      { name, table, columns = [], kind = 'external', critical = false, detail = '', create }: SetReaderInput,
      by: Principal,
    ): Promise<ReaderView> {
      admin(by, 'register readers');
      checkNew('reader', name, create);
      const what = `reader "${name}"`;
      const objects = Object.fromEntries([
        [table, tablesNamed(table, catalogs, what)],
        ...columns.map((column) => [`${table}.${column}`, columnNamed(`${table}.${column}`, catalogs, what)]),
      ]) as NamedObjects;
      return readerView(
        (await rule('reader', name, { table, columns: [...new Set(columns)], kind, critical, detail, objects } satisfies RegisteredReader, by))!,
      );
    },
    async dropReader({ name }: DropReaderInput, by: Principal): Promise<{ ok: true }> {
      admin(by, 'drop readers');
      return drop('reader', name, by);
    },
    async reviews({ at }: ReviewsInput, by: Principal, control: RunControl): Promise<ReviewsReply> {
      if (at !== undefined) return { reviews: await reviewsAt(context, await context.stateAt(at), by, guard, control) };
      const reviews = context.state.governance
        .allHeld()
        .sort((a, b) => a.asked - b.asked)
        .flatMap((held) => reviewView(context, held, by));
      await engine.durable(engine.log.head);
      return { reviews };
    },
    asHeld({ branch: name, hash, count }: MergeInput): MergeInput {
      const { branch, held } = heldMerge(name);
      return { ...givenInput(held.input), branch: branch.name, dry_run: true, hash, count };
    },
    async review({ branch: name, verdict, reason, version, diff, confirm_deletes }: ReviewInput, by: Principal): Promise<ReviewReply> {
      authorize(by, READ);
      const { branch, held } = heldMerge(name);
      mayReview(context, held, branch.owner, by);
      if (version !== undefined && version !== branch.version) throw staleVersion(branch.name, version, branch.version);
      if (verdict !== 'approve') {
        const { sequence } = engine.commit({ type: 'reviewed', verdict, reason: reason ?? null }, branch.number, actorName(by));
        await engine.durable(sequence);
        return { ok: true };
      }
      if (branch.version !== held.version) {
        throw new SvcError('40001', `"${branch.name}" changed since its merge was held (version ${held.version}, now ${branch.version})`, {
          hint: 'Let its agent request the merge again, then review it.',
          data: { version: branch.version },
        });
      }
      const input = {
        ...givenInput(held.input),
        branch: branch.name,
        version: held.version,
        diff,
        ...(confirm_deletes === undefined ? {} : { confirm_deletes }),
      };
      const { merged } = await mergeWorld(context, input, by, guard, true);
      return { ok: true, merged };
    },
    async mergeOutcomes({ by: group, at }: MergeOutcomesInput, by: Principal): Promise<MergeOutcomesReply> {
      // Covers all agents: reserved for people by the contract.
      if (!isOwnUser(by)) throw new SvcError('42501', `${describe(by)} may not read merge outcomes`, { hint: 'Ask a person.' });
      const since = engine.historyStart.at as number;
      const past = at === undefined ? null : (await context.stateAt(at)).state;
      const policyOf = past === null ? policyOfAgent : (name: string): string | null | undefined => past.agents.byName(name)?.policy;
      return {
        since: since === 0 ? firstMoment(context) : formatMicros(engine.historyStart.at),
        outcomes: outcomes((past ?? context.state).outcomes.all(), group === 'policy', since, policyOf),
      };
    },
  };
}

const WORDS: Record<PolicyChanged['kind'], string> = { policy: 'merge policy', check: 'merge check', reader: 'reader' };
const LISTS: Record<PolicyChanged['kind'], string> = { policy: 'merge_policies', check: 'merge_checks', reader: 'readers' };

/** A person, or the reviewer named by the policy; no agent reviews its own world. */
function mayReview(context: Context, held: HeldMerge, owner: string | null, by: Principal): void {
  if (isOwnUser(by)) return;
  const policy = context.state.governance.named('policy', held.policy)?.value as unknown as Policy | undefined;
  if (policy !== undefined && policy.reviewer === actorName(by) && owner !== actorName(by)) return;
  throw new SvcError('42501', `${describe(by)} may not decide this merge`, {
    hint: policy?.reviewer == null ? 'A person decides: the policy names no reviewer.' : `A person decides, or the policy's reviewer "${policy.reviewer}".`,
  });
}

function policyView({ name, created, value }: StoredRule): PolicyView {
  const { objects: _objects, ...rules } = value as unknown as StoredPolicy;
  // A policy stored by an older release lacks later rules.
  return { name, created: formatMicros(created), ...defaultPolicy(), ...rules };
}

function checkView({ name, created, value }: StoredRule): CheckView {
  const { objects: _objects, ...check } = value as unknown as MergeCheck;
  return { name, ...check, created: formatMicros(created) };
}

function readerView({ name, created, value }: StoredRule): ReaderView {
  const { objects: _objects, ...reader } = value as unknown as RegisteredReader;
  return { name, ...reader, created: formatMicros(created) };
}

function firstMoment(context: Context): string | null {
  const main = context.state.worlds.byName('main');
  return main === null ? null : formatMicros(main.created);
}
