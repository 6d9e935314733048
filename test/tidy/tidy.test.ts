/** The repository checks itself: layers, unused files, documents against tables. */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { SQLSTATES } from '../../src/base/errors/sqlstate.ts';
import { operationsWithoutTool, toolsReference } from '../../src/mcp/tools-reference.ts';
import { operationsReference } from '../../src/operations/reference.ts';
import { OPERATIONS } from '../../src/operations/table.ts';
import { RELEASE } from '../../src/release.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/** A folder may import the folders before it in its line, and itself. `base` is below everything. */
const LAYERS: Record<string, string[]> = {
  'src/base': [],
  'src/identity': ['src/base'],
  'src/storage': ['src/base'],
  'src/tree': ['src/base', 'src/storage'],
  'src/locks': ['src/base', 'src/tree'],
  'src/events': ['src/base', 'src/tree'],
  'src/session': ['src/base', 'src/identity', 'src/events'],
  'src/log': ['src/base', 'src/storage'],
  'src/projection': ['src/base', 'src/storage', 'src/tree', 'src/events', 'src/log'],
  'src/worlds': ['src/base', 'src/identity', 'src/tree', 'src/locks', 'src/events', 'src/session', 'src/log', 'src/projection', 'src/commands/contract.ts'],
  'src/sql/types': ['src/base'],
  'src/sql/functions': ['src/base', 'src/sql/types'],
  'src/sql/ast': [],
  'src/sql/parse': ['src/base', 'src/sql/ast'],
  'src/sql/plpgsql': ['src/base', 'src/sql/parse'],
  'src/sql/schema': ['src/base', 'src/identity', 'src/tree', 'src/locks', 'src/events', 'src/worlds', 'src/commands/contract.ts', 'src/sql/types'],
  'src/sql/plan': ['src/base', 'src/sql/types', 'src/sql/functions', 'src/sql/schema'],
  'src/sql/bind': ['src/base', 'src/sql/types', 'src/sql/functions', 'src/sql/ast', 'src/sql/parse', 'src/sql/schema', 'src/sql/plan'],
  'src/sql/exec': ['src/base', 'src/tree', 'src/worlds', 'src/sql/types', 'src/sql/functions', 'src/sql/schema', 'src/sql/plan'],
  'src/sql/catalog': [
    'src/base',
    'src/identity',
    'src/tree/datum.ts',
    'src/tree/row-change.ts',
    'src/worlds',
    'src/sql/types',
    'src/sql/functions',
    'src/sql/ast',
    'src/sql/parse',
    'src/sql/schema',
    'src/sql/plan',
    'src/sql/bind',
  ],
  'src/sql/library': ['src/base', 'src/sql/types', 'src/sql/functions', 'src/sql/formats', 'src/sql/catalog'],
  'src/sql/compute': ['src/base', 'src/sql/types', 'src/sql/functions', 'src/sql/library', 'src/sql/exec', 'src/sql/ast', 'src/sql/parse'],
  'src/sql/formats': ['src/base', 'src/sql/types'],
  'src/sql/copy': ['src/base', 'src/sql/ast', 'src/sql/types', 'src/sql/formats'],
  'src/sql/session': [
    'src/base',
    'src/identity',
    'src/tree',
    'src/locks',
    'src/events',
    'src/session',
    'src/worlds',
    'src/projection',
    'src/commands/contract.ts',
    'src/governance',
    'src/sql',
  ],
  'src/search': ['src/base', 'src/storage', 'src/tree', 'src/worlds', 'src/sql/types', 'src/sql/functions', 'src/sql/schema'],
  'src/commands': ['src/base', 'src/identity', 'src/tree', 'src/locks', 'src/events', 'src/session', 'src/log', 'src/projection', 'src/worlds'],
  'src/governance': ['src/base', 'src/tree', 'src/events', 'src/session', 'src/worlds', 'src/commands'],
  'src/simulation': [
    'src/base',
    'src/identity',
    'src/storage',
    'src/tree',
    'src/events',
    'src/session',
    'src/projection',
    'src/worlds',
    'src/commands/contract.ts',
    'src/commands/merge-guard.ts',
    'src/search',
    'src/sql',
  ],
  'src/attach': ['src/base', 'src/tree', 'src/events', 'src/session', 'src/worlds', 'src/commands/contract.ts', 'src/sql'],
  'src/operations': ['src/base', 'src/session', 'src/worlds', 'src/commands', 'src/governance'],
  'src/mcp': ['src/base', 'src/commands/contract.ts', 'src/session', 'src/operations', 'src/sql/parse'],
  'src/socket': ['src/base', 'src/commands/contract.ts', 'src/session', 'src/operations'],
  'src/shell': [
    'src/base',
    'src/commands/contract.ts',
    'src/operations',
    'src/socket',
    'src/sql/types',
    'src/sql/parse',
    'src/sql/exec/batch.ts',
    'src/sql/session',
  ],
  'src/http': ['src/base', 'src/commands/contract.ts', 'src/session', 'src/operations'],
  'src/studio': ['src/base', 'src/identity', 'src/commands/contract.ts', 'src/session', 'src/operations', 'src/socket', 'src/http'],
  'src/wire': [
    'src/base',
    'src/identity',
    'src/locks',
    'src/session',
    'src/sql/types',
    'src/sql/formats',
    'src/sql/ast/session.ts',
    'src/sql/parse',
    'src/sql/schema',
    'src/sql/exec',
    'src/sql/session',
  ],
  projections: ['src/base', 'src/identity', 'src/events', 'src/tree', 'src/projection', 'src/worlds'],
};

