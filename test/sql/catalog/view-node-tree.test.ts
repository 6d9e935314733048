/** The columns that views show, as pg_rewrite.ev_action shows them to tools: each comes from the relation and column that Postgres 15 names. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SqlSession } from '../../../src/sql/session/sql-session.ts';
import { TestDatabase } from '../session/open-database.ts';
import { PostgresServer } from '../transactions/postgres-server.ts';

const TABLES = `
  CREATE SCHEMA vt;
  CREATE TABLE vt.authors (id int PRIMARY KEY, name text, "odd, {na(m)e}" text);
  CREATE TABLE vt.books (id int PRIMARY KEY, author_id int REFERENCES vt.authors, title text, price numeric, UNIQUE (id, author_id));
  CREATE TABLE vt.loans (book_id int, author_id int, day date, PRIMARY KEY (book_id, day), FOREIGN KEY (book_id, author_id) REFERENCES vt.books (id, author_id))`;

/** In order: later ones read earlier ones. */
const VIEWS: Readonly<Record<string, string>> = {
  every: 'SELECT * FROM vt.books',
  renamed: 'SELECT id AS book, author_id AS writer, title FROM vt.books',
  joined: 'SELECT b.id, b.title, a.id AS author, a.name FROM vt.books b JOIN vt.authors a ON a.id = b.author_id',
  joined_using: 'SELECT id, l.day FROM vt.books LEFT JOIN (SELECT book_id AS id, day FROM vt.loans) l USING (id)',
  right_using: 'SELECT id, a.name FROM vt.books b RIGHT JOIN vt.authors a USING (id)',
  full_using: 'SELECT id, b.author_id, a.name FROM vt.books b FULL JOIN vt.authors a USING (id)',
  computed: 'SELECT id + 1 AS next, id, upper(title) AS t, author_id::bigint AS big, author_id FROM vt.books',
  counted: 'SELECT author_id, count(*) AS n, max(id) AS top FROM vt.books GROUP BY author_id',
  by_key: 'SELECT b.id, b.title, b.price FROM vt.books b GROUP BY b.id',
  cubed: 'SELECT author_id, id, count(*) FROM vt.books GROUP BY CUBE (author_id, id)',
  over_view: 'SELECT book, writer, upper(title) AS up FROM vt.renamed',
  over_views: 'SELECT o.book AS b1, o.book AS b2, w.author FROM vt.over_view o JOIN vt.joined w ON w.id = o.book',
  united: 'SELECT id FROM vt.books UNION ALL SELECT id FROM vt.authors',
  without: '(SELECT id, author_id FROM vt.books EXCEPT SELECT id, 1 FROM vt.authors) LIMIT 1',
  with_query: 'WITH x AS (SELECT id, author_id FROM vt.books WHERE price > 1) SELECT x.author_id AS au, x.id AS bo FROM x',
  recursive: 'WITH RECURSIVE r(n) AS (SELECT id FROM vt.books UNION ALL SELECT n + 1 FROM r WHERE n < 3) SELECT n FROM r',
  nested: 'SELECT s.k, (SELECT a.id FROM vt.authors a WHERE a.id = s.au) AS sub FROM (SELECT id AS k, author_id AS au FROM vt.books) s',
  lateral_one: 'SELECT b.id, l.x FROM vt.books b, LATERAL (SELECT a.id AS x FROM vt.authors a WHERE a.id = b.author_id) l',
  first_each: 'SELECT DISTINCT ON (author_id) author_id, id FROM vt.books ORDER BY author_id, price DESC, title',
  numbered: 'SELECT id, row_number() OVER (PARTITION BY author_id ORDER BY id) AS n FROM vt.books ORDER BY title',
  'odd, {x} (y)': 'SELECT "odd, {na(m)e}", id AS "1st \\ one", name AS "<name" FROM vt.authors WHERE false',
  of_values: 'SELECT v.a, b.id FROM (VALUES (1), (2)) v(a) JOIN vt.books b ON b.id = v.a',
  of_function: 'SELECT g, b.id FROM generate_series(1, 2) g, vt.books b',
  of_nothing: 'SELECT 1 AS one, NULL::int AS nothing',
  of_system: 'SELECT c.oid, c.relname, n.nspname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace',
  of_names: "SELECT 'vt.books'::regclass AS r, id, nullif(id, 3) AS f FROM vt.books",
};
const DEFINITIONS = [
  TABLES,
  ...Object.entries(VIEWS).map(([name, query]) => `CREATE VIEW vt."${name}" AS ${query}`),
  'CREATE MATERIALIZED VIEW vt.stored AS SELECT id AS mid, author_id AS mau FROM vt.books',
  'CREATE VIEW vt.over_stored (x, y) AS SELECT mid, mau FROM vt.stored',
].join(';\n');

