/**
 * Puts the command, as it was built, and most of what it depends on into few scripts in `dist/bin`: a start otherwise looks up, reads
 * and compiles two thousand files, which takes most of it. `src/launch.ts` runs the scripts, with what V8 compiled before.
 *
 *   svc.js        the command line        (Node runs it)      thread.js, compute.js   threads
 *   core.js       everything of svc, each part run when it is first needed
 *   packages.js   packages of servers, each run when it is first needed
 *   view.mjs      what draws at a terminal
 *   index.mjs     the embedding API       (index.cjs for `require`)
 *   rocksdb/      RocksDB's binding for Linux on x86-64
 *   studio/       the client of the web console (studio/build.js)
 *
 * Native and WebAssembly packages stay packages, but for RocksDB, whose sources and other platforms weigh 40 MB (docs/decisions/030-package.md).
 * Names and lines stay, for traces: lines are cut, blanks are not kept. THIRD-PARTY-NOTICES names what is inside, and under which licence.
 */
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { notices } from './notices.js';
import { buildStudio } from './studio/build.js';

const BIN = 'dist/bin';
const EXTERNAL = ['@node-rs/crc32', 'classic-level', 'libpg-query', 'libxml2-wasm'];
const PACKAGES = ['commander', 'fastify', 'pino', '@modelcontextprotocol/sdk/server/index.js', '@modelcontextprotocol/sdk/types.js'];
/** Modules that `svc.js` and threads start, in `core.js`. */
const PARTS = {
  './serve.js': 'dist/src/serve.js',
  './shell-command.js': 'dist/src/shell-command.js',
  './studio-command.js': 'dist/src/studio-command.js',
  './mcp-command.js': 'dist/src/mcp-command.js',
  './mcp/protocol-output.js': 'dist/src/mcp/protocol-output.js',
  './attach-command.js': 'dist/src/attach-command.js',
  './verify-command.js': 'dist/src/verify-command.js',
  './storage/folder-key.js': 'dist/src/storage/folder-key.js',
  simulation: 'dist/src/simulation/thread.js',
  compute: 'dist/src/sql/compute/thread.js',
};
const VIEW = './view/ink-view.js';

const common = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  minifyWhitespace: true,
  minifySyntax: true,
  lineLimit: 120,
  legalComments: 'none',
  charset: 'ascii',
  define: { 'process.env.NODE_ENV': '"production"', 'import.meta.url': '__url' },
  logLevel: 'warning',
  write: false,
  metafile: true,
};

/** Files that went into a script, by their paths. */
const inputs = new Set();
const noted = (result) => {
  for (const path of Object.keys(result.metafile.inputs)) inputs.add(path);
  return result;
};

/** `import("x")` of what is not in the script, which a script cannot do. */
function takeImports(text, wanted, instead) {
  let count = 0;
  const taken = text.replace(/\bimport\("([^"]*)"\)/g, (all, name) => {
    if (!wanted(name)) return all;
    count++;
    return instead(name);
  });
  return { taken, count };
}

async function scriptOf(contents, options) {
  const result = noted(await build({ ...common, format: 'cjs', stdin: { contents, resolveDir: process.cwd() }, ...options }));
  return result.outputFiles[0].text;
}

/** A script is one function, as a module of CommonJS is. */
function wrapped(text) {
  return `(function(require,module,exports,__filename,__dirname,__url,__import){${text}\n})`;
}

const external = (filter, path) => ({ name: 'external', setup: (made) => made.onResolve({ filter }, () => ({ path, external: true })) });

/** RocksDB's own code is in the script, its binding is not: one lies beside the script, one for another platform may be installed. */
const BINDING = `
  const { join } = require('node:path');
  const own = join(__dirname, 'rocksdb', process.platform + '-' + process.arch + '.node');
  module.exports = require(require('node:fs').existsSync(own) ? own : '@nxtedition/rocksdb/binding.js');`;
const rocks = {
  name: 'rocks',
  setup: (made) => {
    made.onLoad({ filter: /rocks-page-store\.js$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      const loaded = "createRequire(import.meta.url)('@nxtedition/rocksdb')";
      if (!text.includes(loaded)) throw new Error(`${path} does not load RocksDB by ${loaded}`);
      return { contents: text.replace(loaded, "require('@nxtedition/rocksdb')"), loader: 'js' };
    });
    made.onResolve({ filter: /^\.\/binding$/ }, ({ importer }) =>
      importer.includes('@nxtedition/rocksdb') ? { path: 'binding', namespace: 'rocks' } : undefined,
    );
    made.onLoad({ filter: /.*/, namespace: 'rocks' }, () => ({ contents: BINDING, resolveDir: process.cwd() }));
    made.onResolve({ filter: /^@nxtedition\/rocksdb\/binding\.js$/ }, ({ path }) => ({ path, external: true }));
  },
};

