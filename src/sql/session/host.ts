/** What all sessions of a database share: its worlds, the function library, plans, sequences. */
import type { AllCommands, Table } from '../../commands/contract.ts';
import type { Principal } from '../../session/principal.ts';
import type { LastChanges } from '../../worlds/last-changes.ts';
import type { Context } from '../../worlds/context.ts';
import type { Search } from '../../worlds/search.ts';
import type { ParsedStatement } from '../parse/parse.ts';
import type { SpillFile } from '../exec/context.ts';
import type { Registry } from '../functions/registry.ts';
import type { Columns } from './statement-columns.ts';
import type { Backends } from './backends.ts';
import type { Channels } from './channels.ts';
import type { ExportedSnapshots } from './exported-snapshots.ts';
import type { KnownShape } from './generic-statement.ts';
import type { Durations } from '../../base/durations.ts';
import type { TextCache } from '../../base/text-cache.ts';
import type { TypeLookup } from '../schema/type-lookup.ts';
import type { StatementStatistics } from './statement-statistics.ts';
import type { TransactionNumbers } from './transaction-numbers.ts';
import type { WorldActivity } from './world-activity.ts';
import type { SequenceAllocator } from '../schema/sequence-values.ts';

/** Since the database was opened. */
export interface StatementTotals {
  statements: number;
  statement_errors: number;
}

export interface SqlHost {
  readonly context: Context;
  /** The commands of worlds, bound to the principal. */
  commandsOf(principal: Principal): AllCommands;
  /** Columns of statements that the operation answers, in a form of it. */
  resultColumns(operation: Table['name'], form?: string): Columns;
  readonly registry: Registry;
  readonly lookup: TypeLookup;
  readonly search: Search;
  readonly allocator: SequenceAllocator;
  readonly workMemBytes: number;
  /** The memory limit of a statement; absent: a quarter of the heap. */
  readonly statementBytes?: number;
  readonly spill: (() => SpillFile) | null;
  readonly statements: TextCache<readonly ParsedStatement[]>;
  /** Statements of texts that functions build and EXECUTE. */
  readonly dynamic: TextCache<readonly ParsedStatement[]>;
  /** Shapes of statements that differ only in their literals. */
  readonly shapes: TextCache<KnownShape>;
  readonly channels: Channels;
  readonly snapshots: ExportedSnapshots;
  readonly backends: Backends;
  readonly activity: WorldActivity;
  readonly statistics: StatementStatistics;
  /** The rows of SHOW METRICS. */
  metrics(): Promise<readonly { readonly name: string; readonly value: number }[]>;
  readonly totals: StatementTotals;
  /** Times of statements. */
  readonly times: Durations;
  readonly numbers: TransactionNumbers;
  readonly lastChanges: LastChanges;
}
