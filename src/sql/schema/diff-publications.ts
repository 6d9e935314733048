/** Differences of publications as the SQL statements that make them. */
import type { PublicationObject } from '../../worlds/definition.ts';
import { quoteName } from './create-table.ts';
import { nameOf } from './qualified-name.ts';
import type { Schema } from './schema.ts';

function parameters({ insert, update, delete: delete_, truncate, viaRoot }: PublicationObject): string {
  const actions = Object.entries({ insert, update, delete: delete_, truncate }).flatMap(([name, published]) => (published ? [name] : []));
  return `(publish = '${actions.join(', ')}', publish_via_partition_root = ${viaRoot})`;
}

/** What it names, each as the statement names it, by its number. */
function members(schema: Schema, publication: number): Map<number, string> {
  const out = new Map<number, string>();
  for (const each of schema.plain.of('publication table').values()) {
    if (each.publication !== publication) continue;
    const table = schema.tables.get(each.table)!;
    const columns = each.columns?.map((number) => quoteName(table.columns.find((column) => column.number === number)!.name));
    const list = columns === undefined ? '' : ` (${columns.join(', ')})`;
    out.set(each.number, `TABLE ONLY ${nameOf(table)}${list}${each.where === null ? '' : ` WHERE (${each.where})`}`);
  }
  for (const each of schema.plain.of('publication schema').values()) {
    if (each.publication !== publication) continue;
    const name = [...schema.schemas].find(([, number]) => number === each.namespace)?.[0] ?? 'information_schema';
    out.set(each.number, `TABLES IN SCHEMA ${quoteName(name)}`);
  }
  return out;
}

/** Tables and schemas that go have taken their places in publications with them. */
export function publicationsAsSql(before: Schema, after: Schema): string[] {
  const out: string[] = [];
  for (const { number, name } of before.publications.values()) if (!after.publications.has(number)) out.push(`DROP PUBLICATION ${quoteName(name)};`);
  for (const publication of after.publications.values()) {
    const { number, name, allTables } = publication;
    const old = before.publications.get(number);
    const named = members(after, number);
    const list = [...named.values()].join(', ');
    if (old === undefined) {
      const what = allTables ? ' FOR ALL TABLES' : list === '' ? '' : ` FOR ${list}`;
      out.push(`CREATE PUBLICATION ${quoteName(name)}${what} WITH ${parameters(publication)};`);
      continue;
    }
    if (old.name !== name) out.push(`ALTER PUBLICATION ${quoteName(old.name)} RENAME TO ${quoteName(name)};`);
    if (parameters(old) !== parameters(publication)) out.push(`ALTER PUBLICATION ${quoteName(name)} SET ${parameters(publication)};`);
    const had = members(before, number);
    if (list === [...had.values()].join(', ')) continue;
    if (list !== '') out.push(`ALTER PUBLICATION ${quoteName(name)} SET ${list};`);
    else out.push(...[...had.values()].map((each) => `ALTER PUBLICATION ${quoteName(name)} DROP ${each.replace(/( \(.*\))?( WHERE .*)?$/, '')};`));
  }
  return out;
}
