// What Supabase's Studio reads and changes through postgres-meta.
import { PostgresMeta } from '@supabase/postgres-meta';

const { PORT, DATABASE, USER } = process.env;
const meta = new PostgresMeta({ host: '127.0.0.1', port: Number(PORT), database: DATABASE, user: USER, max: 2 });
/** Oids, and what is made of them, differ between servers. */
const plain = (value, key = '') => {
  if (Array.isArray(value)) return value.map((each) => plain(each, key));
  if (value instanceof Date) return value;
  if (value !== null && typeof value === 'object') return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, plain(each, name)]));
  // The owner of what a superuser makes is the database's own user in svc.
  if (/^(owner|grantee|grantor)$/.test(key) && (value === USER || value === 'svc')) return 'owner';
  if (/(^|_)(id|ids|oid|oids)$|^columns\.id$/.test(key) && /^\d{4,}(\.\d+)?$/.test(String(value))) return 'oid';
  return value;
};
const sorted = (rows) =>
  rows
    .map((each) => JSON.stringify(each))
    .sort()
    .map((each) => JSON.parse(each));
const byGrant = ({ privileges, ...each }) => ({ ...each, privileges: sorted(privileges) });
const say = (name, { data, error }, pick = (each) => each) =>
  console.log(
    name,
    error === null
      ? JSON.stringify(
          plain(
            Array.isArray(data)
              ? sorted(
                  data
                    .map(pick)
                    .filter((each) => each !== null)
                    .map((each) => plain(each)),
                )
              : pick(data),
          ),
        )
      : `error ${error.code} ${error.message}`,
  );
const query = async (sql) => {
  const { data, error } = await meta.query(sql);
  if (error !== null) console.log('failed', sql, error.message);
  return data;
};
await query(`
  CREATE SCHEMA app; CREATE TYPE app.mood AS ENUM ('sad', 'it''s ok'); CREATE DOMAIN app.positive AS int CHECK (VALUE > 0);
  CREATE TYPE app.pair AS (a int, b text);
  CREATE TABLE app.users (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name varchar(40) NOT NULL UNIQUE, mood app.mood DEFAULT 'sad', age app.positive, tags text[] DEFAULT '{}', p app.pair, "Odd Name" numeric(6,2) CHECK ("Odd Name" > 1), made timestamptz(3) DEFAULT now(), up text GENERATED ALWAYS AS (upper(name)) STORED);
  COMMENT ON TABLE app.users IS 'people'; COMMENT ON COLUMN app.users.age IS 'in years';
  CREATE TABLE app.posts (id serial, author bigint REFERENCES app.users ON DELETE CASCADE, title text, PRIMARY KEY (id), UNIQUE (author, title));
  CREATE INDEX lower_title ON app.posts (lower(title) DESC) WHERE author IS NOT NULL;
  CREATE TABLE app.parts (k int, v text, PRIMARY KEY (k)) PARTITION BY RANGE (k); CREATE TABLE app.parts_1 PARTITION OF app.parts FOR VALUES FROM (0) TO (10);
  CREATE VIEW app.shown AS SELECT u.id, u.name, p.title FROM app.users u JOIN app.posts p ON p.author = u.id;
  CREATE VIEW app.plain AS SELECT id, name FROM app.users; CREATE VIEW app.over AS SELECT id AS ident FROM app.plain;
  CREATE MATERIALIZED VIEW app.kept AS SELECT count(*) AS n FROM app.posts;
  CREATE FUNCTION app.add(a int, b int DEFAULT 2) RETURNS int LANGUAGE sql IMMUTABLE STRICT SET search_path = app AS 'SELECT a + b';
  CREATE FUNCTION app.posts_of(u app.users) RETURNS SETOF app.posts LANGUAGE sql STABLE AS 'SELECT * FROM app.posts WHERE author = u.id';
  CREATE FUNCTION app.tab(VARIADIC xs int[], OUT a int, OUT b text) RETURNS SETOF record LANGUAGE plpgsql SECURITY DEFINER AS 'BEGIN RETURN; END';
  CREATE PROCEDURE app.proc(INOUT x int) LANGUAGE sql AS 'SELECT 1';
  CREATE FUNCTION app.touch() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
  CREATE TRIGGER touches BEFORE UPDATE OF name ON app.users FOR EACH ROW WHEN (OLD.name IS DISTINCT FROM NEW.name) EXECUTE FUNCTION app.touch('x');
  ALTER TABLE app.posts ENABLE ROW LEVEL SECURITY;
  CREATE POLICY mine ON app.posts AS RESTRICTIVE FOR UPDATE TO PUBLIC USING (author = 1) WITH CHECK (title <> '');
  CREATE PUBLICATION pub FOR TABLE app.users WITH (publish = 'insert');
`);
const own = { includedSchemas: ['app'], includeSystemSchemas: false };
const without =
  (...names) =>
  (each) =>
    Object.fromEntries(Object.entries(each).filter(([name]) => !names.includes(name)));
