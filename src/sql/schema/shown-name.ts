/** Names in messages: unqualified if the search path finds them. */
import type { Ddl } from './ddl.ts';

export function shownName({ schema: definitions, path }: Pick<Ddl, 'schema' | 'path'>, schema: string, name: string): string {
  for (const place of path) {
    if (place === schema) return name;
    // Shadowed by an earlier schema of the path.
    if (definitions.relation(place, name) !== null || definitions.ownType(place, name) !== null) break;
  }
  return `${schema}.${name}`;
}
