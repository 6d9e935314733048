/** What all sessions of a database share: its worlds, the library of functions, plans, sequences. */
import type { AllCommands } from '../../commands/contract.ts';
import type { Principal } from '../../session/principal.ts';
import type { Context } from '../../worlds/context.ts';
import type { ParsedStatement } from '../parse/parse.ts';
import type { SpillFile } from '../exec/context.ts';
import type { Registry } from '../functions/registry.ts';
import type { Backends } from './backends.ts';
import type { Channels } from './channels.ts';
import type { ExportedSnapshots } from './exported-snapshots.ts';
import type { KnownShape } from './general-statement.ts';
import type { TextCache } from '../../base/text-cache.ts';
import type { TypeLookup } from '../schema/type-lookup.ts';
import type { SequenceAllocator } from '../schema/sequence-values.ts';

/** Since the database was opened. */
export interface StatementTotals {
  statements: number;
  statement_errors: number;
}

export interface SqlHost {
  readonly context: Context;
  /** Commands of worlds, as the principal may call them. */
  commandsOf(principal: Principal): AllCommands;
  readonly registry: Registry;
  readonly lookup: TypeLookup;
  readonly allocator: SequenceAllocator;
  readonly workMemBytes: number;
  /** What a statement may hold in memory; left out: a quarter of the heap. */
  readonly statementBytes?: number;
  readonly spill: (() => SpillFile) | null;
  readonly statements: TextCache<readonly ParsedStatement[]>;
  /** Of texts that functions made. */
  readonly dynamic: TextCache<readonly ParsedStatement[]>;
  /** Of statements that come again with other literals. */
  readonly shapes: TextCache<KnownShape>;
  readonly channels: Channels;
  readonly snapshots: ExportedSnapshots;
  readonly backends: Backends;
  /** What SHOW METRICS tells. */
  metrics(): Promise<readonly { readonly name: string; readonly value: number }[]>;
  readonly totals: StatementTotals;
  /** The highest number that a transaction was given. */
  lastTransaction: number;
}
