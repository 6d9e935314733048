/** Tables above a table: those that it inherits from, and the partitioned one that it is part of. Its rows are theirs, too. */
import type { Catalog, Table } from './catalog.ts';

/** The table's own name, then those of all tables above it. */
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

/** The table's own number, then those of all tables above it. */
export function lineageNumbers(catalog: Catalog, table: Table): Set<number> {
  const numbers = new Set([table.number]);
  // A set is walked with what is added on the way.
  for (const number of numbers) for (const parent of catalog.byNumber.get(number)?.relation?.object.parents ?? []) numbers.add(parent);
  return numbers;
}

/** The names, and those of all tables below them in any of the catalogs. */
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
