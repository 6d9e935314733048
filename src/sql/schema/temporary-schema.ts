/** The schema of a session's temporary objects, created with the first of them. */
import { isTemporarySchema, type SchemaObject } from '../../worlds/definition.ts';
import type { Ddl } from './ddl.ts';

export function openTemporarySchema(ddl: Ddl, schema: string): void {
  if (!isTemporarySchema(schema) || ddl.schema.schemas.has(schema)) return;
  const object: SchemaObject = { what: 'schema', number: 0, name: schema };
  object.number = ddl.numberFor(object);
  ddl.put(object);
}
