/**
 * Cuts a damaged log so that it can be opened from what is left: records before the damage stay in a file of the same name; what cannot be read is set
 * aside as `<name>.lost`, never deleted. A segment that only lacks its footer, and that others follow, is sealed again.
 */
import { join } from 'node:path';
import { SvcError } from '../base/errors/svc-error.ts';
import type { Sequence } from '../base/brands.ts';
import type { Cipher } from '../storage/cipher.ts';
import type { FileHandle, FileSystem } from '../storage/file-system.ts';
import { decodeHeader, encodeFooter, FrameScan, type SegmentHeader } from './format.ts';
import { MerkleTree } from './merkle.ts';
import { scanRecord } from './record-reader.ts';
import { type LogDamage, segmentName, segmentNames } from './segment.ts';

export async function cutDamage(fs: FileSystem, folder: string, damage: LogDamage, cipher: Cipher | null, say: (message: string) => void): Promise<void> {
  const names = segmentNames(fs, folder);
  const at = names.indexOf(damage.file);
  if (at < 0) throw damage;
  const next = names[at + 1];
  const whole = wholePart(fs, join(folder, damage.file), cipher);
  const follows = whole !== null && whole.last >= whole.header.first && next === segmentName((whole.last + 1) as Sequence);
  const expected = at === 0 ? null : lastOf(fs, folder, names[at - 1], cipher);
  // A segment that does not continue the previous one is useless even if it is whole.
  const kept = whole !== null && whole.last >= whole.header.first && (expected === null || whole.header.first === expected + 1) ? whole : null;
  if (kept === null && at === 0) {
    throw new SvcError('XX001', `${damage.message}; there is nothing before it to continue from`, {
      hint: 'Restore the folder from a backup. Nothing was changed.',
    });
  }
  const gone = kept !== null && follows ? [] : names.slice(at + 1);
  say(
    `${damage.message}; ${kept === null ? `${damage.file} is` : `what follows event ${kept.last} in ${damage.file}${gone.length === 0 ? ' is' : ' and the segments after it are'}`} set aside as .lost`,
  );
  // From the end, so that a crash in between leaves a log that opens the same way.
  for (const name of gone.reverse()) setAside(fs, folder, name);
  if (kept === null) setAside(fs, folder, damage.file);
  else await replace(fs, folder, damage.file, follows ? sealed(kept) : kept.bytes);
  await fs.syncFolder(folder);
}

interface Whole {
  header: SegmentHeader;
  /** The header and the records before the damage. */
  bytes: Buffer;
  /** Offset of the first record in `bytes`. */
  start: number;
  last: Sequence;
}

/** Null if not even the header is whole. */
function wholePart(fs: FileSystem, path: string, cipher: Cipher | null): Whole | null {
  const file = fs.open(path, { create: false });
  try {
    const bytes = contents(file);
    const head = decodeHeader(bytes, path);
    if (head === null) return null;
    const scan = new FrameScan();
    let end = head.bytes;
    let expected = head.header.first as number;
    while (scanRecord(bytes, end, cipher, scan) && scan.sequence === expected) {
      end = scan.end;
      expected++;
    }
    return { header: head.header, bytes: bytes.subarray(0, end), start: head.bytes, last: (expected - 1) as Sequence };
  } finally {
    file.close();
  }
}

function contents(file: FileHandle): Buffer {
  const bytes = Buffer.alloc(file.sizeBytes());
  return bytes.subarray(0, file.read(bytes, 0));
}

function lastOf(fs: FileSystem, folder: string, name: string, cipher: Cipher | null): number {
  return wholePart(fs, join(folder, name), cipher)?.last ?? 0;
}

function sealed({ header, bytes, start, last }: Whole): Buffer {
  const tree = new MerkleTree(header.first - 1, header.range.slice());
  const scan = new FrameScan();
  for (let at = start; at < bytes.length; at = scan.end) {
    scanRecord(bytes, at, null, scan);
    tree.appendRecord(bytes, at, scan.end);
  }
  return Buffer.concat([bytes, encodeFooter({ last, end: bytes.length, treeHead: tree.root(), range: tree.range(), index: [] })]);
}

async function replace(fs: FileSystem, folder: string, name: string, bytes: Buffer): Promise<void> {
  const draft = join(folder, `${name}.draft`);
  const file = fs.open(draft, { create: true });
  try {
    file.truncate(0);
    file.write(bytes, 0);
    await file.sync();
  } finally {
    file.close();
  }
  setAside(fs, folder, name);
  fs.rename(draft, join(folder, name));
}

function setAside(fs: FileSystem, folder: string, name: string): void {
  let to = join(folder, `${name}.lost`);
  for (let n = 2; fs.exists(to); n++) to = join(folder, `${name}.${n}.lost`);
  fs.rename(join(folder, name), to);
}
