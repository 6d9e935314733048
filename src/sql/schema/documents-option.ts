/**
 * The parameter `documents` of tables: whether records with fields that the table lacks widen it. It is part of the definition and not of
 * `pg_class.reloptions`, since Postgres refuses dumps with a parameter that it does not know; `takes_documents(regclass)` shows it.
 */
import { optionParts } from '../../base/option-text.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import { relationObject } from './alter-table.ts';
import type { Ddl } from './ddl.ts';
import { OID } from './oids.ts';
import { ownedWord, type SqlTable, tableWord } from './table.ts';

const NAME = 'documents';

/** Parameters without this one, and its value; null if it is not among them. `texts`: `name=value` each. */
export function withoutDocuments(
  texts: readonly string[],
  isOn: (value: string) => boolean,
): { readonly others: string[]; readonly documents: boolean | null } {
  const others = texts.filter((text) => optionParts(text)[0] !== NAME);
  const own = texts.find((text) => optionParts(text)[0] === NAME);
  return { others, documents: own === undefined ? null : isOn(optionParts(own)[1]) };
}

/** 55000 unless the table's primary key is one column of type text. */
export function setDocuments(ddl: Ddl, number: number, open: boolean): void {
  const known = ddl.schema.tables.get(number)!;
  if ((known.open === true) === open) return;
  const table = ddl.definedTable(number);
  if (open) refuseWithoutId(table);
  const { documents: _was, ...relation } = relationObject(ddl, number);
  ddl.put(open ? { ...relation, documents: true } : relation);
}

function refuseWithoutId(table: SqlTable): void {
  const { key, columns, foreign, materialized, inheritance } = table;
  if (foreign !== undefined || materialized !== null || inheritance !== null) {
    const word = inheritance === null ? tableWord(table) : 'part of a hierarchy';
    throw new SvcError('0A000', `${ownedWord(table)} "${table.name}" cannot hold documents: it is a ${word}`);
  }
  if (key.columns.length === 1 && columns[key.columns[0]].type.oid === OID.text && columns[key.columns[0]].folding === undefined) return;
  throw new SvcError('55000', `table "${table.name}" cannot hold documents: its primary key is not one column of type text`, {
    hint: 'Give it a primary key of one column of type text, which will be the id of documents.',
  });
}

/** 0A000: rows that lack the id's cell cannot be rows of a hierarchy. */
export function refuseDocumentsBelow({ document, name, columns }: SqlTable): void {
  if (!document) return;
  throw new SvcError('0A000', `"${name}" is a table of documents and cannot be a child or partition`, {
    hint: `Store the ids as a column first: ALTER TABLE "${name}" ALTER COLUMN "${columns[0].name}" TYPE varchar.`,
  });
}
