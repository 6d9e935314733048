/** A page cache with any contents is dropped and rebuilt; an error of the machine is no damage. */
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openingError } from '../../src/storage/cache-opening-error.ts';
import { openPageStore } from '../../src/storage/open-page-store.ts';
import { CacheDamage } from '../../src/storage/page-store.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'svc-opening-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** What a file that names another can come to hold. */
const NAMES: readonly (readonly [what: string, text: (name: string) => string])[] = [
  ['nothing', () => ''],
  ['no end of line', (name) => name.trimEnd()],
  ['another number', (name) => name.replace(/\d+/, '999999')],
  ['a path through a file', (name) => `${name.trimEnd()}/x\n`],
  ['a name too long', (name) => `${name.trimEnd()}${'0'.repeat(400)}\n`],
  ['the folder', () => '.\n'],
  ['a byte 0', (name) => `MANI\0${name}`],
];

describe.each(['rocksdb', 'leveldb'] as const)('a cache of %s', (kind) => {
  test.each(NAMES)('whose CURRENT holds %s is rebuilt', async (_what, text) => {
    const folder = join(home, 'cache');
    const store = await openPageStore(folder, kind);
    store.write({ pages: [{ id: 1, bytes: Buffer.from('page') }] }, { sync: true });
    await store.close();
    const path = join(folder, 'CURRENT');
    writeFileSync(path, text(readFileSync(path, 'latin1')), 'latin1');
    const said: string[] = [];
    const again = await openPageStore(folder, kind, (message) => said.push(message));
    expect([said.length, again.read(1)?.toString()]).toEqual(said.length === 0 ? [0, 'page'] : [1, undefined]);
    expect(said.every((message) => message.includes('thrown away and rebuilt'))).toBe(true);
    again.write({ pages: [{ id: 2, bytes: Buffer.from('new') }] }, { sync: true });
    await again.close();
  });

  test('whose manifest has bytes behind its end is rebuilt or read', async () => {
    const folder = join(home, 'cache');
    await (await openPageStore(folder, kind)).close();
    appendFileSync(
      join(
        folder,
        readdirSync(folder).find((name) => name.startsWith('MANIFEST'))!,
      ),
      'x'.repeat(100),
    );
    await (await openPageStore(folder, kind)).close();
  });
});

test.each([
  ['IO error: No space left on device: /x/000001.log', '53100'],
  ['IO error: /x/LOCK: Permission denied', '58030'],
  ['IO error: While open a file for appending: /x: Too many open files', '58030'],
  ['IO error: lock hold by current process', '58030'],
  ['IO error: While lock file: /x/LOCK: Resource temporarily unavailable', '58030'],
  ['IO error: While open: /x/MANIFEST: Not a directory', 'XX001'],
  ['Corruption: block checksum mismatch', 'XX001'],
  ['Not supported: Unknown format version', 'XX001'],
  ['any message of a later release', 'XX001'],
])('%s is %s', (message, code) => {
  const error = openingError('/x', new Error('Database failed to open', { cause: new Error(message) }));
  expect([error.code, error instanceof CacheDamage]).toEqual([code, code === 'XX001']);
});
