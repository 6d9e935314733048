/** A super-root: the whole database at one moment, as one page and the log position after it. */
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
  /** Payload bytes of all events so far: the difference between two super-roots is the cost of a replay between them. */
  work: number;
  /** Projection name → version; a different set means a rebuild. */
  versions: Record<string, number>;
  /** Identity of the log that it was folded from. */
  folder: string;
  /**
   * Written during a replay that left out worlds that end by this event: it can only be continued with a log that reaches
   * that far, and the next whole super-root replaces it.
   */
  foreseen?: Sequence;
}

const PREFIX = 'super/';
/** Stored among the versions of projections, so that releases without partial super-roots rebuild. */
const PARTIAL = 'partial';

/** The versions as stored in a super-root. */
export function versionsIn(versions: Record<string, number>, partial: boolean): Record<string, number> {
  return partial ? { ...versions, [PARTIAL]: 1 } : versions;
}

/** Whether this release can continue from it with this log. */
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
