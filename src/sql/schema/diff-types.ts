/** What makes the types of one schema of those of another: CREATE and ALTER of domains, composites and ranges. */
import type { CompositeObject, DomainObject } from '../../worlds/definition.ts';
import { quoteIdentifier } from '../../base/quote-identifier.ts';
import { nameOf } from './qualified-name.ts';
import type { Schema, UserType } from './schema.ts';

/** Types in an order in which each comes after those that it is made of: they were numbered so. */
export function typesAsSql(before: Schema, after: Schema): string[] {
  return [...after.types.values()].sort((a, b) => a.number - b.number).flatMap((own) => statements(before.types.get(own.number), own, after));
}

function typeText(schema: Schema, oid: number, typmod: number): string {
  const type = schema.typeByOid(oid)!;
  return typmod < 0 ? type.title : `${type.title}${type.formatTypmod(typmod)}`;
}

function statements(old: UserType | undefined, own: UserType, schema: Schema): string[] {
  const { object } = own;
  const name = nameOf(own);
  switch (object.what) {
    case 'enum':
      return [];
    case 'domain':
      if (old?.object.what === 'domain') return domainChanges(old.object, object, name);
      return [
        `CREATE DOMAIN ${name} AS ${typeText(schema, object.base, object.typmod)}${object.default === null ? '' : ` DEFAULT ${object.default}`}${object.notNull ? ' NOT NULL' : ''}${object.checks
          .map((check) => ` CONSTRAINT ${quoteIdentifier(check.name)} CHECK (${check.condition})`)
          .join('')};`,
      ];
    case 'composite':
      if (old?.object.what === 'composite') return compositeChanges(old.object, object, name, schema);
      return [
        `CREATE TYPE ${name} AS (${object.attributes.map((each) => `${quoteIdentifier(each.name)} ${typeText(schema, each.type, each.typmod)}`).join(', ')});`,
      ];
    case 'range': {
      if (old !== undefined) return [];
      const multirange = quoteIdentifier(object.multirangeName);
      return [`CREATE TYPE ${name} AS RANGE (SUBTYPE = ${typeText(schema, object.subtype, -1)}, MULTIRANGE_TYPE_NAME = ${multirange});`];
    }
  }
}

function domainChanges(old: DomainObject, now: DomainObject, name: string): string[] {
  const out: string[] = [];
  const alter = (what: string): void => void out.push(`ALTER DOMAIN ${name} ${what};`);
  if (old.notNull !== now.notNull) alter(`${now.notNull ? 'SET' : 'DROP'} NOT NULL`);
  if (old.default !== now.default) alter(now.default === null ? 'DROP DEFAULT' : `SET DEFAULT ${now.default}`);
  const same = (a: DomainObject['checks'][number], b: DomainObject['checks'][number]): boolean => a.name === b.name && a.condition === b.condition;
  for (const check of old.checks) if (!now.checks.some((each) => same(each, check))) alter(`DROP CONSTRAINT ${quoteIdentifier(check.name)}`);
  for (const check of now.checks) {
    if (!old.checks.some((each) => same(each, check)))
      alter(`ADD CONSTRAINT ${quoteIdentifier(check.name)} CHECK (${check.condition})${check.notValid ? ' NOT VALID' : ''}`);
  }
  return out;
}

function compositeChanges(old: CompositeObject, now: CompositeObject, name: string, schema: Schema): string[] {
  const out: string[] = [];
  const alter = (what: string): void => void out.push(`ALTER TYPE ${name} ${what};`);
  for (const each of old.attributes) if (!now.attributes.some(({ attnum }) => attnum === each.attnum)) alter(`DROP ATTRIBUTE ${quoteIdentifier(each.name)}`);
  for (const each of now.attributes) {
    const was = old.attributes.find(({ attnum }) => attnum === each.attnum);
    const type = typeText(schema, each.type, each.typmod);
    if (was === undefined) alter(`ADD ATTRIBUTE ${quoteIdentifier(each.name)} ${type}`);
    else {
      if (was.name !== each.name) alter(`RENAME ATTRIBUTE ${quoteIdentifier(was.name)} TO ${quoteIdentifier(each.name)}`);
      if (was.type !== each.type || was.typmod !== each.typmod) alter(`ALTER ATTRIBUTE ${quoteIdentifier(each.name)} TYPE ${type}`);
    }
  }
  return out;
}
