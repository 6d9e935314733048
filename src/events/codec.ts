/** Event ⇄ payload of a log record. The numbers are part of the format: they are never reused. */
import type { Micros, Sequence, WorldNumber } from '../base/brands.ts';
import { ByteReader, ByteWriter } from '../base/bytes.ts';
import { SvcError } from '../base/errors/svc-error.ts';
import type { AgentState } from './agent.ts';
import { ColumnChanges } from './column-changes.ts';
import { NewRows } from './new-rows.ts';
import { changesInParts, readChanges, type TreeChanges, writeChanges } from './changes.ts';
import type { Committed, Event, EffectHandled, MergeHeld, Merged, Meta, ReadsRecorded, Passage, Recipe, Refused, Reviewed, PolicyChanged } from './event.ts';

export const EVENT_TYPES = {
  opened: 1,
  closed: 2,
  committed: 3,
  forked: 4,
  merged: 5,
  undone: 6,
  rebased: 7,
  discarded: 8,
  metaChanged: 9,
  confirmed: 10,
  checkpointed: 11,
  sealed: 12,
  trimmed: 13,
  swept: 14,
  agentChanged: 15,
  agentDropped: 16,
  configured: 17,
  kept: 18,
  rolesChanged: 20,
  policyChanged: 30,
  mergeHeld: 31,
  reviewed: 32,
  refused: 33,
  effectHandled: 34,
  readsRecorded: 35,
  simulated: 40,
  worldKept: 41,
  simulationKept: 42,
  simulationDropped: 43,
} as const satisfies { [T in Event['type']]: number };

export const EVENT_VERSION = 1;
/** Version of events whose changes include leaves of new rows. */
const LEAVES_VERSION = 2;
/** … columns of changed rows. */
const COLUMNS_VERSION = 3;
/** … and of merges that record how they move the common base. */
const COMMON_VERSION = 4;

/** Version for the event's record. */
export function versionOf(event: Event): number {
  if (!('changes' in event)) return EVENT_VERSION;
  if (event.type === 'merged' && event.common !== undefined) return COMMON_VERSION;
  let version = EVENT_VERSION;
  for (const changes of event.changes) {
    if (changes instanceof ColumnChanges) return COLUMNS_VERSION;
    if (changes instanceof NewRows) version = LEAVES_VERSION;
  }
  return version;
}
/** Flags of a merge. */
const STAYS = 1;
const WHOLE = 2;
const DISJOINT = 4;
/** The passage follows at the end. */
const PASSAGE = 8;
const CARRIES = 16;
/** It moves the common base; and to the branch's whole state. */
const COMMON = 32;
const COMMON_ALL = 64;

const HOW: Committed['how'][] = ['write', 'commit', 'restore'];

const shared = new ByteWriter(64 * 1024);

/** The payload, a view that is valid until the next call. */
export function encodeEvent(event: Event): Uint8Array {
  const out = shared;
  out.reset();
  switch (event.type) {
    case 'opened':
      out.text(event.release);
      if (event.lost !== undefined) {
        out.u8((event.first === true ? OPENED_FIRST : 0) | OPENED_LOST);
        out.varint(event.lost.from);
        out.varint(event.lost.to);
      } else if (event.first === true) out.u8(OPENED_FIRST);
      break;
    case 'committed':
      out.u8(HOW.indexOf(event.how));
      writeChanges(out, event.changes);
      break;
    case 'forked':
      out.text(event.name);
      out.varint(event.parent);
      out.u8(event.owner === null ? 0 : 1);
      if (event.owner !== null) out.text(event.owner);
      out.text(JSON.stringify(event.meta));
      writeChanges(out, event.changes);
      break;
    case 'merged':
      writeMergedHead(out, event);
      writeChanges(out, event.changes);
      writeChanges(out, event.baseChanges);
      if (event.passage !== null) out.text(passageText(event.passage));
      break;
    case 'undone':
      out.varint(event.branch);
      out.varint(event.merge);
      writeChanges(out, event.changes);
      writeChanges(out, event.baseChanges);
      break;
    case 'rebased':
    case 'rolesChanged':
      writeChanges(out, event.changes);
      break;
    case 'metaChanged':
      out.text(JSON.stringify(event.meta));
      break;
    case 'checkpointed':
      out.text(event.name);
      break;
    case 'sealed':
      out.varint(event.covers);
      out.text(event.root);
      out.text(event.treeHead);
      break;
    case 'trimmed':
      out.varint(event.through);
      out.varint(event.at);
      out.varint(event.gone.length);
      for (const number of event.gone) out.varint(number);
      break;
    case 'swept':
      out.varint(event.through);
      out.varint(event.at);
      out.varint(event.from.world);
      out.varint(event.from.sequence);
      // No world has the number 0.
      out.varint(event.to?.world ?? 0);
      out.varint(event.to?.sequence ?? 0);
      out.varint(event.gone.length);
      for (const number of event.gone) out.varint(number);
      break;
    case 'agentChanged':
      out.text(JSON.stringify(event.agent));
      break;
    case 'agentDropped':
      out.text(event.name);
      break;
    case 'configured':
      out.text(event.name);
      out.u8(event.value === null ? 0 : 1);
      if (event.value !== null) out.text(event.value);
      break;
    case 'kept':
      out.u8(event.pinned ? 1 : 0);
      // 0: none, as a time to live of 0 is not valid.
      out.varint(event.ttl ?? 0);
      break;
    case 'simulated':
      out.text(JSON.stringify(event.recipe));
      writeChanges(out, event.changes);
      break;
    case 'worldKept':
      out.varint(event.run);
      out.varint(event.base);
      out.u8(event.owner === null ? 0 : 1);
      if (event.owner !== null) out.text(event.owner);
      out.varint(event.index);
      out.f64(event.score);
      writeChanges(out, event.changes);
      break;
    case 'simulationKept':
      out.varint(event.run);
      out.varint(event.count);
      break;
    case 'simulationDropped':
      out.varint(event.run);
      out.u8(event.last ? 1 : 0);
      out.varint(event.worlds.length);
      for (const number of event.worlds) out.varint(number);
      break;
    case 'policyChanged':
    case 'mergeHeld':
    case 'reviewed':
    case 'refused':
    case 'effectHandled':
    case 'readsRecorded': {
      const { type: _type, ...said } = event;
      out.text(JSON.stringify(said));
      break;
    }
    case 'closed':
    case 'discarded':
    case 'confirmed':
      break;
  }
  return out.view();
}

