/**
 * Starts a part of the program from a script that `bundle.js` made, with V8's code cache: the functions that an earlier start
 * compiled are read instead of compiled again. `bundle.js` makes a cache by running the command; a start that finds none, or one of
 * another V8, makes it when it ends, if it may write beside the script.
 *
 * V8 checks its version, its flags and the length of the source, but not the bytes: damaged ones end the process. So a cache has a head
 * with the name of its bundle and a checksum.
 *
 *     ┌ 64 bytes: name of the bundle, CRC-32 and length of the data, number of starts that wrote it ┬ data of V8 ┐
 */
import { accessSync, constants, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { cachedDataVersionTag } from 'node:v8';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';

const HEAD_BYTES = 64;
/** V8 may refuse data that it made itself, for flags that change while it runs: then it is not written at every start. */
const WRITES_MAX = 3;

/** What a script of the bundle exports. */
type Exported = Readonly<Record<string, unknown>>;

/** Scripts that are loaded, by name. */
const loaded = new Map<string, Exported>();

export interface Bundle {
  /** Folder of the scripts. */
  readonly folder: string;
  /** Changes with the contents of the scripts. */
  readonly version: string;
  /** Packages in the script `packages`. */
  readonly packages: readonly string[];
  /** What is started: each has a cache of its own, of the functions that it needs. */
  readonly use: string;
}

/** The exports of a script, which is run if it has not been. */
export function script(bundle: Bundle, name: string): Exported {
  let exports = loaded.get(name);
  if (exports === undefined) loaded.set(name, (exports = run(bundle, name)));
  return exports;
}

function run(bundle: Bundle, name: string): Exported {
  const file = join(bundle.folder, `${name}.js`);
  // The bundle has only ASCII, which V8 keeps as one byte a character.
  const source = readFileSync(file, 'latin1');
  const cacheFile = join(bundle.folder, 'cache', `${name}-${bundle.use}-${cachedDataVersionTag().toString(16)}`);
  const found = readCache(cacheFile, bundle.version);
  const compiled = new Script(source, { filename: file, ...(found.data === null ? {} : { cachedData: found.data }) });
  if (found.data === null || compiled.cachedDataRejected === true) {
    if (found.writes < WRITES_MAX) writeLater(compiled, cacheFile, bundle.version, found.writes + 1);
  }
  const module = { exports: {} };
  const fromHere = createRequire(file);
  const require = (wanted: string): unknown => {
    if (bundle.packages.includes(wanted)) return (script(bundle, 'packages')[wanted] as () => unknown)();
    return fromHere(wanted);
  };
  const load = (wanted: string): Promise<unknown> => import(new URL(wanted, pathToFileURL(file)).href);
  const evaluate = compiled.runInThisContext() as (...given: unknown[]) => void;
  evaluate(Object.assign(require, { resolve: fromHere.resolve }), module, module.exports, file, dirname(file), pathToFileURL(file).href, load);
  return module.exports;
}

interface Found {
  readonly data: Buffer | null;
  readonly writes: number;
}

function readCache(file: string, version: string): Found {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch {
    return { data: null, writes: 0 };
  }
  const [of, sum, length, writes] = bytes.latin1Slice(0, HEAD_BYTES).split(' ');
  const data = bytes.subarray(HEAD_BYTES);
  if (of !== version || Number(length) !== data.length || Number(sum) !== crc32(data)) return { data: null, writes: 0 };
  return { data, writes: Number(writes) };
}

function writeLater(compiled: Script, file: string, version: string, writes: number): void {
  try {
    // A package is installed without caches, which are of one version of V8.
    mkdirSync(dirname(file), { recursive: true });
    accessSync(dirname(file), constants.W_OK);
  } catch {
    return;
  }
  const write = (): void => {
    // Flags of V8 are part of the data: those that the core has set are set only after the next start has read it. Without the core, none are set.
    const withFirstFlags = loaded.get('core')?.['withFirstFlags'] as (<Result>(work: () => Result) => Result) | undefined;
    const data = withFirstFlags === undefined ? compiled.createCachedData() : withFirstFlags(() => compiled.createCachedData());
    const head = Buffer.alloc(HEAD_BYTES, ' ');
    head.write(`${version} ${crc32(data)} ${data.length} ${writes} `);
    const made = `${file}.${process.pid}`;
    try {
      writeFileSync(made, Buffer.concat([head, data]));
      renameSync(made, file);
    } catch {
      rmSync(made, { force: true });
    }
  };
  // Making it takes half a second of the only thread, so a server does it when it has closed its connections.
  process.once('exit', write);
}
