/**
 * Plans the undo of a merge or of an agent: rows that are unchanged since are restored to their former values, and so are
 * definitions. Later writes and definitions block the undo: they refuse it, or (SKIP CHANGED) are skipped with everything
 * that they need: a row, a definition or a table with its rows. The result is checked like that of a merge.
 *
 *   before ──► then     what is undone
 *   then   ──► now      what was done since
 */
import { CATALOG_TREE, type TreeChanges } from '../../events/changes.ts';
import type { Key, RowChange } from '../../tree/datum.ts';
import { childRoot } from '../../tree/directory.ts';
import type { Node } from '../../tree/node.ts';
import type { Pager } from '../../tree/pager.ts';
import { type RowAt, rowChange, rowIn, sameVisible, ShapeTable } from '../../tree/row-change.ts';
import { type Catalog, catalogAfter, readCatalog } from '../catalog.ts';
import { eachRowChange, isNumeric, ROWS_A_STEP } from '../changes-between.ts';
import { alike, ID_COLUMN, withRelations } from '../document-relation.ts';
import { catalogObject, columnDefinition, columnDefinitionKey, definitionKey, DEFINITION_SHAPE, tableDefinition, tableDefinitionKey } from '../definition.ts';
import { parseRowKey, rowKey } from '../keys.ts';
import { isNote, referencesOf } from '../kinds/registry.ts';
import type { TypedTables } from '../typed-tables.ts';
import type { Objects } from '../world.ts';
import { definitionConflictKey, describeDefinition, tableNumber } from './definition-names.ts';
import { missingDefinitions } from './definitions.ts';
import { leadsTo, refersTo } from './references.ts';
import { joinComputed } from './computed.ts';
import { undoneDefinitions, type UndoneDefinitions } from './undo-schema.ts';
import { type Blocked, UndoneColumns } from './undone-columns.ts';

/** Rows of a tree to undo. */
export interface RowsToUndo {
  readonly tree: number;
  readonly numeric: boolean;
  readonly keys: Iterable<Key>;
  /** Its former value. */
  was(key: Key): RowAt | null;
  /** Another actor changed it in between. */
  isChanged?(key: Key): boolean;
}

export interface UndoInput {
  readonly typed: TypedTables;
  /** The world's name. */
  readonly name: string;
  readonly now: Node;
  readonly then: Node;
  readonly before: Node;
  readonly definitions: readonly RowChange[];
  /** Keys of definitions that others changed in between. */
  readonly mixed?: ReadonlySet<string>;
  readonly rows: readonly RowsToUndo[];
}

export interface UndoPlan {
  readonly changes: TreeChanges[];
  /** Names of rows that were changed since: they are not in `changes`. */
  readonly changed: string[];
  readonly blocked: readonly Blocked[];
  /** Number of skipped tables and definitions. */
  readonly left: number;
}

/** With `skip`, blocking items are skipped until none is left; what still blocks then blocks everything. In steps, over states that stay unchanged. */
export function* planUndo(pager: Pager, objects: Objects, input: UndoInput, skip: boolean): Generator<void, UndoPlan> {
  const leave = { tables: new Set<number>(), definitions: new Set<string>(), rows: new Map<number, Set<Key>>() };
  for (;;) {
    const attempt = new UndoPlanner(pager, objects, input, skip, leave);
    const blocked = yield* attempt.run();
    if (blocked.length === 0 || !skip) return { ...attempt.result(), blocked };
    let more = false;
    for (const { leave: each } of blocked) {
      if (each.table !== undefined && !leave.tables.has(each.table)) {
        leave.tables.add(each.table);
        more = true;
      }
      if (each.definition !== undefined && !leave.definitions.has(each.definition)) {
        leave.definitions.add(each.definition);
        more = true;
      }
      if (each.row === undefined) continue;
      const { tree, key } = each.row;
      const rows = leave.rows.get(tree) ?? new Set();
      leave.rows.set(tree, rows);
      if (rows.has(key)) continue;
      rows.add(key);
      more = true;
    }
    if (!more) return { ...attempt.result(), blocked };
  }
}

/** Maximum number of blocked rows listed. */
const BLOCKED_MAX = 100;

interface Leave {
  readonly tables: ReadonlySet<number>;
  readonly definitions: ReadonlySet<string>;
  readonly rows: ReadonlyMap<number, ReadonlySet<Key>>;
}

