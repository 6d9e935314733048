/**
 * Masked columns by every way of reading and for everyone who may not see through: a label goes with the column's identity to forks that were made
 * before it, to moments before it, and to what is made in the place of what was dropped. The secret stands in no reply.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { GUEST, type Principal } from '../../../src/session/principal.ts';
import { SvcError } from '../../../src/base/errors/svc-error.ts';
import { refused, TestDatabase } from '../session/open-database.ts';
import { AGENT } from '../session/test-agent.ts';

const SECRET = 'canary-51c2';
const LABEL = "SECURITY LABEL FOR anon ON COLUMN people.code IS 'MASKED WITH VALUE ''hidden'''";
const ROLE = Symbol('a role');

let own: TestDatabase;
let before = '';
beforeAll(async () => {
  own = await TestDatabase.open();
  await own.run(`
    CREATE TABLE people (id int PRIMARY KEY, name text, code text);
    INSERT INTO people VALUES (1, 'Ann', '${SECRET}-1'), (2, 'Bob', '${SECRET}-2');
    CREATE VIEW cards AS SELECT id, code AS c FROM people;
    CREATE MATERIALIZED VIEW kept AS SELECT code FROM people;
    CREATE FUNCTION code_of(i int) RETURNS text LANGUAGE sql STABLE AS 'SELECT code FROM people WHERE id = i';
    CREATE FUNCTION code_by_loop(i int) RETURNS text LANGUAGE plpgsql AS $$ BEGIN RETURN (SELECT code FROM people WHERE id = i); END $$;
    CREATE TABLE derived (id int PRIMARY KEY, code text, twice text GENERATED ALWAYS AS (code || code) STORED);
    INSERT INTO derived VALUES (1, '${SECRET}-3');
    CREATE TABLE gone (id int PRIMARY KEY, code text); INSERT INTO gone VALUES (1, '${SECRET}-4');
    CREATE TABLE retyped (id int PRIMARY KEY, code text); INSERT INTO retyped VALUES (1, '${SECRET}-5');
    CREATE INDEX ON people (code);
    ANALYZE people;
    CREATE ROLE reader; CREATE ROLE keeper; GRANT ALL ON ALL TABLES IN SCHEMA public TO reader; GRANT CREATE ON SCHEMA public TO reader, keeper`);
  await own.db.fork({ name: 'early' });
  await own.db.fork({ name: 'renamed' });
  await own.run('ALTER TABLE people RENAME COLUMN code TO k; ALTER TABLE people RENAME TO folk', 'renamed');
  await own.db.fork({ name: 'below', from: 'early' });
  await own.db.fork({ name: 'merged' });
  await own.run("UPDATE people SET name = 'Anna' WHERE id = 1", 'merged');
  before = (await own.db.checkpoint({ name: 'before' })).at;
  await own.db.merge({ branch: 'merged' });
  await own.run(`${LABEL}; SECURITY LABEL FOR anon ON COLUMN derived.code IS 'MASKED WITH VALUE NULL'; SECURITY LABEL FOR anon ON COLUMN derived.twice IS 'MASKED WITH VALUE NULL';
    SECURITY LABEL FOR anon ON COLUMN gone.code IS 'MASKED WITH VALUE NULL'; SECURITY LABEL FOR anon ON COLUMN retyped.code IS 'MASKED WITH VALUE NULL'`);
  for (const name of ['late', 'swapped', 'retabled']) await own.db.fork({ name });
  await own.run(`UPDATE people SET code = '${SECRET}-6' WHERE id = 1`, 'late');
  await own.run(
    "ALTER TABLE people DROP COLUMN code CASCADE; ALTER TABLE people ADD COLUMN code varchar; UPDATE people SET code = 'mine', name = 'x'",
    'swapped',
  );
  await own.run("DROP TABLE people CASCADE; CREATE TABLE people (id text PRIMARY KEY, code text); INSERT INTO people VALUES ('1', 'mine')", 'retabled');
  await own.run(`UPDATE people SET code = '${SECRET}-7', name = 'Annie' WHERE id = 1`);
  await own.run('DROP TABLE gone; ALTER TABLE retyped DROP COLUMN code');
});
afterAll(() => own.close());

/** What the principal is told, be it a refusal. */
async function replies(who: Principal | typeof ROLE, sql: string, branch: string): Promise<string> {
  try {
    if (who !== ROLE) return JSON.stringify(await own.db.commandsOf(who).sql({ sql, branch }));
    const session = own.db.session({ branch });
    try {
      await session.run('SET ROLE reader');
      const results = await session.run(sql);
      return JSON.stringify(
        results.map(({ rows, columns, notices }) => [
          rows.map((row) => row.map((value, i) => (value === null ? null : columns![i].type.format(value, session.env)))),
          notices,
        ]),
      );
    } finally {
      session.close();
    }
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    return JSON.stringify([error.code, error.message, error.detail, error.hint, error.data]);
  }
}

