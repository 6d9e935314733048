/** Names, oids and columns of all system relations of PostgreSQL 15, and of the views of extensions. */
import type { Registry } from '../functions/registry.ts';
import { TEXT } from '../types/texts.ts';
import type { SqlType } from '../types/type.ts';
import { UNTYPED } from './catalog-types.ts';
import { EXTENSION_RELATIONS } from './extension-relations.ts';
import { RELATIONS } from './data/relations.ts';

export interface RelationDefinition {
  readonly oid: number;
  readonly schema: 'pg_catalog' | 'information_schema';
  readonly name: string;
  /** pg_class.relkind: r or v. */
  readonly kind: string;
  readonly columns: readonly { readonly name: string; readonly type: SqlType; readonly notNull: boolean }[];
  /** Columns that clients look rows up by. */
  readonly hashed: readonly number[];
}

/** Besides `oid`, and columns that end in `relid`. */
const LOOKED_UP = new Set(
  `relname typname proname nspname rolname datname extname attrelid adrelid enumtypid objoid objid refobjid aggfnoid typelem typarray
  relnamespace conname attname contypid collname lanname amname oprname refclassid indexrelid indrelid conrelid confrelid conindid castsource usename schemaname tablename viewname table_name table_schema`.split(
    /\s+/,
  ),
);

function looksUp(name: string): boolean {
  return name === 'oid' || name.endsWith('relid') || LOOKED_UP.has(name) || name === 'ev_class' || name === 'inhparent';
}

const known = new WeakMap<Registry, ReadonlyMap<string, RelationDefinition>>();

/** By `schema.name`. */
export function relationDefinitions(registry: Registry): ReadonlyMap<string, RelationDefinition> {
  let out = known.get(registry);
  if (out !== undefined) return out;
  const made = new Map<string, RelationDefinition>();
  for (const line of `${RELATIONS}\n${EXTENSION_RELATIONS}`.split('\n')) {
    const [oid, kind, scope, name, ...parts] = line.split(' ');
    const columns = parts.map((part) => {
      const notNull = part.endsWith('!');
      const colon = part.lastIndexOf(':');
      const type = part.slice(colon + 1, notNull ? -1 : undefined);
      return { name: part.slice(0, colon), type: registry.findType(type) ?? UNTYPED[type] ?? TEXT, notNull };
    });
    const schema = scope === 'c' ? 'pg_catalog' : 'information_schema';
    const hashed = columns.flatMap((column, i) => (looksUp(column.name) && column.type.hashable ? [i] : []));
    made.set(`${schema}.${name}`, { oid: Number(oid), schema, name, kind, columns, hashed });
  }
  out = made;
  known.set(registry, out);
  return out;
}
