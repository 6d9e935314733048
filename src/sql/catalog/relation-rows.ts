/** pg_class and pg_attribute: of the world's relations and of system ones. */
import { columnsOf } from '../types/record-type.ts';
import { type CompositeObject, isTemporarySchema, rowTypeOid } from '../../worlds/definition.ts';
import type { RelationDefinition } from './relation-definitions.ts';
import { type Acl, defaultAcl, PUBLIC, PRIVILEGE } from '../schema/acl.ts';
import { domainCollation, type Facts, factsOf } from '../schema/facts.ts';
import { isSecret } from '../schema/privileges.ts';
import { partitionBoundText } from '../schema/partition-text.ts';
import type { TableSecurity } from '../schema/row-security.ts';
import type { Schema, View } from '../schema/schema.ts';
import type { SqlTable } from '../schema/table.ts';
import { ArrayValue } from '../types/array-value.ts';
import type { SqlType } from '../types/type.ts';
import type { Value } from '../types/value.ts';
import { collationNumber } from './collation-rows.ts';
import { CLASS, HEAP, INFORMATION_SCHEMA, OWNER, PG_CATALOG } from './fixed-oids.ts';
import { methodOid } from './operator-catalog.ts';
import type { Row } from './made-relation.ts';
import { aclValue } from './rights-rows.ts';
import type { RowSource } from './system-catalog.ts';
import { layoutOf } from './type-rows.ts';
import type { IndexEntry, WorldObjects, WorldRelation } from './world-objects.ts';

interface ClassParts {
  readonly oid: number;
  readonly name: string;
  readonly namespace: number;
  readonly kind: string;
  readonly columns: number;
  readonly checks?: number;
  readonly hasIndex?: boolean;
  readonly hasTriggers?: boolean;
  readonly hasRules?: boolean;
  readonly tuples?: number;
  readonly shared?: boolean;
  readonly owner?: number;
  readonly acl?: Acl | null;
  readonly populated?: boolean;
  readonly temporary?: boolean;
  readonly unlogged?: boolean;
  readonly replica?: string;
  readonly ofType?: number;
  readonly hasChildren?: boolean;
  readonly partition?: boolean;
  readonly bound?: string | null;
  readonly security?: TableSecurity | null;
  readonly options?: Value;
  readonly method?: string;
}

function classRow({
  oid,
  name,
  namespace,
  kind,
  columns,
  checks = 0,
  hasIndex = false,
  hasTriggers = false,
  hasRules = false,
  tuples = 0,
  shared = false,
  owner = OWNER,
  acl = null,
  populated = true,
  temporary = false,
  unlogged = false,
  replica = 'd',
  ofType = 0,
  hasChildren = false,
  partition = false,
  bound = null,
  security = null,
  options = null,
  method = 'btree',
}: ClassParts): Row {
  const table = kind === 'r' || kind === 'm';
  const relation = table || kind === 'p';
  const stored = kind !== 'v' && kind !== 'c' && kind !== 'p' && kind !== 'I' && kind !== 'f';
  // prettier-ignore
  return [
    oid, name, namespace, kind === 'c' ? oid : relation || kind === 'v' || kind === 'f' ? rowTypeOid(oid) : 0, ofType, owner, table ? HEAP : kind === 'i' || kind === 'I' ? methodOid(method) : 0, stored ? oid : 0, 0, tuples > 0 ? Math.ceil(tuples / 100) : 0, tuples, 0, 0,
    hasIndex, shared, temporary ? 't' : unlogged ? 'u' : 'p', kind, columns, checks, hasRules || kind === 'v' || kind === 'm', hasTriggers, hasChildren, security?.enabled === true, security?.forced === true, populated,
    relation && namespace !== PG_CATALOG ? replica : 'n', partition, 0, table ? 3 : 0, table ? 1 : 0, aclValue(acl), options, bound,
  ];
}

/** Catalogs that all databases of a cluster share. */
const SHARED = new Set([
  'pg_database',
  'pg_authid',
  'pg_auth_members',
  'pg_tablespace',
  'pg_shdepend',
  'pg_shdescription',
  'pg_shseclabel',
  'pg_db_role_setting',
]);

/** As created by initdb. */
const SECRET_ACL = defaultAcl('r', OWNER);
const READABLE_ACL: Acl = [...SECRET_ACL, { grantee: PUBLIC, grantor: OWNER, privileges: PRIVILEGE.SELECT, grantable: 0 }];