const WHO: [string, Principal | typeof ROLE][] = [
  ['an agent', AGENT],
  ['the guest', GUEST],
  ['a model of the own user', { kind: 'owner', sight: 'masked' } as Principal],
  ['a role', ROLE],
];

const PEOPLE = [
  'SELECT * FROM people',
  'TABLE people',
  'SELECT people FROM people',
  'SELECT max(code) FROM people',
  "SELECT string_agg(code, ',') FROM people",
  'SELECT code FROM people ORDER BY code',
  'SELECT to_jsonb(p) FROM people p',
  'SELECT row_to_json(p) FROM people p',
];
const READS: [branch: string, sql: string][] = [
  ...['main', 'early', 'below', 'late', 'swapped', 'retabled', 'main@-1ms'].flatMap((branch) => PEOPLE.map((sql): [string, string] => [branch, sql])),
  ...['main', 'early', 'below'].flatMap((branch) =>
    [
      'SELECT * FROM cards',
      'SELECT * FROM kept',
      'SELECT code_of(1), code_by_loop(1)',
      'SELECT * FROM derived',
      'SELECT * FROM pg_stats',
      'SELECT most_common_vals::text, histogram_bounds::text FROM pg_stats',
      'EXPLAIN (ANALYZE, VERBOSE) SELECT * FROM people',
      'UPDATE people SET name = name RETURNING *',
      'DELETE FROM people WHERE id = 2 RETURNING code',
      'INSERT INTO people VALUES (1) ON CONFLICT (id) DO UPDATE SET name = people.code RETURNING *',
      'COPY people TO STDOUT',
      'BEGIN; CREATE TABLE c AS SELECT * FROM people; SELECT * FROM c; ROLLBACK',
      'BEGIN; CREATE TABLE c (LIKE people INCLUDING ALL); INSERT INTO c SELECT * FROM people; SELECT * FROM c; ROLLBACK',
      'BEGIN; CREATE TABLE c () INHERITS (people); ROLLBACK',
      'BEGIN; ALTER TABLE people ADD COLUMN copied text GENERATED ALWAYS AS (code) STORED; SELECT copied FROM people; ROLLBACK',
      'BEGIN; ALTER TABLE people RENAME COLUMN code TO other; SELECT other FROM people; ROLLBACK',
      'BEGIN; ALTER TABLE people RENAME TO others; SELECT * FROM others; ROLLBACK',
      'BEGIN; ALTER TABLE people ALTER COLUMN code TYPE int USING length(code); ROLLBACK',
      'ALTER TABLE people ALTER COLUMN code TYPE int USING code::int',
      "ALTER TABLE people ADD CHECK (code = 'x')",
      'CREATE UNIQUE INDEX ON people ((left(code, 3)))',
      'CREATE INDEX ON people ((code::int))',
      'BEGIN; SECURITY LABEL FOR anon ON COLUMN people.code IS NULL; SELECT * FROM people; ROLLBACK',
      "BEGIN; SECURITY LABEL FOR anon ON COLUMN people.code IS 'MASKED WITH FUNCTION pg_catalog.upper(code)'; SELECT * FROM people; ROLLBACK",
      "DO $$ DECLARE c text; BEGIN SELECT code INTO c FROM people LIMIT 1; RAISE NOTICE '%', c; END $$",
      "SELECT id FROM people WHERE code LIKE 'canary%' AND length(code) / 0 = 1",
      'SELECT code::int FROM people',
      'VALUES ((SELECT code FROM people LIMIT 1))',
    ].map((sql): [string, string] => [branch, sql]),
  ),
  ['renamed', 'SELECT * FROM folk'],
  ['renamed', 'SELECT k FROM folk'],
  ...['merged@-1s', 'merged'].map((branch): [string, string] => [branch, 'SELECT * FROM people']),
  ...['early', 'below', 'late', 'swapped', 'retabled', 'main', 'before'].flatMap((other): [string, string][] => [
    ['main', `SELECT * FROM people AS OF WORLD '${other}'`],
    ['swapped', `SELECT * FROM people AS OF WORLD '${other}'`],
    ['retabled', `SELECT * FROM people AS OF WORLD '${other}'`],
    ['main', `DIFF WORLD ${other}`],
    ['main', `DIFF WORLD ${other} AS SQL`],
    ['main', `MERGE WORLD ${other} DRY RUN`],
    ['main', `MERGE WORLD ${other} RESOLVE OURS DRY RUN`],
  ]),
  ['main', "SELECT * FROM gone AS OF '$before'"],
  ['main', "SELECT * FROM retyped AS OF '$before'"],
  ['main', "SELECT * FROM people AS OF '$before'"],
  ['early', "SELECT * FROM people AS OF '$before'"],
  ['swapped', "SELECT * FROM people AS OF '$before'"],
  ['main', "SELECT * FROM gone AS OF WORLD 'early'"],
];

