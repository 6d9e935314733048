/** Tables of documents are governed as any table, before and after something was defined about them. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AllCommands } from '../../src/commands/contract.ts';
import { refused, TestDatabase } from '../sql/session/open-database.ts';

let t: TestDatabase;
let agent: AllCommands;
beforeEach(async () => {
  t = await TestDatabase.open();
  // `plain` is what puts alone made; something is defined about `defined`.
  for (const table of ['plain', 'defined']) await t.db.put({ table, id: 'a', record: { n: 1, price: 2, secret: 's', list: [1] } });
  await t.run('CREATE INDEX by_price ON defined (price)');
  await t.db.set_merge_policy({ name: 'watched', rules: { schema: false, critical: false } });
  await t.db.create_agent({ name: 'ann', can: ['read', 'fork', 'write_own', 'write_main', 'merge_own'], policy: 'watched' });
  agent = t.db.commandsOf(t.db.directory.byName('ann')!);
});
afterEach(() => t.close());

/** Why the merge of the agent's change waits; null if it does not. */
async function held(change: (branch: string) => Promise<unknown>): Promise<string | null> {
  await agent.fork({ name: 'draft' });
  await change('draft');
  const error = await agent.merge({ branch: 'draft' }).then(
    () => null,
    (cause: { message: string }) => cause,
  );
  if (error !== null) await t.db.discard({ branch: 'draft' });
  return error === null ? null : error.message.replace(/^.*"watched": /, '');
}

describe.each(['plain', 'defined'])('documents of a table %s', (table) => {
  const STATEMENTS: readonly [statement: string, held: string][] = [
    ['CREATE INDEX by_n ON {t} (n)', 'schema: the merge creates index {t}.by_n'],
    ['ALTER TABLE {t} ADD stars int', 'schema: the merge creates column {t}.stars'],
    ['ALTER TABLE {t} SET (documents = off)', 'schema: the merge changes table {t}'],
    ['ALTER TABLE {t} ADD CHECK (n > 0)', 'schema: the merge creates check {t}.{t}_n_check'],
    ['ALTER TABLE {t} ALTER n SET NOT NULL', 'schema: the merge changes column {t}.n'],
    ['ALTER TABLE {t} RENAME n TO m', 'schema: the merge changes column {t}.m'],
    ['ALTER TABLE {t} RENAME id TO code', 'schema: the merge changes column {t}.code'],
    ['ALTER TABLE {t} DROP n', 'schema: the merge drops column {t}.n'],
  ];
  test.each(STATEMENTS)('%s is held for what it changes', async (statement, said) => {
    await t.db.set_reader({ name: 'bill', table, columns: ['price'], critical: true });
    const filled = (text: string): string => text.replaceAll('{t}', table);
    expect(await held((branch) => agent.sql({ branch, sql: filled(statement) }))).toBe(filled(said));
  });

  test('fields that records bring are data', async () => {
    const put = (record: Record<string, never> | { [field: string]: number | string }): Promise<string | null> =>
      held((branch) => agent.put({ branch, table, id: 'b', record }));
    expect(await put({ n: 5 })).toBeNull();
    expect(await put({ fresh: 5 })).toBeNull();
    expect(await put({ n: 'wide' })).toBeNull();
  });

  test('a critical reader of a field holds rows with it', async () => {
    await t.db.set_reader({ name: 'bill', table, columns: ['price'], critical: true });
    expect(await held((branch) => agent.put({ branch, table, id: 'a', record: { n: 1, price: 3, secret: 's', list: [1] } }))).toBe(
      `critical: the merge changes what critical readers read: bill (${table}.price)`,
    );
    expect(await held((branch) => agent.put({ branch, table, id: 'a', record: { n: 7, price: 2, secret: 's', list: [1] } }))).toBeNull();
  });

  test('a masked field is masked, also inside JSON', async () => {
    await t.run(
      `SECURITY LABEL FOR anon ON COLUMN ${table}.secret IS 'MASKED WITH VALUE NULL'; SECURITY LABEL FOR anon ON COLUMN ${table}.list IS 'MASKED WITH VALUE NULL'`,
    );
    await refused('42501', agent.get({ table, id: 'a' }));
    await refused('42501', agent.find({ table, text: 's', where: { secret: 's' } }));
    await refused('42501', agent.find({ table, text: 's', where: { 'list.x': 1 } }));
    expect((await agent.sql({ sql: `SELECT secret, list, n FROM ${table}` })).results[0].rows).toEqual([{ secret: null, list: null, n: 1 }]);
    expect((await t.db.get({ table, id: 'a' })).row).toMatchObject({ secret: 's' });
  });
});
