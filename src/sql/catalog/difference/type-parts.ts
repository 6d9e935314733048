/** User-defined types: CREATE TYPE and CREATE DOMAIN, and changes of them. */
import { quoteIdentifier, quoteString } from '../../../base/quote-identifier.ts';
import { type BaseObject, type CompositeObject, type DomainObject, type EnumObject, routinesWithin, type TypeObject } from '../../../worlds/definition.ts';
import { factsOf } from '../../schema/facts.ts';
import type { UserType } from '../../schema/schema.ts';
import { domainTable, withValue } from '../user-type-rows.ts';
import { routineName } from './routine-parts.ts';
import { type Changes, Part, PLACE, renamed, type Side } from './part.ts';

export function typeParts(side: Side, other: Side): Part[] {
  return [...side.schema.types.values()].map((own): Part => {
    const { number, object } = own;
    const name = typeText(side, number, -1);
    const word = object.what === 'domain' ? 'DOMAIN' : 'TYPE';
    // Its functions, which refer to it, are dropped with it.
    const cascade = object.what === 'base' && object.made !== null ? ' CASCADE' : '';
    return new Part({
      target: { kind: 'type', number },
      number,
      place: PLACE.shapes,
      owner: null,
      title: `type ${name}`,
      called: `${word} ${name}`,
      text: () => ({
        body: JSON.stringify(object),
        make: object.what === 'base' ? baseStatements(side, object, name) : [`CREATE ${word} ${name} ${definition(side, own, object)};`],
      }),
      drop: `DROP ${word} ${name}${cascade};`,
      change: () => changes(other, side, number),
    });
  });
}

function typeText({ names, schema }: Side, oid: number, typmod: number): string {
  return names.typeTitle(oid, typmod) ?? schema.typeByOid(oid)?.title ?? String(oid);
}

function checkText({ names }: Side, own: UserType, condition: string): string {
  return `CHECK (${withValue(names.texts.expression(domainTable(own as Parameters<typeof domainTable>[0]), condition, false))})`;
}

/** A shell, the I/O functions, and then the type itself. */
function baseStatements(side: Side, { made, number }: BaseObject, name: string): string[] {
  const shell = `CREATE TYPE ${name};`;
  if (made === null) return [shell];
  const { schema, names } = side;
  const functions = functionsOfTypes(schema);
  const called = (oid: number): string => names.functionName(oid) ?? String(oid);
  const parts = [`INPUT = ${called(made.input)}`, `OUTPUT = ${called(made.output)}`];
  for (const [word, oid] of [
    ['RECEIVE', made.receive],
    ['SEND', made.send],
    ['ANALYZE', made.analyze],
  ] as const) {
    if (oid !== 0) parts.push(`${word} = ${called(oid)}`);
  }
  parts.push(`INTERNALLENGTH = ${made.length === -1 ? 'VARIABLE' : made.length}`);
  if (made.byValue) parts.push('PASSEDBYVALUE');
  parts.push(`ALIGNMENT = ${ALIGNMENTS[made.align]}`, `STORAGE = ${STORAGES[made.storage]}`, `CATEGORY = ${quoteString(made.category)}`);
  if (made.preferred) parts.push('PREFERRED = true');
  if (made.default !== null) parts.push(`DEFAULT = ${quoteString(made.default)}`);
  if (made.delimiter !== ',') parts.push(`DELIMITER = ${quoteString(made.delimiter)}`);
  if (made.collatable) parts.push('COLLATABLE = true');
  const own = [...functions].flatMap(([oid, type]) => (type === number ? [`${names.functionDefinition(oid)!.trim()};`] : []));
  return [shell, ...own.map((each) => each.replace(/^CREATE OR REPLACE /, 'CREATE ')), `CREATE TYPE ${name} (${parts.join(', ')});`];
}

const ALIGNMENTS: Readonly<Record<string, string>> = { c: 'char', s: 'int2', i: 'int4', d: 'double' };
const STORAGES: Readonly<Record<string, string>> = { p: 'plain', e: 'external', x: 'extended', m: 'main' };

/** I/O functions of base types, with the numbers of these. */
export function functionsOfTypes(schema: Side['schema']): ReadonlyMap<number, number> {
  const out = new Map<number, number>();
  for (const { object } of schema.types.values()) {
    if (object.what === 'base') for (const routine of routinesWithin(object)) out.set(routine, object.number);
  }
  return out;
}

function definition(side: Side, own: UserType, object: Exclude<TypeObject, BaseObject>): string {
  switch (object.what) {
    case 'enum':
      return `AS ENUM (${labelsOf(object).map(quoteString).join(', ')})`;
    case 'domain': {
      const collation = factsOf(side.schema, object.number)?.collation;
      const parts = [`AS ${typeText(side, object.base, object.typmod)}`];
      if (collation !== undefined) parts.push(`COLLATE ${quoteIdentifier(collation)}`);
      if (object.default !== null) parts.push(`DEFAULT ${object.default}`);
      if (object.notNull) parts.push('NOT NULL');
      for (const check of object.checks) parts.push(`CONSTRAINT ${quoteIdentifier(check.name)} ${checkText(side, own, check.condition)}`);
      return parts.join(' ');
    }
    case 'composite':
      return `AS (${object.attributes.map((each) => `${quoteIdentifier(each.name)} ${attributeText(side, object, each)}`).join(', ')})`;
    case 'range': {
      const parts = [`SUBTYPE = ${typeText(side, object.subtype, -1)}`];
      if (object.collation !== undefined) parts.push(`COLLATION = ${quoteIdentifier(object.collation)}`);
      if (object.difference !== undefined) parts.push(`SUBTYPE_DIFF = ${routineName(side, object.difference)}`);
      return `AS RANGE (${[...parts, `MULTIRANGE_TYPE_NAME = ${quoteIdentifier(object.multirangeName)}`].join(', ')})`;
    }
  }
}

