/**
 * MCP over lines: one JSON-RPC message per line, blank lines skipped. Invalid messages are answered here, because the library
 * drops them: -32700 for invalid JSON or UTF-8, -32600 for batches and overlong lines.
 *
 * At the end of input, running requests are answered before the transport closes, so that `… | svc mcp` gets its replies.
 */
import type { Readable, Writable } from 'node:stream';
import { parseMessage } from '../base/model-message.ts';
import { LIMITS } from '../base/limits.ts';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { type JSONRPCMessage, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';

const MESSAGE_BYTES_MAX = LIMITS.modelMessageBytesMax;
/** A client with more unanswered requests than this is not read until some are answered. */
const RUNNING_MAX = 64;

export class LineTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #utf8 = new TextDecoder('utf-8', { fatal: true });
  #parts: Buffer[] = [];
  #bytes = 0;
  /** The current line is too long: its rest is dropped. */
  #dropping = false;
  /** Ids of unanswered requests. */
  readonly #running = new Set<string | number>();
  #ended = false;
  #closed = false;

  constructor(input: Readable, output: Writable) {
    this.#input = input;
    this.#output = output;
  }

  async start(): Promise<void> {
    this.#input.on('data', (chunk: Buffer) => this.#take(chunk));
    this.#input.on('end', () => {
      if (this.#bytes > 0) this.#line();
      this.#ended = true;
      this.#rest();
    });
    this.#input.on('error', (error) => {
      this.onerror?.(error);
      this.#close();
    });
    // The client no longer reads answers.
    this.#output.on('error', () => this.#close());
    this.#output.on('close', () => this.#close());
  }

  #close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.onclose?.();
  }

  /** After each answer: reads on, or closes after the last one. */
  #rest(): void {
    if (this.#ended && this.#running.size === 0) this.#close();
    else if (this.#input.isPaused() && this.#running.size < RUNNING_MAX && !this.#output.writableNeedDrain) this.#input.resume();
  }

  #take(chunk: Buffer): void {
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      this.#add(chunk.subarray(from, at));
      this.#line();
      from = at + 1;
    }
    this.#add(chunk.subarray(from));
  }

  #add(part: Buffer): void {
    if (part.length === 0 || this.#dropping) return;
    this.#bytes += part.length;
    if (this.#bytes > MESSAGE_BYTES_MAX) {
      this.#dropping = true;
      this.#parts = [];
      return;
    }
    this.#parts.push(part);
  }

  #line(): void {
    const bytes = this.#parts.length === 1 ? this.#parts[0] : Buffer.concat(this.#parts);
    const tooLong = this.#dropping;
    this.#parts = [];
    this.#bytes = 0;
    this.#dropping = false;
    if (tooLong) return this.#refuse(null, -32600, `a message has at most ${MESSAGE_BYTES_MAX} bytes`);
    let text: string;
    try {
      text = this.#utf8.decode(bytes).trim();
    } catch {
      return this.#refuse(null, -32700, 'not UTF-8');
    }
    if (text === '') return;
    let value: unknown;
    try {
      value = parseMessage(text);
    } catch {
      return this.#refuse(null, -32700, 'not JSON');
    }
    if (Array.isArray(value)) return this.#refuse(null, -32600, 'batches are not supported: send one message a line');
    const message = JSONRPCMessageSchema.safeParse(value);
    if (message.success) return this.#deliver(message.data);
    const id = (value as { id?: unknown } | null)?.id;
    if (id !== undefined || typeof value !== 'object' || value === null) {
      this.#refuse(typeof id === 'string' || typeof id === 'number' ? id : null, -32600, 'not a JSON-RPC 2.0 message');
    }
  }

  #deliver(message: JSONRPCMessage): void {
    if ('method' in message && 'id' in message) {
      this.#running.add(message.id);
      if (this.#running.size >= RUNNING_MAX) this.#input.pause();
    }
    this.onmessage?.(message);
    if ('method' in message && message.method === 'notifications/cancelled') {
      // A cancelled request gets no answer.
      const id = (message.params as { requestId?: unknown } | undefined)?.requestId;
      if ((typeof id === 'string' || typeof id === 'number') && this.#running.delete(id)) this.#rest();
    }
  }

  #refuse(id: string | number | null, code: number, message: string): void {
    this.#write({ jsonrpc: '2.0', id, error: { code, message } });
  }

  #write(message: unknown): void {
    if (this.#closed) return;
    if (this.#output.write(`${JSON.stringify(message)}\n`)) return;
    this.#input.pause();
    this.#output.once('drain', () => this.#rest());
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#write(message);
    if ('method' in message || !('id' in message) || message.id === undefined) return;
    this.#running.delete(message.id);
    this.#rest();
  }

  async close(): Promise<void> {
    this.#input.removeAllListeners('data');
    this.#close();
  }
}
