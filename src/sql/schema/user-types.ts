/** CREATE, ALTER and DROP of domains and composite types: definitions, and validation of existing rows. */
import { STORED } from '../types/environment.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import {
  type CompositeObject,
  type DomainObject,
  isTypeObject,
  namedNumberName,
  rangeNumberNames,
  type RangeObject,
  type RoutineReference,
  relationOfRowType,
  type TypeObject,
  typeOids,
  typesWithin,
} from '../../worlds/definition.ts';
import { publicName } from '../../worlds/catalog.ts';
import type { SqlTable } from './table.ts';
import type { SqlType } from '../types/type.ts';
import type { Value } from '../types/value.ts';
import { eachRow } from './constraint.ts';
import type { Ddl } from './ddl.ts';
import { putFacts } from './facts.ts';
import { chooseName } from './implicit-name.ts';
import { missing, refuseWideTable, schemaMustExist } from './object-errors.ts';
import { openTemporarySchema } from './temporary-schema.ts';

export interface DomainSpec {
  readonly schema: string;
  readonly name: string;
  readonly base: SqlType;
  readonly typmod: number;
  readonly notNull: boolean;
  readonly default: string | null;
  readonly checks: readonly { readonly name: string | null; readonly condition: string; readonly notValid?: boolean }[];
}

export function refuseTakenType(ddl: Ddl, schema: string, name: string): void {
  openTemporarySchema(ddl, schema);
  schemaMustExist(ddl.schema, schema);
  if (ddl.schema.typeByName(schema, name) !== null || ddl.schema.relation(schema, name) !== null) throw new SvcError('42710', `type "${name}" already exists`);
}

export function createDomain(ddl: Ddl, { schema, name, base, typmod, notNull, default: text, checks }: DomainSpec): void {
  refuseTakenType(ddl, schema, name);
  const object: DomainObject = { what: 'domain', number: 0, array: 0, schema, name, base: base.oid, typmod, notNull, default: text, checks: [] };
  object.number = ddl.numberFor(object);
  object.array = ddl.objects.number(namedNumberName('domain array', schema, name));
  for (const check of checks) object.checks.push(newCheck(ddl, object, check.name, check.condition));
  ddl.put(object);
}

function newCheck(ddl: Ddl, object: DomainObject, given: string | null, condition: string): DomainObject['checks'][number] {
  const taken = (each: string): boolean => object.checks.some((check) => check.name === each);
  if (given !== null && taken(given)) throw new SvcError('42710', `constraint "${given}" for domain "${object.name}" already exists`);
  const name = given ?? chooseName(object.name, null, 'check', taken);
  return { number: ddl.objects.number(namedNumberName('domain check', String(object.number), name)), name, condition };
}

export type DomainChange =
  | { readonly kind: 'default'; readonly text: string | null }
  | { readonly kind: 'notNull'; readonly on: boolean }
  | { readonly kind: 'addCheck'; readonly name: string | null; readonly condition: string; readonly notValid: boolean }
  | { readonly kind: 'dropCheck'; readonly name: string; readonly ifExists: boolean }
  | { readonly kind: 'validate'; readonly name: string }
  | { readonly kind: 'renameCheck'; readonly name: string; readonly to: string };

export function alterDomain(ddl: Ddl, schema: string, name: string, change: DomainChange): void {
  const domain = domainObject(ddl, schema, name);
  const lacking = (check: string): SvcError => new SvcError('42704', `constraint "${check}" of domain "${name}" does not exist`);
  switch (change.kind) {
    case 'default':
      return ddl.put({ ...domain, default: change.text });
    case 'notNull':
      if (change.on && !domain.notNull) {
        eachValue(ddl, domain, (value, column, table) => {
          if (value === null)
            throw new SvcError('23502', `column "${column}" of table "${table.name}" contains null values`, {
              data: { schema: table.schema, table: table.name, column },
            });
        });
      }
      return ddl.put({ ...domain, notNull: change.on });
    case 'addCheck': {
      const check = newCheck(ddl, domain, change.name, change.condition);
      if (!change.notValid) holds(ddl, domain, change.condition);
      return ddl.put({ ...domain, checks: [...domain.checks, change.notValid ? { ...check, notValid: true } : check] });
    }
    case 'dropCheck':
      if (!domain.checks.some((check) => check.name === change.name)) {
        if (!change.ifExists) throw lacking(change.name);
        return ddl.notice('00000', `constraint "${change.name}" of domain "${name}" does not exist, skipping`);
      }
      return ddl.put({ ...domain, checks: domain.checks.filter((check) => check.name !== change.name) });
    case 'validate': {
      const check = domain.checks.find((each) => each.name === change.name);
      if (check === undefined) throw lacking(change.name);
      if (check.notValid !== true) return;
      holds(ddl, domain, check.condition);
      const { notValid: _, ...valid } = check;
      return ddl.put({ ...domain, checks: domain.checks.map((each) => (each === check ? valid : each)) });
    }
    case 'renameCheck': {
      if (!domain.checks.some((check) => check.name === change.name))
        throw new SvcError('42704', `constraint "${change.name}" for domain ${name} does not exist`);
      if (domain.checks.some((check) => check.name === change.to)) throw new SvcError('42710', `constraint "${change.to}" for domain ${name} already exists`);
      return ddl.put({ ...domain, checks: domain.checks.map((check) => (check.name === change.name ? { ...check, name: change.to } : check)) });
    }
  }
}

