/** Queries that clients send to the catalogs, recorded against Postgres, parse and bind here. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Bench, makeBench } from './bind-queries.ts';
import { makeRegistry, makeSchema } from './library.ts';
import { SHOP } from './shop.ts';

let bench: Bench;

beforeAll(async () => {
  const registry = await makeRegistry();
  bench = makeBench(registry, makeSchema(registry, SHOP));
});

interface Recorded {
  readonly command: string;
  readonly sql: string;
}

function recorded(file: string): Recorded[] {
  const out: Recorded[] = [];
  let command = '';
  let lines: string[] = [];
  const end = (): void => {
    if (lines.some((line) => line.trim() !== '')) out.push({ command, sql: lines.join('\n') });
    lines = [];
  };
  for (const line of readFileSync(join(import.meta.dirname, file), 'utf8').split('\n')) {
    if (line === '--;') end();
    else if (line.startsWith('--: ')) {
      end();
      command = line.slice(4);
    } else lines.push(line);
  }
  end();
  return out;
}

for (const file of readdirSync(import.meta.dirname).filter((name) => name.endsWith('.sql'))) {
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
