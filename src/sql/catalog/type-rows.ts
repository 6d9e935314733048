/** pg_type, pg_enum, and type properties of columns. */
import type { Acl } from '../schema/acl.ts';
import { aclValue } from './rights-rows.ts';
import type { Registry } from '../functions/registry.ts';
import type { Schema } from '../schema/schema.ts';
import { isRecordType } from '../types/record-type.ts';
import type { BaseKind, SqlType } from '../types/type.ts';
import { HANDLER_TYPES, type TypeFacts, typeFacts } from './facts.ts';
import { OWNER, PG_CATALOG } from './fixed-oids.ts';
import type { Row } from './made-relation.ts';

/** attlen, attbyval, attalign, attstorage, attcollation. */
export interface Layout {
  readonly length: number;
  readonly byValue: boolean;
  readonly align: string;
  readonly storage: string;
  readonly collation: number;
}
const DEFAULT_COLLATION = 100;
const ENUM_LAYOUT: Layout = { length: 4, byValue: true, align: 'i', storage: 'p', collation: 0 };
const ROW_LAYOUT: Layout = { length: -1, byValue: false, align: 'd', storage: 'x', collation: 0 };
const ARRAY_LAYOUT: Layout = { length: -1, byValue: false, align: 'i', storage: 'x', collation: 0 };

function madeLayout({ length, byValue, align, storage, collatable }: BaseKind): Layout {
  return { length, byValue, align, storage, collation: collatable ? DEFAULT_COLLATION : 0 };
}

const layouts = new WeakMap<SqlType, Layout>();

export function layoutOf(type: SqlType): Layout {
  let layout = layouts.get(type);
  if (layout === undefined) {
    const facts = typeFacts().get(type.domain === null ? type.oid : type.domain.root.oid);
    layout = type.made !== undefined ? madeLayout(type.made) : (facts ?? (isRecordType(type) ? ROW_LAYOUT : type.labels === null ? ARRAY_LAYOUT : ENUM_LAYOUT));
    const { length, byValue, align, storage, collation } = layout;
    layouts.set(type, (layout = { length, byValue, align, storage, collation }));
  }
  return layout;
}

/** Further parts of user-defined types: the relation of a composite type, the base type of a domain and its constraints. */
export interface OwnParts {
  readonly relation?: number;
  readonly base?: number;
  readonly typmod?: number;
  readonly notNull?: boolean;
  readonly default?: string | null;
  readonly shell?: boolean;
}

export function typeRow(
  oid: number,
  name: string,
  schema: number,
  facts: Omit<TypeFacts, 'oid' | 'name'>,
  owner = OWNER,
  acl: Acl | null = null,
  { relation = 0, base = 0, typmod = -1, notNull = false, default: text = null, shell = false }: OwnParts = {},
): Row {
  const { length, byValue, kind, category, preferred, delimiter, element, array, align, storage, collation } = facts;
  const { input, output, receive, send, modIn, modOut, analyze, subscript } = facts;
  // prettier-ignore
  return [
    oid, name, schema, owner, length, byValue, kind, category, preferred, !shell, delimiter, relation, subscript, element, array,
    input, output, receive, send, modIn, modOut, analyze, align, storage, notNull, base, typmod, 0, collation, text, text, aclValue(acl),
  ];
}

export function builtinTypeRows(registry: Registry): Row[] {
  const facts = typeFacts();
  const rows: Row[] = [];
  for (const { oid } of registry.types()) {
    const known = facts.get(oid);
    if (known !== undefined) rows.push(typeRow(oid, known.name, PG_CATALOG, known));
  }
  for (const oid of HANDLER_TYPES) {
    const known = facts.get(oid)!;
    rows.push(typeRow(oid, known.name, PG_CATALOG, known));
  }
  return rows;
}

/** Labels have no numbers of their own: their oids are derived from the type's, far above all assigned numbers. */
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
