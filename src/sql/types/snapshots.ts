/** pg_snapshot and txid_snapshot: `xmin:xmax:xip,xip`, stored as text. Manual, section 9.26.10. */
import { SvcError } from '../../base/errors/svc-error.ts';
import { makeType } from './make-type.ts';
import type { SqlType } from './type.ts';

export interface Snapshot {
  readonly xmin: bigint;
  readonly xmax: bigint;
  /** In order, without duplicates. */
  readonly running: readonly bigint[];
}

const TEXT = /^(\d{1,20}):(\d{1,20}):(\d{1,20}(?:,\d{1,20})*)?$/;

/** null if it is invalid: numbers are above 0, in order, and those in progress lie between the two. */
export function readSnapshot(text: string): Snapshot | null {
  const found = TEXT.exec(text);
  if (found === null) return null;
  const [xmin, xmax] = [BigInt(found[1]), BigInt(found[2])];
  if (xmin === 0n || xmax === 0n || xmin > xmax) return null;
  const running: bigint[] = [];
  let last = 0n;
  for (const each of found[3]?.split(',') ?? []) {
    const id = BigInt(each);
    if (id < xmin || id >= xmax || id < last) return null;
    if (id !== last) running.push(id);
    last = id;
  }
  return { xmin, xmax, running };
}

function snapshotType(name: string, oid: number, arrayOid: number): SqlType {
  return makeType({
    oid,
    name,
    title: name,
    category: 'U',
    length: -1,
    repr: 'string',
    arrayOid,
    ordered: false,
    hashable: false,
    parse: (text) => {
      const snapshot = readSnapshot(text);
      if (snapshot === null) throw new SvcError('22P02', `invalid input syntax for type pg_snapshot: "${text}"`);
      return `${snapshot.xmin}:${snapshot.xmax}:${snapshot.running.join()}`;
    },
    format: String,
  });
}

export const PG_SNAPSHOT: SqlType = snapshotType('pg_snapshot', 5038, 5039);
export const TXID_SNAPSHOT: SqlType = snapshotType('txid_snapshot', 2970, 2949);
