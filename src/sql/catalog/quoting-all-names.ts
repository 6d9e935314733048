/** Names and definitions as a session reads them whose `quote_all_identifiers` is on. */
import { quotingAll } from '../../base/quote-identifier.ts';
import type { CatalogNames } from './catalog-names.ts';

/** The same names, in quotes all of them. It must be one of its own: texts are kept as they were first made. */
export function quotingAllNames(names: CatalogNames): CatalogNames {
  return new Proxy(names, {
    get(target, name) {
      const found = Reflect.get(target, name, target) as unknown;
      return typeof found === 'function' ? (...given: unknown[]): unknown => quotingAll(() => found.apply(target, given) as unknown) : found;
    },
  });
}
