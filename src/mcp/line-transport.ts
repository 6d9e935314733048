/**
 * MCP over lines of text: one JSON-RPC message a line, blank ones skipped. What is no message is answered here, because
 * the library drops it: -32700 for what is not JSON, -32600 for batches and what is too long.
 */
import type { Readable, Writable } from 'node:stream';
import { LIMITS } from '../base/limits.ts';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { type JSONRPCMessage, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';

const MESSAGE_BYTES_MAX = LIMITS.modelMessageBytesMax;

export class LineTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly #input: Readable;
  readonly #output: Writable;
  #parts: Buffer[] = [];
  #bytes = 0;
  /** The line at hand is too long: what is left of it is dropped. */
  #dropping = false;

  constructor(input: Readable, output: Writable) {
    this.#input = input;
    this.#output = output;
  }

  async start(): Promise<void> {
    this.#input.on('data', (chunk: Buffer) => this.#take(chunk));
    this.#input.on('end', () => {
      if (this.#bytes > 0) this.#line();
      this.onclose?.();
    });
    this.#input.on('error', (error) => this.onerror?.(error));
    this.#output.on('error', () => this.onclose?.());
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
    const text = Buffer.concat(this.#parts).toString('utf8').trim();
    const tooLong = this.#dropping;
    this.#parts = [];
    this.#bytes = 0;
    this.#dropping = false;
    if (tooLong) return this.#refuse(null, -32600, `a message has at most ${MESSAGE_BYTES_MAX} bytes`);
    if (text === '') return;
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return this.#refuse(null, -32700, 'not JSON');
    }
    if (Array.isArray(value)) return this.#refuse(null, -32600, 'batches are not supported: send one message a line');
    const message = JSONRPCMessageSchema.safeParse(value);
    if (message.success) return this.onmessage?.(message.data);
    const id = (value as { id?: unknown } | null)?.id;
    if (id !== undefined) this.#refuse(typeof id === 'string' || typeof id === 'number' ? id : null, -32600, 'not a JSON-RPC 2.0 message');
  }

  #refuse(id: string | number | null, code: number, message: string): void {
    this.#output.write(`${JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })}\n`);
  }

  send(message: JSONRPCMessage): Promise<void> {
    return new Promise((resolve) => {
      if (this.#output.write(`${JSON.stringify(message)}\n`)) resolve();
      else this.#output.once('drain', resolve);
    });
  }

  async close(): Promise<void> {
    this.#input.removeAllListeners('data');
    this.onclose?.();
  }
}