const core = takeImports(
  await scriptOf(
    `export { withFirstFlags } from './dist/src/base/v8-flags.js';
    export const database = () => require('./dist/src/database.js');
    export const parts = {${Object.entries(PARTS).map(([name, path]) => `${JSON.stringify(name)}: () => import(${JSON.stringify(`./${path}`)})`)}};`,
    { external: [...EXTERNAL, ...PACKAGES], plugins: [external(/\/ink-view\.js$/, './view.mjs'), rocks] },
  ),
  (name) => name === './view.mjs',
  (name) => `__import(${JSON.stringify(name)})`,
);
if (core.count !== 1) throw new Error(`${VIEW} is imported ${core.count} times`);
const packages = await scriptOf(`module.exports={${PACKAGES.map((name) => `${JSON.stringify(name)}:()=>require(${JSON.stringify(name)})`).join(',')}}`, {
  external: EXTERNAL,
});
/** Ink's connection to tools of developers, which only a variable of its own asks for. */
const withoutTools = {
  name: 'without tools',
  setup: (made) => {
    made.onResolve({ filter: /^\.\/devtools\.js$/ }, ({ importer }) => (importer.includes('/ink/') ? { path: 'devtools', namespace: 'none' } : undefined));
    made.onLoad({ filter: /.*/, namespace: 'none' }, () => ({ contents: '' }));
  },
};
const view = await build({
  ...common,
  entryPoints: ['dist/src/shell/view/ink-view.js'],
  format: 'esm',
  define: { 'process.env.NODE_ENV': '"production"' },
  external: EXTERNAL,
  plugins: [withoutTools],
  // What was written for `require` finds it here.
  banner: { js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);" },
});
const scripts = { 'core.js': wrapped(core.taken), 'packages.js': wrapped(packages), 'view.mjs': view.outputFiles[0].text };
for (const name of ['core.js', 'packages.js']) {
  const found = /.{0,60}[^\0-\x7f].{0,60}/.exec(scripts[name]);
  if (found !== null) throw new Error(`${name} is not ASCII: ${found[0]}`);
}
const version = createHash('sha256').update(JSON.stringify(scripts)).digest('hex').slice(0, 16);

const launcher = (use, rest) => `
  import { script } from './dist/src/launch.js';
  __svc = (name) => script({ folder: __dirname, version: ${JSON.stringify(version)}, packages: ${JSON.stringify(PACKAGES)}, use: ${use} }, name);
  ${rest}`;
const entry = async (contents) => {
  const text = await scriptOf(contents, { external: [...EXTERNAL, ...PACKAGES, ...Object.keys(PARTS)], banner: { js: 'let __svc;' } });
  return takeImports(
    text,
    (name) => name in PARTS || PACKAGES.includes(name),
    (name) => (name in PARTS ? `__svc("core").parts[${JSON.stringify(name)}]()` : `Promise.resolve(__svc("packages")[${JSON.stringify(name)}]())`),
  ).taken;
};
// Of `serve`, which loads more than the others.
const USE = "(process.argv[2] === 'serve' ? 'serve' : 'shell')";
scripts['svc.js'] = `#!/usr/bin/env node\n${await entry(launcher(USE, "require('./dist/src/main.js');"))}`;
scripts['thread.js'] = await entry(launcher("'shell'", "void __svc('core').parts.simulation();"));
scripts['compute.js'] = await entry(launcher("'shell'", "void __svc('core').parts.compute();"));
scripts['package.json'] = '{"type":"commonjs"}\n';

// The embedding API: what `dist/src/database.js` exports, of the same script, so that its threads and its errors are those of the command.
const LIBRARY = launcher("'shell'", "module.exports = __svc('core').database();");
scripts['index.cjs'] = await entry(LIBRARY);
const exported = Object.keys(await import('./dist/src/database.js')).sort();
scripts['index.mjs'] = `import library from './index.cjs';\nexport const { ${exported.join(', ')} } = library;\n`;

rmSync(BIN, { recursive: true, force: true });
mkdirSync(join(BIN, 'cache'), { recursive: true });
mkdirSync(join(BIN, 'rocksdb'));
copyFileSync('node_modules/@nxtedition/rocksdb/prebuilds/linux-x64/@nxtedition+rocksdb.node', join(BIN, 'rocksdb/linux-x64.node'));
for (const [name, text] of Object.entries(scripts)) writeFileSync(join(BIN, name), text);
chmodSync(join(BIN, 'svc.js'), 0o755);
const studio = await buildStudio(join(BIN, 'studio'));
for (const path of studio.inputs) inputs.add(path);
noted(view);
writeFileSync('THIRD-PARTY-NOTICES', notices([...inputs, 'node_modules/@nxtedition/rocksdb/index.js', 'node_modules/typebox/package.json']));

// --- caches: a first start makes the folder, a second one, of the open folder, writes the cache

const WARM = `CREATE TABLE items (id int PRIMARY KEY, name text); INSERT INTO items VALUES (1, 'lamp');
UPDATE items SET name = 'desk' WHERE id = 1; SELECT * FROM items ORDER BY id; fork draft
use draft
DELETE FROM items WHERE id = 1; diff
merge draft
DROP TABLE items;`;
const made = mkdtempSync(join(tmpdir(), 'svc-build-'));
const folder = join(made, 'data');
const caches = join(BIN, 'cache');
const emptied = () => {
  rmSync(caches, { recursive: true });
  mkdirSync(caches);
};
const command = (input, ...words) => execFileSync(process.execPath, [join(BIN, 'svc.js'), folder, ...words], { input, stdio: ['pipe', 'ignore', 'ignore'] });

async function serveOnce() {
  const server = spawn(process.execPath, [join(BIN, 'svc.js'), 'serve', folder, '--listen', '127.0.0.1:0', '--pg', '127.0.0.1:0'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = new Promise((resolve) => server.once('exit', resolve));
  const url = await new Promise((resolve, reject) => {
    server.stdout.on('data', (text) => {
      const found = /listening on (\S+)/.exec(String(text));
      if (found !== null) resolve(found[1]);
    });
    void ended.then(() => reject(new Error('the server ended')));
  });
  await fetch(`${url}/v1/health`);
  await fetch(`${url}/v1/sql`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"sql":"SELECT 1"}' });
  server.kill('SIGTERM');
  await ended;
}

try {
  command('SELECT 1;');
  emptied();
  command(WARM);
  await serveOnce();
} finally {
  rmSync(made, { recursive: true, force: true });
}
