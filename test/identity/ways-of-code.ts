/**
 * The ways in which code that an agent defined comes to run below a statement of somebody else. `make` is what the agent
 * says in its fork, where the schema `x` holds `x.boom()` (a volatile function that tries all of `BEYOND`), `x.still(int)`
 * and `x.still(text)` (declared immutable, they call it), and `x.loot`. `trigger` is what the caller says then.
 *
 * Main holds, owned by the database's own user: tables `base(id, v)` and `people`, functions `inner_()`, which `outer_()`,
 * the view `counted`, the trigger of `watched` and the merge check `kept_check` call, and `runs(name, statement)`, which runs
 * any text given to it.
 */
export interface Way {
  readonly name: string;
  readonly make: string;
  readonly trigger: string | readonly string[];
  /** Rows of a COPY … FROM STDIN that follows. */
  readonly rows?: string;
  /** What a `put` of HTTP writes that triggers it, too. */
  readonly put?: { readonly table: string; readonly id: string; readonly record: Record<string, unknown> };
  /** The caller is in main, not in the agent's world: `$w` names that. Such a way ends with the merge. */
  readonly fromMain?: boolean;
  /** Definitions outside of schema x that are taken away after it was merged. */
  readonly undo?: string;
  /** Only roles are held by policies: for all others the code does not run. */
  readonly rolesOnly?: boolean;
  /** The engine does not run the code here, where Postgres would; the day it does, it must hold. */
  readonly silent?: boolean;
  /** Not below a query: commands that cannot run there are tried all. */
  readonly outsideOfQueries?: boolean;
  /** Postgres asks for a superuser, or it needs more than an agent has: that the agent cannot make it is right, too. */
  readonly mayBeRefused?: boolean;
}

const BOOM = 'SELECT x.boom()';

function fn(name: string, body: string, more = 'LANGUAGE sql', returns = 'int'): string {
  return `CREATE FUNCTION x.${name} RETURNS ${returns} ${more} AS $f$ ${body} $f$;`;
}

const RETURNS_ROW = fn('fires()', 'BEGIN PERFORM x.boom(); IF tg_op = $q$DELETE$q$ THEN RETURN old; END IF; RETURN new; END', 'LANGUAGE plpgsql', 'trigger');
const FIRES_ON_EVENT = fn('fires()', 'BEGIN PERFORM x.boom(); END', 'LANGUAGE plpgsql', 'event_trigger');
const T = 'CREATE TABLE x.t (id int PRIMARY KEY, v int);';
const INSERTS = 'INSERT INTO x.t VALUES (1, 1)';

function onTable(name: string, trigger: string, does = INSERTS, table = T): Way {
  return { name, make: `${RETURNS_ROW} ${table} CREATE ${trigger};`, trigger: does };
}

/** A new type over text whose functions are the agent's. */
const WRAPPED = 'CREATE TYPE x.w AS (n int);';

