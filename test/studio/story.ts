/** The database of a small shop in which two agents work under a policy: what the console's tests look at. */
import type { Console } from './console.ts';

const TABLES = `
  CREATE TABLE customers (id int PRIMARY KEY, name text NOT NULL, city text, balance numeric(12,2), since timestamptz DEFAULT '2026-01-05T08:00:00Z');
  CREATE TABLE orders (id int PRIMARY KEY, customer int REFERENCES customers, total numeric(12,2) NOT NULL CHECK (total >= 0), state text, placed timestamptz, note jsonb);
  CREATE TABLE prices (sku text PRIMARY KEY, price numeric(10,2) NOT NULL, stock int NOT NULL);
  INSERT INTO customers SELECT g, (ARRAY['Ada Lund','Bo Meyer','Chidi Okafor','Dana Ruiz','Eli Stone','Farah Aziz','Gus Hale','Hana Sato'])[1 + g % 8] || ' ' || g,
    (ARRAY['Oslo','Berlin','Lagos','Madrid','Austin'])[1 + g % 5], (g * 137 % 90000)::numeric / 100 FROM generate_series(1, 400) g;
  INSERT INTO orders SELECT g, 1 + g % 400, (g * 7919 % 50000)::numeric / 100, (ARRAY['open','paid','sent'])[1 + g % 3],
    timestamptz '2026-02-01T00:00:00Z' + g * interval '37 minutes', jsonb_build_object('channel', (ARRAY['web','phone'])[1 + g % 2]) FROM generate_series(1, 2500) g;
  INSERT INTO prices SELECT 'SKU-' || lpad(g::text, 4, '0'), (g * 31 % 900)::numeric + 0.99, g * 17 % 200 FROM generate_series(1, 120) g;
  CREATE VIEW open_totals AS SELECT customer, sum(total) AS total FROM orders WHERE state = 'open' GROUP BY customer;
`;

export interface Story {
  /** Tokens by agent. */
  readonly tokens: Readonly<Record<string, string>>;
}

export async function makeStory({ db }: Pick<Console, 'db'>): Promise<Story> {
  await db.sql({ sql: TABLES });
  await db.set_merge_policy({ name: 'careful', rules: { max_rows: 20, max_deletes: 0, review_tables: ['customers'], confirm_deletes_over: 5 } });
  await db.set_merge_check({ name: 'no_free_goods', query: 'SELECT sku FROM prices WHERE price <= 0', tables: ['prices'] });
  await db.set_reader({ name: 'revenue_dashboard', table: 'orders', columns: ['total'], kind: 'dashboard', critical: true, detail: 'board meeting, Mondays' });
  const tokens: Record<string, string> = {};
  for (const name of ['tidy', 'pricer']) {
    const { token } = await db.create_agent({ name, can: ['read', 'fork', 'write_own', 'merge_own', 'write_main'], policy: 'careful', max_worlds: 20 });
    tokens[name] = token;
  }
  const tidy = db.directory.byName('tidy')!;
  const pricer = db.directory.byName('pricer')!;
  // One that waits: deletes, updates, a definition, an effect.
  await db.fork(
    {
      name: 'tidy-customers',
      meta: {
        intent: 'Remove customers without a city, merge doubles, and mark the rest as checked.',
        may_change: ['customers', 'orders'],
        max_rows: 60,
        max_deletes: 5,
      },
    },
    tidy,
  );
  await db.sql(
    {
      branch: 'tidy-customers',
      sql: `ALTER TABLE customers ADD COLUMN checked boolean; DELETE FROM orders WHERE customer IN (7, 8); DELETE FROM customers WHERE id IN (7, 8);
        UPDATE customers SET checked = true, city = 'Oslo (NO)' WHERE city = 'Oslo' AND id < 90; UPDATE customers SET balance = balance + 0.10 WHERE id IN (12, 13);
        INSERT INTO customers (id, name, city, balance) VALUES (9001, 'Ines Noor', 'Oslo (NO)', 12.50); NOTIFY ON MERGE mail, '{"to": "team", "about": "customers tidied"}'`,
    },
    tidy,
  );
  await held(db.merge({ branch: 'tidy-customers' }, tidy));
  // One that is in conflict with main.
  await db.fork({ name: 'spring-prices', meta: { intent: 'Spring prices: five per cent off what is overstocked.' } }, pricer);
  await db.sql({ branch: 'spring-prices', sql: "UPDATE prices SET price = price - 1, stock = stock + 1 WHERE sku < 'SKU-0012'" }, pricer);
  await db.sql({ sql: "UPDATE prices SET price = price + 2 WHERE sku IN ('SKU-0003', 'SKU-0004'); UPDATE prices SET stock = 0 WHERE sku = 'SKU-0005'" });
  // One that passes the rules, and one of a person.
  await db.fork({ name: 'restock' }, pricer);
  await db.sql({ branch: 'restock', sql: "UPDATE prices SET stock = stock + 50 WHERE sku = 'SKU-0100'" }, pricer);
  await db.merge({ branch: 'restock' }, pricer);
  await db.fork({ name: 'audit-2026' });
  await db.checkpoint({ name: 'before-audit' });
  return { tokens };
}

/** A merge that the policy holds. */
async function held(merge: Promise<unknown>): Promise<void> {
  const refused = await merge.then(
    () => null,
    (error: unknown) => error,
  );
  if (refused === null) throw new Error('the policy let it through');
}
