/**
 * The definition of an event type: its number in the log, its versions, and how its payload is written and read.
 *
 * Numbers and versions are part of the format (docs/formats/events.md) and never reused. A changed meaning is a new version:
 * `decode` gets the version of the record and gives the latest shape. Encoding is on the path of every commit: `encode` writes
 * into a buffer that all events share, and a definition is made once.
 */
import type { ByteReader, ByteWriter } from '../base/bytes.ts';
import { readChanges, type TreeChanges, versionOfChanges, writeChanges } from './changes.ts';

export interface EventVersions<E> {
  /** The newest that this release reads. */
  readonly latest: number;
  /** The version for an event's record: the oldest that can hold it. */
  of(event: E): number;
}

export interface EventType<E extends { type: string }> {
  readonly type: E['type'];
  readonly number: number;
  readonly versions: EventVersions<E>;
  encode(out: ByteWriter, event: E): void;
  /** The payload may be of any version from 1 to the latest. */
  decode(from: ByteReader, version: number): E;
}

/** Of types that have had one version only. */
const FIRST: EventVersions<unknown> = { latest: 1, of: () => 1 };

/** Of types whose versions are those of their row changes. */
export const VERSIONS_OF_CHANGES: EventVersions<{ changes: readonly TreeChanges[] }> = { latest: 3, of: ({ changes }) => versionOfChanges(changes) };

type Definition<E extends { type: string }> = Omit<EventType<E>, 'versions'> & { readonly versions?: EventVersions<E> };

export function defineEvent<E extends { type: string }>({ type, number, versions = FIRST, encode, decode }: Definition<E>): EventType<E> {
  return { type, number, versions, encode, decode };
}

/** An event without a payload. */
export function bareEvent<E extends { type: string }>(type: E['type'], number: number): EventType<E> {
  return defineEvent<E>({ type, number, encode: () => {}, decode: () => ({ type }) as E });
}

/** A rare event, whose payload is its fields as one JSON text. */
export function jsonEvent<E extends { type: string }>(type: E['type'], number: number): EventType<E> {
  return defineEvent<E>({
    type,
    number,
    encode(out, { type: _type, ...fields }) {
      out.text(JSON.stringify(fields));
    },
    decode: (from) => ({ type, ...(JSON.parse(from.text()) as Omit<E, 'type'>) }) as E,
  });
}

/** An event of nothing but row changes. */
export function changesEvent<E extends { type: string; changes: TreeChanges[] }>(type: E['type'], number: number): EventType<E> {
  return defineEvent<E>({
    type,
    number,
    versions: VERSIONS_OF_CHANGES,
    encode: (out, { changes }) => writeChanges(out, changes),
    decode: (from) => ({ type, changes: readChanges(from) }) as E,
  });
}
