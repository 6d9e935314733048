/**
 * A private database with one world, for simulation threads: it has everything that SQL needs, and nothing that could differ
 * between runs. Its clock stands at the base moment; there are no other worlds, no agents, only fixed roles, and default
 * settings.
 */
import type { Micros, Sequence, WorldNumber } from '../base/brands.ts';
import { SvcError } from '../base/errors/svc-error.ts';
import { Roles } from '../identity/roles.ts';
import type { Engine } from '../projection/engine.ts';
import type { PastFold } from '../projection/past-fold.ts';
import { TYPED_TABLES } from '../sql/session/typed-tables.ts';
import type { Node } from '../tree/node.ts';
import type { Pager } from '../tree/pager.ts';
import { Context } from '../worlds/context.ts';
import { Moments } from '../worlds/moments.ts';
import { newWorld } from '../worlds/new-world.ts';
import type { Past } from '../worlds/past.ts';
import type { PastState, State } from '../worlds/state.ts';
import type { Objects, World, Worlds } from '../worlds/world.ts';
import { WorldHooks } from '../worlds/world-hooks.ts';

export interface BaseFacts {
  /** The base world's name. */
  readonly name: string;
  readonly number: WorldNumber;
  readonly created: Micros;
  /** The time of the base. */
  readonly at: Micros;
}

/** First row number of tables without a primary key in each simulated world; kept worlds get other numbers. */
export const SIMULATED_ROW = 2 ** 52;

/** Assigns row numbers that depend only on their order in the world. */
export class SimulatedObjects implements Objects {
  #next = SIMULATED_ROW;

  begin(): void {
    this.#next = SIMULATED_ROW;
  }
  rowNumber(): number {
    return this.#next++;
  }
  table(): null {
    return null;
  }
  column(): null {
    return null;
  }
  named(): null {
    return null;
  }
  largeObjectNumber(): number {
    return this.number();
  }
  number(): number {
    throw new SvcError('0A000', 'a simulated world makes no objects');
  }
}

/** Simulated worlds are not `main`: none is attached. */
const NOT_ATTACHED = { source: null, pending: null };

export function contextOfOneWorld(pager: Pager, root: Node, base: BaseFacts, objects: SimulatedObjects): Context {
  const world = worldOf(root, base);
  const only = (found: boolean): World | null => (found ? world : null);
  const worlds: Worlds = {
    byNumber: (number) => only(number === world.number),
    byName: (name) => only(name === world.name),
    everByName: (name) => only(name === world.name),
    endedByNumber: () => null,
    endedNamed: () => [],
    open: () => [world],
    count: 1,
    isFlagged: () => false,
    share: () => world.root,
    checkpointRoot: () => null,
    common: (a) => ({ roots: [a.base], under: null }),
    namedUnder: () => [],
    simulation: () => null,
    pendingSimulations: () => [],
    ownedCount: () => 0,
    owned: () => [],
    withTtl: () => [],
    glance: () => [],
    records: () => [],
    record: (number) => (number === world.number ? world : null),
    numbersNamed: () => ({ numbers: [], next: null }),
  };
  const nothing = { get: () => null, changes: 0, byName: () => null, lastByName: () => null, count: () => 0, named: () => null };
  const engine = {
    pager,
    clock: { nowMicros: () => base.at },
    now: () => base.at,
    lastAt: base.at,
    historyStart: { sequence: 0 as Sequence, at: 0 as Micros },
    outage: { count: 0, error: null, held: null },
    log: { head: 0 as Sequence, durable: 0 as Sequence, first: 1 as Sequence, failure: null },
    commit: () => {
      throw new SvcError('0A000', 'a transaction in a simulation has no number', {
        hint: 'A simulated world depends on its base and its seed alone, so that it can be replayed.',
      });
    },
    onForget: () => () => {},
    hold: () => () => {},
    durable: () => Promise.resolve(),
    admit: () => Promise.resolve(),
    state: { worlds, objects, roles: { current: new Roles(new Map()) }, agents: nothing, settings: nothing, governance: nothing, attachment: NOT_ATTACHED },
  };
  const past = {
    rootAt: () => {
      throw new SvcError('0A000', 'other moments cannot be read in a simulation');
    },
    forget: () => {},
  };
  // The parts of both that statements use without a commit, AS OF or world statements.
  const parts = { hooks: new WorldHooks(), moments: new Moments(), typed: TYPED_TABLES };
  return new Context({ engine: engine as unknown as Engine<State>, past: past as unknown as Past, pastFold: past as unknown as PastFold<PastState>, ...parts });
}

function worldOf(root: Node, { name, number, created }: BaseFacts): World {
  return newWorld({ number, name, created, parent: 0 as WorldNumber, depth: 0, owner: null, meta: {}, root, catalog: null, edit: -1 });
}
