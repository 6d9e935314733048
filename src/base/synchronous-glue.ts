/**
 * WebAssembly modules that Emscripten built, created without waiting. Emscripten's glue code is asynchronous for browsers, which
 * compile only in the background; in Node everything that it waits for is there at once. So the words `async` and `await` are
 * taken out of it, and its `WebAssembly.instantiate` is a synchronous one. A module is thus created when it is first needed, and
 * replaced at the moment when it is found broken. The code of all instances is compiled once.
 */
import { readFileSync } from 'node:fs';
import * as modules from 'node:module';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { compileFunction } from 'node:vm';
import { assert } from './assert.ts';

/** Texts of the glue that only a module of ECMAScript may contain, each with its replacement in a function. */
const OF_MODULES: readonly (readonly [string, string])[] = [
  ['((m)=>import(m))("node:module")', '__modules'],
  ['import.meta.url', '__url'],
  ['export default Module;', 'module.exports = Module;'],
];

/** A function that makes an instance: what the glue exports, called without waiting. */
export function synchronousGlue<Instance>(path: string): () => Instance {
  let create: (() => unknown) | null = null;
  return () => {
    create ??= factoryOf(path);
    const instance = create();
    assert(!(instance instanceof Promise), `the glue code ${path} waits for something`);
    return instance as Instance;
  };
}

function factoryOf(path: string): () => unknown {
  let text = readFileSync(path, 'utf8');
  for (const [there, instead] of OF_MODULES) text = text.replaceAll(there, instead);
  text = text.replace(/\basync (?=function\b|\w+=>|\w+=\()|\basync(?=\()|\bawait\b/g, '');
  const module = { exports: {} };
  const run = compileFunction(text, ['require', 'module', 'exports', '__filename', '__dirname', '__url', '__modules', 'WebAssembly'], { filename: path }) as (
    ...given: unknown[]
  ) => void;
  run(modules.createRequire(path), module, module.exports, path, dirname(path), pathToFileURL(path).href, modules, synchronousWebAssembly());
  assert(typeof module.exports === 'function', `the glue code ${path} exports no function`);
  return module.exports as () => unknown;
}

/** What is used of the global object `WebAssembly`, which the types of Node lack. */
interface Compiler {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (code: object, imports: object) => object;
}

function synchronousWebAssembly(): object {
  const compiler = (globalThis as unknown as { readonly WebAssembly: Compiler }).WebAssembly;
  let code: object | null = null;
  const instantiate = (bytes: Uint8Array, imports: object): object => {
    code ??= new compiler.Module(bytes);
    return { module: code, instance: new compiler.Instance(code, imports) };
  };
  return Object.create(compiler, { instantiate: { value: instantiate } }) as object;
}