function attributeText(side: Side, { number }: CompositeObject, { attnum, type, typmod }: CompositeObject['attributes'][number]): string {
  const collation = factsOf(side.schema, number, attnum)?.collation;
  return `${typeText(side, type, typmod)}${collation === undefined ? '' : ` COLLATE ${quoteIdentifier(collation)}`}`;
}

function labelsOf({ labels }: EnumObject): string[] {
  return labels.toSorted((a, b) => a.order - b.order).map(({ label }) => label);
}

function changes(before: Side, after: Side, number: number): Changes | null {
  const [was, now] = [before.schema.types.get(number)!, after.schema.types.get(number)!];
  const word = now.object.what === 'domain' ? 'DOMAIN' : 'TYPE';
  const ahead = renamed(`ALTER ${word}`, was, now);
  const name = typeText(after, number, -1);
  if (was.object.what === 'domain' && now.object.what === 'domain') return domainChanges(after, now, was.object, now.object, name, ahead);
  if (was.object.what === 'composite' && now.object.what === 'composite') ahead.push(...compositeChanges(after, was.object, now.object, name));
  else if (was.object.what === 'enum' && now.object.what === 'enum') ahead.push(...enumChanges(was.object, now.object, name));
  else if (was.object.what === 'base' && now.object.what === 'base') {
    const isSame = JSON.stringify(was.object.made) === JSON.stringify(now.object.made);
    if (!isSame) return null;
  } else if (was.object.what !== 'range') return null;
  return { ahead, behind: [] };
}

/** A label is identified by its position in the order, which is constant. */
function enumChanges(old: EnumObject, now: EnumObject, name: string): string[] {
  const out: string[] = [];
  for (const { label, order } of old.labels)
    if (!now.labels.some((each) => each.order === order)) out.push(`-- label ${quoteString(label)} of type ${name} stays: an enum type loses none`);
  const labels = now.labels.toSorted((a, b) => a.order - b.order);
  labels.forEach(({ label, order }, i) => {
    const was = old.labels.find((each) => each.order === order);
    if (was === undefined) {
      const beside =
        i === 0 ? ` BEFORE ${quoteString(old.labels.toSorted((a, b) => a.order - b.order)[0]?.label ?? '')}` : ` AFTER ${quoteString(labels[i - 1].label)}`;
      out.push(`ALTER TYPE ${name} ADD VALUE ${quoteString(label)}${beside};`);
    } else if (was.label !== label) out.push(`ALTER TYPE ${name} RENAME VALUE ${quoteString(was.label)} TO ${quoteString(label)};`);
  });
  return out;
}

/** Its constraints are checked once rows are written. */
function domainChanges(side: Side, nowType: UserType, old: DomainObject, now: DomainObject, name: string, ahead: string[]): Changes {
  const behind: string[] = [];
  const alter = (what: string): void => void ahead.push(`ALTER DOMAIN ${name} ${what};`);
  const later = (what: string): void => void behind.push(`ALTER DOMAIN ${name} ${what};`);
  if (old.notNull && !now.notNull) alter('DROP NOT NULL');
  if (!old.notNull && now.notNull) later('SET NOT NULL');
  if (old.default !== now.default) alter(now.default === null ? 'DROP DEFAULT' : `SET DEFAULT ${now.default}`);
  const same = (a: DomainObject['checks'][number], b: DomainObject['checks'][number]): boolean => a.name === b.name && a.condition === b.condition;
  for (const check of old.checks) if (!now.checks.some((each) => same(each, check))) alter(`DROP CONSTRAINT ${quoteIdentifier(check.name)}`);
  for (const check of now.checks) {
    if (!old.checks.some((each) => same(each, check)))
      later(`ADD CONSTRAINT ${quoteIdentifier(check.name)} ${checkText(side, nowType, check.condition)}${check.notValid === true ? ' NOT VALID' : ''}`);
  }
  return { ahead, behind };
}

function compositeChanges(side: Side, old: CompositeObject, now: CompositeObject, name: string): string[] {
  const out: string[] = [];
  const alter = (what: string): void => void out.push(`ALTER TYPE ${name} ${what};`);
  for (const each of old.attributes) if (!now.attributes.some(({ attnum }) => attnum === each.attnum)) alter(`DROP ATTRIBUTE ${quoteIdentifier(each.name)}`);
  for (const each of now.attributes) {
    const was = old.attributes.find(({ attnum }) => attnum === each.attnum);
    const type = attributeText(side, now, each);
    if (was === undefined) alter(`ADD ATTRIBUTE ${quoteIdentifier(each.name)} ${type}`);
    else {
      if (was.name !== each.name) alter(`RENAME ATTRIBUTE ${quoteIdentifier(was.name)} TO ${quoteIdentifier(each.name)}`);
      if (was.type !== each.type || was.typmod !== each.typmod) alter(`ALTER ATTRIBUTE ${quoteIdentifier(each.name)} TYPE ${type}`);
    }
  }
  return out;
}