function holds(ddl: Ddl, domain: DomainObject, condition: string): void {
  const base = ddl.schema.typeByOid(domain.base)!;
  const test = ddl.lookup.domainTest(ddl.schema, base, condition);
  eachValue(ddl, domain, (value, column, table) => {
    if (test(value, STORED) === false)
      throw new SvcError('23514', `column "${column}" of table "${table.name}" contains values that violate the new constraint`, {
        status: 400,
        data: { schema: table.schema, table: table.name, column },
      });
  });
}

/** Values of the domain in all tables, in columns of the domain or of a domain over it. */
function eachValue(ddl: Ddl, domain: DomainObject, visit: (value: Value, column: string, table: SqlTable) => void): void {
  for (const table of ddl.schema.tables.values()) {
    const at = table.columns.flatMap(({ type }, i) => (isOver(type, domain.number) ? [i] : []));
    for (const column of table.columns) {
      if (!isOver(column.type, domain.number) && reaches(ddl, column.type.oid, domain)) {
        throw new SvcError('0A000', `cannot alter type "${domain.name}" because column "${table.name}.${column.name}" uses it`);
      }
    }
    if (at.length > 0) eachRow(ddl, table, (row) => at.forEach((i) => visit(row[i], table.columns[i].name, table)));
  }
}

/** Whether the type is the domain, or one over it. */
export function isOver(type: SqlType, oid: number): boolean {
  return type.oid === oid || (type.domain !== null && isOver(type.domain.base, oid));
}

/** Whether values of the type contain values of the object's: as an element, a field, a bound. */
function reaches(ddl: Ddl, oid: number, object: TypeObject): boolean {
  const seen = new Set<number>();
  const walk = (each: number): boolean => {
    if (typeOids(object).includes(each)) return true;
    if (seen.has(each)) return false;
    seen.add(each);
    for (const other of ddl.definitions.values()) {
      if (isTypeObject(other) && typeOids(other).includes(each)) return typesWithin(other).some(walk);
    }
    const relation = relationOfRowType(each);
    if (relation === null) return false;
    return [...ddl.definitions.values()].some((other) => other.what === 'attribute' && other.table === relation && walk(other.type));
  };
  return walk(oid);
}

export interface Attribute {
  readonly name: string;
  readonly type: SqlType;
  readonly typmod: number;
  /** Name of a non-default collation; it is shown, but fields are compared by code point. */
  readonly collation?: string;
}

export function createComposite(ddl: Ddl, schema: string, name: string, attributes: readonly Attribute[]): void {
  refuseTakenType(ddl, schema, name);
  refuseWideTable(attributes.length);
  attributes.forEach((each, i) => {
    if (attributes.findIndex((other) => other.name === each.name) !== i) throw new SvcError('42701', `column "${each.name}" specified more than once`);
    refusePseudo(each);
  });
  const object: CompositeObject = { what: 'composite', number: 0, array: 0, schema, name, attnums: attributes.length, attributes: [] };
  object.attributes = attributes.map((each, i) => ({ attnum: i + 1, name: each.name, type: each.type.oid, typmod: each.typmod }));
  object.number = ddl.numberFor(object);
  object.array = ddl.objects.number(namedNumberName('composite array', schema, name));
  ddl.put(object);
  attributes.forEach(({ collation }, i) => {
    if (collation !== undefined) putFacts(ddl, object.number, i + 1, { collation });
  });
}

export function refusePseudo({ name, type }: Attribute): void {
  if (type.category === 'P' || type.element?.category === 'P' || type.name === 'unknown')
    throw new SvcError('42P16', `column "${name}" has pseudo-type ${type.title}`);
}

export type CompositeChange =
  | { readonly kind: 'add'; readonly attribute: Attribute }
  | { readonly kind: 'drop'; readonly name: string; readonly ifExists: boolean }
  | { readonly kind: 'rename'; readonly name: string; readonly to: string }
  | { readonly kind: 'type'; readonly attribute: Attribute };

