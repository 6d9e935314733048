/**
 * Dot products of one vector with many that are side by side in memory, by the processor's vector instructions: a WebAssembly module of two
 * functions, which is assembled here. Its memory is outside the JavaScript heap.
 *
 *     bytes(query, vectors, count, width, out)    16-bit query, 8-bit vectors; `width` a multiple of 16; out: 32-bit whole numbers
 *     floats(query, vectors, count, width, out)   32-bit floats; `width` a multiple of 8; out: 32-bit floats
 *
 * Instructions by their codes in the WebAssembly core specification 2.0, section 5.4.
 */
type Code = readonly number[];

/** What is used of WebAssembly, which the types of Node.js leave out. */
interface Assembly {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Memory: new (limits: { initial: number }) => { readonly buffer: ArrayBuffer };
  readonly Instance: new (module: object, imports: object) => { readonly exports: Readonly<Record<string, unknown>> };
}

const assembly = (globalThis as unknown as { readonly WebAssembly?: Assembly }).WebAssembly;

export type Kernel = (query: number, vectors: number, count: number, width: number, out: number) => void;

export interface Kernels {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly bytes: Kernel;
  readonly floats: Kernel;
}

const PAGE_BYTES = 1 << 16;

let compiled: object | null | undefined;

/** The kernels over memory of their own; null where WebAssembly has no vector instructions or cannot have the memory. */
export function kernelsOver(sizeBytes: number): Kernels | null {
  if (assembly === undefined) return null;
  if (compiled === undefined) compiled = compiledBy(assembly);
  if (compiled === null) return null;
  try {
    const memory = new assembly.Memory({ initial: Math.ceil(sizeBytes / PAGE_BYTES) });
    const { exports } = new assembly.Instance(compiled, { m: { m: memory } });
    return { memory, bytes: exports.bytes as Kernel, floats: exports.floats as Kernel };
  } catch (error) {
    // A RangeError: no room among the addresses that memories of WebAssembly may have.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function compiledBy({ Module }: Assembly): object | null {
  try {
    return new Module(Uint8Array.from(moduleCode()));
  } catch {
    return null;
  }
}

const I32 = 0x7f;
const V128 = 0x7b;
const NO_VALUE = 0x40;
const [BLOCK, LOOP, END, BRANCH_IF] = [0x02, 0x03, 0x0b, 0x0d];
const [IS_ZERO, IS_LESS, ADD, SHIFT_LEFT, ADD_FLOAT] = [0x45, 0x49, 0x6a, 0x74, 0x92];
const [STORE_WHOLE, STORE_FLOAT] = [0x36, 0x38];

// Locals: the parameters, then a place in the query, the query's end, and two sums.
const [QUERY, VECTORS, COUNT, WIDTH, OUT, AT, STOP, SUM_A, SUM_B] = [0, 1, 2, 3, 4, 5, 6, 7, 8];

const get = (local: number): Code => [0x20, local];
const set = (local: number): Code => [0x21, local];
const whole = (value: number): Code => [0x41, ...signed(value)];
const add = (local: number, value: number): Code => [...get(local), ...whole(value), ADD, ...set(local)];

/** Instructions on 128 bits have a prefix. */
const wide = (code: number): Code => [0xfd, ...unsigned(code)];
const load = (local: number, offset: number): Code => [...get(local), ...wide(0x00), 0, offset];
/** Eight bytes as eight 16-bit numbers. */
const loadBytes = (local: number, offset: number): Code => [...get(local), ...wide(0x01), 0, offset];
const ZERO: Code = [...wide(0x0c), ...new Array<number>(16).fill(0)];
const WHOLE: { readonly product: Code; readonly add: Code; readonly lane: Code } = { product: wide(0xba), add: wide(0xae), lane: wide(0x1b) };
const FLOAT: typeof WHOLE = { product: wide(0xe6), add: wide(0xe4), lane: wide(0x1f) };

interface Loop {
  /** Bytes of a number of the query, as a power of two. */
  readonly queryShift: number;
  /** Bytes of the vectors that one turn reads; it reads 32 of the query. */
  readonly readBytes: number;
  readonly first: Code;
  readonly second: Code;
  readonly kind: typeof WHOLE;
  readonly addLanes: number;
  readonly store: number;
}

/** A loop over the vectors, and within it one over their numbers. */
function kernelCode({ queryShift, readBytes, first, second, kind, addLanes, store }: Loop): number[] {
  const sum = (into: number, numbers: Code, offset: number): Code => [
    ...get(into),
    ...load(AT, offset),
    ...numbers,
    ...kind.product,
    ...kind.add,
    ...set(into),
  ];
  const lane = (i: number): Code => [...get(SUM_A), ...kind.lane, i];
  return [
    [2, 2, I32, 2, V128],
    [BLOCK, NO_VALUE, ...get(COUNT), IS_ZERO, BRANCH_IF, 0],
    [LOOP, NO_VALUE],
    [...ZERO, ...set(SUM_A), ...ZERO, ...set(SUM_B)],
    [...get(QUERY), ...set(AT)],
    [...get(QUERY), ...get(WIDTH), ...whole(queryShift), SHIFT_LEFT, ADD, ...set(STOP)],
    [LOOP, NO_VALUE],
    [...sum(SUM_A, first, 0), ...sum(SUM_B, second, 16)],
    [...add(AT, 32), ...add(VECTORS, readBytes)],
    [...get(AT), ...get(STOP), IS_LESS, BRANCH_IF, 0, END],
    [...get(SUM_A), ...get(SUM_B), ...kind.add, ...set(SUM_A)],
    [...get(OUT), ...lane(0), ...lane(1), addLanes, ...lane(2), addLanes, ...lane(3), addLanes, store, 2, 0],
    [...add(OUT, 4), ...add(COUNT, -1), ...get(COUNT), BRANCH_IF, 0, END],
    [END, END],
  ].flat();
}

function moduleCode(): number[] {
  const bytes = kernelCode({
    queryShift: 1,
    readBytes: 16,
    first: loadBytes(VECTORS, 0),
    second: loadBytes(VECTORS, 8),
    kind: WHOLE,
    addLanes: ADD,
    store: STORE_WHOLE,
  });
  const floats = kernelCode({
    queryShift: 2,
    readBytes: 32,
    first: load(VECTORS, 0),
    second: load(VECTORS, 16),
    kind: FLOAT,
    addLanes: ADD_FLOAT,
    store: STORE_FLOAT,
  });
  return [
    [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    // A type of five whole numbers, the memory, two functions of the type, their names and codes.
    section(1, [1, 0x60, 5, I32, I32, I32, I32, I32, 0]),
    section(2, [1, ...name('m'), ...name('m'), 0x02, 0, 0]),
    section(3, [2, 0, 0]),
    section(7, [2, ...name('bytes'), 0, 0, ...name('floats'), 0, 1]),
    section(10, [2, ...unsigned(bytes.length), ...bytes, ...unsigned(floats.length), ...floats]),
  ].flat();
}

function section(id: number, code: Code): Code {
  return [id, ...unsigned(code.length), ...code];
}

function name(text: string): Code {
  return [text.length, ...Buffer.from(text)];
}

/** LEB128. */
function unsigned(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...unsigned(value >>> 7)];
}

function signed(value: number): number[] {
  return value >= -64 && value < 64 ? [value & 127] : [(value & 127) | 128, ...signed(value >> 7)];
}
