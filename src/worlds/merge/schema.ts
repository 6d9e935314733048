/**
 * Definitions of typed tables and other SQL objects, merged three-way by object and then by field. What both
 * sides changed alike has converged; what they changed in different fields is joined; the rest conflicts.
 * A table or column that one side dropped and the other wrote to is a conflict too.
 */
import type { Conflict, Json, Resolve, Row } from '../../commands/contract.ts';
import type { Datum, RowChange } from '../../tree/datum.ts';
import { childRoot } from '../../tree/directory.ts';
import type { Node } from '../../tree/node.ts';
import type { Pager } from '../../tree/pager.ts';
import { type Catalog, publicName } from '../catalog.ts';
import { type AttributeObject, type CatalogObject, DEFINITION_SHAPE, type RelationObject } from '../definition.ts';
import { eachRowChange } from '../row-change.ts';

interface Side {
  readonly name: string;
  readonly root: Node;
  readonly catalog: Catalog;
}

export interface SchemaMerge {
  /** Definitions that the world merged into gets. */
  rows: RowChange[];
  /** base → theirs, for the fork point. */
  settled: RowChange[];
  conflicts: Conflict[];
  /** Tables whose rows the definitions settle: they go, or come whole from the branch. */
  gone: Set<number>;
  whole: Set<number>;
  /** Tables that stay as ours has them, rows included. */
  kept: Set<number>;
}

export interface SchemaMergeInput {
  readonly base: Side;
  readonly ours: Side;
  readonly theirs: Side;
  readonly resolve: Resolve;
  /** null: everything. */
  readonly tables: ReadonlySet<number> | null;
}

const typed = (object: CatalogObject | undefined): object is Exclude<CatalogObject, { what: 'table' | 'column' }> =>
  object !== undefined && object.what !== 'table' && object.what !== 'column';

export function mergeSchema(pager: Pager, input: SchemaMergeInput): SchemaMerge {
  const { base, ours, theirs, resolve } = input;
  const out: SchemaMerge = { rows: [], settled: [], conflicts: [], gone: new Set(), whole: new Set(), kept: new Set() };
  if (base.catalog === theirs.catalog && base.catalog === ours.catalog) return out;
  const changed = (side: Side, table: number): boolean => {
    const a = childRoot(pager, base.root, table);
    const b = childRoot(pager, side.root, table);
    if (a === b || (a !== null && b !== null && a.id !== 0 && a.id === b.id)) return false;
    let any = false;
    if (a !== null || b !== null) {
      eachRowChange(pager, a, b, () => {
        any = true;
        return false;
      });
    }
    return any;
  };
  const conflict = (key: string, explanation: string, b: CatalogObject | undefined, o: CatalogObject | undefined, t: CatalogObject | undefined): void => {
    const row = (object: CatalogObject | undefined): Row | null => (object === undefined ? null : (object as unknown as Row));
    out.conflicts.push({ key, base: row(b), ours: row(o), theirs: row(t), explanation });
  };
  const settle = (key: string, b: CatalogObject | undefined, o: CatalogObject | undefined, t: CatalogObject | undefined, explanation: string): void => {
    if (resolve === 'theirs') put(out.rows, key, o, t);
    else if (resolve === 'fail') conflict(`${tableOf(input, b ?? t ?? o)}/definition`, explanation, b, o, t);
  };
  tablesThatGo(pager, input, out, changed, conflict);
  const keys = new Set<string>();
  for (const [key, object] of theirs.catalog.objects) if (typed(object) && base.catalog.objects.get(key) !== object) keys.add(key);
  for (const [key, object] of base.catalog.objects) if (typed(object) && !theirs.catalog.objects.has(key)) keys.add(key);
  // A table that goes takes what ours gave it meanwhile along.
  for (const [key, object] of ours.catalog.objects) if (typed(object) && out.gone.has(tableNumber(object) ?? -1)) keys.add(key);
  // A table that comes back whole brings what the branch left as it was, too.
  for (const [key, object] of theirs.catalog.objects) if (typed(object) && out.whole.has(tableNumber(object) ?? -1)) keys.add(key);
  for (const key of [...keys].sort()) {
    const b = base.catalog.objects.get(key);
    const o = ours.catalog.objects.get(key);
    let t = theirs.catalog.objects.get(key);
    const table = tableNumber(b ?? t ?? o!);
    if (t?.what === 'relation') t = ofEpoch(t, b, o, out.whole.has(t.number));
    if (input.tables !== null && (table === null || !input.tables.has(table))) continue;
    if (text(t) === text(b) && (table === null || !(out.whole.has(table) || out.gone.has(table)))) continue;
    put(out.settled, key, b, t?.what === 'relation' && b?.what === 'relation' && !out.whole.has(t.number) ? { ...t, epoch: b.epoch } : t);
    if (table !== null && out.kept.has(table)) continue;
    if (text(o) === text(t)) continue;
    if (text(o) === text(b) || (table !== null && (out.whole.has(table) || out.gone.has(table)))) {
      put(out.rows, key, o, t);
      continue;
    }
    const joined = b === undefined || o === undefined || t === undefined ? null : joinFields(b, o, t);
    if (joined !== null) put(out.rows, key, o, joined);
    else {
      const what = describe(b ?? t ?? o!);
      settle(key, b, o, t, `Both sides changed ${what}: "${ours.name}" ${did(b, o)}, "${theirs.name}" ${did(b, t)}.`);
    }
  }
  columnsThatGo(pager, input, out, changed, conflict);
  agree(input, out, conflict);
  return out;
}

