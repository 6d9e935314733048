/** pg_type, pg_constraint and information_schema of user-defined types: enums, domains, composites, row types. */
import { domainCollation } from '../schema/facts.ts';
import { collationNumber, shownCollation } from './collation-rows.ts';
import { type BaseTypeParts, rowArrayOid, rowTypeOid } from '../../worlds/definition.ts';
import type { Registry } from '../functions/registry.ts';
import { btreeClass } from './operator-catalog.ts';
import type { Acl } from '../schema/acl.ts';
import type { Schema, UserType } from '../schema/schema.ts';
import { plainColumn } from '../schema/schema.ts';
import type { SqlTable } from '../schema/table.ts';
import type { SqlType } from '../types/type.ts';
import type { Value } from '../types/value.ts';
import type { DefinitionTexts } from './definition-texts.ts';
import { typeFacts, type TypeFacts } from './facts.ts';
import { describeType } from './information-types.ts';
import type { Row } from './made-relation.ts';
import { INFORMATION_SCHEMA, OWNER, PG_CATALOG } from './fixed-oids.ts';
import { RELATION_EXTENSIONS } from './extension-relations.ts';
import { relationDefinitions } from './relation-definitions.ts';
import type { FunctionCatalog } from './function-catalog.ts';
import { routineOid } from './user-operator-rows.ts';
import { layoutOf, type OwnParts, typeRow } from './type-rows.ts';

/** Forms of types without functions of their own. */
export const ARRAY = { input: 750, output: 751, receive: 2400, send: 2401, analyze: 3816, subscript: 6179 };
const ENUM = { input: 3506, output: 3507, receive: 3532, send: 3533 };
export const DOMAIN = { input: 2597, receive: 2598 };
const RECORD = { input: 2290, output: 2291, receive: 2402, send: 2403 };
const RANGE = { input: 3834, output: 3835, receive: 3836, send: 3837 };
const MULTIRANGE = { input: 4231, output: 4232, receive: 4233, send: 4234 };
/** Of a shell type: shell_in and shell_out. */
const SHELL = { input: 2398, output: 2399, receive: 0, send: 0, length: 4, byValue: true, align: 'i', storage: 'p', collation: 0 };
export const NONE = { modIn: 0, modOut: 0, analyze: 0, subscript: 0, element: 0, preferred: false, delimiter: ',' };
export const VARLENA = { length: -1, byValue: false, align: 'i', storage: 'x', collation: 0 };
const WIDE = { ...VARLENA, align: 'd' };

export function userTypeRows(schema: Schema): Row[] {
  const rows: Row[] = [];
  const add = (
    own: Pick<UserType, 'number' | 'arrayOid' | 'name'>,
    namespace: number,
    facts: Facts,
    owner: number,
    acl: Acl | null,
    rest: OwnParts = {},
    made: BaseTypeParts | null = null,
  ): void => {
    const common = made === null ? NONE : { ...NONE, analyze: made.analyze, preferred: made.preferred, delimiter: made.delimiter };
    rows.push(typeRow(own.number, own.name, namespace, { ...common, ...facts, array: own.arrayOid }, owner, acl, rest));
    const array = {
      ...NONE,
      ...ARRAY,
      ...(facts.align === 'd' ? WIDE : VARLENA),
      kind: 'b',
      category: 'A',
      element: own.number,
      array: 0,
      delimiter: made?.delimiter ?? ',',
      collation: facts.collation,
    };
    rows.push(typeRow(own.arrayOid, arrayName(schema, own), namespace, array, owner, null));
  };
  for (const own of schema.types.values()) {
    const namespace = schema.schemas.get(own.schema)!;
    const { type, object } = own;
    const acl = schema.aclOf(own.number);
    const owner = schema.ownerOf(own.number);
    switch (object.what) {
      case 'enum':
        add(own, namespace, { ...ENUM, ...layoutOf(type), kind: 'e', category: 'E' }, owner, acl);
        break;
      case 'domain': {
        const known = typeFacts().get(type.domain!.root.oid);
        const forms = { output: known?.output ?? RECORD.output, send: known?.send ?? RECORD.send };
        const parts = { base: object.base, typmod: object.typmod, notNull: object.notNull, default: object.default };
        const collation = domainCollation(schema, type);
        const shown = collation === undefined ? {} : { collation: collationNumber(collation, schema) };
        add(own, namespace, { ...DOMAIN, ...forms, ...layoutOf(type), ...shown, kind: 'd', category: type.category }, owner, acl, parts);
        break;
      }
      case 'base': {
        const { made } = object;
        if (made === null) {
          const facts = { ...NONE, ...SHELL, kind: 'p', category: 'P', array: 0 };
          rows.push(typeRow(own.number, own.name, namespace, facts, owner, acl, { shell: true }));
          break;
        }
        const { input, output, receive, send, category } = made;
        const facts = { ...layoutOf(type), input, output, receive, send, category, kind: 'b' };
        add(own, namespace, facts, owner, acl, { default: made.default }, made);
        break;
      }
      case 'composite':
        add(own, namespace, { ...RECORD, ...WIDE, kind: 'c', category: 'C' }, owner, acl, { relation: own.number });
        break;
      case 'range': {
        const multirange = own.object.what === 'range' ? schema.typeByOid(own.object.multirange)! : type;
        const over = { number: multirange.oid, arrayOid: multirange.arrayOid, name: multirange.name };
        add(own, namespace, { ...RANGE, ...WIDE, kind: 'r', category: 'R' }, owner, acl);
        add(over, namespace, { ...MULTIRANGE, ...WIDE, kind: 'm', category: 'R' }, owner, acl);
        break;
      }
    }
  }
  for (const { number, name, schema: own } of [...schema.tables.values(), ...schema.views.values()]) {
    const row = { number: rowTypeOid(number), arrayOid: rowArrayOid(number), name };
    const namespace = schema.schemas.get(own);
    if (namespace !== undefined) add(row, namespace, { ...RECORD, ...WIDE, kind: 'c', category: 'C' }, schema.ownerOf(number), null, { relation: number });
  }
  return rows;
}

