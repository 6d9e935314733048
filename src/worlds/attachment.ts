/** Interface of the projection of an attached external Postgres: its tables, and the transaction whose fate is not known yet. */
import type { Micros, Sequence, WorldNumber } from '../base/brands.ts';
import type { AttachedSource, AttachedTable } from '../events/types/attached.ts';

/** A write-back between its intent and its end. */
export interface PendingWriteBack {
  readonly xid: string;
  readonly system: string;
  readonly timeline: number;
  readonly branch: WorldNumber;
  /** The world merged into: `main`. */
  readonly into: WorldNumber;
  readonly rows: number;
  /** Of the intent. */
  readonly sequence: Sequence;
  readonly at: Micros;
  readonly actor: string;
  readonly completes: { readonly type: number; readonly version: number };
}

export interface Attachment {
  /** null: nothing is attached. */
  readonly source: AttachedSource | null;
  /** When the source's state was last read. */
  readonly at: Micros;
  /** By name. */
  tables(): readonly AttachedTable[];
  /** The attached table of that name in `main`. */
  named(name: string): AttachedTable | null;
  readonly pending: PendingWriteBack | null;
  /** The payload of the event that completes the pending write-back. */
  payload(): Uint8Array;
}
