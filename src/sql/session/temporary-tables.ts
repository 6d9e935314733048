/**
 * Temporary tables of a session: definitions and trees outside any world. A transaction sees them as an overlay on the world's
 * state; its commit writes only the world's changes, and changes to temporary tables are kept here.
 *
 *   world's root ──overlay──► the transaction's root ──commit──► changes: permanent ──► event, log
 *                  ▲                                             └────────► kept: definitions, trees (memory only)
 *                  └──────────────────────────────────────────────────────────────┘
 *
 * They never reach the log, even in a crash, and other sessions cannot name them: their schema and objects have numbers of the
 * session's own.
 */
import { CATALOG_TREE, SEQUENCE_TREE, type TreeChanges } from '../../events/changes.ts';
import { ColumnChanges } from '../../events/column-changes.ts';
import { NewRows } from '../../events/new-rows.ts';
import type { RowChange } from '../../tree/datum.ts';
import { childRoot, setChildRoot } from '../../tree/directory.ts';
import type { Node } from '../../tree/node.ts';
import type { Pager } from '../../tree/pager.ts';
import { applyChanges, emptyTree } from '../../tree/write.ts';
import { type Catalog, changedCatalog, readCatalog } from '../../worlds/catalog.ts';
import {
  type CatalogObject,
  catalogObject,
  DEFINITION_SHAPE,
  FIRST_OWN,
  isTemporarySchema,
  numbersOf,
  tableDefinitionKey,
  TEMPORARY_SCHEMA,
} from '../../worlds/definition.ts';
import { lackingReference } from '../../worlds/merge/references.ts';

let sessions = 0;

/** Whether it may depend on objects that not every world has. */
function reaches(object: CatalogObject): boolean {
  switch (object.what) {
    case 'attribute':
      return object.type >= FIRST_OWN || object.generated !== null;
    case 'relation':
      return object.query !== undefined || object.ofType !== undefined || object.parents !== undefined;
    case 'schema':
    case 'sequence':
    case 'enum':
    case 'index':
    case 'comment':
    case 'facts':
      return false;
    default:
      return true;
  }
}

export class TemporaryTables {
  /** Assigned when the first object is created. */
  #schema: string | null = null;
  readonly #definitions = new Map<string, string>();
  readonly #trees = new Map<number, Node>();
  /** Tables and indexes whose trees outlive a transaction. */
  #lasting: readonly number[] = [];
  /** The definitions under which all dependencies were last satisfied; null if they exist in every world. */
  #madeIn: Catalog | null = null;
  /** The last overlay of definitions, by the state below; valid until temporary definitions change. */
  #overlaid: { readonly below: Catalog; readonly root: Node } | null = null;

  get any(): boolean {
    return this.#definitions.size > 0;
  }

  /** Name of the session's schema; null until a temporary object is created. */
  get schema(): string | null {
    return this.#schema;
  }

  /** Its number, once its first object was committed; null before. */
  get number(): number | null {
    return this.#number;
  }
  #number: number | null = null;

  /** The same; creates it if necessary. */
  openSchema(): string {
    this.#schema ??= `${TEMPORARY_SCHEMA}${++sessions}`;
    return this.#schema;
  }