/** ALTER TYPE of attributes. Rows store fields by attnum, so none of it rewrites them. */
export function alterComposite(ddl: Ddl, schema: string, name: string, change: CompositeChange): void {
  const type = compositeObject(ddl, schema, name);
  const has = (each: string): boolean => type.attributes.some((attribute) => attribute.name === each);
  const lacking = (each: string): SvcError => new SvcError('42703', `column "${each}" of relation "${name}" does not exist`);
  switch (change.kind) {
    case 'add': {
      const { attribute } = change;
      if (has(attribute.name)) throw new SvcError('42701', `column "${attribute.name}" of relation "${name}" already exists`);
      refusePseudo(attribute);
      refuseWideTable(type.attributes.length + 1);
      if (reaches(ddl, attribute.type.oid, type)) throw new SvcError('42P16', `composite type ${name} cannot be made a member of itself`);
      const attnum = type.attnums + 1;
      const added = { attnum, name: attribute.name, type: attribute.type.oid, typmod: attribute.typmod };
      ddl.put({ ...type, attnums: attnum, attributes: [...type.attributes, added] });
      if (attribute.collation !== undefined) putFacts(ddl, type.number, attnum, { collation: attribute.collation });
      return;
    }
    case 'drop':
      if (!has(change.name)) {
        if (!change.ifExists) throw lacking(change.name);
        return ddl.notice('00000', `column "${change.name}" of relation "${name}" does not exist, skipping`);
      }
      putFacts(ddl, type.number, type.attributes.find((attribute) => attribute.name === change.name)!.attnum, { collation: undefined });
      return ddl.put({ ...type, attributes: type.attributes.filter((attribute) => attribute.name !== change.name) });
    case 'rename':
      if (!has(change.name)) throw new SvcError('42703', `column "${change.name}" does not exist`);
      if (has(change.to)) throw new SvcError('42701', `column "${change.to}" of relation "${name}" already exists`);
      return ddl.put({ ...type, attributes: type.attributes.map((each) => (each.name === change.name ? { ...each, name: change.to } : each)) });
    case 'type': {
      const { attribute } = change;
      if (!has(attribute.name)) throw lacking(attribute.name);
      refusePseudo(attribute);
      for (const table of ddl.schema.tables.values()) {
        for (const column of table.columns) {
          if (!reaches(ddl, column.type.oid, type)) continue;
          throw new SvcError('0A000', `cannot alter type "${name}" because column "${table.name}.${column.name}" uses it`);
        }
      }
      const changed = { type: attribute.type.oid, typmod: attribute.typmod };
      putFacts(ddl, type.number, type.attributes.find((each) => each.name === attribute.name)!.attnum, { collation: attribute.collation });
      return ddl.put({ ...type, attributes: type.attributes.map((each) => (each.name === attribute.name ? { ...each, ...changed } : each)) });
    }
  }
}

/** The range options of CREATE TYPE … AS RANGE. `difference` and `collation` are catalog-only. */
export interface RangeSpec {
  readonly subtype: SqlType;
  readonly difference?: RoutineReference;
  readonly collation?: string;
}

/** `multirange` null: named after the range type. */
export function createRange(ddl: Ddl, schema: string, name: string, { subtype, difference, collation }: RangeSpec, multirange: string | null): void {
  refuseTakenType(ddl, schema, name);
  if (!subtype.ordered) {
    throw new SvcError('42704', `data type ${subtype.title} has no default operator class for access method "btree"`, {
      hint: 'You must specify an operator class for the range type or define a default operator class for the subtype.',
    });
  }
  const multirangeName = multirange ?? (name.includes('range') ? name.replace('range', 'multirange') : `${name}_multirange`);
  if (multirangeName === name) {
    throw new SvcError('23505', 'duplicate key value violates unique constraint "pg_type_typname_nsp_index"', {
      detail: `Key (typname, typnamespace)=(${name}, ${ddl.schema.schemas.get(schema)}) already exists.`,
    });
  }
  refuseTakenType(ddl, schema, multirangeName);
  const object: RangeObject = { what: 'range', number: 0, array: 0, multirange: 0, multirangeArray: 0, schema, name, multirangeName, subtype: subtype.oid };
  object.number = ddl.numberFor(object);
  const [array, over, overArray] = rangeNumberNames(schema, name, [0, 0, 0]).map(([each]) => ddl.objects.number(each));
  const added = { ...(difference === undefined ? {} : { difference }), ...(collation === undefined ? {} : { collation }) };
  ddl.put({ ...object, array, multirange: over, multirangeArray: overArray, ...added });
}

export function typeObject(ddl: Ddl, schema: string, name: string): TypeObject {
  const number = ddl.schema.ownType(schema, name)?.number;
  if (number === undefined) throw missing('type', name);
  for (const object of ddl.definitions.values()) if (isTypeObject(object) && object.number === number) return object;
  throw missing('type', name);
}

function domainObject(ddl: Ddl, schema: string, name: string): DomainObject {
  const object = typeObject(ddl, schema, name);
  if (object.what !== 'domain') throw new SvcError('42809', `${publicName(schema, name)} is not a domain`);
  return object;
}

function compositeObject(ddl: Ddl, schema: string, name: string): CompositeObject {
  const object = typeObject(ddl, schema, name);
  if (object.what !== 'composite') throw new SvcError('42809', `"${name}" is not a composite type`);
  return object;
}
