/**
 * Effects sent by merges into `main`, until workers acknowledge them.
 *
 *   m → number of main   e/<channel>\0<sequence of the merge><place> effect   i/<id> → key of the effect
 *
 * A channel is delivered in the order of its merges, and within a merge in the order of creation.
 */
import type { Micros } from '../../src/base/brands.ts';
import { EFFECT_TREE, type TreeChanges } from '../../src/events/changes.ts';
import { effectOf } from '../../src/events/effect.ts';
import type { Envelope, Event } from '../../src/events/event.ts';
import { defineProjection, type Projection } from '../../src/projection/projection.ts';
import type { Node } from '../../src/tree/node.ts';
import type { Pager } from '../../src/tree/pager.ts';
import type { Outbox, QueuedEffect } from '../../src/worlds/governance.ts';
import { Records } from '../records.ts';
import { numberKey } from '../number-key.ts';

const MAIN = 'm';

export class OutboxProjection implements Projection, Outbox {
  readonly #records: Records<QueuedEffect | number | string>;
  #main: number;
  #queued = 0;

  constructor(pager: Pager, root: Node | null) {
    this.#records = new Records(pager, root);
    this.#main = (this.#records.get(MAIN) as number | null) ?? 0;
    this.#queued = this.#records.list('i/').length;
  }

  get count(): number {
    return this.#queued;
  }

  byId(id: string): QueuedEffect | null {
    const key = this.#records.get(`i/${id}`) as string | null;
    return key === null ? null : (this.#records.get(key) as QueuedEffect);
  }

  queued(channel: string | null): QueuedEffect[] {
    return this.#records.list(channel === null ? 'e/' : `e/${channel}\0`).map(({ record }) => record as QueuedEffect);
  }

  first(channel: string, limit: number): QueuedEffect[] {
    const prefix = `e/${channel}\0`;
    const out: QueuedEffect[] = [];
    this.#records.each((key, record) => {
      if (!key.startsWith(prefix) || out.length >= limit) return false;
      out.push(record as QueuedEffect);
      return true;
    }, prefix);
    return out;
  }

  channels(): string[] {
    const out: string[] = [];
    let from = 'e/';
    for (;;) {
      let next: string | null = null;
      this.#records.each((key) => {
        if (key.startsWith('e/')) next = key.slice(2, key.indexOf('\0'));
        return false;
      }, from);
      if (next === null) return out;
      out.push(next);
      from = `e/${next as string}\u0001`;
    }
  }

  apply(event: Event, envelope: Envelope): void {
    switch (event.type) {
      case 'forked':
        if (event.name === 'main' && event.parent === 0) {
          this.#main = envelope.world;
          this.#records.put(MAIN, envelope.world);
        }
        return;
      case 'merged':
        if (envelope.world === this.#main) this.#send(event.changes, envelope);
        return;
      case 'undone':
        if (envelope.world === this.#main && this.#queued > 0) this.#withdraw(event.merge);
        return;
      case 'effectHandled': {
        for (const id of event.ids) {
          const key = this.#records.get(`i/${id}`) as string | null;
          if (key === null) continue;
          const effect = this.#records.get(key) as QueuedEffect;
          if (event.what === 'ack') this.#drop(key, id);
          else {
            this.#records.put(key, {
              ...effect,
              until: event.until,
              attempts: effect.attempts + (event.what === 'claim' ? 1 : 0),
              ...(event.error === undefined ? {} : { failed: { message: event.error, at: envelope.at, by: envelope.actor } }),
            });
          }
        }
        return;
      }
      default:
    }
  }

  #send(changes: readonly TreeChanges[], envelope: Envelope): void {
    let place = 0;
    for (const each of changes) {
      if (each.tree !== EFFECT_TREE) continue;
      for (const row of each.rows) {
        const effect = effectOf(row);
        // An effect that was sent before, and is pending or done, is not sent twice.
        if (effect === null || this.#records.get(`i/${effect.id}`) !== null) continue;
        const key = `e/${effect.channel}\0${numberKey(envelope.sequence)}${String(place++).padStart(7, '0')}`;
        this.#records.put(key, { ...effect, merge: envelope.sequence, until: 0 as Micros, attempts: 0 });
        this.#records.put(`i/${effect.id}`, key);
        this.#queued++;
      }
    }
  }

  /** Unclaimed effects are removed with the merge that sent them. */
  #withdraw(merge: number): void {
    for (const { key, record } of this.#records.list('e/')) {
      const effect = record as QueuedEffect;
      if (effect.merge === merge && effect.attempts === 0) this.#drop(key, effect.id);
    }
  }

  #drop(key: string, id: string): void {
    this.#records.remove(key);
    this.#records.remove(`i/${id}`);
    this.#queued--;
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
    this.#queued = this.#records.list('i/').length;
  }
}

export const outbox = defineProjection({ name: 'outbox', slot: 11, version: 1, make: (pager, root) => new OutboxProjection(pager, root) });