describe.each(WHO)('%s', (_who, who) => {
  test.each(READS)('in %s reads no masked value by %s', async (branch, sql) => {
    expect(await replies(who, sql.replace('$before', before), branch)).not.toContain(SECRET);
  });
});

describe.each(WHO.slice(0, 3) as [string, Principal][])('row operations of %s', (_who, who) => {
  const calls = (branch: string): [string, () => Promise<unknown>][] => {
    const commands = own.db.commandsOf(who);
    return [
      ...['people', 'folk', 'gone', 'retyped', 'kept'].flatMap((table): [string, () => Promise<unknown>][] => [
        [`get ${table}`, () => commands.get({ table, id: '1', branch })],
        [`find ${table}`, () => commands.find({ table, branch })],
        [`find ${table} where`, () => commands.find({ table, branch, where: { code: `${SECRET}-1` } })],
      ]),
      ['diff', () => commands.diff({ branch })],
      ['diff to main', () => commands.diff({ branch, to: 'main' })],
      ['diff as SQL', () => commands.diff({ branch, sql: true })],
      ['diff of main', () => commands.diff({ branch: 'main', to: branch })],
      ['preview', () => commands.preview({ branch })],
      ['preview of ours', () => commands.preview({ branch, resolve: 'ours' })],
      ['preview of theirs', () => commands.preview({ branch, resolve: 'theirs' })],
      ['preview by columns', () => commands.preview({ branch, columns: true })],
    ];
  };
  test.each(['main', 'early', 'below', 'renamed', 'late', 'swapped', 'retabled', '$before', 'early@$before', 'merged@-1ms'])('in %s', async (name) => {
    const branch = name === '$before' ? `main@${before}` : name.replace('$before', before);
    for (const [what, call] of calls(branch)) {
      const reply = await call().then(
        (given) => JSON.stringify(given),
        (error: unknown) => JSON.stringify([(error as SvcError).message, (error as SvcError).detail, (error as SvcError).data]),
      );
      expect({ what, reply: reply.includes(SECRET) ? reply : 'nothing' }).toEqual({ what, reply: 'nothing' });
    }
  });
});