  /** The world's state with the session's temporary tables. */
  overlay(pager: Pager, root: Node): Node {
    if (!this.any) return root;
    const edit = pager.newEdit();
    let out = setChildRoot(pager, root, CATALOG_TREE, this.#catalogOver(pager, root), edit);
    for (const [number, tree] of this.#trees) out = setChildRoot(pager, out, number, tree, edit);
    return out;
  }

  #catalogOver(pager: Pager, root: Node): Node {
    const below = readCatalog(pager, root);
    if (this.#overlaid?.below === below) return this.#overlaid.root;
    if (this.#madeIn !== null) this.#dropLacking(below, this.#madeIn);
    const edit = pager.newEdit();
    const rows = [...this.#definitions]
      .map(([key, text]): RowChange => ({ key, shape: DEFINITION_SHAPE, before: null, after: [text] }))
      .sort((a, b) => (a.key < b.key ? -1 : 1));
    const made = applyChanges(pager, childRoot(pager, root, CATALOG_TREE) ?? emptyTree(false, edit), rows, edit);
    changedCatalog(pager, below, rows, made);
    this.#overlaid = { below, root: made };
    return made;
  }

  /** Drops temporary objects whose types or tables are missing in another world, or after a change of another session. */
  #dropLacking(below: Catalog, madeIn: Catalog): void {
    const own = new Map([...this.#definitions].map(([key, text]) => [key, catalogObject(text)]));
    const objects = new Map([...below.objects, ...own]);
    const drop = (key: string): void => {
      own.delete(key);
      objects.delete(key);
      this.#definitions.delete(key);
    };
    for (let before = -1; before !== own.size;) {
      before = own.size;
      for (const [key, object] of own) {
        if (lackingReference(object, objects, madeIn) === null) continue;
        drop(key);
        if (object.what === 'attribute') drop(tableDefinitionKey(object.table));
      }
    }
    const left = new Set([...own.values()].flatMap(numbersOf));
    for (const tree of this.#trees.keys()) if (!left.has(tree)) this.#trees.delete(tree);
    this.#lasting = this.#lasting.filter((number) => left.has(number));
    this.#mine = null;
  }

  /** The part of a transaction's changes that belongs to the world. */
  permanent(changes: readonly TreeChanges[], catalog: Catalog): TreeChanges[] {
    if (this.#schema === null) return [...changes];
    const mine = this.#numbers(catalog);
    const out: TreeChanges[] = [];
    for (const each of changes) {
      if (mine.has(each.tree)) continue;
      if (each instanceof NewRows || each instanceof ColumnChanges) {
        out.push(each);
        continue;
      }
      const rows =
        each.tree === CATALOG_TREE
          ? each.rows.filter(({ before, after }) => !this.#isOwn(catalogObject((after ?? before)![0] as string), mine))
          : each.tree === SEQUENCE_TREE
            ? each.rows.filter(({ key }) => !mine.has(key as number))
            : each.rows;
      if (rows.length > 0) out.push({ ...each, rows });
    }
    return out;
  }

  /** After a commit: keeps the temporary part. Applies ON COMMIT. */
  keep(pager: Pager, root: Node): void {
    if (this.#schema === null) return;
    if (this.#overlaid === null || childRoot(pager, root, CATALOG_TREE) !== this.#overlaid.root) this.#keepDefinitions(readCatalog(pager, root));
    this.#trees.clear();
    for (const number of this.#lasting) {
      const node = childRoot(pager, root, number);
      if (node !== null) this.#trees.set(number, node);
    }
  }

  #keepDefinitions(catalog: Catalog): void {
    const mine = this.#numbers(catalog);
    const gone = new Set<number>();
    for (const { number, relation } of catalog.byNumber.values()) if (mine.has(number) && relation?.object.onCommit === 'drop') gone.add(number);
    this.#definitions.clear();
    this.#overlaid = null;
    this.#mine = null;
    for (const [key, object] of catalog.objects) {
      if (!this.#isOwn(object, mine)) continue;
      if (object.what === 'schema') this.#number = object.number;
      const table =
        object.what === 'relation' ? object.number : object.what === 'sequence' ? (object.ownedBy?.table ?? 0) : 'table' in object ? object.table : 0;
      if (!gone.has(table)) this.#definitions.set(key, JSON.stringify(object));
    }
    this.#lasting = [...catalog.byNumber.values()].flatMap(({ number, relation }) =>
      !mine.has(number) || gone.has(number) || relation?.object.onCommit === 'delete rows'
        ? []
        : [number, ...(relation?.indexes ?? []).map((index) => index.number)],
    );
    this.#madeIn = [...this.#definitions.values()].some((text) => reaches(catalogObject(text))) ? catalog : null;
    // A schema alone needs no overlay.
    if ([...this.#definitions.values()].every((text) => catalogObject(text).what === 'schema')) this.#definitions.clear();
  }

  clear(): void {
    this.#definitions.clear();
    this.#trees.clear();
    this.#lasting = [];
    this.#overlaid = null;
    this.#mine = null;
    this.#madeIn = null;
  }

  /** Numbers of objects in the session's schema, in the catalog and in the kept state. */
  #numbers(catalog: Catalog): ReadonlySet<number> {
    if (this.#mine?.catalog !== catalog) this.#mine = { catalog, numbers: this.#numbersIn(catalog) };
    return this.#mine.numbers;
  }
  #mine: { readonly catalog: Catalog; readonly numbers: ReadonlySet<number> } | null = null;

  #numbersIn(catalog: Catalog): Set<number> {
    const mine = new Set<number>();
    const note = (object: CatalogObject): void => {
      if ('schema' in object && object.schema === this.#schema) mine.add(object.number);
      else if (object.what === 'schema' && object.name === this.#schema) mine.add(object.number);
    };
    for (const object of catalog.objects.values()) note(object);
    for (const text of this.#definitions.values()) note(catalogObject(text));
    const indexes = [...catalog.indexes.values(), ...[...this.#definitions.values()].map(catalogObject)];
    for (const object of indexes) if (object.what === 'index' && mine.has(object.table)) mine.add(object.number);
    return mine;
  }

  #isOwn(object: CatalogObject, mine: ReadonlySet<number>): boolean {
    if ('schema' in object) return object.schema === this.#schema;
    if (object.what === 'schema') return isTemporarySchema(object.name);
    if (object.what === 'comment' || object.what === 'facts') return mine.has(object.object);
    return 'table' in object && mine.has(object.table);
  }
}
