/** Queries that clients send to the catalogs, recorded against Postgres, parse and bind here. */
import { beforeAll, describe, expect, it } from 'vitest';
import { type Bench, makeBench } from './bind-queries.ts';
import { makeRegistry, makeSchema } from './library.ts';
import { recorded, RECORDED_FILES } from './recorded.ts';
import { SHOP } from './shop.ts';

let bench: Bench;

beforeAll(async () => {
  const registry = await makeRegistry();
  bench = makeBench(registry, makeSchema(registry, SHOP));
});

for (const file of RECORDED_FILES) {
  describe(file, () => {
    const byCommand = new Map<string, string[]>();
    for (const { command, sql } of recorded(file)) byCommand.set(command, [...(byCommand.get(command) ?? []), sql]);
    for (const [command, queries] of byCommand) {
      it(command, () => {
        const failed: string[] = [];
        for (const sql of queries) {
          // A function that is called by information_schema's name, and a field of what it returns: not bound yet.
          if (sql.includes('information_schema._pg_expandarray')) continue;
          try {
            bench.bind(sql);
          } catch (error) {
            failed.push(`${(error as Error).message}\n${sql}`);
          }
        }
        expect(failed.join('\n\n')).toBe('');
      });
    }
  });
}