const ACTIONS = `SELECT c.relname, r.ev_action::text, r.ev_qual::text FROM pg_rewrite r JOIN pg_class c ON c.oid = r.ev_class JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = 'vt' ORDER BY 1`;
const RELATIONS = `SELECT c.oid::text, c.relname FROM pg_class c`;

type Node = string | Node[] | Map<string, Node>;

/** Postgres's node text: `{TYPE :field value …}`, `(…)` and tokens, in which a backslash takes the next character as it is. */
function parseNode(text: string): Node {
  let at = 0;
  const space = (): void => {
    while (text[at] === ' ') at++;
  };
  const token = (): string => {
    let out = '';
    for (; at < text.length && !' (){}'.includes(text[at]); at++) out += text[at] === '\\' ? text[++at] : text[at];
    return out;
  };
  const value = (): Node => {
    space();
    if (text[at] === '(') {
      at++;
      const list: Node[] = [];
      for (space(); text[at] !== ')'; space()) list.push(value());
      at++;
      return list;
    }
    if (text[at] !== '{') return token();
    at++;
    const node = new Map<string, Node>([['type', token()]]);
    for (space(); text[at] !== '}'; space()) {
      const field = token();
      const values: Node[] = [];
      for (space(); text[at] !== '}' && text[at] !== ':'; space()) values.push(value());
      node.set(field, values.length === 1 ? values[0] : values);
    }
    at++;
    return node;
  };
  return value();
}

/** The target list's visible entries: number, name, relation and column. */
function shown(rows: readonly (readonly unknown[])[], relations: readonly (readonly unknown[])[]): string[] {
  const names = new Map(relations.map(([oid, name]) => [oid, name]));
  return rows.flatMap(([view, action, condition]) => {
    const [query] = parseNode(action as string) as Map<string, Node>[];
    const entries = (query.get(':targetList') as Map<string, Node>[]).filter((entry) => entry.get(':resjunk') === 'false');
    return entries.map((entry) => {
      const [number, name, table, column] = [':resno', ':resname', ':resorigtbl', ':resorigcol'].map((field) => entry.get(field) as string);
      return `${view as string}.${number} ${name} = ${table === '0' ? 'computed' : String(names.get(table))}.${column} ${condition as string}`;
    });
  });
}

const { installed } = PostgresServer;
if (!installed) console.warn('SKIPPED: test/sql/catalog/view-node-tree needs Postgres 15 in /usr/lib/postgresql/15/bin');

describe.skipIf(!installed)('ev_action of views', () => {
  let postgres: PostgresServer;
  let client: pg.Client;
  let database: TestDatabase;
  let session: SqlSession;
  beforeAll(async () => {
    [postgres, database] = await Promise.all([PostgresServer.start(), TestDatabase.open()]);
    client = new pg.Client({ host: '127.0.0.1', port: postgres.port, user: 'tester', database: 'postgres' });
    await client.connect();
    session = database.db.session({ branch: 'main' });
    await client.query(DEFINITIONS);
    await session.run(DEFINITIONS);
  }, 60_000);
  afterAll(async () => {
    session?.close();
    await client?.end();
    await Promise.all([postgres?.stop(), database?.close()]);
  });

  const ours = async (sql: string): Promise<readonly (readonly unknown[])[]> => (await session.run(sql))[0].rows;
  const theirs = async (sql: string): Promise<unknown[][]> => (await client.query<unknown[]>({ text: sql, rowMode: 'array' })).rows;

  test('each column comes from where Postgres 15 says', async () => {
    const [here, there] = [shown(await ours(ACTIONS), await ours(RELATIONS)), shown(await theirs(ACTIONS), await theirs(RELATIONS))];
    expect(here).toEqual(there);
    expect(here.length).toBeGreaterThan(2 * Object.keys(VIEWS).length);
  });

  test('a renamed column and a replaced view are seen at once', async () => {
    const sql = `ALTER VIEW vt.renamed RENAME COLUMN book TO "b (1)"; CREATE OR REPLACE VIEW vt.every AS SELECT id, author_id, title, price, id AS again FROM vt.books`;
    await session.run(sql);
    await client.query(sql);
    const only = ACTIONS.replace('ORDER BY', "AND relname IN ('renamed', 'every', 'over_view') ORDER BY");
    // Postgres keeps the name that the column had when the view was made.
    const [here, there] = [shown(await ours(only), await ours(RELATIONS)), shown(await theirs(only), await theirs(RELATIONS))];
    expect(here.map((line) => line.replace('renamed.1 b (1) ', 'renamed.1 book '))).toEqual(there);
  });
});
