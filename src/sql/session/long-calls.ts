/** Long calls of a session's statements: a thread runs the call, and the session polls for the result. */
import { SvcError } from '../../base/errors/svc-error.ts';
import { Computing } from '../compute/threads.ts';
import type { Surroundings } from '../compute/messages.ts';
import type { LongCall } from '../exec/context.ts';
import type { Call } from '../functions/define.ts';
import { LIBRARY } from '../library/library.ts';
import { longFunctions } from '../library/long-functions.ts';
import { ArrayValue } from '../types/array-value.ts';
import { RecordValue } from '../types/record-value.ts';
import type { Environment } from '../types/environment.ts';
import type { SqlType } from '../types/type.ts';
import type { Value } from '../types/value.ts';

/** Polling interval of a session. */
const REST_MS = 1;
/** The longest call that may block the loop where the statement cannot yield: in functions called by a query, in checks and defaults. */
const BLOCKED_MS_MAX = 1000;
/** Text search objects from here on are user-defined, and unknown to threads. */
const OWN_OID_MIN = 16_384;
/** Settings that functions on threads read. */
const SETTINGS = ['default_text_search_config', ...['', 'word_', 'strict_word_'].map((kind) => `pg_trgm.${kind}similarity_threshold`)];

export class LongCalls {
  /** Turns of the event loop between steps of statements. */
  #turns = 0;
  #waiting = 0;

  /** null if it has to run on this thread. */
  begin(key: string, call: Call | null, args: readonly Value[]): LongCall | null {
    const fn = longFunctions().get(key);
    if (fn === undefined || args.some(hasRecords)) return null;
    const surroundings = call === null ? null : surroundingsOf(call);
    // Polymorphic functions need the argument types.
    if (surroundings?.types === null && key.includes('any')) return null;
    if (call !== null && /tsvector|tsquery|headline/.test(key) && usesOwnSearch(key, call.env, args)) return null;
    const computing = new Computing(key, !('kind' in fn && fn.kind === 'set'), args, surroundings);
    this.#waiting++;
    let turns = -1;
    let blockedMs = 0;
    return {
      next: () => {
        // The loop has not run since the last poll: the caller cannot yield.
        if (turns === this.#turns) {
          const begun = performance.now();
          computing.block(REST_MS);
          blockedMs += performance.now() - begun;
          if (blockedMs > BLOCKED_MS_MAX) throw tooLong(key);
        } else blockedMs = 0;
        turns = this.#turns;
        return computing.next();
      },
      close: () => {
        this.#waiting--;
        computing.close();
      },
    };
  }

  /** What a session waits for between two steps, besides a turn of the loop; null if no call is running. */
  rest(): Promise<void> | null {
    this.#turns++;
    return this.#waiting === 0 ? null : new Promise((resolve) => setTimeout(resolve, REST_MS));
  }
}

function tooLong(key: string): SvcError {
  return new SvcError('54001', `${key.slice(0, key.indexOf('('))} takes too long inside a function, a check or a default`, {
    detail: `Other clients wait meanwhile, so it may take ${BLOCKED_MS_MAX} ms.`,
    hint: 'Call it in a statement of its own, or with smaller values.',
  });
}

function usesOwnSearch(key: string, env: Environment, [first]: readonly Value[]): boolean {
  if (key.includes('(regconfig')) return Number(first) >= OWN_OID_MIN;
  const name = env.setting('default_text_search_config');
  return name !== null && name !== undefined && !name.startsWith('pg_catalog.');
}

/** Rows cannot be sent between threads, since their types belong to a world. */
function hasRecords(value: Value): boolean {
  return value instanceof RecordValue || (value instanceof ArrayValue && value.elements.find((element) => element !== null) instanceof RecordValue);
}

function namesOf({ argTypes, returnType }: Call): Surroundings['types'] {
  if (![...argTypes, returnType].every(isOfLibrary)) return null;
  return { args: argTypes.map(({ name }) => name), returns: returnType.name };
}

function isOfLibrary(type: SqlType): boolean {
  try {
    return LIBRARY.type(type.name) === type;
  } catch {
    return false;
  }
}

function surroundingsOf(call: Call): Surroundings {
  const { env } = call;
  const plain: Record<string, unknown> = {};
  for (const name of PLAIN) plain[name] = env[name];
  const settings: Record<string, string> = {};
  for (const name of SETTINGS) {
    const value = env.setting(name);
    if (value !== null && value !== undefined) settings[name] = value;
  }
  return { plain, settings, types: namesOf(call) };
}

const PLAIN = [
  'timeZone',
  'dateStyle',
  'dateOrder',
  'intervalStyle',
  'extraFloatDigits',
  'byteaOutput',
  'arrayNulls',
  'quotesAll',
  'transactionStart',
  'statementStart',
] as const satisfies readonly (keyof Environment)[];
