/** Names of the schema public that tables share with other objects: views, sequences, indexes and types. */
import type { CatalogObject } from './definition.ts';
import { tableDefinitionKey } from './kinds/keys.ts';
import { kindOf } from './kinds/registry.ts';

/** The object that keeps a table of this name from being made, in words (`view v`); null if there is none. Reads all definitions. */
export function nameInUse(objects: ReadonlyMap<string, CatalogObject>, name: string): string | null {
  const taken = [`relation\0public\0${name}`, `type\0public\0${name}`];
  /** A table without a schema of its own is in public. */
  const schemaOf = (number: number): string | null => {
    const table = objects.get(tableDefinitionKey(number));
    return table === undefined ? null : table.what === 'relation' ? table.schema : 'public';
  };
  for (const object of objects.values()) {
    // The index of a primary key is part of its table.
    if (object.what === 'relation' && object.schema === 'public' && object.primaryKey?.name === name) return `index ${name}`;
    // Most have other names, and a put of many new tables reads all of them each time.
    if (!('name' in object) || object.name !== name) continue;
    const scoped = kindOf(object).scopedName(object, schemaOf);
    if (scoped !== null && taken.includes(scoped)) return kindOf(object).words(object);
  }
  return null;
}
