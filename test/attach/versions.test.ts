/** Other major versions of Postgres than 15 as the source. */
import { chmodSync, cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import versions from './postgres-versions/package.json' with { type: 'json' };
import type { SvcError } from '../../src/database.ts';
import { rowsOf, Source } from './source.ts';
import { expectStory, STORY } from './story.ts';

const folder = join(
  process.env['SVC_POSTGRES_VERSIONS'] ?? join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'svc-postgres-versions'),
  'node_modules',
);

describe.each(Object.keys(versions.dependencies))('%s', (name) => {
  const installed = join(folder, name, 'native');
  const isHere = existsSync(join(installed, 'bin', 'initdb'));
  if (!isHere) console.warn(`SKIPPED: ${name} is not installed (.ci/postgres-versions); attaching it is not tested`);
  const closing: (() => unknown)[] = [];

  afterAll(async () => {
    for (const close of closing.reverse()) await close();
  });

  test.skipIf(!isHere)(
    'is copied, merged into, compared and read again as 15 is',
    async () => {
      // A home is not open to the user that the server runs as.
      const copy = mkdtempSync(join(tmpdir(), 'svc-versions-'));
      closing.push(() => rmSync(copy, { recursive: true, force: true }));
      cpSync(installed, copy, { recursive: true, verbatimSymlinks: true });
      chmodSync(copy, 0o755);
      const source = await Source.start([], join(copy, 'bin'));
      closing.push(() => source.stop());
      const { url, sql } = await source.database(STORY);
      const [version] = await rowsOf(sql, 'SHOW server_version');
      expect(version.startsWith(`${name.slice('postgres-'.length)}.`)).toBe(true);
      await expectStory(await source.attached(url), sql);
      if (Number(version.split('.')[0]) >= 18) await expectRefused(source);
    },
    120_000,
  );
});

/** What 18 has and svc has not is named. */
async function expectRefused(source: Source): Promise<void> {
  const { url } = await source.database(`
    CREATE TABLE a_virtual (id int PRIMARY KEY, d int GENERATED ALWAYS AS (id * 2) VIRTUAL);
    CREATE TABLE fine (id int PRIMARY KEY, v int CONSTRAINT there NOT NULL);`);
  const error = await source.attached(url).catch((refused: unknown) => refused as SvcError);
  expect((error as SvcError).data?.['reasons']).toEqual(['public.a_virtual: column d is generated']);
  const { url: other } = await source.database(`
    CREATE TABLE loose (id int PRIMARY KEY, v int, up int, CONSTRAINT small CHECK (v < 10) NOT ENFORCED, CONSTRAINT known FOREIGN KEY (up) REFERENCES loose NOT ENFORCED); INSERT INTO loose VALUES (1, 20, 7)`);
  const attached = await source.attached(other);
  expect(attached.notices).toEqual([expect.stringContaining('constraint known is not enforced'), expect.stringContaining('constraint small is not enforced')]);
  expect(await attached.rows('SELECT * FROM loose')).toEqual(['1|20|7']);
  const { url: times } = await source.database(`CREATE EXTENSION btree_gist; CREATE TABLE spans (id int, d tstzrange, PRIMARY KEY (id, d WITHOUT OVERLAPS))`);
  const reasons = ((await source.attached(times).catch((refused: unknown) => refused)) as SvcError).data?.['reasons'];
  expect(reasons).toEqual([expect.stringContaining('WITHOUT OVERLAPS is not supported')]);
}
