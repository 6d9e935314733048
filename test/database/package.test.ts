/** What the package weighs, needs and contains, its types under `strict` without `skipLibCheck`, and the example of docs/reference/embedding.md as it is written. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { InstalledPackage, isBuilt, production, ROOT } from './installed-package.ts';

const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');
const GUIDE = readFileSync(join(ROOT, 'docs/reference/embedding.md'), 'utf8');
const BYTES_MAX = 40e6;
const PACKAGES_MAX = 60;
const { satisfies } = createRequire(import.meta.url)('semver') as { satisfies(version: string, range: string): boolean };

const block = (language: string, text = GUIDE): string => new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'm').exec(text)![1];

test.each(['20.20.0', '22.0.0', '24.0.0'])('every package that is installed with it declares Node %s, or nothing', (version) => {
  const others = production().filter(([, { engines }]) => engines?.node !== undefined && !satisfies(version, engines.node));
  expect(others.map(([path, { engines }]) => `${path} wants ${engines!.node}`)).toEqual([]);
  expect(production().length).toBeGreaterThan(10);
});

describe.skipIf(!isBuilt)('the package', () => {
  let installed: InstalledPackage;
  beforeAll(() => {
    installed = InstalledPackage.make();
  }, 300_000);
  afterAll(() => installed?.remove());

  /** What the compiler says of a program under `strict`; it is compiled beside it. */
  function compile(name: string, text: string, options: object = {}): string {
    const { home } = installed;
    writeFileSync(join(home, `${name}.ts`), text);
    writeFileSync(
      join(home, `${name}.json`),
      // Packages that are linked count as lying in this project, or their own folders' types would be found.
      JSON.stringify({ compilerOptions: { module: 'nodenext', target: 'es2022', strict: true, preserveSymlinks: true, ...options }, files: [`${name}.ts`] }),
    );
    return spawnSync(process.execPath, [TSC, '-p', `${name}.json`], { cwd: home, encoding: 'utf8' }).stdout;
  }

  test('has what runs once, its types in a file, its documents, notices, and no source or tests', () => {
    const { files } = installed;
    expect(files).toEqual(
      expect.arrayContaining([
        'dist/bin/svc.js',
        'dist/bin/index.mjs',
        'dist/bin/index.cjs',
        'dist/types/index.d.ts',
        'docs/README.md',
        'README.md',
        'LICENSE',
        'THIRD-PARTY-NOTICES',
        'package.json',
      ]),
    );
    expect(files.filter((path) => !/^(dist\/(bin|types)|docs)\/|^[^/]+$/.test(path))).toEqual([]);
    expect(files.filter((path) => path.startsWith('dist/bin/cache') || /(^|\/)test\//.test(path))).toEqual([]);
    expect(files.filter((path) => path.endsWith('.d.ts'))).toEqual(['dist/types/index.d.ts']);
  });

  test('of every link of its documents the target is in it', () => {
    const broken: string[] = [];
    for (const file of installed.files.filter((path) => path.endsWith('.md'))) {
      const text = readFileSync(join(installed.folder, file), 'utf8')
        .replace(/```[^]*?```/g, '')
        .replace(/`[^`\n]*`/g, '');
      for (const [, path] of text.matchAll(/\]\((?!\w+:)([^)#\s]+)(?:#[^)]*)?\)/g)) {
        if (!existsSync(join(installed.folder, dirname(file), path))) broken.push(`${file}: ${path}`);
      }
    }
    expect(broken).toEqual([]);
  });

  test('notices name the packages of which the scripts have code, with their licences', () => {
    const text = readFileSync(join(installed.folder, 'THIRD-PARTY-NOTICES'), 'utf8');
    for (const name of [
      'fastify',
      'pino',
      'ink',
      'react',
      'pg',
      'preact',
      'typebox',
      'prom-client',
      'commander',
      '@modelcontextprotocol/sdk',
      '@nxtedition/rocksdb',
    ]) {
      expect(text).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+\\nLicence: (MIT|Apache-2\\.0)$`, 'm'));
    }
    expect(text).toContain('Redistributions in binary form must reproduce');
  });

  test(`is installed with at most ${PACKAGES_MAX} packages and ${BYTES_MAX / 1e6} MB`, () => {
    const { packages, bytes } = installed.size();
    expect(packages).toBeGreaterThan(10);
    expect(packages).toBeLessThanOrEqual(PACKAGES_MAX);
    expect(bytes).toBeLessThanOrEqual(BYTES_MAX);
    expect(existsSync(join(installed.home, 'node_modules/@nxtedition'))).toBe(false);
  });

  test('the example of the guide is typed under strict, compiles, runs, and prints what the guide says', () => {
    expect(compile('example', block('ts'), { lib: ['es2022', 'esnext.disposable'] })).toBe('');
    const { status, stdout, stderr } = installed.node('example.js');
    expect(stderr).toBe('');
    expect(stdout).toBe(block('text'));
    expect(status).toBe(0);
  }, 240_000);

  test('every example of the guide compiles with the configuration that the guide gives', () => {
    const { compilerOptions } = JSON.parse(block('json')) as { compilerOptions: object };
    const examples = [...GUIDE.matchAll(/^```ts\n([^]*?)^```$/gm)];
    expect(examples.length).toBeGreaterThan(1);
    for (const [index, [, text]] of examples.entries()) expect(compile(`guide-${index}`, text, { ...compilerOptions, noEmit: true })).toBe('');
  }, 240_000);

  test.each([
    ['a project of Node, as strict as can be', { lib: ['es2022'], exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true }],
    ['a bundler', { module: 'esnext', moduleResolution: 'bundler', target: 'esnext' }],
  ])(
    'types hold for %s',
    (_what, options) => {
      const text = `
        import { open, SvcError, type Database, type MergePreview, type MergeReply, type Row } from '${installed.name}';
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
    240_000,
  );

  test('a project of plain JavaScript needs nothing more, as a module or with require', () => {
    const use = `
      const db = await open('./plain');
      await db.put({ table: 't', id: 'a', record: { n: 1 } });
      console.log((await db.get({ table: 't', id: 'a' })).row);
      const error = await db.sql({ sql: 'SELECT 1/0' }).catch((error) => error);
      console.log(error instanceof SvcError, error.code);
      const { worlds } = await db.simulate({ worlds: 3, prefix: 'w', script: 'SELECT 1', score: 'SELECT 1', keep: 0 });
      console.log(worlds.length);
      await db.close();`;
    writeFileSync(join(installed.home, 'plain.js'), `import { open, SvcError } from '${installed.name}';\n${use}`);
    writeFileSync(join(installed.home, 'plain.cjs'), `const { open, SvcError } = require('${installed.name}');\n(async () => {${use}})();`);
    for (const program of ['plain.js', 'plain.cjs']) {
      expect(installed.node(program)).toMatchObject({ status: 0, stdout: '{ n: 1 }\ntrue 22012\n3\n', stderr: '' });
      expect(readdirSync(join(installed.home, 'plain'))).toContain('log');
      rmSync(join(installed.home, 'plain'), { recursive: true });
    }
  }, 240_000);

  test('npx runs the command by the name of the package', () => {
    const npx = (...words: string[]): string => execFileSync('npx', ['--no', '--', ...words], { cwd: installed.home, encoding: 'utf8' }).trim();
    const { version } = JSON.parse(readFileSync(join(installed.folder, 'package.json'), 'utf8')) as { version: string };
    if (installed.isReal) {
      expect(npx(installed.name, '--version')).toBe(version);
      expect(npx('svc', '--version')).toBe(version);
      expect(npx(installed.name, './npx-data', 'SELECT 41 + 1 AS answer')).toMatch(/answer[^]*42/);
    } else expect(installed.node(installed.command, '--version').stdout.trim()).toBe(version);
  }, 240_000);
});
