/**
 * Puts the command, as it was built, and most of what it depends on into few files in `dist/bin`: a start otherwise looks up
 * and reads two thousand, which takes two thirds of it. Native and WebAssembly packages stay packages. Names and lines stay, for traces.
 */
import { readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';

const BIN = 'dist/bin';

const { metafile } = await build({
  entryPoints: { svc: 'dist/src/main.js', thread: 'dist/src/simulation/thread.js', compute: 'dist/src/sql/compute/thread.js' },
  outdir: BIN,
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  external: ['@nxtedition/rocksdb', '@node-rs/crc32', 'classic-level', 'libpg-query', 'libxml2-wasm', 'react-devtools-core'],
  // React has a second build for development.
  define: { 'process.env.NODE_ENV': '"production"' },
  // What was written for `require` finds it here.
  banner: { js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);" },
  metafile: true,
  logLevel: 'warning',
});

// Parts of earlier builds have other names.
const made = new Set(Object.keys(metafile.outputs).map((path) => basename(path)));
for (const name of readdirSync(BIN)) if (!made.has(name)) rmSync(join(BIN, name));
