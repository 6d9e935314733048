import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { serve } from '../wire/open-server.ts';
import { PROGRAMS, pythonWith, runChecks } from './checked-program.ts';

for (const [module, file, checks] of [
  ['psycopg', 'psycopg_program.py', 11],
  ['psycopg2', 'psycopg2_program.py', 8],
  ['asyncpg', 'asyncpg_program.py', 9],
  ['sqlalchemy, psycopg2, asyncpg', 'sqlalchemy_program.py', 8],
] as const) {
  const python = await pythonWith(module);
  describe.skipIf(python === null)(module, () => {
    test('passes its checks', async () => {
      const served = await serve();
      const { failed, count } = await runChecks(python!, [join(PROGRAMS, file), String(served.port)], { PYTHONDONTWRITEBYTECODE: '1' });
      await served.close();
      expect(failed).toEqual([]);
      expect(count).toBe(checks);
    });
  });
}
