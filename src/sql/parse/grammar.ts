/**
 * Postgres's own grammar and scanner: libpg-query, a WebAssembly build of PostgreSQL 18's.
 *
 * An instance is made when it is first needed, and can be replaced: an error that is not a syntax error (stack overflow, trap)
 * leaves its heap and C stack in an unknown state, and some dozens of those break it for good. statement-scan.ts refuses what
 * could overflow it before it gets here. An instance whose heap a large statement has grown is replaced too: such a heap never
 * shrinks.
 */
import { createRequire } from 'node:module';
import type { ParseResult } from '@pgsql/types';
import { SvcError } from '../../base/errors/svc-error.ts';
import { synchronousGlue } from '../../base/synchronous-glue.ts';

interface Module {
  _malloc(size: number): number;
  _free(pointer: number): void;
  _wasm_parse_query_raw(query: number): number;
  _wasm_free_parse_result(result: number): void;
  _wasm_scan(query: number): number;
  _wasm_free_string(text: number): void;
  lengthBytesUTF8(text: string): number;
  stringToUTF8(text: string, pointer: number, size: number): number;
  UTF8ToString(pointer: number): string;
  HEAPU32: Uint32Array;
}

/** An error of the grammar. `index` counts code points from 0; null if it has no position. */
export class GrammarError extends Error {
  readonly index: number | null;

  constructor(message: string, index: number | null) {
    super(message);
    this.name = 'GrammarError';
    this.index = index;
  }
}

const createModule = synchronousGlue<Module>(createRequire(import.meta.url).resolve('libpg-query/wasm/libpg-query.js'));

let current: Module | null = null;

/** Number of discarded instances, for tests and metrics. */
export let replacedInstances = 0;

function discardCurrent(): void {
  current = null;
  replacedInstances++;
}

/** A statement of 12 MB grows the heap to some 400 MB. */
const HEAP_KEPT_SIZE_MAX = 128 * 1024 * 1024;

function run<Result>(text: string, work: (module: Module, query: number) => Result): Result {
  let module: Module | null = null;
  let query = 0;
  try {
    module = current ??= createModule();
    const size = module.lengthBytesUTF8(text) + 1;
    query = module._malloc(size);
    module.stringToUTF8(text, query, size);
    const result = work(module, query);
    module._free(query);
    if (module.HEAPU32.byteLength > HEAP_KEPT_SIZE_MAX) discardCurrent();
    return result;
  } catch (error) {
    if (error instanceof GrammarError) {
      module?._free(query);
      throw error;
    }
    if (module !== null) discardCurrent();
    throw new SvcError('54001', 'stack depth limit exceeded', { hint: 'Write the statement with less nesting.', cause: error });
  }
}

/** The statements of a text that is not empty and contains no NUL. Locations are UTF-8 byte offsets. */
export function parseWithGrammar(text: string): ParseResult {
  return run(text, (module, query) => {
    const result = module._wasm_parse_query_raw(query);
    if (result === 0) throw new Error('the parser is out of memory');
    const heap = module.HEAPU32;
    const tree = heap[result >> 2];
    const fault = heap[(result + 8) >> 2];
    try {
      if (fault !== 0) {
        const message = module.UTF8ToString(heap[fault >> 2]);
        const cursor = heap[(fault + 16) >> 2] | 0;
        throw new GrammarError(message, cursor > 0 ? cursor - 1 : null);
      }
      return JSON.parse(module.UTF8ToString(tree)) as ParseResult;
    } finally {
      module._wasm_free_parse_result(result);
    }
  });
}

export interface GrammarToken {
  start: number;
  end: number;
  tokenName: string;
}

/** Tokens of Postgres's scanner, including comments, with byte offsets. For tests of our own scanner. */
export function scanWithGrammar(text: string): GrammarToken[] {
  return run(text, (module, query) => {
    const result = module._wasm_scan(query);
    const json = module.UTF8ToString(result);
    module._wasm_free_string(result);
    if (!json.startsWith('{')) throw new GrammarError(json, null);
    return (JSON.parse(json) as { tokens: GrammarToken[] }).tokens;
  });
}
