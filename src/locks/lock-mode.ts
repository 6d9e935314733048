/** Lock modes and their conflicts (manual, section 13.3). A mode is one bit, so the modes of a holder are a bit set and a conflict check is one `&`. */

export const ROW_LOCK = { keyShare: 1, share: 2, noKeyUpdate: 4, update: 8 } as const;

export const TABLE_LOCK = {
  accessShare: 1,
  rowShare: 2,
  rowExclusive: 4,
  shareUpdateExclusive: 8,
  share: 16,
  shareRowExclusive: 32,
  exclusive: 64,
  accessExclusive: 128,
} as const;

export const ADVISORY_LOCK = { share: 1, exclusive: 2 } as const;

export type LockKind = 'row' | 'table' | 'advisory';

const T = TABLE_LOCK;
const TABLE_CONFLICTS: readonly (readonly [mode: number, conflicts: number])[] = [
  [T.accessShare, T.accessExclusive],
  [T.rowShare, T.exclusive | T.accessExclusive],
  [T.rowExclusive, T.share | T.shareRowExclusive | T.exclusive | T.accessExclusive],
  [T.shareUpdateExclusive, T.shareUpdateExclusive | T.share | T.shareRowExclusive | T.exclusive | T.accessExclusive],
  [T.share, T.rowExclusive | T.shareUpdateExclusive | T.shareRowExclusive | T.exclusive | T.accessExclusive],
  [T.shareRowExclusive, T.rowExclusive | T.shareUpdateExclusive | T.share | T.shareRowExclusive | T.exclusive | T.accessExclusive],
  [T.exclusive, 255 & ~T.accessShare],
  [T.accessExclusive, 255],
];

function byMode(pairs: readonly (readonly [number, number])[]): readonly number[] {
  const out = new Array<number>(129).fill(0);
  for (const [mode, conflicts] of pairs) out[mode] = conflicts;
  return out;
}

/** By mode: the modes of other owners that conflict with it. */
export const CONFLICTS: Readonly<Record<LockKind, readonly number[]>> = {
  row: byMode([
    [ROW_LOCK.keyShare, 8],
    [ROW_LOCK.share, 4 | 8],
    [ROW_LOCK.noKeyUpdate, 2 | 4 | 8],
    [ROW_LOCK.update, 1 | 2 | 4 | 8],
  ]),
  table: byMode(TABLE_CONFLICTS),
  advisory: byMode([
    [ADVISORY_LOCK.share, 2],
    [ADVISORY_LOCK.exclusive, 1 | 2],
  ]),
};

/** Whether `held` includes `mode`. Row modes are a ladder: each conflicts with everything that the weaker ones conflict with. */
export function covers(kind: LockKind, held: number, mode: number): boolean {
  return kind === 'row' ? held >= mode : (held & mode) !== 0;
}

const TABLE_NAMES = new Map<number, string>([
  [T.accessShare, 'AccessShareLock'],
  [T.rowShare, 'RowShareLock'],
  [T.rowExclusive, 'RowExclusiveLock'],
  [T.shareUpdateExclusive, 'ShareUpdateExclusiveLock'],
  [T.share, 'ShareLock'],
  [T.shareRowExclusive, 'ShareRowExclusiveLock'],
  [T.exclusive, 'ExclusiveLock'],
  [T.accessExclusive, 'AccessExclusiveLock'],
]);

/** Name in pg_locks. Waiting for a row is waiting for the end of its holder's transaction. */
export function modeName(kind: LockKind, mode: number): string {
  if (kind === 'row') return 'ShareLock';
  if (kind === 'advisory') return mode === ADVISORY_LOCK.share ? 'ShareLock' : 'ExclusiveLock';
  return TABLE_NAMES.get(mode)!;
}