describe('a mask stays', () => {
  test.each(['ours', 'theirs'] as const)('over a column that a fork dropped and made again, when a rebase takes %s', async (resolve) => {
    for (const [i, change] of [
      'ALTER TABLE people DROP COLUMN code CASCADE; ALTER TABLE people ADD COLUMN code text',
      'ALTER TABLE people DROP COLUMN code CASCADE; ALTER TABLE people ADD COLUMN code varchar(99)',
      'ALTER TABLE people DROP COLUMN code CASCADE; ALTER TABLE people ADD COLUMN x text; ALTER TABLE people RENAME COLUMN x TO code',
      'DROP TABLE people CASCADE; CREATE TABLE people (id int PRIMARY KEY, name text, code text)',
      'DROP TABLE people CASCADE; CREATE TABLE p (id int PRIMARY KEY, name text, code text); ALTER TABLE p RENAME TO people',
      'ALTER TABLE people RENAME COLUMN code TO x; ALTER TABLE people ADD COLUMN code text',
      'ALTER TABLE people RENAME TO x; CREATE TABLE people (id int PRIMARY KEY, name text, code text)',
    ].entries()) {
      const branch = `again_${resolve}_${i}`;
      const commands = own.db.commandsOf(AGENT);
      await commands.fork({ name: branch });
      await commands
        .sql({ branch, sql: `${change}; INSERT INTO people VALUES (1, 'mine', 'mine') ON CONFLICT (id) DO UPDATE SET code = 'mine', name = 'mine'` })
        .catch(() => null);
      await own.run(`UPDATE people SET code = '${SECRET}-${branch}', name = '${branch}' WHERE id = 1`);
      for (const call of [
        () => commands.preview({ branch, resolve }),
        () => commands.rebase({ branch, resolve }),
        () => commands.diff({ branch }),
        () => commands.preview({ branch, into: 'early', resolve }),
      ]) {
        const reply = await call().then(
          (given) => JSON.stringify(given),
          (error: unknown) => JSON.stringify([(error as SvcError).message, (error as SvcError).detail, (error as SvcError).data]),
        );
        expect(reply).not.toContain(SECRET);
      }
      for (const table of ['people', 'x', 'p']) expect(await replies(AGENT, `SELECT * FROM ${table}`, branch)).not.toContain(SECRET);
      expect(await replies(AGENT, `SELECT * FROM people AS OF WORLD 'main'`, branch)).not.toContain(SECRET);
    }
  });

  test.each(['', 'WITH HOLD'])('over a cursor %s that was opened before it', async (hold) => {
    await own.run(`DROP TABLE IF EXISTS lately; CREATE TABLE lately (id int PRIMARY KEY, code text); SECURITY LABEL FOR anon ON COLUMN lately.code IS NULL;
      INSERT INTO lately SELECT i, '${SECRET}' || i FROM generate_series(1, 1000) i; GRANT SELECT ON lately TO reader`);
    const session = own.db.session();
    await session.run(`SET ROLE reader; BEGIN; DECLARE c CURSOR ${hold} FOR SELECT code FROM lately; FETCH 1 FROM c`);
    if (hold !== '') await session.run('COMMIT');
    await own.run("SECURITY LABEL FOR anon ON COLUMN lately.code IS 'MASKED WITH VALUE NULL'");
    const error = await refused('42501', session.run('FETCH ALL FROM c'));
    expect(error.hint).toMatch(/open it again/);
    if (hold === '') await session.run('ROLLBACK');
    session.close();
  });

  test('in a transaction that began before it', async () => {
    await own.run(`CREATE TABLE open_one (id int PRIMARY KEY, code text); INSERT INTO open_one VALUES (1, '${SECRET}'); GRANT SELECT ON open_one TO reader`);
    const session = own.db.session();
    await session.run('SET ROLE reader; BEGIN ISOLATION LEVEL REPEATABLE READ; PREPARE p AS SELECT code FROM open_one; EXECUTE p');
    await own.run("SECURITY LABEL FOR anon ON COLUMN open_one.code IS 'MASKED WITH VALUE NULL'");
    expect((await session.run('SELECT code FROM open_one')).at(-1)!.rows).toEqual([[null]]);
    expect((await session.run('EXECUTE p')).at(-1)!.rows).toEqual([[null]]);
    await session.run('ROLLBACK');
    session.close();
  });

  test('when a role that reads it undoes the merge that brought it, or merges a branch without it', async () => {
    await own.run('CREATE TABLE brought (id int PRIMARY KEY, code text); INSERT INTO brought VALUES (1, $$x$$)');
    await own.db.fork({ name: 'labels' });
    await own.run("SECURITY LABEL FOR anon ON COLUMN brought.code IS 'MASKED WITH VALUE NULL'", 'labels');
    await own.db.merge({ branch: 'labels' });
    if (AGENT.kind !== 'agent' || AGENT.agent.state === null) throw new Error('no agent');
    const state = { ...AGENT.agent.state, can: [...AGENT.agent.state.can, 'restore' as const] };
    const commands = own.db.commandsOf({ ...AGENT, agent: { ...AGENT.agent, state } });
    await refused('42501', commands.undo_merge({ branch: 'labels' }));
    await own.db.fork({ name: 'clear' });
    await own.run('SECURITY LABEL FOR anon ON COLUMN brought.code IS NULL', 'clear');
    await refused('42501', commands.merge({ branch: 'clear' }));
    await own.db.merge({ branch: 'clear' });
    expect((await commands.sql({ sql: 'SELECT code FROM brought' })).results[0].rows).toEqual([{ code: 'x' }]);
  });

  test('until a person takes it away, also of a column that was dropped and made again', async () => {
    await own.run(`CREATE TABLE again (id int PRIMARY KEY, code text); SECURITY LABEL FOR anon ON COLUMN again.code IS 'MASKED WITH VALUE ''hidden''';
      DROP TABLE again; CREATE TABLE again (id int PRIMARY KEY, n int, code text); INSERT INTO again VALUES (1, 2, 'x')`);
    const seen = async (): Promise<unknown> => (await own.db.commandsOf(AGENT).sql({ sql: 'SELECT n, code FROM again' })).results[0].rows;
    expect(await seen()).toEqual([{ n: 2, code: 'hidden' }]);
    await own.reopen({ withoutCache: true });
    expect(await seen()).toEqual([{ n: 2, code: 'hidden' }]);
    await own.run('SECURITY LABEL FOR anon ON COLUMN again.code IS NULL');
    expect(await seen()).toEqual([{ n: 2, code: 'x' }]);
  });

  test('against an owner who is not granted unmask', async () => {
    const session = own.db.session();
    await own.run('GRANT CREATE ON SCHEMA public TO keeper');
    await session.run(
      "SET ROLE keeper; CREATE TABLE mine (id int PRIMARY KEY, a text, b text); SECURITY LABEL FOR anon ON COLUMN mine.a IS 'MASKED WITH VALUE NULL'",
    );
    await session.run("SECURITY LABEL FOR anon ON COLUMN mine.b IS 'MASKED WITH VALUE NULL'");
    await refused('42501', session.run('SECURITY LABEL FOR anon ON COLUMN mine.a IS NULL'));
    session.close();
  });
});