/** The composition root and the command see everything. */
const ROOTS = [
  'src/local-entrance.ts',
  'src/mcp-command.ts',
  'src/shell-command.ts',
  'src/attach-command.ts',
  'src/database.ts',
  'src/launch.ts',
  'src/main.ts',
  'src/serve.ts',
  'src/release.ts',
  'src/studio-command.ts',
  'src/verify-command.ts',
];

function filesBelow(folder: string): string[] {
  return readdirSync(join(ROOT, folder)).flatMap((name) => {
    const path = `${folder}/${name}`;
    return statSync(join(ROOT, path)).isDirectory() ? filesBelow(path) : path.endsWith('.ts') ? [path] : [];
  });
}

/** The types of the contract are derived from the operations, which stand above: they are gone when the code runs. */
const TYPES_FROM_ABOVE = 'src/commands/contract.ts';

function importsOf(file: string): string[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  return [...text.matchAll(/(?:from|import) ?\(?'(\.{1,2}\/[^']+)'/g)].map(([, path]) => relative(ROOT, resolve(ROOT, dirname(file), path)));
}

const sources = [...filesBelow('src'), ...filesBelow('projections')];

test('a folder imports only what stands below it', () => {
  const wrong: string[] = [];
  for (const file of sources) {
    if (ROOTS.includes(file)) continue;
    const layer = Object.keys(LAYERS).find((folder) => file.startsWith(`${folder}/`));
    if (layer === undefined) {
      wrong.push(`${file} is in no layer`);
      continue;
    }
    for (const imported of importsOf(file)) {
      if (file === TYPES_FROM_ABOVE && imported.startsWith('src/operations/')) continue;
      const allowed = imported.startsWith(`${layer}/`) || LAYERS[layer].some((below) => imported === below || imported.startsWith(`${below}/`));
      if (!allowed) wrong.push(`${file} imports ${imported}`);
    }
  }
  expect(wrong).toEqual([]);
});

test('the contract is types alone', () => {
  const text = readFileSync(join(ROOT, TYPES_FROM_ABOVE), 'utf8');
  expect(text.match(/^(?:import|export) (?!type |interface )/gm)).toBeNull();
});

test('only the composition root imports the list of projections, only one file RocksDB', () => {
  expect(sources.filter((file) => importsOf(file).includes('projections/index.ts'))).toEqual(['src/database.ts']);
  expect(sources.filter((file) => readFileSync(join(ROOT, file), 'utf8').includes("'@nxtedition/rocksdb'"))).toEqual(['src/storage/rocks-page-store.ts']);
});

test('every source file is imported by something', () => {
  const imported = new Set([...sources, ...filesBelow('test')].flatMap(importsOf));
  const dynamic = [
    'src/launch.ts',
    'src/simulation/thread.ts',
    'src/sql/compute/thread.ts',
    'src/mcp-command.ts',
    'src/main.ts',
    'src/serve.ts',
    'src/database.ts',
  ];
  expect(sources.filter((file) => !imported.has(file) && !dynamic.includes(file))).toEqual([]);
});

test('the list of tools for models is what the tools say', () => {
  const path = join(ROOT, 'docs/reference/mcp.md');
  const [start, end] = ['<!-- the tools -->\n', '\n<!-- end of the tools -->'];
  const text = readFileSync(path, 'utf8');
  const others = operationsWithoutTool().map((name) => `\`${name}\``);
  const list = `${toolsReference()}\n\nOperations that are no tools: ${others.join(', ')}.`;
  const wanted = `${text.slice(0, text.indexOf(start) + start.length)}${list}${text.slice(text.indexOf(end))}`;
  if (process.env['UPDATE'] === '1') writeFileSync(path, wanted);
  expect(readFileSync(path, 'utf8')).toBe(wanted);
});

test('the operations reference is what the table says', () => {
  const path = join(ROOT, 'docs/reference/operations.md');
  if (process.env['UPDATE'] === '1') writeFileSync(path, operationsReference());
  expect(readFileSync(path, 'utf8')).toBe(operationsReference());
});

test('every environment variable that is read is documented, and the other way round', () => {
  const text = readFileSync(join(ROOT, 'docs/reference/environment.md'), 'utf8');
  const read = sources.flatMap((file) => [...readFileSync(join(ROOT, file), 'utf8').matchAll(/'(SVC_[A-Z_]+)'/g)].map(([, name]) => name));
  const told = [...text.matchAll(/^\| `(SVC_[A-Z_]+)`/gm)].map(([, name]) => name);
  expect(told.toSorted()).toEqual([...new Set(read)].toSorted());
});

test('every option of the commands is in their reference, and no other', () => {
  const commands = readFileSync(join(ROOT, 'src/main.ts'), 'utf8').split(".command('").slice(1);
  const sections = readFileSync(join(ROOT, 'docs/reference/serve.md'), 'utf8').split(/^## /m);
  for (const text of commands) {
    const name = text.slice(0, text.indexOf("'"));
    const section = sections.find((each) => each.startsWith(`svc ${name}`) || (each.startsWith('svc verify') && name === 'keygen'));
    expect(section, name).toBeDefined();
    const options = [...text.matchAll(/\.option\('(?:-\w, )?(--[\w-]+)/g)].map(([, option]) => option);
    const rows = section!.split('\n').filter((line) => line.startsWith('| `-'));
    const listed = rows.flatMap((line) => [...line.split('|')[1].matchAll(/--[\w-]+/g)].map(([option]) => option));
    if (listed.length > 0) expect(listed.toSorted(), name).toEqual(options.toSorted());
    else for (const option of options) expect(section, name).toContain(option);
  }
});

test('every error code that an operation names is in the table, and every operation has an example', () => {
  for (const operation of OPERATIONS) {
    for (const code of operation.errors) expect(SQLSTATES).toHaveProperty(code);
    expect(operation.examples.length, operation.name).toBeGreaterThan(0);
  }
});

test('the architecture document names every folder', () => {
  const text = readFileSync(join(ROOT, 'docs/ARCHITECTURE.md'), 'utf8');
  for (const folder of Object.keys(LAYERS)) expect(text, folder).toContain(`\`${folder}/\``);
});

test('the release is what package.json says', () => {
  expect(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))).toMatchObject({ version: RELEASE });
});