const FUNCTIONS: Way[] = [
  { name: 'plpgsql function', make: '', trigger: BOOM },
  { name: 'plpgsql definer', make: fn('f()', 'BEGIN PERFORM x.boom(); RETURN 1; END', 'LANGUAGE plpgsql SECURITY DEFINER'), trigger: 'SELECT x.f()' },
  { name: 'sql function', make: fn('f()', BOOM), trigger: 'SELECT x.f()' },
  { name: 'sql definer', make: fn('f()', BOOM, 'LANGUAGE sql SECURITY DEFINER'), trigger: 'SELECT x.f()' },
  { name: 'boom itself definer', make: 'ALTER FUNCTION x.boom() SECURITY DEFINER', trigger: BOOM },
  { name: 'sql function of one statement', make: fn('f()', 'CREATE ROLE got_sql_function SUPERUSER; SELECT x.boom()'), trigger: 'SELECT x.f()' },
  { name: 'inlined sql function', make: fn('f(int)', 'SELECT x.boom() + $1', 'LANGUAGE sql STABLE'), trigger: 'SELECT x.f(1)' },
  { name: 'begin atomic', make: 'CREATE FUNCTION x.f() RETURNS int LANGUAGE sql BEGIN ATOMIC SELECT x.boom(); END;', trigger: 'SELECT x.f()' },
  { name: 'return body', make: 'CREATE FUNCTION x.f() RETURNS int LANGUAGE sql RETURN x.boom();', trigger: 'SELECT x.f()' },
  { name: 'dynamic text', make: fn('f()', "BEGIN EXECUTE 'SELECT x.' || 'boom()'; RETURN 1; END", 'LANGUAGE plpgsql'), trigger: 'SELECT x.f()' },
  { name: 'DO inside', make: fn('f()', "BEGIN EXECUTE 'DO $d$ BEGIN PERFORM x.boom(); END $d$'; RETURN 1; END", 'LANGUAGE plpgsql'), trigger: 'SELECT x.f()' },
  {
    name: 'exception handler',
    make: fn('f()', "BEGIN RAISE 'first'; EXCEPTION WHEN OTHERS THEN PERFORM x.boom(); RETURN 1; END", 'LANGUAGE plpgsql'),
    trigger: 'SELECT x.f()',
  },
  { name: 'procedure', make: 'CREATE PROCEDURE x.p() LANGUAGE plpgsql AS $$ BEGIN PERFORM x.boom(); END $$', trigger: 'CALL x.p()' },
  { name: 'procedure after its COMMIT', make: 'CREATE PROCEDURE x.p() LANGUAGE plpgsql AS $$ BEGIN COMMIT; PERFORM x.boom(); END $$', trigger: 'CALL x.p()' },
  { name: 'sql procedure definer', make: 'CREATE PROCEDURE x.p() LANGUAGE sql SECURITY DEFINER AS $$ SELECT x.boom() $$', trigger: 'CALL x.p()' },
  { name: 'DO of the caller', make: '', trigger: 'DO $$ BEGIN PERFORM x.boom(); END $$' },
  {
    name: 'procedure that says it itself',
    make: "CREATE PROCEDURE x.p() LANGUAGE plpgsql AS $$ DECLARE p record; BEGIN FOR p IN SELECT stmt FROM x.payloads WHERE name = (SELECT what FROM x.plan) LOOP EXECUTE replace(p.stmt, '%N', substr(md5(random()::text), 1, 8)); END LOOP; PERFORM x.boom(); END $$",
    trigger: 'CALL x.p()',
    outsideOfQueries: true,
  },
  { name: 'rows in FROM', make: fn('f()', 'SELECT x.boom()', 'LANGUAGE sql', 'SETOF int'), trigger: 'SELECT * FROM x.f()' },
  {
    name: 'RETURN QUERY in FROM',
    make: fn('f()', 'BEGIN RETURN QUERY SELECT x.boom(); END', 'LANGUAGE plpgsql', 'TABLE (n int)'),
    trigger: 'SELECT * FROM generate_series(1, 1), LATERAL x.f()',
  },
  { name: 'function with SET', make: fn('f()', 'SELECT x.boom()', 'LANGUAGE sql SET search_path = x'), trigger: 'SELECT x.f()' },
  { name: 'default of an argument', make: fn('f(n int DEFAULT x.boom())', 'SELECT n'), trigger: 'SELECT x.f()' },
  {
    name: 'returned cursor',
    make: fn('f()', "DECLARE c refcursor := 'c'; BEGIN OPEN c FOR SELECT x.boom(); RETURN c; END", 'LANGUAGE plpgsql SECURITY DEFINER', 'refcursor'),
    trigger: ['BEGIN', 'SELECT x.f()', 'FETCH ALL FROM c', 'COMMIT'],
  },
  { name: 'folded constant of EXPLAIN', make: '', trigger: 'EXPLAIN SELECT x.still(1)', silent: true },
  { name: 'EXPLAIN ANALYZE', make: '', trigger: 'EXPLAIN ANALYZE SELECT x.boom()' },
  { name: 'query_to_xml', make: '', trigger: "SELECT query_to_xml('SELECT x.boom()', true, true, '')" },
  { name: 'ts_stat', make: '', trigger: "SELECT * FROM ts_stat('SELECT to_tsvector(x.boom()::text)')" },
];