export function systemClassRows(definitions: Iterable<RelationDefinition>): Row[] {
  return [...definitions].map(({ oid, name, schema, kind, columns }) =>
    classRow({
      oid,
      name,
      namespace: schema === 'pg_catalog' ? PG_CATALOG : INFORMATION_SCHEMA,
      kind,
      columns: columns.length,
      shared: SHARED.has(name),
      acl: isSecret(oid, name) ? SECRET_ACL : READABLE_ACL,
      tuples: kind === 'v' ? -1 : 0,
    }),
  );
}

/** pg_init_privs: initial privileges of built-in objects, which dumps omit. */
export function initialRightsRows(definitions: Iterable<RelationDefinition>): Row[] {
  const schemas = [PG_CATALOG, INFORMATION_SCHEMA].map((oid): Row => [
    oid,
    CLASS.pg_namespace,
    0,
    'i',
    aclValue([...defaultAcl('n', OWNER), { grantee: PUBLIC, grantor: OWNER, privileges: PRIVILEGE.USAGE, grantable: 0 }]),
  ]);
  return [
    ...schemas,
    ...[...definitions].map(({ oid, name }): Row => [oid, CLASS.pg_class, 0, 'i', aclValue(isSecret(oid, name) ? SECRET_ACL : READABLE_ACL)]),
  ];
}

/** Row counts are added by class-counts.ts. */
export function worldClassRows({ objects, seen }: RowSource): Row[] {
  return Array.from(seen.relations(), (relation) => worldClassRow(objects, relation));
}

function worldClassRow(objects: WorldObjects, relation: WorldRelation): Row {
  const { schema } = objects;
  const { oid, name } = relation;
  const namespace = objects.namespaceOid(relation.schema) ?? 0;
  const temporary = isTemporarySchema(relation.schema);
  const held = relation.kind === 'i' ? relation.index.table.number : oid;
  const rights = { owner: schema.ownerOf(held), acl: relation.kind === 'i' ? null : schema.aclOf(held) };
  const facts = factsOf(schema, oid);
  const said = {
    options: facts?.options === undefined ? null : new ArrayValue(facts.options),
    unlogged: facts?.unlogged === true,
  };
  switch (relation.kind) {
    case 'r': {
      const { table } = relation;
      return classRow({
        ...said,
        ...(facts?.replica === undefined ? {} : { replica: facts.replica }),
        oid,
        name,
        namespace,
        temporary,
        kind: relationKind(table),
        ofType: schema.catalog.byNumber.get(oid)?.relation?.object.ofType ?? 0,
        hasChildren: schema.children(oid).length > 0,
        partition: table.inheritance !== null && table.inheritance.bound !== null,
        bound: boundOf(schema, table),
        populated: table.materialized?.populated !== false,
        columns: attributeCount(schema, table),
        checks: table.checks.length,
        hasIndex: objects.indexesOf(oid).length > 0,
        // Foreign keys are triggers in Postgres: psql queries them only if this is set.
        hasRules: schema.rules(oid).length > 0,
        hasTriggers: schema.triggers(oid).length > 0 || table.foreignKeys.length > 0 || schema.referencing(oid).length > 0,
        tuples: -1,
        security: schema.security(oid),
        ...rights,
      });
    }
    case 'v':
      return classRow({
        oid,
        name,
        namespace,
        temporary,
        kind: 'v',
        columns: relation.view.columns.length,
        tuples: -1,
        hasTriggers: schema.triggers(oid).length > 0,
        options: optionsValue(viewOptions(relation.view)),
        ...rights,
      });
    case 'S':
      return classRow({
        ...said,
        unlogged: said.unlogged || (relation.sequence.ownedBy !== null && factsOf(schema, relation.sequence.ownedBy.table)?.unlogged === true),
        oid,
        name,
        namespace,
        temporary,
        kind: 'S',
        columns: 3,
        tuples: 1,
        ...rights,
      });
    case 'c':
      return classRow({ oid, name, namespace, kind: 'c', columns: (relation.type.object as CompositeObject).attnums, ...rights });
    case 'i':
      return classRow({
        ...said,
        unlogged: factsOf(schema, held)?.unlogged === true,
        oid,
        name,
        namespace,
        temporary,
        kind: relation.index.table.inheritance?.partitionBy == null ? 'i' : 'I',
        hasChildren: relation.index.table.inheritance?.partitionBy != null && schema.children(held).length > 0,
        partition: relation.index.table.inheritance !== null && schema.parentIndex(oid) !== undefined,
        method: relation.index.exclusion?.method ?? relation.index.index?.method,
        columns: relation.index.columns.length + relation.index.included.length,
        ...rights,
      });
  }
}

