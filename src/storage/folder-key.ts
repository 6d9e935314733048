/**
 * The key of an encrypted folder. Whether a folder is encrypted is decided when it is made and never changes: `encryption.json`
 * records it, with a check value for the key. The key itself is never stored.
 *
 *   { "version": 1, "cipher": "chacha20-poly1305", "salt": 32 hex digits, "check": 64 hex digits }
 *   check = HKDF-SHA256(key, salt, "svc check v1")
 */
import { hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SvcError } from '../base/errors/svc-error.ts';
import type { FileSystem } from './file-system.ts';

export const KEY_FILE = 'encryption.json';
const CIPHER = 'chacha20-poly1305';
const MARK_BYTES_MAX = 4096;

interface Mark {
  version: number;
  cipher: string;
  salt: string;
  check: string;
}

/** A new key: 64 hex digits. */
export function newKey(): string {
  return randomBytes(32).toString('hex');
}

/** 22023 for an invalid key; the message does not contain it. */
export function parseKey(text: string, from: string): Buffer {
  const trimmed = text.trim();
  if (!/^[0-9a-fA-F]{64}$/.test(trimmed)) {
    throw new SvcError('22023', `${from} holds no key: a key is 64 hex digits, this has ${trimmed.length} characters`, {
      hint: 'svc keygen prints a new one.',
    });
  }
  return Buffer.from(trimmed, 'hex');
}

/** The key from SVC_KEY or from the file named by SVC_KEY_FILE; null without either. */
export function keyFromEnvironment(): Buffer | null {
  const text = process.env['SVC_KEY'] ?? '';
  const path = process.env['SVC_KEY_FILE'] ?? '';
  if (text !== '' && path !== '') throw new SvcError('22023', 'SVC_KEY and SVC_KEY_FILE are both set', { hint: 'Set one of them.' });
  if (text !== '') return parseKey(text, 'SVC_KEY');
  if (path === '') return null;
  let read: string;
  try {
    read = readFileSync(path, 'utf8');
  } catch (cause) {
    throw new SvcError('22023', `SVC_KEY_FILE names "${path}", which cannot be read: ${(cause as Error).message}`, { cause });
  }
  return parseKey(read, `the file ${path} (SVC_KEY_FILE)`);
}

/**
 * The key to open the folder with; null for a plain folder. A folder without a log is new: with a key it becomes encrypted.
 * 28P01 for a wrong key, 28000 for a missing key or a key given for a plain folder.
 */
export async function admitKey(fs: FileSystem, folder: string, key: Buffer | null): Promise<Buffer | null> {
  const mark = readMark(fs, folder);
  if (mark !== null) {
    if (key === null) {
      throw new SvcError('28000', `the folder ${folder} is encrypted: its key is missing`, {
        hint: 'Set SVC_KEY, or SVC_KEY_FILE to the path of a file that holds it.',
      });
    }
    if (!timingSafeEqual(checkOf(key, mark.salt), Buffer.from(mark.check, 'hex'))) {
      throw new SvcError('28P01', `the key is not the one that the folder ${folder} was made with`, {
        hint: 'Nothing was changed. Keys cannot be replaced or recovered.',
      });
    }
    return key;
  }
  const hasLog = fs.list(join(folder, 'log')).some((name) => name.endsWith('.seg') || name.endsWith('.base'));
  if (key === null) return null;
  if (hasLog) {
    throw new SvcError('28000', `the folder ${folder} is not encrypted, and a key was given`, {
      hint: 'Encryption is chosen when a folder is made. Unset SVC_KEY and SVC_KEY_FILE, or dump the data and load it into a new folder.',
    });
  }
  await writeMark(fs, folder, key);
  return key;
}

/** Whether the folder is marked as encrypted. */
export function hasKeyMark(fs: FileSystem, folder: string): boolean {
  return fs.exists(join(folder, KEY_FILE));
}

function checkOf(key: Buffer, salt: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, Buffer.from(salt, 'hex'), 'svc check v1', 32));
}

function readMark(fs: FileSystem, folder: string): Mark | null {
  const path = join(folder, KEY_FILE);
  if (!fs.exists(path)) return null;
  const file = fs.open(path, { create: false, readOnly: true });
  try {
    const bytes = Buffer.alloc(MARK_BYTES_MAX);
    const mark = JSON.parse(bytes.toString('utf8', 0, file.read(bytes, 0))) as Mark;
    if (mark.version !== 1 || mark.cipher !== CIPHER) {
      throw new SvcError('XX001', `${path} names version ${mark.version} and cipher ${mark.cipher}, this release knows 1 and ${CIPHER}`, {
        hint: 'Open the folder with the release that made it.',
      });
    }
    if (!/^[0-9a-f]{32}$/.test(mark.salt) || !/^[0-9a-f]{64}$/.test(mark.check)) throw new Error('its fields are not whole');
    return mark;
  } catch (cause) {
    if (cause instanceof SvcError) throw cause;
    throw new SvcError('XX001', `${path} is damaged: ${(cause as Error).message}`, { hint: 'Restore that file from a backup.', cause });
  } finally {
    file.close();
  }
}

/** The mark is durable before the first byte of data. */
async function writeMark(fs: FileSystem, folder: string, key: Buffer): Promise<void> {
  const salt = randomBytes(16).toString('hex');
  const mark: Mark = { version: 1, cipher: CIPHER, salt, check: checkOf(key, salt).toString('hex') };
  const path = join(folder, KEY_FILE);
  const file = fs.open(`${path}.draft`, { create: true });
  try {
    file.truncate(0);
    file.write(Buffer.from(`${JSON.stringify(mark)}\n`), 0);
    await file.sync();
  } finally {
    file.close();
  }
  fs.rename(`${path}.draft`, path);
  await fs.syncFolder(folder);
}
