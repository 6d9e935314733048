/**
 * The OpenAPI document: complete, clean for the tools that read such documents, and true: a client that is made of it compiles under `strict` and talks
 * to a server, and real errors have no field that it does not name.
 */
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, open } from '../../src/database.ts';
import { ERROR_BODY } from '../../src/http/openapi-errors.ts';
import { openApiDocument } from '../../src/http/openapi.ts';
import { createHttpServer, type HttpServer } from '../../src/http/server.ts';
import { OPERATIONS } from '../../src/operations/table.ts';
import { installed, programFolder, removeFolder } from '../clients/npm-clients.ts';

interface Described {
  operationId: string;
  security?: Record<string, string[]>[];
  responses: Record<string, { content?: Record<string, { schema: { $ref?: string } }> }>;
}
interface Document {
  servers: { url: string }[];
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, unknown>; securitySchemes: Record<string, unknown> };
}
const DOCUMENT = openApiDocument('0.0.0') as Document;
const DESCRIBED = Object.entries(DOCUMENT.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, each]) => [`${method} ${path}`, each] as const),
);

let folder: string;
let db: Database;
let server: HttpServer;
let base: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-openapi-'));
  db = await open(join(folder, 'db'));
  server = createHttpServer({ commandsOf: (principal) => db.commandsOf(principal), version: 'test', metrics: db.metrics });
  base = await server.listen('127.0.0.1', 0);
});
afterAll(async () => {
  await server.close();
  await db.close();
  rmSync(folder, { recursive: true, force: true });
});

test('every entrance of the port is in it', () => {
  const names = OPERATIONS.flatMap(({ name, aliases }) => [name, ...(aliases ?? [])]);
  expect(DESCRIBED.map(([name]) => name).sort()).toEqual(
    [...names.map((name) => `post /v1/${name}`), 'post /mcp', 'get /metrics', 'get /v1/health', 'get /v1/openapi.json'].sort(),
  );
});

test('every operation says its credentials and its errors, and only health needs none', () => {
  expect(DOCUMENT.servers.length).toBeGreaterThan(0);
  for (const [name, { security, responses }] of DESCRIBED) {
    expect(security, name).toBeDefined();
    expect(security!.length === 0, name).toBe(name === 'get /v1/health');
    for (const scheme of security!.flatMap((each) => Object.keys(each))) expect(DOCUMENT.components.securitySchemes, name).toHaveProperty(scheme);
    const errors = Object.entries(responses).filter(([status]) => Number(status) >= 400 && !(name === 'post /mcp' && status === '400'));
    expect(errors.length, name).toBeGreaterThan(0);
    for (const [status, { content }] of errors) expect(content!['application/json'].schema.$ref, `${name} ${status}`).toBe('#/components/schemas/Error');
  }
});

test('rows of a merge are typed', () => {
  const { schema } = DOCUMENT.paths['/v1/merge']['post'].responses['200'].content!['application/json'] as unknown as {
    schema: { anyOf: { properties: { rows?: { items: { required: string[]; properties: Record<string, object> } } } }[] };
  };
  const [rows] = schema.anyOf.map(({ properties }) => properties.rows).filter((each) => each !== undefined);
  expect(rows.items.required).toEqual(['key', 'outcome', 'detail', 'delete', 'base', 'ours', 'theirs', 'result']);
  expect(rows.items.properties['outcome']).toMatchObject({ type: 'string', enum: ['insert', 'update', 'delete', 'conflict', 'keep', 'converged'] });
});

