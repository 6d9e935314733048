/** What an attached Postgres says of a merge that is only tried, in sentences that all entrances share. */

/** Of a dry run: `postgres`. */
export interface PostgresAnswer {
  /** Host, port and database. */
  readonly source: string;
  /** When it answered, ISO 8601. */
  readonly at: string;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly triggers: readonly { readonly table: string; readonly name: string; readonly event: string }[];
  readonly summary: readonly { readonly table: string; readonly deleted: number; readonly updated: number; readonly inserted: number }[];
  readonly rows: readonly { readonly key: string; readonly changed: boolean; readonly postgres: object | null }[];
}

/** Whether Postgres would take the merge, else its error. */
export function verdictOf({ source, at, error, rows }: PostgresAnswer): string {
  const where = source === '' ? 'Postgres' : `Postgres at ${source}`;
  if (error !== null) return `${where} would not take the merge (${at}): ${error.code} ${error.message}`;
  const moved = rows.filter(({ changed }) => changed).length;
  const first = moved === 0 ? '' : ` once main has ${moved === 1 ? 'a row' : `${moved} rows`} that changed there: what both sides changed is a conflict then`;
  return `${where} would take the merge (${at})${first}`;
}

export function triggersOf({ triggers }: PostgresAnswer): string[] {
  return triggers.map(({ table, name, event }) => `trigger ${name} of ${table} fires on ${event}`);
}

/** Why Postgres has another row: it changed since it was read, so that a merge meets it as a conflict, or triggers make something else of it. */
export function differenceOf({ changed, postgres }: PostgresAnswer['rows'][number]): string {
  if (changed) return postgres === null ? 'deleted in Postgres since it was read' : 'changed in Postgres since it was read';
  return postgres === null ? 'triggers of Postgres would leave no such row' : 'triggers of Postgres would make this of it';
}
