/**
 * Definitions that undoing a merge restores: those unchanged since the merge. A table that it created and that was written to
 * since blocks the undo, or stays with everything that belongs to it; so do objects needed by definitions that stay. Epochs
 * advance: a table truncated by the merge is truncated again and filled with its former rows.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { RowChange } from '../../tree/datum.ts';
import { childRoot } from '../../tree/directory.ts';
import type { Node } from '../../tree/node.ts';
import type { Pager } from '../../tree/pager.ts';
import type { Catalog } from '../catalog.ts';
import { type CatalogObject, catalogObject, DEFINITION_SHAPE, numbersOf, type RelationObject } from '../definition.ts';
import { isNote } from '../kinds/registry.ts';
import { eachRowChange } from '../changes-between.ts';
import { describeDefinition, scopedName, tableNumber } from './definition-names.ts';
import { unlikeChild } from './heritage.ts';
import { joinFields } from './join-fields.ts';
import { strayedSequences } from './owned-sequences.ts';
import { lackingReference } from './references.ts';
import type { TypedTables } from '../typed-tables.ts';
import { TextNeeds } from './text-needs.ts';

export interface UndoneDefinitions {
  rows: RowChange[];
  /** Tables whose rows from before the merge are restored whole. */
  restored: Set<number>;
  /** Tables that were truncated, and whose former rows are restored next to later ones. */
  emptied: Set<number>;
  /** Definitions that were changed since, by catalog key. */
  changed: { readonly key: string; readonly object: CatalogObject }[];
  /** Objects to drop that are used since, and by what. */
  used: readonly UsedSince[];
}

export interface UsedSince {
  readonly object: CatalogObject;
  readonly by: string;
}

/** What to skip: tables with everything that belongs to them, and definitions by key. */
export interface LeftAlone {
  readonly tables: ReadonlySet<number>;
  readonly definitions: ReadonlySet<string>;
  /** Definitions that others changed in between. */
  readonly mixed: ReadonlySet<string>;
  /** What cannot be restored is skipped instead of refusing the undo. */
  readonly skip: boolean;
}

export interface DefinitionsToUndo {
  readonly typed: TypedTables;
  /** As the merge changed them. */
  readonly definitions: readonly RowChange[];
  /** Directories of the world: now, after the merge, and before it. */
  readonly now: Node;
  readonly then: Node;
  readonly before: Node;
}

/** Their catalogs, with the same tables as relations. */
export interface UndoCatalogs {
  readonly current: Catalog;
  readonly before: Catalog;
}

/** 2BP01 if a restored definition needs what has been dropped since, 42710 if its name has been reused. */
export function undoneDefinitions(
  pager: Pager,
  { typed, definitions, now, then }: DefinitionsToUndo,
  { current, before }: UndoCatalogs,
  left: LeftAlone,
): UndoneDefinitions {
  if (definitions.length === 0) return { rows: [], restored: new Set(), emptied: new Set(), changed: [], used: [] };
  const kept = new Set<number>(left.tables);
  const made = new Map<number, RelationObject>();
  const used: UsedSince[] = [];
  const keep = (table: RelationObject, by: string): void => {
    if (!kept.has(table.number)) used.push({ object: table, by });
    kept.add(table.number);
  };
  for (const { key, before: old, after } of definitions) {
    const is = object(after);
    if (is?.what !== 'relation' || old !== null) continue;
    // Created by the merge and written to or changed since: if it stays, so do all of the table's definitions.
    const there = current.objects.get(key as string);
    if (there === undefined) kept.add(is.number);
    else if (text(there) !== text(is)) keep(is, 'its definition was changed since');
    else if (wrote(pager, then, now, is.number)) keep(is, 'rows of it were written since');
    else made.set(is.number, is);
  }
  // The same for what remaining tables need; objects from the merge are dropped with what they need.
  for (let again = true; again;) {
    again = false;
    for (const [number, table] of made) {
      const user = neededBy(current, number, made);
      if (user === null) continue;
      made.delete(number);
      keep(table, `${user} needs it`);
      again = true;
    }
  }
  const undone = new Undoing(typed, definitions, current, before, kept, left).result();
  return { ...undone, used: [...used, ...undone.used] };
}

class Undoing {
  readonly #typed: TypedTables;
  readonly #merged: readonly RowChange[];
  readonly #current: Catalog;
  readonly #before: Catalog;
  /** Tables of which everything stays, and keys of other definitions that stay. */
  readonly #kept: Set<number>;
  readonly #held: Set<string>;
  readonly #skip: boolean;
  readonly #mixed: ReadonlySet<string>;
  readonly #used: UsedSince[] = [];
  /** Comments and privileges of dropped objects. */
  readonly #lost = new Set<string>();

