/** XML Schema documents of tables and results (manual, section 9.15.4): types for SQL types, rows and tables. */
import type { Environment } from '../../types/environment.ts';
import type { SqlType } from '../../types/type.ts';
import type { Mapping } from './mapped-data.ts';
import { xmlName } from './mapped-data.ts';
import { identifierToXmlName } from './xml-values.ts';

export interface MappedColumn {
  readonly name: string;
  readonly type: SqlType;
}

/** A location: names of the database, the schema and the table. */
export type Place = readonly [database: string, schema: string, table: string];

/** SQL type names by Postgres's names. */
const STANDARD: Readonly<Record<string, string>> = {
  bpchar: 'CHAR',
  varchar: 'VARCHAR',
  numeric: 'NUMERIC',
  int4: 'INTEGER',
  int2: 'SMALLINT',
  int8: 'BIGINT',
  float4: 'REAL',
  float8: 'DOUBLE',
  bool: 'BOOLEAN',
  time: 'TIME',
  timetz: 'TIME_WTZ',
  timestamp: 'TIMESTAMP',
  timestamptz: 'TIMESTAMP_WTZ',
  date: 'DATE',
  xml: 'XML',
};

const DATE = '\\p{Nd}{4}-\\p{Nd}{2}-\\p{Nd}{2}';
const TIME = '\\p{Nd}{2}:\\p{Nd}{2}:\\p{Nd}{2}(.\\p{Nd}+)?';
const ZONE = '(\\+|-)\\p{Nd}{2}:\\p{Nd}{2}';

const whole = (base: string, least: string, most: string): string =>
  `  <xsd:restriction base="xsd:${base}">\n    <xsd:maxInclusive value="${most}"/>\n    <xsd:minInclusive value="${least}"/>\n  </xsd:restriction>\n`;
const empty = (base: string): string => `  <xsd:restriction base="xsd:${base}"></xsd:restriction>\n`;
const plain = (base: string): string => `  <xsd:restriction base="xsd:${base}">\n  </xsd:restriction>\n`;
const pattern = (base: string, value: string): string => `  <xsd:restriction base="xsd:${base}">\n    <xsd:pattern value="${value}"/>\n  </xsd:restriction>\n`;

const RESTRICTIONS: Readonly<Record<string, string>> = {
  bpchar: plain('string'),
  varchar: plain('string'),
  text: plain('string'),
  int2: whole('short', '-32768', '32767'),
  int4: whole('int', '-2147483648', '2147483647'),
  int8: whole('long', '-9223372036854775808', '9223372036854775807'),
  float4: empty('float'),
  float8: empty('double'),
  bool: empty('boolean'),
  time: pattern('time', TIME),
  timetz: pattern('time', TIME + ZONE),
  timestamp: pattern('dateTime', `${DATE}T${TIME}`),
  timestamptz: pattern('dateTime', `${DATE}T${TIME}${ZONE}`),
  date: pattern('date', DATE),
};

/** `RowType.database.schema.table` and similar. */
export function namedPlace(kind: string, parts: readonly string[]): string {
  return [kind, ...parts.map((part) => identifierToXmlName(part, true, true))].join('.');
}

function grouped(name: string, group: string, elements: readonly string[], of: string): string {
  const type = `<xsd:complexType name="${name}">\n  <xsd:${group}>\n${elements.join('')}  </xsd:${group}>\n</xsd:complexType>\n\n`;
  return `${type}<xsd:element name="${xmlName(of)}" type="${name}"/>\n\n`;
}

export class SchemaMapping {
  readonly #env: Environment;
  readonly #database: string;
  /** Schema that a type is in. */
  readonly #schemaOf: (type: SqlType) => string;

  constructor(env: Environment, database: string, schemaOf: (type: SqlType) => string) {
    this.#env = env;
    this.#database = database;
    this.#schemaOf = schemaOf;
  }

