/**
 * One process per folder. `svc.lock` names the holder; the next opener takes over the lock of a dead holder (no such process,
 * or another process has its pid, by start time).
 */
import { linkSync, lstatSync, readFileSync, readlinkSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SvcError } from '../base/errors/svc-error.ts';
import { fileError } from './node-file-system.ts';

interface Holder {
  pid: number;
  /** Kernel's start time of the process, from /proc if available. */
  started: string | null;
  since: string;
}

const heldHere = new Set<string>();

/** Acquires the lock; returns its release. 55006 while another process holds it. */
export function lockFolder(folder: string): () => void {
  const path = join(folder, 'svc.lock');
  const mine: Holder = { pid: process.pid, started: startTime(process.pid), since: new Date().toISOString() };
  const own = `${path}.${process.pid}`;
  try {
    writeFileSync(own, JSON.stringify(mine), { mode: 0o600 });
  } catch (cause) {
    forget(own);
    const error = fileError(cause, own);
    if (error.code !== '53100') throw error;
    writeAsName(own, mine, folder);
  }
  try {
    for (let attempt = 0; attempt < 10; attempt++) {
      try {
        // A link is atomic and fails if the name exists, so a half-written lock is never visible.
        linkSync(own, path);
        heldHere.add(path);
        return () => {
          if (heldHere.delete(path)) rmSync(path, { force: true });
        };
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST')
          throw new SvcError('58030', `${path} cannot be made: ${(error as Error).message}`, { cause: error });
      }
      const holder = readHolder(path);
      if (holder !== null && isAlive(holder, path)) {
        throw new SvcError('55006', `the folder ${folder} is open in process ${holder.pid} since ${holder.since}`, {
          hint: 'Stop that process, or reach it over HTTP.',
        });
      }
      rmSync(path, { force: true });
    }
    throw new SvcError('55006', `the lock ${path} cannot be taken`);
  } finally {
    unlinkSync(own);
  }
}

/** A full disk has no block for a file but needs none for a short symbolic link: store the holder in the link's target. */
function writeAsName(own: string, mine: Holder, folder: string): void {
  try {
    symlinkSync(JSON.stringify(mine), own);
  } catch (cause) {
    throw new SvcError('53100', `the disk is full: ${folder} cannot be opened`, {
      hint: 'Free a few kilobytes, then open it again. A folder that is open stays readable when its disk fills up.',
      cause,
    });
  }
}

/** If it cannot be removed, we did not create it: the folder may belong to another user. */
function forget(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    return;
  }
}

/** The process that has the folder open, if any. */
export function holderOf(folder: string): { readonly pid: number; readonly since: string } | null {
  const path = join(folder, 'svc.lock');
  const holder = readHolder(path);
  return holder !== null && isAlive(holder, path) ? holder : null;
}

function readHolder(path: string): Holder | null {
  try {
    return JSON.parse(lstatSync(path).isSymbolicLink() ? readlinkSync(path) : readFileSync(path, 'utf8')) as Holder;
  } catch {
    return null;
  }
}

function isAlive(holder: Holder, path: string): boolean {
  if (holder.pid === process.pid) return heldHere.has(path);
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  return holder.started === null || startTime(holder.pid) === holder.started;
}

function startTime(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie has no open files.
    return fields[0] === 'Z' || fields[0] === 'X' ? null : fields[19];
  } catch {
    return null;
  }
}
