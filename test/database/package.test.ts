/**
 * The package as a newcomer gets it: packed, put into an empty project, its types checked under `strict` without `skipLibCheck`, and the example of
 * docs/reference/embedding.md compiled and run as it is written. Where the registry's packages are not in npm's cache, those of this checkout are linked.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');
const GUIDE = readFileSync(join(ROOT, 'docs/reference/embedding.md'), 'utf8');

const block = (language: string, text = GUIDE): string => new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'm').exec(text)![1];

const isBuilt = existsSync(join(ROOT, 'dist/src/database.d.ts'));
if (!isBuilt) console.warn('SKIPPED: the package is not tested, because nothing was built. `npm run build` first.');

describe.skipIf(!isBuilt)('the package', () => {
  let home: string;
  let files: string[];

  beforeAll(() => {
    home = mkdtempSync(join(tmpdir(), 'svc-package-'));
    const [packed] = JSON.parse(npm(ROOT, 'pack', '--json', '--ignore-scripts', '--pack-destination', home)) as {
      filename: string;
      files: { path: string }[];
    }[];
    files = packed.files.map(({ path }) => path);
    writeFileSync(join(home, 'package.json'), JSON.stringify({ name: 'empty', private: true, type: 'module' }));
    try {
      npm(home, 'install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts', join(home, packed.filename));
      expect(existsSync(join(home, 'node_modules/svc/package.json'))).toBe(true);
    } catch {
      console.warn('The registry cannot be reached: the dependencies of this checkout are linked instead of installed.');
      rmSync(join(home, 'node_modules'), { recursive: true, force: true });
      linkDependencies(join(home, packed.filename));
    }
  }, 120_000);
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  /** Unpacks the tarball, and links what `npm install` would install: production dependencies, and theirs. */
  function linkDependencies(tarball: string): void {
    const modules = join(home, 'node_modules');
    mkdirSync(modules);
    execFileSync('tar', ['xzf', tarball, '-C', modules]);
    execFileSync('mv', [join(modules, 'package'), join(modules, 'svc')]);
    const all = npm(ROOT, 'ls', '--omit=dev', '--all', '--parseable')
      .split('\n')
      .filter((path) => path.startsWith(join(ROOT, 'node_modules') + sep));
    for (const path of all) {
      const name = relative(join(ROOT, 'node_modules'), path);
      // Those inside of others come with them.
      if (name.includes(`node_modules${sep}`)) continue;
      mkdirSync(dirname(join(modules, name)), { recursive: true });
      symlinkSync(path, join(modules, name));
    }
  }

  function npm(folder: string, ...words: string[]): string {
    const { status, stdout, stderr } = spawnSync('npm', words, { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 28 });
    // `npm ls` complains of packages that the lock does not have, and lists them all the same.
    if (status !== 0 && words[0] !== 'ls') throw new Error(`npm ${words[0]}: ${stderr}`);
    return stdout;
  }

  /** What the compiler says of a program under `strict`; it is compiled beside it. */
  function compile(name: string, text: string, options: object = {}): string {
    writeFileSync(join(home, `${name}.ts`), text);
    writeFileSync(
      join(home, `${name}.json`),
      // Packages that are linked count as lying in this project, or their own folders' types would be found.
      JSON.stringify({ compilerOptions: { module: 'nodenext', target: 'es2022', strict: true, preserveSymlinks: true, ...options }, files: [`${name}.ts`] }),
    );
    return spawnSync(process.execPath, [TSC, '-p', `${name}.json`], { cwd: home, encoding: 'utf8' }).stdout;
  }

  const run = (name: string): { status: number | null; stdout: string; stderr: string } =>
    spawnSync(process.execPath, [`${name}.js`], { cwd: home, encoding: 'utf8', timeout: 60_000 });

  test('has what runs and its types, and no tests', () => {
    expect(files).toEqual(
      expect.arrayContaining(['dist/bin/svc.js', 'dist/src/database.js', 'dist/src/database.d.ts', 'README.md', 'LICENSE', 'package.json']),
    );
    expect(files.filter((path) => /(^|\/)test\//.test(path))).toEqual([]);
  });

  test('the example of the guide is typed under strict, compiles, runs, and prints what the guide says', () => {
    expect(compile('example', block('ts'), { lib: ['es2022', 'esnext.disposable'] })).toBe('');
    const { status, stdout, stderr } = run('example');
    expect(stderr).toBe('');
    expect(stdout).toBe(block('text'));
    expect(status).toBe(0);
  }, 120_000);

  test.each([
    ['a project of Node, as strict as can be', { lib: ['es2022'], exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true }],
    ['a bundler', { module: 'esnext', moduleResolution: 'bundler', target: 'esnext' }],
  ])(
    'types hold for %s',
    (_what, options) => {
      const text = `
        import { open, SvcError, type Database, type MergePreview, type MergeReply, type Row } from 'svc';
        const db: Database = await open('./typed', { historyRetentionMs: 1000 });
        const preview: MergePreview = await db.merge({ branch: 'draft', dry_run: true });
        const reply: MergeReply = await db.merge({ branch: 'draft' });
        const rows: Row[] = (await db.session().query('SELECT 1')).rows;
        const conflicts: readonly { key: string; ours: Row | null }[] | undefined = new SvcError('22023', 'x').conflicts;
        console.log(preview.rows[0]?.outcome, reply.merged, rows, conflicts);
        // @ts-expect-error: a field that is not there
        await db.put({ table: 't', id: 'a', recrod: {} });
        // @ts-expect-error: a name is needed
        await db.fork();
        // @ts-expect-error: a preview has no such field
        preview.merged;
        // @ts-expect-error: a date is no JSON
        await db.put({ table: 't', id: 'a', record: { d: new Date() } });
        export {};
      `;
      expect(compile('typed', text, { noEmit: true, ...options })).toBe('');
    },
    120_000,
  );

  test('the command runs, and a project of plain JavaScript needs nothing more', () => {
    expect(execFileSync(process.execPath, [join(home, 'node_modules/svc/dist/bin/svc.js'), '--version'], { encoding: 'utf8' }).trim()).toMatch(
      /^\d+\.\d+\.\d+/,
    );
    writeFileSync(
      join(home, 'plain.js'),
      "import { open } from 'svc';\nconst db = await open('./plain');\nawait db.put({ table: 't', id: 'a', record: { n: 1 } });\nconsole.log((await db.get({ table: 't', id: 'a' })).row);\nawait db.close();\n",
    );
    expect(run('plain')).toMatchObject({ status: 0, stdout: '{ n: 1 }\n', stderr: '' });
    expect(readdirSync(join(home, 'plain'))).toContain('log');
  }, 120_000);
});
