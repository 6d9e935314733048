/** Event triggers beside what records of statements can tell: in worlds, and as the audit of definitions that the docs show. */
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { refused, TestDatabase } from './open-database.ts';

let t: TestDatabase;
beforeEach(async () => {
  t = await TestDatabase.open();
  await t.run(`
    CREATE TABLE log (n int GENERATED ALWAYS AS IDENTITY, what text);
    CREATE FUNCTION logged() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO log (what) VALUES (tg_tag); END $$`);
});
afterEach(() => t.close());

const WATCH = 'CREATE EVENT TRIGGER watch ON ddl_command_end EXECUTE FUNCTION logged()';
const log = (branch?: string): Promise<string[]> => t.lines('SELECT what FROM log ORDER BY n', branch);
const names = (branch?: string): Promise<string[]> => t.lines('SELECT evtname, evtenabled FROM pg_event_trigger ORDER BY 1', branch);

test('a fork has them, a merge brings what they wrote and fires none', async () => {
  await t.run(WATCH);
  await t.run('CREATE WORLD draft');
  await t.run('CREATE TABLE one (a int); DROP TABLE IF EXISTS two', 'draft');
  expect(await log('draft')).toEqual(['CREATE TABLE', 'DROP TABLE']);
  expect(await log()).toEqual([]);
  await t.run('MERGE WORLD draft');
  expect(await log()).toEqual(['CREATE TABLE', 'DROP TABLE']);
  await t.run('UNDO MERGE draft');
  expect(await log()).toEqual([]);
});

test('a difference shows them as statements that make them again, a merge brings them, and undoing takes them back', async () => {
  await t.run(WATCH);
  await t.run('CREATE WORLD draft');
  await t.run(
    `ALTER EVENT TRIGGER watch RENAME TO kept; ALTER EVENT TRIGGER kept DISABLE;
     CREATE EVENT TRIGGER "A b" ON sql_drop WHEN TAG IN ('drop table', 'DROP VIEW') EXECUTE FUNCTION logged()`,
    'draft',
  );
  const made = (await t.lines('DIFF WORLD draft AS SQL')).filter((line) => line.includes('EVENT TRIGGER'));
  await t.run('CREATE WORLD again');
  await t.run(made.join('\n'), 'again');
  const all = 'SELECT evtname, evtevent, evtenabled, evttags, evtfoid::regproc FROM pg_event_trigger ORDER BY 1';
  const after = await t.lines(all, 'draft');
  expect(after).toHaveLength(2);
  expect(await t.lines(all, 'again')).toEqual(after);
  await t.run('MERGE WORLD draft');
  expect(await t.lines(all)).toEqual(after);
  await t.run('UNDO MERGE draft');
  expect(await names()).toEqual(['watch O']);
});

test('two worlds that change one of them differently are in conflict by its name', async () => {
  await t.run(WATCH);
  await t.run('CREATE WORLD draft');
  await t.run('ALTER EVENT TRIGGER watch DISABLE', 'draft');
  await t.run('ALTER EVENT TRIGGER watch ENABLE ALWAYS');
  const error = await refused('SV409', t.db.sql({ sql: 'MERGE WORLD draft' }));
  expect(JSON.stringify(error.data ?? error.detail)).toContain('_svc_schema/event%20trigger:watch');
});

test('one that needs a function which the other side dropped is in conflict', async () => {
  await t.run('CREATE WORLD draft');
  await t.run(WATCH, 'draft');
  await t.run('DROP FUNCTION logged()');
  await refused('SV409', t.db.sql({ sql: 'MERGE WORLD draft' }));
});

test('they fire for the statements of SQL, not for documents and their operations', async () => {
  await t.run(WATCH);
  await t.db.commands.put({ branch: 'main', table: 'notes', id: 'a', record: { title: 'x' } });
  expect(await log()).toEqual([]);
});

test('the audit that the docs show', async () => {
  const docs = readFileSync(new URL('../../../docs/reference/triggers.md', import.meta.url), 'utf8');
  const [, example] = /```sql\n([^]*?CREATE EVENT TRIGGER[^]*?)```/.exec(docs)!;
  await t.run(example);
  await t.run('CREATE TABLE item (id serial PRIMARY KEY); ALTER TABLE item ADD COLUMN price int; DROP TABLE item');
  expect(await t.lines("SELECT who = current_user, command, kind, name FROM definition_audit WHERE kind NOT IN ('type', 'default value') ORDER BY n")).toEqual([
    'true CREATE SEQUENCE sequence public.item_id_seq',
    'true CREATE TABLE table public.item',
    'true CREATE INDEX index public.item_pkey',
    'true ALTER SEQUENCE sequence public.item_id_seq',
    'true ALTER TABLE table public.item',
    'true DROP TABLE table public.item',
    'true DROP TABLE sequence public.item_id_seq',
    'true DROP TABLE table constraint item_pkey on public.item',
    'true DROP TABLE index public.item_pkey',
  ]);
});
