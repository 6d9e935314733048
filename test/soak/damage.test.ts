/** A sample of what `npm run soak` does in full: cuts and flips in copies of a folder, none of which may go unsaid. */
import { expect, test } from 'vitest';
import { damageRun, tableText } from './damage.ts';

test.each([
  ['rocksdb', 1, null],
  ['leveldb', 2, null],
  ['rocksdb, encrypted', 3, '42'.repeat(32)],
] as const)('damage to any file of a folder is refused, healed or said: %s', { timeout: 180_000 }, async (name, seed, key) => {
  const { table, silent, done } = await damageRun(seed, 16, { key, pageStore: name.startsWith('leveldb') ? 'leveldb' : 'auto' });
  expect(silent, tableText(table)).toEqual([]);
  expect(done).toBe(32);
  // The canary: the log's cuts, at least, are not all harmless.
  expect((table['log cut'].refused ?? 0) + (table['log flip'].refused ?? 0)).toBeGreaterThan(1);
  expect((table['cache cut'].healed ?? 0) + (table['cache flip'].healed ?? 0)).toBeGreaterThan(1);
});