const IN_TABLES: Way[] = [
  { name: 'default', make: 'CREATE TABLE x.t (id int PRIMARY KEY, v int DEFAULT x.boom());', trigger: 'INSERT INTO x.t (id) VALUES (1)' },
  { name: 'generated column', make: 'CREATE TABLE x.t (id int, v int GENERATED ALWAYS AS (x.still(id)) STORED);', trigger: 'INSERT INTO x.t (id) VALUES (1)' },
  { name: 'check', make: 'CREATE TABLE x.t (id int CHECK (x.still(id) > 0), v int);', trigger: INSERTS },
  { name: 'domain check', make: 'CREATE DOMAIN x.d AS int CHECK (x.still(VALUE) > 0);', trigger: 'SELECT 1::x.d' },
  { name: 'domain default', make: 'CREATE DOMAIN x.d AS int DEFAULT x.boom(); CREATE TABLE x.t (id int, v x.d);', trigger: 'INSERT INTO x.t (id) VALUES (1)' },
  { name: 'index expression', make: `${T} CREATE INDEX ON x.t ((x.still(id)));`, trigger: INSERTS },
  { name: 'partial index', make: `${T} CREATE INDEX ON x.t (v) WHERE x.still(id) > 0;`, trigger: INSERTS },
  { name: 'reindex', make: `${T} ${INSERTS}; CREATE INDEX ON x.t ((x.still(id)));`, trigger: 'REINDEX TABLE x.t', silent: true },
  { name: 'statistics of an expression', make: `${T} ${INSERTS}; CREATE STATISTICS x.s ON (x.still(id)), v FROM x.t;`, trigger: 'ANALYZE x.t', silent: true },
  {
    name: 'partition key',
    make: 'CREATE TABLE x.t (id int, v int) PARTITION BY LIST ((x.still(id))); CREATE TABLE x.t1 PARTITION OF x.t DEFAULT;',
    trigger: INSERTS,
  },
  { name: 'exclusion', make: 'CREATE TABLE x.t (id int, v int, EXCLUDE USING btree ((x.still(id)) WITH =));', trigger: INSERTS },
  { name: 'ALTER TYPE USING', make: `${T} ${INSERTS};`, trigger: 'ALTER TABLE x.t ALTER v TYPE bigint USING x.boom()' },
  { name: 'added column', make: `${T} ${INSERTS};`, trigger: 'ALTER TABLE x.t ADD w int DEFAULT x.boom()' },
  {
    name: 'validated check',
    make: `${T} ${INSERTS}; ALTER TABLE x.t ADD CONSTRAINT c CHECK (x.still(id) > 0) NOT VALID;`,
    trigger: 'ALTER TABLE x.t VALIDATE CONSTRAINT c',
  },
  {
    name: 'COPY FROM',
    make: `${RETURNS_ROW} ${T} CREATE TRIGGER a BEFORE INSERT ON x.t FOR EACH ROW EXECUTE FUNCTION x.fires();`,
    trigger: 'COPY x.t FROM STDIN',
    rows: '1\t1\n',
  },
  { name: 'COPY FROM with a default', make: 'CREATE TABLE x.t (id int, v int DEFAULT x.boom());', trigger: 'COPY x.t (id) FROM STDIN', rows: '1\n' },
  { name: 'COPY TO', make: 'CREATE VIEW x.v AS SELECT x.boom() AS n;', trigger: 'COPY (SELECT * FROM x.v) TO STDOUT' },
  { name: 'RETURNING', make: `${T} ${INSERTS};`, trigger: 'UPDATE x.t SET v = 2 RETURNING x.boom()' },
  {
    name: 'MERGE INTO',
    make: `${T} ${INSERTS}; CREATE VIEW x.v AS SELECT 1 AS id, x.boom() AS n;`,
    trigger: 'MERGE INTO x.t USING x.v ON t.id = v.id WHEN MATCHED THEN UPDATE SET v = v.n',
  },
  {
    name: 'LIKE INCLUDING ALL',
    make: 'CREATE TABLE x.t (id int, v int DEFAULT x.boom());',
    trigger: 'CREATE TEMP TABLE copied (LIKE x.t INCLUDING ALL); INSERT INTO copied (id) VALUES (1); DROP TABLE copied',
  },
  {
    name: 'sequence of defaults on a table of the owner',
    make: 'ALTER TABLE base ALTER v SET DEFAULT x.boom();',
    trigger: 'INSERT INTO base (id) VALUES (101); DELETE FROM base WHERE id = 101',
    undo: 'ALTER TABLE base ALTER v DROP DEFAULT',
  },
  {
    name: 'check on a table of the owner',
    make: 'ALTER TABLE base ADD CONSTRAINT evil CHECK (x.still(id) > 0);',
    trigger: 'INSERT INTO base VALUES (102, 1); DELETE FROM base WHERE id = 102',
    undo: 'ALTER TABLE base DROP CONSTRAINT evil',
  },
];

