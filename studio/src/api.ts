/** Calls of operations. Numbers that a double cannot hold stay as they were written, in both directions. */
import { exactJsonText, parseExactJson } from '../../src/base/exact-json.ts';

export class CallError extends Error {
  readonly status: number;
  readonly code: string;
  readonly hint: string;
  readonly data: Record<string, unknown>;

  constructor(status: number, error: Record<string, unknown>) {
    super(typeof error['message'] === 'string' ? error['message'] : 'the server did not say why');
    this.status = status;
    this.code = String(error['code'] ?? '');
    this.hint = typeof error['hint'] === 'string' ? error['hint'] : '';
    this.data = error;
  }

  /** What was seen is not what is there now. */
  get isStale(): boolean {
    return this.code === '40001';
  }
}

const KEY = 'svc-key';

/** The key in the address is taken out of it, so that neither history nor a bookmark keeps it. A reload of the tab finds it again. */
export function takeKey(): void {
  const found = /^#key=([0-9a-f]{64})$/.exec(location.hash);
  if (found === null) return;
  sessionStorage.setItem(KEY, found[1]!);
  history.replaceState(null, '', `${location.pathname}#/`);
}

export interface Control {
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
  /** No person asked for it: it does not keep a session alive. */
  readonly background?: boolean;
}

/** Called when the session is over, or the key is not the server's any more. */
export const onSignedOut: { call: () => void } = { call: () => {} };

/** What to do about a change whose answer did not come. */
const UNKNOWN = 'It may have been done all the same: look before you repeat it.';

function stopped(): CallError {
  return new CallError(0, { code: '57014', message: 'stopped' });
}

/** The connection ended within an answer. */
function cutOff(signal: AbortSignal | undefined): CallError {
  return signal?.aborted === true
    ? stopped()
    : new CallError(0, { code: '08007', message: 'the connection was cut before the answer was there', hint: UNKNOWN });
}

async function post(path: string, body: object, { signal, onProgress, background }: Control = {}): Promise<Response> {
  const key = sessionStorage.getItem(KEY);
  const request = {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...(key === null ? {} : { 'X-Svc-Key': key }),
      ...(background === true ? { 'X-Svc-Background': '1' } : {}),
      ...(onProgress === undefined ? {} : { Accept: 'application/x-ndjson' }),
    },
    body: exactJsonText(body),
    signal: signal ?? null,
  };
  try {
    return await fetch(path, request);
  } catch (error) {
    if (signal?.aborted === true) throw stopped();
    throw new CallError(0, { code: '08006', message: 'the server cannot be reached', hint: `Is svc studio still running? (${(error as Error).message})` });
  }
}

async function answerOf<T>(response: Response, signal: AbortSignal | undefined): Promise<T> {
  const text = await response.text().catch(() => {
    throw cutOff(signal);
  });
  let body: unknown = null;
  try {
    body = parseExactJson(text);
  } catch {
    // Not the console's answer.
  }
  if (response.ok) return body as T;
  throw failure(response.status, body);
}

function failure(status: number, body: unknown): CallError {
  const error = (body as { error?: Record<string, unknown> } | null)?.error ?? { message: `the server answered ${status}` };
  const made = new CallError(status, error);
  if (status === 401) onSignedOut.call();
  return made;
}

export async function api<T>(name: string, body: object = {}, control: Control = {}): Promise<T> {
  return answerOf<T>(await post(`/api/${name}`, body, control), control.signal);
}

/** Calls an operation of the database. */
export async function op<T>(name: string, input: object = {}, control: Control = {}): Promise<T> {
  const response = await post(`/op/${name}`, input, control).catch((error: CallError) => {
    // A person began it: whether it was done is not known.
    throw control.onProgress === undefined || error.code !== '08006' ? error : new CallError(0, { ...error.data, hint: `${error.hint} ${UNKNOWN}` });
  });
  if (control.onProgress === undefined || !response.ok) return answerOf<T>(response, control.signal);
  return lines<T>(response, control.onProgress, control.signal);
}

async function lines<T>(response: Response, onProgress: NonNullable<Control['onProgress']>, signal: AbortSignal | undefined): Promise<T> {
  const reader = response.body!.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  let last = '';
  for (;;) {
    let part: ReadableStreamReadResult<Uint8Array>;
    try {
      part = await reader.read();
    } catch {
      throw cutOff(signal);
    }
    if (part.done) break;
    rest += decoder.decode(part.value, { stream: true });
    let at: number;
    while ((at = rest.indexOf('\n')) >= 0) {
      last = rest.slice(0, at);
      rest = rest.slice(at + 1);
      if (!last.startsWith('{"progress":')) continue;
      const { progress } = JSON.parse(last) as { progress: { done: number; total: number } };
      onProgress(progress.done, progress.total);
    }
  }
  let answer: { result?: T; error?: Record<string, unknown>; status?: number };
  try {
    answer = parseExactJson(rest === '' ? last : rest) as typeof answer;
  } catch {
    throw cutOff(signal);
  }
  if (!('result' in answer) && answer.error === undefined) throw cutOff(signal);
  if (answer.error !== undefined) throw failure(answer.status ?? 500, answer);
  return answer.result as T;
}
