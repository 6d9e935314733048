/** A definition as a part of a difference, with its statements. */
import { quoteIdentifier } from '../../../base/quote-identifier.ts';
import { nameOf } from '../../schema/qualified-name.ts';
import type { Catalog } from '../../../worlds/catalog.ts';
import type { UserMappingObject } from '../../../worlds/definition.ts';
import { type Definitions, type DropTarget, keyOf } from '../../schema/drop-target.ts';
import type { Schema } from '../../schema/schema.ts';
import type { CatalogNames } from '../catalog-names.ts';
import type { WorldObjects } from '../world-objects.ts';

/** One of the two states. */
export interface Side {
  readonly catalog: Catalog;
  readonly schema: Schema;
  readonly objects: WorldObjects;
  /** The definitions in which dependencies are looked up. */
  readonly definitions: Definitions;
  /** Names as seen with the search path `public`. */
  readonly names: CatalogNames;
  /** Whether the reader may see them. */
  seesOptions(mapping: UserMappingObject): boolean;
  /** Whether the reader may see connection strings of subscriptions. */
  readonly seesConnections: boolean;
}

/** The order of independent parts; rows are written before `checks`. */
export const PLACE = {
  /** Referenced only by name. */
  collations: -1,
  shapes: 0,
  checks: 1,
  ties: 2,
  keys: 3,
  indexes: 4,
  foreignKeys: 5,
  views: 6,
  filled: 7,
  triggers: 8,
  attributes: 9,
} as const;

export interface Changes {
  /** Before rows are written. */
  readonly ahead: readonly string[];
  /** After rows are written. */
  readonly behind: readonly string[];
}

/** The texts of a part, built on demand: most parts of two states are equal. */
export interface PartText {
  readonly make: readonly string[];
  /** Its content, without a name that can be changed alone; default: `make`. */
  readonly body?: string;
}

export interface PartFields {
  /** Equal in both states for the same object; default: its target's key. */
  readonly key?: string;
  /** The target for dependencies; null if it has no dependents. */
  readonly target: DropTarget | null;
  /** Its order among created parts, and its number in comments. */
  readonly number: number;
  /** Number of the table or object that it belongs to; default: its own. */
  readonly unit?: number;
  readonly place: number;
  /** Key of the part that it is dropped with. */
  readonly owner: string | null;
  /** Parts with the same title exclude each other; '' if there can be none. */
  readonly title: string;
  /** As in COMMENT ON; '' if comments are impossible. */
  readonly called: string;
  readonly text: () => PartText;
  /** '': it is dropped with its owner. */
  readonly drop: string;
  /** Statements that alter its former version; null if it has to be recreated. */
  readonly change?: () => Changes | null;
}

export class Part {
  readonly key: string;
  readonly target: DropTarget | null;
  readonly number: number;
  readonly unit: number;
  readonly place: number;
  readonly owner: string | null;
  readonly title: string;
  readonly called: string;
  readonly drop: string;
  readonly change: (() => Changes | null) | undefined;
  readonly #text: () => PartText;
  #made: PartText | null = null;

  constructor({ target, key = keyOf(target!), number, unit = number, place, owner, title, called, text, drop, change }: PartFields) {
    this.key = key;
    this.target = target;
    this.number = number;
    this.unit = unit;
    this.place = place;
    this.owner = owner;
    this.title = title;
    this.called = called;
    this.drop = drop;
    this.change = change;
    this.#text = text;
  }

  get make(): readonly string[] {
    return (this.#made ??= this.#text()).make;
  }

  get body(): string {
    const { make, body = make.join('\n') } = (this.#made ??= this.#text());
    return body;
  }
}

/** Its name in COMMENT ON, without the words for its kind. */
export function withoutWords(called: string): string {
  return called.replace(/^(?:[A-Z]+ )+/, '');
}

/** A table, view, sequence or index by its name under the search path `public`. */
export function relationName({ names }: Side, number: number): string {
  return names.relationName(number) ?? '?';
}

interface Named {
  readonly schema: string;
  readonly name: string;
}

/** `ALTER … RENAME TO` and `SET SCHEMA`, if the names differ. `alter`: `ALTER TABLE`; `rest`: the text after a name. */
export function renamed(alter: string, old: Named, now: Named, rest = ''): string[] {
  const out: string[] = [];
  if (old.name !== now.name) out.push(`${alter} ${nameOf(old)}${rest} RENAME TO ${quoteIdentifier(now.name)};`);
  if (old.schema !== now.schema) out.push(`${alter} ${nameOf({ schema: old.schema, name: now.name })}${rest} SET SCHEMA ${quoteIdentifier(now.schema)};`);
  return out;
}
