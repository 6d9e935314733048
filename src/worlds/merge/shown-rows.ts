/**
 * Rows of a merge for its preview and its conflicts. All states of a row have the shape of the result: columns by its names,
 * without dropped ones, with the current values of those that a state did not have. `result` is read from the result itself,
 * so it cannot differ from the merge.
 */
import { exactJsonText } from '../../base/exact-json.ts';
import type { PreviewRow, Row } from '../../commands/contract.ts';
import type { Key, RowChange } from '../../tree/datum.ts';
import { sameRow } from '../../tree/diff.ts';
import { childRoot } from '../../tree/directory.ts';
import type { Node } from '../../tree/node.ts';
import type { Pager } from '../../tree/pager.ts';
import { type RowAt, rowIn } from '../../tree/row-change.ts';
import { applyToWorldSteps } from '../apply.ts';
import { isNumeric, ROWS_A_STEP } from '../changes-between.ts';
import type { Table } from '../catalog.ts';
import { setField } from '../../base/json.ts';
import { canonicalJson, rowRecord, toJson } from '../document.ts';
import { rowKey } from '../keys.ts';
import type { Plan, PlanInput, Side } from './plan.ts';
import type { Outcome, RowConflict, Three } from './row-decision.ts';

interface Entry {
  row: PreviewRow;
  readonly table: Table;
  readonly key: Key;
}

export class ShownRows {
  readonly input: PlanInput;
  readonly #pager: Pager;
  readonly #plan: Plan;
  #entries: Entry[] = [];

  readonly #stands: boolean;

  /** `stands`: no definition is in conflict, so there is a result. */
  constructor(pager: Pager, input: PlanInput, plan: Plan, stands: boolean) {
    this.#stands = stands;
    this.#pager = pager;
    this.input = input;
    this.#plan = plan;
  }