/** Row types of system relations. */
export function systemRowTypeRows(registry: Registry): Row[] {
  const facts = { ...NONE, ...RECORD, ...WIDE, kind: 'c', category: 'C' };
  const listed = { ...NONE, ...ARRAY, ...WIDE, kind: 'b', category: 'A', array: 0 };
  return [...relationDefinitions(registry).values()].flatMap(({ oid, schema, name }) => {
    if (RELATION_EXTENSIONS.has(oid)) return [];
    const namespace = schema === 'pg_catalog' ? PG_CATALOG : INFORMATION_SCHEMA;
    const [own, array] = [rowTypeOid(oid), rowArrayOid(oid)];
    return [
      typeRow(own, name, namespace, { ...facts, array }, OWNER, null, { relation: oid }),
      typeRow(array, `_${name}`, namespace, { ...listed, element: own }, OWNER, null),
    ];
  });
}

type Facts = Omit<TypeFacts, 'oid' | 'name' | 'array' | keyof typeof NONE>;

function arrayName(schema: Schema, { number, name }: Pick<UserType, 'number' | 'name'>): string {
  return schema.types.get(number)?.array.name ?? `_${name}`;
}

/** pg_range: built-in and user-defined ranges. */
export function rangeRows(registry: Registry, schema: Schema, functions: FunctionCatalog): Row[] {
  const own = schema.ranges.map(({ range }) => range);
  return [...registry.types(), ...own].flatMap((type): Row[] => {
    if (type.range === null || type.range.multi) return [];
    const { subtype, multirangeOid } = type.range;
    const object = schema.types.get(type.oid)?.object;
    if (object?.what === 'range') {
      const collation = object.collation === undefined ? layoutOf(subtype).collation : collationNumber(object.collation, schema);
      const difference = routineOid(functions, object.difference ?? null, [subtype, subtype]);
      return [[type.oid, subtype.oid, multirangeOid, collation, btreeClass(subtype), 0, difference]];
    }
    const [canonical, difference] = RANGE_FUNCTIONS[type.name] ?? [0, 0];
    return [[type.oid, subtype.oid, multirangeOid, layoutOf(subtype).collation, btreeClass(subtype), canonical, difference]];
  });
}

/** Oids of canonical and difference functions, as pg_range.dat has them. */
const RANGE_FUNCTIONS: Readonly<Record<string, readonly [number, number]>> = {
  int4range: [3914, 3922],
  numrange: [0, 3924],
  tsrange: [0, 3929],
  tstzrange: [0, 3930],
  daterange: [3915, 3925],
  int8range: [3928, 3923],
};

/** A domain as a table of one column, to print its conditions. */
export function domainTable({ number, schema, name, type }: UserType): SqlTable {
  return {
    number,
    schema,
    name,
    document: false,
    columns: [plainColumn(0, 1, 'value', type.domain!.base)],
    key: { numeric: true, columns: [] },
    primaryKey: null,
    indexes: [],
    checks: [],
    foreignKeys: [],
    materialized: null,
    inheritance: null,
  };
}