const VIEWS: Way[] = [
  { name: 'view', make: 'CREATE VIEW x.v AS SELECT x.boom() AS n;', trigger: 'SELECT * FROM x.v' },
  { name: 'view with security_invoker', make: 'CREATE VIEW x.v WITH (security_invoker) AS SELECT x.boom() AS n;', trigger: 'SELECT * FROM x.v' },
  { name: 'view over a view', make: 'CREATE VIEW x.u AS SELECT x.boom() AS n; CREATE VIEW x.v AS SELECT * FROM x.u;', trigger: 'SELECT n FROM x.v' },
  { name: 'materialized view', make: 'CREATE MATERIALIZED VIEW x.v AS SELECT x.boom() AS n WITH NO DATA;', trigger: 'REFRESH MATERIALIZED VIEW x.v' },
  { name: 'CREATE TABLE AS', make: 'CREATE VIEW x.v AS SELECT x.boom() AS n;', trigger: 'CREATE TEMP TABLE taken AS SELECT * FROM x.v; DROP TABLE taken' },
  {
    name: 'prepared statement',
    make: 'CREATE VIEW x.v AS SELECT x.boom() AS n;',
    // Apart: what the caller has prepared outlives an EXECUTE that fails.
    trigger: ['PREPARE reads AS SELECT * FROM x.v', 'EXECUTE reads', 'DEALLOCATE reads'],
  },
  {
    name: 'cursor',
    make: 'CREATE VIEW x.v AS SELECT x.boom() AS n;',
    trigger: ['BEGIN', 'DECLARE c CURSOR FOR SELECT * FROM x.v', 'FETCH 1 FROM c', 'COMMIT'],
  },
  {
    name: 'cursor WITH HOLD',
    make: 'CREATE VIEW x.v AS SELECT x.boom() AS n;',
    trigger: ['BEGIN', 'DECLARE c CURSOR WITH HOLD FOR SELECT * FROM x.v', 'COMMIT', 'CLOSE c'],
  },
  {
    name: 'AS OF WORLD',
    make: 'CREATE OR REPLACE VIEW counted AS SELECT x.boom() AS n;',
    trigger: "SELECT * FROM counted AS OF WORLD '$w'",
    fromMain: true,
    silent: true,
    undo: 'CREATE OR REPLACE VIEW counted AS SELECT inner_() AS n',
  },
  { name: 'rule beside', make: `${T} CREATE RULE r AS ON INSERT TO x.t DO ALSO SELECT x.boom();`, trigger: INSERTS },
  { name: 'rule instead', make: `${T} CREATE RULE r AS ON INSERT TO x.t DO INSTEAD SELECT x.boom();`, trigger: INSERTS },
  {
    name: 'INSTEAD OF trigger',
    make: `${RETURNS_ROW} CREATE VIEW x.v AS SELECT 1 AS id; CREATE TRIGGER a INSTEAD OF INSERT ON x.v FOR EACH ROW EXECUTE FUNCTION x.fires();`,
    trigger: 'INSERT INTO x.v VALUES (1)',
  },
  {
    name: 'view in the place of a table',
    make: 'ALTER TABLE base RENAME TO hidden_base; CREATE VIEW public.base AS SELECT x.boom() AS id, 1 AS v;',
    trigger: 'SELECT * FROM base',
    undo: 'DROP VIEW IF EXISTS public.base; ALTER TABLE hidden_base RENAME TO base',
  },
];