function writeMergedHead(out: ByteWriter, event: Merged): void {
  out.varint(event.branch);
  out.u8(
    (event.stays ? STAYS : 0) |
      (event.whole ? WHOLE : 0) |
      (event.disjoint ? DISJOINT : 0) |
      (event.passage !== null ? PASSAGE : 0) |
      (event.carries ? CARRIES : 0) |
      (event.common === undefined ? 0 : event.common === 'all' ? COMMON | COMMON_ALL : COMMON),
  );
}

/** The payload of a commit or a merge in parts; for trees already encoded, their changes. */
export function encodedInParts(event: Committed | Merged, isEncoded: (changes: TreeChanges) => boolean): (Uint8Array | TreeChanges)[] {
  shared.reset();
  if (event.type === 'committed') {
    shared.u8(HOW.indexOf(event.how));
    return changesInParts(shared, event.changes, isEncoded);
  }
  writeMergedHead(shared, event);
  const parts = changesInParts(shared, event.changes, isEncoded);
  shared.reset();
  parts.push(...changesInParts(shared, event.baseChanges, isEncoded));
  if (event.passage === null) return parts;
  shared.reset();
  shared.text(passageText(event.passage));
  parts.push(shared.finish());
  return parts;
}

/** The log calls `approvedBy` `way`. */
function passageText({ policy, approvedBy, rows, deletes }: Passage): string {
  return JSON.stringify({ policy, way: approvedBy, rows, deletes });
}

function passageFrom(text: string): Passage {
  const { way, ...rest } = JSON.parse(text) as Omit<Passage, 'approvedBy'> & { way: Passage['approvedBy'] };
  return { ...rest, approvedBy: way };
}

/** Reads a `merged` event without its rows; `shared`: the target takes over the branch's state, and the branch stays. */
export function mergedBranch(payload: Uint8Array): { branch: WorldNumber; stays: boolean; shared: boolean } {
  const from = new ByteReader(payload);
  const branch = from.varint() as WorldNumber;
  const flags = from.u8();
  const stays = (flags & STAYS) !== 0;
  return { branch, stays, shared: stays && (flags & COMMON) !== 0 };
}

/** Reads a `forked` event without its rows. */
export function forkedParent(payload: Uint8Array): WorldNumber {
  const from = new ByteReader(payload);
  from.text();
  return from.varint() as WorldNumber;
}

const OPENED_FIRST = 1;
const OPENED_LOST = 2;

function openedFrom(from: ByteReader): Event {
  const release = from.text();
  const flags = from.done ? 0 : from.u8();
  const first = (flags & OPENED_FIRST) === 0 ? {} : { first: true as const };
  return { type: 'opened', release, ...first, ...((flags & OPENED_LOST) === 0 ? {} : { lost: { from: from.varint(), to: from.varint() } }) };
}