class UndoPlanner {
  readonly #pager: Pager;
  readonly #objects: Objects;
  readonly #input: UndoInput;
  readonly #skip: boolean;
  readonly #leave: Leave;
  readonly #shapes = new ShapeTable();
  readonly #current: Catalog;
  readonly #then: Catalog;
  readonly #before: Catalog;
  /** Tables of documents that are relations in another of the states. */
  readonly #relations: readonly RowChange[];
  readonly #definitionsDone: readonly RowChange[];
  readonly #blocked: Blocked[] = [];
  readonly #changed: string[] = [];
  #changes: TreeChanges[] = [];

  constructor(pager: Pager, objects: Objects, input: UndoInput, skip: boolean, leave: Leave) {
    this.#pager = pager;
    this.#objects = objects;
    this.#input = input;
    this.#skip = skip;
    this.#leave = leave;
    const states = alike([input.now, input.then, input.before].map((root) => readCatalog(pager, root)));
    [this.#current, this.#then, this.#before] = states.catalogs;
    this.#relations = states.rows[0];
    this.#definitionsDone = states.rows.every(({ length }) => length === 0) ? input.definitions : this.#asRelations(input.definitions);
  }

  result(): Pick<UndoPlan, 'changes' | 'changed' | 'left'> {
    return { changes: this.#changes, changed: this.#changed, left: this.#leave.tables.size + this.#leave.definitions.size };
  }

  *run(): Generator<void, readonly Blocked[]> {
    const undone = undoneDefinitions(
      this.#pager,
      { ...this.#input, definitions: this.#definitionsDone },
      { current: this.#current, before: this.#before },
      {
        tables: this.#leave.tables,
        definitions: this.#leave.definitions,
        mixed: this.#input.mixed ?? new Set(),
        skip: this.#skip,
      },
    );
    const tablesFirst = undone.changed.sort((a, b) => Number(b.object.what === 'relation') - Number(a.object.what === 'relation'));
    for (const { key, object } of tablesFirst) {
      const what = `${describeDefinition(object)} was changed since`;
      if (!this.#leave.definitions.has(key))
        this.#block('40001', definitionConflictKey(this.#input.typed, object, [this.#current]), what, { definition: key, ...wholeTable(object) });
    }
    for (const { object, by } of undone.used) {
      const table = tableNumber(object);
      if (table === null ? this.#leave.definitions.has(definitionKey(object)) : this.#leave.tables.has(table)) continue;
      const of = table === null || object.what === 'relation' ? '' : ` of table ${this.#current.byNumber.get(table)?.name ?? table}`;
      const leave = table === null ? { definition: definitionKey(object) } : { table };
      this.#block(
        '2BP01',
        definitionConflictKey(this.#input.typed, object, [this.#current]),
        `${describeDefinition(object)}${of} would be undone, and ${by}`,
        leave,
      );
    }
    const after = catalogAfter(this.#current, undone.rows);
    this.#restored(undone);
    yield* this.#rows(undone, after);
    this.#definitions(undone);
    if (this.#blocked.length === 0 && (this.#changed.length === 0 || this.#skip)) yield* this.#check();
    return this.#blocked;
  }

  /** What was done, between states of which all have the same tables as relations. */
  #asRelations(definitions: readonly RowChange[]): RowChange[] {
    const form = (catalog: Catalog, key: Key, is: RowChange['before']): RowChange['before'] => {
      const as = catalog.objects.get(key as string);
      const what = is === null ? null : catalogObject(is[0] as string).what;
      const isForm = what === null ? as?.what === 'attribute' && as.number === ID_COLUMN : what === 'table' || what === 'column';
      return isForm && as !== undefined ? [JSON.stringify(as)] : is;
    };
    return definitions.flatMap((row) => {
      const [before, after] = [form(this.#before, row.key, row.before), form(this.#then, row.key, row.after)];
      return before?.[0] === after?.[0] ? [] : [{ ...row, before, after }];
    });
  }

  #block(code: string, key: string, explanation: string, leave: Blocked['leave']): void {
    this.#blocked.push({ code, key, explanation, leave });
  }

  /** A table restored whole also loses what was written to it since. */
  #restored({ restored }: UndoneDefinitions): void {
    for (const number of restored) {
      const table = this.#current.byNumber.get(number);
      if (table === undefined) continue;
      for (const { key, now } of this.#since(number)) {
        const name = rowKey(this.#input.typed, now === null ? (this.#then.byNumber.get(number) ?? table) : table, key);
        this.#block('55000', name, `all rows of table ${table.name} would come back as they were, and ${name} was written since`, { table: number });
        if (this.#blocked.length >= BLOCKED_MAX) return;
      }
    }
  }

  /** Rows that were changed since. */
  *#since(number: number): Iterable<{ key: Key; then: RowAt | null; now: RowAt | null }> {
    const [a, b] = [this.#input.then, this.#input.now].map((root) => childRoot(this.#pager, root, number));
    if (a === b || (a === null && b === null)) return;
    const rows: { key: Key; then: RowAt | null; now: RowAt | null }[] = [];
    eachRowChange(this.#pager, a, b, (key, then, now) => {
      if (then === null || now === null || !sameVisible(then, now, this.#hidden(number))) rows.push({ key, then, now });
    });
    yield* rows;
  }

  #hidden(number: number): ReadonlySet<number> {
    return new Set([this.#then, this.#current].flatMap(({ byNumber }) => [...(byNumber.get(number)?.relation?.hidden ?? [])]));
  }

  *#rows(undone: UndoneDefinitions, after: Catalog): Generator<void, void> {
    const { now, then } = this.#input;
    const trees = new Map<number, { numeric: boolean; rows: RowChange[] }>();
    const columnsOf = new Map<number, UndoneColumns | null>();
    const staying = new Map<number, Key[]>();
    if (undone.rows.length > 0) {
      for (const number of after.byNumber.keys()) {
        if (!undone.restored.has(number) && !this.#leave.tables.has(number))
          columnsOf.set(number, UndoneColumns.of(this.#input.typed, number, this.#current, after, this.#before, this.#shapes));
      }
    }
    for (const { tree, numeric, keys, was, isChanged } of this.#withEmptied(undone.emptied)) {
      if (undone.restored.has(tree)) continue;
      const [current, left] = [now, then].map((root) => childRoot(this.#pager, root, tree));
      const columns = columnsOf.get(tree) ?? null;
      const table = this.#then.byNumber.get(tree) ?? this.#current.byNumber.get(tree);
      const hidden = this.#hidden(tree);
      const kept = this.#keptCells(tree);
      const isLeft = this.#leave.tables.has(tree);
      const stay: Key[] = [];
      staying.set(tree, stay);
      const rows: RowChange[] = [];
      let done = 0;
      for (const key of keys) {
        if (++done % ROWS_A_STEP === 0) yield;
        const is = rowIn(this.#pager, current, key);
        const old = was(key);
        const at = rowIn(this.#pager, left, key);
        const same = is === null || at === null ? is === at : sameVisible(is, at, hidden);
        // Others put it back already, as an earlier undo does.
        if (isChanged?.(key) === true && (is === null || old === null ? is === old : sameVisible(is, old, hidden))) continue;
        if (!same || isLeft || isChanged?.(key) === true || this.#leave.rows.get(tree)?.has(key) === true) {
          const isOfTypes = old !== null && at !== null && is !== null && columns?.isOfTypesAlone(old, at) === true;
          if (!isOfTypes && table !== undefined) this.#changed.push(rowKey(this.#input.typed, table, key));
          if (!isLeft && is !== null) stay.push(key);
          continue;
        }
        if (is === null && old === null) continue;
        const change = withoutCells(rowChange(key, is, old, this.#shapes), kept);
        if (change.before === null || change.after === null || change.shape.ids.length > 0) rows.push(change);
      }
      if (rows.length > 0) trees.set(tree, { numeric, rows });
    }
    for (const [number, columns] of columnsOf) if (columns !== null) yield* this.#converted(number, columns, trees, staying.get(number) ?? []);
    this.#changes = [...trees].sort(([a], [b]) => a - b).map(([tree, { numeric, rows }]) => ({ tree, numeric, rows: rows.sort(byKey) }));
  }

  /** Truncated tables, with all their former rows. */
  #withEmptied(emptied: ReadonlySet<number>): readonly RowsToUndo[] {
    const out = this.#input.rows.filter(({ tree }) => !emptied.has(tree));
    for (const tree of emptied) {
      const old = childRoot(this.#pager, this.#input.before, tree);
      const touched = this.#input.rows.find((each) => each.tree === tree);
      if (old === null && touched === undefined) continue;
      const keys = new Set<Key>(touched?.keys ?? []);
      if (old !== null) eachRowChange(this.#pager, null, old, (key) => void keys.add(key));
      out.push({ tree, numeric: touched?.numeric ?? isNumeric(old!), keys, was: (key) => rowIn(this.#pager, old, key), isChanged: touched?.isChanged });
    }
    return out;
  }

  /** Rows written since keep their values, converted to the restored columns. */
  *#converted(
    number: number,
    columns: UndoneColumns,
    trees: Map<number, { numeric: boolean; rows: RowChange[] }>,
    staying: readonly Key[],
  ): Generator<void, void> {
    const out = trees.get(number) ?? { numeric: isNumeric(childRoot(this.#pager, this.#input.now, number) ?? this.#input.now), rows: [] };
    const known = new Set(out.rows.map(({ key }) => key));
    let done = 0;
    for (const { key, then, now } of this.#since(number)) {
      if (++done % ROWS_A_STEP === 0) yield;
      if (now === null || known.has(key)) continue;
      const change = columns.row(key, then, now);
      if (change === null) continue;
      if ('code' in change) {
        this.#blocked.push(change);
        if (this.#blocked.length >= BLOCKED_MAX) return;
      } else out.rows.push(change);
      known.add(key);
    }
    // The same for rows that are skipped for another reason.
    const tree = childRoot(this.#pager, this.#input.now, number);
    for (const key of staying) {
      const row = known.has(key) ? null : rowIn(this.#pager, tree, key);
      const change = row === null ? null : columns.row(key, row, row);
      if (change === null) continue;
      if ('code' in change) this.#blocked.push(change);
      else out.rows.push(change);
    }
    if (out.rows.length > 0) trees.set(number, out);
  }

  /** Cells of columns that stay although the creation of the column is undone. */
  #keptCells(tree: number): ReadonlySet<number> {
    const cells = new Set<number>();
    for (const key of this.#leave.definitions) {
      const object = this.#current.objects.get(key);
      if (object?.what === 'attribute' && object.table === tree) cells.add(object.number);
    }
    return cells;
  }

  /** Dropped tables, or tables whose rows were replaced, are restored whole; a missing table to which rows return is restored with them. */
  #definitions(undone: UndoneDefinitions): void {
    for (const number of undone.restored) {
      const old = childRoot(this.#pager, this.#input.before, number);
      if (old === null || old.count === 0) continue;
      const rows: RowChange[] = [];
      eachRowChange(this.#pager, null, old, (key, _none, row) => void rows.push(rowChange(key, null, row, this.#shapes)));
      this.#changes.push({ tree: number, numeric: isNumeric(old), rows });
    }
    const tables = new Set(this.#changes.map(({ tree }) => tree));
    const missing = missingDefinitions(this.#before, this.#current, tables).flatMap(({ rows }) => rows);
    const all = [...withRelations([...missing, ...undone.rows, ...this.#documentsGone()].sort(byKey), this.#relations)];
    if (all.length > 0) this.#changes.unshift({ tree: CATALOG_TREE, numeric: false, rows: all });
  }

  /** Document tables and fields created by what is undone, if no remaining row and no other definition needs them. */
  #documentsGone(): RowChange[] {
    const rows: RowChange[] = [];
    for (const [number, table] of this.#current.byNumber) {
      const made = this.#then.byNumber.get(number);
      const old = this.#before.byNumber.get(number);
      if (table.relation !== null || made === undefined || made === old || this.#leave.tables.has(number)) continue;
      const came = made.columns.filter(
        (column) => old?.byNumber.get(column.number)?.type !== column.type && table.byNumber.get(column.number)?.type === column.type,
      );
      const named = this.#named(number);
      if ((old !== undefined && came.length === 0) || named === null) continue;
      const { any, fields } = this.#staying(number);
      if (old === undefined && named === undefined && !any) rows.push(definitionChange(tableDefinitionKey(number), tableDefinition(number, table.name), null));
      for (const column of came) {
        const was = old?.byNumber.get(column.number);
        if (named?.has(column.number) === true || (was === undefined ? fields.has(column.number) : any)) continue;
        const text = (type: typeof column.type): string => columnDefinition(number, column.number, column.name, type);
        rows.push(definitionChange(columnDefinitionKey(number, column.number), text(column.type), was === undefined ? null : text(was.type)));
      }
    }
    return rows;
  }

  /** Fields of the table named by definitions; null: possibly any of them; undefined: the table is not named. */
  #named(table: number): ReadonlySet<number> | null | undefined {
    const fields = new Set<number>();
    let any = false;
    for (const object of this.#current.objects.values()) {
      if (object.what === 'table' || object.what === 'column') continue;
      if (isNote(object) && object.object === table) {
        if ('attnum' in object && object.attnum > 0) return null;
        any = true;
      }
      if (!refersTo(object, table)) continue;
      any = true;
      for (const reference of referencesOf(object)) {
        if (reference.to === 'used' && reference.number === table) for (const column of reference.columns) fields.add(column);
        else if (reference.to === 'column' && reference.table === table) fields.add(reference.column);
        else if (reference.to !== 'relation' && leadsTo(reference, table)) return null;
      }
    }
    return any ? fields : undefined;
  }

  /** Whether rows that the table did not have before stay, and their fields. */
  #staying(table: number): { any: boolean; fields: ReadonlySet<number> } {
    const [old, now] = [this.#input.before, this.#input.now].map((root) => childRoot(this.#pager, root, table));
    const back = new Set(this.#changes.find(({ tree }) => tree === table)?.rows.map(({ key }) => key));
    const fields = new Set<number>();
    let any = false;
    if (now !== null) {
      eachRowChange(this.#pager, old, now, (key, _old, row) => {
        if (row === null || back.has(key)) return;
        any = true;
        for (const { number } of this.#current.byNumber.get(table)!.columns) if (row.leaf.cell(row.index, number) !== undefined) fields.add(number);
      });
    }
    return { any, fields };
  }

  *#check(): Generator<void, void> {
    const definitions = this.#changes.find(({ tree }) => tree === CATALOG_TREE);
    const merged = definitions === undefined ? this.#current : catalogAfter(this.#current, definitions.rows);
    if (![...merged.byNumber.values()].some(({ relation }) => relation !== null)) return;
    const { now, then } = this.#input;
    const { conflicts, changes } = yield* this.#input.typed.judge({
      pager: this.#pager,
      objects: this.#objects,
      catalog: this.#current,
      root: now,
      merged,
      theirs: this.#before,
      base: then,
      baseCatalog: this.#then,
      changes: this.#changes,
      columns: false,
      partial: true,
      names: { ours: this.#input.name, theirs: this.#input.name },
    });
    for (const { key, explanation, code } of conflicts) {
      const why = explanation.replace(/^The merged rows would break a constraint: /, `${key} would break a constraint: `);
      this.#block(code ?? '55000', key, why, this.#culprit(key, merged));
    }
    yield* joinComputed(this.#changes, changes, merged);
  }

  /** What must be skipped so that a constraint holds: the row if it is one of the restored ones, else its table. */
  #culprit(key: string, merged: Catalog): Blocked['leave'] {
    const { table: name } = parseRowKey(key);
    const table = merged.tables.get(name);
    if (table === undefined) return {};
    const back = this.#changes.find(({ tree }) => tree === table.number)?.rows ?? [];
    const row = back.find((each) => rowKey(this.#input.typed, table, each.key) === key);
    const isTaken = row !== undefined && this.#input.rows.some(({ tree, keys }) => tree === table.number && [...keys].includes(row.key));
    return isTaken ? { row: { tree: table.number, key: row.key } } : { table: table.number };
  }
}

function definitionChange(key: string, before: string, after: string | null): RowChange {
  return { key, shape: DEFINITION_SHAPE, before: [before], after: after === null ? null : [after] };
}

/** A relation's own definition represents the whole table. */
function wholeTable(object: Parameters<typeof tableNumber>[0]): { table?: number } {
  const number = object.what === 'relation' ? tableNumber(object) : null;
  return number === null ? {} : { table: number };
}

function withoutCells(change: RowChange, cells: ReadonlySet<number>): RowChange {
  const { key, shape, before, after } = change;
  if (cells.size === 0 || before === null || after === null || !shape.ids.some((id) => cells.has(id))) return change;
  const at = shape.ids.flatMap((id, i) => (cells.has(id) ? [] : [i]));
  const pick = <T>(list: readonly T[]): T[] => at.map((i) => list[i]);
  return { key, shape: { ids: pick(shape.ids), kinds: pick(shape.kinds) }, before: pick(before), after: pick(after) };
}

function byKey(a: RowChange, b: RowChange): number {
  return a.key < b.key ? -1 : a.key > b.key ? 1 : 0;
}
