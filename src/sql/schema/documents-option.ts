/**
 * The parameter `documents` of tables: whether records with fields that the table lacks widen it. It is part of the definition and not of
 * `pg_class.reloptions`, since Postgres refuses dumps with a parameter that it does not know; `takes_documents(regclass)` shows it.
 */
import { optionParts } from '../../base/option-text.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import { quoteIdentifier } from '../../base/quote-identifier.ts';
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
  if (open) refuseWithoutId(ddl, table);
  const { documents: _was, ...relation } = relationObject(ddl, number);
  ddl.put(open ? { ...relation, documents: true } : relation);
}

function refuseWithoutId({ schema }: Ddl, table: SqlTable): void {
  const { key, columns, foreign, materialized, inheritance } = table;
  if (inheritance !== null || schema.children(table.number).length > 0) {
    throw new SvcError(
      '0A000',
      `table "${table.name}" cannot hold documents: a field that a record brings would be missing in its ${inheritance === null ? 'children' : 'parents'}`,
      {
        hint: 'Add columns to the whole hierarchy with ALTER TABLE … ADD COLUMN.',
      },
    );
  }
  if (foreign !== undefined || materialized !== null) {
    throw new SvcError('0A000', `${ownedWord(table)} "${table.name}" cannot hold documents: it is a ${tableWord(table)}`);
  }
  if (key.columns.length === 1 && columns[key.columns[0]].type.oid === OID.text && columns[key.columns[0]].folding === undefined) return;
  throw new SvcError('55000', `table "${table.name}" cannot hold documents: its primary key is not one column of type text`, {
    hint: 'Give it a primary key of one column of type text, which will be the id of documents.',
  });
}

/** 55000 for a table that is to be part of a hierarchy: all of its tables have the same columns, which records would widen in one of them. */
export function refuseOpen({ open, name }: SqlTable): void {
  if (open !== true) return;
  throw new SvcError('55000', `table "${name}" takes documents, so it cannot be a parent, a child or a partition`, {
    hint: `Close it first: ALTER TABLE ${quoteIdentifier(name)} SET (documents = off).`,
  });
}

/** 0A000: partitions have the columns of the partitioned table. */
export function refusePartitionedDocuments(options: readonly { readonly namespace: string | null; readonly name: string }[]): void {
  if (!options.some(({ namespace, name }) => namespace === null && name === NAME)) return;
  throw new SvcError('0A000', 'a partitioned table cannot hold documents: a field that a record brings would be missing in its partitions', {
    hint: 'Add columns with ALTER TABLE … ADD COLUMN.',
  });
}
