/** The parents of a table: tables that it inherits from, and the partitioned table that it belongs to. Its rows are part of theirs. */
import type { Catalog, Table } from './catalog.ts';

/** The table's own name and those of all its ancestors. */
export function lineage(catalog: Catalog, table: Table): Set<string> {
  const names = new Set([table.name]);
  const queue = [...(table.relation?.object.parents ?? [])];
  for (let number = queue.shift(); number !== undefined; number = queue.shift()) {
    const above = catalog.byNumber.get(number);
    if (above === undefined || names.has(above.name)) continue;
    names.add(above.name);
    queue.push(...(above.relation?.object.parents ?? []));
  }
  return names;
}

/** The table's own number and those of all its ancestors. */
export function lineageNumbers(catalog: Catalog, table: Table): Set<number> {
  const numbers = new Set([table.number]);
  // Iterating a set includes elements added meanwhile.
  for (const number of numbers) for (const parent of catalog.byNumber.get(number)?.relation?.object.parents ?? []) numbers.add(parent);
  return numbers;
}

/** The names, and those of all descendants in any of the catalogs. */
export function withMembers(names: readonly string[], catalogs: readonly Catalog[]): Set<string> {
  const all = new Set(names);
  for (const catalog of catalogs) {
    for (const table of catalog.tables.values()) {
      if (table.relation?.object.parents === undefined || all.has(table.name)) continue;
      for (const name of lineage(catalog, table)) if (all.has(name)) all.add(table.name);
    }
  }
  return all;
}
