/** The inputs for rows of system relations: a world's definitions, the library, and the session. */
import type { Registry } from '../functions/registry.ts';
import type { Schema } from '../schema/schema.ts';
import type { CatalogSession } from './catalog-session.ts';
import type { DefinitionTexts } from './definition-texts.ts';
import { FunctionCatalog } from './function-catalog.ts';
import { OperatorCatalog } from './operator-catalog.ts';
import { relationDefinitions, type RelationDefinition } from './relation-definitions.ts';
import type { RelationsSeen } from './relations-seen.ts';
import { WorldObjects } from './world-objects.ts';

/** Shared by all worlds. */
export interface LibraryCatalog {
  readonly registry: Registry;
  readonly functions: FunctionCatalog;
  readonly operators: OperatorCatalog;
  /** By `schema.name`. */
  readonly definitions: ReadonlyMap<string, RelationDefinition>;
  readonly definitionsByOid: ReadonlyMap<number, RelationDefinition>;
}

export interface RowSource extends LibraryCatalog {
  readonly schema: Schema;
  readonly objects: WorldObjects;
  /** The relations that rows are computed from. */
  readonly seen: RelationsSeen;
  /** As seen along the session's search path. */
  readonly texts: DefinitionTexts;
  /** Fully qualified, as columns of type pg_node_tree contain expressions. */
  readonly trees: DefinitionTexts;
  readonly session: CatalogSession;
  readonly database: string;
  /** Name of the role with oid 10. */
  readonly owner: string;
}

const libraries = new WeakMap<Registry, LibraryCatalog>();
const worlds = new WeakMap<Schema, WorldObjects>();

/** Its parts are made when they are first needed: most statements name no system relation. */
export function libraryCatalog(registry: Registry): LibraryCatalog {
  let out = libraries.get(registry);
  if (out === undefined) libraries.set(registry, (out = madeWhenNeeded(registry)));
  return out;
}

function madeWhenNeeded(registry: Registry): LibraryCatalog {
  let functions: FunctionCatalog | null = null;
  let operators: OperatorCatalog | null = null;
  let definitions: ReadonlyMap<string, RelationDefinition> | null = null;
  let definitionsByOid: ReadonlyMap<number, RelationDefinition> | null = null;
  const byName = (): ReadonlyMap<string, RelationDefinition> => (definitions ??= relationDefinitions(registry));
  return {
    registry,
    get functions() {
      return (functions ??= new FunctionCatalog(registry));
    },
    get operators() {
      return (operators ??= new OperatorCatalog(registry));
    },
    get definitions() {
      return byName();
    },
    get definitionsByOid() {
      return (definitionsByOid ??= new Map([...byName().values()].map((each) => [each.oid, each])));
    },
  };
}

export function worldObjects(schema: Schema): WorldObjects {
  let out = worlds.get(schema);
  if (out === undefined) worlds.set(schema, (out = new WorldObjects(schema)));
  return out;
}
