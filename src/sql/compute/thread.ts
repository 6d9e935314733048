/** A thread that runs long calls sequentially. It has the library but no database. */
import { getHeapStatistics } from 'node:v8';
import { parentPort } from 'node:worker_threads';
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Call } from '../functions/define.ts';
import { LIBRARY } from '../library/library.ts';
import { longFunctions } from '../library/long-functions.ts';
import { ArrayValue } from '../types/array-value.ts';
import { BOOL } from '../types/bool.ts';
import type { Environment } from '../types/environment.ts';
import type { Value } from '../types/value.ts';
import { joined } from './argument-parts.ts';
import { sent } from './call-codec.ts';
import {
  AHEAD_MAX,
  type Answer,
  type Asked,
  CALL,
  GIVEN,
  HEAP_MB,
  type Hole,
  LIST_STEP,
  NODES_STEP,
  PARSE,
  STATE,
  type Surroundings,
  TAKEN,
} from './messages.ts';

parentPort!.on('message', async (asked: Asked) => {
  try {
    if (Atomics.compareExchange(asked.words, STATE, CALL.waiting, CALL.begun) !== CALL.waiting) return;
    if (asked.key === PARSE) await parseText(asked);
    else answer(asked);
  } catch (error) {
    give(asked, { type: 'error', error: partsOf(error) });
  } finally {
    asked.port.close();
  }
});

function answer(asked: Asked): void {
  const fn = longFunctions().get(asked.key);
  if (fn === undefined) throw new SvcError('XX000', `no function ${asked.key}`);
  const args = asked.args.map(joined);
  const { surroundings } = asked;
  const call = surroundings === null ? [] : [callIn(surroundings)];
  const result = (fn.impl as (...all: unknown[]) => Value | Iterable<Value>)(...call, ...args);
  if ('kind' in fn && fn.kind === 'set') {
    giveList(asked, result as Iterable<Value>);
    give(asked, { type: 'value', value: null, list: true, array: false });
  } else if (result instanceof ArrayValue && result.lengths.length <= 1 && (result.lowers[0] ?? 1) === 1) {
    giveList(asked, result.elements);
    give(asked, { type: 'value', value: null, list: false, array: true });
  } else give(asked, { type: 'value', value: sent(result as Value), list: false, array: false });
}

function giveList(asked: Asked, list: Iterable<Value>): void {
  let values: ReturnType<typeof sent>[] = [];
  for (const value of list) {
    values.push(sent(value));
    if (values.length < LIST_STEP) continue;
    give(asked, { type: 'list', values });
    values = [];
  }
  if (values.length > 0) give(asked, { type: 'list', values });
}

/** Only threads that parse load the grammar. */
async function parseText(asked: Asked): Promise<void> {
  const { parse } = await import('../parse/parse.ts');
  const tree = { statements: parse(joined(asked.args[0]) as string) };
  const lists: unknown[][] = [];
  takeLists(tree, lists);
  lists.forEach((nodes, list) => {
    for (let from = 0; from < nodes.length; from += NODES_STEP) give(asked, { type: 'nodes', list, nodes: nodes.slice(from, from + NODES_STEP) });
  });
  give(asked, { type: 'parsed', statements: tree });
}

/** Fills the placeholders of long lists. */
function takeLists(root: object, lists: unknown[][]): void {
  const stack: object[] = [root];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    for (const [key, value] of Object.entries(node)) {
      if (typeof value !== 'object' || value === null) continue;
      if (Array.isArray(value) && value.length > NODES_STEP) {
        (node as Record<string, unknown>)[key] = { hole: lists.length } satisfies Hole;
        lists.push(value);
      } else stack.push(value as object);
    }
  }
}

function give({ port, words }: Asked, made: Answer): void {
  for (let taken = Atomics.load(words, TAKEN); Atomics.load(words, GIVEN) - taken >= AHEAD_MAX; taken = Atomics.load(words, TAKEN))
    Atomics.wait(words, TAKEN, taken);
  if (made.type !== 'list' && made.type !== 'nodes') Atomics.store(words, HEAP_MB, getHeapStatistics().total_heap_size >> 20);
  port.postMessage(made);
  Atomics.add(words, GIVEN, 1);
  Atomics.notify(words, GIVEN);
}

function callIn({ plain, settings, types }: Surroundings): Call {
  const env = { ...plain, setting: (name: string) => settings[name] ?? null };
  return {
    env: env as unknown as Environment,
    argTypes: types?.args.map((name) => LIBRARY.type(name)) ?? [],
    returnType: types === null ? BOOL : LIBRARY.type(types.returns),
  };
}

function partsOf(error: unknown): (Answer & { type: 'error' })['error'] {
  if (error instanceof SvcError) {
    const { code, message, detail, hint, position } = error;
    return {
      code,
      message,
      parts: { ...(detail === undefined ? {} : { detail }), ...(hint === undefined ? {} : { hint }), ...(position === undefined ? {} : { position }) },
    };
  }
  if (error instanceof RangeError) {
    return /call stack/.test(error.message)
      ? { code: '54001', message: 'stack depth limit exceeded', parts: {} }
      : { code: '54000', message: 'the value is too large', parts: { detail: error.message } };
  }
  return { code: 'XX000', message: error instanceof Error ? error.message : String(error), parts: {} };
}
