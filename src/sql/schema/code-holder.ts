/** Which object answers for the code in a definition: expressions, bodies, and what decides which function a text calls. */
import type { CatalogObject } from '../../worlds/definition.ts';

/** Number of the object; null: the definition holds no code. */
export function codeHolder(object: CatalogObject): number | null {
  switch (object.what) {
    case 'attribute':
      return object.default === null && object.generated === null ? null : object.table;
    case 'index':
    case 'check':
    case 'policy':
    case 'rule':
    case 'trigger':
      return object.table;
    case 'relation':
      return object.query === undefined ? null : object.number;
    case 'view':
    case 'function':
    case 'domain':
    case 'base':
    case 'range':
    case 'operator':
    case 'operator family':
    case 'operator class':
    case 'family operator':
    case 'family function':
    case 'cast':
    case 'event trigger':
    case 'conversion':
    case 'extended statistics':
      return object.number;
    default:
      return null;
  }
}
