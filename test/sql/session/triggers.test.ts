/** Triggers beside what records of statements can tell: in worlds, under roles, with row operations, many rows. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { refused, TestDatabase } from './open-database.ts';

let t: TestDatabase;
beforeEach(async () => {
  t = await TestDatabase.open();
  await t.run(`
    CREATE TABLE orders (id int PRIMARY KEY, price int, note text);
    CREATE TABLE log (n int GENERATED ALWAYS AS IDENTITY, what text);
    CREATE FUNCTION logged() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO log (what) VALUES (TG_OP || ' ' || coalesce(NEW.id, OLD.id)); RETURN NULL; END $$;
    CREATE TRIGGER watch AFTER INSERT OR UPDATE OF price OR DELETE ON orders FOR EACH ROW EXECUTE FUNCTION logged('a')`);
});
afterEach(() => t.close());

const log = (branch?: string): Promise<string[]> => t.lines('SELECT what FROM log ORDER BY n', branch);

test('a fork has the triggers, a merge brings what they wrote and fires none', async () => {
  await t.run('CREATE WORLD draft');
  await t.run("INSERT INTO orders VALUES (1, 10, 'x'); UPDATE orders SET note = 'y'; UPDATE orders SET price = 11", 'draft');
  expect(await log('draft')).toEqual(['INSERT 1', 'UPDATE 1']);
  expect(await log()).toEqual([]);
  expect(await t.rows('MERGE WORLD draft')).toEqual([{ merged: 3, version: null }]);
  expect(await log()).toEqual(['INSERT 1', 'UPDATE 1']);
  await t.run('UNDO MERGE draft');
  expect(await log()).toEqual([]);
  expect(await t.lines('SELECT * FROM orders')).toEqual([]);
});

test('a difference shows triggers as statements that make them again, a merge brings them, and undoing takes them back', async () => {
  await t.run('CREATE WORLD draft');
  await t.run(
    `ALTER TRIGGER watch ON orders RENAME TO kept; ALTER TABLE orders DISABLE TRIGGER kept;
     CREATE CONSTRAINT TRIGGER late AFTER INSERT ON orders DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.price > 5) EXECUTE FUNCTION logged('it''s');
     CREATE TRIGGER rows AFTER UPDATE ON orders REFERENCING OLD TABLE AS o NEW TABLE AS n EXECUTE FUNCTION logged()`,
    'draft',
  );
  const made = (await t.lines('DIFF WORLD draft AS SQL')).filter((line) => line.includes('TRIGGER'));
  const definitions = 'SELECT tgenabled, pg_get_triggerdef(oid) FROM pg_trigger ORDER BY tgname';
  const before = await t.lines(definitions);
  await t.run('CREATE WORLD again');
  await t.run(made.join('\n'), 'again');
  const after = await t.lines(definitions, 'draft');
  expect(await t.lines(definitions, 'again')).toEqual(after);
  expect(after).toHaveLength(3);
  await t.run('MERGE WORLD draft');
  expect(await t.lines(definitions)).toEqual(after);
  await t.run('UNDO MERGE draft');
  expect(await t.lines(definitions)).toEqual(before);
});

test('two branches that make one trigger differently meet as a conflict', async () => {
  await t.run('CREATE WORLD a; CREATE WORLD b');
  await t.run('CREATE TRIGGER one BEFORE INSERT ON orders EXECUTE FUNCTION logged()', 'a');
  await t.run('CREATE TRIGGER one BEFORE DELETE ON orders EXECUTE FUNCTION logged()', 'b');
  await t.run('MERGE WORLD a');
  expect(JSON.stringify(await t.rows('MERGE WORLD b DRY RUN'))).toContain('_svc_schema/trigger:orders.one');
});

test('triggers survive a restart, and one without the page cache', async () => {
  await t.run('CREATE TRIGGER again BEFORE INSERT ON orders FOR EACH ROW WHEN (NEW.price IS NULL) EXECUTE FUNCTION logged()');
  await t.reopen({ withoutCache: true });
  await t.run("INSERT INTO orders VALUES (1, NULL, 'kept out'), (2, 2, 'in')");
  expect(await t.lines('SELECT id FROM orders')).toEqual(['2']);
  expect(await log()).toEqual(['INSERT 1', 'INSERT 2']);
});

test('row operations on a table with triggers are refused, on others not', async () => {
  await refused('0A000', t.db.put({ table: 'orders', id: '1', record: { price: 1 } }));
  await refused('0A000', t.db.delete({ table: 'orders', id: '1' }));
  await t.run('ALTER TABLE orders DISABLE TRIGGER watch');
  await t.db.put({ table: 'orders', id: '1', record: { price: 1 } });
  expect(await t.lines('SELECT price FROM orders')).toEqual(['1']);
});

// contract: fixed.15, error.54001
test('functions and triggers call one another 40 deep', async () => {
  await t.run(`CREATE FUNCTION deeper() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO orders VALUES (NEW.id + 1); RETURN NULL; END $$;
    CREATE TRIGGER deep AFTER INSERT ON orders FOR EACH ROW EXECUTE FUNCTION deeper()`);
  await t.refused('54001', 'INSERT INTO orders VALUES (1)');
  expect(await t.lines('SELECT count(*) FROM orders')).toEqual(['0']);
});

test('policies are checked after BEFORE triggers, as the role that writes', async () => {
  await t.run(`CREATE FUNCTION own() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.note := current_user; NEW.price := abs(NEW.price); RETURN NEW; END $$;
    CREATE TRIGGER mine BEFORE INSERT OR UPDATE ON orders FOR EACH ROW EXECUTE FUNCTION own();
    CREATE ROLE alice; GRANT ALL ON orders, log TO alice;
    ALTER TABLE orders ENABLE ROW LEVEL SECURITY; CREATE POLICY p ON orders USING (note = 'alice') WITH CHECK (note = 'alice' AND price < 50)`);
  expect(await t.lines("SET ROLE alice; INSERT INTO orders VALUES (1, 3, 'bob') RETURNING note, price")).toEqual(['alice 3']);
  await t.refused('42501', "SET ROLE alice; INSERT INTO orders VALUES (2, -60, 'bob')");
  expect(await t.lines("SET ROLE alice; UPDATE orders SET note = 'bob', price = 4 RETURNING note, price")).toEqual(['alice 4']);
  await t.refused('42501', 'SET ROLE alice; UPDATE orders SET price = -70');
  await t.refused('42501', 'SET ROLE alice; CREATE TRIGGER x AFTER INSERT ON log EXECUTE FUNCTION own(); DROP TRIGGER mine ON orders');
});

test('after many rows each trigger is given the row as it was inserted', async () => {
  await t.run(`CREATE TABLE big (id int PRIMARY KEY, v int); CREATE TABLE seen (id int, v int);
    CREATE FUNCTION see() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO seen VALUES (NEW.id, NEW.v); IF NEW.id % 1000 = 0 THEN UPDATE big SET v = -1 WHERE id = NEW.id + 1; END IF; RETURN NULL; END $$;
    CREATE TRIGGER see AFTER INSERT ON big FOR EACH ROW EXECUTE FUNCTION see()`);
  await t.run('INSERT INTO big SELECT g, g * 2 FROM generate_series(1, 6000) g');
  expect(await t.lines('SELECT count(*), count(DISTINCT id) AS ids, bool_and(v = id * 2) FROM seen')).toEqual(['6000 6000 true']);
  expect(await t.lines('SELECT count(*) FROM big WHERE v = -1')).toEqual(['5']);
});

test('readers of a difference name triggers that fire for what changed', async () => {
  await t.run("INSERT INTO orders VALUES (1, 1, 'n')");
  await t.run('CREATE WORLD draft');
  await t.run("UPDATE orders SET note = 'm'", 'draft');
  expect(JSON.stringify(await t.rows('DIFF WORLD draft READERS'))).not.toContain('watch');
  await t.run('UPDATE orders SET price = 2', 'draft');
  expect(JSON.stringify(await t.rows('DIFF WORLD draft READERS'))).toContain('watch');
});
