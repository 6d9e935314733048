/**
 * Interface of the external Postgres of which tables are attached: merges into `main` are written back to it. Commands are below
 * `src/attach` in the layers, which supplies the implementation when the database is composed.
 */
import type { Sequence } from '../base/brands.ts';
import type { Row } from '../commands/contract.ts';
import type { TreeChanges } from '../events/changes.ts';
import type { Merged } from '../events/types/merged.ts';
import type { Undone } from '../events/types/undone.ts';
import type { Principal } from '../session/principal.ts';
import type { Node } from '../tree/node.ts';
import type { World } from './world.ts';

/** What Postgres says of a merge that is only tried. */
export interface ExternalPreview {
  /** Host, port and database. */
  source: string;
  /** When it answered. */
  at: string;
  /** Why Postgres would refuse the merge, or gave no answer; null: it would take it. */
  error: { code: string; message: string } | null;
  /** The source's own triggers that the merge would fire. */
  triggers: { table: string; name: string; event: string }[];
  summary: { table: string; deleted: number; updated: number; inserted: number }[];
  /** Rows that Postgres has otherwise: `changed` since they were copied, else made by its triggers. */
  rows: { key: string; changed: boolean; postgres: Row | null }[];
}

export interface WriteBack {
  /** The world merged into. */
  readonly target: World;
  /** Its state that `changes` were planned for. */
  readonly root: Node;
  readonly changes: TreeChanges[];
  readonly by: Principal;
  readonly signal?: AbortSignal;
  /** Of the attempt before; it is released by this one. */
  readonly held: HeldRows | null;
  /** Whether rows that differ stay locked until the next attempt. */
  readonly keepLocks: boolean;
  /** Whether both worlds are as they were planned for: asked in the tick in which the intent is committed. */
  holds(): boolean;
  /** The event of the merge, called in that tick, too; `over`: by tree, changes in place of those that were planned. Throws if rights were revoked. */
  event(over: ReadonlyMap<number, TreeChanges>): Merged | Undone;
}

/** `again`: rows differed in Postgres and were taken into `main`, or a world has changed: plan again. */
export type WrittenBack = { readonly done: Sequence } | { readonly again: true; readonly held: HeldRows | null };

/** Rows of Postgres that stay locked while the merge is planned again, so that writers there cannot come between each time. */
export interface HeldRows {
  release(): Promise<void>;
}

export interface External {
  /** Whether the changes of the world are to be written back. 0A000 for changed definitions of attached tables, 54000 for too many rows, 55000 while an earlier write-back is unresolved. */
  concerns(branch: World, target: World, changes: readonly TreeChanges[]): boolean;
  preview(target: World, root: Node, changes: TreeChanges[], signal?: AbortSignal): Promise<ExternalPreview>;
  write(request: WriteBack): Promise<WrittenBack>;
}
