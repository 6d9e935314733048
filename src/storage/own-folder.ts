/**
 * Whether a folder is a database, may become one, or belongs to something else. Decided by names: a log with segments or
 * bases makes a database; before that, the folder may only hold files that opening creates.
 */
import { existsSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { SvcError } from '../base/errors/svc-error.ts';
import type { FileSystem } from './file-system.ts';

/** Files created by opening a database, and files of an empty file system. */
const OWN = [
  /^(log|cache|search|watermark|lost\+found|\.DS_Store)$/,
  /^svc\.(lock(\..+)?|sock)$/,
  /^\.s\.PGSQL\.\d+$/,
  /^encryption\.json(\.draft)?$/,
  /^backup\.(json|unfinished)$/,
];
const SEGMENT = /^\d{16}\.(seg|base)$/;

/** Whether there is a log; creates nothing. */
export function isDatabase(folder: string): boolean {
  const log = join(folder, 'log');
  return existsSync(log) && readdirSync(log).some((name) => SEGMENT.test(name));
}

/** 55000 if the folder holds other files and no database. */
export function refuseForeign(fs: FileSystem, folder: string): void {
  if (!fs.exists(folder)) return;
  const logs = fs.list(join(folder, 'log'));
  if (logs.some((name) => SEGMENT.test(basename(name)))) return;
  const names = fs.list(folder).map((name) => name.split('/')[0]);
  const strange = names.find((name) => !OWN.some((own) => own.test(name))) ?? strangeIn(logs) ?? strangeInCache(fs.list(join(folder, 'cache')));
  if (strange === undefined) return;
  throw new SvcError('55000', `${folder} holds other files (${strange}), and is no database`, { hint: 'Name a new or empty folder. Nothing was changed.' });
}

/** Files of a page cache of either engine, and of an empty file system. */
const CACHE_FILE = /^(CURRENT|IDENTITY|LOCK|LOG(\.old.*)?|(MANIFEST|OPTIONS)-\d+|\d+\.(log|sst|ldb|blob)|.+\.(dbtmp|trash)|lost\+found|\.DS_Store)$/;

/** A file in the cache's place that no cache has: opening would empty that folder. */
function strangeInCache(names: readonly string[]): string | undefined {
  const strange = names.find((name) => !CACHE_FILE.test(name));
  return strange === undefined ? undefined : join('cache', strange);
}

/** A file that is not of our log. Drafts are left by crashes. */
function strangeIn(logs: readonly string[]): string | undefined {
  const strange = logs.find((name) => !/\.(draft|lost)$/.test(name));
  return strange === undefined ? undefined : join('log', strange);
}

/** Removes what a failed opening created; null if the folder is already a database or is not empty. */
export class NewFolder {
  readonly #folder: string;
  /** Missing folders, innermost first. */
  readonly #missing: readonly string[];

  private constructor(folder: string, missing: readonly string[]) {
    this.#folder = folder;
    this.#missing = missing;
  }

  /** Call before anything is created. */
  static before(folder: string): NewFolder | null {
    const missing: string[] = [];
    for (let path = resolve(folder); !existsSync(path); path = dirname(path)) missing.push(path);
    return missing.length > 0 || readdirSync(folder).length === 0 ? new NewFolder(resolve(folder), missing) : null;
  }

  /** Removes the database's files and the folders created for it, but nothing that others put there meanwhile. */
  remove(): void {
    try {
      for (const name of readdirSync(this.#folder)) if (OWN.some((own) => own.test(name))) rmSync(join(this.#folder, name), { recursive: true, force: true });
      for (const path of this.#missing) rmdirSync(path);
    } catch {
      // Leave what cannot be removed.
    }
  }
}