export function decodeEvent(type: number, version: number, payload: Uint8Array): Event {
  const latest = type === EVENT_TYPES.merged ? COMMON_VERSION : COLUMNS_VERSION;
  if (version < EVENT_VERSION || version > latest) {
    throw new SvcError('XX001', `the log holds an event of type ${type} in version ${version}, this release reads versions ${EVENT_VERSION} to ${latest}`, {
      hint: 'Open the folder with the release that wrote it, or a later one.',
    });
  }
  const from = new ByteReader(payload);
  switch (type) {
    case EVENT_TYPES.opened:
      return openedFrom(from);
    case EVENT_TYPES.closed:
      return { type: 'closed' };
    case EVENT_TYPES.committed:
      return { type: 'committed', how: HOW[from.u8()], changes: readChanges(from) };
    case EVENT_TYPES.forked:
      return {
        type: 'forked',
        name: from.text(),
        parent: from.varint() as WorldNumber,
        owner: from.u8() === 1 ? from.text() : null,
        meta: JSON.parse(from.text()) as Meta,
        changes: readChanges(from),
      };
    case EVENT_TYPES.merged: {
      const branch = from.varint() as WorldNumber;
      const flags = from.u8();
      return {
        type: 'merged',
        branch,
        stays: (flags & STAYS) !== 0,
        whole: (flags & WHOLE) !== 0,
        disjoint: (flags & DISJOINT) !== 0,
        changes: readChanges(from),
        baseChanges: readChanges(from),
        ...((flags & COMMON) === 0 ? {} : { common: (flags & COMMON_ALL) !== 0 ? ('all' as const) : ('part' as const) }),
        carries: (flags & CARRIES) !== 0,
        passage: (flags & PASSAGE) !== 0 ? passageFrom(from.text()) : null,
      };
    }
    case EVENT_TYPES.undone:
      return {
        type: 'undone',
        branch: from.varint() as WorldNumber,
        merge: from.varint() as Sequence,
        changes: readChanges(from),
        baseChanges: readChanges(from),
      };
    case EVENT_TYPES.rebased:
      return { type: 'rebased', changes: readChanges(from) };
    case EVENT_TYPES.rolesChanged:
      return { type: 'rolesChanged', changes: readChanges(from) };
    case EVENT_TYPES.discarded:
      return { type: 'discarded' };
    case EVENT_TYPES.metaChanged:
      return { type: 'metaChanged', meta: JSON.parse(from.text()) as Meta };
    case EVENT_TYPES.confirmed:
      return { type: 'confirmed' };
    case EVENT_TYPES.checkpointed:
      return { type: 'checkpointed', name: from.text() };
    case EVENT_TYPES.sealed:
      return { type: 'sealed', covers: from.varint() as Sequence, root: from.text(), treeHead: from.text() };
    case EVENT_TYPES.trimmed: {
      const through = from.varint() as Sequence;
      const at = from.varint() as Micros;
      return { type: 'trimmed', through, at, gone: Array.from({ length: from.varint() }, () => from.varint()) };
    }
    case EVENT_TYPES.swept: {
      const through = from.varint() as Sequence;
      const at = from.varint() as Micros;
      const begin = { world: from.varint(), sequence: from.varint() };
      const end = { world: from.varint(), sequence: from.varint() };
      const gone = Array.from({ length: from.varint() }, () => from.varint());
      return { type: 'swept', through, at, from: begin, to: end.world === 0 ? null : end, gone };
    }
    case EVENT_TYPES.agentChanged:
      return { type: 'agentChanged', agent: JSON.parse(from.text()) as AgentState };
    case EVENT_TYPES.agentDropped:
      return { type: 'agentDropped', name: from.text() };
    case EVENT_TYPES.configured:
      return { type: 'configured', name: from.text(), value: from.u8() === 1 ? from.text() : null };
    case EVENT_TYPES.kept: {
      const pinned = from.u8() === 1;
      const ttl = from.varint();
      return { type: 'kept', pinned, ttl: ttl === 0 ? null : ttl };
    }
    case EVENT_TYPES.simulated:
      return {
        type: 'simulated',
        recipe: JSON.parse(from.text()) as Recipe,
        changes: readChanges(from),
      };
    case EVENT_TYPES.worldKept:
      return {
        type: 'worldKept',
        run: from.varint() as Sequence,
        base: from.varint() as WorldNumber,
        owner: from.u8() === 1 ? from.text() : null,
        index: from.varint(),
        score: from.f64(),
        changes: readChanges(from),
      };
    case EVENT_TYPES.simulationKept:
      return { type: 'simulationKept', run: from.varint() as Sequence, count: from.varint() };
    case EVENT_TYPES.simulationDropped: {
      const run = from.varint() as Sequence;
      const last = from.u8() === 1;
      return { type: 'simulationDropped', run, last, worlds: Array.from({ length: from.varint() }, () => from.varint() as WorldNumber) };
    }
    case EVENT_TYPES.policyChanged:
      return { type: 'policyChanged', ...(JSON.parse(from.text()) as Omit<PolicyChanged, 'type'>) };
    case EVENT_TYPES.mergeHeld:
      return { type: 'mergeHeld', ...(JSON.parse(from.text()) as Omit<MergeHeld, 'type'>) };
    case EVENT_TYPES.reviewed:
      return { type: 'reviewed', ...(JSON.parse(from.text()) as Omit<Reviewed, 'type'>) };
    case EVENT_TYPES.refused:
      return { type: 'refused', ...(JSON.parse(from.text()) as Omit<Refused, 'type'>) };
    case EVENT_TYPES.effectHandled:
      return { type: 'effectHandled', ...(JSON.parse(from.text()) as Omit<EffectHandled, 'type'>) };
    case EVENT_TYPES.readsRecorded:
      return { type: 'readsRecorded', ...(JSON.parse(from.text()) as Omit<ReadsRecorded, 'type'>) };
    default:
      throw new SvcError('XX001', `the log holds an event of unknown type ${type}`, { hint: 'A later release wrote this folder; open it with that one.' });
  }
}
