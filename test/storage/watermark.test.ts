/** What the folder knows beside its log of what was acknowledged: exact for a process that was killed, and no reason to stop where it cannot be written. */
import { cpSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SvcError } from '../../src/base/errors/svc-error.ts';
import { open, type OpenOptions } from '../../src/database.ts';
import type { FileSystem } from '../../src/storage/file-system.ts';
import { nodeFileSystem } from '../../src/storage/node-file-system.ts';
import { readWatermark } from '../../src/storage/watermark.ts';
import { FloodedServer } from '../soak/floods.ts';
import { randomFrom } from '../suite/random.ts';

const MAIN = new URL('../../dist/bin/svc.js', import.meta.url).pathname;
const OPTIONS: OpenOptions = { key: null, checkpointMs: 1e9 };
const SEGMENT = join('log', '0000000000000001.seg');

let home: string;
let folder: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'svc-watermark-'));
  folder = join(home, 'db');
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function used(path: string): number {
  return readFileSync(path).findLastIndex((byte) => byte !== 0) + 1;
}

async function outcomeOf(of: string): Promise<string> {
  try {
    const db = await open(of, OPTIONS);
    const { total } = await db.find({ table: 't', limit: 0 });
    await db.close();
    return `opened with ${total}`;
  } catch (error) {
    expect(error).toBeInstanceOf(SvcError);
    return `${(error as SvcError).code} ${(error as SvcError).message}`;
  }
}

test('a server that was killed before its first checkpoint and whose log is cut or changed afterwards is refused', { timeout: 120_000 }, async () => {
  const server = await FloodedServer.start(MAIN, {}, [], folder);
  const post = async (op: string, body: unknown): Promise<{ ok?: boolean }> => {
    const headers = { 'Content-Type': 'application/json' };
    return (await (await fetch(`http://127.0.0.1:${server.http}/v1/${op}`, { method: 'POST', headers, body: JSON.stringify(body) })).json()) as {
      ok?: boolean;
    };
  };
  for (let n = 0; n < 30; n++) expect(await post('put', { table: 't', id: String(n), record: { n, text: 'x'.repeat(60) } })).toMatchObject({ ok: true });
  await server.kill();
  const end = used(join(folder, SEGMENT));
  const copy = join(home, 'copy');
  const fresh = (): string => {
    rmSync(copy, { recursive: true, force: true });
    cpSync(folder, copy, { recursive: true, filter: (path) => !/PGSQL|\.sock$/.test(path) });
    return join(copy, SEGMENT);
  };
  const { mark } = readWatermark(nodeFileSystem, folder);
  fresh();
  expect(await outcomeOf(copy)).toBe('opened with 30');
  const random = randomFrom(5);
  const damages: [string, (path: string) => void][] = [1, 20, 150, 1000, 2000].map((less) => [
    `cut ${less} before its end`,
    (path) => truncateSync(path, end - less),
  ]);
  for (let i = 0; i < 12; i++) {
    // The last frames, which no later record vouches for.
    const at = end - 1 - Math.floor(random() * 200);
    damages.push([
      `a bit of byte ${end - at} before its end`,
      (path): void => {
        const bytes = readFileSync(path);
        bytes[at] ^= 1 << (i % 8);
        writeFileSync(path, bytes);
      },
    ]);
  }
  for (const [what, damage] of damages) {
    damage(fresh());
    expect([what, await outcomeOf(copy)]).toEqual([what, expect.stringMatching(new RegExp(`XX001 .*(${mark!.events}.* missing|damaged at byte)`))]);
  }
  // The canary: without the note the same cut looks like a torn tail.
  truncateSync(fresh(), end - 1);
  truncateSync(join(copy, 'watermark'), 1024);
  expect(await outcomeOf(copy)).toMatch(/^opened/);
  // Unacknowledged records are cut as usual.
  const path = fresh();
  const bytes = readFileSync(path);
  bytes.fill('torn', end, end + 40);
  writeFileSync(path, bytes);
  expect(await outcomeOf(copy)).toBe('opened with 30');
});

test('the note is never behind what a client has heard, and never ahead of the log', async () => {
  const db = await open(folder, OPTIONS);
  for (let n = 0; n < 20; n++) {
    await Promise.all(Array.from({ length: 1 + (n % 4) }, (_, i) => db.put({ table: 't', id: `${n}-${i}`, record: { n } })));
    expect(readWatermark(nodeFileSystem, folder).mark!.events).toBe(db.stats()['log_sequence']);
  }
  await db.close();
});

test('one of a release without the note is read and continued', async () => {
  const db = await open(folder, OPTIONS);
  await db.put({ table: 't', id: 'a', record: {} });
  await db.close();
  const path = join(folder, 'watermark');
  truncateSync(path, 1024);
  const before = readWatermark(nodeFileSystem, folder);
  expect(before).toMatchObject({ damaged: false, mark: { events: expect.toSatisfy((events: number) => events > 1) } });
  expect(await outcomeOf(folder)).toBe('opened with 1');
  expect(readFileSync(path).length).toBe(1536);
});

describe('a watermark that cannot be written', () => {
  /** The files of the machine, of which the watermark refuses. */
  function refusing(what: 'open' | 'write' | 'writeDurably', code: '53100' | '58030', still: () => boolean): FileSystem {
    const refused = (): void => {
      if (still()) throw new SvcError(code, `watermark: refused for this test (${what})`);
    };
    return {
      ...nodeFileSystem,
      open: (path, options) => {
        const isMark = path.endsWith('watermark') && options.readOnly !== true;
        if (isMark && what === 'open') refused();
        const file = nodeFileSystem.open(path, options);
        if (!isMark) return file;
        return {
          write: (bytes, offset) => {
            if (what === 'write') refused();
            file.write(bytes, offset);
          },
          writeDurably: async (bytes, offset) => {
            if (what === 'writeDurably') refused();
            return file.writeDurably(bytes, offset);
          },
          read: (into, offset) => file.read(into, offset),
          sizeBytes: () => file.sizeBytes(),
          truncate: (size) => file.truncate(size),
          sync: () => file.sync(),
          close: () => file.close(),
        };
      },
    };
  }

  test.each([
    ['open', '58030'],
    ['write', '53100'],
    ['writeDurably', '58030'],
  ] as const)('by %s (%s) is said once, stops no writer, and is written once it can be', async (what, code) => {
    let refuses = true;
    const notices: string[] = [];
    const fs = refusing(what, code, () => refuses);
    let db = await open(folder, { ...OPTIONS, fs, onNotice: (message) => notices.push(message) });
    for (let n = 0; n < 10; n++) {
      await db.put({ table: 't', id: String(n), record: { n } });
      if (n % 4 === 3) await db.flush();
    }
    expect(db.stats()['writable']).toBe(1);
    expect(notices).toEqual([expect.stringContaining('watermark cannot be written')]);
    await db.close();
    expect(notices).toHaveLength(1);
    // Neither is what it left a reason to refuse the folder.
    db = await open(folder, { ...OPTIONS, fs });
    expect((await db.find({ table: 't', limit: 0 })).total).toBe(10);
    refuses = false;
    await db.put({ table: 't', id: 'later', record: {} });
    await db.flush();
    await db.put({ table: 't', id: 'after', record: {} });
    // It may still be on its way to the disk; nothing that is written later brings it up.
    await expect.poll(() => readWatermark(nodeFileSystem, folder).mark!.events).toBe(db.stats()['log_sequence']);
    await db.close();
    expect(await outcomeOf(folder)).toBe('opened with 12');
  });
});
