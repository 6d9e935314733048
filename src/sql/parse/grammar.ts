/**
 * Postgres's own grammar and scanner: libpg-query, a WebAssembly build of PostgreSQL 18's.
 *
 * The module is created through its factory so that it can be replaced: an error that is not a syntax error (stack overflow, trap)
 * leaves its heap and C stack in an unknown state, and some dozens of those break it for good. A spare instance is kept ready,
 * because creating one is asynchronous (11–18 ms) and parsing is not. Until the next spare is ready the old instance stays in use;
 * statement-scan.ts refuses what could overflow it before it gets here. An instance whose heap a large statement has grown is
 * replaced too: such a heap never shrinks.
 */
import { createRequire } from 'node:module';
import type { ParseResult } from '@pgsql/types';
import { SvcError } from '../../base/errors/svc-error.ts';

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

const createModule = createRequire(import.meta.url)('libpg-query/wasm/libpg-query.js') as () => Promise<Module>;

let current: Module | null = await createModule();
let spare: Module | null = null;
let creating = false;

function prepareSpare(): void {
  if (spare !== null || creating) return;
  creating = true;
  void createModule().then(
    (created) => {
      creating = false;
      if (current === null) current = created;
      else spare = created;
      if (spare === null) prepareSpare();
    },
    () => {
      creating = false;
    },
  );
}
prepareSpare();

/** Number of discarded instances, for tests and metrics. */
export let replacedInstances = 0;
let faultsOfCurrent = 0;

function discardCurrent(trap: boolean): void {
  faultsOfCurrent++;
  if (spare !== null) {
    current = spare;
    spare = null;
    faultsOfCurrent = 0;
    replacedInstances++;
  } else if (trap || faultsOfCurrent > 8) {
    current = null;
    faultsOfCurrent = 0;
    replacedInstances++;
  }
  prepareSpare();
}

/** A statement of 12 MB grows the heap to some 400 MB. */
const HEAP_KEPT_SIZE_MAX = 128 * 1024 * 1024;

function discardGrownHeap(module: Module): void {
  if (spare === null || module.HEAPU32.byteLength <= HEAP_KEPT_SIZE_MAX) return;
  current = spare;
  spare = null;
  faultsOfCurrent = 0;
  replacedInstances++;
  prepareSpare();
}

function run<Result>(text: string, work: (module: Module, query: number) => Result): Result {
  const module = current;
  if (module === null) {
    prepareSpare();
    throw new SvcError('57P03', 'the parser is starting', { hint: 'Try again in a moment.' });
  }
  let query = 0;
  try {
    const size = module.lengthBytesUTF8(text) + 1;
    query = module._malloc(size);
    module.stringToUTF8(text, query, size);
    const result = work(module, query);
    module._free(query);
    discardGrownHeap(module);
    return result;
  } catch (error) {
    if (error instanceof GrammarError) {
      module._free(query);
      throw error;
    }
    const overflow = error instanceof RangeError;
    discardCurrent(!overflow);
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
