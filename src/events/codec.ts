/** Event ⇄ payload of a log record, by the definitions of `table.ts`. */
import { assert } from '../base/assert.ts';
import { ByteReader, ByteWriter } from '../base/bytes.ts';
import { SvcError } from '../base/errors/svc-error.ts';
import type { TreeChanges } from './changes.ts';
import type { EventType } from './define-event.ts';
import type { Event } from './event.ts';
import { EVENTS } from './table.ts';
import { type Committed, committedInParts } from './types/committed.ts';
import { type Merged, mergedInParts } from './types/merged.ts';

const LIST: readonly EventType<Event>[] = EVENTS;

/** By the number of the type; undefined where there is none. */
const BY_NUMBER: (EventType<Event> | undefined)[] = Array.from({ length: Math.max(...LIST.map(({ number }) => number)) + 1 });
for (const definition of LIST) {
  assert(BY_NUMBER[definition.number] === undefined, `event number ${definition.number} is given once`);
  BY_NUMBER[definition.number] = definition;
}

const BY_TYPE = new Map(LIST.map((definition) => [definition.type, definition]));

/** The number of each type. */
export const EVENT_TYPES = Object.fromEntries(LIST.map(({ type, number }) => [type, number])) as { readonly [T in Event['type']]: number };

/** Version for the event's record. */
export function versionOf(event: Event): number {
  return definitionOf(event).versions.of(event);
}

const shared = new ByteWriter(64 * 1024);

/** The payload, a view that is valid until the next call. */
export function encodeEvent(event: Event): Uint8Array {
  shared.reset();
  definitionOf(event).encode(shared, event);
  return shared.view();
}

/** The payload of a commit or a merge in parts; for trees already encoded, their changes. */
export function encodedInParts(event: Committed | Merged, isEncoded: (changes: TreeChanges) => boolean): (Uint8Array | TreeChanges)[] {
  return event.type === 'committed' ? committedInParts(shared, event, isEncoded) : mergedInParts(shared, event, isEncoded);
}

export function decodeEvent(type: number, version: number, payload: Uint8Array): Event {
  const definition = BY_NUMBER[type];
  if (definition === undefined) {
    throw new SvcError('XX001', `the log holds an event of unknown type ${type}`, { hint: 'A later release wrote this folder; open it with that one.' });
  }
  const { latest } = definition.versions;
  if (version < 1 || version > latest) {
    const readable = latest === 1 ? 'version 1' : `versions 1 to ${latest}`;
    throw new SvcError('XX001', `the log holds an event of type ${type} in version ${version}, this release reads ${readable}`, {
      hint: 'Open the folder with the release that wrote it, or a later one.',
    });
  }
  return definition.decode(new ByteReader(payload), version);
}

function definitionOf(event: Event): EventType<Event> {
  return BY_TYPE.get(event.type)!;
}
