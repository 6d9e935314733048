/** A super-root: the whole database at one moment, as one page and where the log goes on from it. */
import type { Micros, Sequence } from '../base/brands.ts';
import type { LogPosition } from '../log/log-store.ts';
import { CacheDamage, type PageStore } from '../storage/page-store.ts';

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
  /**
   * Made in the middle of a replay that left out worlds which end up to this event: only a log that reaches so far goes on from it, nothing
   * else is made of it, and the next whole super-root replaces it.
   */
  foreseen?: Sequence;
}

const PREFIX = 'super/';
/** Beside the versions of projections, so that releases which know nothing of partial super-roots rebuild. */
const PARTIAL = 'partial';

/** The versions as they stand in a super-root. */
export function versionsIn(versions: Record<string, number>, partial: boolean): Record<string, number> {
  return partial ? { ...versions, [PARTIAL]: 1 } : versions;
}

/** Whether the log and this release can go on from it. */
export function isUsable(root: SuperRoot, versions: Record<string, number>, log: { folderId: string; first: number; head: number }): boolean {
  const wanted = JSON.stringify(Object.entries(versionsIn(versions, root.foreseen !== undefined)).sort());
  return (
    root.folder === log.folderId &&
    root.sequence >= log.first - 1 &&
    Math.max(root.sequence, root.foreseen ?? 0) <= log.head &&
    JSON.stringify(Object.entries(root.versions).sort()) === wanted
  );
}

export function superRootSetting(root: SuperRoot): { name: string; value: Uint8Array } {
  return { name: settingName(root.sequence), value: Buffer.from(JSON.stringify(root)) };
}

export function settingName(sequence: number): string {
  return `${PREFIX}${String(sequence).padStart(16, '0')}`;
}

/** Oldest first. */
export function readSuperRoots(store: PageStore): SuperRoot[] {
  return store.settings(PREFIX).map(([name, value]) => {
    try {
      return JSON.parse(Buffer.from(value).toString()) as SuperRoot;
    } catch (cause) {
      throw new CacheDamage(`the super-root ${name} cannot be read`, cause);
    }
  });
}
