/**
 * The documentation runs: every block of code of the README and of the pages below is run from top to bottom, each page in a new folder (each block of the
 * README in one of its own), and prints what the page shows. Blocks that are not run say why, and are counted.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkInput } from '../../src/operations/check-input.ts';
import { OPERATIONS } from '../../src/operations/table.ts';
import { postgresInstalled } from '../postgres-bin.ts';
import { PostgresServer } from '../sql/transactions/postgres-server.ts';
import { type Block, blocksOf, LANGUAGES } from './blocks.ts';
import { missingLine, sameJson } from './printed.ts';
import { Workplace } from './workplace.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/** Blocks that say why they are not run, and files of configuration, which other programs read. */
const NOT_RUN = 24;
const CONFIGURATION = 9;

/** Of a page: each of its blocks starts processes. */
const TIMEOUT_MS = 600_000;

const FOLDERS = ['reference', 'guide', 'operate', 'examples'];
const PAGES = ['README.md', 'CHANGELOG.md', 'SECURITY.md', 'docs/README.md', 'docs/compare.md', ...FOLDERS.flatMap(pagesIn)];

function pagesIn(folder: string): string[] {
  return readdirSync(join(ROOT, 'docs', folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${folder}/${name}`);
}

/** Addresses of a Postgres in the documentation. */
const POSTGRES = 'postgres://app:secret@localhost:5432/shop';
const OF_POSTGRES = ['postgres', 'psql'];

/** Blocks of the README stand alone. */
const pages = new Map(
  PAGES.map((page) => {
    const blocks = blocksOf(readFileSync(join(ROOT, page), 'utf8'));
    return [page, page === 'README.md' ? blocks.map((block) => ({ ...block, run: ['fresh', ...block.run] })) : blocks] as const;
  }),
);
const isConfiguration = ({ language }: Block): boolean => ['ini', 'yaml', 'dockerfile', 'nginx'].includes(language);
const isRun = (block: Block): boolean => block.notRun === undefined && !block.inPostgres && block.language !== 'text' && !isConfiguration(block);

describe('every block', () => {
  test.each([...pages])('of %s is of a known language', (_, blocks) => {
    expect(
      blocks.filter(({ language }) => !(LANGUAGES as readonly string[]).includes(language)).map(({ line, language }) => `line ${line}: ${language}`),
    ).toEqual([]);
    expect(blocks.filter(({ language }) => language === 'output').map(({ line }) => `line ${line} shows the output of no block`)).toEqual([]);
  });

  test('is run, or says why not', () => {
    const all = [...pages].flatMap(([page, blocks]) => blocks.map((block) => ({ page, ...block })));
    const skipped = all.filter(({ notRun }) => notRun !== undefined);
    expect(skipped.map(({ page, line, notRun }) => `${page}:${line} ${notRun}`)).toHaveLength(NOT_RUN);
    expect(all.filter(isConfiguration).map(({ page, line }) => `${page}:${line}`)).toHaveLength(CONFIGURATION);
    const tests = skipped.flatMap(({ notRun }) => /test\/\S+\.ts/.exec(notRun!) ?? []);
    expect(tests.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });
});

test('blocks of the shell that are not run are bash', () => {
  const skipped = [...pages].flatMap(([page, blocks]) =>
    blocks.filter(({ language, notRun }) => language === 'sh' && notRun !== undefined).map((block) => ({ page, ...block })),
  );
  expect(skipped.length).toBeGreaterThan(0);
  const wrong = skipped.flatMap(({ page, line, text }) => {
    const { stderr } = spawnSync('bash', ['-n'], { input: text, encoding: 'utf8' });
    return stderr === '' ? [] : [`${page}:${line} ${stderr}`];
  });
  expect(wrong).toEqual([]);
});

test('the package is named as in package.json, and its release', () => {
  const { name, version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { name: string; version: string };
  // A pinned release is this one, or a variable of the block.
  const known = [name, `${name}@${version}`, `${name}@`];
  const others = [...pages].flatMap(([page, blocks]) =>
    blocks.flatMap(({ line, text }) => {
      const names = [...text.matchAll(/npm (?:un)?install (?:-g )?([a-z@][\w@/.-]*)|npx ([a-z@][\w@/.-]*)|from '([^']*)'/g)].map((found) =>
        found.slice(1).find(Boolean)!,
      );
      return names.filter((each) => !known.includes(each)).map((each) => `${page}:${line} ${each}`);
    }),
  );
  expect(others).toEqual([]);
});

const needsPostgres = (blocks: readonly Block[]): boolean => blocks.some(({ text }) => OF_POSTGRES.some((word) => new RegExp(`\\b${word}\\b`).test(text)));
if (!postgresInstalled) console.warn('SKIPPED: pages with psql or an external Postgres are not run, because Postgres 15 is not installed.');
const isBuilt = existsSync(join(ROOT, 'dist/bin/svc.js'));
if (!isBuilt) console.warn('SKIPPED: the documentation is not run, because nothing was built. `npm run build` first.');

describe.skipIf(!isBuilt)('the examples of', () => {
  let postgres: PostgresServer | undefined;
  const more = new Map<string, string>();
  beforeAll(async () => {
    if (!postgresInstalled) return;
    postgres = await PostgresServer.start();
    more.set(POSTGRES, `postgres://tester@127.0.0.1:${postgres.port}/postgres`);
  });
  afterAll(() => postgres?.stop());

  const run = [...pages].map(([page, blocks]) => [page, blocks.filter(isRun)] as const).filter(([, blocks]) => blocks.length > 0);
  for (const [page, blocks] of run) {
    test.skipIf(needsPostgres(blocks) && !postgresInstalled)(
      page,
      async () => {
        if (page === 'docs/reference/operations.md') return inputsAreTaken(readFileSync(join(ROOT, page), 'utf8'));
        await prepare(postgres, pages.get(page)!);
        let workplace = await Workplace.make(more);
        try {
          for (const [index, block] of joined(blocks).entries()) {
            if (index > 0 && block.run.includes('fresh')) {
              await workplace.close();
              workplace = await Workplace.make(more);
            }
            const printed = await workplace.run(block).catch((error: unknown) => {
              throw new Error(`${page}:${block.line}: ${(error as Error).message}`);
            });
            compare(`${page}:${block.line}`, block, printed);
          }
        } finally {
          await workplace.close();
        }
      },
      TIMEOUT_MS,
    );
  }
});

