/** Answers one JSON-RPC message without a session, for HTTP: a request gets its response, anything else nothing. */
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { type JSONRPCMessage, type JSONRPCRequest, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';
import { modelServer } from './model-server.ts';
import type { ModelSession } from './tool.ts';

export type Answer =
  /** The response to a request. */
  | { readonly kind: 'response'; readonly body: unknown }
  /** A notification or a response: accepted without a reply. */
  | { readonly kind: 'taken' }
  | { readonly kind: 'refused'; readonly body: unknown };

class OneMessage implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly answered: Promise<JSONRPCMessage | null>;
  #answer!: (message: JSONRPCMessage | null) => void;

  constructor() {
    this.answered = new Promise((resolve) => (this.#answer = resolve));
  }

  async start(): Promise<void> {}

  /** Without a stream, other messages such as progress are dropped. */
  async send(message: JSONRPCMessage): Promise<void> {
    if (!('method' in message)) this.#answer(message);
  }

  /** The client has disconnected: cancels the running statement, without an answer. */
  abandon({ id }: JSONRPCRequest): void {
    this.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
    this.#answer(null);
  }

  async close(): Promise<void> {}
}

export async function answerMessage(session: ModelSession, version: string, value: unknown, gone?: AbortSignal): Promise<Answer> {
  if (Array.isArray(value)) return refused(null, -32600, 'batches are not supported: send one message a request');
  const message = JSONRPCMessageSchema.safeParse(value);
  if (!message.success) {
    const id = (value as { id?: unknown } | null)?.id;
    return refused(typeof id === 'string' || typeof id === 'number' ? id : null, -32600, 'not a JSON-RPC 2.0 message');
  }
  const { data } = message;
  if (!('method' in data) || !('id' in data)) return { kind: 'taken' };
  const transport = new OneMessage();
  const server = modelServer(session, version);
  await server.connect(transport);
  transport.onmessage?.(data);
  gone?.addEventListener('abort', () => transport.abandon(data));
  const body = await transport.answered;
  await server.close();
  return body === null ? { kind: 'taken' } : { kind: 'response', body };
}

export function refused(id: string | number | null, code: number, message: string): Answer {
  return { kind: 'refused', body: { jsonrpc: '2.0', id, error: { code, message } } };
}