/** Tables that one side dropped, or gave other keys, while the other wrote to them. */
function tablesThatGo(
  _pager: Pager,
  input: SchemaMergeInput,
  out: SchemaMerge,
  changed: (side: Side, table: number) => boolean,
  conflict: (key: string, explanation: string, b: CatalogObject | undefined, o: CatalogObject | undefined, t: CatalogObject | undefined) => void,
): void {
  const { base, ours, theirs, resolve } = input;
  for (const [number, table] of base.catalog.byNumber) {
    if (table.relation === null || (input.tables !== null && !input.tables.has(number))) continue;
    const b = table.relation.object;
    const o = ours.catalog.byNumber.get(number)?.relation?.object;
    const t = theirs.catalog.byNumber.get(number)?.relation?.object;
    const rekeyed = (side: RelationObject | undefined): boolean =>
      side !== undefined && JSON.stringify([side.key, side.numeric]) !== JSON.stringify([b.key, b.numeric]);
    if (t === undefined && o !== undefined) {
      if (!changed(ours, number) || resolve === 'theirs') out.gone.add(number);
      else if (resolve === 'ours') out.kept.add(number);
      else {
        out.kept.add(number);
        conflict(`${table.name}/definition`, `"${theirs.name}" dropped table ${table.name}, "${ours.name}" changed its rows.`, b, o, t);
      }
    } else if (t !== undefined && o === undefined) {
      const wrote = changed(theirs, number) || theirs.catalog.byNumber.get(number) !== table;
      if (!wrote || resolve === 'ours') out.kept.add(number);
      else if (resolve === 'theirs') out.whole.add(number);
      else {
        out.kept.add(number);
        conflict(`${table.name}/definition`, `"${ours.name}" dropped table ${table.name}, "${theirs.name}" changed it.`, b, o, t);
      }
    } else if (o !== undefined && t !== undefined && (rekeyed(t) || rekeyed(o))) {
      if (rekeyed(t) && !rekeyed(o) && !changed(ours, number)) out.whole.add(number);
      else if (rekeyed(o) && !changed(theirs, number) && !rekeyed(t)) continue;
      else if (resolve === 'theirs') out.whole.add(number);
      else {
        out.kept.add(number);
        if (resolve === 'fail') {
          const who = rekeyed(t) ? [theirs.name, ours.name] : [ours.name, theirs.name];
          conflict(`${table.name}/definition`, `"${who[0]}" gave table ${table.name} another primary key, "${who[1]}" changed its rows.`, b, o, t);
        }
      }
    }
  }
}