  constructor(typed: TypedTables, merged: readonly RowChange[], current: Catalog, before: Catalog, kept: Set<number>, left: LeftAlone) {
    this.#typed = typed;
    this.#merged = merged;
    this.#current = current;
    this.#before = before;
    this.#kept = kept;
    this.#held = new Set(left.definitions);
    this.#skip = left.skip;
    this.#mixed = left.mixed;
  }

  result(): UndoneDefinitions {
    for (;;) {
      const out = this.#attempt();
      const result = new Map(this.#current.objects);
      for (const { key, after } of out.rows) {
        const back = object(after);
        if (back === null) result.delete(key as string);
        else result.set(key as string, back);
      }
      if (this.#checkConsistency(result) && this.#namesApart(result) && this.#likeChildren(result) && this.#besideTables(result))
        return { ...out, used: this.#used };
    }
  }

  #attempt(): UndoneDefinitions {
    const out: UndoneDefinitions = { rows: [], restored: new Set(), emptied: new Set(), changed: [], used: [] };
    for (const { key, before, after } of this.#merged) {
      const was = object(before);
      const is = object(after);
      const any = was ?? is;
      if (any === null || any.what === 'table' || any.what === 'column') continue;
      const table = any.what === 'relation' ? any.number : 'table' in any ? any.table : null;
      if ((table !== null && this.#kept.has(table)) || this.#held.has(key as string)) continue;
      const there = this.#current.objects.get(key as string);
      let back = was;
      if (text(there) !== text(is)) {
        // Dropped since: nothing to undo. For a note the last writer wins.
        if (there === undefined || isNote(any) || any.what === 'statistics') continue;
        back = was === null || is === null || this.#mixed.has(key as string) ? null : joinFields(is, there, was, null);
        if (back === null) {
          out.changed.push({ key: key as string, object: there });
          continue;
        }
      }
      if (was?.what === 'relation' && (is === null || (is.what === 'relation' && is.epoch !== was.epoch))) {
        if (is?.what === 'relation' && there?.what === 'relation' && sameKeys(was, is)) {
          out.emptied.add(was.number);
          out.rows.push(change(key, there, { ...(back as typeof was), epoch: there.epoch }));
          continue;
        }
        out.restored.add(was.number);
        const epochs = [was, is, there].map((each) => (each?.what === 'relation' ? each.epoch : 0));
        back = { ...(back as typeof was), epoch: Math.max(...epochs) + 1 };
      }
      out.rows.push(change(key, there, back));
    }
    for (const key of this.#lost) if (!out.rows.some((row) => row.key === key)) out.rows.push(change(key, this.#current.objects.get(key), null));
    return out;
  }

  /** Whether every dependency in the result exists; otherwise records what must stay. */
  #checkConsistency(result: ReadonlyMap<string, CatalogObject>): boolean {
    const needs = new Map([this.#current, this.#before].map((catalog) => [catalog, new TextNeeds(this.#typed, catalog, result)]));
    const numbers = new Set([...result.values()].flatMap(numbersOf));
    let isConsistent = true;
    const note = <T>(set: Set<T>, each: T): void => {
      if (set.has(each)) return;
      set.add(each);
      isConsistent = false;
    };
    for (const [key, each] of result) {
      // In its current state, or its former one, or both: it lacks what neither finds.
      const same = [this.#current, this.#before].filter((catalog) => text(catalog.objects.get(key)) === text(each));
      const sources = same.length > 0 ? same : [this.#before];
      const stays = sources.includes(this.#current);
      const isLost = isNote(each) && each.object >= 16384 && !numbers.has(each.object);
      const lacks = isLost ? [] : sources.map((source) => lackingReference(each, result, source) ?? needs.get(source)!.lacking(key));
      const lacking = lacks.includes(null) ? null : (lacks[0] ?? null);
      if (isLost || (lacking?.kind === 'part' && !stays)) {
        note(stays ? this.#lost : this.#held, key);
        continue;
      }
      if (lacking === null) continue;
      const there = this.#current.objects.get(lacking.key);
      if (there !== undefined) {
        const table = tableNumber(there);
        const isKnown = table === null ? this.#held.has(lacking.key) : this.#kept.has(table);
        // What it needs stays as it is now: in its former state it cannot be restored beside that.
        if (!stays && isKnown) note(this.#held, key);
        if (stays && !isKnown)
          this.#used.push({ object: there, by: `${describeDefinition(each)} needs it${lacking.kind === 'renamed' ? ' under its name' : ''}` });
        if (table === null) note(this.#held, lacking.key);
        else note(this.#kept, table);
      } else if (!stays && this.#skip) note(this.#held, key);
      else if (!stays) {
        throw new SvcError('2BP01', `cannot be undone: ${describeDefinition(each)} needs ${lacking.what}, which was dropped since`, {
          hint: 'Make it again under its name, or make by hand again what the merge changed.',
          status: 409,
        });
      }
    }
    return isConsistent;
  }

  /** Whether partitions and children have their parents' properties; otherwise 2BP01, or the whole hierarchy stays. */
  #likeChildren(result: ReadonlyMap<string, CatalogObject>): boolean {
    const unlike = unlikeChild(result);
    if (unlike === null || unlikeChild(this.#current.objects) !== null) return true;
    const { child, parent, what } = unlike;
    const before = this.#kept.size;
    if (this.#skip) for (const number of hierarchyOf(result, child.number)) this.#kept.add(number);
    if (this.#kept.size > before) return false;
    throw new SvcError(
      '2BP01',
      `cannot be undone: table ${child.name}, which is a child of ${parent.name} by now, would be left with another definition (${what})`,
      {
        hint: `Detach or drop ${child.name}, or make by hand again what the merge changed.`,
        status: 409,
      },
    );
  }

  /** Whether the sequences of columns stand where their tables do; otherwise 2BP01, or the table stays. */
  #besideTables(result: ReadonlyMap<string, CatalogObject>): boolean {
    for (const { sequence, table } of strayedSequences(result)) {
      if (this.#skip && !this.#kept.has(table.number)) {
        this.#kept.add(table.number);
        return false;
      }
      throw new SvcError(
        '2BP01',
        `cannot be undone: sequence ${sequence.name} of a column of table ${table.name} is in schema ${sequence.schema} by now, the table would be in schema ${table.schema}`,
        { hint: `Move the table with ALTER TABLE ${table.name} SET SCHEMA ${table.schema}, then undo the merge.`, status: 409 },
      );
    }
    return true;
  }

  /** Whether names are unique; otherwise 42710, or the restored object is skipped. */
  #namesApart(result: ReadonlyMap<string, CatalogObject>): boolean {
    const names = new Map<string, string>();
    for (const [key, each] of result) {
      const name = scopedName(each, result);
      const other = name === null ? undefined : names.get(name);
      if (name !== null && other === undefined) names.set(name, key);
      if (other === undefined || [key, other].every((one) => text(this.#current.objects.get(one)) === text(result.get(one)))) continue;
      if (this.#skip) {
        this.#held.add(text(this.#current.objects.get(key)) === text(result.get(key)) ? other : key);
        return false;
      }
      throw new SvcError('42710', `cannot be undone: there is another ${describeDefinition(each)} by now`, {
        hint: 'Rename or drop that, then undo the merge.',
        status: 409,
      });
    }
    return true;
  }
}

function sameKeys(a: RelationObject, b: RelationObject): boolean {
  return a.numeric === b.numeric && a.key.join() === b.key.join();
}

/** Numbers of the table and of all its ancestors and descendants. */
function hierarchyOf(objects: ReadonlyMap<string, CatalogObject>, table: number): Set<number> {
  const near = new Map<number, number[]>();
  const join = (a: number, b: number): void => void (near.get(a)?.push(b) ?? near.set(a, [b]));
  for (const each of objects.values()) {
    if (each.what !== 'relation') continue;
    for (const parent of each.parents ?? []) {
      join(each.number, parent);
      join(parent, each.number);
    }
  }
  const out = new Set([table]);
  for (const number of out) for (const each of near.get(number) ?? []) out.add(each);
  return out;
}

function change(key: RowChange['key'], there: CatalogObject | undefined, back: CatalogObject | null): RowChange {
  return { key, shape: DEFINITION_SHAPE, before: there === undefined ? null : [text(there)], after: back === null ? null : [text(back)] };
}

/** A remaining table that references it or is its child. */
function neededBy(catalog: Catalog, table: number, going: ReadonlyMap<number, unknown>): string | null {
  for (const each of catalog.objects.values()) {
    if (each.what === 'foreign key' && each.target === table && !going.has(each.table))
      return `a foreign key of table ${catalog.byNumber.get(each.table)!.name}`;
    if (each.what === 'relation' && each.parents?.includes(table) === true && !going.has(each.number)) return `table ${each.name}`;
  }
  return null;
}

function wrote(pager: Pager, from: Node, to: Node, table: number): boolean {
  const a = childRoot(pager, from, table);
  const b = childRoot(pager, to, table);
  if (a === b || (a === null && b === null)) return false;
  let any = false;
  eachRowChange(pager, a, b, () => {
    any = true;
    return false;
  });
  return any;
}

function object(row: RowChange['before']): CatalogObject | null {
  return row === null ? null : catalogObject(row[0] as string);
}

function text(each: CatalogObject | undefined | null): string {
  return each === undefined || each === null ? '' : JSON.stringify(each);
}
