/**
 * Whether a folder is a database, may become one, or is somebody's own. What is looked at are names: a log with segments or bases makes a
 * database; before there is one, only files that opening makes may be in the folder.
 */
import { existsSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { SvcError } from '../base/errors/svc-error.ts';
import type { FileSystem } from './file-system.ts';

/** What opening puts into a folder, and what a file system has in an empty one. */
const OWN = [
  /^(log|cache|watermark|lost\+found|\.DS_Store)$/,
  /^svc\.(lock(\..+)?|sock)$/,
  /^\.s\.PGSQL\.\d+$/,
  /^encryption\.json(\.draft)?$/,
  /^backup\.(json|unfinished)$/,
];
const SEGMENT = /^\d{16}\.(seg|base)$/;

/** Whether there is a log: nothing is made that is not there. */
export function isDatabase(folder: string): boolean {
  const log = join(folder, 'log');
  return existsSync(log) && readdirSync(log).some((name) => SEGMENT.test(name));
}

/** 55000 where the folder holds other files and no database. */
export function refuseForeign(fs: FileSystem, folder: string): void {
  if (!fs.exists(folder)) return;
  const logs = fs.list(join(folder, 'log'));
  if (logs.some((name) => SEGMENT.test(basename(name)))) return;
  const names = fs.list(folder).map((name) => name.split('/')[0]);
  const strange = names.find((name) => !OWN.some((own) => own.test(name))) ?? strangeIn(logs);
  if (strange === undefined) return;
  throw new SvcError('55000', `${folder} holds other files (${strange}), and is no database`, { hint: 'Name a new or empty folder. Nothing was changed.' });
}

/** A log of somebody else. Drafts are what a crash leaves. */
function strangeIn(logs: readonly string[]): string | undefined {
  const strange = logs.find((name) => !/\.(draft|lost)$/.test(name));
  return strange === undefined ? undefined : join('log', strange);
}

/** What an opening that comes to nothing takes away again; null where the folder is a database already, or has anything in it. */
export class NewFolder {
  readonly #folder: string;
  /** Folders that are not there, the innermost first. */
  readonly #missing: readonly string[];

  private constructor(folder: string, missing: readonly string[]) {
    this.#folder = folder;
    this.#missing = missing;
  }

  /** To be asked before anything is made. */
  static before(folder: string): NewFolder | null {
    const missing: string[] = [];
    for (let path = resolve(folder); !existsSync(path); path = dirname(path)) missing.push(path);
    return missing.length > 0 || readdirSync(folder).length === 0 ? new NewFolder(resolve(folder), missing) : null;
  }

  /** The files of the database go, and the folders that were made for it. What somebody else put there meanwhile stays. */
  remove(): void {
    try {
      for (const name of readdirSync(this.#folder)) if (OWN.some((own) => own.test(name))) rmSync(join(this.#folder, name), { recursive: true, force: true });
      for (const path of this.#missing) rmdirSync(path);
    } catch {
      // What cannot be removed stays.
    }
  }
}