/** Columns that one side dropped, or gave another type, while the other wrote to them. */
function columnsThatGo(
  pager: Pager,
  input: SchemaMergeInput,
  out: SchemaMerge,
  changed: (side: Side, table: number) => boolean,
  conflict: (key: string, explanation: string, b: CatalogObject | undefined, o: CatalogObject | undefined, t: CatalogObject | undefined) => void,
): void {
  const { base, ours, theirs } = input;
  if (input.resolve !== 'fail') return;
  for (const [number, table] of base.catalog.byNumber) {
    if (table.relation === null || out.gone.has(number) || out.whole.has(number) || out.kept.has(number)) continue;
    for (const [dropper, writer] of [
      [theirs, ours],
      [ours, theirs],
    ]) {
      const own = dropper.catalog.byNumber.get(number)?.relation;
      if (own === undefined || own === null || own === table.relation) continue;
      for (const attribute of table.relation.attributes) {
        if (own.attributes.some((each) => each.number === attribute.number)) continue;
        const retyped = own.attributes.some(({ name }) => name === attribute.name);
        if (!(retyped ? changed(writer, number) : wrote(pager, base.root, writer.root, number, attribute))) continue;
        const what = retyped ? `changed the type of column ${attribute.name}` : `dropped column ${attribute.name}`;
        conflict(
          `${table.name}/definition`,
          `"${dropper.name}" ${what} of table ${table.name}, "${writer.name}" ${retyped ? 'changed rows' : 'wrote to it'}.`,
          attribute,
          ours.catalog.byNumber.get(number)?.relation?.attributes.find((each) => each.number === attribute.number),
          theirs.catalog.byNumber.get(number)?.relation?.attributes.find((each) => each.number === attribute.number),
        );
      }
    }
  }
}

function wrote(pager: Pager, from: Node, to: Node, table: number, { number }: AttributeObject): boolean {
  const a = childRoot(pager, from, table);
  const b = childRoot(pager, to, table);
  if (a === b || (a === null && b === null)) return false;
  let any = false;
  eachRowChange(pager, a, b, (_key, x, y) => {
    const was: Datum = x === null ? undefined : x.leaf.cell(x.index, number);
    const is: Datum = y === null ? undefined : y.leaf.cell(y.index, number);
    // A new row that leaves the column null says nothing about it.
    if (y === null || Object.is(was, is) || (x === null && is === null)) return true;
    any = true;
    return false;
  });
  return any;
}