/** The column's name as VALUE in conditions of domains. */
export function withValue(text: string): string {
  return text.replace(/'(?:[^']|'')*'|"(?:[^"]|"")*"|\bvalue\b/g, (found) => (found === 'value' || found === '"value"' ? 'VALUE' : found));
}

export interface DomainCheck {
  readonly own: UserType;
  readonly number: number;
  readonly name: string;
  readonly condition: string;
  readonly valid: boolean;
}

export function* domainChecks(schema: Schema): Generator<DomainCheck> {
  for (const own of schema.types.values()) {
    if (own.object.what !== 'domain') continue;
    for (const { number, name, condition, notValid } of own.object.checks) yield { own, number, name, condition, valid: notValid !== true };
  }
}

export function domainConstraintRows(schema: Schema, texts: DefinitionTexts): Row[] {
  return [...domainChecks(schema)].map(({ own, number, name, condition, valid }): Row => {
    const text = withValue(texts.expression(domainTable(own), condition));
    // prettier-ignore
    return [
      number, name, schema.schemas.get(own.schema)!, 'c', false, false, valid, 0, own.number, 0, 0, 0, ' ', ' ', ' ', true, 0, false,
      null, null, null, null, null, null, null, text,
    ];
  });
}

// --- information_schema

interface Source {
  readonly schema: Schema;
  readonly database: string;
  readonly texts: DefinitionTexts;
}

function udt(schema: Schema, type: SqlType): readonly [string, string] {
  return [schema.types.get(type.oid)?.schema ?? 'pg_catalog', type.name];
}

function facets(schema: Schema, type: SqlType, typmod: number): Value[] {
  const described = describeType(type, typmod, schema.types.has(type.oid));
  const { dataType, characterMaximum, characterOctets, precision, radix, scale, datetimePrecision, intervalType } = described;
  // prettier-ignore
  return [dataType, characterMaximum, characterOctets, null, null, null, null, null, null, precision, radix, scale, datetimePrecision, intervalType, null];
}

export function domainRows({ schema, database }: Source): Row[] {
  const rows: Row[] = [];
  for (const { schema: own, name, type, object } of schema.types.values()) {
    if (object.what !== 'domain') continue;
    const { base } = type.domain!;
    const [udtSchema, udtName] = udt(schema, base);
    const [catalog, from, collation] = shownCollation(schema, database, domainCollation(schema, type));
    // prettier-ignore
    rows.push([
      database, own, name, ...facets(schema, base, type.domain!.typmod).with(6, catalog).with(7, from).with(8, collation), object.default, database, udtSchema, udtName, null, null, null, null, '1',
    ]);
  }
  return rows;
}

export function informationDomainConstraintRows({ schema, database }: Source): Row[] {
  return [...domainChecks(schema)].map(({ own, name }): Row => [database, own.schema, name, database, own.schema, own.name, 'NO', 'NO']);
}

export function domainCheckRows({ schema, database, texts }: Source): Row[] {
  return [...domainChecks(schema)].map(({ own, name, condition }): Row => [
    database,
    own.schema,
    name,
    withValue(texts.expression(domainTable(own), condition)),
  ]);
}

export function columnDomainRows({ schema, database }: Source): Row[] {
  const rows: Row[] = [];
  for (const table of schema.tables.values()) {
    for (const { name, type } of table.columns) {
      if (type.domain !== null) rows.push([database, schema.types.get(type.oid)!.schema, type.name, database, table.schema, table.name, name]);
    }
  }
  return rows;
}

export function attributeRows({ schema, database }: Source): Row[] {
  const rows: Row[] = [];
  for (const own of schema.types.values()) {
    if (own.object.what !== 'composite') continue;
    own.object.attributes.forEach(({ name, type: oid, typmod }, i) => {
      const type = schema.typeByOid(oid)!;
      const [udtSchema, udtName] = udt(schema, type);
      // prettier-ignore
      rows.push([
        database, own.schema, own.name, name, i + 1, null, 'YES', ...facets(schema, type, typmod), database, udtSchema, udtName, null, null, null, null,
        String(i + 1), 'NO',
      ]);
    });
  }
  return rows;
}

export function userDefinedTypeRows({ schema, database }: Source): Row[] {
  const rows: Row[] = [];
  for (const { schema: own, name, object } of schema.types.values()) {
    if (object.what === 'composite')
      rows.push([database, own, name, 'STRUCTURED', 'YES', null, null, 'FULL', null, null, null, null, ...new Array<null>(17).fill(null)]);
  }
  return rows;
}
