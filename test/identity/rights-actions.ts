/**
 * Everything that can be asked of a database, as calls of the HTTP API and as statements. In them `$own` is a world that the
 * asking identity forked from main, `$child` its fork of that, `$other` somebody else's, `$merged` one of the latter that was
 * merged into main, `$past` a moment, and `$now` one after all these were made.
 */
export interface Action {
  readonly name: string;
  /** A call. */
  readonly op?: string;
  readonly body?: Record<string, unknown>;
  /** Or a statement list, run through the `sql` call and in a session of its own. */
  readonly sql?: string;
  readonly branch?: string;
  /** What a statement list sets up before it, as the database's own user, in that branch. */
  readonly before?: string;
}

const ROW = { table: 'items', id: 'a' };

function on(op: string, body: Record<string, unknown>, ...branches: string[]): Action[] {
  return branches.map((branch) => ({ name: `${op} ${branch}`, op, body: { ...body, branch } }));
}

function sql(name: string, text: string, ...branches: string[]): Action[] {
  return (branches.length === 0 ? ['main'] : branches).map((branch) => ({ name: `${name}${branches.length === 0 ? '' : ` on ${branch}`}`, sql: text, branch }));
}

export const ACTIONS: readonly Action[] = [
  // --- calls: reading
  ...on('get', ROW, 'main', '$other', 'main@$past'),
  ...on('find', { table: 'items' }, 'main', '$other'),
  ...on('diff', {}, '$own', '$other'),
  ...on('history', {}, 'main'),
  ...on('world', {}, '$other'),
  { name: 'branches', op: 'branches', body: {} },
  { name: 'settings', op: 'settings', body: {} },
  { name: 'merge dry run', op: 'merge', body: { branch: '$other', dry_run: true } },
  // --- calls: rows
  ...on('put', { ...ROW, record: { n: 1 } }, 'main', '$own', '$other'),
  ...on('delete', ROW, 'main', '$own', '$other'),
  ...on('batch', { rows: [{ ...ROW, record: null }] }, 'main', '$own', '$other'),
  ...on('batch', { rows: [] }, 'main', '$other').map((each) => ({ ...each, name: `empty ${each.name}` })),
  // --- calls: worlds
  { name: 'fork main', op: 'fork', body: { name: '$new' } },
  { name: 'fork $own', op: 'fork', body: { name: '$new', from: '$own' } },
  { name: 'fork $other', op: 'fork', body: { name: '$new', from: '$other' } },
  { name: 'fork the past of main', op: 'fork', body: { name: '$new', from: 'main@$past' } },
  { name: 'fork the past of $own', op: 'fork', body: { name: '$new', from: '$own@$now' } },
  ...on('set_meta', { meta: { a: 1 } }, 'main', '$own', '$other'),
  ...on('checkpoint', { name: 'mark' }, 'main', '$own', '$other'),
  ...on('rollback', { checkpoint: 'first' }, 'main', '$own', '$other'),
  ...on('restore', { at: '$past' }, 'main'),
  ...on('restore', { at: '$now' }, '$own', '$other'),
  { name: 'restore $own to a checkpoint', op: 'restore', body: { branch: '$own', checkpoint: 'first' } },
  ...on('confirm', {}, '$own', '$other'),
  ...on('rebase', {}, '$own', '$other'),
  { name: 'rebase $other with picks', op: 'rebase', body: { branch: '$other', picks: { 'items/other': { n: 5 } }, resolve: 'ours' } },
  { name: 'discard $child', op: 'discard', body: { branch: '$child' } },
  { name: 'discard $own and its forks', op: 'discard', body: { branch: '$own', cascade: true } },
  { name: "discard $own and somebody's fork of it", op: 'discard', body: { branch: '$lent', cascade: true } },
  { name: 'discard $other', op: 'discard', body: { branch: '$other' } },
  ...on('keep', { pinned: true }, '$own'),
  ...on('keep', { ttl: 60000 }, '$other'),
  // --- calls: merging
  { name: 'merge $child into $own', op: 'merge', body: { branch: '$child' } },
  { name: 'merge $other into main', op: 'merge', body: { branch: '$other', resolve: 'theirs' } },
  { name: 'merge a world of its own into main', op: 'merge', body: { branch: '$leaf', resolve: 'theirs' } },
  { name: '… only some keys', op: 'merge', body: { branch: '$leaf', resolve: 'theirs', only_keys: ['items/new'] } },
  { name: '… only some tables', op: 'merge', body: { branch: '$leaf', resolve: 'theirs', only_tables: ['items'] } },
  { name: '… with rows given', op: 'merge', body: { branch: '$leaf', resolve: 'theirs', picks: { 'items/new': { n: 9 } } } },
  { name: '… into main by name', op: 'merge', body: { branch: '$leaf', resolve: 'theirs', into: 'main' } },
  { name: '… into $other', op: 'merge', body: { branch: '$leaf', resolve: 'theirs', into: '$other' } },
  { name: 'merge $other into $own', op: 'merge', body: { branch: '$other', resolve: 'theirs', into: '$own' } },
  { name: 'undo_merge', op: 'undo_merge', body: { branch: '$merged' } },
  { name: 'undo_agent', op: 'undo_agent', body: { name: 'someone', skip_changed: true } },
  // --- calls: administration
  { name: 'create_agent', op: 'create_agent', body: { name: '$new', can: ['admin'] } },
  { name: 'alter_agent', op: 'alter_agent', body: { name: 'someone', max_worlds: 0 } },
  { name: 'drop_agent', op: 'drop_agent', body: { name: '$spare' } },
  { name: 'agents', op: 'agents', body: {} },
  { name: 'audit', op: 'audit', body: {} },
  { name: 'set_setting', op: 'set_setting', body: { name: 'max_worlds', value: 0 } },
  { name: 'verify', op: 'verify', body: {} },
  { name: 'get of the agents', op: 'get', body: { table: '_svc_agents', id: 'someone' } },
  { name: 'put of the agents', op: 'put', body: { table: '_svc_agents', id: 'someone', record: {} } },
  { name: 'delete of the agents', op: 'delete', body: { table: 'public._svc_agents', id: 'someone' } },
  { name: 'find of the agents', op: 'find', body: { table: '_svc_agents' } },
  { name: 'batch of the agents', op: 'batch', body: { branch: '$own', rows: [{ table: '_svc_agents', id: 'x', record: {} }] } },

  // --- statements: reading
  ...sql('SELECT', 'SELECT * FROM typed'),
  ...sql('SELECT', 'SELECT * FROM typed', '$other', 'main@$past'),
  ...sql('SELECT without a table', 'SELECT 1'),
  ...sql('AS OF', "SELECT * FROM typed AS OF WORLD '$other'"),
  ...sql('EXPLAIN', 'EXPLAIN SELECT * FROM typed'),
  ...sql('VALUES', 'VALUES (1)'),
  ...sql('SET, SHOW, BEGIN', "SET application_name = 'x'; SHOW application_name"),
  ...sql('PREPARE of a query', 'PREPARE q AS SELECT * FROM typed; EXECUTE q'),
  ...sql('a cursor', 'BEGIN; DECLARE c CURSOR FOR SELECT * FROM typed; FETCH c; COMMIT'),
  ...sql('LISTEN, NOTIFY', "LISTEN c; NOTIFY c, 'x'"),
  ...sql('LOCK in access share mode', 'BEGIN; LOCK TABLE typed IN ACCESS SHARE MODE; COMMIT'),
  ...sql('SHOW WORLDS', 'SHOW WORLDS'),
  ...sql('SHOW HISTORY', 'SHOW HISTORY'),
  ...sql('USE WORLD', 'USE WORLD $other'),
  ...sql('DIFF WORLD', 'DIFF WORLD $other'),
  ...sql('MERGE … DRY RUN', 'MERGE WORLD $other DRY RUN'),
  ...sql('SHOW AGENTS', 'SHOW AGENTS'),
  ...sql('SHOW AUDIT', 'SHOW AUDIT FOR AGENT someone LIMIT 3'),
  // --- statements: rows
  ...sql('INSERT', "INSERT INTO typed VALUES (100, 'x')", 'main', '$own', '$other'),
  ...sql('INSERT … RETURNING', "INSERT INTO typed VALUES (100, 'x') RETURNING *", '$own'),
  ...sql('INSERT … SELECT', 'INSERT INTO typed SELECT id + 100, name FROM typed', '$own', '$other'),
  ...sql('UPDATE', "UPDATE typed SET name = 'y'", 'main', '$own', '$other'),
  ...sql('DELETE', 'DELETE FROM typed', 'main', '$own', '$other'),
  ...sql('MERGE INTO', 'MERGE INTO typed t USING typed s ON t.id = s.id WHEN MATCHED THEN DELETE', 'main', '$own', '$other'),
  ...sql('TRUNCATE', 'TRUNCATE typed', 'main', '$own', '$other'),
  ...sql('WITH that writes', 'WITH gone AS (DELETE FROM typed RETURNING *) SELECT count(*) FROM gone', 'main', '$own', '$other'),
  ...sql('WITH in an INSERT', 'WITH w AS (SELECT 7 AS n) INSERT INTO typed SELECT n, NULL FROM w', '$other'),
  ...sql('a write in a transaction', 'BEGIN; DELETE FROM typed; COMMIT', 'main', '$own', '$other'),
  ...sql('a write after a savepoint', 'BEGIN; SAVEPOINT s; DELETE FROM typed; COMMIT', 'main', '$other'),
  ...sql('a prepared write', 'PREPARE w AS DELETE FROM typed; EXECUTE w', 'main', '$own', '$other'),
  ...sql('EXPLAIN ANALYZE of a write', 'EXPLAIN ANALYZE DELETE FROM typed', 'main', '$own', '$other'),
  ...sql('EXPLAIN of a write', 'EXPLAIN DELETE FROM typed', 'main'),
  ...sql('FOR UPDATE', 'SELECT * FROM typed FOR UPDATE', 'main', '$own', '$other'),
  ...sql('nextval', "SELECT nextval('counter')", 'main', '$own', '$other'),
  ...sql('setval', "SELECT setval('counter', 5)", 'main', '$other'),
  ...sql('LOCK', 'BEGIN; LOCK TABLE typed IN EXCLUSIVE MODE; COMMIT', 'main', '$own'),
  ...sql('USE WORLD and write', 'USE WORLD $other; DELETE FROM typed', '$own'),
  // --- statements: definitions
  ...sql('CREATE TABLE', 'CREATE TABLE made (id int PRIMARY KEY)', 'main', '$own', '$other'),
  ...sql('CREATE TABLE AS', 'CREATE TABLE made AS SELECT * FROM typed', 'main', '$own', '$other'),
  ...sql('ALTER TABLE', 'ALTER TABLE typed ADD COLUMN more int', 'main', '$own', '$other'),
  ...sql('DROP TABLE', 'DROP TABLE typed', 'main', '$own', '$other'),
  ...sql('CREATE INDEX', 'CREATE INDEX ON typed (name)', 'main', '$own', '$other'),
  ...sql('CREATE VIEW', 'CREATE VIEW made AS SELECT * FROM typed', 'main', '$own', '$other'),
  ...sql('CREATE SEQUENCE', 'CREATE SEQUENCE made', '$own', '$other'),
  ...sql('CREATE SCHEMA', 'CREATE SCHEMA made', '$own', '$other'),
  ...sql('CREATE TYPE', "CREATE TYPE made AS ENUM ('a')", '$own', '$other'),
  ...sql('COMMENT', "COMMENT ON TABLE typed IS 'x'", 'main', '$own'),
  ...sql('ALTER … RENAME', 'ALTER TABLE typed RENAME TO made', 'main', '$own', '$other'),
  // --- statements: worlds
  ...sql('CREATE WORLD', 'CREATE WORLD $new'),
  ...sql('CREATE WORLD from $other', 'CREATE WORLD $new FROM $other'),
  ...sql('CREATE WORLD from the past', "CREATE WORLD $new FROM main@'$past'"),
  ...sql('DROP WORLD', 'DROP WORLD $other'),
  ...sql('DROP WORLD of its own', 'DROP WORLD $child'),
  ...sql('ALTER WORLD SET META', `ALTER WORLD $other SET META '{"a": 1}'`),
  ...sql('ALTER WORLD PIN', 'ALTER WORLD $own PIN'),
  ...sql('ALTER WORLD SET TTL', "ALTER WORLD $own SET TTL '1 hour'"),
  ...sql('MERGE WORLD', 'MERGE WORLD $other RESOLVE THEIRS'),
  ...sql('MERGE WORLD of its own', 'MERGE WORLD $leaf RESOLVE THEIRS'),
  ...sql('REBASE WORLD', 'REBASE WORLD $other'),
  ...sql('RESTORE WORLD of its own', "RESTORE WORLD $own TO '$now'"),
  ...sql('RESTORE WORLD main', "RESTORE WORLD main TO '$past'"),
  ...sql('CHECKPOINT', 'CHECKPOINT mark ON WORLD $other'),
  ...sql('UNDO MERGE', 'UNDO MERGE $merged'),
  ...sql('UNDO AGENT', 'UNDO AGENT someone SKIP CHANGED'),
  // --- statements: administration
  ...sql('CREATE AGENT', 'CREATE AGENT $new CAN (admin)'),
  ...sql('ALTER AGENT', 'ALTER AGENT someone WITH (max_worlds = 0)'),
  ...sql('DROP AGENT', 'DROP AGENT $spare'),
  ...sql('ALTER SYSTEM', 'ALTER SYSTEM SET max_worlds = 0'),
  ...sql('SET ROLE NONE', 'SET ROLE none; SET SESSION AUTHORIZATION DEFAULT; RESET ROLE'),
  ...sql('SET ROLE', 'SET ROLE svc'),
  ...sql('SELECT of the agents', 'SELECT * FROM _svc_agents'),
  ...sql('INSERT to the agents', 'INSERT INTO _svc_agents VALUES (1)', '$own'),
  ...sql('a view of the agents', 'CREATE VIEW made AS SELECT * FROM public._svc_agents', '$own'),
  ...sql('CREATE TABLE of that name', 'CREATE TABLE _svc_agents (id int)', '$own'),
  ...sql('RENAME to that name', 'ALTER TABLE typed RENAME TO _svc_agents', '$own'),
  ...sql('DROP of the agents', 'DROP TABLE IF EXISTS _svc_agents', '$own'),
];
