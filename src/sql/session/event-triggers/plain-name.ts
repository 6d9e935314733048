/** A name as it is, of one that is written in SQL. */
export function plainName(written: string): string {
  return written.startsWith('"') ? written.slice(1, -1).replaceAll('""', '"') : written;
}