/** pg_class.relkind of a table. */
export function relationKind({ materialized, inheritance, foreign }: SqlTable): 'r' | 'm' | 'p' | 'f' {
  if (foreign !== undefined) return 'f';
  return materialized !== null ? 'm' : inheritance?.partitionBy == null ? 'r' : 'p';
}

function boundOf(schema: Schema, table: SqlTable): string | null {
  const parent = schema.parentOf(table);
  const key = parent?.inheritance?.partitionBy ?? null;
  return key === null
    ? null
    : partitionBoundText(
        table.inheritance!.bound!,
        key.elements.map(({ type }) => type),
      );
}

function optionsValue(options: readonly string[]): Value {
  return options.length === 0 ? null : new ArrayValue([...options]);
}

/** `name=value` each. */
export function viewOptions({ check, invoker, barrier }: View): string[] {
  return [...(barrier ? ['security_barrier=true'] : []), ...(invoker ? ['security_invoker=true'] : []), ...(check === 'none' ? [] : [`check_option=${check}`])];
}

interface AttributeParts {
  readonly notNull?: boolean;
  readonly hasDefault?: boolean;
  /** As text. */
  readonly missing?: string | null;
  readonly identity?: string;
  readonly generated?: string;
  readonly acl?: Acl | null;
  readonly inherited?: number;
  readonly local?: boolean;
  readonly facts?: Facts | null;
  readonly collation?: number;
  readonly options?: readonly string[];
}

const PLAIN: AttributeParts = {};

function attributeRow(relation: number, name: string, type: SqlType, typmod: number, attnum: number, parts: AttributeParts): Row {
  const { length, byValue, align, storage, collation } = layoutOf(type);
  const { missing = null, facts = null } = parts;
  // prettier-ignore
  return [
    relation, name, type.oid, attnum < 0 ? 0 : (facts?.statistics ?? -1), length, attnum, type.element === null ? 0 : 1, -1, typmod, byValue, align, facts?.storage ?? storage, facts?.compression ?? '',
    parts.notNull === true, parts.hasDefault === true, missing !== null, parts.identity ?? '', parts.generated ?? '', false, parts.local !== false, parts.inherited ?? 0,
    parts.collation ?? collation, aclValue(parts.acl ?? null), facts?.options === undefined ? null : new ArrayValue(facts.options), parts.options === undefined ? null : new ArrayValue([...parts.options]), missing === null ? null : new ArrayValue([missing]),
  ];
}

/** A dropped column keeps its number: attribute numbers have no gaps. */
function droppedRow(relation: number, attnum: number): Row {
  // prettier-ignore
  return [
    relation, `........pg.dropped.${attnum}........`, 0, 0, 4, attnum, 0, -1, -1, true, 'i', 'p', '',
    false, false, false, '', '', true, true, 0,
    0, null, null, null, null,
  ];
}

function addDropped(rows: Row[], relation: number, attributes: readonly { readonly attnum: number }[], attnums: number): void {
  if (attributes.length >= attnums) return;
  const has = new Set(attributes.map(({ attnum }) => attnum));
  for (let attnum = 1; attnum <= attnums; attnum++) if (!has.has(attnum)) rows.push(droppedRow(relation, attnum));
}

/** Including dropped ones. */
function attributeCount({ catalog }: Schema, { number, columns }: SqlTable): number {
  return catalog.byNumber.get(number)?.relation?.object.attnums ?? columns.length;
}

export interface SystemColumn {
  readonly name: string;
  readonly attnum: number;
  readonly type: SqlType;
}

export function systemAttributeRows(definitions: Iterable<RelationDefinition>): Row[] {
  const rows: Row[] = [];
  for (const { oid, columns } of definitions) {
    columns.forEach(({ name, type, notNull }, i) => rows.push(attributeRow(oid, name, type, -1, i + 1, notNull ? { notNull } : PLAIN)));
  }
  return rows;
}

export interface AttributeTypes {
  /** The system columns of every table. */
  readonly system: readonly SystemColumn[];
  readonly int8: SqlType;
  readonly bool: SqlType;
}

export function worldAttributeRows({ schema, seen }: RowSource, types: AttributeTypes): Row[] {
  const rows: Row[] = [];
  for (const relation of seen.relations()) addAttributes(rows, schema, relation, types);
  return rows;
}

const NOT_NULL: AttributeParts = { notNull: true };

