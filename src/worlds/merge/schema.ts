/**
 * Three-way merge of definitions of typed tables and other SQL objects, by object and then by field. What both
 * sides changed alike has converged; changes of different fields are joined; the rest conflicts, as
 * do combinations that are not consistent:
 *
 *   tables     dropped, rekeyed or retyped on one side, written on the other; created differently by both
 *   columns    dropped on one side, written on the other
 *   names      one name for two objects
 *   references to what the other side dropped
 *
 * `resolve` and picks resolve each by its key (definition-names.ts). A picked table is taken with its rows
 * from one side; objects that depend on it follow the same decision.
 */
import type { Conflict, Resolve, Row } from '../../commands/contract.ts';
import type { Datum, RowChange } from '../../tree/datum.ts';
import { childRoot } from '../../tree/directory.ts';
import type { Node } from '../../tree/node.ts';
import type { Pager } from '../../tree/pager.ts';
import type { Catalog, Relation } from '../catalog.ts';
import {
  type AttributeObject,
  type CatalogObject,
  columnDefinitionKey,
  DEFINITION_SHAPE,
  definitionKey,
  numbersOf,
  tableDefinitionKey,
  type RelationObject,
  labelId,
  widestField,
} from '../definition.ts';
import { eachRowChange } from '../changes-between.ts';
import { needsType, widened } from '../document-relation.ts';
import type { TypedTables } from '../typed-tables.ts';
import { columnNote, columnNotes, isColumnNote, type NoteOfColumn } from '../column-notes.ts';
import { definitionConflictKey, definitionWords, describeDefinition, mentions, scopedName, tableNumber, tableWords } from './definition-names.ts';
import { approved, type Approver } from './approved.ts';
import { joinFields, likeness } from './join-fields.ts';
import { lackingReference, type Lacking, leadsTo, refersTo } from './references.ts';
import { referencesOf } from '../kinds/registry.ts';
import { changedForChildren, unlikeChild, withoutLostParents } from './heritage.ts';
import { renamesTo } from './renames.ts';
import { ownersOfSequences, strayedSequences } from './owned-sequences.ts';
import { withSchemaNames } from './schema-names.ts';
import { renameInDefault } from '../sequence-names.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import { TextNeeds } from './text-needs.ts';

interface Side {
  readonly name: string;
  readonly root: Node;
  readonly catalog: Catalog;
}
type Winner = 'ours' | 'theirs';

export interface SchemaMerge {
  /** Definition changes of the target. */
  rows: RowChange[];
  /** base → theirs, for the fork point. */
  baseChanges: RowChange[];
  conflicts: Conflict[];
  /** Tables whose rows are decided by their definition: dropped, or taken over whole from the branch. */
  gone: Set<number>;
  whole: Set<number>;
  /** Tables that are kept as ours, with their rows. */
  kept: Set<number>;
}

export interface SchemaMergeInput {
  readonly typed: TypedTables;
  readonly base: Side;
  readonly ours: Side;
  readonly theirs: Side;
  readonly resolve: Resolve;
  /** null: everything. */
  readonly tables: ReadonlySet<number> | null;
  /** The principal that takes ownership of objects that agents defined in the branch; null: owners are kept. */
  readonly approver: Approver | null;
  /** The caller's pick for the definition with this key; called more than once. */
  pick(key: string): Winner | undefined;
}

/** Why a side rewrote the rows of a table. */
type Rewriting = { readonly kind: 'keyed' } | { readonly kind: 'retyped'; readonly column: string };

function rewritingWords(rewriting: Rewriting): string {
  return rewriting.kind === 'keyed' ? 'gave it another primary key' : `changed the type of column ${rewriting.column}`;
}

/** A table's author row follows the table's definition. */
function authoredTable(object: CatalogObject): number | null {
  return object.what === 'author' ? object.object : null;
}

const isTyped = (object: CatalogObject | undefined): object is Exclude<CatalogObject, { what: 'table' | 'column' }> =>
  object !== undefined && object.what !== 'table' && object.what !== 'column';

export function mergeSchema(pager: Pager, input: SchemaMergeInput): SchemaMerge {
  const { base, ours, theirs } = input;
  const out: SchemaMerge = { rows: [], baseChanges: [], conflicts: [], gone: new Set(), whole: new Set(), kept: new Set() };
  if (base.catalog === theirs.catalog && base.catalog === ours.catalog) return out;
  return new DefinitionMerge(pager, input, out).run();
}

class DefinitionMerge {
  readonly #pager: Pager;
  readonly #input: SchemaMergeInput;
  readonly #out: SchemaMerge;
  readonly #catalogs: readonly Catalog[];
  /** Definitions of the result. */
  readonly #result: Map<string, CatalogObject>;
  readonly #reported = new Set<string>();
  readonly #decided = new Map<string, Winner>();

  constructor(pager: Pager, input: SchemaMergeInput, out: SchemaMerge) {
    this.#pager = pager;
    this.#input = input;
    this.#out = out;
    this.#catalogs = [input.theirs.catalog, input.ours.catalog, input.base.catalog];
    this.#result = new Map(input.ours.catalog.objects);
  }

