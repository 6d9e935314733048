/**
 * Rules of merges: policies, merge checks and readers by name; and held merges.
 *
 *   p/<name> policy   c/<name> check   r/<name> reader   h/<world number> held merge
 */
import type { Micros, Sequence, WorldNumber } from '../../src/base/brands.ts';
import type { Envelope, Event } from '../../src/events/event.ts';
import type { Meta } from '../../src/events/meta.ts';
import type { PolicyChanged } from '../../src/events/types/policy-changed.ts';
import { defineProjection, type Projection } from '../../src/projection/projection.ts';
import type { Node } from '../../src/tree/node.ts';
import type { Pager } from '../../src/tree/pager.ts';
import type { Governance, HeldMerge, StoredRule } from '../../src/worlds/governance.ts';
import { Records } from '../records.ts';
import { numberKey } from '../number-key.ts';

const PREFIX: Record<PolicyChanged['kind'], string> = { policy: 'p/', check: 'c/', reader: 'r/' };

export class GovernanceProjection implements Projection, Governance {
  readonly #records: Records<StoredRule | HeldMerge>;
  /** Policies, checks and readers by key, parsed once: each merge and each recorded read looks them up. */
  readonly #parsed = new Map<string, StoredRule>();
  /** Counts by kind, so that merges without any cost nothing. */
  readonly #counts: Record<PolicyChanged['kind'], number> = { policy: 0, check: 0, reader: 0 };
  #heldCount = 0;

  constructor(pager: Pager, root: Node | null) {
    this.#records = new Records(pager, root);
    this.#count();
  }

  #count(): void {
    this.#parsed.clear();
    for (const kind of ['policy', 'check', 'reader'] as const) {
      const all = this.#records.list(PREFIX[kind]);
      this.#counts[kind] = all.length;
      for (const { key, record } of all) this.#parsed.set(key, record as StoredRule);
    }
    this.#heldCount = this.#records.list('h/').length;
  }

  count(kind: PolicyChanged['kind']): number {
    return this.#counts[kind];
  }

  named(kind: PolicyChanged['kind'], name: string): StoredRule | null {
    return this.#parsed.get(PREFIX[kind] + name) ?? null;
  }

  all(kind: PolicyChanged['kind']): StoredRule[] {
    return this.#counts[kind] === 0 ? [] : this.#records.list(PREFIX[kind]).map(({ record }) => record as StoredRule);
  }

  held(world: WorldNumber): HeldMerge | null {
    return this.#heldCount === 0 ? null : (this.#records.get(heldKey(world)) as HeldMerge | null);
  }

  /** Number of held merges. */
  get heldCount(): number {
    return this.#heldCount;
  }

  allHeld(): HeldMerge[] {
    return this.#records.list('h/').map(({ record }) => record as HeldMerge);
  }

  apply(event: Event, envelope: Envelope): void {
    switch (event.type) {
      case 'policyChanged': {
        const key = PREFIX[event.kind] + event.name;
        const known = this.#records.get(key) as StoredRule | null;
        if (event.value === null) {
          if (known === null) return;
          this.#records.remove(key);
          this.#parsed.delete(key);
          this.#counts[event.kind]--;
        } else {
          if (known === null) this.#counts[event.kind]++;
          const stored = { name: event.name, created: known?.created ?? envelope.at, value: event.value };
          this.#records.put(key, stored);
          this.#parsed.set(key, stored);
        }
        return;
      }
      case 'mergeHeld': {
        const { into, version, policy, input, reasons } = event;
        if (this.#records.get(heldKey(envelope.world)) === null) this.#heldCount++;
        this.#records.put(heldKey(envelope.world), held(envelope, into, version, policy, input, reasons));
        return;
      }
      case 'reviewed': {
        const known = this.#records.get(heldKey(envelope.world)) as HeldMerge | null;
        if (known === null) return;
        this.#records.put(heldKey(envelope.world), { ...known, verdict: event.verdict, reason: event.reason, reviewer: envelope.actor });
        return;
      }
      case 'merged':
        // A partial merge leaves the rest, which has not been requested yet.
        return this.#drop(event.branch);
      case 'discarded':
        return this.#drop(envelope.world);
      default:
    }
  }

  #drop(world: WorldNumber): void {
    if (this.#heldCount === 0 || this.#records.get(heldKey(world)) === null) return;
    this.#records.remove(heldKey(world));
    this.#heldCount--;
  }

  seal(): Node {
    return this.#records.seal();
  }

  dump(root: Node): Iterable<Uint8Array> {
    return this.#records.dump(root);
  }

  load(part: Uint8Array): void {
    this.#records.load(part);
    this.#count();
  }
}

function held(envelope: Envelope, into: WorldNumber, version: number, policy: string, input: Meta, reasons: Meta[]): HeldMerge {
  return {
    world: envelope.world,
    into,
    version,
    policy,
    input,
    reasons: reasons as unknown as HeldMerge['reasons'],
    asked: envelope.at as Micros,
    sequence: envelope.sequence as Sequence,
    by: envelope.actor,
    verdict: null,
    reason: null,
    reviewer: null,
  };
}

function heldKey(world: WorldNumber): string {
  return `h/${numberKey(world)}`;
}

export const governance = defineProjection({ name: 'governance', slot: 10, version: 1, make: (pager, root) => new GovernanceProjection(pager, root) });
