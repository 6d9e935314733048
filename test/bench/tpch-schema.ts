/** The tables of TPC-H (clause 1.4) and their rows as INSERT statements or as COPY text. */
import { TPCH_TABLES, type TpchTable, tpchRows } from './tpch-data.ts';

export const TPCH_DDL: readonly string[] = [
  `CREATE TABLE region (r_regionkey integer PRIMARY KEY, r_name char(25) NOT NULL, r_comment varchar(152))`,
  `CREATE TABLE nation (n_nationkey integer PRIMARY KEY, n_name char(25) NOT NULL, n_regionkey integer NOT NULL REFERENCES region, n_comment varchar(152))`,
  `CREATE TABLE supplier (s_suppkey integer PRIMARY KEY, s_name char(25) NOT NULL, s_address varchar(40) NOT NULL, s_nationkey integer NOT NULL REFERENCES nation,
    s_phone char(15) NOT NULL, s_acctbal numeric(15,2) NOT NULL, s_comment varchar(101) NOT NULL)`,
  `CREATE TABLE part (p_partkey integer PRIMARY KEY, p_name varchar(55) NOT NULL, p_mfgr char(25) NOT NULL, p_brand char(10) NOT NULL, p_type varchar(25) NOT NULL,
    p_size integer NOT NULL, p_container char(10) NOT NULL, p_retailprice numeric(15,2) NOT NULL, p_comment varchar(23) NOT NULL)`,
  `CREATE TABLE partsupp (ps_partkey integer NOT NULL REFERENCES part, ps_suppkey integer NOT NULL REFERENCES supplier, ps_availqty integer NOT NULL,
    ps_supplycost numeric(15,2) NOT NULL, ps_comment varchar(199) NOT NULL, PRIMARY KEY (ps_partkey, ps_suppkey))`,
  `CREATE TABLE customer (c_custkey integer PRIMARY KEY, c_name varchar(25) NOT NULL, c_address varchar(40) NOT NULL, c_nationkey integer NOT NULL REFERENCES nation,
    c_phone char(15) NOT NULL, c_acctbal numeric(15,2) NOT NULL, c_mktsegment char(10) NOT NULL, c_comment varchar(117) NOT NULL)`,
  `CREATE TABLE orders (o_orderkey bigint PRIMARY KEY, o_custkey integer NOT NULL REFERENCES customer, o_orderstatus char(1) NOT NULL, o_totalprice numeric(15,2) NOT NULL,
    o_orderdate date NOT NULL, o_orderpriority char(15) NOT NULL, o_clerk char(15) NOT NULL, o_shippriority integer NOT NULL, o_comment varchar(79) NOT NULL)`,
  `CREATE TABLE lineitem (l_orderkey bigint NOT NULL REFERENCES orders, l_partkey integer NOT NULL REFERENCES part, l_suppkey integer NOT NULL REFERENCES supplier,
    l_linenumber integer NOT NULL, l_quantity numeric(15,2) NOT NULL, l_extendedprice numeric(15,2) NOT NULL, l_discount numeric(15,2) NOT NULL, l_tax numeric(15,2) NOT NULL,
    l_returnflag char(1) NOT NULL, l_linestatus char(1) NOT NULL, l_shipdate date NOT NULL, l_commitdate date NOT NULL, l_receiptdate date NOT NULL,
    l_shipinstruct char(25) NOT NULL, l_shipmode char(10) NOT NULL, l_comment varchar(44) NOT NULL, PRIMARY KEY (l_orderkey, l_linenumber),
    FOREIGN KEY (l_partkey, l_suppkey) REFERENCES partsupp)`,
];

/** Tables in an order that foreign keys allow. */
export function* tpchInserts(scale: number, rowsPerStatement = 500): Generator<string> {
  for (const table of TPCH_TABLES) {
    let open: string[] = [];
    for (const row of tpchRows(table, scale)) {
      open.push(`(${row.map((value) => `'${value.replaceAll("'", "''")}'`).join(',')})`);
      if (open.length < rowsPerStatement) continue;
      yield `INSERT INTO ${table} VALUES ${open.join(',')}`;
      open = [];
    }
    if (open.length > 0) yield `INSERT INTO ${table} VALUES ${open.join(',')}`;
  }
}

/** For `COPY table FROM STDIN`: tab separated lines. No value holds a tab, a line break or a backslash. */
export function* tpchCopyText(table: TpchTable, scale: number): Generator<string> {
  for (const row of tpchRows(table, scale)) yield `${row.join('\t')}\n`;
}
