/**
 * The interface between the engine and the disk: all file calls that the log makes. One implementation uses Node's files; the
 * simulation's loses unsynced bytes, writes short and fails. Writes and reads are synchronous (a buffered write costs 2 µs);
 * only syncs are awaited.
 */
export interface FileSystem {
  /** Creates the folder and its parents. */
  makeFolder(path: string): void;
  /** Names in a folder, unsorted; [] for a missing folder. */
  list(path: string): string[];
  exists(path: string): boolean;
  sizeBytes(path: string): number;
  /** The path without symbolic links; it must exist. */
  realPath(path: string): string;
  /** Opens for reading and writing; creates with `create`. `readOnly`: reads only, works on read-only media. */
  open(path: string, options: { create: boolean; readOnly?: boolean }): FileHandle;
  rename(from: string, to: string): void;
  remove(path: string): void;
  /** The folder must be empty. */
  removeFolder(path: string): void;
  /** Makes creations, renames and removals in the folder durable. */
  syncFolder(path: string): Promise<void>;
}

export interface FileHandle {
  /** Writes all bytes at the offset or throws (short writes are retried inside). */
  write(bytes: Uint8Array, offset: number): void;
  /** Reads up to `into.length` bytes; returns the count. */
  read(into: Uint8Array, offset: number): number;
  sizeBytes(): number;
  truncate(sizeBytes: number): void;
  /** fdatasync. */
  sync(): Promise<void>;
  /** `write` followed by a sync of these bytes only: earlier writes need a `sync` of their own. The caller leaves the bytes unchanged meanwhile. */
  writeDurably(bytes: Uint8Array, offset: number): Promise<void>;
  close(): void;
}
