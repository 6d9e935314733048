/** Read from the catalogs of PostgreSQL 15 by test/sql/catalog/extract-definitions.ts; not written by hand. */

/** oid|name */
export const NAMESPACES = `11|pg_catalog
2200|public
13207|information_schema`;

/** oid|name|schema oid|provider|deterministic|encoding|collate|ctype, ~ for null */
export const COLLATIONS = `100|default|11|d|t|-1|~|~
950|C|11|c|t|-1|C|C
951|POSIX|11|c|t|-1|POSIX|POSIX
12340|ucs_basic|11|c|t|6|C|C`;

/** oid|name|procedural|trusted */
export const LANGUAGES = `12|internal|f|f
13|c|f|f
14|sql|f|t
13563|plpgsql|t|t`;

/** Domains of information_schema: oid|oid of its array|name|oid of the base type|typmod|not null|default|check, ~ for null */
export const DOMAINS = `13221|13220|cardinal_number|23|-1|f|~|CHECK ((VALUE >= 0))
13224|13223|character_data|1043|-1|f|~|~
13226|13225|sql_identifier|19|-1|f|~|~
13232|13231|time_stamp|1184|2|f|CURRENT_TIMESTAMP(2)|~
13234|13233|yes_or_no|1043|7|f|~|CHECK (((VALUE)::text = ANY ((ARRAY['YES'::character varying, 'NO'::character varying])::text[])))`;

/** range type oid|its name|subtype oid|multirange oid|its name */
export const RANGES = `3904|int4range|23|4451|int4multirange
3906|numrange|1700|4532|nummultirange
3908|tsrange|1114|4533|tsmultirange
3910|tstzrange|1184|4534|tstzmultirange
3912|daterange|1082|4535|datemultirange
3926|int8range|20|4536|int8multirange`;
