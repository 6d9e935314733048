/** Settings of the whole database by ALTER SYSTEM: name → value. */
import type { Envelope, Event } from '../../src/events/event.ts';
import { defineProjection, type Projection } from '../../src/projection/projection.ts';
import { KIND, type Shape } from '../../src/tree/datum.ts';
import type { Node } from '../../src/tree/node.ts';
import type { Pager } from '../../src/tree/pager.ts';
import { leafFor, scan } from '../../src/tree/read.ts';
import { applyChanges, emptyTree } from '../../src/tree/write.ts';
import { utf8Key } from '../../src/worlds/catalog.ts';
import type { StoredSettings } from '../../src/worlds/world.ts';

const VALUE: Shape = { ids: [1], kinds: [KIND.TEXT] };

/** Stored with the settings: the release that created the folder; no setting has this name. */
const MADE_BY = 'made_by';

export class SettingsProjection implements Projection, StoredSettings {
  readonly #pager: Pager;
  readonly #values = new Map<string, string>();
  #root: Node;
  #edit: number;
  changes = 0;

  constructor(pager: Pager, root: Node | null) {
    this.#pager = pager;
    this.#edit = pager.newEdit();
    this.#root = root ?? emptyTree(false, this.#edit);
    scan(pager, this.#root, null, (leaf, from, to) => {
      for (let i = from; i < to; i++) this.#values.set(Buffer.from(leaf.key(i) as string, 'latin1').toString(), leaf.cell(i, 1) as string);
    });
  }

  get madeBy(): string | null {
    return this.get(MADE_BY);
  }

  get(name: string): string | null {
    return this.#values.get(name) ?? null;
  }

  apply(event: Event, _envelope: Envelope): void {
    if (event.type === 'configured') this.#set(event.name, event.value);
    else if (event.type === 'opened' && event.first === true) this.#set(MADE_BY, event.release);
  }

  #set(name: string, value: string | null): void {
    this.changes++;
    const key = utf8Key(name);
    if (value !== null) {
      this.#values.set(name, value);
      this.#root = applyChanges(this.#pager, this.#root, [{ key, shape: VALUE, before: null, after: [value] }], this.#edit);
      return;
    }
    this.#values.delete(name);
    if (leafFor(this.#pager, this.#root, key).find(key) < 0) return;
    this.#root = applyChanges(this.#pager, this.#root, [{ key, shape: VALUE, before: [], after: null }], this.#edit);
  }

  *dump(root: Node): Iterable<Uint8Array> {
    const then = new SettingsProjection(this.#pager, root);
    if (then.#values.size > 0) yield Buffer.from(JSON.stringify([...then.#values]));
  }

  load(part: Uint8Array): void {
    for (const [name, value] of JSON.parse(Buffer.from(part).toString()) as [string, string][]) this.#set(name, value);
  }

  seal(): Node {
    this.#edit = this.#pager.newEdit();
    return this.#root;
  }
}

export const settings = defineProjection({ name: 'settings', slot: 5, version: 1, make: (pager, root) => new SettingsProjection(pager, root) });