  /** `lost`: why a deleted row is in conflict. */
  add(table: Table, row: Three, outcome: Outcome, given: Row | null | undefined, converged = false, lost?: string): void {
    const shown = this.#preview(table, row, outcome, given, converged);
    this.#entries.push({
      row: lost === undefined ? shown : { ...shown, outcome: 'conflict', delete: false, detail: lost, result: null },
      table,
      key: row.key,
    });
  }

  /** Called once all changes are known: `unwritten` are rows that neither side wrote, `computed` trees with derived changes. Deleted rows come first. */
  *finish(unwritten: readonly { table: Table; key: Key; row: RowAt; detail: string }[], computed: ReadonlySet<number>): Generator<void, void> {
    const { base, ours, theirs } = this.input;
    for (const { table, key, row, detail } of unwritten) {
      const there = (side: Side): Row | null => {
        const tree = childRoot(this.#pager, side.root, table.number);
        const isKeyedAlike = tree !== null && isNumeric(tree) === (typeof key === 'number');
        return isKeyedAlike ? this.record(table, rowIn(this.#pager, tree, key), side) : null;
      };
      const mine = this.record(table, row, ours);
      const shown: PreviewRow = {
        key: rowKey(this.input.typed, table, key),
        outcome: 'update',
        detail,
        delete: false,
        base: there(base),
        ours: mine,
        theirs: there(theirs),
        result: mine,
      };
      this.#entries.push({ row: shown, table, key });
    }
    yield* this.#readResults(computed);
    this.#showConflicts();
    this.#joinRekeyed();
    const rows = this.#entries.map(({ row }) => row);
    this.#plan.rows = [...rows.filter((row) => row.delete), ...rows.filter((row) => !row.delete)];
  }

  /** With keys of another type, a deleted and an inserted row may have the same id: shown as one changed row. */
  #joinRekeyed(): void {
    const gone = new Map<string, Entry>();
    for (const entry of this.#entries) if (entry.row.outcome === 'delete') gone.set(entry.row.key, entry);
    if (gone.size === 0) return;
    const joined = new Set<Entry>();
    for (const entry of this.#entries) {
      const old = entry.row.outcome === 'insert' ? gone.get(entry.row.key) : undefined;
      if (old === undefined) continue;
      joined.add(old);
      entry.row = { ...entry.row, outcome: 'update', base: old.row.base, ours: old.row.ours };
    }
    if (joined.size > 0) this.#entries = this.#entries.filter((entry) => !joined.has(entry));
  }

  *#readResults(computed: ReadonlySet<number>): Generator<void, void> {
    const { base, ours, theirs } = this.input;
    const { changes, result } = this.#plan;
    const isAltered = ({ number }: Table): boolean =>
      computed.has(number) || [base, ours, theirs].some(({ catalog }) => catalog.byNumber.get(number)?.relation !== result.byNumber.get(number)?.relation);
    const altered = this.#entries.filter(
      ({ table, row }) => table.relation !== null && row.outcome !== 'delete' && row.outcome !== 'conflict' && isAltered(table),
    );
    if (altered.length === 0 || !this.#stands) return;
    const root: Node = yield* applyToWorldSteps(this.#pager, ours.root, changes, this.#pager.newEdit());
    const trees = new Map<number, Node | null>();
    let done = 0;
    for (const { table, key, row } of altered) {
      if (++done % ROWS_A_STEP === 0) yield;
      const after = result.byNumber.get(table.number);
      if (after === undefined) continue;
      let tree = trees.get(table.number);
      if (tree === undefined) trees.set(table.number, (tree = childRoot(this.#pager, root, table.number)));
      const at = rowIn(this.#pager, tree, key);
      row.result = at === null ? null : rowRecord(this.input.typed, after, at.leaf, at.index);
    }
  }

  /** Rows that violate a constraint of the result are shown as conflicts, whichever side wrote them. */
  #showConflicts(): void {
    if (this.#plan.conflicts.every(({ code }) => code === undefined)) return;
    const byKey = new Map(this.#entries.map((entry) => [entry.row.key, entry]));
    for (const { key, code, base, ours, theirs, explanation } of this.#plan.conflicts) {
      if (code === undefined) continue;
      const entry = byKey.get(key);
      if (entry === undefined) continue;
      const { row } = entry;
      const detail = row.outcome === 'conflict' && row.detail !== explanation ? `${row.detail} ${explanation}` : explanation;
      entry.row = {
        key,
        outcome: 'conflict',
        detail,
        delete: false,
        base: row.base ?? base,
        ours: row.ours ?? ours,
        theirs: row.theirs ?? theirs,
        result: null,
      };
    }
  }

  /** The row of a side, in the result's shape. */
  record(table: Table, row: RowAt | null, side: Side): Row | null {
    if (row === null) return null;
    const { base, ours, theirs } = this.input;
    const own = side.catalog.byNumber.get(table.number);
    if (table.relation === null) {
      // A field may be known to one side only; column numbers are shared, so any catalog that has it will do.
      const known = [theirs, ours, base].map(({ catalog }) => catalog.byNumber.get(table.number));
      const merged = new Map(known.flatMap((each) => each?.columns ?? []).map((column) => [column.number, column]));
      return rowRecord(this.input.typed, { ...table, columns: [...merged.values()] }, row.leaf, row.index);
    }
    const after = this.#stands ? this.#plan.result.byNumber.get(table.number) : undefined;
    if (!after?.relation) return rowRecord(this.input.typed, own ?? table, row.leaf, row.index);
    const read = rowRecord(this.input.typed, after, row.leaf, row.index);
    const before = own?.relation;
    if (!before || before.attributes === after.relation.attributes) return read;
    let written: Row | null = null;
    for (const { number, name } of after.relation.attributes) {
      if (before.attributes.some((each) => each.number === number)) continue;
      // A column with another type has another number: its former value is found by name.
      const former = before.attributes.find((each) => each.name === name);
      if (former === undefined || after.relation.attributes.some((each) => each.number === former.number)) continue;
      written ??= rowRecord(this.input.typed, own, row.leaf, row.index);
      setField(read, name, written[name]);
    }
    return read;
  }

  explain(table: Table, row: Three, conflict: RowConflict): string {
    const { ours, theirs } = this.input;
    const say = (name: string, value: Row | null, base: RowAt | null): string =>
      value === null ? `"${name}" deleted it` : `"${name}" ${base === null ? 'inserted' : 'changed it to'} ${clip(exactJsonText(value))}`;
    const columns = conflict.kind === 'row' ? '' : ` in ${conflict.ids.map((id) => this.#columnName(table.number, id)).join(', ')}`;
    const alike = this.input.strict === true && isAlike(row) ? ' alike, which strict merges refuse' : '';
    const [mine, yours] = [this.record(table, row.ours, ours), this.record(table, row.theirs, theirs)];
    return `Both sides changed ${row.name}${columns}${alike}: ${say(ours.name, mine, row.base)}, ${say(theirs.name, yours, row.base)}.`;
  }

  #columnName(table: number, column: number): string {
    for (const catalog of [this.#plan.result, this.input.theirs.catalog, this.input.ours.catalog, this.input.base.catalog]) {
      const known = catalog.byNumber.get(table);
      const found = known?.byNumber.get(column) ?? known?.relation?.attributes.find(({ number }) => number === column);
      if (found !== undefined) return found.name;
    }
    return String(column);
  }

  #preview(table: Table, row: Three, outcome: Outcome, given: Row | null | undefined, converged: boolean): PreviewRow {
    const ours = this.record(table, row.ours, this.input.ours);
    const theirs = this.record(table, row.theirs, this.input.theirs);
    let kind: PreviewRow['outcome'];
    let result: Row | null;
    if (given !== undefined) {
      result = given;
      kind = sameRecord(given, ours) ? 'keep' : given === null ? 'delete' : ours === null ? 'insert' : 'update';
    } else if (outcome.conflict !== null) {
      kind = 'conflict';
      result = null;
    } else if (outcome.change === null) {
      kind = converged ? 'converged' : 'keep';
      result = ours;
    } else if (outcome.change.after === null) {
      kind = 'delete';
      result = null;
    } else {
      kind = outcome.change.before === null ? 'insert' : 'update';
      result = table.relation === null ? this.#mergedRecord(table, ours, outcome.change) : this.#mergedTyped(table, ours, theirs, outcome.change);
    }
    const detail = outcome.conflict === null ? outcome.detail : this.explain(table, row, outcome.conflict);
    return { key: row.name, outcome: kind, detail, delete: kind === 'delete', base: this.record(table, row.base, this.input.base), ours, theirs, result };
  }

  /** Changed columns are the branch's. */
  #mergedTyped(table: Table, ours: Row | null, theirs: Row | null, change: RowChange): Row | null {
    if (ours === null || theirs === null) return theirs;
    const result: Row = { ...ours };
    for (const id of change.shape.ids) {
      const name = this.#columnName(table.number, id);
      if (Object.hasOwn(theirs, name)) setField(result, name, theirs[name]);
      else delete result[name];
    }
    return result;
  }

  #mergedRecord(table: Table, ours: Row | null, change: RowChange): Row {
    const result: Row = change.before === null ? {} : { ...ours };
    for (let i = 0; i < change.shape.ids.length; i++) {
      const name = this.#columnName(table.number, change.shape.ids[i]);
      const value = change.after![i];
      if (value === undefined) delete result[name];
      else {
        setField(result, name, toJson(value, change.shape.kinds[i]));
      }
    }
    return result;
  }
}

function isAlike({ ours, theirs }: Three): boolean {
  return ours === null || theirs === null ? ours === theirs : sameRow(ours.leaf, ours.index, theirs.leaf, theirs.index);
}

export function clip(text: string): string {
  return text.length <= 200 ? text : `${text.slice(0, 200)}…`;
}

export function sameRecord(a: Row | null, b: Row | null): boolean {
  if (a === null || b === null) return a === b;
  return canonicalJson(a, 'row', 0) === canonicalJson(b, 'row', 0);
}
