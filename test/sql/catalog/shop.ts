/** A schema as statements in Postgres's SQL and as the definitions that svc keeps, for comparing what the catalogs say of both. */
import type { CatalogObject, IndexObject } from '../../../src/worlds/definition.ts';

export const SHOP_SQL = `
CREATE SCHEMA sales;
CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy');
CREATE TABLE customers (
  id serial PRIMARY KEY,
  name text NOT NULL DEFAULT 'nobody',
  code varchar(5) UNIQUE,
  born date,
  score numeric(10,2) DEFAULT 0 CHECK (score >= 0),
  feeling mood DEFAULT 'ok',
  tags text[] DEFAULT '{}',
  seen timestamp(3) with time zone DEFAULT now(),
  doc jsonb DEFAULT '{}'::jsonb,
  CONSTRAINT customers_code_check CHECK (code <> '' AND code IN ('a', 'b', 'c'))
);
CREATE TABLE sales.orders (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  customer int NOT NULL REFERENCES customers ON DELETE CASCADE,
  number int,
  amount numeric NOT NULL,
  twice numeric GENERATED ALWAYS AS (amount * 2) STORED,
  UNIQUE NULLS NOT DISTINCT (customer, number)
);
CREATE INDEX orders_amount ON sales.orders (amount DESC, lower((number)::text) NULLS FIRST) INCLUDE (twice) WHERE amount > 10;
CREATE VIEW rich AS SELECT id, name FROM customers WHERE score > 100;
COMMENT ON TABLE customers IS 'Who buys';
COMMENT ON COLUMN customers.name IS 'As spoken';
`;

const NO_CHANGE = { onDelete: 'no action', onUpdate: 'no action', deleteColumns: [], matchFull: false, deferrable: false, initiallyDeferred: false } as const;

function attribute(table: number, number: number, attnum: number, name: string, type: number, more: object = {}): CatalogObject {
  return {
    what: 'attribute',
    number,
    table,
    name,
    attnum,
    type,
    typmod: -1,
    notNull: false,
    default: null,
    identity: null,
    generated: null,
    missing: null,
    missingCell: null,
    ...more,
  };
}

function index(number: number, table: number, name: string, columns: IndexObject['columns'], more: Partial<IndexObject> = {}): IndexObject {
  return {
    what: 'index',
    number,
    table,
    name,
    unique: false,
    nullsNotDistinct: false,
    columns,
    include: [],
    where: null,
    whereCell: null,
    constraint: null,
    deferrable: false,
    initiallyDeferred: false,
    ...more,
  };
}

function key(column: number, type: number, more: Partial<IndexObject['columns'][number]> = {}): IndexObject['columns'][number] {
  return { column, expression: null, type, typmod: -1, descending: false, nullsFirst: false, cell: column, code: 'i32', ...more };
}

export const CUSTOMERS = 20000;
export const ORDERS = 20100;
export const RICH = 20200;
export const MOOD = 20300;

