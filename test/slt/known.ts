/**
 * What of the sqllogictest files svc does not do as Postgres does, by reason: file, and how the statements begin
 * (blanks as one). What follows from an exception (a table that was not made) is listed with it.
 */
export interface Known {
  readonly reason: string;
  readonly statements: Readonly<Record<string, readonly string[]>>;
}

export const KNOWN: readonly Known[] = [
  {
    reason: 'Range and multirange types are a later issue.',
    statements: {
      'aggregates.slt': ['SELECT range_agg(int4range(x, x + 2)) FROM (VALUES (1), (2), (10)) v(x);'],
      'create-table-constraints.slt': [
        'CREATE TABLE ex (r int4range, EXCLUDE USING gist (r WITH &&));',
        "INSERT INTO ex VALUES ('[1,5)'), ('[5,9)');",
        "INSERT INTO ex VALUES ('[4,6)');",
      ],
      'errors.slt': ["SELECT cast('a' AS int4range);"],
      'functions-array.slt': ["SELECT int4range(1, 4) @> ALL (ARRAY[1, 2]), (ARRAY['a', 'b'])[array_position(ARRAY[5, 6],"],
      'types-enum-composite-range.slt': [
        "SELECT '[1,5)'::int4range, '(1,5]'::int4range, '[2024-01-01,2024-01-31]'::daterange, 'empt",
        "SELECT '[5,1)'::int4range;",
        "SELECT 'abc'::int4range;",
        'SELECT int4range(1, 10) @> 5, int4range(1, 10) && int4range(9, 20), int4range(1, 5) -|- in',
        'SELECT int4range(1, 3) + int4range(7, 9);',
        "SELECT '{[1,3),[5,7)}'::int4multirange, int4multirange(int4range(1, 3), int4range(2, 9)),",
      ],
    },
  },
  {
    reason: 'A table that is rewritten numbers a new serial column in the order of its keys.',
    statements: {
      'alter-table.slt': ['SELECT id, s FROM t2 ORDER BY id;', 'SELECT * FROM t2 ORDER BY s;'],
    },
  },
  {
    reason: 'Bit strings are a later issue.',
    statements: {
      'create-table-constraints.slt': [
        'CREATE TABLE wide (a char, b char(3), c varchar, d varchar(3), e bit(2), f timestamp(2), g',
        "SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute WHERE attrelid = 'wide'",
      ],
      'errors.slt': ["SELECT B'2';"],
      'functions-math.slt': ["SELECT bit_count(B'1011'), 5 # 1, ~0, (-1)::int8 >> 60, 1::int8 << 62;"],
      'types-boolean-integer.slt': ['SELECT 10::int4::bit(8), 5::bit(4)::int;'],
      'types-bytea-uuid-bit.slt': [
        "SELECT B'101', X'1F', '101'::bit(3), '101'::bit varying, B'1'::bit, 5::bit(8), B'1010'::va",
        "SELECT '102'::bit(3);",
        "SELECT B'12';",
        "SELECT '1010'::bit(3), '10'::bit(4);",
        "SELECT B'1100' & B'1010', B'1100' | B'1010', B'1100' # B'1010', ~B'1100', B'1100' << 1, B'",
        "SELECT B'11' & B'101';",
        "SELECT length(B'10101'), bit_length(B'101'), octet_length(B'101010101'), get_bit(B'101', 1",
        "SELECT B'101'::int, B'11111111'::bit(8)::int8, (-1)::bit(4), 44::bit(10)::bit(3);",
        "SELECT B'01' < B'1', B'0' = B'00', B'10' > B'0111';",
        'CREATE TABLE bits (a bit(3), b bit varying(5));',
        "INSERT INTO bits VALUES (B'101', B'0'), (B'000', B'11111');",
        "INSERT INTO bits VALUES (B'10', B'0');",
        "INSERT INTO bits VALUES (B'101', B'000000');",
        'SELECT * FROM bits ORDER BY a;',
        'SELECT bit_and(a), bit_or(a), bit_xor(a) FROM bits;',
      ],
      'duckdb/aggregate/aggregates/test_bit_or.test.gz': ['CREATE TABLE bits(b BIT);'],
    },
  },
  {
    reason: 'There is no procedural language.',
    statements: {
      'errors.slt': [
        "DO 'nonsense';",
        "DO $$ BEGIN RAISE EXCEPTION 'custom %', 1; END $$;",
        "DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '22012', MESSAGE = 'mine'; END $$;",
      ],
      'sequences-schemas-comments.slt': ['DO $$ BEGIN NULL; END $$;'],
    },
  },
  {
    reason: 'No role is named postgres: the own user of a database is named by who connects.',
    statements: {
      'errors.slt': ['CREATE ROLE postgres;'],
    },
  },
  {
    reason: 'Databases and the settings of the server are not changed through SQL.',
    statements: {
      'errors.slt': ['CREATE DATABASE template1;'],
    },
  },
  {
    reason: 'Composite types and domains are a later issue.',
    statements: {
      'functions-json.slt': [
        'CREATE TYPE jpair AS (a int, b text);',
        'SELECT * FROM jsonb_populate_record(NULL::jpair, \'{"a": 5, "b": "five", "c": 1}\');',
        'SELECT * FROM jsonb_populate_recordset(row(0, \'dflt\')::jpair, \'[{"a": 1}, {"b": "x"}]\');',
      ],
      'types-enum-composite-range.slt': [
        "ALTER TYPE mood RENAME VALUE 'meh' TO 'so-so';",
        'SELECT m FROM people WHERE id = 6;',
        'CREATE TYPE pair AS (a int, b text);',
        "SELECT row(1, 'x')::pair, (row(1, 'x')::pair).a, ('(2,\"y z\")'::pair).b, '(,)'::pair, row(N",
        'SELECT row(1)::pair;',
        'SELECT row(1, 2, 3)::pair;',
        "SELECT '(1)'::pair;",
        "SELECT '(x,y)'::pair;",
        "SELECT '1,2'::pair;",
        "SELECT (row(1, 'x')::pair).c;",
        "SELECT (row(1, 'x')::pair).*;",
        'SELECT row(NULL, NULL) IS NULL, row(1, NULL) IS NULL, row(1, NULL) IS NOT NULL, row(1, 2)',
        'CREATE TABLE composed (id int, p pair, ps pair[]);',
        "INSERT INTO composed VALUES (1, row(10, 'ten'), ARRAY[row(1, 'a')::pair, row(2, 'b')::pair",
        'INSERT INTO composed (id, p.a) VALUES (4, 40);',
        "UPDATE composed SET p.b = 'forty' WHERE id = 4;",
        "UPDATE composed SET p.c = 'forty' WHERE id = 4;",
        'SELECT * FROM composed ORDER BY id;',
        'SELECT id, (p).a, (c.p).b, (ps)[1], (ps[2]).b FROM composed c ORDER BY id;',
        "SELECT id FROM composed WHERE p = row(20, 'twenty')::pair;",
        'SELECT id FROM composed ORDER BY p NULLS FIRST;',
        'SELECT c FROM composed c WHERE id = 2;',
        'SELECT c.* FROM composed c WHERE id = 2;',
        'SELECT (c).id, c IS NULL FROM composed c WHERE id = 1;',
        'SELECT count(c), count(DISTINCT p) FROM composed c;',
        'ALTER TYPE pair ADD ATTRIBUTE c int;',
        'DROP TYPE pair;',
        'DROP TYPE pair CASCADE;',
        'SELECT * FROM composed LIMIT 0;',
        'CREATE DOMAIN positive AS int CHECK (VALUE > 0);',
        "CREATE DOMAIN short AS varchar(5) NOT NULL DEFAULT 'dflt';",
        "SELECT 5::positive, '7'::positive, NULL::positive, pg_typeof(5::positive), 5::positive + 1",
        'SELECT (-5)::positive;',
        'SELECT NULL::short;',
        "SELECT 'abcdefgh'::short;",
        'CREATE TABLE domained (p positive, s short);',
        "INSERT INTO domained VALUES (1, 'a'), (NULL, 'b');",
        'INSERT INTO domained (p) VALUES (2);',
        "INSERT INTO domained VALUES (-1, 'x');",
        'INSERT INTO domained VALUES (1, NULL);',
        "INSERT INTO domained VALUES (1, 'toolong');",
        'SELECT * FROM domained ORDER BY p;',
        'ALTER DOMAIN positive ADD CONSTRAINT small CHECK (VALUE < 100);',
        "INSERT INTO domained VALUES (100, 'x');",
        'DROP DOMAIN positive;',
      ],
    },
  },
  {
    reason: 'jsonpath is a later issue.',
    statements: {
      'functions-json.slt': [
        "SELECT jsonb_path_query('{\"a\": [1, 2, {\"b\": 3}]}', '$.a[*]'), jsonb_path_query_first('[1,",
        "SELECT jsonb_path_exists('{\"a\": 1}', '$.a ? (@ > $min)', '{\"min\": 0}'), jsonb_path_match('",
        'SELECT jsonb_path_query_array(\'{"a": [1, "x", null, true, 2.5]}\', \'$.a[*] ? (@.type() == "',
        'SELECT jsonb_path_query_array(\'["abc", "xbc"]\', \'$[*] ? (@ like_regex "^a")\'), jsonb_path_',
        "SELECT jsonb_path_query('{\"a\": 1}', 'strict $.b');",
        "SELECT jsonb_path_query('[1]', '$[');",
        'SELECT jsonb_path_query(\'{"a": "x"}\', \'$.a + 1\');',
        "SELECT '$.a[*] ? (@ > 1)'::jsonpath, 'strict $.\"a b\"'::jsonpath, '$'::jsonpath;",
        "SELECT 'nonsense ['::jsonpath;",
        "SELECT to_json(1), to_jsonb(1), jsonb_typeof('1'), json_array_length('[]'), jsonb_agg(1),",
        "SELECT id FROM orders WHERE doc @? '$.lines[*] ? (@.qty > 3)';",
      ],
      'types-json.slt': ["SELECT '{\"a\": 1}'::jsonb @? '$.a', '{\"a\": 1}'::jsonb @@ '$.a == 1', '[1, 5, 10]'::jsonb @?"],
    },
  },
  {
    reason: 'Functions behind aggregates cannot be called by themselves.',
    statements: {
      'functions-math.slt': ['SELECT numeric_inc(1.5), int4pl(1, 2), float8mul(2, 3);'],
    },
  },
  {
    reason: 'Two-phase commit is not supported.',
    statements: {
      'transactions.slt': ["PREPARE TRANSACTION 'x';"],
    },
  },
  {
    reason: 'A transaction has a number from its start.',
    statements: {
      'transactions.slt': ['SELECT txid_current_if_assigned() IS NULL, now() = statement_timestamp();'],
    },
  },
  {
    reason: 'Powers of numerics have the scale that later releases give them.',
    statements: {
      'types-numeric.slt': [
        'SELECT power(2.0, 10), power(2.0, 0.5), 2.0 ^ 3, power(2.0, -2), power(0.0, 0), 10.0 ^ 20,',
        'SELECT 123456789012345678901234567890::numeric % 97, 2::numeric ^ 100, (10::numeric ^ 30):',
      ],
    },
  },
  {
    reason: 'Definitions are shown as they are kept: with schemas, and without relation names.',
    statements: {
      'views-indexes-ctas.slt': [
        "SELECT viewname, definition FROM pg_views WHERE schemaname = 'public' ORDER BY 1;",
        "SELECT pg_get_viewdef('up2');",
        "SELECT indexname, indexdef FROM pg_indexes WHERE tablename = 'base' ORDER BY 1;",
      ],
    },
  },
  {
    reason: 'Rows come in the order of their keys where no order is asked for.',
    statements: {
      'duckdb/constraints/foreignkey/test_foreignkey.test.gz': ['SELECT * FROM song;', 'SELECT * FROM album;'],
    },
  },
];

/** Why a statement of a file is expected to go wrong; null where it must not. */
export function knownReason(file: string, sql: string): string | null {
  return KNOWN.find(({ statements }) => statements[file]?.some((start) => isOf(start, sql)))?.reason ?? null;
}

export function knownStatements(file: string): string[] {
  return KNOWN.flatMap(({ statements }) => statements[file] ?? []);
}

/** Whether the statement begins so. */
export function isOf(start: string, sql: string): boolean {
  return sql.replace(/\s+/g, ' ').trim().startsWith(start);
}
