/** Documents are tables: what puts made is indexed, constrained, altered, moved, dropped and merged as any table, and stays open to new fields. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SvcError } from '../../../src/base/errors/svc-error.ts';
import type { Row } from '../../../src/commands/contract.ts';
import { refused, TestDatabase } from './open-database.ts';

let t: TestDatabase;
beforeEach(async () => {
  t = await TestDatabase.open();
  await t.db.put({ table: 'docs', id: 'a', record: { n: 1, s: 'x', ok: true, list: [1, 2], none: null } });
  await t.db.put({ table: 'docs', id: 'b', record: { n: 2.5, extra: { k: 'v' } } });
});
afterEach(() => t.close());

const row = async (id: string, branch?: string): Promise<unknown> => (await t.db.get({ table: 'docs', id, branch })).row;

describe('a definition over documents', () => {
  const DEFINED: readonly [statement: string, shown: string, result: readonly string[]][] = [
    [
      'CREATE INDEX ON docs (n)',
      `SELECT indexdef FROM pg_indexes WHERE tablename = 'docs' ORDER BY 1`,
      ['CREATE INDEX docs_n_idx ON public.docs USING btree (n)', 'CREATE UNIQUE INDEX docs_pkey ON public.docs USING btree (id)'],
    ],
    ['CREATE INDEX ON docs (lower(s), extra)', `SELECT count(*) FROM pg_index WHERE indrelid = 'docs'::regclass`, ['2']],
    [
      'ALTER TABLE docs ADD CHECK (n > 0)',
      `SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = 'docs'::regclass ORDER BY 1`,
      ['docs_n_check CHECK ((n > (0)::double precision))', 'docs_pkey PRIMARY KEY (id)'],
    ],
    ['ALTER TABLE docs ADD UNIQUE (s)', `SELECT conname FROM pg_constraint WHERE conrelid = 'docs'::regclass ORDER BY 1`, ['docs_pkey', 'docs_s_key']],
    ['ALTER TABLE docs ALTER n SET NOT NULL', `SELECT attname FROM pg_attribute WHERE attrelid = 'docs'::regclass AND attnotnull AND attnum > 0`, ['id', 'n']],
    [
      `ALTER TABLE docs ALTER s SET DEFAULT 'new'`,
      `SELECT column_default FROM information_schema.columns WHERE table_name = 'docs' AND column_name = 's'`,
      [`'new'::text`],
    ],
    ['ALTER TABLE docs ADD COLUMN q int DEFAULT 7', 'SELECT q, n FROM docs ORDER BY id', ['7 1', '7 2.5']],
    ['ALTER TABLE docs DROP COLUMN s', "SELECT * FROM docs WHERE id = 'b'", ['b 2.5 null null null {"k":"v"}']],
    ['ALTER TABLE docs RENAME n TO amount', 'SELECT amount FROM docs ORDER BY id', ['1', '2.5']],
    ['ALTER TABLE docs RENAME id TO code', 'SELECT code FROM docs ORDER BY 1', ['a', 'b']],
    ['ALTER TABLE docs RENAME TO papers', 'SELECT id FROM papers ORDER BY id', ['a', 'b']],
    ['CREATE SCHEMA s; ALTER TABLE docs SET SCHEMA s', 'SELECT id FROM s.docs ORDER BY id', ['a', 'b']],
    ['ALTER TABLE docs ALTER n TYPE text', 'SELECT n FROM docs ORDER BY id', ['1', '2.5']],
    [`ALTER TABLE docs ALTER extra TYPE text USING extra->>'k'`, 'SELECT extra FROM docs ORDER BY id', ['null', 'v']],
    ['ALTER TABLE docs ALTER list TYPE jsonb', 'SELECT list FROM docs ORDER BY id', ['[1,2]', 'null']],
    [`ALTER TABLE docs ALTER id TYPE varchar(3)`, 'SELECT id, n FROM docs ORDER BY id', ['a 1', 'b 2.5']],
    ['ALTER TABLE docs DROP CONSTRAINT docs_pkey', 'SELECT id, n FROM docs ORDER BY id', ['a 1', 'b 2.5']],
    ['ALTER TABLE docs DROP COLUMN id', 'SELECT n FROM docs ORDER BY 1', ['1', '2.5']],
    ['CREATE TABLE refs (doc text REFERENCES docs)', `SELECT confrelid::regclass FROM pg_constraint WHERE conrelid = 'refs'::regclass`, ['docs']],
    [
      'ALTER TABLE docs ADD parent text REFERENCES docs',
      `SELECT conname FROM pg_constraint WHERE conrelid = 'docs'::regclass AND contype = 'f'`,
      ['docs_parent_fkey'],
    ],
    [
      `COMMENT ON COLUMN docs.s IS 'said'; CREATE INDEX ON docs (n)`,
      `SELECT col_description('docs'::regclass, attnum) FROM pg_attribute WHERE attrelid = 'docs'::regclass AND attname = 's'`,
      ['said'],
    ],
    ['TRUNCATE docs', 'SELECT count(*) FROM docs', ['0']],
    ['CREATE INDEX ON docs (n); DROP TABLE docs', `SELECT to_regclass('docs')`, ['null']],
  ];

  test.each(DEFINED)('%s', async (statement, shown, result) => {
    await t.run(statement);
    expect(await t.lines(shown)).toEqual(result);
    await t.reopen({ withoutCache: true });
    expect(await t.lines(shown)).toEqual(result);
  });

  test('leaves documents as they were put', async () => {
    await t.run('CREATE INDEX ON docs (n)');
    expect(await row('a')).toEqual({ n: 1, s: 'x', ok: true, list: [1, 2], none: null });
    expect(await row('b')).toEqual({ n: 2.5, extra: { k: 'v' } });
    await t.db.put({ table: 'docs', id: 'c', record: { s: null, n: 3, fresh: { deep: [null] } } });
    expect(await row('c')).toEqual({ s: null, n: 3, fresh: { deep: [null] } });
    await t.db.put({ table: 'docs', id: 'c', record: { n: 3, s: 'y' } });
    expect(await row('c')).toEqual({ n: 3, s: 'y' });
    await t.db.put({ table: 'docs', id: 'c', record: { n: null } });
    expect(await row('c')).toEqual({ n: null });
    expect(await t.lines('SELECT id, n, s, fresh FROM docs ORDER BY id')).toEqual(['a 1 x null', 'b 2.5 null null', 'c null null null']);
    expect((await t.db.find({ table: 'docs', where: { n: 2.5 } })).hits.map(({ id }) => id)).toEqual(['b']);
    expect((await t.db.find({ table: 'docs', where: { n: 'no number' } })).total).toBe(0);
    expect((await t.db.find({ table: 'docs', where: { id: 'a' } })).total).toBe(1);
    await refused('42703', t.db.find({ table: 'docs', where: { m: 1 } }));
  });

  test('is kept by puts', async () => {
    await t.run(
      `CREATE UNIQUE INDEX by_s ON docs (s); ALTER TABLE docs ADD CHECK (n > 0); ALTER TABLE docs ADD boss text REFERENCES docs; ALTER TABLE docs ALTER ok SET DEFAULT false`,
    );
    await refused('23505', t.db.put({ table: 'docs', id: 'c', record: { n: 1, s: 'x' } }));
    await refused('23514', t.db.put({ table: 'docs', id: 'c', record: { n: -1 } }));
    await refused('23503', t.db.put({ table: 'docs', id: 'c', record: { boss: 'absent' } }));
    await refused('22P02', t.db.put({ table: 'docs', id: 'c', record: { n: 'many' } }));
    await t.db.batch({
      rows: [
        { table: 'docs', id: 'c', record: { n: 4, boss: 'a', one: 1 } },
        { table: 'docs', id: 'd', record: { s: 'z', one: 'two', more: 1 } },
      ],
    });
    expect(await row('c')).toEqual({ n: 4, boss: 'a', one: 1, ok: false });
    expect(await row('d')).toEqual({ s: 'z', one: 'two', more: 1, boss: null, ok: false });
    await refused('23503', t.db.delete({ table: 'docs', id: 'a' }));
    expect(await t.lines(`SELECT id FROM docs WHERE s = 'z'`)).toEqual(['d']);
    const error = await refused(
      '23505',
      t.db.batch({
        rows: [
          { table: 'docs', id: 'e', record: { s: 'q' } },
          { table: 'docs', id: 'f', record: { s: 'q' } },
        ],
      }),
    );
    expect(error.message).toContain('rows[1]');
  });

  test('is undone by restoring the world, and read in the past as it was', async () => {
    const { at } = await t.db.commands.checkpoint({ name: 'before' });
    await t.run('ALTER TABLE docs RENAME n TO m; CREATE INDEX ON docs (m)');
    await t.db.put({ table: 'docs', id: 'c', record: { m: 9, later: true } });
    await t.db.commands.fork({ name: 'past', from: `main@${at}` });
    expect(await row('a', 'past')).toEqual({ n: 1, s: 'x', ok: true, list: [1, 2], none: null });
    await t.db.commands.restore({ checkpoint: 'before' });
    expect(await t.lines('SELECT id, n FROM docs ORDER BY id')).toEqual(['a 1', 'b 2.5']);
    await t.db.put({ table: 'docs', id: 'c', record: { n: 'wide' } });
    expect(await row('c')).toEqual({ n: 'wide' });
  });
});

describe('the parameter documents', () => {
  test('closes a table of documents and opens it again', async () => {
    const shown = `SELECT takes_documents('docs'), takes_documents('pg_class'), takes_documents(1), reloptions FROM pg_class WHERE relname = 'docs'`;
    expect(await t.lines(shown)).toEqual(['true false null null']);
    await t.run('ALTER TABLE docs SET (documents = off)');
    expect(await t.lines(shown)).toEqual(['false false null null']);
    await refused('42703', t.db.put({ table: 'docs', id: 'c', record: { further: 1 } }));
    await refused('22P02', t.db.put({ table: 'docs', id: 'c', record: { ok: 'perhaps' } }));
    await t.db.put({ table: 'docs', id: 'c', record: { n: 3 } });
    expect(await row('c')).toEqual({ n: 3 });
    await t.run('ALTER TABLE docs SET (documents)');
    await t.db.put({ table: 'docs', id: 'c', record: { further: 1 } });
    expect(await row('c')).toEqual({ further: 1 });
  });

  test('opens a table whose key is one column of text, and no other', async () => {
    await t.run(`CREATE TABLE notes (slug text PRIMARY KEY, title text NOT NULL) WITH (documents = on, fillfactor = 70)`);
    await t.db.put({ table: 'notes', id: 'a', record: { title: 'A', stars: 4 } });
    await t.db.put({ table: 'notes', id: 'b', record: { title: 'B', stars: 'many' } });
    await refused('23502', t.db.put({ table: 'notes', id: 'c', record: { stars: 4 } }));
    expect(await t.lines('SELECT slug, title, stars FROM notes ORDER BY 1')).toEqual(['a A 4', 'b B many']);
    expect(await t.lines(`SELECT takes_documents('notes'), reloptions FROM pg_class WHERE relname = 'notes'`)).toEqual(['true ["fillfactor=70"]']);
    await t.run('CREATE TABLE counted (n int PRIMARY KEY); CREATE TABLE loose (a text)');
    await t.refused('55000', 'ALTER TABLE counted SET (documents = on)');
    await t.refused('55000', 'ALTER TABLE loose SET (documents = on)');
    await t.refused('22023', 'ALTER TABLE loose SET (documents = perhaps)');
  });

  test('comes with the statements of a difference', async () => {
    await t.run('CREATE WORLD w');
    await t.run('CREATE INDEX by_n ON docs (n)', 'w');
    await t.db.put({ branch: 'w', table: 'docs', id: 'c', record: { n: 3, more: 'm' } });
    await t.run(`CREATE TABLE notes (slug text PRIMARY KEY) WITH (documents = on)`, 'w');
    const { sql } = (await t.db.diff({ branch: 'w', sql: true })) as { sql: string[] };
    await t.run('CREATE WORLD x');
    await t.run(sql.join('\n'), 'x');
    expect(await t.lines('SELECT id, n, more FROM docs ORDER BY id', 'x')).toEqual(['a 1 null', 'b 2.5 null', 'c 3 m']);
    expect(await t.lines(`SELECT indexname FROM pg_indexes WHERE tablename = 'docs' ORDER BY 1`, 'x')).toEqual(['by_n', 'docs_pkey']);
    await t.db.put({ branch: 'x', table: 'notes', id: 'n', record: { any: 1 } });
    expect((await t.db.diff({ branch: 'w', to: 'main', sql: true })) as { sql: string[] }).toMatchObject({ sql: expect.arrayContaining(['DROP INDEX by_n;']) });
  });
});

describe('merges of definitions over documents', () => {
  type Side = (branch: string) => Promise<unknown>;
  const put =
    (id: string, record: Row): Side =>
    (branch) =>
      t.db.put({ branch, table: 'docs', id, record });
  const run =
    (sql: string): Side =>
    (branch) =>
      t.run(sql, branch);
  const all =
    (...sides: Side[]): Side =>
    async (branch) => {
      for (const side of sides) await side(branch);
    };
  const INDEX = run('CREATE INDEX by_n ON docs (n)');

  // Each runs with its sides exchanged as well.
  const MERGED: readonly [title: string, one: Side, other: Side, query: string, result: readonly string[]][] = [
    ['an index, and documents put', INDEX, put('c', { n: 7, fresh: 'f' }), 'SELECT id, n, fresh FROM docs WHERE n > 2 ORDER BY id', ['b 2.5 null', 'c 7 f']],
    ['an index, and a field of another type', INDEX, put('c', { s: 4 }), 'SELECT s FROM docs ORDER BY id', ['x', 'null', '4']],
    ['a renamed field, and documents put', run('ALTER TABLE docs RENAME n TO m'), put('a', { n: 8 }), 'SELECT id, m FROM docs ORDER BY id', ['a 8', 'b 2.5']],
    [
      'a moved table, and documents put',
      run('ALTER TABLE docs RENAME TO papers'),
      put('c', { n: 3, more: 1 }),
      'SELECT id, more FROM papers ORDER BY id',
      ['a null', 'b null', 'c 1'],
    ],
    [
      'two indexes',
      INDEX,
      run('CREATE INDEX by_s ON docs (s)'),
      `SELECT indexname FROM pg_indexes WHERE tablename = 'docs' ORDER BY 1`,
      ['by_n', 'by_s', 'docs_pkey'],
    ],
    [
      'a column, and a field',
      run('ALTER TABLE docs ADD q int'),
      put('c', { z: 1 }),
      'SELECT id, q, z FROM docs ORDER BY id',
      ['a null null', 'b null null', 'c null 1'],
    ],
    [
      'the same field, of two types',
      all(INDEX, put('c', { z: 1 })),
      all(INDEX, put('d', { z: 'text' })),
      'SELECT id, z, pg_typeof(z) FROM docs ORDER BY id',
      ['a null jsonb', 'b null jsonb', 'c 1 jsonb', 'd text jsonb'],
    ],
    [
      'one field widened by both',
      all(INDEX, put('c', { ok: 1 })),
      all(INDEX, put('d', { ok: 'text' })),
      'SELECT id, ok FROM docs ORDER BY id',
      ['a true', 'b null', 'c 1', 'd text'],
    ],
    ['a constraint, and documents that hold it', run('ALTER TABLE docs ADD CHECK (n > 0)'), put('c', { n: 5 }), 'SELECT count(*) FROM docs', ['3']],
    [
      'a reference to documents, and documents put',
      run(`CREATE TABLE refs (doc text REFERENCES docs); INSERT INTO refs VALUES ('a')`),
      put('c', { w: 1 }),
      'SELECT doc, w FROM refs JOIN docs ON doc = id',
      ['a null'],
    ],
  ];
  test.each(MERGED.flatMap(([title, one, other, ...rest]) => [[title, one, other, ...rest] as const, [`${title}, exchanged`, other, one, ...rest] as const]))(
    '%s',
    async (_title, here, there, query, result) => {
      await t.run('CREATE WORLD w');
      await there('w');
      await here('main');
      const rows = async (): Promise<unknown> => (await t.db.find({ table: 'docs' }).catch(() => null))?.hits;
      const before = await rows();
      await t.run('MERGE WORLD w');
      expect(await t.lines(query)).toEqual(result);
      await t.reopen({ withoutCache: true });
      expect(await t.lines(query)).toEqual(result);
      await t.run('UNDO MERGE w');
      expect(await rows()).toEqual(before);
    },
  );

  const CONFLICTS: readonly [title: string, one: Side, other: Side, key: string][] = [
    ['a unique index, and documents alike', run('CREATE UNIQUE INDEX u ON docs (s)'), put('c', { s: 'x' }), 'docs/'],
    ['a constraint, and a document that breaks it', run('ALTER TABLE docs ADD CHECK (n > 0)'), put('c', { n: -5 }), 'docs/c'],
    ['an index, and the field widened', INDEX, put('c', { n: 'many' }), '_svc_schema/column:docs.n'],
    ['a dropped field, and documents with it', run('ALTER TABLE docs DROP COLUMN n'), put('a', { n: 9 }), '_svc_schema/column:docs.n'],
    ['two names', run('ALTER TABLE docs RENAME n TO m'), run('ALTER TABLE docs RENAME n TO k'), '_svc_schema/column:docs.'],
  ];
  test.each(CONFLICTS.flatMap(([title, one, other, key]) => [[title, one, other, key] as const, [`${title}, exchanged`, other, one, key] as const]))(
    '%s: a conflict',
    async (_title, here, there, key) => {
      await t.run('CREATE WORLD w');
      await there('w');
      await here('main');
      const { conflicts } = await t.db.commands.preview({ branch: 'w' });
      expect(conflicts.length).toBeGreaterThan(0);
      for (const conflict of conflicts) expect(conflict.key).toContain(key);
      for (const resolve of ['ours', 'theirs'] as const) {
        await t.run(`CREATE WORLD ${resolve}_result`);
        const merged = t.db.commands.merge({ branch: 'w', into: `${resolve}_result`, resolve });
        if (key.startsWith('docs/')) {
          await refused('SV409', merged);
          continue;
        }
        // Rows that the side without the definition wrote are not lost unless they are picked.
        const lost = await merged.then(
          () => [],
          (error: unknown) => (error as SvcError).data!.conflicts as { key: string }[],
        );
        for (const each of lost) expect(each.key).toBe('docs/c');
        expect(Number((await t.lines('SELECT count(*) FROM docs', `${resolve}_result`))[0])).toBeGreaterThan(1);
      }
    },
  );
});