export const SHOP: readonly CatalogObject[] = [
  { what: 'schema', number: 20400, name: 'sales' },
  { what: 'enum', number: MOOD, array: MOOD + 1, schema: 'public', name: 'mood', labels: ['sad', 'ok', 'happy'].map((label, i) => ({ label, order: i + 1 })) },
  {
    what: 'relation',
    number: CUSTOMERS,
    schema: 'public',
    name: 'customers',
    key: [20001],
    numeric: true,
    primaryKey: { number: 20010, name: 'customers_pkey' },
    attnums: 9,
    dropped: [],
    epoch: 0,
  },
  attribute(CUSTOMERS, 20001, 1, 'id', 23, { notNull: true, default: `nextval('customers_id_seq'::regclass)` }),
  attribute(CUSTOMERS, 20002, 2, 'name', 25, { notNull: true, default: `'nobody'` }),
  attribute(CUSTOMERS, 20003, 3, 'code', 1043, { typmod: 9 }),
  attribute(CUSTOMERS, 20004, 4, 'born', 1082),
  attribute(CUSTOMERS, 20005, 5, 'score', 1700, { typmod: ((10 << 16) | 2) + 4, default: '0' }),
  attribute(CUSTOMERS, 20006, 6, 'feeling', MOOD, { default: `'ok'` }),
  attribute(CUSTOMERS, 20007, 7, 'tags', 1009, { default: `'{}'` }),
  attribute(CUSTOMERS, 20008, 8, 'seen', 1184, { typmod: 3, default: 'now()' }),
  attribute(CUSTOMERS, 20009, 9, 'doc', 3802, { default: `'{}'::jsonb` }),
  {
    what: 'sequence',
    number: 20020,
    schema: 'public',
    name: 'customers_id_seq',
    type: 23,
    increment: '1',
    min: '1',
    max: '2147483647',
    start: '1',
    cache: 1,
    cycle: false,
    ownedBy: { table: CUSTOMERS, column: 20001 },
  },
  index(20011, CUSTOMERS, 'customers_code_key', [key(20003, 1043, { code: 'text' })], { unique: true, constraint: 'customers_code_key' }),
  { what: 'check', number: 20012, table: CUSTOMERS, name: 'customers_score_check', condition: 'score >= 0', columns: [20005] },
  { what: 'check', number: 20013, table: CUSTOMERS, name: 'customers_code_check', condition: `code <> '' AND code IN ('a', 'b', 'c')`, columns: [20003] },
  {
    what: 'relation',
    number: ORDERS,
    schema: 'sales',
    name: 'orders',
    key: [20101],
    numeric: false,
    primaryKey: { number: 20110, name: 'orders_pkey' },
    attnums: 5,
    dropped: [],
    epoch: 0,
  },
  attribute(ORDERS, 20101, 1, 'id', 20, { notNull: true, identity: 'always' }),
  attribute(ORDERS, 20102, 2, 'customer', 23, { notNull: true }),
  attribute(ORDERS, 20103, 3, 'number', 23),
  attribute(ORDERS, 20104, 4, 'amount', 1700, { notNull: true }),
  attribute(ORDERS, 20105, 5, 'twice', 1700, { generated: 'amount * 2' }),
  {
    what: 'sequence',
    number: 20120,
    schema: 'sales',
    name: 'orders_id_seq',
    type: 20,
    increment: '1',
    min: '1',
    max: '9223372036854775807',
    start: '1',
    cache: 1,
    cycle: false,
    ownedBy: { table: ORDERS, column: 20101 },
  },
  index(20111, ORDERS, 'orders_customer_number_key', [key(20102, 23), key(20103, 23)], {
    unique: true,
    nullsNotDistinct: true,
    constraint: 'orders_customer_number_key',
  }),
  index(
    20112,
    ORDERS,
    'orders_amount',
    [
      key(20104, 1700, { descending: true, nullsFirst: true, code: 'raw' }),
      key(20199, 25, { column: null, expression: 'lower((number)::text)', nullsFirst: true, code: 'text' }),
    ],
    { include: [20105], where: 'amount > 10', whereCell: 20198 },
  ),
  {
    what: 'foreign key',
    number: 20113,
    table: ORDERS,
    name: 'orders_customer_fkey',
    columns: [20102],
    target: CUSTOMERS,
    targetColumns: [20001],
    ...NO_CHANGE,
    deleteColumns: [],
    onDelete: 'cascade',
  },
  {
    what: 'view',
    number: RICH,
    schema: 'public',
    name: 'rich',
    sql: 'SELECT id, name FROM customers WHERE score > 100',
    columns: [
      { name: 'id', type: 23, typmod: -1 },
      { name: 'name', type: 25, typmod: -1 },
    ],
    uses: [{ object: CUSTOMERS, columns: [] }],
  },
  { what: 'comment', object: CUSTOMERS, attnum: 0, text: 'Who buys' },
  { what: 'comment', object: CUSTOMERS, attnum: 2, text: 'As spoken' },
];
