/**
 * A page store that requests pages from another thread over a port and blocks until they arrive, because trees are read
 * synchronously. Read only; the other side is `PageSource`.
 */
import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import { SvcError } from '../base/errors/svc-error.ts';
import type { PageStore } from '../storage/page-store.ts';

/** Longer than any tick of the other thread's event loop: afterwards no answer will come. */
const ANSWER_MS_MAX = 60_000;

export interface PageRequest {
  readonly ids: readonly number[];
}
export interface PageAnswer {
  readonly pages: readonly (Uint8Array | undefined)[];
}

export class RemotePages implements PageStore {
  readonly kind = 'another thread';
  readonly #port: MessagePort;
  /** Signalled by the other side with each answer. */
  readonly #bell: Int32Array;

  constructor(port: MessagePort, bell: Int32Array) {
    this.#port = port;
    this.#bell = bell;
  }

  read(id: number): Uint8Array | undefined {
    return this.readMany([id])[0];
  }

  readMany(ids: readonly number[]): (Uint8Array | undefined)[] {
    const heard = Atomics.load(this.#bell, 0);
    this.#port.postMessage({ ids } satisfies PageRequest);
    for (;;) {
      const answer = receiveMessageOnPort(this.#port);
      if (answer !== undefined) return [...(answer.message as PageAnswer).pages];
      if (Atomics.wait(this.#bell, 0, heard, ANSWER_MS_MAX) === 'timed-out') throw new SvcError('58030', 'the pages of the base world were not given in time');
    }
  }

  write(): void {
    throw new SvcError('XX000', 'pages of another thread are only read');
  }
  ids(): number[] {
    return [];
  }
  setting(): undefined {
    return undefined;
  }
  settings(): [] {
    return [];
  }
  reopen(): Promise<void> {
    return Promise.resolve();
  }
  renew(): Promise<void> {
    return Promise.resolve();
  }
  close(): Promise<void> {
    return Promise.resolve();
  }
}
