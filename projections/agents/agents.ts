/**
 * The agents of the database: name → state. They belong to no world, so forks, restores and undo do not affect them. A
 * dropped agent is kept until its name is reused: its worlds live as long as it specified.
 */
import type { AgentState } from '../../src/events/agent.ts';
import type { Envelope, Event } from '../../src/events/event.ts';
import { defineProjection, type Projection } from '../../src/projection/projection.ts';
import { KIND, type Shape } from '../../src/tree/datum.ts';
import type { Node } from '../../src/tree/node.ts';
import type { Pager } from '../../src/tree/pager.ts';
import { scan } from '../../src/tree/read.ts';
import { applyChanges, emptyTree } from '../../src/tree/write.ts';
import { utf8Key } from '../../src/worlds/catalog.ts';
import type { Agents } from '../../src/worlds/world.ts';

const RECORD: Shape = { ids: [1], kinds: [KIND.JSON] };

interface AgentRecord {
  readonly agent: AgentState;
  readonly dropped: boolean;
}

export class AgentsProjection implements Projection, Agents {
  changes = 0;
  readonly #pager: Pager;
  readonly #records = new Map<string, AgentRecord>();
  readonly #byHash = new Map<string, AgentState>();
  #root: Node;
  #edit: number;

  constructor(pager: Pager, root: Node | null) {
    this.#pager = pager;
    this.#edit = pager.newEdit();
    this.#root = root ?? emptyTree(false, this.#edit);
    scan(pager, this.#root, null, (leaf, from, to) => {
      for (let i = from; i < to; i++) this.#learn(JSON.parse(leaf.cell(i, 1) as string) as AgentRecord);
    });
  }

  byName(name: string): AgentState | null {
    const record = this.#records.get(name);
    return record === undefined || record.dropped ? null : record.agent;
  }

  lastByName(name: string): AgentState | null {
    return this.#records.get(name)?.agent ?? null;
  }

  *everyone(): Iterable<AgentState> {
    for (const { agent } of this.#records.values()) yield agent;
  }

  /** Each has a token of its own. */
  get count(): number {
    return this.#byHash.size;
  }

  byTokenHash(hash: string): AgentState | null {
    return this.#byHash.get(hash) ?? null;
  }

  list(): readonly AgentState[] {
    return [...this.#records.values()]
      .filter(({ dropped }) => !dropped)
      .map(({ agent }) => agent)
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  apply(event: Event, _envelope: Envelope): void {
    if (event.type === 'agentChanged') this.#put({ agent: event.agent, dropped: false });
    else if (event.type === 'agentDropped') {
      const record = this.#records.get(event.name);
      if (record !== undefined) this.#put({ agent: record.agent, dropped: true });
    }
  }

  #put(record: AgentRecord): void {
    this.changes++;
    this.#learn(record);
    const change = { key: utf8Key(record.agent.name), shape: RECORD, before: null, after: [JSON.stringify(record)] };
    this.#root = applyChanges(this.#pager, this.#root, [change], this.#edit);
  }

  #learn(record: AgentRecord): void {
    const { agent, dropped } = record;
    const before = this.#records.get(agent.name);
    if (before !== undefined) this.#byHash.delete(before.agent.tokenHash);
    this.#records.set(agent.name, record);
    if (!dropped) this.#byHash.set(agent.tokenHash, agent);
  }

  *dump(root: Node): Iterable<Uint8Array> {
    const then = new AgentsProjection(this.#pager, root);
    for (const record of then.#records.values()) yield Buffer.from(JSON.stringify(record));
  }

  load(part: Uint8Array): void {
    this.#put(JSON.parse(Buffer.from(part).toString()) as AgentRecord);
  }

  seal(): Node {
    this.#edit = this.#pager.newEdit();
    return this.#root;
  }
}

export const agents = defineProjection({ name: 'agents', slot: 4, version: 1, make: (pager, root) => new AgentsProjection(pager, root) });