function addAttributes(rows: Row[], schema: Schema, relation: WorldRelation, { system, int8, bool }: AttributeTypes): void {
  const { oid } = relation;
  switch (relation.kind) {
    case 'r':
      for (const { number, name, type, typmod, attnum, notNull, default: text, identity, generated, missing, options } of relation.table.columns) {
        const attribute =
          relation.table.inheritance === null && missing === null
            ? undefined
            : schema.catalog.byNumber.get(oid)?.relation?.attributes.find((each) => each.number === number);
        const acl = schema.columnAclOf(oid, attnum);
        const facts = factsOf(schema, oid, attnum);
        const collation = facts?.collation ?? domainCollation(schema, type);
        const parts =
          collation === undefined &&
          text === null &&
          identity === null &&
          generated === null &&
          missing === null &&
          acl === null &&
          facts === null &&
          options === undefined &&
          attribute?.inherited === undefined
            ? notNull
              ? NOT_NULL
              : PLAIN
            : {
                notNull,
                acl,
                facts,
                hasDefault: text !== null || generated !== null,
                missing: attribute?.missing ?? null,
                options,
                ...(collation === undefined ? {} : { collation: collationNumber(collation, schema) }),
                identity: identity === null ? '' : identity === 'always' ? 'a' : 'd',
                generated: generated === null ? '' : 's',
                inherited: attribute?.inherited,
                local: attribute?.notLocal !== true,
              };
        rows.push(attributeRow(oid, name, type, typmod, attnum, parts));
      }
      addDropped(rows, oid, relation.table.columns, attributeCount(schema, relation.table));
      for (const { name, type, attnum } of system) rows.push(attributeRow(oid, name, type, -1, attnum, NOT_NULL));
      break;
    case 'v':
      relation.view.columns.forEach(({ name, type, typmod, default: text }, i) => {
        const collation = factsOf(schema, oid, i + 1)?.collation;
        const own = collation === undefined ? {} : { collation: collationNumber(collation, schema) };
        rows.push(attributeRow(oid, name, type, typmod, i + 1, { acl: schema.columnAclOf(oid, i + 1), hasDefault: text !== undefined, ...own }));
      });
      break;
    case 'S':
      rows.push(
        attributeRow(oid, 'last_value', int8, -1, 1, NOT_NULL),
        attributeRow(oid, 'log_cnt', int8, -1, 2, NOT_NULL),
        attributeRow(oid, 'is_called', bool, -1, 3, NOT_NULL),
      );
      for (const { name, type, attnum } of system) rows.push(attributeRow(oid, name, type, -1, attnum, NOT_NULL));
      break;
    case 'c':
      for (const { name, type, typmod, attnum } of columnsOf(relation.type.type)!) {
        const collation = factsOf(schema, oid, attnum!)?.collation;
        rows.push(attributeRow(oid, name, type, typmod, attnum!, collation === undefined ? PLAIN : { collation: collationNumber(collation, schema) }));
      }
      addDropped(rows, oid, (relation.type.object as CompositeObject).attributes, (relation.type.object as CompositeObject).attnums);
      break;
    case 'i':
      indexColumns(relation.index).forEach(({ name, type, typmod }, i) => {
        // Storage properties of a column are those of the table's.
        const { columns, included, table } = relation.index;
        const place = i < columns.length ? columns[i].column : included[i - columns.length];
        const storage = place === null ? undefined : factsOf(schema, table.number, table.columns[place].attnum)?.storage;
        const own = factsOf(schema, oid, i + 1);
        const facts = storage === undefined ? own : { ...own, storage };
        rows.push(attributeRow(oid, name, type, typmod, i + 1, facts === null ? PLAIN : { facts }));
      });
      break;
  }
}

/** Names of an index's columns: an expression is called `expr`, `expr1` …, as in Postgres. */
export function indexColumns({ columns, table, included }: IndexEntry): { name: string; type: SqlType; typmod: number }[] {
  const taken = new Set<string>();
  const free = (wanted: string): string => {
    let name = wanted;
    for (let n = 1; taken.has(name); n++) name = `${wanted}${n}`;
    taken.add(name);
    return name;
  };
  const out = columns.map(({ column, expression, type }) =>
    column === null
      ? { name: free(/^"?([a-z_][a-z0-9_]*)"?\(/.exec(expression ?? '')?.[1] ?? 'expr'), type, typmod: -1 }
      : { name: free(table.columns[column].name), type, typmod: table.columns[column].typmod },
  );
  for (const column of included) out.push({ name: free(table.columns[column].name), type: table.columns[column].type, typmod: table.columns[column].typmod });
  return out;
}
