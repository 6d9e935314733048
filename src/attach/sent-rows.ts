/** What a write-back sends: for each attached table its deleted, updated and inserted rows, as texts. */
import { SvcError } from '../base/errors/svc-error.ts';
import { LIMITS } from '../base/limits.ts';
import type { TreeChanges } from '../events/changes.ts';
import type { Key } from '../tree/datum.ts';
import { childRoot } from '../tree/directory.ts';
import type { Node } from '../tree/node.ts';
import { rowIn } from '../tree/row-change.ts';
import { applyToWorld } from '../worlds/apply.ts';
import { attachedRows, redefinedTable } from '../worlds/attached-changes.ts';
import type { Context } from '../worlds/context.ts';
import { rowKey } from '../worlds/keys.ts';
import type { World } from '../worlds/world.ts';
import { RowTexts, type Texts } from './row-texts.ts';

export interface SentRow {
  readonly key: Key;
  readonly before: Texts | null;
  readonly after: Texts | null;
}

export interface SentTable {
  readonly rows: RowTexts;
  /** Object number. */
  readonly number: number;
  /** In key order. */
  readonly changed: readonly SentRow[];
}

export interface Sent {
  readonly tables: readonly SentTable[];
  readonly count: number;
  /** The state with the changes. */
  readonly after: Node;
}

/** `<table>/<id>` of a row. */
export function nameOf(context: Context, world: World, table: SentTable, key: Key): string {
  return rowKey(context.typed, context.catalog(world).byNumber.get(table.number)!, key);
}

/** 0A000 for definitions of attached tables, and for values of masked columns; 54000 for more rows than one write-back takes. */
export function admitSent(context: Context, world: World, changes: readonly TreeChanges[]): boolean {
  const catalog = context.catalog(world);
  const redefined = redefinedTable(context, catalog, changes);
  if (redefined !== null) {
    throw new SvcError('0A000', `the definition of table ${redefined.name}, which is attached to Postgres, cannot be merged into main`, {
      hint: 'Change it in Postgres, then attach the table again. Merge the other changes with `only_tables`.',
    });
  }
  const rows = attachedRows(context, catalog, changes);
  if (rows.length === 0) return false;
  const count = rows.reduce((sum, each) => sum + each.changes.rows.length, 0);
  if (count > LIMITS.writeBackRowsMax) {
    throw new SvcError('54000', `the merge changes ${count} rows of attached tables; at most ${LIMITS.writeBackRowsMax} are written to Postgres at once`, {
      hint: 'Merge parts of it with `only_tables` or `only_keys`.',
    });
  }
  return true;
}

/** `root`: the state that the changes are of, sealed. */
export function sentRows(context: Context, world: World, root: Node, changes: readonly TreeChanges[]): Sent {
  const { pager } = context.engine;
  const catalog = context.catalog(world);
  const { dirtyBytes } = pager;
  const after = applyToWorld(pager, root, changes, pager.newEdit());
  // Nodes of an undecided merge must not trigger a checkpoint.
  pager.dirtyBytes = dirtyBytes;
  let count = 0;
  const tables = attachedRows(context, catalog, changes).map(({ attached, changes: { tree, rows } }): SentTable => {
    const texts = new RowTexts(catalog, attached);
    const [old, now] = [childRoot(pager, root, tree), childRoot(pager, after, tree)];
    const changed: SentRow[] = [];
    for (const { key } of rows) {
      const [was, is] = [rowIn(pager, old, key), rowIn(pager, now, key)];
      const row = { key, before: was === null ? null : texts.of(was), after: is === null ? null : texts.of(is) };
      if (row.before === null && row.after === null) continue;
      refuseMasked(context, world, { rows: texts, number: tree, changed }, row);
      // Hidden cells of an index alone.
      if (row.before !== null && row.after !== null && row.before.every((text, i) => text === row.after![i])) continue;
      changed.push(row);
    }
    count += changed.length;
    return { rows: texts, number: tree, changed };
  });
  return { tables: tables.filter(({ changed }) => changed.length > 0), count, after };
}

function refuseMasked(context: Context, world: World, table: SentTable, { key, before, after }: SentRow): void {
  if (before === null || after === null) return;
  for (const [i, { name, mask }] of table.rows.attached.columns.entries()) {
    if (mask === null || before[i] === after[i]) continue;
    throw new SvcError(
      '0A000',
      `row ${nameOf(context, world, table, key)} changes column ${name}, which was masked when the table was attached and is not written back`,
      {
        hint: 'Leave that column as it was. Its value is in Postgres alone.',
      },
    );
  }
}