  run(): SchemaMerge {
    const { ours } = this.#input;
    const out = this.#out;
    this.#tables();
    this.#objects();
    this.#columnNotes();
    this.#droppedColumns();
    const untouched = this.#same(ours.catalog) && this.#noted.length === 0;
    // Objects that only ours has are unchanged.
    if (!untouched || out.conflicts.length > 0) {
      this.#followSchemas();
      this.#names();
      this.#followRenames();
      this.#followLabels();
      this.#references();
      for (const [key, object] of withoutLostParents(this.#result)) {
        if (object === undefined) this.#result.delete(key);
        else this.#result.set(key, object);
      }
      this.#places();
      this.#placeNotes();
      this.#ownSequences();
      this.#likeParents();
    }
    this.#approve();
    for (const key of new Set([...ours.catalog.objects.keys(), ...this.#result.keys()])) {
      const o = ours.catalog.objects.get(key);
      const r = this.#result.get(key);
      if (o !== r && (isTyped(o) || isTyped(r))) put(out.rows, key, o, r);
    }
    out.rows.sort((a, b) => (a.key < b.key ? -1 : 1));
    return out;
  }

  /** A partial merge of a hierarchy could leave children inconsistent with their parents. */
  #likeParents(): void {
    const { ours, theirs, tables } = this.#input;
    if (this.#out.conflicts.length > 0) return;
    const unlike = unlikeChild(this.#result);
    if (unlike === null || unlikeChild(ours.catalog.objects) !== null) return;
    const { child, parent, what } = unlike;
    const explanation =
      `Table ${child.name} would be left with another definition than its parent ${parent.name} (${what}). ` +
      (tables === null
        ? `Make ${child.name} as its parent is in "${theirs.name}", or rebase it.`
        : `Merge ${parent.name}: the tables below it come along; then what else is wanted.`);
    this.#out.conflicts.push({ key: this.#keyOf(child), base: null, ours: null, theirs: null, explanation, code: '42P16' });
  }

  /** Sets owners of objects from the branch. Keys of privileges contain the grantor. */
  #approve(): void {
    const { ours, approver } = this.#input;
    if (approver === null) return;
    const came = [...this.#result].filter(([key, object]) => object !== ours.catalog.objects.get(key));
    for (const [key, object] of came) {
      const now = approved(object, approver);
      if (now === object) continue;
      this.#result.delete(key);
      if (now !== undefined) this.#result.set(definitionKey(now), now);
    }
  }

  #same(catalog: Catalog): boolean {
    if (catalog.objects.size !== this.#result.size) return false;
    for (const [key, object] of this.#result) if (catalog.objects.get(key) !== object) return false;
    return true;
  }

  // --- decisions

  #keyOf(object: CatalogObject): string {
    return definitionConflictKey(this.#input.typed, object, this.#catalogs);
  }

  /** The winning side for a definition; null once the conflict was reported. */
  #decide(
    about: CatalogObject,
    explanation: string,
    b: CatalogObject | undefined,
    o: CatalogObject | undefined,
    t: CatalogObject | undefined,
    follows: Winner | null = null,
  ): Winner | null {
    const key = this.#keyOf(about);
    const winner = this.#input.pick(key) ?? follows ?? (this.#input.resolve === 'fail' ? null : this.#input.resolve);
    if (winner !== null) this.#decided.set(key, winner);
    if (winner === null && !this.#reported.has(key)) {
      this.#reported.add(key);
      const { base, ours, theirs } = this.#input;
      const row = (side: Side, object: CatalogObject | undefined): Row | null =>
        object === undefined ? null : { definition: definitionWords(this.#input.typed, side.catalog, object) };
      this.#out.conflicts.push({ key, base: row(base, b), ours: row(ours, o), theirs: row(theirs, t), explanation });
    }
    return winner;
  }

  #wanted(table: number | null): boolean {
    const { tables } = this.#input;
    return tables === null || (table !== null && tables.has(table));
  }

  #changed(side: Side, table: number): boolean {
    const a = childRoot(this.#pager, this.#input.base.root, table);
    const b = childRoot(this.#pager, side.root, table);
    if (a === b || (a !== null && b !== null && a.id !== 0 && a.id === b.id)) return false;
    let any = false;
    if (a !== null || b !== null) {
      eachRowChange(this.#pager, a, b, () => {
        any = true;
        return false;
      });
    }
    return any;
  }

  // --- tables

  #tables(): void {
    const { base, ours, theirs } = this.#input;
    const out = this.#out;
    for (const [number, table] of base.catalog.byNumber) {
      if (table.relation === null && this.#wanted(number)) this.#documents(number, table.name);
      if (table.relation === null || !this.#wanted(number)) continue;
      const b = table.relation.object;
      const o = ours.catalog.byNumber.get(number)?.relation?.object;
      const t = theirs.catalog.byNumber.get(number)?.relation?.object;
      if (t === undefined && o !== undefined) {
        const wrote = this.#changed(ours, number);
        const used = wrote ? null : this.#newUse(ours, number);
        if (!wrote && used === null) out.gone.add(number);
        else {
          const why = `"${theirs.name}" dropped table ${table.name}, "${ours.name}" ${wrote ? 'changed its rows' : `made ${used!}, which needs it`}.`;
          if (this.#decide(b, why, b, o, t) === 'theirs') out.gone.add(number);
          else out.kept.add(number);
        }
      } else if (t !== undefined && o === undefined) {
        const wrote = this.#changed(theirs, number) || theirs.catalog.byNumber.get(number) !== table;
        const used = wrote ? null : this.#newUse(theirs, number);
        if (!wrote && used === null) out.kept.add(number);
        else {
          const why = `"${ours.name}" dropped table ${table.name}, "${theirs.name}" ${wrote ? 'changed it' : `made ${used!}, which needs it`}.`;
          if (this.#decide(b, why, b, o, t) === 'theirs') out.whole.add(number);
          else out.kept.add(number);
        }
      } else if (o !== undefined && t !== undefined && !this.#fieldNeeded(number)) this.#rewritten(number, b, o, t);
    }
    for (const [number, table] of theirs.catalog.byNumber) {
      const here = ours.catalog.byNumber.get(number);
      if (!here?.relation || table.relation === null || base.catalog.byNumber.has(number) || !this.#wanted(number)) continue;
      // Two tables of documents are one, with the fields and definitions of both.
      if (here.relation.object.documents === true && table.relation.object.documents === true) this.#fieldNeeded(number);
      else this.#madeByBoth(number);
    }
    this.#putUnderNames();
    this.#newChildren();
    this.#keepHierarchies();
    this.#wholeHierarchies();
  }

  /** Tables of documents that puts of the branch made under a name that ours gave to another table. */
  #putUnderNames(): void {
    const { base, ours, theirs } = this.#input;
    for (const [number, table] of theirs.catalog.byNumber) {
      if (table.relation !== null || base.catalog.byNumber.has(number) || ours.catalog.byNumber.has(number) || !this.#wanted(number)) continue;
      const other = ours.catalog.tables.get(table.name);
      if (other === undefined) continue;
      const [o, t] = [ours.catalog.objects.get(tableDefinitionKey(other.number))!, theirs.catalog.objects.get(tableDefinitionKey(number))!];
      const why = `Both sides made table ${table.name}, and they are not the same: "${ours.name}" ${this.#did(ours, undefined, o)}, "${theirs.name}" put documents into it.`;
      if (this.#decide(t, why, undefined, o, t) !== 'theirs') this.#out.kept.add(number);
      else this.#remove(tableDefinitionKey(other.number), o, 'ours');
    }
  }

  /** A document table that the branch dropped and ours has come to need; whether it is dropped depends on its rows. */
  #documents(number: number, name: string): void {
    const { base, ours, theirs } = this.#input;
    const key = tableDefinitionKey(number);
    const [b, o] = [base, ours].map(({ catalog }) => catalog.objects.get(key));
    if (b === undefined || o === undefined || theirs.catalog.byNumber.has(number)) return;
    const used = this.#newUse(ours, number);
    if (used === null) return;
    const why = `"${theirs.name}" dropped table ${name}, "${ours.name}" made ${used}, which needs it.`;
    if (this.#decide(b, why, b, o, undefined) !== 'theirs') this.#out.kept.add(number);
    else {
      for (const [user, object] of this.#result) {
        if (tableNumber(object) !== number && refersTo(object, number)) this.#remove(user, object, ours.catalog.objects.has(user) ? 'ours' : 'theirs');
      }
    }
  }

  /** Whether one side needs the type of a field of documents as it was, and the other has put values of another one. */
  #fieldNeeded(number: number): boolean {
    const { ours, theirs } = this.#input;
    for (const [user, writer] of [
      [theirs, ours],
      [ours, theirs],
    ]) {
      const table = user.catalog.byNumber.get(number)!;
      for (const field of table.relation!.attributes) {
        const other = writer.catalog.byNumber.get(number)!.relation!.attributes.find((each) => each.number === field.number);
        if (field.field === undefined || other?.field === undefined || widestField(field.field, other.field) === field.field) continue;
        const needs = needsType(table, field);
        if (needs === null) continue;
        const [o, t] = [ours, theirs].map(({ catalog }) => catalog.objects.get(definitionKey(field)));
        const why = `"${user.name}" made ${needs} of table ${table.name}, which needs field ${field.name} to be ${field.field}, "${writer.name}" put ${other.field} into it.`;
        if (this.#decide(field, why, undefined, o, t) === 'theirs') this.#out.whole.add(number);
        else this.#out.kept.add(number);
        return true;
      }
    }
    return false;
  }

  /** Tables that one side attached to a parent to which the other side added inherited properties. */
  #newChildren(): void {
    const { base, ours, theirs } = this.#input;
    const out = this.#out;
    for (const [maker, other, winner] of [
      [theirs, ours, 'theirs'],
      [ours, theirs, 'ours'],
    ] as const) {
      for (const { number, name, relation } of maker.catalog.byNumber.values()) {
        if (!relation?.object.parents || !this.#wanted(number) || out.kept.has(number) || out.gone.has(number) || out.whole.has(number)) continue;
        for (const parent of relation.object.parents) {
          if (base.catalog.byNumber.get(number)?.relation?.object.parents?.includes(parent) === true) continue;
          if (other.catalog.byNumber.get(number)?.relation?.object.parents?.includes(parent) === true) continue;
          const change = changedForChildren(base.catalog, other.catalog, parent);
          if (change === null) continue;
          const about = base.catalog.byNumber.get(parent)!;
          const kind = relation.object.bound === undefined ? 'child' : 'partition';
          const why =
            `"${maker.name}" made table ${name} a ${kind} of ${about.name}, "${other.name}" changed what its ${kind === 'child' ? 'children' : 'partitions'} have (${change}). ` +
            `Make the ${kind} after the change is there (rebase), or say whose tables stand.`;
          const [o, t] = [ours, theirs].map(({ catalog }) => catalog.byNumber.get(parent)?.relation?.object);
          const decided = this.#decide(about.relation!.object, why, about.relation!.object, o, t);
          if (decided === 'theirs') out.whole.add(parent);
          else out.kept.add(parent);
          if (decided !== null && decided !== winner && base.catalog.byNumber.get(number) === undefined) {
            if (decided === 'ours') out.kept.add(number);
            else out.gone.add(number);
          }
        }
      }
    }
  }

  /** Like `#keepHierarchies`: if one table of a hierarchy is taken over whole from the branch, so are the others. */
  #wholeHierarchies(): void {
    const { theirs } = this.#input;
    const { kept, whole, gone } = this.#out;
    const open = [...whole];
    for (let number = open.pop(); number !== undefined; number = open.pop()) {
      for (const each of this.#near(number)) {
        if (kept.has(each) || gone.has(each) || whole.has(each) || !theirs.catalog.byNumber.get(each)?.relation) continue;
        whole.add(each);
        open.push(each);
      }
    }
  }

  /** A partitioned table and its partitions have the same columns: if one is kept as ours, so are the others. */
  #keepHierarchies(): void {
    const { ours, theirs } = this.#input;
    const { kept, whole, gone } = this.#out;
    const relation = (side: Side, number: number): RelationObject | undefined => side.catalog.byNumber.get(number)?.relation?.object;
    const open = [...kept].filter((number) => relation(ours, number) !== undefined && relation(theirs, number) !== undefined);
    for (let number = open.pop(); number !== undefined; number = open.pop()) {
      for (const each of this.#near(number)) {
        if (kept.has(each) || gone.has(each) || relation(ours, each) === undefined) continue;
        kept.add(each);
        whole.delete(each);
        open.push(each);
      }
    }
  }

  /** Parents and children of the table on either side. */
  #near(number: number): Set<number> {
    const near = new Set<number>();
    for (const { catalog } of [this.#input.ours, this.#input.theirs]) {
      for (const parent of catalog.byNumber.get(number)?.relation?.object.parents ?? []) near.add(parent);
      for (const each of catalog.byNumber.values()) if (each.relation?.object.parents?.includes(number) === true) near.add(each.number);
    }
    return near;
  }

  /** Tables whose rows one side rewrote with other keys or types, while the other changed rows. */
  #rewritten(number: number, b: RelationObject, o: RelationObject, t: RelationObject): void {
    const { base, ours, theirs } = this.#input;
    const out = this.#out;
    const why = (side: Side, other: Side, object: RelationObject): Rewriting | null => {
      if (JSON.stringify([object.key, object.numeric]) !== JSON.stringify([b.key, b.numeric])) return { kind: 'keyed' };
      const has = side.catalog.byNumber.get(number)!.relation!.attributes;
      const there = other.catalog.byNumber.get(number)!.relation!.attributes;
      for (const old of base.catalog.byNumber.get(number)!.relation!.attributes) {
        if (has.some((each) => each.number === old.number)) continue;
        const now = has.find((each) => each.name === old.name);
        if (now !== undefined && !there.some((each) => each.number === now.number)) return { kind: 'retyped', column: old.name };
      }
      return null;
    };
    if (this.#keyedTwice(number, b, o, t)) return;
    const mine = why(ours, theirs, o);
    const yours = why(theirs, ours, t);
    if (mine === null && yours === null) return;
    if (JSON.stringify([o.key, o.numeric]) === JSON.stringify([t.key, t.numeric]) && mine === null && yours === null) return;
    const name = ours.catalog.byNumber.get(number)!.name;
    /** The winning side, if one side has come to need the key that the other dropped. */
    const needed = (loser: Side, user: Side): Winner | null | undefined => {
      const used = this.#newUseOfKey(user, b);
      if (used === null) return undefined;
      return this.#decide(b, `"${loser.name}" gave table ${name} another primary key, "${user.name}" made ${used}, which needs it.`, b, o, t);
    };
    if (mine === null && !this.#changed(ours, number)) {
      if (yours?.kind !== 'keyed') return;
      // Rekeyed rows are taken over whole; retyped columns are merged row by row.
      const lost = this.#keyLost(theirs, ours, b, o, t);
      const winner = lost === undefined ? needed(theirs, ours) : lost;
      (winner === undefined || winner === 'theirs' ? out.whole : out.kept).add(number);
      if (winner === undefined) this.#keyedBeside(number, b, o, t);
      return;
    }
    if (yours === null && !this.#changed(theirs, number)) {
      if (mine?.kind !== 'keyed') return;
      const lost = this.#keyLost(ours, theirs, b, o, t);
      if ((lost === undefined ? needed(ours, theirs) : lost) === 'theirs') out.whole.add(number);
      else if (lost !== undefined) out.kept.add(number);
      return;
    }
    const text =
      yours !== null && mine !== null
        ? `Both sides rewrote table ${name}: "${ours.name}" ${rewritingWords(mine)}, "${theirs.name}" ${rewritingWords(yours)}.`
        : `"${(yours === null ? ours : theirs).name}" rewrote table ${name} (it ${rewritingWords((yours ?? mine)!)}), "${(yours === null ? theirs : ours).name}" changed its rows.`;
    const winner = this.#decide(b, text, b, o, t);
    if (winner === 'theirs') out.whole.add(number);
    else out.kept.add(number);
  }

  /** The winning side, if one side's new key has a column that the other dropped; undefined if there is no such column. */
  #keyLost(keyer: Side, other: Side, b: RelationObject, o: RelationObject, t: RelationObject): Winner | null | undefined {
    const has = ({ catalog }: Side, column: number): boolean =>
      catalog.byNumber.get(b.number)!.relation!.attributes.some((attribute) => attribute.number === column);
    const key = (keyer === this.#input.ours ? o : t).key;
    const lost = key.find((column) => has(this.#input.base, column) && !has(other, column));
    if (lost === undefined) return undefined;
    const { name } = keyer.catalog.byNumber.get(b.number)!.relation!.attributes.find((attribute) => attribute.number === lost)!;
    return this.#decide(b, `"${keyer.name}" gave table ${b.name} a primary key over column ${name}, which "${other.name}" dropped.`, b, o, t);
  }

  /** Ours' changes of a table that the branch rekeyed: definitions are joined, except in hierarchies. */
  #keyedBeside(number: number, b: RelationObject, o: RelationObject, t: RelationObject): void {
    const { base, ours, theirs } = this.#input;
    const near = this.#near(number);
    if (near.size === 0) {
      this.#joined.add(number);
      return;
    }
    const changed = (table: number): boolean => {
      const [was, is] = [base, ours].map(({ catalog }) => catalog.byNumber.get(table)?.relation);
      return was !== is && [was?.object, is?.object].some((each) => each !== undefined) && partsOf(base, table) !== partsOf(ours, table);
    };
    if (![number, ...near].some(changed)) return;
    const why = `"${theirs.name}" gave table ${b.name} another primary key, "${ours.name}" changed its definition or that of a table above or below it.`;
    if (this.#decide(b, why, b, o, t) === 'theirs') return;
    this.#out.whole.delete(number);
    this.#out.kept.add(number);
  }
  /** Tables whose rows are taken over whole under the branch's keys while definitions are joined. */
  readonly #joined = new Set<number>();

  /** Whether the branch's definitions of the table win as a whole. */
  #isReplaced(table: number | null): boolean {
    return table !== null && (this.#out.gone.has(table) || (this.#out.whole.has(table) && !this.#joined.has(table)));
  }

  /** Whether both sides gave the table another primary key, one of them deferrable and so an index: neither can use the other's keys. */
  #keyedTwice(number: number, b: RelationObject, o: RelationObject, t: RelationObject): boolean {
    const { base, ours, theirs } = this.#input;
    const keyOf = ({ catalog }: Side, { key, primaryKey }: RelationObject): string => {
      const index = catalog.byNumber.get(number)!.relation!.indexes.find(({ primary }) => primary === true);
      return JSON.stringify(index === undefined ? [primaryKey?.name ?? null, key] : likeness(index));
    };
    const [was, mine, yours] = [keyOf(base, b), keyOf(ours, o), keyOf(theirs, t)];
    if (mine === was || yours === was || mine === yours || (o.key.length > 0 && t.key.length > 0)) return false;
    const why = `Both sides gave table ${ours.catalog.byNumber.get(number)!.name} another primary key.`;
    (this.#decide(b, why, b, o, t) === 'theirs' ? this.#out.whole : this.#out.kept).add(number);
    return true;
  }

  /** Two tables with one name: if they are alike they become one, and their rows merge; otherwise they conflict. */
  #madeByBoth(number: number): void {
    const { ours, theirs } = this.#input;
    const out = this.#out;
    const parts = (catalog: Catalog): string[] => {
      const { object, attributes, indexes, constraints } = catalog.byNumber.get(number)!.relation!;
      return [likeness(object), ...attributes.map(likeness), ...[...indexes, ...constraints].map(likeness).sort()];
    };
    const o = ours.catalog.byNumber.get(number)!.relation!.object;
    const t = theirs.catalog.byNumber.get(number)!.relation!.object;
    const [mine, yours] = [parts(ours.catalog), parts(theirs.catalog)];
    if (mine.length === yours.length && mine.every((part, i) => part === yours[i])) {
      // Ours is kept, including cells that either side dropped.
      out.baseChanges.push({ key: definitionKey(t), shape: DEFINITION_SHAPE, before: null, after: [text(t)] });
      this.#united.add(number);
      return;
    }
    const sql = (side: Side): string => clip(tableWords(this.#input.typed, side.catalog, number));
    const why = `Both sides made table ${ours.catalog.byNumber.get(number)!.name}, and they are not the same: "${ours.name}" has ${sql(ours)} "${theirs.name}" has ${sql(theirs)}`;
    if (this.#decide(o, why, undefined, o, t) === 'theirs') out.whole.add(number);
    else out.kept.add(number);
  }
  readonly #united = new Set<number>();

  /** What the side defined since the fork that uses the table from outside. */
  #newUse(side: Side, number: number): string | null {
    const before = this.#input.base.catalog.objects;
    for (const [key, object] of side.catalog.objects) {
      if (before.get(key) === object || (before.has(key) && text(before.get(key)) === text(object))) continue;
      // Fields of documents follow from puts.
      if (object.what === 'table' || object.what === 'column') continue;
      if (tableNumber(object) === number || isNeeded(object, number)) return describeDefinition(object);
    }
    return null;
  }

  /** What the side defined since the fork that groups by the table's primary key. */
  #newUseOfKey(side: Side, { primaryKey }: RelationObject): string | null {
    const before = this.#input.base.catalog.objects;
    for (const [key, object] of side.catalog.objects) {
      const uses = object.what === 'view' ? object.uses : object.what === 'relation' ? (object.query?.uses ?? []) : [];
      if (!before.has(key) && uses.some((each) => each.object === primaryKey?.number)) return describeDefinition(object);
    }
    return null;
  }

  // --- object by object

  #objects(): void {
    const { base, ours, theirs } = this.#input;
    const out = this.#out;
    const keys = new Set<string>();
    for (const [key, object] of theirs.catalog.objects) if (isTyped(object) && base.catalog.objects.get(key) !== object) keys.add(key);
    for (const [key, object] of base.catalog.objects) if (isTyped(object) && !theirs.catalog.objects.has(key)) keys.add(key);
    // A table dropped or taken over whole also removes what ours added to it, and brings what the branch left unchanged.
    const all = (table: number | null): boolean => this.#isReplaced(table);
    for (const catalog of [ours.catalog, theirs.catalog]) {
      for (const [key, object] of catalog.objects) if (isTyped(object) && all(tableNumber(object))) keys.add(key);
    }
    for (const key of [...keys].sort()) {
      const b = base.catalog.objects.get(key);
      const o = ours.catalog.objects.get(key);
      let t = theirs.catalog.objects.get(key);
      const about = b ?? t ?? o!;
      const table = tableNumber(about) ?? authoredTable(about);
      if (columnNote(t, theirs.catalog) !== null || columnNote(b, base.catalog) !== null) continue;
      if (t?.what === 'relation') t = ofEpoch(t, b, o, out.whole.has(t.number));
      // A column's sequence comes with its table.
      if (!this.#wanted(table ?? ownerOf(about))) continue;
      if (text(t) === text(b) && !all(table)) continue;
      put(out.baseChanges, key, b, t?.what === 'relation' && b?.what === 'relation' && !out.whole.has(t.number) ? { ...t, epoch: b.epoch } : t);
      if (table !== null && (out.kept.has(table) || this.#united.has(table))) continue;
      if (text(o) === text(t)) continue;
      // Each side may have analysed its own rows.
      if (o?.what === 'statistics' && !all(table)) continue;
      if (text(o) === text(b) || all(table)) {
        this.#set(key, t);
        continue;
      }
      // The last writer is responsible for the definition.
      if ((b ?? t ?? o!).what === 'author') {
        if (t !== undefined) this.#set(key, t);
        continue;
      }
      if (b === undefined && o !== undefined && t !== undefined && likeness(o) === likeness(t)) continue;
      if (b === undefined && o?.what === 'attribute' && t?.what === 'attribute' && o.field !== undefined && t.field !== undefined && o.name === t.name) {
        this.#set(key, widened(o, widestField(o.field, t.field)));
        continue;
      }
      const join = (winner: Winner | null): CatalogObject | null => {
        const joined = b === undefined || o === undefined || t === undefined ? null : joinFields(b, o, t, winner);
        return joined?.what === 'relation' && t?.what === 'relation' && this.#joined.has(t.number) ? { ...joined, epoch: t.epoch } : joined;
      };
      const joined = join(null);
      if (joined !== null) {
        this.#set(key, joined);
        continue;
      }
      const what = `${describeDefinition(about)}${table === null || about.what === 'relation' ? '' : ` of table ${this.#tableName(table)}`}`;
      const winner = this.#decide(
        about,
        `Both sides changed ${what}: "${ours.name}" ${this.#did(ours, b, o)}, "${theirs.name}" ${this.#did(theirs, b, t)}.`,
        b,
        o,
        t,
      );
      if (winner === 'theirs') this.#set(key, join(winner) ?? t);
      else if (winner === 'ours') this.#set(key, join(winner) ?? o);
    }
  }

  /** Comments, storage, privileges and masks of columns, each by its column. */
  #columnNotes(): void {
    const { base, ours, theirs } = this.#input;
    const out = this.#out;
    if (base.catalog === theirs.catalog) return;
    const [bases, mine, yours] = [base, ours, theirs].map(({ catalog }) => columnNotes(catalog));
    const all = (table: number): boolean => this.#isReplaced(table);
    for (const id of [...new Set([...bases.keys(), ...yours.keys(), ...mine.keys()])].sort()) {
      const [b, o, t] = [bases.get(id), mine.get(id), yours.get(id)];
      const table = (b ?? t ?? o!).note.object;
      if (!this.#wanted(table)) continue;
      const changed = note(t) !== note(b);
      if (changed) {
        if (b !== undefined && b.key !== t?.key) put(out.baseChanges, b.key, b.note, undefined);
        if (t !== undefined) put(out.baseChanges, t.key, t.key === b?.key ? b.note : undefined, t.note);
      }
      if ((!changed && !all(table)) || out.kept.has(table) || this.#united.has(table) || note(o) === note(t)) continue;
      if (note(o) === note(b) || all(table)) {
        this.#setNote(o, t);
        continue;
      }
      const at = <T extends NoteOfColumn | undefined>(each: T): CatalogObject | undefined =>
        each === undefined ? undefined : { ...each.note, attnum: (o ?? each).note.attnum };
      const joined = b === undefined || o === undefined || t === undefined ? null : joinFields(at(b)!, o.note, at(t)!, null);
      if (joined !== null) {
        this.#setNote(o, { ...t!, note: joined as NoteOfColumn['note'] });
        continue;
      }
      const about = (b ?? t ?? o!).note;
      const what = `${describeDefinition(about)} of table ${this.#tableName(table)}`;
      const why = `Both sides changed ${what}: "${ours.name}" ${this.#did(ours, b?.note, o?.note)}, "${theirs.name}" ${this.#did(theirs, b?.note, t?.note)}.`;
      if (this.#decide(about, why, b?.note, o?.note, t?.note) === 'theirs') this.#setNote(o, t);
    }
  }

  #did({ catalog }: Side, before: CatalogObject | undefined, after: CatalogObject | undefined): string {
    if (after === undefined) return 'dropped it';
    return `${before === undefined ? 'made it' : 'changed it to'} ${clip(definitionWords(this.#input.typed, catalog, after))}`;
  }

  #setNote(mine: NoteOfColumn | undefined, yours: NoteOfColumn | undefined): void {
    if (mine !== undefined) this.#result.delete(mine.key);
    if (yours !== undefined) this.#noted.push(yours);
  }
  /** Notes to be placed once their columns have positions. */
  readonly #noted: NoteOfColumn[] = [];

  #placeNotes(): void {
    for (const { note: each, column } of this.#noted) {
      if (this.#out.kept.has(each.object)) continue;
      const attribute = this.#result.get(columnDefinitionKey(each.object, column));
      if (attribute?.what !== 'attribute') continue;
      const placed = { ...each, attnum: attribute.attnum };
      this.#result.set(definitionKey(placed), placed);
    }
    // Notes about dropped columns are dropped.
    const attnums = new Map<number, Set<number>>();
    for (const object of this.#result.values()) {
      if (object.what === 'relation' && !attnums.has(object.number)) attnums.set(object.number, new Set());
      if (object.what !== 'attribute') continue;
      const set = attnums.get(object.table);
      if (set === undefined) attnums.set(object.table, new Set([object.attnum]));
      else set.add(object.attnum);
    }
    for (const [key, object] of this.#result)
      if (isColumnNote(object) && object.attnum > 0 && attnums.get(object.object)?.has(object.attnum) === false) this.#result.delete(key);
  }

  #set(key: string, object: CatalogObject | undefined): void {
    if (object === undefined) this.#result.delete(key);
    else this.#result.set(key, object);
  }

  #tableName(number: number): string {
    return this.#catalogs.map(({ byNumber }) => byNumber.get(number)?.name).find((name) => name !== undefined) ?? String(number);
  }

  // --- columns

  /** Columns that one side dropped while the other wrote to them. */
  #droppedColumns(): void {
    const { base, ours, theirs } = this.#input;
    const out = this.#out;
    for (const [number, table] of base.catalog.byNumber) {
      if (table.relation === null || this.#isReplaced(number) || out.kept.has(number) || !this.#wanted(number)) continue;
      for (const [dropper, writer, other] of [
        [theirs, ours, 'ours'],
        [ours, theirs, 'theirs'],
      ] as const) {
        const own = dropper.catalog.byNumber.get(number)?.relation;
        const there = writer.catalog.byNumber.get(number)?.relation;
        if (!own || !there || own === table.relation) continue;
        for (const attribute of table.relation.attributes) {
          const has = (attributes: readonly AttributeObject[]): AttributeObject | undefined => attributes.find((each) => each.number === attribute.number);
          if (has(own.attributes) !== undefined || has(there.attributes) === undefined) continue;
          // A generated column: it was not written.
          if (attribute.generated !== null && has(there.attributes)!.generated !== null) continue;
          if (own.attributes.some(({ name }) => name === attribute.name)) continue;
          if (!wrote(this.#pager, base.root, writer.root, number, attribute)) continue;
          const why = `"${dropper.name}" dropped column ${attribute.name} of table ${table.name}, "${writer.name}" wrote to it.`;
          const o = has(ours.catalog.byNumber.get(number)!.relation!.attributes);
          if (this.#decide(attribute, why, attribute, o, has(theirs.catalog.byNumber.get(number)!.relation!.attributes)) === other) {
            this.#restoreColumn(writer, attribute.table, attribute.number);
          }
        }
      }
    }
  }

  /** Restores the column from the side that has it, with dependents that the other side dropped together with it; in children and parents as well. */
  #restoreColumn(side: Side, table: number, column: number): void {
    const own = side.catalog.byNumber.get(table)?.relation;
    const name = own?.attributes.find(({ number }) => number === column)?.name;
    for (const [key, object] of side.catalog.objects) {
      if (object.what !== 'attribute' || object.name !== name || object.table === table || this.#result.has(key)) continue;
      const other = side.catalog.byNumber.get(object.table)?.relation?.object;
      const isNear = own?.object.parents?.includes(object.table) === true || other?.parents?.includes(table) === true;
      if (!isNear || !this.#result.has(definitionKey(other!))) continue;
      this.#result.set(key, object);
      this.#restoreColumn(side, object.table, object.number);
    }
    for (const [key, object] of side.catalog.objects) {
      if (this.#result.has(key) || !('table' in object || object.what === 'sequence')) continue;
      const with_ =
        (object.what === 'attribute' && object.table === table && object.number === column) ||
        (object.what === 'index' && object.table === table && object.columns.some((each) => each.column === column)) ||
        ((object.what === 'check' || object.what === 'foreign key') && object.table === table && object.columns.includes(column)) ||
        (object.what === 'sequence' && object.ownedBy?.table === table && object.ownedBy.column === column);
      if (with_) this.#result.set(key, object);
    }
  }

  // --- the result as a whole

  /** One name for two objects; a table's rows follow. `again`: renames may cause further conflicts. */
  #names(again = this.#result.size): void {
    const { ours, theirs } = this.#input;
    const names = new Map<string, string>();
    for (const [key, object] of [...this.#result].sort(([a], [b]) => (a < b ? -1 : 1))) {
      if (!this.#result.has(key)) continue;
      const name = scopedName(object, this.#result);
      if (name === null) continue;
      const other = names.get(name);
      const there = other === undefined ? undefined : this.#result.get(other);
      if (other === undefined || there === undefined) {
        names.set(name, key);
        continue;
      }
      // The object that ours has under this name, and the incoming one.
      const own = (each: string): boolean => {
        const mine = ours.catalog.objects.get(each);
        return mine !== undefined && scopedName(mine, ours.catalog.objects) === name;
      };
      const [mine, yours] = own(key) ? [key, other] : [other, key];
      const [o, t] = [this.#result.get(mine)!, this.#result.get(yours)!];
      const table = tableNumber(t);
      const of = t.what === 'attribute' || t.what === 'check' || t.what === 'foreign key' ? ` of table ${this.#tableName(table!)}` : '';
      const made =
        describeDefinition(o) === describeDefinition(t)
          ? `${describeDefinition(t)}${of}, and they are not the same`
          : `something of the name ${'name' in t ? t.name : ''}: ${describeDefinition(o)}${of} and ${describeDefinition(t)}${of}`;
      const winner = this.#decide(
        t,
        `Both sides made ${made}: "${ours.name}" ${this.#did(ours, undefined, o)}, "${theirs.name}" ${this.#did(theirs, undefined, t)}.`,
        undefined,
        o,
        t,
      );
      if (winner === null) continue;
      if (again > 0 && this.#namedAs(winner === 'ours' ? ours : theirs, [mine, yours])) return this.#names(again - 1);
      this.#remove(winner === 'ours' ? yours : mine, winner === 'ours' ? t : o, winner === 'ours' ? 'theirs' : 'ours');
      if (winner === 'theirs') names.set(name, yours);
    }
  }

  /** If the side has both and only names conflict, its names are used. False if that changes nothing. */
  #namedAs({ catalog }: Side, keys: readonly string[]): boolean {
    const found = keys.map((key) => [key, this.#result.get(key)!, catalog.objects.get(key)] as const);
    if (found.some(([, , there]) => there === undefined)) return false;
    let changed = false;
    for (const [key, now, there] of found) {
      if (!('name' in now) || !('name' in there!)) return false;
      const scope = 'schema' in now && 'schema' in there ? { schema: there.schema } : {};
      const named = { ...now, name: there.name, ...scope } as CatalogObject;
      if (now.what === 'index' && there.what === 'index') (named as typeof now).constraint = there.constraint;
      if (text(named) === text(now)) continue;
      changed = true;
      this.#result.set(key, text(named) === text(there) ? there : named);
    }
    return changed;
  }

  /** Removes a losing object and its parts. */
  #remove(key: string, object: CatalogObject, of: Winner): void {
    this.#result.delete(key);
    if (object.what !== 'relation' && object.what !== 'table') return;
    (of === 'ours' ? this.#out.gone : this.#out.kept).add(object.number);
    if (of === 'ours') this.#out.kept.delete(object.number);
    this.#out.whole.delete(object.number);
    for (const [each, part] of this.#result) {
      if (tableNumber(part) === object.number || (part.what === 'sequence' && part.ownedBy?.table === object.number)) this.#result.delete(each);
    }
  }

  /** Moves objects in renamed schemas, and sequences to their tables. Defaults follow the names of sequences. */
  #followSchemas(): void {
    const { ours, theirs } = this.#input;
    for (const [key, { now, came }] of withSchemaNames(this.#result, ours.catalog.objects, theirs.catalog.objects)) {
      this.#result.set(key, now);
      this.#moved.set(key, { side: came ? theirs : ours, now });
    }
    for (const { key, sequence, table } of strayedSequences(this.#result)) {
      const now = { ...sequence, schema: table.schema };
      const side = text(theirs.catalog.objects.get(key)) === text(sequence) ? theirs : ours;
      this.#result.set(key, now);
      this.#moved.set(key, { side, now });
    }
    for (const side of [ours, theirs]) this.#followSequences(side);
  }

  /** Defaults of one side that name a sequence which has another name in the result. */
  #followSequences(side: Side): void {
    for (const [key, was] of side.catalog.objects) {
      const is = was.what === 'sequence' ? this.#result.get(key) : undefined;
      if (was.what !== 'sequence' || is?.what !== 'sequence' || (was.name === is.name && was.schema === is.schema)) continue;
      for (const [column, object] of this.#result) {
        if (object.what !== 'attribute' || object.default === null || text(side.catalog.objects.get(column)) !== text(object)) continue;
        const home = side.catalog.byNumber.get(object.table)?.relation?.object.schema;
        const now = { ...object, default: renameInDefault(object.default, home, was, is) };
        if (now.default === object.default) continue;
        this.#result.set(column, now);
        this.#moved.set(column, { side, now });
      }
    }
  }

  #ownSequences(): void {
    for (const [key, object] of ownersOfSequences(this.#result)) {
      if (object === undefined) this.#result.delete(key);
      else this.#result.set(key, object);
    }
  }

  /** Definitions of one side except for the name of their schema, by key. */
  readonly #moved = new Map<string, { readonly side: Side; readonly now: CatalogObject }>();

  /** Rewrites queries, bodies and expressions of one side with the result's names. */
  #followRenames(): void {
    const { ours, theirs } = this.#input;
    for (const side of [ours, theirs]) {
      const found = renamesTo(side.catalog, this.#result);
      if (found === null) continue;
      for (const [key, object] of this.#result) {
        if (this.#followed.has(key) || this.#sourceOf(key, object) !== side.catalog) continue;
        try {
          const now = this.#input.typed.followed(side.catalog, object, found.renames, found.words);
          this.#followed.set(key, { side, was: object, now });
          if (now !== object) this.#result.set(key, now);
        } catch (error) {
          // A missing dependency is reported as a conflict.
          if (!(error instanceof SvcError)) throw error;
        }
      }
    }
  }

  /** Rewrites texts of one side with enum labels that the other renamed. */
  #followLabels(): void {
    const { ours, theirs } = this.#input;
    for (const side of [ours, theirs]) {
      for (const [typeKey, was] of side.catalog.objects) {
        const is = was.what === 'enum' ? this.#result.get(typeKey) : undefined;
        if (was.what !== 'enum' || is?.what !== 'enum' || is === was) continue;
        const now = new Map(is.labels.map((each) => [labelId(each), each.label]));
        const renames = was.labels.flatMap((each) => {
          const to = now.get(labelId(each));
          return to === undefined || to === each.label ? [] : [{ from: each.label, to }];
        });
        if (renames.length === 0) continue;
        const follow = this.#input.typed.relabelled(side.catalog.objects.values(), was, renames);
        for (const [key, object] of this.#result) {
          if (this.#sourceOf(key, this.#followed.get(key)?.was ?? object) !== side.catalog) continue;
          const { object: next, left } = follow(object);
          if (next !== object) this.#result.set(key, next);
          if (!left) continue;
          const labels = renames.map(({ from, to }) => `"${from}" to "${to}"`).join(', ');
          const explanation =
            `${describeDefinition(object)} of "${side.name}" names a label of type ${was.name} in a way that a renaming cannot follow, and ` +
            `"${(side === ours ? theirs : ours).name}" renamed ${labels}. Write the label as a literal of the type ('${renames[0].from}'::${was.name}), or rename it in both worlds.`;
          this.#out.conflicts.push({ key: this.#keyOf(object), base: null, ours: null, theirs: null, explanation, code: '0A000' });
        }
      }
    }
  }
  /** Definitions whose texts use the result's names, by key. */
  readonly #followed = new Map<string, { readonly side: Side; readonly was: CatalogObject; readonly now: CatalogObject }>();

  /** Definitions that refer to objects dropped by the other side conflict; texts follow columns that the other side renamed. */
  #references(): void {
    const { ours, theirs, base } = this.#input;
    const open = new Set<string>();
    for (let again = true; again;) {
      again = false;
      const needs = new Map([ours, theirs].map((side) => [side, this.#needs(side)]));
      for (const [key, object] of [...this.#result].sort(([a], [b]) => (a < b ? -1 : 1))) {
        if (open.has(key) || this.#result.get(key) !== object) continue;
        const lacking = this.#lacking(key, object, needs);
        if (lacking === null) continue;
        if (lacking.kind === 'part') {
          this.#result.delete(key);
          again = true;
          continue;
        }
        // For a table that is in conflict itself, that is already reported.
        const needed = [ours, theirs].map(({ catalog }) => catalog.objects.get(lacking.key)).find((each) => each !== undefined);
        if (needed?.what === 'relation' && this.#reported.has(this.#keyOf(needed))) {
          open.add(key);
          continue;
        }
        const o = ours.catalog.objects.get(key);
        const t = theirs.catalog.objects.get(key);
        const of = object.what === 'attribute' || object.what === 'check' || object.what === 'foreign key' ? ` of table ${this.#tableName(object.table)}` : '';
        const followed = this.#followed.get(key);
        const moved = this.#moved.get(key);
        const maker = followed?.now === object ? followed.side : moved?.now === object ? moved.side : text(o) === text(object) ? ours : theirs;
        const other = maker === ours ? theirs : ours;
        const why = `${describeDefinition(object)}${of} of "${maker.name}" needs ${lacking.what}, which "${other.name}" ${lacking.kind === 'renamed' ? 'renamed' : base.catalog.objects.has(lacking.key) ? 'dropped' : 'does not have'}.`;
        const winner = this.#decide(
          object,
          why,
          base.catalog.objects.get(key),
          o,
          t,
          needed === undefined ? null : (this.#decided.get(this.#keyOf(needed)) ?? null),
        );
        if (winner === null) {
          open.add(key);
          continue;
        }
        if (!this.#restore(lacking, winner === 'ours' ? ours : theirs)) this.#remove(key, object, o === undefined ? 'theirs' : 'ours');
        again = true;
      }
    }
    this.#renameInTexts();
  }

  /** If both sides have it alike, its texts may name what only one of them has: it lacks what neither finds. */
  #lacking(key: string, object: CatalogObject, needs: ReadonlyMap<Side, TextNeeds>): Lacking | null {
    const { ours, theirs } = this.#input;
    const followed = this.#followed.get(key);
    if (followed?.now === object) {
      const { side, was } = followed;
      return lackingReference(was, this.#result, side.catalog, true) ?? needs.get(side)!.lacking(key);
    }
    const moved = this.#moved.get(key);
    const sources = moved?.now === object ? [moved.side] : [ours, theirs].filter(({ catalog }) => text(catalog.objects.get(key)) === text(object));
    let first: Lacking | null = null;
    for (const source of sources.length === 0 ? [null] : sources) {
      const lacking = lackingReference(object, this.#result, source?.catalog ?? null) ?? (source === null ? null : needs.get(source)!.lacking(key));
      if (lacking === null) return null;
      first ??= lacking;
    }
    return first;
  }

  /** What texts of a side use that the side has and the result has not. */
  #needs(side: Side): TextNeeds {
    let needs = this.#needed.get(side);
    if (needs === undefined) this.#needed.set(side, (needs = new TextNeeds(this.#input.typed, side.catalog, this.#result)));
    else needs.refresh();
    return needs;
  }
  readonly #needed = new Map<Side, TextNeeds>();

  /** The side that the definition comes from. */
  #sourceOf(key: string, object: CatalogObject): Catalog | null {
    const { ours, theirs } = this.#input;
    const followed = this.#followed.get(key);
    if (followed?.now === object) return followed.side.catalog;
    const moved = this.#moved.get(key);
    if (moved?.now === object) return moved.side.catalog;
    if (text(ours.catalog.objects.get(key)) === text(object)) return ours.catalog;
    return text(theirs.catalog.objects.get(key)) === text(object) ? theirs.catalog : null;
  }

  /** Restores what is missing from the side, if it has it. */
  #restore({ key, kind }: Lacking, side: Side): boolean {
    const object = side.catalog.objects.get(key);
    // Restored once and dropped again by another decision: it stays dropped.
    if (object === undefined || this.#restored.has(key)) return false;
    this.#restored.add(key);
    if (kind === 'renamed') {
      const now = this.#result.get(key);
      if (now === undefined || !('name' in now) || !('name' in object) || now.name === object.name) return false;
      this.#result.set(key, { ...now, name: object.name, ...('schema' in object ? { schema: object.schema } : {}) } as CatalogObject);
      return true;
    }
    const table = tableNumber(object);
    if (table !== null && (object.what === 'relation' || object.what === 'table' || !this.#result.has(tableDefinitionKey(table))))
      return this.#restoreTable(table, side);
    if (object.what === 'attribute') this.#restoreColumn(side, object.table, object.number);
    else this.#result.set(key, object);
    return this.#result.has(key);
  }

  readonly #restored = new Set<string>();

  /** A table of ours is kept with its rows. Rows of the branch's tables were decided with the tables. */
  #restoreTable(table: number, side: Side): boolean {
    const { ours } = this.#input;
    if (side !== ours || !ours.catalog.byNumber.get(table)?.relation) return false;
    for (const [key, object] of this.#result) if (tableNumber(object) === table) this.#result.delete(key);
    for (const [key, object] of ours.catalog.objects) if (tableNumber(object) === table) this.#result.set(key, object);
    this.#out.gone.delete(table);
    this.#out.whole.delete(table);
    this.#out.kept.add(table);
    this.#names();
    return this.#result.has(tableDefinitionKey(table));
  }

  /** Rewrites conditions and expressions of one side with columns that the other renamed. */
  #renameInTexts(): void {
    const renames = new Map<Relation, ReadonlyMap<string, string>>();
    for (const [key, object] of this.#result) {
      if (object.what !== 'check' && object.what !== 'index' && object.what !== 'attribute' && object.what !== 'publication table' && object.what !== 'trigger')
        continue;
      if (object.what === 'attribute' && object.generated === null) continue;
      const source = this.#sourceOf(key, object);
      const known = source?.byNumber.get(object.table)?.relation;
      if (!known) continue;
      let renamed = renames.get(known);
      if (renamed === undefined) renames.set(known, (renamed = this.#renamed(known)));
      if (renamed.size === 0) continue;
      const rewrite = <T extends string | null>(sql: T): T =>
        sql === null || ![...renamed.keys()].some((name) => mentions(sql, name)) ? sql : (this.#input.typed.renamed(sql, known.object.name, renamed) as T);
      let next: CatalogObject;
      if (object.what === 'check') next = { ...object, condition: rewrite(object.condition) };
      else if (object.what === 'trigger')
        next = { ...object, when: ['old', 'new'].reduce((sql, row) => (sql === null ? null : this.#input.typed.renamed(sql, row, renamed)), object.when) };
      else if (object.what === 'attribute') next = { ...object, generated: rewrite(object.generated) };
      else if (object.what === 'publication table') next = { ...object, where: rewrite(object.where) };
      else {
        next = { ...object, where: rewrite(object.where), columns: object.columns.map((each) => ({ ...each, expression: rewrite(each.expression) })) };
      }
      if (text(next) !== text(object)) this.#result.set(key, next);
    }
  }

  /** New names of columns by their names there. */
  #renamed({ attributes }: Relation): ReadonlyMap<string, string> {
    const renamed = new Map<string, string>();
    for (const attribute of attributes) {
      const now = this.#result.get(definitionKey(attribute));
      if (now?.what === 'attribute' && now.name !== attribute.name) renamed.set(attribute.name, now.name);
    }
    return renamed;
  }

  /** Positions of columns that both sides added (ours first), and cells that rows may still hold. */
  #places(): void {
    const { base, ours, theirs } = this.#input;
    const attributes = new Map<number, { key: string; object: AttributeObject }[]>();
    for (const [key, object] of this.#result) {
      if (object.what !== 'attribute') continue;
      const list = attributes.get(object.table) ?? [];
      attributes.set(object.table, list);
      list.push({ key, object });
    }
    for (const [number, list] of attributes) {
      const key = tableDefinitionKey(number);
      const relation = this.#result.get(key);
      if (relation?.what !== 'relation') continue;
      const used = new Set<number>();
      const added = (each: { key: string }): number => (ours.catalog.objects.has(each.key) ? 0 : 1);
      for (const each of [...list].sort((a, b) => added(a) - added(b) || a.object.attnum - b.object.attnum)) {
        let { attnum } = each.object;
        while (used.has(attnum)) attnum++;
        used.add(attnum);
        if (attnum !== each.object.attnum) this.#result.set(each.key, { ...each.object, attnum });
      }
      const has = new Set(list.map(({ object }) => object.number));
      const dropped = new Set(relation.dropped.filter((each) => !has.has(each)));
      for (const { catalog } of [base, ours, theirs]) {
        const known = catalog.byNumber.get(number)?.relation;
        for (const each of known?.attributes ?? []) if (!has.has(each.number)) dropped.add(each.number);
        for (const each of known?.object.dropped ?? []) if (!has.has(each)) dropped.add(each);
      }
      const attnums = Math.max(relation.attnums, ...used);
      const next = { ...relation, attnums, dropped: [...dropped].sort((a, b) => a - b) };
      if (attnums !== relation.attnums || next.dropped.join() !== [...relation.dropped].sort((a, b) => a - b).join()) this.#result.set(key, next);
    }
    // Comments and other notes about dropped objects.
    const numbers = new Set([...this.#result.values()].flatMap(numbersOf));
    for (const [key, object] of this.#result)
      if ((object.what === 'comment' || object.what === 'facts') && object.object >= 16384 && !numbers.has(object.object)) this.#result.delete(key);
  }
}

/** Number of the table whose column owns a sequence. */
function ownerOf(object: CatalogObject): number | null {
  return object.what === 'sequence' ? (object.ownedBy?.table ?? null) : null;
}

/** Partitions and children of a dropped table are checked separately. */
function isNeeded(by: CatalogObject, relation: number): boolean {
  return referencesOf(by).some((each) => each.walked !== 'drop' && leadsTo(each, relation));
}

function wrote(pager: Pager, from: Node, to: Node, table: number, { number }: AttributeObject): boolean {
  const a = childRoot(pager, from, table);
  const b = childRoot(pager, to, table);
  if (a === b || (a === null && b === null)) return false;
  let any = false;
  eachRowChange(pager, a, b, (_key, x, y) => {
    const was: Datum = x === null ? undefined : x.leaf.cell(x.index, number);
    const is: Datum = y === null ? undefined : y.leaf.cell(y.index, number);
    // A new row with a null in the column does not use it.
    if (y === null || Object.is(was, is) || (x === null && is === null)) return true;
    any = true;
    return false;
  });
  return any;
}

/** Rows are merged individually, so the branch's epoch would only clear the target's tree; for rows taken over whole, the epoch must be new. */
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

/** Without the position of its column. */
function note(each: NoteOfColumn | undefined): string {
  return each === undefined ? '' : text({ ...each.note, attnum: 0 });
}

/** A table's definitions, except counters. */
function partsOf({ catalog }: Side, table: number): string {
  const relation = catalog.byNumber.get(table)?.relation;
  if (!relation) return '';
  return [relation.object, ...relation.attributes, ...relation.indexes, ...relation.constraints].map(likeness).sort().join();
}

function clip(shown: string): string {
  return shown.length <= 200 ? shown : `${shown.slice(0, 200)}…`;
}