/** Names and attnums over the result: two sides may have made different things of one name. */
function agree(
  input: SchemaMergeInput,
  out: SchemaMerge,
  conflict: (key: string, explanation: string, b: CatalogObject | undefined, o: CatalogObject | undefined, t: CatalogObject | undefined) => void,
): void {
  const { ours, theirs } = input;
  if (out.rows.length === 0) return;
  const objects = new Map(ours.catalog.objects);
  const added = new Map<string, RowChange>();
  for (const row of out.rows) {
    added.set(row.key as string, row);
    if (row.after === null) objects.delete(row.key as string);
    else objects.set(row.key as string, JSON.parse(row.after[0] as string) as CatalogObject);
  }
  const names = new Map<string, string>();
  const attnums = new Map<number, Set<number>>();
  for (const [key, object] of objects) {
    const name = scopedName(object, objects);
    if (name === null) continue;
    const other = names.get(name);
    if (other === undefined) names.set(name, key);
    else {
      const [mine, yours] = added.has(key) ? [other, key] : [key, other];
      conflict(
        `${tableOf(input, objects.get(yours))}/definition`,
        `Both sides made ${describe(objects.get(yours)!)}, and they are not the same: "${ours.name}" and "${theirs.name}".`,
        undefined,
        objects.get(mine),
        objects.get(yours),
      );
    }
  }
  // Columns that both sides added get attnums one after the other: ours first.
  for (const object of objects.values()) {
    if (object.what !== 'attribute') continue;
    const key = `c${String(object.table).padStart(15, '0')}${String(object.number).padStart(15, '0')}`;
    const row = added.get(key);
    if (row !== undefined && row.before === null) continue;
    const used = attnums.get(object.table) ?? new Set();
    attnums.set(object.table, used.add(object.attnum));
  }
  for (const row of out.rows) {
    if (row.before !== null || row.after === null) continue;
    const object = JSON.parse(row.after[0] as string) as CatalogObject;
    if (object.what !== 'attribute') continue;
    const used = attnums.get(object.table) ?? new Set();
    attnums.set(object.table, used);
    let { attnum } = object;
    while (used.has(attnum)) attnum++;
    used.add(attnum);
    if (attnum !== object.attnum) row.after = [JSON.stringify({ ...object, attnum })];
  }
  for (const [table, used] of attnums) {
    const key = `t${String(table).padStart(15, '0')}`;
    const relation = objects.get(key);
    const highest = Math.max(0, ...used);
    if (relation?.what !== 'relation' || relation.attnums >= highest) continue;
    const row = added.get(key);
    if (row === undefined) put(out.rows, key, ours.catalog.objects.get(key), { ...relation, attnums: highest });
    else row.after = [JSON.stringify({ ...relation, attnums: highest })];
  }
  // What names a column or table that the other side dropped cannot stand.
  for (const object of objects.values()) {
    const lacking = lackingReference(object, objects);
    if (lacking !== null) {
      conflict(
        `${tableOf(input, object)}/definition`,
        `${describe(object)} needs ${lacking}, which one of "${ours.name}" and "${theirs.name}" dropped.`,
        undefined,
        object,
        undefined,
      );
    }
  }
  out.rows.sort((a, b) => (a.key < b.key ? -1 : 1));
}

function lackingReference(object: CatalogObject, objects: ReadonlyMap<string, CatalogObject>): string | null {
  if (!('table' in object) || object.what === 'column' || object.what === 'statistics') return null;
  const pad = (number: number): string => String(number).padStart(15, '0');
  if (!objects.has(`t${pad(object.table)}`)) return 'its table';
  const column = (table: number, number: number): boolean => objects.has(`c${pad(table)}${pad(number)}`);
  if (object.what === 'index') return object.columns.every((each) => each.column === null || column(object.table, each.column)) ? null : 'a column';
  if (object.what === 'check') return object.columns.every((each) => column(object.table, each)) ? null : 'a column';
  if (object.what !== 'foreign key') return null;
  if (!objects.has(`t${pad(object.target)}`)) return 'the table that it points at';
  return object.columns.every((each) => column(object.table, each)) ? null : 'a column';
}

function scopedName(object: CatalogObject, objects: ReadonlyMap<string, CatalogObject>): string | null {
  switch (object.what) {
    case 'table':
      return `relation\0public\0${object.name}`;
    case 'relation':
    case 'view':
    case 'sequence':
      return `relation\0${object.schema}\0${object.name}`;
    case 'index': {
      const table = objects.get(`t${String(object.table).padStart(15, '0')}`);
      return table?.what === 'relation' ? `relation\0${table.schema}\0${object.name}` : null;
    }
    case 'attribute':
      return `column\0${object.table}\0${object.name}`;
    case 'check':
    case 'foreign key':
      return `constraint\0${object.table}\0${object.name}`;
    case 'enum':
      return `type\0${object.schema}\0${object.name}`;
    case 'schema':
      return `schema\0${object.name}`;
    default:
      return null;
  }
}

