/** Every refusal of the contract, with its code, and that nothing has changed by it. */
import { describe, expect, test } from 'vitest';
import type { SqlState } from '../../src/base/errors/sqlstate.ts';
import type { Commands, Row } from '../../src/commands/contract.ts';
import { type Open, refused, using } from './open.ts';

type Refusal = [name: string, code: SqlState, call: (db: Commands) => Promise<unknown>];

const put = (db: Commands, table: unknown, id: unknown, record: unknown = {}, branch?: string): Promise<unknown> =>
  db.put({ table: table as string, id: id as string, record: record as Row, branch });

/** On a database with `draft` (forked from main, row t/a changed on both sides) and `leaf` (forked from draft). */
const REFUSALS: Refusal[] = [
  ['an empty table name', '22023', (db) => put(db, '', 'a')],
  ['a table name with a space', '22023', (db) => put(db, 'a b', 'a')],
  ['a table name that is no text', '22023', (db) => put(db, 7, 'a')],
  ['an empty id', '22023', (db) => put(db, 't', '')],
  ['an id with a tab', '22023', (db) => put(db, 't', 'a\tb')],
  ['an id with a no-break space', '22023', (db) => put(db, 't', 'a\u00a0b')],
  ['an id that is no text', '22023', (db) => put(db, 't', 7)],
  ['get of an empty id', '22023', (db) => db.get({ table: 't', id: '' })],
  ['delete in a table name with a space', '22023', (db) => db.delete({ table: 'a b', id: 'a' })],
  ['find in an empty table name', '22023', (db) => db.find({ table: '' })],
  ['a record that is a list', '22023', (db) => put(db, 't', 'a', [])],
  ['a record that is null', '22023', (db) => put(db, 't', 'a', null)],
  ['a record that is text', '22023', (db) => put(db, 't', 'a', 'x')],
  ['a record with another id', '22023', (db) => put(db, 't', 'a', { id: 'b' })],
  ['a record with a number for the id', '22023', (db) => put(db, 't', '1', { id: 1 })],
  ['an integer beyond 2^53', '22003', (db) => put(db, 't', 'a', { n: 2 ** 53 })],
  ['a nested integer beyond 2^53', '22003', (db) => put(db, 't', 'a', { n: [{ m: -(2 ** 60) }] })],
  ['text with a NUL', '22P02', (db) => put(db, 't', 'a', { s: 'a\0b' })],
  ['text with half a surrogate pair', '22P02', (db) => put(db, 't', 'a', { s: '\ud800' })],
  ['a value nested too deeply', '54001', (db) => put(db, 't', 'a', { d: JSON.parse('['.repeat(2000) + ']'.repeat(2000)) })],
  ['an empty field name', '42602', (db) => put(db, 't', 'a', { '': 1 })],
  ['get of a missing row', '02000', (db) => db.get({ table: 't', id: 'none' })],
  ['get from an unknown table', '02000', (db) => db.get({ table: 'none', id: 'a' })],
  ['delete of a missing row', '02000', (db) => db.delete({ table: 't', id: 'none' })],
  ['delete from an unknown table', '02000', (db) => db.delete({ table: 'none', id: 'a' })],
  ['rows of a batch that are no list', '22023', (db) => db.batch({ rows: {} as [] })],
  ['find with a negative limit', '22023', (db) => db.find({ table: 't', limit: -1 })],
  ['find with a limit over 10 000', '22023', (db) => db.find({ table: 't', limit: 10_001 })],
  ['find with a fractional offset', '22023', (db) => db.find({ table: 't', offset: 0.5 })],

  ['get in an unknown world', '3D000', (db) => db.get({ branch: 'none', table: 't', id: 'a' })],
  ['put into an unknown world', '3D000', (db) => put(db, 't', 'a', {}, 'none')],
  ['put into a past moment', '25006', (db) => put(db, 't', 'a', {}, 'main@-1s')],
  ['delete in a past moment', '25006', (db) => db.delete({ branch: 'main@-1s', table: 't', id: 'a' })],
  ['batch into a past moment', '25006', (db) => db.batch({ branch: 'main@-1s', rows: [{ table: 't', id: 'a', record: {} }] })],
  ['restore of a past moment', '25006', (db) => db.restore({ branch: 'main@-1s', at: '-1s' })],
  ['checkpoint of a past moment', '25006', (db) => db.checkpoint({ branch: 'main@-1s', name: 'c' })],
  ['merge of a past moment', '25006', (db) => db.merge({ branch: 'draft@-1s' })],
  ['merge into a past moment', '25006', (db) => db.merge({ branch: 'draft', into: 'main@-1s' })],
  ['rebase of a past moment', '25006', (db) => db.rebase({ branch: 'draft@-1s' })],
  ['discard of a past moment', '25006', (db) => db.discard({ branch: 'draft@-1s' })],
  ['meta of a past moment', '25006', (db) => db.set_meta({ branch: 'draft@-1s', meta: {} })],
  ['the world _tx_1', '3D000', (db) => db.world({ branch: '_tx_1' })],
  ['history of an unknown world', '3D000', (db) => db.history({ branch: 'none' })],
  ['history with a negative limit', '22023', (db) => db.history({ limit: -1 })],
  ['set_meta on an unknown world', '3D000', (db) => db.set_meta({ branch: 'none', meta: {} })],
  ['confirm of an unknown world', '3D000', (db) => db.confirm({ branch: 'none' })],

  ['fork of an unknown world', '3D000', (db) => db.fork({ name: 'x', from: 'none' })],
  ['fork under a name in use', '42P04', (db) => db.fork({ name: 'draft' })],
  ['fork named main', '42P04', (db) => db.fork({ name: 'main' })],
  ['fork with a space in its name', '42602', (db) => db.fork({ name: 'a b' })],
  ['fork with @ in its name', '42602', (db) => db.fork({ name: 'a@b' })],
  ['fork with / in its name', '42602', (db) => db.fork({ name: 'a/b' })],
  ['fork named _tx_x', '42602', (db) => db.fork({ name: '_tx_x' })],
  ['fork with a name of 257 characters', '42602', (db) => db.fork({ name: 'x'.repeat(257) })],
  ['fork named like a world id', '42602', (db) => db.fork({ name: '01ARZ3NDEKTSV4RRFFQ69G5FAV' })],
  ['fork whose meta holds owner', '22023', (db) => db.fork({ name: 'x', meta: { owner: 'me' } })],
  ['fork from the future', '22007', (db) => db.fork({ name: 'x', from: 'main@2999-01-01' })],
  ['set_meta of owner', '22023', (db) => db.set_meta({ branch: 'draft', meta: { owner: 'me' } })],
  ['set_meta of expires', '22023', (db) => db.set_meta({ branch: 'draft', meta: { expires: null } })],
  ['set_meta of a list', '22023', (db) => db.set_meta({ branch: 'draft', meta: [] as unknown as Row })],

  ['checkpoint under a name taken', '42710', (db) => db.checkpoint({ branch: 'draft', name: 'c' })],
  ['checkpoint without a name', '22023', (db) => db.checkpoint({ name: '' })],
  ['restore to nothing', '22023', (db) => db.restore({ branch: 'draft' })],
  ['restore to both', '22023', (db) => db.restore({ branch: 'draft', at: '-1s', checkpoint: 'c' })],
  ['restore to an unknown checkpoint', '42704', (db) => db.restore({ branch: 'draft', checkpoint: 'none' })],
  ["rollback to another world's checkpoint", '42704', (db) => db.rollback({ branch: 'main', checkpoint: 'c' })],
  ['restore to no time', '22007', (db) => db.restore({ branch: 'draft', at: 'yesterday' })],
  ['restore to the future', '22007', (db) => db.restore({ branch: 'draft', at: '2999-01-01T00:00:00Z' })],
  ['restore to before the world was made', '22023', (db) => db.restore({ branch: 'draft', at: '1999-01-01' })],
  ['reading an unreadable time', '22007', (db) => db.find({ branch: 'main@soon', table: 't' })],
  ['reading an empty time', '22007', (db) => db.find({ branch: 'main@', table: 't' })],
  ['reading a day that is none', '22007', (db) => db.find({ branch: 'main@2025-02-31T99:00:00Z', table: 't' })],
  ['reading a unit that is none', '22007', (db) => db.find({ branch: 'main@-5y', table: 't' })],
  ['reading a sequence to come', '22007', (db) => db.find({ branch: 'main@#999999', table: 't' })],
  ['reading before the world was made', '22023', (db) => db.find({ branch: 'draft@-300d', table: 't' })],

  ['discard of main', '22023', (db) => db.discard({ branch: 'main' })],
  ['discard of main with its forks', '22023', (db) => db.discard({ branch: 'main', cascade: true })],
  ['discard of an unknown world', '3D000', (db) => db.discard({ branch: 'none' })],
  ['discard with open forks', '2BP01', (db) => db.discard({ branch: 'draft' })],

  ['diff of main without to', '22023', (db) => db.diff({ branch: 'main' })],
  ['diff without branch', '22023', (db) => db.diff({})],
  ['diff of an unknown world', '3D000', (db) => db.diff({ branch: 'none' })],
  ['diff to an unknown world', '3D000', (db) => db.diff({ branch: 'draft', to: 'none' })],
  ['diff at a stale version', '40001', (db) => db.diff({ branch: 'draft', version: 0 })],
  ['diff as sql with limit', '22023', (db) => db.diff({ branch: 'draft', sql: true, limit: 1 })],
  ['diff as sql with after', '22023', (db) => db.diff({ branch: 'draft', sql: true, after: 't/a' })],
  ['diff with a negative limit', '22023', (db) => db.diff({ branch: 'draft', limit: -1 })],
  ['diff after something that is no key', '22023', (db) => db.diff({ branch: 'draft', after: 'nokey' })],

  ['merge of main', '22023', (db) => db.merge({ branch: 'main' })],
  ['merge of an unknown world', '3D000', (db) => db.merge({ branch: 'none' })],
  ['merge into an unknown world', '3D000', (db) => db.merge({ branch: 'leaf', into: 'none' })],
  ['merge into itself', '22023', (db) => db.merge({ branch: 'leaf', into: 'leaf' })],
  ['merge with conflicts', 'SV409', (db) => db.merge({ branch: 'draft', only_tables: ['t'] })],
  ['merge at a stale version', '40001', (db) => db.merge({ branch: 'draft', version: 0, resolve: 'ours' })],
  ['merge onto a stale target', '40001', (db) => db.merge({ branch: 'draft', target: 0, resolve: 'ours' })],
  ['merge with open forks', '2BP01', (db) => db.merge({ branch: 'draft', resolve: 'theirs' })],
  ['merge with an unknown resolve', '22023', (db) => db.merge({ branch: 'leaf', resolve: 'mine' as 'ours' })],
  ['merge of an empty list of tables', '22023', (db) => db.merge({ branch: 'leaf', only_tables: [] })],
  ['merge of a table that no side has', '42P01', (db) => db.merge({ branch: 'leaf', only_tables: ['t', 'tt'] })],
  ['merge of a row of a table that no side has', '42P01', (db) => db.merge({ branch: 'leaf', only_keys: ['tt/l'] })],
  ['preview of a table that no side has', '42P01', (db) => db.preview({ branch: 'leaf', only_tables: ['tt'] })],
  ['merge of an empty list of keys', '22023', (db) => db.merge({ branch: 'leaf', only_keys: [] })],
  ['merge of a key that is none', '22023', (db) => db.merge({ branch: 'leaf', only_keys: ['nokey'] })],
  ['merge with a pick for a row not changed', '22023', (db) => db.merge({ branch: 'leaf', picks: { 't/none': 'ours' } })],
  ['merge with a pick that is none', '22023', (db) => db.merge({ branch: 'leaf', picks: { 't/l': 'mine' as 'ours' } })],
  ['merge with a picked row of another id', '22023', (db) => db.merge({ branch: 'leaf', picks: { 't/l': { id: 'x' } } })],
  ['preview of main', '22023', (db) => db.preview({ branch: 'main' })],
  ['preview at a stale version', '40001', (db) => db.preview({ branch: 'draft', version: 0 })],
  ['rebase of main', '22023', (db) => db.rebase({ branch: 'main' })],
  ['rebase with conflicts', 'SV409', (db) => db.rebase({ branch: 'draft' })],
  ['rebase at a stale version', '40001', (db) => db.rebase({ branch: 'draft', version: 0, resolve: 'ours' })],
  ['undo of a merge that never was', '55000', (db) => db.undo_merge({ branch: 'draft' })],
  ['undo for an unknown world', '3D000', (db) => db.undo_merge({ branch: 'none' })],
];

export function errorsSuite(open: Open): void {
  // contract: row.1, row.2
  describe('refusals', () => {
    for (const [name, code, call] of REFUSALS) {
      test(`${name} is ${code} and changes nothing`, () =>
        using(open, async (db, clock) => {
          await db.put({ table: 't', id: 'a', record: { n: 1 } });
          clock.step();
          await db.fork({ name: 'draft' });
          await db.put({ table: 't', id: 'a', record: { n: 2 } });
          await db.put({ branch: 'draft', table: 't', id: 'a', record: { n: 3 } });
          await db.checkpoint({ branch: 'draft', name: 'c' });
          await db.fork({ name: 'leaf', from: 'draft' });
          await db.put({ branch: 'leaf', table: 't', id: 'l', record: { n: 4 } });
          clock.step(5000);
          const before = await picture(db);
          const error = await refused(code, call(db));
          expect(error.message.length).toBeGreaterThan(3);
          expect(await picture(db)).toEqual(before);
        }));
    }
  });
}

async function picture(db: Commands): Promise<unknown> {
  const out: unknown[] = [await db.branches()];
  for (const branch of ['main', 'draft', 'leaf']) out.push(await db.find({ branch, table: 't' }), await db.history({ branch }));
  return out;
}
