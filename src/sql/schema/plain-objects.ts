/** Metadata-only objects of a world, by kind and number: kept as their catalog rows. */
import { LayeredMap } from '../../base/layered-map.ts';
import type { CatalogObject } from '../../worlds/definition.ts';

const KINDS = [
  'collation',
  'conversion',
  'text search dictionary',
  'text search configuration',
  'extended statistics',
  'publication',
  'publication table',
  'publication schema',
  'subscription',
  'event trigger',
  'foreign data wrapper',
  'server',
  'user mapping',
  'operator family',
  'operator class',
  'family operator',
  'family function',
  'dropped schema',
] as const;

export type PlainKind = (typeof KINDS)[number];
export type PlainObject<K extends PlainKind = PlainKind> = Extract<CatalogObject, { what: K }>;

const PLAIN: ReadonlySet<string> = new Set(KINDS);

export function isPlainObject(object: CatalogObject): object is PlainObject {
  return PLAIN.has(object.what);
}

export class PlainObjects {
  readonly #byKind: ReadonlyMap<PlainKind, LayeredMap<number, PlainObject>>;

  constructor(from: PlainObjects | null) {
    this.#byKind = new Map(KINDS.map((kind) => [kind, from === null ? new LayeredMap() : from.#byKind.get(kind)!.fork()]));
  }

  of<K extends PlainKind>(kind: K): LayeredMap<number, PlainObject<K>> {
    return this.#byKind.get(kind) as unknown as LayeredMap<number, PlainObject<K>>;
  }

  at(number: number): PlainObject | null {
    for (const objects of this.#byKind.values()) {
      const found = objects.get(number);
      if (found !== undefined) return found;
    }
    return null;
  }

  set(object: PlainObject): void {
    this.#byKind.get(object.what)!.set(object.number, object);
  }

  delete(object: PlainObject): void {
    this.#byKind.get(object.what)!.delete(object.number);
  }
}
