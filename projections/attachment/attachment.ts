/**
 * The external Postgres of which tables are attached.
 *
 *   s source   t/<name> table   p pending write-back   b/<number> the event that completes it, in pieces
 */
import type { Micros } from '../../src/base/brands.ts';
import type { Envelope, Event } from '../../src/events/event.ts';
import type { AttachedSource, AttachedTable } from '../../src/events/types/attached.ts';
import type { WriteBackIntended } from '../../src/events/types/write-back-intended.ts';
import { defineProjection, type Projection } from '../../src/projection/projection.ts';
import type { Node } from '../../src/tree/node.ts';
import type { Pager } from '../../src/tree/pager.ts';
import type { Attachment, PendingWriteBack } from '../../src/worlds/attachment.ts';
import { numberKey } from '../number-key.ts';
import { Records } from '../records.ts';

const SOURCE = 's';
const TABLE = 't/';
const PENDING = 'p';
const PIECE = 'b/';
/** Of the payload: a few pages each. */
const PIECE_BYTES = 48 * 1024;

interface StoredSource {
  source: AttachedSource;
  at: Micros;
}

export class AttachmentProjection implements Projection, Attachment {
  readonly #records: Records<StoredSource | AttachedTable | PendingWriteBack | string>;
  readonly #tables = new Map<string, AttachedTable>();
  #source: StoredSource | null = null;
  /** Read for each commit. */
  #pending: PendingWriteBack | null = null;

  constructor(pager: Pager, root: Node | null) {
    this.#records = new Records(pager, root);
    this.#read();
  }

  #read(): void {
    this.#source = this.#records.get(SOURCE) as StoredSource | null;
    this.#pending = this.#records.get(PENDING) as PendingWriteBack | null;
    this.#tables.clear();
    for (const { record } of this.#records.list(TABLE)) this.#tables.set((record as AttachedTable).name, record as AttachedTable);
  }

  get source(): AttachedSource | null {
    return this.#source?.source ?? null;
  }

  get at(): Micros {
    return this.#source?.at ?? (0 as Micros);
  }

  get pending(): PendingWriteBack | null {
    return this.#pending;
  }

  tables(): readonly AttachedTable[] {
    return [...this.#tables.values()];
  }

  named(name: string): AttachedTable | null {
    return this.#tables.size === 0 ? null : (this.#tables.get(name) ?? null);
  }

  payload(): Uint8Array {
    return Buffer.concat(this.#records.list(PIECE).map(({ record }) => Buffer.from(record as string, 'base64')));
  }

  apply(event: Event, envelope: Envelope): void {
    switch (event.type) {
      case 'attached': {
        for (const name of this.#tables.keys()) this.#records.remove(TABLE + name);
        this.#records.put(SOURCE, { source: event.source, at: envelope.at });
        for (const table of event.tables) this.#records.put(TABLE + table.name, table);
        this.#read();
        return;
      }
      case 'writeBackIntended':
        return this.#intend(event, envelope);
      case 'writeBackDropped':
        if (this.#pending?.xid === event.xid) this.#end();
        return;
      case 'merged':
      case 'undone':
        if (this.#pending !== null && event.branch === this.#pending.branch && envelope.world === this.#pending.into) this.#end();
        return;
      default:
    }
  }

  #intend({ xid, system, timeline, branch, rows, completes }: WriteBackIntended, { sequence, at, actor, world }: Envelope): void {
    const { type, version, payload } = completes;
    this.#pending = { xid, system, timeline, branch, into: world, rows, sequence, at, actor, completes: { type, version } };
    this.#records.put(PENDING, this.#pending);
    for (let from = 0, piece = 0; from < payload.length; from += PIECE_BYTES, piece++) {
      this.#records.put(PIECE + numberKey(piece), Buffer.from(payload.subarray(from, from + PIECE_BYTES)).toString('base64'));
    }
  }

  #end(): void {
    this.#pending = null;
    this.#records.remove(PENDING);
    for (const { key } of this.#records.list(PIECE)) this.#records.remove(key);
  }

  seal(): Node {
    return this.#records.seal();
  }

  dump(root: Node): Iterable<Uint8Array> {
    return this.#records.dump(root);
  }

  load(part: Uint8Array): void {
    this.#records.load(part);
    this.#read();
  }
}

export const attachment = defineProjection({ name: 'attachment', slot: 14, version: 1, make: (pager, root) => new AttachmentProjection(pager, root) });