  #typeName(type: SqlType): string {
    const standard = type.domain === null ? STANDARD[type.name] : undefined;
    if (standard !== undefined) return standard;
    let name = this.#names.get(type.oid);
    if (name === undefined)
      this.#names.set(type.oid, (name = namedPlace(type.domain === null ? 'UDT' : 'Domain', [this.#database, this.#schemaOf(type), type.name])));
    return name;
  }
  /** By oid, since each column of a type needs it. */
  readonly #names = new Map<number, string>();

  #typeElement(type: SqlType): string {
    if (type.name === 'xml' && type.domain === null) {
      return '<xsd:complexType mixed="true">\n  <xsd:sequence>\n    <xsd:any name="element" minOccurs="0" maxOccurs="unbounded" processContents="skip"/>\n  </xsd:sequence>\n</xsd:complexType>\n';
    }
    return `<xsd:simpleType name="${this.#typeName(type)}">\n${this.#restriction(type)}</xsd:simpleType>\n`;
  }

  #restriction(type: SqlType): string {
    if (type.domain !== null) return `  <xsd:restriction base="${this.#typeName(type.domain.root)}"/>\n`;
    if (type.name === 'bytea') return plain(this.#env.setting('xmlbinary') === 'hex' ? 'hexBinary' : 'base64Binary');
    return RESTRICTIONS[type.name] ?? '';
  }

  /** Each type once, base types of domains after them. */
  types(columns: readonly MappedColumn[]): string {
    const known = new Map(columns.map(({ type }) => [type.oid, type]));
    for (const {
      type: { domain },
    } of columns)
      if (domain !== null && !known.has(domain.root.oid)) known.set(domain.root.oid, domain.root);
    return [...known.values()].map((type) => `${this.#typeElement(type)}\n`).join('');
  }

  /** The type of a row and, unless rows are separate, that of the whole. `place`: of a table. */
  rowType(columns: readonly MappedColumn[], place: Place | null, { nulls, forest }: Mapping): string {
    const rowName = place === null ? 'RowType' : namedPlace('RowType', place);
    const tableName = place === null ? 'TableType' : namedPlace('TableType', place);
    const element = place === null ? (forest ? 'row' : 'table') : xmlName(place[2]);
    let out = `<xsd:complexType name="${rowName}">\n  <xsd:sequence>\n`;
    for (const { name, type } of columns) {
      out += `    <xsd:element name="${xmlName(name)}" type="${this.#typeName(type)}"${nulls ? ' nillable="true"' : ' minOccurs="0"'}></xsd:element>\n`;
    }
    out += '  </xsd:sequence>\n</xsd:complexType>\n\n';
    if (!forest) {
      out += `<xsd:complexType name="${tableName}">\n  <xsd:sequence>\n    <xsd:element name="row" type="${rowName}" minOccurs="0" maxOccurs="unbounded"/>\n`;
      out += '  </xsd:sequence>\n</xsd:complexType>\n\n';
    }
    return `${out}<xsd:element name="${element}" type="${forest ? rowName : tableName}"/>\n\n`;
  }

  /** The type of a schema's tables. */
  schemaType(place: readonly [database: string, schema: string], tables: readonly string[], { forest }: Mapping): string {
    const name = namedPlace('SchemaType', place);
    const group = forest ? 'sequence' : 'all';
    const kind = forest ? 'RowType' : 'TableType';
    const many = forest ? ' minOccurs="0" maxOccurs="unbounded"' : '';
    const elements = tables.map((table) => `    <xsd:element name="${xmlName(table)}" type="${namedPlace(kind, [...place, table])}"${many}/>\n`);
    return grouped(name, group, elements, place[1]);
  }

  /** The type of a world's schemas. */
  databaseType(database: string, schemas: readonly string[]): string {
    const elements = schemas.map((schema) => `    <xsd:element name="${xmlName(schema)}" type="${namedPlace('SchemaType', [database, schema])}"/>\n`);
    return grouped(namedPlace('CatalogType', [database]), 'all', elements, database);
  }

  document(content: string, { namespace }: Mapping): string {
    const target = namespace === '' ? '' : `\n    targetNamespace="${namespace}"\n    elementFormDefault="qualified"`;
    return `<xsd:schema\n    xmlns:xsd="http://www.w3.org/2001/XMLSchema"${target}>\n\n${content}</xsd:schema>`;
  }
}
