/**
 * References the other way round: who refers to what. Made by one pass over all definitions, and asked many times (a DROP asks for each
 * object that goes). It holds objects, not edges: which of its references it is by which an object is found, the object says again.
 */
import { type CatalogObject, referencesOf } from './registry.ts';
import type { Reference } from './reference.ts';

const NONE: readonly CatalogObject[] = [];

export class DependencyGraph {
  /** By object number or oid: columns by their table. One number is that of one object or type. */
  readonly #byNumber = new Map<number, CatalogObject[]>();
  readonly #byName = {
    schema: new Map<string, CatalogObject[]>(),
    collation: new Map<string, CatalogObject[]>(),
    extension: new Map<string, CatalogObject[]>(),
  };

  constructor(objects: Iterable<CatalogObject>) {
    for (const object of objects) for (const reference of referencesOf(object)) this.#note(reference, object);
  }

  /** Objects with a reference to what has the number or oid, or to a column of it; in the order of all. */
  users(number: number): readonly CatalogObject[] {
    return this.#byNumber.get(number) ?? NONE;
  }

  /** Objects with a reference to one of these, in the order of all; each once. */
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
      // They have numbers of their own, and are not in the catalog.
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
