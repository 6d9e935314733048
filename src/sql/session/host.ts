/** What all sessions of a database share: its worlds, the library of functions, plans, sequences. */
import type { AllCommands } from '../../commands/contract.ts';
import type { Principal } from '../../session/principal.ts';
import type { Context } from '../../worlds/context.ts';
import type { ParsedStatement } from '../parse/parse.ts';
import type { SpillFile } from '../exec/context.ts';
import type { Registry } from '../functions/registry.ts';
import type { Channels } from './channels.ts';
import type { TypeLookup } from '../schema/type-lookup.ts';
import type { RetryLine } from './retry-line.ts';
import type { SequenceAllocator } from '../schema/sequence-values.ts';

export interface SqlHost {
  readonly context: Context;
  /** Commands of worlds, as the principal may call them. */
  commandsOf(principal: Principal): AllCommands;
  readonly registry: Registry;
  readonly lookup: TypeLookup;
  readonly allocator: SequenceAllocator;
  readonly workMemBytes: number;
  readonly spill: (() => SpillFile) | null;
  readonly retries: RetryLine;
  readonly statements: TextCache<readonly ParsedStatement[]>;
  readonly channels: Channels;
}

/** Texts that come again, newest kept. */
export class TextCache<T> {
  readonly #entries = new Map<string, T>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  get(text: string): T | undefined {
    return this.#entries.get(text);
  }

  set(text: string, value: T): void {
    // Long texts are scripts: they do not come again.
    if (text.length > 20_000) return;
    if (this.#entries.size >= this.#max) {
      let drop = this.#max >> 2;
      for (const key of this.#entries.keys()) {
        if (drop-- === 0) break;
        this.#entries.delete(key);
      }
    }
    this.#entries.set(text, value);
  }
}
