/**
 * The threads that run long calls and parse long texts. A cancelled call ends its thread. An idle thread ends after a minute, or at
 * once if its heap has grown large, and does not keep the process alive.
 *
 *     arguments built, large ones in slices
 *        │
 *     compute ─ a thread is free? ─ no: in line
 *        │ asked                          │
 *        ▼                                ▼
 *     thread ─ answers ─► port ─► next() of the caller, between turns of the event loop
 */
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { LIMITS } from '../../base/limits.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import type { LongCall } from '../exec/context.ts';
import { valueBytes } from '../exec/spill-codec.ts';
import { ArrayValue } from '../types/array-value.ts';
import type { Value } from '../types/value.ts';
import { type Argument, argumentsInParts, isLarge } from './argument-parts.ts';
import { received, sent, type Sent } from './call-codec.ts';
import { type Answer, type Asked, CALL, GIVEN, HEAP_MB, PARSE, STATE, type Surroundings, TAKEN, WORDS } from './messages.ts';

/** Threads of functions share the cores through the operating system: a call of hours does not block short ones. */
const THREADS_MAX = Math.max(4, Math.min(8, availableParallelism()));
/** In addition to those of functions, so that texts are parsed independently. */
const PARSING_MAX = 2;
const IDLE_MS = 60_000;
/** A slice of building arguments. */
const MAKE_MS = 2;
/** A thread with a larger heap ends to release its memory. */
const KEPT_HEAP_MB = 128;

class ComputeThread {
  readonly #worker: Worker;
  /** The reason why it ended. */
  failure: SvcError | null = null;
  #timer: NodeJS.Timeout | null = null;

  constructor() {
    this.#worker = new Worker(entry(), { name: 'svc compute', execArgv: [], resourceLimits: { maxOldGenerationSizeMb: LIMITS.computeHeapMb } });
    this.#worker.on('error', (error: NodeJS.ErrnoException) => {
      this.failure ??=
        error.code === 'ERR_WORKER_OUT_OF_MEMORY'
          ? new SvcError('53200', 'out of memory', {
              detail: `A function needs more than ${LIMITS.computeHeapMb} MB.`,
              hint: 'Call it with smaller values.',
              cause: error,
            })
          : new SvcError('XX000', `a thread of functions failed: ${error.message}`, { cause: error });
    });
    this.#worker.on('exit', () => {
      this.failure ??= new SvcError('XX000', 'a thread of functions ended');
    });
    this.#worker.unref();
  }

  ask(asked: Asked, moved: readonly ArrayBuffer[]): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#worker.postMessage(asked, [asked.port, ...moved]);
  }

  rest(): void {
    this.#timer = setTimeout(() => {
      idle.splice(idle.indexOf(this), 1);
      this.end();
    }, IDLE_MS);
    this.#timer.unref();
  }

  end(): void {
    this.failure ??= new SvcError('XX000', 'a thread of functions ended');
    void this.#worker.terminate();
  }
}

const idle: ComputeThread[] = [];
const line: Computing[] = [];
let busy = 0;

function rested(thread: ComputeThread): void {
  idle.push(thread);
  thread.rest();
}

/** Assigns threads to queued calls. */
function serve(): void {
  for (let next = nextInLine(); next !== undefined; next = nextInLine()) {
    busy++;
    next.begin(idle.pop() ?? new ComputeThread());
  }
}

function nextInLine(): Computing | undefined {
  if (busy < THREADS_MAX) return line.shift();
  if (busy >= THREADS_MAX + PARSING_MAX) return undefined;
  const at = line.findIndex((each) => each.parses);
  return at < 0 ? undefined : line.splice(at, 1)[0];
}

export class Computing implements LongCall {
  readonly #key: string;
  readonly #surroundings: Surroundings | null;
  readonly #words = new Int32Array(new SharedArrayBuffer(4 * WORDS));
  readonly #port: MessagePort;
  readonly #threadPort: MessagePort;
  /** Arguments that are not encoded yet. */
  #making: Generator<void, Argument[]> | null;
  readonly #moved: ArrayBuffer[] = [];
  #args: readonly Argument[] = [];
  #thread: ComputeThread | null = null;
  #over = false;
  /** Elements of an array that is being received. */
  #elements: Value[] = [];
  #bytes = 0;
  readonly #isArray: boolean;

