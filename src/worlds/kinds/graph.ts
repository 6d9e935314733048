/**
 * The reverse dependency graph: who references what. Built in one pass over all definitions, and queried many times (a DROP
 * queries each dropped object). It stores objects, not edges: which of its references led to an object is computed from the
 * object again.
 */
import { type CatalogObject, referencesOf } from './registry.ts';
import type { Reference } from './reference.ts';

const NONE: readonly CatalogObject[] = [];

export class DependencyGraph {
  /** By object number or oid; columns by their table. A number belongs to one object or type. */
  readonly #byNumber = new Map<number, CatalogObject[]>();
  readonly #byName = {
    schema: new Map<string, CatalogObject[]>(),
    collation: new Map<string, CatalogObject[]>(),
    extension: new Map<string, CatalogObject[]>(),
  };

  constructor(objects: Iterable<CatalogObject>) {
    for (const object of objects) for (const reference of referencesOf(object)) this.#note(reference, object);
  }

  /** Objects with a reference to this number or oid, or to a column of it; in catalog order. */
  users(number: number): readonly CatalogObject[] {
    return this.#byNumber.get(number) ?? NONE;
  }

  /** Objects with a reference to any of these, in catalog order, without duplicates. */
  usersOfAny(numbers: readonly number[], all: Iterable<CatalogObject>): readonly CatalogObject[] {
    const used = numbers.map((number) => this.users(number)).filter(({ length }) => length > 0);
    if (used.length <= 1) return used[0] ?? NONE;
    const users = new Set(used.flat());
    return [...all].filter((object) => users.has(object));
  }

  usersOfName(to: 'schema' | 'collation' | 'extension', name: string): readonly CatalogObject[] {
    return this.#byName[to].get(name) ?? NONE;
  }

  #note(reference: Reference, object: CatalogObject): void {
    switch (reference.to) {
      case 'column':
      case 'columns':
      case 'unique key':
        return put(this.#byNumber, reference.table, object);
      case 'type':
        return put(this.#byNumber, reference.oid, object);
      case 'schema':
      case 'collation':
      case 'extension':
        return put(this.#byName[reference.to], reference.name, object);
      // Numbered separately, and not in the catalog.
      case 'role':
      case 'large object':
        return;
      default:
        return put(this.#byNumber, reference.number, object);
    }
  }
}

function put<K>(users: Map<K, CatalogObject[]>, key: K, object: CatalogObject): void {
  const known = users.get(key);
  if (known === undefined) users.set(key, [object]);
  else if (known.at(-1) !== object) known.push(object);
}
