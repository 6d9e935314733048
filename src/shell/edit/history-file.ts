/**
 * The history file of a person and a folder: in the person's state directory, not in the folder, and readable only by its
 * owner. One line of JSON per entry, appended, so that several shells can share a file.
 */
import { createHash } from 'node:crypto';
import { appendFileSync, chmodSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { History } from './history.ts';

const ENTRIES_MAX = 2000;

export function historyPath(folder: string, environment: NodeJS.ProcessEnv = process.env): string {
  const given = environment['XDG_STATE_HOME'];
  const state = given !== undefined && given.startsWith('/') ? given : join(homedir(), '.local', 'state');
  let path = resolve(folder);
  try {
    path = realpathSync(path);
  } catch {
    // New folder.
  }
  return join(state, 'svc', `history-${createHash('sha256').update(path).digest('hex').slice(0, 16)}`);
}

/** If the file cannot be read or written, history is kept in memory. */
export function openHistory(path: string): History {
  let entries: string[] = [];
  try {
    mkdirSync(join(path, '..'), { recursive: true, mode: 0o700 });
    entries = read(path);
    if (entries.length > ENTRIES_MAX) {
      entries = entries.slice(-ENTRIES_MAX);
      writeFileSync(path, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''), { mode: 0o600 });
    } else appendFileSync(path, '', { mode: 0o600 });
    chmodSync(path, 0o600);
  } catch {
    return new History(entries);
  }
  return new History(entries, (entry) => {
    try {
      appendFileSync(path, `${JSON.stringify(entry)}\n`, { mode: 0o600 });
    } catch {
      // A full disk only loses history.
    }
  });
}

function read(path: string): string[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return [];
  }
  return text.split('\n').flatMap((line) => {
    try {
      const entry = JSON.parse(line) as unknown;
      return typeof entry === 'string' ? [entry] : [];
    } catch {
      // Partial line of a killed shell.
      return [];
    }
  });
}
