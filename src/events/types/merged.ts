/**
 * `branch` was merged into the envelope's world. If it stays, `baseChanges` are the changes of its base, so that merged rows are
 * not merged again.
 *
 * Version 4 says how the common base moves. Events of versions 1 to 3 were planned over the branch's fork point.
 */
import type { WorldNumber } from '../../base/brands.ts';
import { ByteReader, type ByteWriter } from '../../base/bytes.ts';
import type { Built } from '../built.ts';
import { changesInParts, readChanges, type TreeChanges, versionOfChanges, writeChanges } from '../changes.ts';
import { defineEvent } from '../define-event.ts';

export interface Merged {
  type: 'merged';
  branch: WorldNumber;
  stays: boolean;
  /** `changes` are exactly what the branch changed: nothing was left out, picked, supplied or derived. */
  whole: boolean;
  /** No row changed on both sides: the branch's indexes then differ from the base's by its own rows alone. */
  disjoint: boolean;
  changes: TreeChanges[];
  baseChanges: TreeChanges[];
  /** The merged state, if built before the merge was decided; not stored. */
  built?: Built;
  /**
   * How the common base moves: `all`, to the branch's state; `part`, by `baseChanges`. Missing in events of earlier releases,
   * which always merged over the branch's fork point and moved only that.
   */
  common?: 'all' | 'part';
  /** The branch's read set is added to the target's: the target is not `main`. */
  carries: boolean;
  /** How the merge of an agent's world was approved; null for other worlds. */
  passage: Passage | null;
}

/** `rules`: by the policy's rules; `none`: the agent has no policy; `approved`: by a reviewer; `person`: merged by a person, who has no policy. */
export interface Passage {
  policy: string | null;
  approvedBy: 'rules' | 'none' | 'approved' | 'person';
  rows: number;
  deletes: number;
}

/** `PASSAGE`: the passage follows at the end; `COMMON`: the common base moves; `COMMON_ALL`: to the branch's whole state. */
const FLAG = { STAYS: 1, WHOLE: 2, DISJOINT: 4, PASSAGE: 8, CARRIES: 16, COMMON: 32, COMMON_ALL: 64 } as const;

const COMMON_VERSION = 4;

export const merged = defineEvent<Merged>({
  type: 'merged',
  number: 5,
  versions: { latest: COMMON_VERSION, of: ({ common, changes }) => (common === undefined ? versionOfChanges(changes) : COMMON_VERSION) },
  encode(out, event) {
    writeHead(out, event);
    writeChanges(out, event.changes);
    writeChanges(out, event.baseChanges);
    if (event.passage !== null) out.text(passageText(event.passage));
  },
  decode(from) {
    const branch = from.varint() as WorldNumber;
    const flags = from.u8();
    return {
      type: 'merged',
      branch,
      stays: (flags & FLAG.STAYS) !== 0,
      whole: (flags & FLAG.WHOLE) !== 0,
      disjoint: (flags & FLAG.DISJOINT) !== 0,
      changes: readChanges(from),
      baseChanges: readChanges(from),
      ...((flags & FLAG.COMMON) === 0 ? {} : { common: (flags & FLAG.COMMON_ALL) !== 0 ? ('all' as const) : ('part' as const) }),
      carries: (flags & FLAG.CARRIES) !== 0,
      passage: (flags & FLAG.PASSAGE) !== 0 ? passageFrom(from.text()) : null,
    };
  },
});

/** The payload in parts; in place of trees that are encoded already, their changes. */
export function mergedInParts(out: ByteWriter, event: Merged, isEncoded: (changes: TreeChanges) => boolean): (Uint8Array | TreeChanges)[] {
  out.reset();
  writeHead(out, event);
  const parts = changesInParts(out, event.changes, isEncoded);
  out.reset();
  parts.push(...changesInParts(out, event.baseChanges, isEncoded));
  if (event.passage === null) return parts;
  out.reset();
  out.text(passageText(event.passage));
  parts.push(out.finish());
  return parts;
}

/** Reads the event without its rows; `shared`: the target takes over the branch's state, and the branch stays. */
export function mergedBranch(payload: Uint8Array): { branch: WorldNumber; stays: boolean; shared: boolean } {
  const from = new ByteReader(payload);
  const branch = from.varint() as WorldNumber;
  const flags = from.u8();
  const stays = (flags & FLAG.STAYS) !== 0;
  return { branch, stays, shared: stays && (flags & FLAG.COMMON) !== 0 };
}

function writeHead(out: ByteWriter, event: Merged): void {
  out.varint(event.branch);
  out.u8(
    (event.stays ? FLAG.STAYS : 0) |
      (event.whole ? FLAG.WHOLE : 0) |
      (event.disjoint ? FLAG.DISJOINT : 0) |
      (event.passage !== null ? FLAG.PASSAGE : 0) |
      (event.carries ? FLAG.CARRIES : 0) |
      (event.common === undefined ? 0 : event.common === 'all' ? FLAG.COMMON | FLAG.COMMON_ALL : FLAG.COMMON),
  );
}

/** The log calls `approvedBy` `way`. */
function passageText({ policy, approvedBy, rows, deletes }: Passage): string {
  return JSON.stringify({ policy, way: approvedBy, rows, deletes });
}

function passageFrom(text: string): Passage {
  const { way, ...rest } = JSON.parse(text) as Omit<Passage, 'approvedBy'> & { way: Passage['approvedBy'] };
  return { ...rest, approvedBy: way };
}