  /** `isArray`: received lists are elements of the resulting array. */
  constructor(key: string, isArray: boolean, args: readonly Value[], surroundings: Surroundings | null) {
    this.#isArray = isArray;
    const { port1, port2 } = new MessageChannel();
    this.#key = key;
    this.#surroundings = surroundings;
    this.#port = port1;
    this.#threadPort = port2;
    port1.unref();
    this.#making = args.some(isLarge) ? argumentsInParts(args, this.#moved) : null;
    if (this.#making === null) {
      this.#args = args.map(sent);
      this.#wait();
    }
  }

  get parses(): boolean {
    return this.#key === PARSE;
  }

  #wait(): void {
    line.push(this);
    serve();
  }

  begin(thread: ComputeThread): void {
    this.#thread = thread;
    const asked: Asked = { key: this.#key, args: this.#args, surroundings: this.#surroundings, port: this.#threadPort, words: this.#words };
    thread.ask(asked, this.#moved);
    this.#args = [];
    this.#moved.length = 0;
  }

  /** A slice of encoding. */
  #make(): void {
    const endMs = performance.now() + MAKE_MS;
    do {
      const made = this.#making!.next();
      if (made.done !== true) continue;
      this.#making = null;
      this.#args = made.value;
      this.#wait();
      return;
    } while (performance.now() < endMs);
  }

  /** The next answer; null if there is none yet. */
  answer(): Answer | null {
    if (this.#making !== null) {
      this.#make();
      return null;
    }
    const thread = this.#thread;
    if (thread === null) return null;
    const message = receiveMessageOnPort(this.#port);
    if (message === undefined) {
      if (thread.failure !== null) throw thread.failure;
      return null;
    }
    const words = this.#words;
    Atomics.add(words, TAKEN, 1);
    Atomics.notify(words, TAKEN);
    const answer = message.message as Answer;
    if (answer.type === 'parsed') this.#over = true;
    if (answer.type !== 'error') return answer;
    this.#over = true;
    const { code, message: text, parts } = answer.error;
    throw new SvcError(code, text, parts);
  }

  next(): ReturnType<LongCall['next']> {
    const answer = this.answer();
    if (answer === null) return null;
    switch (answer.type) {
      case 'list':
        return this.#listed(answer.values);
      case 'value': {
        this.#over = true;
        if (answer.array) return { done: true, value: new ArrayValue(this.#elements), list: null };
        return { done: true, value: received(answer.value) as Value, list: answer.list ? [] : null };
      }
      default:
        throw new SvcError('XX000', `a thread of functions answered ${answer.type}`);
    }
  }

  #listed(values: readonly Sent[]): ReturnType<LongCall['next']> {
    const list = values.map((value) => received(value) as Value);
    if (!this.#isArray) return { done: false, value: null, list };
    for (const value of list) {
      this.#bytes += valueBytes(value);
      this.#elements.push(value);
    }
    if (this.#bytes > LIMITS.arrayBytesMax) {
      throw new SvcError('53200', 'out of memory', {
        detail: `The elements of an array take more than ${LIMITS.arrayBytesMax / (1 << 20)} MB.`,
        hint: 'Let a set-returning function give them as rows.',
      });
    }
    return { done: false, value: null, list: null };
  }

  /** Waits without letting the event loop run, for callers that cannot yield. */
  block(ms: number): void {
    if (this.#making !== null) return;
    const words = this.#words;
    const given = Atomics.load(words, GIVEN);
    if (given === Atomics.load(words, TAKEN)) Atomics.wait(words, GIVEN, given, ms);
  }

  close(): void {
    this.#port.close();
    const thread = this.#thread;
    if (thread === null) {
      const at = line.indexOf(this);
      if (at >= 0) line.splice(at, 1);
      return;
    }
    this.#thread = null;
    busy--;
    const dropped = Atomics.compareExchange(this.#words, STATE, CALL.waiting, CALL.dropped) === CALL.waiting;
    const small = Atomics.load(this.#words, HEAP_MB) <= KEPT_HEAP_MB;
    if (((this.#over && small) || dropped) && thread.failure === null) rested(thread);
    else {
      thread.end();
      // Starting one takes some tenths of a second, so one is kept ready for the next long call.
      if (idle.length === 0) rested(new ComputeThread());
    }
    serve();
  }
}

/** Threads run the built files, even if this file is run from source. */
function entry(): URL {
  const bundled = new URL('./compute.js', import.meta.url);
  if (existsSync(fileURLToPath(bundled))) return bundled;
  const built = new URL('./thread.js', import.meta.url);
  return existsSync(fileURLToPath(built)) ? built : new URL('../../../dist/src/sql/compute/thread.js', import.meta.url);
}