const TRIGGERS: Way[] = [
  onTable('BEFORE row trigger', 'TRIGGER a BEFORE INSERT ON x.t FOR EACH ROW EXECUTE FUNCTION x.fires()'),
  onTable('AFTER row trigger', 'TRIGGER a AFTER INSERT ON x.t FOR EACH ROW EXECUTE FUNCTION x.fires()'),
  onTable('BEFORE statement trigger', 'TRIGGER a BEFORE INSERT ON x.t EXECUTE FUNCTION x.fires()'),
  onTable('AFTER statement trigger', 'TRIGGER a AFTER INSERT ON x.t EXECUTE FUNCTION x.fires()'),
  onTable('TRUNCATE trigger', 'TRIGGER a AFTER TRUNCATE ON x.t EXECUTE FUNCTION x.fires()', 'TRUNCATE x.t'),
  onTable('deferred trigger at COMMIT', 'CONSTRAINT TRIGGER a AFTER INSERT ON x.t DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION x.fires()'),
  {
    ...onTable(
      'deferred trigger by SET CONSTRAINTS',
      'CONSTRAINT TRIGGER a AFTER INSERT ON x.t DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION x.fires()',
    ),
    trigger: ['BEGIN', INSERTS, 'SET CONSTRAINTS ALL IMMEDIATE', 'COMMIT'],
  },
  {
    name: 'WHEN of a trigger',
    make: `${fn('quiet()', 'BEGIN RETURN new; END', 'LANGUAGE plpgsql', 'trigger')} ${T} CREATE TRIGGER a BEFORE INSERT ON x.t FOR EACH ROW WHEN (x.boom() > 0) EXECUTE FUNCTION x.quiet();`,
    trigger: INSERTS,
  },
  onTable('transition tables', 'TRIGGER a AFTER INSERT ON x.t REFERENCING NEW TABLE AS added EXECUTE FUNCTION x.fires()'),
  {
    name: 'trigger by a foreign key of the owner',
    make: `${RETURNS_ROW} CREATE TABLE x.t (id int PRIMARY KEY, b int REFERENCES base ON DELETE CASCADE); INSERT INTO x.t VALUES (1, 1);
      CREATE TRIGGER a BEFORE DELETE ON x.t FOR EACH ROW EXECUTE FUNCTION x.fires();`,
    trigger: 'DELETE FROM base WHERE id = 1',
    undo: 'INSERT INTO base VALUES (1, 1) ON CONFLICT DO NOTHING',
  },
  {
    name: 'trigger on a table of the owner',
    make: `${RETURNS_ROW} CREATE TRIGGER evil BEFORE UPDATE ON base FOR EACH ROW EXECUTE FUNCTION x.fires();`,
    trigger: 'UPDATE base SET v = v',
    undo: 'DROP TRIGGER IF EXISTS evil ON base',
  },
  {
    name: 'put into a table with a trigger',
    make: `${RETURNS_ROW} CREATE TABLE public.noted (id text PRIMARY KEY, v int); GRANT ALL ON public.noted TO public;
      CREATE TRIGGER a BEFORE INSERT ON public.noted FOR EACH ROW EXECUTE FUNCTION x.fires();`,
    trigger: "INSERT INTO noted VALUES ('b', 1)",
    put: { table: 'noted', id: 'a', record: { v: 1 } },
    undo: 'DROP TABLE public.noted CASCADE',
  },
  {
    name: 'put into a table with a default',
    make: 'CREATE TABLE public.noted (id text PRIMARY KEY, v int, d int DEFAULT x.boom()); GRANT ALL ON public.noted TO public;',
    trigger: "INSERT INTO noted (id, v) VALUES ('b', 1)",
    put: { table: 'noted', id: 'a', record: { v: 1 } },
    undo: 'DROP TABLE public.noted CASCADE',
  },
  {
    name: 'put into a table with a generated column',
    make: 'CREATE TABLE public.noted (id text PRIMARY KEY, v int, d int GENERATED ALWAYS AS (x.still(v)) STORED); GRANT ALL ON public.noted TO public;',
    trigger: "INSERT INTO noted (id, v) VALUES ('b', 1)",
    put: { table: 'noted', id: 'a', record: { v: 1 } },
    undo: 'DROP TABLE public.noted CASCADE',
  },
  ...(['ddl_command_start', 'ddl_command_end'] as const).map((event) => ({
    name: `event trigger ${event}`,
    make: `${FIRES_ON_EVENT} CREATE EVENT TRIGGER evil ON ${event} WHEN TAG IN ('COMMENT') EXECUTE FUNCTION x.fires();`,
    trigger: "COMMENT ON SCHEMA public IS 'said'",
    undo: 'DROP EVENT TRIGGER evil',
    mayBeRefused: true,
  })),
  {
    name: 'event trigger sql_drop',
    make: `${FIRES_ON_EVENT} CREATE EVENT TRIGGER evil ON sql_drop WHEN TAG IN ('DROP SEQUENCE') EXECUTE FUNCTION x.fires(); GRANT CREATE ON SCHEMA public TO public;`,
    trigger: 'CREATE SEQUENCE public.short; DROP SEQUENCE public.short',
    undo: 'DROP EVENT TRIGGER evil',
    mayBeRefused: true,
  },
  {
    name: 'policy USING',
    make: `${T} ${INSERTS}; CREATE POLICY p ON x.t USING (x.boom() > 0); ALTER TABLE x.t ENABLE ROW LEVEL SECURITY;`,
    trigger: 'SELECT * FROM x.t',
    rolesOnly: true,
  },
  {
    name: 'policy WITH CHECK',
    make: `${T} CREATE POLICY p ON x.t FOR INSERT WITH CHECK (x.boom() > 0); ALTER TABLE x.t ENABLE ROW LEVEL SECURITY;`,
    trigger: INSERTS,
    rolesOnly: true,
  },
  {
    name: 'policy on a table of the owner',
    make: 'CREATE POLICY evil ON base USING (x.boom() > 0); ALTER TABLE base ENABLE ROW LEVEL SECURITY;',
    trigger: 'SELECT * FROM base',
    undo: 'DROP POLICY IF EXISTS evil ON base; ALTER TABLE base DISABLE ROW LEVEL SECURITY',
    rolesOnly: true,
  },
];

