/** pg_type, pg_enum, and what columns need to know of types. */
import type { Acl } from '../schema/acl.ts';
import { aclValue } from './rights-rows.ts';
import type { Registry } from '../functions/registry.ts';
import type { EnumType, Schema } from '../schema/schema.ts';
import type { SqlType } from '../types/type.ts';
import { type TypeFacts, typeFacts } from './facts.ts';
import { OWNER, PG_CATALOG } from './fixed-oids.ts';
import type { Row } from './made-relation.ts';

/** regproc values of enums and of arrays over them. */
const ENUM = { input: 3506, output: 3507, receive: 3532, send: 3533 };
const ARRAY = { input: 750, output: 751, receive: 2400, send: 2401, analyze: 3816, subscript: 6179 };

/** attlen, attbyval, attalign, attstorage, attcollation. */
export interface Layout {
  readonly length: number;
  readonly byValue: boolean;
  readonly align: string;
  readonly storage: string;
  readonly collation: number;
}
const ENUM_LAYOUT: Layout = { length: 4, byValue: true, align: 'i', storage: 'p', collation: 0 };
const ARRAY_LAYOUT: Layout = { length: -1, byValue: false, align: 'i', storage: 'x', collation: 0 };

const layouts = new WeakMap<SqlType, Layout>();

export function layoutOf(type: SqlType): Layout {
  let layout = layouts.get(type);
  if (layout === undefined) {
    const facts = typeFacts().get(type.oid);
    layout = facts ?? (type.labels === null ? ARRAY_LAYOUT : ENUM_LAYOUT);
    const { length, byValue, align, storage, collation } = layout;
    layouts.set(type, (layout = { length, byValue, align, storage, collation }));
  }
  return layout;
}

function typeRow(oid: number, name: string, schema: number, facts: Omit<TypeFacts, 'oid' | 'name'>, owner = OWNER, acl: Acl | null = null): Row {
  const { length, byValue, kind, category, preferred, delimiter, element, array, align, storage, collation } = facts;
  const { input, output, receive, send, modIn, modOut, analyze, subscript } = facts;
  // prettier-ignore
  return [
    oid, name, schema, owner, length, byValue, kind, category, preferred, true, delimiter, 0, subscript, element, array,
    input, output, receive, send, modIn, modOut, analyze, align, storage, false, 0, -1, 0, collation, null, null, aclValue(acl),
  ];
}

export function builtinTypeRows(registry: Registry): Row[] {
  const facts = typeFacts();
  const rows: Row[] = [];
  for (const { oid } of registry.types()) {
    const known = facts.get(oid);
    if (known !== undefined) rows.push(typeRow(oid, known.name, PG_CATALOG, known));
  }
  return rows;
}

export function enumTypeRows(schema: Schema): Row[] {
  const rows: Row[] = [];
  for (const each of schema.enums.values()) {
    const namespace = schema.schemas.get(each.schema)!;
    const [owner, acl] = [schema.ownerOf(each.number), schema.aclOf(each.number)];
    rows.push(
      typeRow(
        each.number,
        each.name,
        namespace,
        {
          ...ENUM,
          ...ENUM_LAYOUT,
          kind: 'e',
          category: 'E',
          preferred: false,
          delimiter: ',',
          element: 0,
          array: each.arrayOid,
          modIn: 0,
          modOut: 0,
          analyze: 0,
          subscript: 0,
        },
        owner,
        acl,
      ),
      typeRow(
        each.arrayOid,
        arrayNameOf(each),
        namespace,
        {
          ...ARRAY,
          ...ARRAY_LAYOUT,
          kind: 'b',
          category: 'A',
          preferred: false,
          delimiter: ',',
          element: each.number,
          array: 0,
          modIn: 0,
          modOut: 0,
        },
        owner,
      ),
    );
  }
  return rows;
}

function arrayNameOf({ array }: EnumType): string {
  return array.name;
}

/** Labels have no numbers of their own: they follow from the type's, far above all numbers given. */
export function enumLabelRows(schema: Schema): Row[] {
  const rows: Row[] = [];
  for (const { number, labels } of schema.enums.values()) {
    labels.forEach(({ label, order }, i) => rows.push([0xa000_0000 + ((number * 64 + i) % 0x1000_0000), number, order, label]));
  }
  return rows;
}

/** Strings have one, and arrays of them. */
export function collationOf(type: SqlType): number {
  return layoutOf(type).collation;
}
