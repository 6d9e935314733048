/** The one way of a call: what refuses it before an operation runs, for every operation of the table. */
import { expect, test } from 'vitest';
import { callOperation } from '../../src/operations/pipeline.ts';
import type { Services } from '../../src/operations/services.ts';
import { ALL_OPERATIONS } from '../../src/operations/table.ts';
import { OWNER, type Principal } from '../../src/session/principal.ts';
import { refused, TestDatabase } from '../sql/session/open-database.ts';

const NAMES = ALL_OPERATIONS.map((operation) => [operation.name, operation] as const);

test.each(NAMES)('%s is refused once the database is closed', async (_, operation) => {
  const services = { isClosed: () => true } as Services;
  await refused('57P01', callOperation(operation, services, OWNER, operation.examples[0].input));
});

test('operations over whole rows are refused to roles without superuser, and no others for that', async () => {
  const t = await TestDatabase.open();
  try {
    await t.run('CREATE ROLE clerk; GRANT pg_read_all_data TO clerk');
    const session = t.db.session();
    const [{ oid }] = (await session.run(`SELECT 'clerk'::regrole::oid::int AS oid`, [])).map(({ rows }) => ({ oid: Number((rows[0] as unknown[])[0]) }));
    session.close();
    const clerk = { kind: 'role', name: 'clerk', oid, superuser: false } as unknown as Principal;
    const refusedOnes: string[] = [];
    for (const [name, operation] of NAMES) {
      const method = (t.db as unknown as Record<string, (input: unknown, by: Principal) => Promise<unknown>>)[name];
      await method(operation.examples[0].input, clerk).catch((error: Error) => {
        if (error.message.includes('reads and writes rows by SQL')) refusedOnes.push(name);
      });
    }
    expect(refusedOnes).toEqual(['get', 'put', 'delete', 'batch', 'find', 'diff', 'check_reads']);
    await expect(t.db.history({ table: 'users', id: 'ann' }, clerk)).rejects.toThrow('reads and writes rows by SQL');
  } finally {
    await t.close();
  }
});