const TYPES: Way[] = [
  {
    name: 'sfunc of an aggregate',
    make: `${fn('s(int, int)', 'SELECT x.boom()')} CREATE AGGREGATE x.a(int) (SFUNC = x.s, STYPE = int, INITCOND = '0');`,
    trigger: 'SELECT x.a(1)',
  },
  {
    name: 'finalfunc of an aggregate',
    make: `${fn('s(int)', 'SELECT x.boom()')} CREATE AGGREGATE x.a(int) (SFUNC = int4pl, STYPE = int, FINALFUNC = x.s, INITCOND = '0');`,
    trigger: 'SELECT x.a(1)',
  },
  {
    name: 'window aggregate',
    make: `${fn('s(int, int)', 'SELECT x.boom()')} CREATE AGGREGATE x.a(int) (SFUNC = x.s, STYPE = int, INITCOND = '0');`,
    trigger: 'SELECT x.a(1) OVER ()',
  },
  {
    name: 'operator',
    make: `${fn('o(int, int)', 'SELECT x.boom()')} CREATE OPERATOR x.## (LEFTARG = int, RIGHTARG = int, FUNCTION = x.o);`,
    trigger: 'SELECT 1 OPERATOR(x.##) 2',
  },
  {
    name: 'explicit cast',
    make: `${WRAPPED} ${fn('c(x.w)', 'SELECT x.boom()')} CREATE CAST (x.w AS int) WITH FUNCTION x.c(x.w);`,
    trigger: 'SELECT ROW(1)::x.w::int',
  },
  {
    name: 'assignment cast',
    make: `${WRAPPED} ${T} ${fn('c(x.w)', 'SELECT x.boom()')} CREATE CAST (x.w AS int) WITH FUNCTION x.c(x.w) AS ASSIGNMENT;`,
    trigger: 'INSERT INTO x.t VALUES (1, ROW(1)::x.w)',
  },
  {
    name: 'implicit cast',
    make: `${WRAPPED} ${fn('c(x.w)', 'SELECT x.boom()')} CREATE CAST (x.w AS int) WITH FUNCTION x.c(x.w) AS IMPLICIT;`,
    trigger: 'SELECT abs(ROW(1)::x.w)',
  },
  {
    name: 'canonical of a range',
    make: `CREATE TYPE x.r; ${fn('canon(x.r)', 'BEGIN PERFORM x.boom(); RETURN $1; END', 'LANGUAGE plpgsql IMMUTABLE', 'x.r')} CREATE TYPE x.r AS RANGE (SUBTYPE = int, CANONICAL = x.canon);`,
    trigger: 'SELECT x.r(1, 2)',
    mayBeRefused: true,
  },
  {
    name: 'subdiff of a range',
    make: `${fn('d(int, int)', 'SELECT x.still(1)::float8', 'LANGUAGE sql IMMUTABLE', 'float8')} CREATE TYPE x.r AS RANGE (SUBTYPE = int, SUBTYPE_DIFF = x.d); CREATE TABLE x.t (r x.r); CREATE INDEX ON x.t USING gist (r);`,
    trigger: "INSERT INTO x.t VALUES ('[1,2)'), ('[3,9)'); SELECT * FROM x.t WHERE r && '[1,4)'",
    silent: true,
  },
  {
    name: 'functions of a base type',
    make: `CREATE TYPE x.b; ${fn('b_in(cstring)', 'SELECT x.boom()', 'LANGUAGE sql IMMUTABLE', 'x.b')} ${fn('b_out(x.b)', 'SELECT x.boom()', 'LANGUAGE sql IMMUTABLE', 'cstring')} CREATE TYPE x.b (INPUT = x.b_in, OUTPUT = x.b_out);`,
    trigger: "SELECT 'a'::x.b",
    mayBeRefused: true,
  },
  {
    name: 'comparison of an operator class',
    make: `${WRAPPED} ${fn('lt(x.w, x.w)', 'SELECT x.still(1) < 0', 'LANGUAGE sql IMMUTABLE', 'boolean')} ${fn('gt(x.w, x.w)', 'SELECT x.still(1) < 0', 'LANGUAGE sql IMMUTABLE', 'boolean')}
      ${fn('eq(x.w, x.w)', 'SELECT x.still(1) > 0', 'LANGUAGE sql IMMUTABLE', 'boolean')} ${fn('cmp(x.w, x.w)', 'SELECT x.still(1)', 'LANGUAGE sql IMMUTABLE')}
      CREATE OPERATOR x.<< (LEFTARG = x.w, RIGHTARG = x.w, FUNCTION = x.lt); CREATE OPERATOR x.>> (LEFTARG = x.w, RIGHTARG = x.w, FUNCTION = x.gt);
      CREATE OPERATOR x.== (LEFTARG = x.w, RIGHTARG = x.w, FUNCTION = x.eq);
      CREATE OPERATOR CLASS x.c DEFAULT FOR TYPE x.w USING btree AS OPERATOR 1 x.<<, OPERATOR 3 x.==, OPERATOR 5 x.>>, FUNCTION 1 x.cmp(x.w, x.w);`,
    trigger: 'SELECT * FROM (VALUES (ROW(1)::x.w), (ROW(2)::x.w)) AS t (w) ORDER BY w USING OPERATOR(x.<<)',
    mayBeRefused: true,
  },
  {
    name: 'shadowed function',
    make: 'CREATE FUNCTION public.lower(varchar) RETURNS text LANGUAGE sql AS $$ SELECT x.boom()::text $$;',
    trigger: "SELECT lower('A'::varchar)",
    undo: 'DROP FUNCTION public.lower(varchar)',
  },
  {
    name: 'shadowed operator',
    make: `${fn('same(varchar, varchar)', 'SELECT x.boom() > 0', 'LANGUAGE sql', 'boolean')} CREATE OPERATOR public.= (LEFTARG = varchar, RIGHTARG = varchar, FUNCTION = x.same);`,
    trigger: "SELECT 'a'::varchar = 'b'::varchar",
    undo: 'DROP OPERATOR public.= (varchar, varchar)',
  },
];

