/** Transaction ids and snapshots (manual, section 9.26.10). */
import { SvcError } from '../../../base/errors/svc-error.ts';
import { readSnapshot, type Snapshot } from '../../types/snapshots.ts';
import type { Value, Whole } from '../../types/value.ts';
import { whole } from '../../types/value.ts';
import type { Call, FunctionModule, ScalarFunction, SetFunction } from '../define.ts';
import { systemOf } from './session-of.ts';

function plain(name: string, args: readonly string[], returns: string, doc: string, impl: ScalarFunction['impl']): ScalarFunction {
  return { kind: 'scalar', name, args, returns, doc, impl };
}

function asking(
  name: string,
  args: readonly string[],
  returns: string,
  doc: string,
  impl: ScalarFunction['impl'],
  volatility: 'stable' | 'volatile',
): ScalarFunction {
  return { kind: 'scalar', name, args, returns, doc, volatility, needsCall: true, impl };
}

function snapshotOf(text: string): Snapshot {
  return readSnapshot(text)!;
}

function sees(id: Whole, text: string): boolean {
  const { xmin, xmax, running } = snapshotOf(text);
  const own = BigInt(id);
  return own < xmin || (own < xmax && !running.includes(own));
}

function current(call: Call): string {
  const system = systemOf(call);
  const own = BigInt(system.assignedTransactionId() ?? 0);
  const newest = BigInt(system.newestTransactionId());
  const next = own === newest ? own : newest + 1n;
  const others = system
    .runningTransactions()
    .map(BigInt)
    .filter((id) => id !== own && id < next);
  const least = [...others, ...(own > 0n ? [own] : []), next].reduce((a, b) => (b < a ? b : a));
  return `${least}:${next}:${others.join()}`;
}

/** The first two ids are permanent; 0 is no transaction. */
function status(call: Call, id: Whole): string | null {
  const system = systemOf(call);
  const next = BigInt(system.newestTransactionId()) + 1n;
  const asked = BigInt.asUintN(64, BigInt(id));
  if (asked > next) throw new SvcError('22023', `transaction ID ${asked} is in the future`);
  if (asked === 0n) return null;
  if (asked === next || system.runningTransactions().some((each) => BigInt(each) === asked)) return 'in progress';
  return system.wasRolledBack(asked) ? 'aborted' : 'committed';
}

/** Distance of a 32-bit id; those below 3 are always in the past. */
function age(call: Call, id: number): number {
  if (id < 3) return 2147483647;
  return Number(BigInt.asIntN(32, BigInt(systemOf(call).nextTransactionId()) - BigInt(id)));
}

const running = (name: string, type: string, returns: string): SetFunction => ({
  kind: 'set',
  name,
  args: [type],
  returns,
  doc: 'Transactions that ran when the snapshot was taken.',
  impl: (text: string): Value[] => snapshotOf(text).running.map(whole),
});

const MIN = 'The first transaction that still ran.';
const MAX = 'The first transaction that had not begun.';
const CURRENT = 'What the transaction sees.';
const VISIBLE = 'Whether the transaction had ended when the snapshot was taken.';
const STATUS = 'What became of a transaction.';

export const transactionFunctions: FunctionModule = {
  functions: [
    asking('pg_current_snapshot', [], 'pg_snapshot', CURRENT, current, 'stable'),
    asking('txid_current_snapshot', [], 'txid_snapshot', CURRENT, current, 'stable'),
    plain('pg_snapshot_xmin', ['pg_snapshot'], 'xid8', MIN, (text: string) => whole(snapshotOf(text).xmin)),
    plain('pg_snapshot_xmax', ['pg_snapshot'], 'xid8', MAX, (text: string) => whole(snapshotOf(text).xmax)),
    plain('txid_snapshot_xmin', ['txid_snapshot'], 'int8', MIN, (text: string) => whole(snapshotOf(text).xmin)),
    plain('txid_snapshot_xmax', ['txid_snapshot'], 'int8', MAX, (text: string) => whole(snapshotOf(text).xmax)),
    running('pg_snapshot_xip', 'pg_snapshot', 'xid8'),
    running('txid_snapshot_xip', 'txid_snapshot', 'int8'),
    plain('pg_visible_in_snapshot', ['xid8', 'pg_snapshot'], 'bool', VISIBLE, sees),
    plain('txid_visible_in_snapshot', ['int8', 'txid_snapshot'], 'bool', VISIBLE, sees),
    asking('pg_xact_status', ['xid8'], 'text', STATUS, status, 'volatile'),
    asking('txid_status', ['int8'], 'text', STATUS, status, 'volatile'),
    asking('age', ['xid'], 'int4', 'How many transactions lie between.', age, 'stable'),
    asking('mxid_age', ['xid'], 'int4', 'How many transactions lie between.', age, 'stable'),
    asking(
      'pg_xact_commit_timestamp',
      ['xid'],
      'timestamptz',
      'Refused, as where commits’ times are not tracked.',
      () => {
        throw new SvcError('55000', 'could not get commit timestamp data', { hint: 'Make sure the configuration parameter "track_commit_timestamp" is set.' });
      },
      'volatile',
    ),
  ],
};
