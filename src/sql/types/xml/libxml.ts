/**
 * libxml2 as WebAssembly: the parser, tree and XPath engine of Postgres, in this process and synchronous.
 *
 * An instance is made for the first document, and can be replaced: a trap (C stack overflow, out of memory) leaves its heap in an
 * unknown state, and a heap that a large document has grown never shrinks.
 *
 * External entities and DTDs are never loaded: each parse sets NO_XXE, and this build has no network and no files.
 */
import { createRequire } from 'node:module';
import { SvcError } from '../../../base/errors/svc-error.ts';
import { synchronousGlue } from '../../../base/synchronous-glue.ts';

/** The module's functions in use; numbers are addresses in its heap. */
export interface Libxml {
  _malloc(size: number): number;
  _free(pointer: number): void;
  _xmlInitParser(): void;
  _xmlNewParserCtxt(): number;
  _xmlFreeParserCtxt(context: number): void;
  _xmlCtxtSetErrorHandler(context: number, handler: number, data: number): void;
  _xmlCtxtReadMemory(context: number, bytes: number, size: number, url: number, encoding: number, options: number): number;
  _xmlFreeDoc(document: number): void;
  _xmlNodeGetContent(node: number): number;
  _xmlXPathNewContext(document: number): number;
  _xmlXPathFreeContext(context: number): void;
  _xmlXPathRegisterNs(context: number, prefix: number, uri: number): number;
  _xmlXPathCtxtCompile(context: number, path: number): number;
  _xmlXPathFreeCompExpr(compiled: number): void;
  _xmlXPathSetContextNode(node: number, context: number): number;
  _xmlXPathCompiledEval(compiled: number, context: number): number;
  _xmlXPathFreeObject(object: number): void;
  UTF8ToString(pointer: number): string;
  addFunction(run: (data: number, error: number) => void, signature: string): number;
  getValue(pointer: number, type: string): number;
  HEAPU8: Uint8Array;
  HEAP32: Int32Array;
}

/** Bits of xmlParserOption. */
export const PARSE_OPTION = { NOENT: 2, DTDATTR: 8, NONET: 2048, NO_XXE: 8_388_608 } as const;

/** xmlError, as its handler gets it. */
export interface XmlFault {
  readonly domain: number;
  readonly code: number;
  readonly message: string;
  /** 1 is a warning, 2 an error, 3 ends the parse. */
  readonly level: number;
  readonly line: number;
  /** From 1. */
  readonly column: number;
}

interface Instance {
  readonly module: Libxml;
  /** Address of the error handler. */
  readonly handler: number;
  faults: XmlFault[];
}

/** An instance with a larger heap is replaced. */
const HEAP_BYTES_MAX = 64 << 20;
/** Further errors of one document are dropped. */
const FAULTS_MAX = 100;

const createModule = synchronousGlue<Libxml>(createRequire(import.meta.url).resolve('libxml2-wasm/lib/libxml2raw.mjs'));

function create(): Instance {
  const module = createModule();
  module._xmlInitParser();
  const made: { module: Libxml; handler: number; faults: XmlFault[] } = { module, handler: 0, faults: [] };
  made.handler = module.addFunction((_data, error) => {
    if (made.faults.length >= FAULTS_MAX) return;
    const number = (offset: number): number => module.getValue(error + offset, 'i32');
    const message = number(8);
    made.faults.push({
      domain: number(0),
      code: number(4),
      message: message === 0 ? '' : module.UTF8ToString(message),
      level: number(12),
      line: number(20),
      column: number(40),
    });
  }, 'vii');
  return made;
}

let current: Instance | null = null;

/** Frees its allocations at the end of the work. */
export class XmlWork {
  readonly lib: Libxml;
  readonly #instance: Instance;
  readonly #undo: (() => void)[] = [];

  constructor(instance: Instance) {
    this.#instance = instance;
    this.lib = instance.module;
  }

  get handler(): number {
    return this.#instance.handler;
  }

  later(undo: () => void): void {
    this.#undo.push(undo);
  }

  /** A zero-terminated copy of a text in the heap, for as long as the work takes. */
  text(text: string): { readonly pointer: number; readonly size: number } {
    const bytes = Buffer.from(text, 'utf8');
    const pointer = this.lib._malloc(bytes.length + 1);
    if (pointer === 0) throw tooLarge();
    this.later(() => this.lib._free(pointer));
    this.lib.HEAPU8.set(bytes, pointer);
    this.lib.HEAPU8[pointer + bytes.length] = 0;
    return { pointer, size: bytes.length };
  }

  /** The errors since the last call. */
  takeFaults(): XmlFault[] {
    const { faults } = this.#instance;
    this.#instance.faults = [];
    return faults;
  }

  /** Frees what `run` allocated after it. */
  within<Result>(run: () => Result): Result {
    const before = this.#undo.length;
    const result = run();
    while (this.#undo.length > before) this.#undo.pop()!();
    return result;
  }

  free(): void {
    for (let undo = this.#undo.pop(); undo !== undefined; undo = this.#undo.pop()) undo();
  }
}

function tooLarge(): SvcError {
  return new SvcError('53200', 'out of memory', { detail: 'The XML document is too large for the parser.' });
}

/** Runs `run` over the module. A trap in it is 54001, and the instance is discarded once there is another. */
export function withLibxml<Result>(run: (work: XmlWork) => Result): Result {
  const instance = (current ??= create());
  instance.faults = [];
  const work = new XmlWork(instance);
  let trapped = false;
  try {
    return run(work);
  } catch (error) {
    if (error instanceof SvcError) throw error;
    if (!(error instanceof RangeError) && !(error instanceof Error && error.name === 'RuntimeError')) throw error;
    trapped = true;
    throw new SvcError('54001', 'XML document or XPath expression is too complex', { detail: 'The parser ran out of stack or memory.' });
  } finally {
    if (!trapped) work.free();
    if (trapped || instance.module.HEAPU8.length > HEAP_BYTES_MAX) current = null;
  }
}