/** Blocks of the shell that follow each other are typed into one. */
function joined(blocks: readonly Block[]): Block[] {
  const all: Block[] = [];
  for (const block of blocks) {
    const last = all.at(-1);
    const plain = block.run.length === 0 && last?.output === undefined && last?.run.includes('fails') !== true;
    if (last !== undefined && plain && last.language === block.language && ['svc', 'sql'].includes(block.language)) {
      all[all.length - 1] = { ...last, text: `${last.text}\n${block.text}`, output: block.output };
    } else all.push(block);
  }
  return all;
}

function compare(where: string, { output }: Block, printed: string): void {
  if (output === undefined) return;
  if (output.language === 'output') {
    const missing = missingLine(output.text, printed);
    if (missing !== undefined) throw new Error(`${where} does not print "${missing}" there, but:\n${printed}`);
    return;
  }
  const last = printed.trimEnd().split('\n').at(-1)!;
  if (!sameJson(JSON.parse(output.text), JSON.parse(last))) throw new Error(`${where} does not print the JSON that the page shows, but:\n${last}`);
}

/** Tables of an external Postgres that a page needs. */
async function prepare(postgres: PostgresServer | undefined, blocks: readonly Block[]): Promise<void> {
  const sql = blocks.find(({ inPostgres }) => inPostgres)?.text;
  if (sql === undefined || postgres === undefined) return;
  const client = new pg.Client({ host: '127.0.0.1', port: postgres.port, user: 'tester', database: 'postgres' });
  await client.connect();
  await client.query(`DROP SCHEMA public CASCADE; CREATE SCHEMA public; ${sql}`);
  await client.end();
}

/** The reference of operations shows inputs: each is taken by its operation. */
function inputsAreTaken(text: string): void {
  const sections = text.split(/^## /m).slice(1);
  expect(sections.map((section) => section.split('\n')[0]).toSorted()).toEqual(OPERATIONS.map(({ name }) => name).toSorted());
  for (const section of sections) {
    const operation = OPERATIONS.find(({ name }) => name === section.split('\n')[0])!;
    const inputs = blocksOf(section).map((block) => JSON.parse(block.text) as object);
    expect(inputs.length, operation.name).toBeGreaterThan(0);
    for (const input of inputs) expect(() => checkInput(operation, input), operation.name).not.toThrow();
  }
}
