/**
 * Bundles the client of the web console: a page, scripts and a style sheet whose names have a hash of their content. The editor is a script of
 * its own, which the SQL page loads.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

/** What the console may weigh without the editor, compressed. */
const BYTES_MAX = 60 * 1024;

/** Of the first paint, which waits for no other file; the server allows it by its hash. */
const FIRST = 'body{margin:0;font:14px/1.5 system-ui,sans-serif}.starting{margin:0;padding:32px}';

export async function buildStudio(into) {
  const here = import.meta.dirname;
  const result = await build({
    entryPoints: [join(here, 'src/main.tsx'), join(here, 'src/style.css')],
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: ['es2022'],
    minify: true,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    outdir: 'studio',
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    legalComments: 'none',
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'warning',
    write: false,
    metafile: true,
  });
  const files = new Map(result.outputFiles.map(({ path, contents }) => [basename(path), Buffer.from(contents)]));
  const icon = readFileSync(join(here, 'icon.svg'));
  const iconName = `icon-${createHash('sha256').update(icon).digest('hex').slice(0, 8).toUpperCase()}.svg`;
  const named = (pattern) => [...files.keys()].find((name) => pattern.test(name));
  const script = named(/^main-.*\.js$/);
  const style = named(/^style-.*\.css$/);
  const names = { SCRIPT: script, STYLE: style, ICON: iconName, FIRST };
  const page = readFileSync(join(here, 'index.html'), 'utf8').replace(/\b(SCRIPT|STYLE|ICON|FIRST)\b/g, (name) => names[name]);
  files.set('index.html', Buffer.from(page)).set(iconName, icon);
  let bytes = 0;
  for (const [name, content] of files) if (!name.startsWith('editor-')) bytes += gzipSync(content).length;
  if (bytes > BYTES_MAX) throw new Error(`the console weighs ${bytes} bytes compressed, more than ${BYTES_MAX}`);
  rmSync(into, { recursive: true, force: true });
  mkdirSync(into, { recursive: true });
  for (const [name, content] of files) writeFileSync(join(into, name), content);
  return { bytes, inputs: Object.keys(result.metafile.inputs) };
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { bytes } = await buildStudio(process.argv[2] ?? 'dist/bin/studio');
  console.log(`${bytes} bytes compressed, without the editor`);
}
