/** The qualified name of an object; names in `public` are unqualified. */
import { quoteIdentifier } from '../../base/quote-identifier.ts';

export function nameOf({ schema, name }: { readonly schema: string; readonly name: string }): string {
  return schema === 'public' ? quoteIdentifier(name) : `${quoteIdentifier(schema)}.${quoteIdentifier(name)}`;
}
