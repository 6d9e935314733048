/** Oids of the types whose storage or key order is their own. pg_type.dat of PostgreSQL fixes them. */
export const OID = {
  bool: 16,
  bytea: 17,
  char: 18,
  name: 19,
  int8: 20,
  int2: 21,
  int4: 23,
  text: 25,
  oid: 26,
  json: 114,
  xml: 142,
  float4: 700,
  float8: 701,
  bpchar: 1042,
  varchar: 1043,
  date: 1082,
  time: 1083,
  timestamp: 1114,
  timestamptz: 1184,
  interval: 1186,
  timetz: 1266,
  numeric: 1700,
  bit: 1560,
  varbit: 1562,
  money: 790,
  inet: 869,
  cidr: 650,
  macaddr: 829,
  macaddr8: 774,
  uuid: 2950,
  tsvector: 3614,
  tsquery: 3615,
  jsonb: 3802,
  jsonpath: 4072,
  /** Of extensions: numbers that Postgres leaves to developers. */
  vector: 9801,
  citext: 9803,
  hstore: 9805,
  query_int: 9807,
  ltree: 9809,
  lquery: 9811,
  ltxtquery: 9813,
} as const;

/** regproc, regprocedure, regoper, regoperator, regclass, regtype, regconfig, regdictionary, regnamespace, regrole, regcollation: an oid in another dress. */
export const OID_ALIASES: ReadonlySet<number> = new Set([24, 2202, 2203, 2204, 2205, 2206, 3734, 3769, 4089, 4096, 4191]);

/** Oids from here on are of what a world has made. */
export const FIRST_OWN_OID = 16384;