/** Both changed it: field by field; null where one field was changed differently. */
function joinFields(b: CatalogObject, o: CatalogObject, t: CatalogObject): CatalogObject | null {
  const out: Record<string, Json> = { ...(o as unknown as Record<string, Json>) };
  const [base, mine, yours] = [b, o, t] as unknown as Record<string, Json>[];
  for (const field of Object.keys(yours)) {
    const [was, a, c] = [base[field], mine[field], yours[field]].map((value) => JSON.stringify(value));
    if (c === was || c === a) continue;
    if (a === was) out[field] = yours[field];
    else if (o.what === 'relation' && field === 'attnums') out[field] = Math.max(mine[field] as number, yours[field] as number);
    else if (o.what === 'relation' && field === 'dropped') out[field] = [...new Set([...(mine[field] as number[]), ...(yours[field] as number[])])];
    // Rows are merged one by one: which side emptied its tree does not matter any more.
    else if (o.what === 'relation' && field === 'epoch') continue;
    else return null;
  }
  // An epoch of theirs would empty our tree.
  if (o.what === 'relation') out['epoch'] = o.epoch;
  return out as unknown as CatalogObject;
}

/**
 * Rows are merged one by one, so the branch's epoch would only empty the tree that they are merged into; where
 * its rows come whole, the epoch must be a new one.
 */
function ofEpoch(t: RelationObject, b: CatalogObject | undefined, o: CatalogObject | undefined, whole: boolean): RelationObject {
  const epochs = [b, o].flatMap((object) => (object?.what === 'relation' ? [object.epoch] : []));
  if (epochs.length === 0) return t;
  return { ...t, epoch: whole ? Math.max(t.epoch, ...epochs) + 1 : epochs.at(-1)! };
}

function put(rows: RowChange[], key: string, before: CatalogObject | undefined, after: CatalogObject | undefined): void {
  if (text(before) === text(after)) return;
  rows.push({ key, shape: DEFINITION_SHAPE, before: before === undefined ? null : [text(before)], after: after === undefined ? null : [text(after)] });
}

function text(object: CatalogObject | undefined): string {
  return object === undefined ? '' : JSON.stringify(object);
}

function tableNumber(object: CatalogObject): number | null {
  if (object.what === 'relation') return object.number;
  return 'table' in object ? object.table : null;
}

function tableOf({ base, ours, theirs }: SchemaMergeInput, object: CatalogObject | undefined): string {
  const number = object === undefined ? null : tableNumber(object);
  for (const { catalog } of [theirs, ours, base]) {
    const table = number === null ? undefined : catalog.byNumber.get(number);
    if (table !== undefined) return table.name;
  }
  return object !== undefined && 'schema' in object
    ? publicName(object.schema, object.name)
    : object !== undefined && 'name' in object
      ? object.name
      : 'schema';
}

function describe(object: CatalogObject): string {
  switch (object.what) {
    case 'relation':
    case 'table':
      return `table ${object.name}`;
    case 'attribute':
    case 'column':
      return `column ${object.name}`;
    case 'check':
    case 'foreign key':
      return `constraint ${object.name}`;
    case 'enum':
      return `type ${object.name}`;
    case 'comment':
      return 'a comment';
    case 'statistics':
      return 'statistics';
    case 'rights':
      return 'an owner';
    case 'grant':
      return 'a grant';
    case 'default rights':
      return 'default privileges';
    case 'label':
      return 'a security label';
    default:
      return `${object.what} ${object.name}`;
  }
}

function did(before: CatalogObject | undefined, after: CatalogObject | undefined): string {
  if (after === undefined) return 'dropped it';
  const shown = JSON.stringify(after);
  return `${before === undefined ? 'made it' : 'changed it to'} ${shown.length <= 200 ? shown : `${shown.slice(0, 200)}…`}`;
}
