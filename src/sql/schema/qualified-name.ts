/** The name of an object as a statement writes it: with its schema, but for `public`. */
import { quoteIdentifier } from '../../base/quote-identifier.ts';

export function nameOf({ schema, name }: { readonly schema: string; readonly name: string }): string {
  return schema === 'public' ? quoteIdentifier(name) : `${quoteIdentifier(schema)}.${quoteIdentifier(name)}`;
}