const RUNS_BOOM = 'CREATE OR REPLACE FUNCTION public.inner_() RETURNS int LANGUAGE sql AS $$ SELECT x.boom() $$;';
const AS_IT_WAS = 'CREATE OR REPLACE FUNCTION public.inner_() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$';

/** What the owner made and the agent exchanged, and what the agent makes of functions of the owner. */
const REPLACED: Way[] = [
  { name: 'replaced function', make: RUNS_BOOM, trigger: 'SELECT inner_()', undo: AS_IT_WAS },
  { name: 'replaced function below one of the owner', make: RUNS_BOOM, trigger: 'SELECT outer_()', undo: AS_IT_WAS },
  { name: 'replaced function below a definer of the owner', make: RUNS_BOOM, trigger: 'SELECT definer_()', undo: AS_IT_WAS },
  { name: 'replaced function in a view of the owner', make: RUNS_BOOM, trigger: 'SELECT * FROM counted', undo: AS_IT_WAS },
  { name: 'replaced function in a trigger of the owner', make: RUNS_BOOM, trigger: 'INSERT INTO watched VALUES (1)', undo: AS_IT_WAS },
  {
    name: 'replaced function in a merge check',
    make: `${RUNS_BOOM} INSERT INTO base VALUES (900, 1);`,
    trigger: 'MERGE WORLD $w DRY RUN',
    fromMain: true,
    // It runs, but nothing that a merge check calls acts beyond the world, the owner's code neither.
    silent: true,
    undo: `${AS_IT_WAS}; DELETE FROM base WHERE id = 900`,
  },
  {
    name: 'replaced view',
    make: 'CREATE OR REPLACE VIEW counted AS SELECT x.boom() AS n;',
    trigger: 'SELECT * FROM counted',
    undo: 'CREATE OR REPLACE VIEW counted AS SELECT inner_() AS n',
  },
  {
    name: 'renamed in its place',
    make: 'ALTER FUNCTION public.inner_() RENAME TO inner_before; CREATE FUNCTION public.inner_() RETURNS int LANGUAGE sql AS $$ SELECT x.boom() $$;',
    trigger: 'SELECT outer_()',
    undo: 'DROP FUNCTION public.inner_() CASCADE; ALTER FUNCTION public.inner_before() RENAME TO inner_',
  },
  {
    name: 'altered to definer',
    make: 'ALTER FUNCTION public.runs(text, text) SECURITY DEFINER; CREATE VIEW x.v AS SELECT $runs AS n;',
    trigger: 'SELECT * FROM x.v',
    undo: 'ALTER FUNCTION public.runs(text, text) SECURITY INVOKER',
  },
  {
    name: 'altered search_path',
    make: `CREATE FUNCTION x.inner_() RETURNS int LANGUAGE sql AS $$ SELECT x.boom() $$; ALTER FUNCTION public.outer_() SET search_path = x, public;`,
    trigger: 'SELECT outer_()',
    undo: 'ALTER FUNCTION public.outer_() RESET ALL',
  },
  { name: 'default over a function of the owner', make: 'CREATE TABLE x.t (id int, v int DEFAULT $runs);', trigger: 'INSERT INTO x.t (id) VALUES (1)' },
  {
    name: 'default over it on a table of the owner',
    make: 'ALTER TABLE base ALTER v SET DEFAULT $runs;',
    trigger: 'INSERT INTO base (id) VALUES (103); DELETE FROM base WHERE id = 103',
    undo: 'ALTER TABLE base ALTER v DROP DEFAULT',
  },
  { name: 'view over a function of the owner', make: 'CREATE VIEW x.v AS SELECT $runs AS n;', trigger: 'SELECT * FROM x.v' },
  { name: 'rule over a function of the owner', make: `${T} CREATE RULE r AS ON INSERT TO x.t DO ALSO SELECT $runs;`, trigger: INSERTS },
  {
    name: 'rule on a table of the owner',
    make: 'CREATE RULE evil AS ON UPDATE TO base DO ALSO SELECT $runs;',
    trigger: 'UPDATE base SET v = v',
    undo: 'DROP RULE IF EXISTS evil ON base',
  },
  { name: 'check over a function of the owner', make: 'CREATE TABLE x.t (id int, v int, CHECK ($runs > 0));', trigger: INSERTS },
  {
    name: 'policy over a function of the owner',
    make: `${T} ${INSERTS}; CREATE POLICY p ON x.t USING ($runs > 0); ALTER TABLE x.t ENABLE ROW LEVEL SECURITY;`,
    trigger: 'SELECT * FROM x.t',
    rolesOnly: true,
  },
  {
    name: 'WHEN over a function of the owner',
    make: `${fn('quiet()', 'BEGIN RETURN new; END', 'LANGUAGE plpgsql', 'trigger')} ${T} CREATE TRIGGER a BEFORE INSERT ON x.t FOR EACH ROW WHEN ($runs > 0) EXECUTE FUNCTION x.quiet();`,
    trigger: INSERTS,
  },
  {
    name: 'trigger function of the owner on a table of the agent',
    make: 'CREATE TABLE x.t (id int, name text, stmt text); CREATE TRIGGER a BEFORE INSERT ON x.t FOR EACH ROW EXECUTE FUNCTION public.runs_new();',
    trigger: 'INSERT INTO x.t SELECT n, name, stmt FROM x.payloads WHERE NOT alone',
  },
  {
    name: 'operator over a function of the owner',
    make: 'CREATE OPERATOR x.## (LEFTARG = text, RIGHTARG = text, FUNCTION = public.runs); CREATE VIEW x.v AS SELECT sum(name OPERATOR(x.##) stmt) AS n FROM x.payloads WHERE NOT alone;',
    trigger: 'SELECT * FROM x.v',
  },
  {
    name: 'aggregate over a function of the owner',
    make: `${fn('s(int, text)', "SELECT public.runs('create role', $2)")} CREATE AGGREGATE x.a(text) (SFUNC = x.s, STYPE = int, INITCOND = '0');`,
    trigger: 'SELECT x.a(stmt) FROM x.payloads',
  },
];