const withoutSize = without('bytes', 'size', 'live_rows_estimate', 'dead_rows_estimate');
say('schemas', await meta.schemas.list({ includeSystemSchemas: false }), ({ name }) => name);
say('tables', await meta.tables.list({ ...own, includeColumns: true }), withoutSize);
say('columns', await meta.columns.list(own));
say('views', await meta.views.list({ ...own, includeColumns: true }));
say('materialized views', await meta.materializedViews.list({ ...own, includeColumns: true }));
say('functions', await meta.functions.list(own), without('complete_statement', 'return_type_relation_id'));
say('indexes', await meta.indexes.list(own), without('index_attributes', 'class', 'collation'));
say('triggers', await meta.triggers.list(own));
say('policies', await meta.policies.list(own));
say('publications', await meta.publications.list({}));
say('relationships', await meta.relationships.list());
say('types', await meta.types.list({ ...own, includeTableTypes: true, includeArrayTypes: true }));
say('extensions', await meta.extensions.list(), ({ name, schema, installed_version }) => (installed_version === null ? null : [name, schema]));
say('settings', await meta.config.list({ limit: 5 }), ({ name, category, group, subgroup, context, vartype }) => ({
  name,
  category,
  group,
  subgroup,
  context,
  vartype,
}));
say('table privileges', await meta.tablePrivileges.list(own), byGrant);
say('column privileges', await meta.columnPrivileges.list({ ...own, limit: 8 }), byGrant);
const { data: table } = await meta.tables.create({ name: 'made', schema: 'app', comment: 'made here' });
say('created', await meta.tables.retrieve({ id: table.id }), withoutSize);
const { data: column } = await meta.columns.create({
  table_id: table.id,
  name: 'qty',
  type: 'int4',
  default_value: 1,
  is_nullable: false,
  is_unique: true,
  comment: 'c',
  check: 'qty > 0',
});
say('column', await meta.columns.retrieve({ id: column.id }));
say('changed', await meta.columns.update(column.id, { name: 'many', type: 'int8', drop_default: true, is_nullable: true, is_unique: false, comment: 'd' }));
say(
  'replica',
  await meta.tables.update(table.id, {
    name: 'remade',
    rls_enabled: true,
    rls_forced: true,
    primary_keys: [{ name: 'many' }],
    replica_identity: 'FULL',
    comment: 'e',
  }),
  withoutSize,
);
say('policy', await meta.policies.create({ name: 'p', table: 'remade', schema: 'app', command: 'SELECT', definition: 'many > 1' }));
say(
  'function',
  await meta.functions.create({
    name: 'f',
    schema: 'app',
    args: ['a integer', 'b text'],
    definition: 'select a',
    return_type: 'integer',
    language: 'sql',
    behavior: 'STABLE',
    security_definer: true,
    config_params: { search_path: 'app' },
  }),
  without('id'),
);
say(
  'role',
  await meta.roles.create({ name: `role_${DATABASE}`, can_login: true, connection_limit: 3, config: { statement_timeout: '5s' } }),
  ({ name, connection_limit, config, can_login }) => ({ name: name === `role_${DATABASE}`, connection_limit, config, can_login }),
);
await query(`DROP ROLE role_${DATABASE}`);
say('dropped', await meta.columns.remove(column.id, { cascade: true }), ({ name }) => name);
say('no table', await meta.tables.retrieve({ id: 1 }));
await meta.end();
