/** A definition as one of those that a difference makes, changes and drops. */
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
  /** Where what hangs on what is looked for. */
  readonly definitions: Definitions;
  /** Names as a session with the search path `public` reads them. */
  readonly names: CatalogNames;
  /** Whether who reads the difference may see them. */
  seesOptions(mapping: UserMappingObject): boolean;
  /** Whether who reads the difference may see how subscriptions connect. */
  readonly seesConnections: boolean;
}

/** What stands before or after what, where neither needs the other; rows are written before `checks`. */
export const PLACE = {
  /** Told of by their names alone. */
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
  told: 9,
} as const;

export interface Changes {
  /** Before rows are written. */
  readonly ahead: readonly string[];
  /** Once they are. */
  readonly behind: readonly string[];
}

/** A part's texts, which are made when they are asked for: most parts of two states are the same. */
export interface PartText {
  readonly make: readonly string[];
  /** What it is, but for its name where that can be changed alone; left out: what makes it. */
  readonly body?: string;
}

export interface PartFields {
  /** The same in both states for what is the same object; left out: its target's. */
  readonly key?: string;
  /** What others hang on; null for what nothing does. */
  readonly target: DropTarget | null;
  /** Its place among those made, and its number in the comments on it. */
  readonly number: number;
  /** Number of the table or object whose definitions it is of; left out: its own. */
  readonly unit?: number;
  readonly place: number;
  /** Key of the part that it goes with. */
  readonly owner: string | null;
  /** Two of one title cannot be there at once; '' where there are no others. */
  readonly title: string;
  /** As COMMENT ON says it; '' where there is none. */
  readonly called: string;
  readonly text: () => PartText;
  /** '': it goes with its owner. */
  readonly drop: string;
  /** Statements that make it of what it was; null where it has to be dropped and made anew. */
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

/** What COMMENT ON calls it, without the words for its kind. */
export function withoutWords(called: string): string {
  return called.replace(/^(?:[A-Z]+ )+/, '');
}

/** A table, view, sequence or index as statements of a session with the search path `public` name it. */
export function relationName({ names }: Side, number: number): string {
  return names.relationName(number) ?? '?';
}

interface Named {
  readonly schema: string;
  readonly name: string;
}

/** `ALTER … RENAME TO` and `SET SCHEMA`, where the two are called differently. `alter`: `ALTER TABLE`; `rest`: what stands behind a name. */
export function renamed(alter: string, old: Named, now: Named, rest = ''): string[] {
  const out: string[] = [];
  if (old.name !== now.name) out.push(`${alter} ${nameOf(old)}${rest} RENAME TO ${quoteIdentifier(now.name)};`);
  if (old.schema !== now.schema) out.push(`${alter} ${nameOf({ schema: old.schema, name: now.name })}${rest} SET SCHEMA ${quoteIdentifier(now.schema)};`);
  return out;
}
