/** psql's completion by Tab, typed into a terminal: its queries find what there is. */
import { type ChildProcess, spawn } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OWNER } from '../../src/session/principal.ts';
import { serve, type Served } from '../wire/open-server.ts';
import { program } from './client-programs.ts';

const psql = program('psql');
/** Of util-linux: gives a program a terminal. */
const script = program('script');

const CASES: readonly [typed: string, shown: string][] = [
  ['select * from cus', 'select * from customers '],
  ['select * from shop.', 'select * from shop.orders '],
  ['\\d v', '\\d vcust '],
  ['\\dn sh', '\\dn shop '],
  ['\\du al', '\\du alice '],
  ['\\c dr', '\\c draft '],
  ['SET work', 'SET work_mem '],
  ["SET TimeZone TO 'Europe/Ber", "SET TimeZone TO 'Europe/Berlin' "],
  ['SHOW work', 'SHOW work_mem '],
  ['update cus', 'update customers '],
  ['insert into customers (full', 'insert into customers (full_name '],
  ['alter table customers drop column full', 'alter table customers drop column full_name '],
  ['select * from customers where full', 'select * from customers where full_name '],
  ['grant select on customers to al', 'grant select on customers to alice '],
  ['drop view vc', 'drop view vcust '],
  ['drop database dr', 'drop database draft '],
  ['create index on cus', 'create index on customers '],
  ['lock table cus', 'lock table customers '],
];

describe.skipIf(psql === null || script === null)('psql completes', () => {
  let served: Served;
  let terminal: ChildProcess;
  let screen = '';
  const until = async (text: string, ms = 10_000): Promise<boolean> => {
    for (const end = Date.now() + ms; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 20))) if (screen.includes(text)) return true;
    return false;
  };
  beforeAll(async () => {
    served = await serve();
    const session = served.database.session({ branch: 'main', principal: OWNER });
    await session.run(
      'CREATE TABLE customers (id int PRIMARY KEY, full_name text); CREATE SCHEMA shop; CREATE TABLE shop.orders (id int); CREATE VIEW vcust AS SELECT * FROM customers; CREATE ROLE alice',
    );
    await session.run('CREATE WORLD draft');
    session.close();
    const command = `${psql!} -X -h 127.0.0.1 -p ${served.port} -U me -d main`;
    terminal = spawn(script!, ['-qec', command, '/dev/null'], { env: { ...process.env, TERM: 'dumb', INPUTRC: '/dev/null', COLUMNS: '200' } });
    terminal.stdout!.on('data', (chunk: Buffer) => {
      screen += chunk.toString();
    });
    expect(await until('main=# ')).toBe(true);
  }, 30_000);
  afterAll(async () => {
    terminal.stdin!.end('\u0003\\q\n');
    terminal.kill();
    await served.close();
  });

  test.each(CASES)('%j', async (typed, shown) => {
    screen = '';
    terminal.stdin!.write(`${typed}\t`);
    const isShown = await until(shown);
    const seen = screen;
    // Cancel the line.
    screen = '';
    terminal.stdin!.write('\u0003');
    expect(await until('main=# ')).toBe(true);
    expect({ isShown, seen }).toEqual({ isShown: true, seen });
    expect(served.faults).toEqual([]);
  });
});
