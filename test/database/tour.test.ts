import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { open } from '../../src/database.ts';

// contract: service.3
test('fork, change, diff, merge, time travel, undo, reopen', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-'));
  let db = await open(folder);
  for (let i = 0; i < 1000; i++) void db.put({ table: 'users', id: `u${i}`, record: { n: i, name: `name ${i}` } });
  await db.put({ table: 'users', id: 'ann', record: { city: 'Oslo', n: 1.5, tags: ['a', { b: 1 }] } });
  expect(await db.get({ table: 'users', id: 'ann' })).toEqual({ id: 'ann', row: { city: 'Oslo', n: 1.5, tags: ['a', { b: 1 }] } });
  await db.fork({ name: 'draft' });
  await db.put({ branch: 'draft', table: 'users', id: 'u5', record: { n: 'five', name: 'x' } });
  await db.delete({ branch: 'draft', table: 'users', id: 'u6' });
  await db.put({ branch: 'draft', table: 'other', id: 'o', record: { n: null } });
  const diff = await db.diff({ branch: 'draft' });
  expect(diff.changes).toEqual([
    { key: 'other/o', before: null, after: { n: null }, columns: ['n'] },
    { key: 'users/u5', before: { n: 5, name: 'name 5' }, after: { n: 'five', name: 'x' }, columns: ['n', 'name'] },
    { key: 'users/u6', before: { n: 6, name: 'name 6' }, after: null, columns: ['n', 'name'] },
  ]);
  expect(await db.merge({ branch: 'draft' })).toEqual({ merged: 3 });
  await expect(db.get({ table: 'users', id: 'u6' })).rejects.toThrow(/no row/);
  expect((await db.find({ branch: 'main@#500', table: 'users' })).total).toBe(498);
  expect(await db.undo_merge({ branch: 'draft' })).toMatchObject({ undone: 3, parent: 'main' });
  await db.close();
  db = await open(folder);
  expect((await db.get({ table: 'users', id: 'u6' })).row).toEqual({ n: 6, name: 'name 6' });
  expect((await db.find({ branch: 'main@#500', table: 'users' })).total).toBe(498);
  expect((await db.find({ table: 'users', where: { n: 7 } })).hits[0].id).toBe('u7');
  await db.close();
  rmSync(join(folder, 'cache'), { recursive: true });
  db = await open(folder);
  expect((await db.get({ table: 'users', id: 'u6' })).row).toEqual({ n: 6, name: 'name 6' });
  expect((await db.find({ table: 'users', limit: 0 })).total).toBe(1001);
  expect((await db.find({ branch: 'main@#500', table: 'users' })).total).toBe(498);
  await db.close();
  rmSync(folder, { recursive: true });
});
