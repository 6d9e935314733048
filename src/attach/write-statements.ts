/**
 * The statements of a write-back. Rows are sent as arrays of texts, one a column, and cast by Postgres; images of rows are compared by
 * `record_image_ne`, which takes every type. A value may have two images, as an array that once had a null; where images differ, the texts
 * decide, which are what svc has of a value.
 *
 *   lock keys in order ─► images before ─► all changes in one statement ─► constraints ─► images after
 *
 * All changes are one statement, so that foreign keys are checked when all of them are made, in any order and in circles. Each part waits
 * for those before it: deletes, then updates, then inserts, as unique keys are checked row by row.
 */
import { inQuotes } from '../base/quote-identifier.ts';
import type { AttachedColumn } from '../events/types/attached.ts';
import { sourceName } from './copy-rows.ts';
import type { SentRow, SentTable } from './sent-rows.ts';

export interface Statement {
  readonly text: string;
  readonly values: unknown[];
}

/** Rows as an unnested list `k` with a column `c<i>` a sent column and `n`, the row's place from 1. */
class List {
  readonly values: unknown[] = [];
  readonly from: string;
  readonly #columns: readonly AttachedColumn[];

  constructor(columns: readonly AttachedColumn[], places: readonly number[], rows: readonly (readonly (string | null)[])[], first: number) {
    this.#columns = columns;
    for (const place of places) this.values.push(rows.map((row) => row[place]));
    const arrays = places.map((_, i) => `$${first + i}::pg_catalog.text[]`);
    this.from = `ROWS FROM (${arrays.map((array) => `pg_catalog.unnest(${array})`).join(', ')}) WITH ORDINALITY AS k (${places.map((place) => `c${place}`).join(', ')}, n)`;
  }

  cast(place: number): string {
    return `k.c${place}::${this.#columns[place].type}`;
  }
}

export function places(columns: readonly AttachedColumn[], wanted: (column: AttachedColumn) => boolean): number[] {
  return columns.flatMap((column, i) => (wanted(column) ? [i] : []));
}

function column(name: string): string {
  return `t.${inQuotes(name)}`;
}

function keyTexts({ changed }: SentTable): (readonly (string | null)[])[] {
  return changed.map(({ before, after }) => (before ?? after)!);
}

function joined({ rows: { attached, keyPlaces } }: SentTable, list: List, operators: KeyOperators): string {
  return keyPlaces
    .map((place) => {
      const { name, attnum } = attached.columns[place];
      return `${column(name)} ${operators.get(`${attached.oid}/${attnum}`) ?? '='} ${list.cast(place)}`;
    })
    .join(' AND ');
}

/** Equality of key columns whose operator is not in pg_catalog, as SQL, by `<table>/<column>` in numbers. */
export type KeyOperators = ReadonlyMap<string, string>;

/** Operators of types of extensions are found by name alone where their schema is in the search path, which is empty. */
export function keyOperators(tables: readonly SentTable[]): Statement {
  return {
    text: `SELECT i.indrelid, k.attnum, pg_catalog.format('OPERATOR(%I.%s)', n.nspname, p.oprname)
      FROM pg_catalog.pg_index AS i CROSS JOIN ROWS FROM (pg_catalog.unnest(i.indkey::int2[]), pg_catalog.unnest(i.indclass::oid[])) AS k (attnum, opclass)
        JOIN pg_catalog.pg_opclass AS c ON c.oid = k.opclass
        JOIN pg_catalog.pg_amop AS a ON a.amopfamily = c.opcfamily AND a.amoplefttype = c.opcintype AND a.amoprighttype = c.opcintype AND a.amopstrategy = 3 AND a.amoppurpose = 's'
        JOIN pg_catalog.pg_operator AS p ON p.oid = a.amopopr JOIN pg_catalog.pg_namespace AS n ON n.oid = p.oprnamespace
      WHERE i.indisprimary AND i.indrelid = ANY ($1::oid[]) AND n.nspname <> 'pg_catalog'`,
    values: [tables.map(({ rows }) => String(rows.attached.oid))],
  };
}

/** Locks the rows, in the order of their keys, so that two write-backs do not wait for each other. */
export function lockRows(table: SentTable, operators: KeyOperators): Statement {
  const { attached, keyPlaces } = table.rows;
  const list = new List(attached.columns, keyPlaces, keyTexts(table), 1);
  const order = keyPlaces.map((place) => column(attached.columns[place].name)).join(', ');
  return {
    text: `SELECT pg_catalog.count(*) FROM (SELECT 1 FROM ONLY ${sourceName(attached)} AS t JOIN ${list.from} ON ${joined(table, list, operators)} ORDER BY ${order} FOR UPDATE OF t) AS locked`,
    values: list.values,
  };
}

/**
 * The rows that differ from an image, with the row's place and all columns that are not masked as texts (nulls where there is none, and then
 * false). `image` null: the row should not be there.
 */