/** Code that creates code during another principal's call, or gives itself another owner. */
const LAUNDERED: Way[] = [
  {
    name: 'function made in the run',
    make: fn(
      'f()',
      "BEGIN EXECUTE 'CREATE FUNCTION x.washed() RETURNS int LANGUAGE sql SECURITY DEFINER AS $w$ SELECT x.boom() $w$'; RETURN 1; END",
      'LANGUAGE plpgsql',
    ),
    trigger: ['SELECT x.f()', 'SELECT x.washed()'],
  },
  {
    name: 'view made in the run',
    make: fn(
      'f()',
      "BEGIN EXECUTE format('CREATE VIEW x.washed AS SELECT %s AS n', (SELECT string_agg(format('public.runs(%L, %L)', name, stmt), ' + ' ORDER BY n) FROM x.payloads WHERE NOT alone)); RETURN 1; END",
      'LANGUAGE plpgsql',
    ),
    trigger: ['SELECT x.f()', 'SELECT * FROM x.washed'],
  },
  {
    name: 'default made in the run',
    make: `${T} ${fn('f()', "BEGIN EXECUTE format('ALTER TABLE x.t ALTER v SET DEFAULT %s', (SELECT string_agg(format('public.runs(%L, %L)', name, stmt), ' + ' ORDER BY n) FROM x.payloads WHERE NOT alone)); RETURN 1; END", 'LANGUAGE plpgsql')}`,
    trigger: ['SELECT x.f()', 'INSERT INTO x.t (id) VALUES (1)'],
  },
  {
    name: 'trigger made in the run',
    make: `${RETURNS_ROW} ${T} ${fn('f()', "BEGIN EXECUTE 'CREATE TRIGGER a BEFORE INSERT ON x.t FOR EACH ROW EXECUTE FUNCTION x.fires()'; RETURN 1; END", 'LANGUAGE plpgsql')}`,
    trigger: ['SELECT x.f()', INSERTS],
  },
  {
    name: 'given away in the run',
    make: fn('f()', "BEGIN BEGIN EXECUTE 'ALTER FUNCTION x.boom() OWNER TO svc'; EXCEPTION WHEN OTHERS THEN NULL; END; RETURN 1; END", 'LANGUAGE plpgsql'),
    trigger: ['SELECT x.f()', BOOM],
  },
  {
    name: 'replaced by itself in the run',
    make: fn(
      'f()',
      "BEGIN EXECUTE 'CREATE OR REPLACE FUNCTION public.inner_() RETURNS int LANGUAGE sql AS $w$ SELECT x.boom() $w$'; RETURN 1; END",
      'LANGUAGE plpgsql',
    ),
    trigger: ['SELECT x.f()', 'SELECT outer_()'],
    undo: AS_IT_WAS,
  },
  {
    name: 'reassigned in the run',
    make: fn('f()', "BEGIN BEGIN EXECUTE 'REASSIGN OWNED BY CURRENT_USER TO svc'; EXCEPTION WHEN OTHERS THEN NULL; END; RETURN 1; END", 'LANGUAGE plpgsql'),
    trigger: ['SELECT x.f()', BOOM],
  },
];

export const WAYS: readonly Way[] = [...FUNCTIONS, ...IN_TABLES, ...VIEWS, ...TRIGGERS, ...TYPES, ...REPLACED, ...LAUNDERED];
