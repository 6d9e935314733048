/** The name of an object as a statement writes it: with its schema, but for `public`. */
import { quoteName } from './create-table.ts';

export function nameOf({ schema, name }: { readonly schema: string; readonly name: string }): string {
  return schema === 'public' ? quoteName(name) : `${quoteName(schema)}.${quoteName(name)}`;
}
