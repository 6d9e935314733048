/** Read from the catalogs of PostgreSQL 15 by test/sql/catalog/extract.ts; not written by hand. */

/** oid name handler type */
export const ACCESS_METHODS = `2 heap 3 t
403 btree 330 i
405 hash 331 i
783 gist 332 i
2742 gin 333 i
3580 brin 335 i
4000 spgist 334 i`;

/** oid method name */
export const OPERATOR_FAMILIES = `397 403 array_ops
423 403 bit_ops
424 403 bool_ops
426 403 bpchar_ops
427 405 bpchar_ops
428 403 bytea_ops
429 403 char_ops
431 405 char_ops
434 403 datetime_ops
435 405 date_ops
627 405 array_ops
1970 403 float_ops
1971 405 float_ops
1974 403 network_ops
1975 405 network_ops
1976 403 integer_ops
1977 405 integer_ops
1982 403 interval_ops
1983 405 interval_ops
1984 403 macaddr_ops
1985 405 macaddr_ops
1988 403 numeric_ops
1989 403 oid_ops
1990 405 oid_ops
1991 403 oidvector_ops
1992 405 oidvector_ops
1994 403 text_ops
1995 405 text_ops
1996 403 time_ops
1997 405 time_ops
1998 405 numeric_ops
1999 405 timestamptz_ops
2000 403 timetz_ops
2001 405 timetz_ops
2002 403 varbit_ops
2040 405 timestamp_ops
2095 403 text_pattern_ops
2097 403 bpchar_pattern_ops
2099 403 money_ops
2222 405 bool_ops
2223 405 bytea_ops
2225 405 xid_ops
2226 405 cid_ops
2227 405 tid_ops
2229 405 text_pattern_ops
2231 405 bpchar_pattern_ops
2235 405 aclitem_ops
2789 403 tid_ops
2968 403 uuid_ops
2969 405 uuid_ops
2994 403 record_ops
3194 403 record_image_ops
3253 403 pg_lsn_ops
3254 405 pg_lsn_ops
3371 403 macaddr8_ops
3372 405 macaddr8_ops
3522 403 enum_ops
3523 405 enum_ops
3626 403 tsvector_ops
3683 403 tsquery_ops
3901 403 range_ops
3903 405 range_ops
4033 403 jsonb_ops
4034 405 jsonb_ops
4199 403 multirange_ops
4225 405 multirange_ops
5032 405 xid8_ops
5067 403 xid8_ops
6194 405 record_ops`;

/** oid method name family type default keytype */
export const OPERATOR_CLASSES = `1978 403 int4_ops 1976 23 t 0
1979 403 int2_ops 1976 21 t 0
1981 403 oid_ops 1989 26 t 0
3122 403 date_ops 434 1082 t 0
3123 403 float8_ops 1970 701 t 0
3124 403 int8_ops 1976 20 t 0
3125 403 numeric_ops 1988 1700 t 0
3126 403 text_ops 1994 25 t 0
3127 403 timestamptz_ops 434 1184 t 0
3128 403 timestamp_ops 434 1114 t 0
4217 403 text_pattern_ops 2095 25 f 0
4218 403 varchar_pattern_ops 2095 25 f 0
4219 403 bpchar_pattern_ops 2097 1042 f 0
10000 403 array_ops 397 2277 t 0
10001 405 array_ops 627 2277 t 0
10002 403 bit_ops 423 1560 t 0
10003 403 bool_ops 424 16 t 0
10004 403 bpchar_ops 426 1042 t 0
10005 405 bpchar_ops 427 1042 t 0
10006 403 bytea_ops 428 17 t 0
10007 403 char_ops 429 18 t 0
10008 405 char_ops 431 18 t 0
10009 403 cidr_ops 1974 869 f 0
10010 405 cidr_ops 1975 869 f 0
10011 405 date_ops 435 1082 t 0
10012 403 float4_ops 1970 700 t 0
10013 405 float4_ops 1971 700 t 0
10014 405 float8_ops 1971 701 t 0
10015 403 inet_ops 1974 869 t 0
10016 405 inet_ops 1975 869 t 0
10019 405 int2_ops 1977 21 t 0
10020 405 int4_ops 1977 23 t 0
10021 405 int8_ops 1977 20 t 0
10022 403 interval_ops 1982 1186 t 0
10023 405 interval_ops 1983 1186 t 0
10024 403 macaddr_ops 1984 829 t 0
10025 405 macaddr_ops 1985 829 t 0
10026 403 macaddr8_ops 3371 774 t 0
10027 405 macaddr8_ops 3372 774 t 0
10028 403 name_ops 1994 19 t 2275
10029 405 name_ops 1995 19 t 0
10030 405 numeric_ops 1998 1700 t 0
10031 405 oid_ops 1990 26 t 0
10032 403 oidvector_ops 1991 30 t 0
10033 405 oidvector_ops 1992 30 t 0
10034 403 record_ops 2994 2249 t 0
10035 405 record_ops 6194 2249 t 0
10036 403 record_image_ops 3194 2249 f 0
10037 405 text_ops 1995 25 t 0
10038 403 time_ops 1996 1083 t 0
10039 405 time_ops 1997 1083 t 0
10040 405 timestamptz_ops 1999 1184 t 0
10041 403 timetz_ops 2000 1266 t 0
10042 405 timetz_ops 2001 1266 t 0
10043 403 varbit_ops 2002 1562 t 0
10044 403 varchar_ops 1994 25 f 0
10045 405 varchar_ops 1995 25 f 0
10046 405 timestamp_ops 2040 1114 t 0
10047 403 money_ops 2099 790 t 0
10048 405 bool_ops 2222 16 t 0
10049 405 bytea_ops 2223 17 t 0
10050 403 tid_ops 2789 27 t 0
10051 405 xid_ops 2225 28 t 0
10052 405 xid8_ops 5032 5069 t 0
10053 403 xid8_ops 5067 5069 t 0
10054 405 cid_ops 2226 29 t 0
10055 405 tid_ops 2227 27 t 0
10056 405 text_pattern_ops 2229 25 f 0
10057 405 varchar_pattern_ops 2229 25 f 0
10058 405 bpchar_pattern_ops 2231 1042 f 0
10059 405 aclitem_ops 2235 1033 t 0
10065 403 uuid_ops 2968 2950 t 0
10066 405 uuid_ops 2969 2950 t 0
10067 403 pg_lsn_ops 3253 3220 t 0
10068 405 pg_lsn_ops 3254 3220 t 0
10069 403 enum_ops 3522 3500 t 0
10070 405 enum_ops 3523 3500 t 0
10076 403 range_ops 3901 3831 t 0
10077 405 range_ops 3903 3831 t 0
10080 403 multirange_ops 4199 4537 t 0
10081 405 multirange_ops 4225 4537 t 0
10088 403 jsonb_ops 4033 3802 t 0
10089 405 jsonb_ops 4034 3802 t 0`;
