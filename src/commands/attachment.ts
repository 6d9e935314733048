/** Operations on the attachment to an external Postgres: what is attached, reading it again, and the fate of a transaction. */
import { formatMicros } from '../base/clock.ts';
import { decodeEvent } from '../events/codec.ts';
import type { Principal } from '../session/principal.ts';
import { childRoot } from '../tree/directory.ts';
import { rowIn } from '../tree/row-change.ts';
import { applyToWorld } from '../worlds/apply.ts';
import { attachedRows } from '../worlds/attached-changes.ts';
import type { Context } from '../worlds/context.ts';
import { rowKey } from '../worlds/keys.ts';
import type { AttachmentReply, RefreshAttachmentReply, Row, RunControl } from './contract.ts';

/** Of the layer above. */
export interface ExternalDatabase {
  /** What Postgres said last of the pending transaction; null: none is pending. */
  readonly said: { readonly fate: 'committed' | 'aborted' | 'in progress' | 'not known'; readonly reason: string | null } | null;
  refresh(by: Principal, onProgress: (table: string, rows: number) => void): Promise<RefreshAttachmentReply['tables']>;
  decide(xid: string, outcome: 'committed' | 'aborted', by: Principal): Promise<void>;
}

/** Rows of a pending merge that are shown. */
const ROWS_SHOWN = 100;

export async function showAttachment(context: Context, external: ExternalDatabase): Promise<AttachmentReply> {
  const { attachment } = context.state;
  const { source, pending } = attachment;
  const catalog = context.catalog(context.writable('main'));
  const tables = attachment.tables().filter(({ name }) => catalog.tables.get(name) !== undefined);
  await context.engine.durable(context.engine.log.head);
  return {
    source:
      source === null
        ? null
        : { system: source.system, timeline: source.timeline, database: source.database, lsn: source.lsn, read: formatMicros(attachment.at) },
    tables: tables.map(({ name, schema, table, columns }) => ({
      table: name,
      of: `${schema}.${table}`,
      masked: columns.filter(({ mask }) => mask !== null).map(({ name: column }) => column),
    })),
    pending:
      pending === null
        ? null
        : {
            xid: pending.xid,
            branch: nameOf(context, pending.branch),
            since: formatMicros(pending.at),
            by: pending.actor,
            rows: pending.rows,
            fate: external.said?.fate === 'not known' ? 'not known' : 'in progress',
            reason: external.said?.reason ?? null,
            changes: pendingRows(context),
          },
  };
}

function nameOf(context: Context, number: number): string {
  return (context.state.worlds.record(number as never) ?? context.state.worlds.endedByNumber(number as never))?.name ?? String(number);
}

/** Both possibilities: the rows of `main` as they are, which stay if the transaction was aborted, and as they are if it was committed. */
function pendingRows(context: Context): { key: string; aborted: Row | null; committed: Row | null }[] {
  const { attachment, worlds } = context.state;
  const { type, version } = attachment.pending!.completes;
  const event = decodeEvent(type, version, attachment.payload());
  if (event.type !== 'merged' && event.type !== 'undone') return [];
  const main = context.writable('main');
  const catalog = context.catalog(main);
  const { pager } = context.engine;
  const { dirtyBytes } = pager;
  const before = worlds.share(main);
  const after = applyToWorld(pager, before, event.changes, pager.newEdit());
  pager.dirtyBytes = dirtyBytes;
  const out: { key: string; aborted: Row | null; committed: Row | null }[] = [];
  for (const { table, changes } of attachedRows(context, catalog, event.changes)) {
    for (const { key } of changes.rows) {
      if (out.length >= ROWS_SHOWN) return out;
      const [was, is] = [before, after].map((root) => rowIn(pager, childRoot(pager, root, table.number), key));
      const shown = (row: typeof was): Row | null => (row === null ? null : context.typed.record(table, row.leaf, row.index));
      out.push({ key: rowKey(context.typed, table, key), aborted: shown(was), committed: shown(is) });
    }
  }
  return out;
}

export async function refreshAttachment(external: ExternalDatabase, by: Principal, { onProgress, signal }: RunControl): Promise<RefreshAttachmentReply> {
  signal?.throwIfAborted();
  return { ok: true, tables: await external.refresh(by, (_table, rows) => onProgress?.(rows, rows)) };
}

export async function decideWriteBack(
  external: ExternalDatabase,
  { xid, outcome }: { xid: string; outcome: 'committed' | 'aborted' },
  by: Principal,
): Promise<{ ok: true; outcome: 'committed' | 'aborted' }> {
  await external.decide(xid, outcome, by);
  return { ok: true, outcome };
}