export function differingRows(table: SentTable, image: (row: SentRow) => readonly (string | null)[] | null, operators: KeyOperators): Statement {
  const { attached, keyPlaces } = table.rows;
  const { columns } = attached;
  const open = places(columns, ({ mask }) => mask === null);
  const sent = [...new Set([...keyPlaces, ...open])].sort((a, b) => a - b);
  const rows = table.changed.map((row) => image(row) ?? (row.before ?? row.after)!);
  const list = new List(columns, sent, rows, 2);
  const there = table.changed.map((row) => image(row) !== null);
  const exists = `t.${inQuotes(columns[keyPlaces[0]].name)} IS NOT NULL`;
  const [found, wanted] = [open.map((place) => column(columns[place].name)), open.map((place) => list.cast(place))];
  const text = (each: string): string => `(${each})::pg_catalog.text`;
  const differs = `(${imagesDiffer(found, wanted)} AND ${imagesDiffer(found.map(text), wanted.map(text))})`;
  const shown = columns.map(({ name, mask }) => (mask === null ? `${column(name)}::pg_catalog.text` : 'NULL'));
  return {
    text: `SELECT k.n, ${exists}, ${shown.join(', ')} FROM ${list.from} LEFT JOIN ONLY ${sourceName(attached)} AS t ON ${joined(table, list, operators)}
      WHERE CASE WHEN ($1::pg_catalog.bool[])[k.n] THEN NOT (${exists}) OR ${differs} ELSE ${exists} END ORDER BY k.n`,
    values: [there, ...list.values],
  };
}

function imagesDiffer(a: readonly string[], b: readonly string[]): string {
  return `pg_catalog.record_image_ne(ROW(${a.join(', ')}), ROW(${b.join(', ')}))`;
}

/** All changes of all tables; null if there are none. Each row of its result is a count, in the order deletes, updates, inserts of the tables. */
export function applyRows(tables: readonly SentTable[], operators: KeyOperators): Statement {
  const parts: string[] = [];
  const values: unknown[] = [];
  const add = (text: string, list: List): void => {
    parts.push(`p${parts.length} AS (${text} RETURNING 1)`);
    values.push(...list.values);
  };
  const turn = (): string => (parts.length === 0 ? 'true' : `(SELECT pg_catalog.count(*) FROM p${parts.length - 1}) >= 0`);
  for (const table of tables) {
    const gone = table.changed.filter(({ after }) => after === null);
    if (gone.length === 0) continue;
    const list = new List(
      table.rows.attached.columns,
      table.rows.keyPlaces,
      gone.map(({ before }) => before!),
      values.length + 1,
    );
    add(`DELETE FROM ONLY ${sourceName(table.rows.attached)} AS t USING ${list.from} WHERE ${joined(table, list, operators)} AND ${turn()}`, list);
  }
  for (const table of tables) {
    const { attached, keyPlaces } = table.rows;
    const { columns } = attached;
    const updated = table.changed.filter(({ before, after }) => before !== null && after !== null);
    // Only columns that change: others need no privilege, and triggers of theirs do not fire. A key may be written otherwise and be equal.
    const set = places(columns, ({ mask, identity }) => mask === null && identity !== 'always').filter((place) =>
      updated.some(({ before, after }) => before![place] !== after![place]),
    );
    if (set.length === 0) continue;
    const list = new List(
      columns,
      [...new Set([...keyPlaces, ...set])],
      updated.map(({ after }) => after!),
      values.length + 1,
    );
    const assigned = set.map((place) => `${inQuotes(columns[place].name)} = ${list.cast(place)}`).join(', ');
    add(`UPDATE ONLY ${sourceName(attached)} AS t SET ${assigned} FROM ${list.from} WHERE ${joined(table, list, operators)} AND ${turn()}`, list);
  }
  for (const table of tables) {
    const { columns } = table.rows.attached;
    const made = table.changed.filter(({ before }) => before === null);
    if (made.length === 0) continue;
    const all = places(columns, () => true);
    const list = new List(
      columns,
      all,
      made.map(({ after }) => after!),
      values.length + 1,
    );
    const names = all.map((place) => inQuotes(columns[place].name)).join(', ');
    const cells = all.map((place) => list.cast(place)).join(', ');
    add(`INSERT INTO ${sourceName(table.rows.attached)} (${names}) OVERRIDING SYSTEM VALUE SELECT ${cells} FROM ${list.from} WHERE ${turn()}`, list);
  }
  const counts = parts.map((_, i) => `SELECT ${i}, pg_catalog.count(*) FROM p${i}`).join(' UNION ALL ');
  return { text: parts.length === 0 ? 'SELECT 0, 0' : `WITH ${parts.join(', ')} ${counts}`, values };
}

/** Enabled triggers of the tables that fire for these changes: table, name, event. */
export function triggersFired(tables: readonly SentTable[]): Statement {
  const bit = ({ before, after }: SentRow): number => (before === null ? 4 : after === null ? 8 : 16);
  return {
    text: `SELECT c.oid, g.tgname, pg_catalog.concat_ws(' or ', CASE WHEN g.tgtype & 4 <> 0 THEN 'insert' END, CASE WHEN g.tgtype & 8 <> 0 THEN 'delete' END, CASE WHEN g.tgtype & 16 <> 0 THEN 'update' END)
      FROM pg_catalog.pg_trigger AS g JOIN pg_catalog.pg_class AS c ON c.oid = g.tgrelid
        JOIN ROWS FROM (pg_catalog.unnest($1::oid[]), pg_catalog.unnest($2::int4[])) AS k (oid, events) ON k.oid = c.oid AND g.tgtype & k.events <> 0
      WHERE NOT g.tgisinternal AND g.tgenabled IN ('O', 'A') ORDER BY c.oid, g.tgname`,
    values: [tables.map(({ rows }) => String(rows.attached.oid)), tables.map(({ changed }) => String(changed.reduce((bits, row) => bits | bit(row), 0)))],
  };
}
