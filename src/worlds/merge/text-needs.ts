/**
 * What definitions need of those that a merge or an undoing leaves out, where only their texts tell: defaults, conditions,
 * expressions, queries. Asked of each definition that is left out, once.
 */
import type { Catalog } from '../catalog.ts';
import { type CatalogObject, isTypeObject } from '../definition.ts';
import { typedTables } from '../typed-tables.ts';
import { describeDefinition, type Objects } from './definition-names.ts';
import type { Lacking } from './references.ts';

/** Which texts name columns and schemas, and which rows and keys point at tables, references.ts knows. */
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
  readonly #catalog: Catalog;
  readonly #result: Objects;
  readonly #asked = new Set<string>();
  /** Of each definition that uses some: the keys of those. */
  readonly #by = new Map<string, string[]>();

  constructor(catalog: Catalog, result: Objects) {
    this.#catalog = catalog;
    this.#result = result;
    this.refresh();
  }

  /** The result may lack more than it did. */
  refresh(): void {
    for (const [key, object] of this.#catalog.objects) {
      if (this.#result.has(key) || this.#asked.has(key) || !(NAMED_IN_TEXTS.has(object.what) || isTypeObject(object))) continue;
      this.#asked.add(key);
      // No text names where large objects are kept.
      if ('schema' in object && object.schema === 'pg_catalog') continue;
      for (const user of typedTables().hangingOn(this.#catalog, object)) {
        const known = this.#by.get(user);
        if (known === undefined) this.#by.set(user, [key]);
        else known.push(key);
      }
    }
  }

  /** What the definition of the key, as this catalog has it, needs and the result does not have. */
  lacking(key: string): Lacking | null {
    const lost = this.#by.get(key)?.find((each) => !this.#result.has(each));
    return lost === undefined ? null : { kind: 'dropped', key: lost, what: describeDefinition(this.#catalog.objects.get(lost)!) };
  }
}
