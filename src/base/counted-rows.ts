/** How many rows of a table changed, in words that all entrances share. */
export function countedRows(count: { readonly table: string; readonly deleted: number; readonly updated: number; readonly inserted: number }): string {
  return `${count.table}: ${count.deleted} deleted, ${count.updated} updated, ${count.inserted} inserted`;
}
