/**
 * Outcomes of the worlds forked by agents, and rows that their merges brought into main within the last hour.
 *
 *   m → number of main   w/<world number> outcome   h/<agent>\0<sequence> → rows and deletes of a merge into main
 *   f/<world number> → number of its ancestor forked from main, if that is another world
 *   b/<world number> → rows and deletes merged by rules, of it and of its descendants
 */
import type { Micros, WorldNumber } from '../../src/base/brands.ts';
import type { Envelope, Event } from '../../src/events/event.ts';
import { defineProjection, type Projection } from '../../src/projection/projection.ts';
import type { Node } from '../../src/tree/node.ts';
import type { Pager } from '../../src/tree/pager.ts';
import type { Outcome, Outcomes } from '../../src/worlds/governance.ts';
import { Records } from '../records.ts';
import { numberKey } from '../number-key.ts';

const MAIN = 'm';
const HOUR_MICROS = 3_600_000_000;

interface Sum {
  rows: number;
  deletes: number;
}
interface Brought extends Sum {
  at: Micros;
}

export class OutcomesProjection implements Projection, Outcomes {
  readonly #records: Records<Outcome | Brought | Sum | number>;
  #main: number;

  constructor(pager: Pager, root: Node | null) {
    this.#records = new Records(pager, root);
    this.#main = (this.#records.get(MAIN) as number | null) ?? 0;
  }

  all(): Outcome[] {
    return this.#records.list('w/').map(({ record }) => record as Outcome);
  }

  mergedSince(agent: string, moment: Micros): { rows: number; deletes: number } {
    let rows = 0;
    let deletes = 0;
    for (const { record } of this.#records.list(`h/${agent}\0`)) {
      const brought = record as Brought;
      if (brought.at <= moment) continue;
      rows += brought.rows;
      deletes += brought.deletes;
    }
    return { rows, deletes };
  }

  mergedOnRules(world: WorldNumber): Sum {
    return (this.#records.get(rulesKey(this.#origin(world))) as Sum | null) ?? { rows: 0, deletes: 0 };
  }

  /** The world's ancestor forked from main: partial merges of all its forks are counted together. */
  #origin(world: WorldNumber): WorldNumber {
    return (this.#records.get(originKey(world)) as WorldNumber | null) ?? world;
  }

  apply(event: Event, envelope: Envelope): void {
    switch (event.type) {
      case 'forked':
        if (event.parent === 0 && event.name === 'main') {
          this.#main = envelope.world;
          this.#records.put(MAIN, envelope.world);
        }
        if (event.parent !== 0 && event.parent !== this.#main) this.#records.put(originKey(envelope.world), this.#origin(event.parent as WorldNumber));
        return this.#begin(event.owner, envelope);
      case 'worldKept':
        return this.#begin(event.owner, envelope);
      case 'simulationDropped':
        for (const number of event.worlds) this.#forget(number);
        return;
      case 'merged': {
        const { passage } = event;
        if (passage === null) return;
        this.#change(event.branch, (known) => ({
          ...known,
          policy: passage.policy ?? known.policy,
          ...(event.stays ? { partly: true } : { end: passage.approvedBy }),
        }));
        if (envelope.world === this.#main && envelope.actor !== '') this.#bring(envelope, passage.rows, passage.deletes);
        if (passage.approvedBy === 'rules') {
          const before = this.mergedOnRules(event.branch);
          const sum = { rows: before.rows + passage.rows, deletes: before.deletes + passage.deletes };
          this.#records.put(rulesKey(this.#origin(event.branch)), sum);
        }
        return;
      }
      case 'mergeHeld':
        return this.#change(envelope.world, (known) => ({ ...known, policy: event.policy, holds: known.holds + 1 }));
      case 'reviewed':
        if (event.verdict === 'reject') this.#change(envelope.world, (known) => ({ ...known, end: 'rejected' }));
        return;
      case 'refused':
        return this.#change(envelope.world, (known) => {
          switch (event.why) {
            case 'conflicts':
              return { ...known, conflicts: known.conflicts + 1 };
            case 'stale reads':
              return { ...known, staleReads: known.staleReads + 1 };
            case 'check':
              return { ...known, checkRefusals: known.checkRefusals + 1 };
          }
        });
      case 'discarded':
        return this.#change(envelope.world, (known) => (known.end === 'rejected' ? known : { ...known, end: 'discarded' }));
      case 'swept':
      case 'trimmed':
        for (const number of event.gone) this.#forget(number as WorldNumber);
        return;
      default:
    }
  }

  #forget(number: WorldNumber): void {
    for (const key of [worldKey(number), originKey(number), rulesKey(number)]) this.#records.remove(key);
  }

  #begin(agent: string | null, { world, at }: Envelope): void {
    if (agent === null) return;
    this.#records.put(worldKey(world), {
      world,
      agent,
      policy: null,
      forked: at,
      end: 'open',
      partly: false,
      conflicts: 0,
      staleReads: 0,
      checkRefusals: 0,
      holds: 0,
    });
  }

  #change(world: WorldNumber, change: (known: Outcome) => Outcome): void {
    const known = this.#records.get(worldKey(world)) as Outcome | null;
    if (known !== null) this.#records.put(worldKey(world), change(known));
  }

  #bring({ actor, sequence, at }: Envelope, rows: number, deletes: number): void {
    for (const { key, record } of this.#records.list(`h/${actor}\0`)) if ((record as Brought).at < at - HOUR_MICROS) this.#records.remove(key);
    this.#records.put(`h/${actor}\0${numberKey(sequence)}`, { at, rows, deletes });
  }

  seal(): Node {
    return this.#records.seal();
  }

  dump(root: Node): Iterable<Uint8Array> {
    return this.#records.dump(root);
  }

  load(part: Uint8Array): void {
    this.#records.load(part);
    this.#main = (this.#records.get(MAIN) as number | null) ?? 0;
  }
}

function worldKey(world: WorldNumber): string {
  return `w/${numberKey(world)}`;
}

function originKey(world: WorldNumber): string {
  return `f/${numberKey(world)}`;
}

function rulesKey(world: WorldNumber): string {
  return `b/${numberKey(world)}`;
}

export const outcomes = defineProjection({ name: 'outcomes', slot: 12, version: 2, make: (pager, root) => new OutcomesProjection(pager, root) });
