/** What operations run over: one database, put together once. */
import type { RunControl } from '../commands/run-control.ts';
import type { MergeGuard } from '../commands/merge-guard.ts';
import type { Governance } from '../governance/commands.ts';
import type { ExternalDatabase } from '../commands/attachment.ts';
import type { Principal } from '../session/principal.ts';
import type { Search } from '../worlds/search.ts';
import type { Context } from '../worlds/context.ts';
import type { BackupInput, BackupReply } from './backup.ts';
import type { ReplayInput, ReplayReply } from './replay.ts';
import type { SimulateInput, SimulateReply } from './simulate.ts';
import type { SqlInput, SqlReply } from '../commands/contract.ts';
import type { VerifyReply } from './verify.ts';

export interface Services {
  readonly context: Context;
  readonly guard: MergeGuard;
  readonly governance: Governance;
  readonly search: Search;
  readonly simulations: {
    simulate(input: SimulateInput, by: Principal, control: RunControl): Promise<SimulateReply>;
    replay(input: ReplayInput, by: Principal, control: RunControl): Promise<ReplayReply>;
  };
  readonly external: ExternalDatabase;
  sql(input: SqlInput, by: Principal): Promise<SqlReply>;
  verify(by: Principal, control: RunControl): Promise<VerifyReply>;
  backup(input: BackupInput, by: Principal, control: RunControl): Promise<BackupReply>;
  isClosed(): boolean;
  /** Counts a call that ended in conflicts. */
  onConflict(): void;
}
