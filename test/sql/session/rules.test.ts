/** Rules beside what records of statements can tell: in worlds, after a restart, with rights and concurrent writers. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { refused, TestDatabase } from './open-database.ts';

let t: TestDatabase;
beforeEach(async () => {
  t = await TestDatabase.open();
  await t.run(`
    CREATE TABLE orders (id int PRIMARY KEY, price int, note text);
    CREATE TABLE log (what text, id int);
    CREATE RULE watch AS ON INSERT TO orders DO ALSO INSERT INTO log VALUES ('new', NEW.id);
    CREATE RULE keep AS ON DELETE TO orders WHERE OLD.price > 100 DO INSTEAD INSERT INTO log VALUES ('kept', OLD.id)`);
});
afterEach(() => t.close());

const log = (branch?: string): Promise<string[]> => t.lines('SELECT what, id FROM log ORDER BY 1, 2', branch);

test('a fork has the rules, a merge brings what they wrote and applies none', async () => {
  await t.run('CREATE WORLD draft');
  await t.run("INSERT INTO orders VALUES (1, 10, 'x'), (2, 200, 'y'); DELETE FROM orders", 'draft');
  expect(await log('draft')).toEqual(['kept 2', 'new 1', 'new 2']);
  await t.rows('MERGE WORLD draft');
  expect(await log()).toEqual(['kept 2', 'new 1', 'new 2']);
  expect(await t.lines('SELECT id FROM orders')).toEqual(['2']);
});

test('a difference shows rules as statements that make them again, a merge brings them, and undoing takes them back', async () => {
  await t.run('CREATE WORLD draft');
  await t.run(
    `ALTER RULE watch ON orders RENAME TO kept; ALTER TABLE orders DISABLE RULE kept; DROP RULE keep ON orders;
     CREATE VIEW cheap AS SELECT id, price FROM orders WHERE price < 10;
     CREATE RULE several AS ON UPDATE TO cheap DO INSTEAD (UPDATE orders SET note = 'it''s' WHERE id = OLD.id AND NEW.price > 5; NOTIFY changed)`,
    'draft',
  );
  const made = (await t.lines('DIFF WORLD draft AS SQL')).filter((line) => /RULE|VIEW/.test(line));
  const definitions = "SELECT ev_enabled, pg_get_ruledef(oid) FROM pg_rewrite WHERE rulename <> '_RETURN' AND ev_class >= 16384 ORDER BY rulename";
  const before = await t.lines(definitions);
  await t.run('CREATE WORLD again');
  await t.run(made.join('\n'), 'again');
  const after = await t.lines(definitions, 'draft');
  expect(await t.lines(definitions, 'again')).toEqual(after);
  expect(after).toHaveLength(2);
  await t.run('MERGE WORLD draft');
  expect(await t.lines(definitions)).toEqual(after);
  await t.run('UNDO MERGE draft');
  expect(await t.lines(definitions)).toEqual(before);
});

test('two branches that make one rule differently meet as a conflict', async () => {
  await t.run('CREATE WORLD a; CREATE WORLD b');
  await t.run('CREATE RULE one AS ON UPDATE TO orders DO INSTEAD NOTHING', 'a');
  await t.run('CREATE RULE one AS ON DELETE TO orders DO INSTEAD NOTHING', 'b');
  await t.run('MERGE WORLD a');
  expect(JSON.stringify(await t.rows('MERGE WORLD b DRY RUN'))).toContain('_svc_schema/rule:orders.one');
});

test('a merge that drops what a rule names is refused', async () => {
  await t.run('CREATE TABLE more (id int)');
  await t.run('CREATE WORLD a; CREATE WORLD b');
  await t.run('CREATE RULE one AS ON UPDATE TO orders DO ALSO INSERT INTO more VALUES (NEW.id)', 'a');
  await t.run('DROP TABLE more', 'b');
  await t.run('MERGE WORLD a');
  expect(JSON.stringify(await t.rows('MERGE WORLD b DRY RUN'))).toContain('rule');
});

test('rules survive a restart, and one without the page cache', async () => {
  await t.reopen({ withoutCache: true });
  await t.run("INSERT INTO orders VALUES (1, 1000, 'x'); DELETE FROM orders");
  expect(await log()).toEqual(['kept 1', 'new 1']);
});

test('the texts of rules follow renames of what they name', async () => {
  await t.run(`ALTER TABLE log RENAME COLUMN what TO kind; ALTER TABLE log RENAME TO journal; ALTER TABLE orders RENAME COLUMN id TO number;
    CREATE SCHEMA shop; ALTER TABLE journal SET SCHEMA shop; ALTER SCHEMA shop RENAME TO store`);
  await t.run("INSERT INTO orders VALUES (1, 1000, 'x'); DELETE FROM orders");
  expect(await t.lines('SELECT kind, id FROM store.journal ORDER BY 1')).toEqual(['kept 1', 'new 1']);
  await refused('2BP01', t.db.sql({ sql: 'DROP TABLE store.journal' }));
  await refused('0A000', t.db.sql({ sql: 'ALTER TABLE orders ALTER COLUMN number TYPE bigint' }));
});

test('readers of a difference name rules over what changed', async () => {
  await t.run("INSERT INTO orders VALUES (1, 1, 'n')");
  await t.run('CREATE WORLD draft');
  await t.run("UPDATE orders SET note = 'm'", 'draft');
  expect(JSON.stringify(await t.rows('DIFF WORLD draft READERS'))).not.toContain('keep');
  await t.run('UPDATE orders SET price = 2', 'draft');
  expect(JSON.stringify(await t.rows('DIFF WORLD draft READERS'))).toContain('keep');
});

test("actions need privileges of the table's owner, the statement those of the caller", async () => {
  await t.run('CREATE ROLE clerk; GRANT INSERT ON orders TO clerk');
  const lines = await t.lines("SET ROLE clerk; INSERT INTO orders VALUES (7, 7, 'c'); RESET ROLE; SELECT what, id FROM log");
  expect(lines).toEqual(['new 7']);
  await refused('42501', t.db.sql({ sql: "SET ROLE clerk; INSERT INTO log VALUES ('x', 1)" }));
  await refused('42501', t.db.sql({ sql: 'SET ROLE clerk; DELETE FROM orders' }));
});

test('a statement that waits for a row runs its actions once, over the row as it has become', async () => {
  await t.run("INSERT INTO orders VALUES (1, 10, 'x'); CREATE RULE dear AS ON UPDATE TO orders DO ALSO INSERT INTO log VALUES ('price ' || NEW.price, OLD.id)");
  const [first, second] = [t.db.session(), t.db.session()];
  try {
    await first.run('BEGIN; UPDATE orders SET price = 20 WHERE id = 1');
    const waiting = second.run('UPDATE orders SET price = price + 1 WHERE id = 1');
    await new Promise((done) => setTimeout(done, 50));
    await first.run('COMMIT');
    expect((await waiting)[0].command).toBe('UPDATE 1');
  } finally {
    first.close();
    second.close();
  }
  expect(await log()).toEqual(['new 1', 'price 20 1', 'price 21 1']);
});

test('many rows go through the actions of a rule, others being let in', async () => {
  await t.run('INSERT INTO orders SELECT i, i % 200 FROM generate_series(1, 20000) i; DELETE FROM orders');
  expect(await t.lines('SELECT what, count(*), sum(id) FROM log GROUP BY 1 ORDER BY 1')).toEqual(['kept 9900 99495000', 'new 20000 200010000']);
  expect(await t.lines('SELECT count(*), min(price) FROM orders')).toEqual(['9900 101']);
});

test('row operations apply no rule, so they are refused where one would have to', async () => {
  const error = await refused('0A000', t.db.put({ table: 'orders', id: '1', record: { price: 1, note: 'x' } }));
  expect(error.message).toBe('row operations do not apply rule "watch" of table "orders"');
  await t.run('ALTER TABLE orders DISABLE RULE watch');
  await t.db.put({ table: 'orders', id: '1', record: { price: 1, note: 'x' } });
  expect(await t.lines('SELECT id, price FROM orders')).toEqual(['1 1']);
  await refused('0A000', t.db.delete({ table: 'orders', id: '1' }));
});
