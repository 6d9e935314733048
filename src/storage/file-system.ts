/**
 * The seam between the engine and the disk: the only file calls that the log makes. The node
 * implementation stands beside it; the simulation injects one that loses unsynced bytes, writes short
 * and fails. Writes and reads are synchronous (a buffered write costs 2 µs); only syncing waits.
 */
export interface FileSystem {
  /** Creates the folder and its parents. */
  makeFolder(path: string): void;
  /** Names in a folder, unsorted; an absent folder is []. */
  list(path: string): string[];
  exists(path: string): boolean;
  sizeBytes(path: string): number;
  /** The path without symbolic links; of what is there. */
  realPath(path: string): string;
  /** Opens for reading and writing; creates where `create` is set. `readOnly`: for reading alone, also where nothing may be written. */
  open(path: string, options: { create: boolean; readOnly?: boolean }): FileHandle;
  rename(from: string, to: string): void;
  remove(path: string): void;
  /** An empty one. */
  removeFolder(path: string): void;
  /** Makes creations, renames and removals in the folder durable. */
  syncFolder(path: string): Promise<void>;
}

export interface FileHandle {
  /** Writes all bytes at the offset or throws (short writes are retried inside). */
  write(bytes: Uint8Array, offset: number): void;
  /** Reads up to `into.length` bytes; returns how many. */
  read(into: Uint8Array, offset: number): number;
  sizeBytes(): number;
  truncate(sizeBytes: number): void;
  /** fdatasync. */
  sync(): Promise<void>;
  /** `write` and then `sync`, of which only these bytes can be sure: what was written before waits for a `sync` of its own. They stay as they are meanwhile. */
  writeDurably(bytes: Uint8Array, offset: number): Promise<void>;
  close(): void;
}
