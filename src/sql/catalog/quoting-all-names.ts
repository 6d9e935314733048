/** Names and definitions for a session with `quote_all_identifiers` on. */
import { quotingAll } from '../../base/quote-identifier.ts';
import type { CatalogNames } from './catalog-names.ts';

/** The same names, always quoted. A separate object, since texts are cached. */
export function quotingAllNames(names: CatalogNames): CatalogNames {
  return new Proxy(names, {
    get(target, name) {
      const found = Reflect.get(target, name, target) as unknown;
      return typeof found === 'function' ? (...given: unknown[]): unknown => quotingAll(() => found.apply(target, given) as unknown) : found;
    },
  });
}
