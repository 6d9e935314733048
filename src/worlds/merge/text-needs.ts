/**
 * Dependencies of definitions on those that a merge or an undo omits, if only texts contain them: defaults, conditions,
 * expressions, queries. Computed once per omitted definition.
 */
import type { Catalog } from '../catalog.ts';
import { type CatalogObject, isTypeObject } from '../definition.ts';
import type { TypedTables } from '../typed-tables.ts';
import { describeDefinition, type Objects } from './definition-names.ts';
import type { Lacking } from './references.ts';

/** Dependencies on columns and schemas by text, and on tables by rows and keys, are handled by references.ts. */
const NAMED_IN_TEXTS: ReadonlySet<CatalogObject['what']> = new Set([
  'relation',
  'view',
  'function',
  'operator',
  'sequence',
  'collation',
  'text search configuration',
  'text search dictionary',
]);

export class TextNeeds {
  readonly #typed: TypedTables;
  readonly #catalog: Catalog;
  readonly #result: Objects;
  readonly #asked = new Set<string>();
  /** Per using definition: the keys of the definitions that it uses. */
  readonly #by = new Map<string, string[]>();

  constructor(typed: TypedTables, catalog: Catalog, result: Objects) {
    this.#typed = typed;
    this.#catalog = catalog;
    this.#result = result;
    this.refresh();
  }

  /** Updates after the result has lost more. */
  refresh(): void {
    for (const [key, object] of this.#catalog.objects) {
      if (this.#result.has(key) || this.#asked.has(key) || !(NAMED_IN_TEXTS.has(object.what) || isTypeObject(object))) continue;
      this.#asked.add(key);
      // No text names the storage of large objects.
      if ('schema' in object && object.schema === 'pg_catalog') continue;
      for (const user of this.#typed.dependentDefinitions(this.#catalog, object)) {
        const known = this.#by.get(user);
        if (known === undefined) this.#by.set(user, [key]);
        else known.push(key);
      }
    }
  }

  /** The first dependency of the key's definition (in this catalog) that the result lacks. */
  lacking(key: string): Lacking | null {
    const lost = this.#by.get(key)?.find((each) => !this.#result.has(each));
    return lost === undefined ? null : { kind: 'dropped', key: lost, what: describeDefinition(this.#catalog.objects.get(lost)!) };
  }
}
