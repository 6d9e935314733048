/** A super-root: the whole database at one moment, as one page and where the log goes on from it. */
import type { Micros, Sequence } from '../base/brands.ts';
import type { LogPosition } from '../log/log-store.ts';
import type { PageStore } from '../storage/page-store.ts';

export interface SuperRoot {
  /** Covers every event up to this one. */
  sequence: Sequence;
  at: Micros;
  page: number;
  /** SHA-256 of the page, hex; it commits to every page below. */
  hash: string;
  /** Where the next event starts in the log. */
  next: LogPosition;
  nextPage: number;
  /** Payload bytes of all events so far: the distance between two super-roots is what a replay costs. */
  work: number;
  /** Projection name → version; another set means a rebuild. */
  versions: Record<string, number>;
  /** Identity of the log it was folded from. */
  folder: string;
}

const PREFIX = 'super/';

export function superRootSetting(root: SuperRoot): { name: string; value: Uint8Array } {
  return { name: settingName(root.sequence), value: Buffer.from(JSON.stringify(root)) };
}

export function settingName(sequence: number): string {
  return `${PREFIX}${String(sequence).padStart(16, '0')}`;
}

/** Oldest first. */
export function readSuperRoots(store: PageStore): SuperRoot[] {
  return store.settings(PREFIX).map(([, value]) => JSON.parse(Buffer.from(value).toString()) as SuperRoot);
}
