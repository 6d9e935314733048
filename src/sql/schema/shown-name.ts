/** Names in messages: without their schema where the search path leads to them. */
import type { Ddl } from './ddl.ts';

export function shownName({ schema: definitions, path }: Pick<Ddl, 'schema' | 'path'>, schema: string, name: string): string {
  for (const place of path) {
    if (place === schema) return name;
    // Hidden by what the path comes to before.
    if (definitions.relation(place, name) !== null || definitions.ownType(place, name) !== null) break;
  }
  return `${schema}.${name}`;
}
