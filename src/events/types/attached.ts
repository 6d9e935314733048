/** Tables of an external Postgres were copied into `main`, or read again: the source, the state that was read, and all attached tables. */
import { jsonEvent } from '../define-event.ts';

/** What identifies a database, without an address or a secret: a restored copy has the same `system` and another timeline. */
export interface AttachedSource {
  /** Of `pg_control_system`: made by initdb. */
  readonly system: string;
  readonly timeline: number;
  readonly database: string;
  /** Position of the source's log when its state was read. */
  readonly lsn: string;
  /** Of `pg_current_snapshot`. */
  readonly snapshot: string;
}

export interface AttachedColumn {
  readonly name: string;
  /** As `format_type` names it. */
  readonly type: string;
  readonly attnum: number;
  /** Part of the primary key. */
  readonly key: boolean;
  readonly identity: 'always' | 'by default' | null;
  /** What agents see in place of the value (SQL of the source); null: the value. */
  readonly mask: string | null;
}

export interface AttachedTable {
  /** In `main`. */
  readonly name: string;
  readonly schema: string;
  readonly table: string;
  readonly oid: number;
  readonly columns: readonly AttachedColumn[];
}

export interface Attached {
  type: 'attached';
  source: AttachedSource;
  tables: AttachedTable[];
}

export const attached = jsonEvent<Attached>('attached', 44);
