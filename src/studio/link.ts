/**
 * The database as the console reaches it: in this process, or through the socket of the process that has the folder open. Both run the same
 * operations with the same rights.
 */
import type { RunControl } from '../commands/contract.ts';
import type { AnyOperation } from '../operations/define-operation.ts';

/** As whom operations are called: the database's own user, or a role of SQL. */
export type Who = { readonly kind: 'owner' } | { readonly kind: 'role'; readonly name: string };

export interface Caller {
  /** The input has been checked against the operation's schema. */
  call(operation: AnyOperation, input: unknown, control?: RunControl): Promise<unknown>;
}

export interface StudioLink {
  /** 28P01 if the role is gone, 28000 if it may not log in. */
  as(who: Who): Promise<Caller>;
  close(): Promise<void>;
}