async function call(op: string, body: object): Promise<Record<string, unknown>> {
  const reply = await fetch(`${base}/v1/${op}`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
  return (await reply.json()) as Record<string, unknown>;
}

test('fields of real errors are named in it', async () => {
  await call('sql', { sql: 'CREATE TABLE e (id int PRIMARY KEY, n int NOT NULL CHECK (n > 0)); INSERT INTO e VALUES (1, 1)' });
  await call('sql', { sql: 'CREATE FUNCTION f() RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN 1 / (SELECT 0); END $$' });
  await call('fork', { name: 'one' });
  await call('sql', { branch: 'one', sql: 'UPDATE e SET n = 2' });
  await call('sql', { sql: 'UPDATE e SET n = 3' });
  await call('fork', { name: 'two' });
  await call('fork', { name: 'of_two', from: 'two' });
  await call('set_merge_check', { name: 'c', query: 'SELECT id FROM e WHERE n = 9' });
  await call('fork', { name: 'three' });
  await call('sql', { branch: 'three', sql: 'UPDATE e SET n = 9' });
  const known = Object.keys((ERROR_BODY.properties.error as unknown as { properties: object }).properties);
  const seen = new Set<string>();
  for (const [op, body] of [
    ['sql', { sql: 'SELECT nothing FROM e' }],
    ['sql', { sql: 'INSERT INTO e VALUES (1, 1)' }],
    ['sql', { sql: 'INSERT INTO e VALUES (2, NULL)' }],
    ['sql', { sql: 'INSERT INTO e VALUES (2, -1)' }],
    ['sql', { sql: 'SELECT f()' }],
    ['sql', { sql: 'DO $$ BEGIN x = ; END $$' }],
    ['merge', { branch: 'one' }],
    ['merge', { branch: 'three' }],
    ['merge', { branch: 'three', version: 1 }],
    ['discard', { branch: 'two' }],
    ['get', { table: 'e' }],
    ['put', { table: 'e', id: '1', recrod: {} }],
    ['diff', { branch: 'one', limit: 1, version: 0 }],
  ] as const) {
    const { error } = (await call(op, body)) as { error: Record<string, unknown> };
    expect(error, `${op} ${JSON.stringify(body)}`).toBeDefined();
    for (const field of Object.keys(error)) {
      expect(known, `${op} ${JSON.stringify(body)}`).toContain(field);
      seen.add(field);
    }
  }
  expect([...seen]).toEqual(expect.arrayContaining(['position', 'hint', 'constraint', 'conflicts', 'checks', 'forks', 'version', 'where']));
});

test.skipIf(!installed('@redocly/cli'))(
  'Redocly finds no error and no warning',
  () => {
    const home = programFolder('openapi');
    writeFileSync(join(home, 'openapi.json'), JSON.stringify(DOCUMENT));
    const { status, stdout } = spawnSync(process.execPath, [join(home, 'node_modules/@redocly/cli/bin/cli.js'), 'lint', 'openapi.json', '--format=json'], {
      cwd: home,
      encoding: 'utf8',
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    });
    removeFolder(home);
    expect([status, (JSON.parse(stdout.slice(stdout.indexOf('{'))) as { problems: unknown[] }).problems]).toEqual([0, []]);
  },
  240_000,
);

test.skipIf(!installed('@apidevtools/swagger-parser'))(
  'swagger-parser validates it',
  async () => {
    const home = programFolder('openapi');
    writeFileSync(
      join(home, 'validate.mjs'),
      "import parser from '@apidevtools/swagger-parser';\nconst { paths } = await parser.validate('openapi.json');\nconsole.log(Object.keys(paths).length);\n",
    );
    writeFileSync(join(home, 'openapi.json'), JSON.stringify(DOCUMENT));
    const printed = execFileSync(process.execPath, ['validate.mjs'], { cwd: home, encoding: 'utf8' });
    removeFolder(home);
    expect(Number(printed)).toBe(Object.keys(DOCUMENT.paths).length);
  },
  240_000,
);

test.skipIf(!installed('openapi-typescript', 'openapi-fetch', 'typescript'))(
  'a client that is made of it compiles under strict, and talks to the server',
  async () => {
    const home = programFolder('openapi');
    const run = (...words: string[]): { status: number | null; stdout: string; stderr: string } =>
      spawnSync(process.execPath, words, { cwd: home, encoding: 'utf8' });
    writeFileSync(join(home, 'openapi.json'), await (await fetch(`${base}/v1/openapi.json`)).text());
    writeFileSync(join(home, 'package.json'), '{"type":"module"}');
    const modules = join(home, 'node_modules');
    expect(run(join(modules, 'openapi-typescript/bin/cli.js'), 'openapi.json', '-o', 'api.d.ts').status).toBe(0);
    const compiler = {
      strict: true,
      noUncheckedIndexedAccess: true,
      module: 'nodenext',
      target: 'es2022',
      lib: ['es2023', 'dom', 'dom.iterable'],
      types: ['node'],
      typeRoots: [join(import.meta.dirname, '../../node_modules/@types')],
    };
    writeFileSync(join(home, 'tsconfig.json'), JSON.stringify({ compilerOptions: compiler, files: ['client.ts'] }));
    expect(run(join(modules, 'typescript/bin/tsc'), '-p', '.').stdout).toBe('');
    // The server is of this process, so it must not wait.
    const { stdout } = await promisify(execFile)(process.execPath, ['client.js', base], { cwd: home });
    removeFolder(home);
    expect(stdout.trim().split('\n')).toEqual([
      'health true number',
      'put true',
      'fork draft main 7',
      'diff users/ann Oslo',
      'preview users/ann update Rome 1',
      'merge 409 SV409 users/ann Bern Rome',
      'merged 1',
      "sql Rome [ 'text' ]",
      expect.stringMatching(/^sql 400 42703 8/),
      'metrics true',
    ]);
  },
  240_000,
);
