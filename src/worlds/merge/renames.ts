/** Objects renamed in a merge's result compared to one side: that side's texts must be rewritten. */
import type { Catalog } from '../catalog.ts';
import { type AttributeObject, type CatalogObject, isTypeObject, rowTypeOid } from '../definition.ts';
import type { NewName, Renames } from '../typed-tables.ts';
import type { Objects } from './definition-names.ts';

export interface FoundRenames {
  readonly renames: Renames;
  /** Old names: every text to rewrite contains one of them. */
  readonly words: readonly string[];
}

/** null if no object is renamed. */
export function renamesTo(side: Catalog, result: Objects): FoundRenames | null {
  const relations = new Map<number, { number: number; to?: NewName; columns: { from: string; to: string }[] }>();
  const functions = new Map<number, NewName>();
  const types = new Map<number, NewName>();
  const words: string[] = [];
  const relation = (number: number): { number: number; to?: NewName; columns: { from: string; to: string }[] } => {
    const known = relations.get(number) ?? { number, columns: [] };
    relations.set(number, known);
    return known;
  };
  for (const [key, was] of side.objects) {
    const is = result.get(key);
    if (is === undefined || is === was) continue;
    if (was.what === 'attribute') {
      if (was.name !== (is as AttributeObject).name) relation(was.table).columns.push({ from: was.name, to: (is as AttributeObject).name });
      continue;
    }
    if (was.what === 'view' && is.what === 'view' && was.columns.length <= is.columns.length) {
      was.columns.forEach(({ name }, i) => {
        if (name !== is.columns[i].name) relation(was.number).columns.push({ from: name, to: is.columns[i].name });
      });
    }
    const to = newName(was, is);
    if (to === null) continue;
    if (was.what === 'relation' || was.what === 'view') {
      relation(was.number).to = to;
      types.set(rowTypeOid(was.number), to);
      words.push(was.name);
    } else if (was.what === 'function') {
      functions.set(was.number, to);
      words.push(was.name);
    } else if (isTypeObject(was)) {
      types.set(was.number, to);
      words.push(was.name);
    }
  }
  return relations.size + functions.size + types.size === 0 ? null : { renames: { relations, functions, types }, words };
}

function newName(was: CatalogObject, is: CatalogObject): NewName | null {
  if (!('name' in was) || !('name' in is) || !('schema' in was) || !('schema' in is)) return null;
  return was.name === is.name && was.schema === is.schema ? null : { schema: is.schema, name: is.name };
}
