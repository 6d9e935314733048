/** Differences of publications as SQL statements. */
import type { PublicationObject } from '../../../worlds/definition.ts';
import { quoteIdentifier } from '../../../base/quote-identifier.ts';
import { nameOf } from '../../schema/qualified-name.ts';
import type { Schema } from '../../schema/schema.ts';

function parameters({ insert, update, delete: delete_, truncate, viaRoot }: PublicationObject): string {
  const actions = Object.entries({ insert, update, delete: delete_, truncate }).flatMap(([name, published]) => (published ? [name] : []));
  return `(publish = '${actions.join(', ')}', publish_via_partition_root = ${viaRoot})`;
}

/** A table or schema of a publication, with its options. */
interface Member {
  /** Number of the table or schema. */
  readonly of: number;
  readonly name: string;
  readonly rest: string;
}

function members(schema: Schema, publication: number): Member[] {
  const out: Member[] = [];
  for (const each of schema.plain.of('publication table').values()) {
    if (each.publication !== publication) continue;
    const table = schema.tables.get(each.table)!;
    const columns = each.columns?.map((number) => quoteIdentifier(table.columns.find((column) => column.number === number)!.name));
    const list = columns === undefined ? '' : ` (${columns.join(', ')})`;
    out.push({ of: each.table, name: `TABLE ONLY ${nameOf(table)}`, rest: `${list}${each.where === null ? '' : ` WHERE (${each.where})`}` });
  }
  for (const each of schema.plain.of('publication schema').values()) {
    if (each.publication !== publication) continue;
    const name = schema.schemaName(each.namespace) ?? 'information_schema';
    out.push({ of: each.namespace, name: `TABLES IN SCHEMA ${quoteIdentifier(name)}`, rest: '' });
  }
  return out;
}

function listed(all: readonly Member[]): string {
  return all.map(({ name, rest }) => name + rest).join(', ');
}

/** Dropped tables and schemas have already left their publications. */
export function publicationsAsSql(before: Schema, after: Schema): { readonly gone: string[]; readonly made: string[] } {
  const gone: string[] = [];
  const made: string[] = [];
  for (const { number, name } of before.publications.values()) if (!after.publications.has(number)) gone.push(`DROP PUBLICATION ${quoteIdentifier(name)};`);
  for (const publication of after.publications.values()) {
    const { number, name, allTables } = publication;
    const old = before.publications.get(number);
    const list = listed(members(after, number));
    if (old === undefined) {
      const what = allTables ? ' FOR ALL TABLES' : list === '' ? '' : ` FOR ${list}`;
      made.push(`CREATE PUBLICATION ${quoteIdentifier(name)}${what} WITH ${parameters(publication)};`);
      continue;
    }
    if (old.name !== name) made.push(`ALTER PUBLICATION ${quoteIdentifier(old.name)} RENAME TO ${quoteIdentifier(name)};`);
    if (parameters(old) !== parameters(publication)) made.push(`ALTER PUBLICATION ${quoteIdentifier(name)} SET ${parameters(publication)};`);
    const had = members(before, number);
    if (list === listed(had)) continue;
    if (list !== '') made.push(`ALTER PUBLICATION ${quoteIdentifier(name)} SET ${list};`);
    const left = had.filter(({ of }) => after.tables.has(of) || [...after.schemas.values()].includes(of));
    if (list === '') made.push(...left.map((each) => `ALTER PUBLICATION ${quoteIdentifier(name)} DROP ${each.name};`));
  }
  return { gone, made };
}
