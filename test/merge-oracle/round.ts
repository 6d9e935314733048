/**
 * One round: both sides of a merge get random definitions and rows, they are brought together in one of all ways, and what comes out goes
 * through pg_dump into Postgres 15, which must take it and hold the same rows. What the dry run said is what came, a refused merge had its
 * reasons in the dry run and changes nothing, and a merge that is undone at once leaves the state before.
 */
import { Client, type QueryResult } from 'pg';
import type { Database } from '../../src/database.ts';
import { run } from '../clients/client-programs.ts';
import { BASE, randomOf, Statements } from './statements.ts';
import { WIDE_BASE, WideStatements } from './wide-statements.ts';
import { difference, readViews, rowsOf, stateOf } from './state.ts';

export const WAYS = ['plain', 'ours', 'theirs', 'columns', 'only', 'into', 'from parent', 'rebase', 'undo later', 'restore', 'beside'] as const;

/** Rounds from this seed on are played in the second world. */
export const WIDE = 1_000_000;
export type Way = (typeof WAYS)[number];

export interface Peers {
  readonly database: Database;
  readonly port: number;
  readonly pgDump: string;
  /** In the database that dumps are restored to. */
  readonly postgres: Client;
}

export interface Round {
  readonly seed: number;
  readonly way: Way;
  readonly statements: readonly string[];
  /** What is wrong; none: all is well. */
  readonly findings: readonly string[];
  readonly merged: boolean;
}

type Failed = Error & { code?: string; data?: { conflicts?: unknown[] } };

export async function playRound(peers: Peers, seed: number): Promise<Round> {
  const random = randomOf(seed);
  const way = WAYS[seed % WAYS.length];
  const wide = seed >= WIDE;
  const made = wide ? new WideStatements(random) : new Statements(random);
  const log: string[] = [];
  const findings: string[] = [];
  const clients: Client[] = [];
  const names = { parent: `r${seed}`, branch: `r${seed}_w`, other: `r${seed}_o` };
  const open = async (database: string): Promise<Client> => {
    const client = new Client({ host: '127.0.0.1', port: peers.port, user: 'svc', database });
    client.on('error', () => {});
    await client.connect();
    clients.push(client);
    return client;
  };
  const tried = async (client: Client, sql: string): Promise<QueryResult | Failed> => {
    try {
      if (sql.startsWith('CREATE OR REPLACE FUNCTION twice') && (await client.query(USES_OF_TWICE)).rows.length > 0) return { rowCount: 0 } as QueryResult;
      const result = await client.query(sql);
      // What met no row is no part of the story.
      if (result.rowCount !== 0) log.push(`${client.database}: ${sql}`);
      return result;
    } catch (error) {
      // Our own faults are found here, too.
      if ((error as Failed).code === 'XX000') findings.push(`internal error in ${client.database}: ${sql}: ${(error as Error).message}`);
      return error as Failed;
    }
  };
  let merged = false;
  try {
    const main = await open('main');
    await main.query(`CREATE DATABASE ${names.parent} TEMPLATE template0`);
    const parent = await open(names.parent);
    await parent.query(wide ? WIDE_BASE : BASE);
    await main.query(`CREATE WORLD ${names.branch} FROM ${names.parent}`);
    if (way === 'into') await main.query(`CREATE WORLD ${names.other} FROM ${names.parent}`);
    const branch = await open(names.branch);
    const target = way === 'into' ? await open(names.other) : way === 'from parent' || way === 'rebase' ? branch : parent;
    const source = target === branch ? parent : branch;
    const wanted = 5 + random(8);
    for (let done = 0, tries = 0; done < wanted && tries < 80; tries++) {
      const result = await tried(random(2) === 0 ? source : target, made.statement());
      if (!(result instanceof Error) && (result.rowCount ?? 1) > 0) done++;
    }
    const before = await stateOf(target);
    const beside = way === 'beside' ? await open(target.database!) : null;
    if (beside !== null) {
      await beside.query('BEGIN');
      await tried(beside, made.row());
    }
    merged = await bring(peers, way, names, main, random, wide, log, findings);
    if (beside !== null && (await tried(beside, 'COMMIT')) instanceof Error) log.push('the transaction beside was refused');
    const reached = await open(target.database!);
    if (!merged && way !== 'undo later' && beside === null) {
      const now = await stateOf(reached);
      if (now !== before) findings.push(`a refused ${way} changed the target:\n${difference(before, now)}`);
    }
    await compareWithPostgres(peers, reached, findings);
    if (merged && beside === null && ['plain', 'ours', 'theirs', 'columns'].includes(way)) {
      const undone = await tried(main, `UNDO MERGE ${names.branch}`);
      if (undone instanceof Error) findings.push(`a merge cannot be undone at once: ${undone.message}`);
      else {
        const now = await stateOf(await open(target.database!));
        if (now !== before) findings.push(`undone at once, the state is another:\n${difference(before, now)}`);
      }
    }
    if (way === 'undo later' && merged) {
      for (let i = 0; i < 4; i++) await tried(parent, made.statement());
      const then = await stateOf(parent);
      const undone = await tried(main, `UNDO MERGE ${names.branch}${random(2) === 0 ? ' SKIP CHANGED' : ''}`);
      if (undone instanceof Error) {
        const now = await stateOf(await open(names.parent));
        if (now !== then) findings.push(`a refused undo changed the target:\n${difference(then, now)}`);
      }
      await compareWithPostgres(peers, await open(names.parent), findings);
    }
  } catch (error) {
    findings.push(`the round failed: ${(error as Error).stack}`);
  } finally {
    for (const client of clients) await client.end().catch(() => {});
    await dropWorlds(peers, names);
  }
  return { seed, way, statements: log, findings, merged };
}

/** Indexes, checks and generated columns over the function: with another body they are stale in Postgres as well, which refuses a dump of them. */
const USES_OF_TWICE = `SELECT 1 FROM pg_index WHERE pg_get_indexdef(indexrelid) LIKE '%twice(%'
  UNION ALL SELECT 1 FROM pg_constraint WHERE pg_get_constraintdef(oid) LIKE '%twice(%'
  UNION ALL SELECT 1 FROM pg_attrdef WHERE pg_get_expr(adbin, adrelid) LIKE '%twice(%'`;

/** Whether it went through. */
async function bring(
  peers: Peers,
  way: Way,
  names: Record<'parent' | 'branch' | 'other', string>,
  main: Client,
  random: (n: number) => number,
  wide: boolean,
  log: string[],
  findings: string[],
): Promise<boolean> {
  const { commands } = peers.database;
  const only = (wide ? ['owner', 'item', 'slot', 'kind', 'place'] : ['t1', 't2', 't3', 'p1', 'plain']).filter(() => random(2) === 0);
  const input = {
    plain: {},
    beside: {},
    'undo later': {},
    ours: { resolve: 'ours' },
    theirs: { resolve: 'theirs' },
    columns: { columns: true },
    only: { only_tables: only.length === 0 ? [wide ? 'item' : 't1'] : only },
    into: { into: names.other },
  }[way as string] as object | undefined;
  if (way === 'rebase' || way === 'restore' || way === 'from parent') {
    const sql =
      way === 'rebase'
        ? `REBASE WORLD ${names.branch}`
        : way === 'restore'
          ? `RESTORE WORLD ${names.parent} TO '-${1 + random(60)}ms'`
          : `MERGE WORLD ${names.parent} INTO ${names.branch}`;
    log.push(sql);
    return main.query(sql).then(
      () => true,
      (error: Failed) => {
        if (error.code === 'XX000') findings.push(`internal error: ${sql}: ${error.message}`);
        log.push(`refused: ${error.message}`);
        return false;
      },
    );
  }
  const asked = { branch: names.branch, ...input };
  log.push(`merge ${JSON.stringify(asked)}`);
  let preview: Awaited<ReturnType<typeof commands.preview>> | null = null;
  try {
    preview = await commands.preview(asked as never);
  } catch (error) {
    if (!('code' in (error as object)) || (error as Failed).code === 'XX000') findings.push(`the dry run failed: ${(error as Error).stack}`);
    log.push(`the dry run is refused: ${(error as Error).message}`);
  }
  try {
    await commands.merge(asked as never);
    if (preview === null) findings.push('the dry run was refused, the merge was not');
    else if (preview.conflicts.length > 0) findings.push(`the dry run has ${preview.conflicts.length} conflicts, the merge went through`);
  } catch (error) {
    const { code, message } = error as Failed;
    log.push(`the merge is refused: ${message}`);
    if (code === undefined || code === 'XX000') findings.push(`the merge failed: ${(error as Error).stack}`);
    if (preview !== null && preview.conflicts.length === 0) findings.push(`the dry run had no reason, the merge is refused: ${message}`);
    return false;
  }
  if (preview !== null) await comparePreview(peers, way === 'into' ? names.other : names.parent, preview.rows, findings);
  return true;
}

/** Rows that the dry run foretold are there. */
async function comparePreview(
  peers: Peers,
  world: string,
  rows: readonly { key: string; outcome: string; result: unknown }[],
  findings: string[],
): Promise<void> {
  const tables = await peers.database.sql({ branch: world, sql: `SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace` });
  const known = new Set(tables.results[0].rows.map((row) => (row as { relname: string }).relname));
  for (const { key, outcome, result } of rows) {
    if (key.includes('/definition') || key.startsWith('definition/')) continue;
    const slash = key.indexOf('/');
    const [table, id] = [key.slice(0, slash), key.slice(slash + 1)];
    if (!known.has(table)) continue;
    const found = await peers.database.commands.get({ branch: world, table, id } as never).then(
      ({ row }) => row as unknown,
      (error: Failed) => (error.code === 'SV404' || error.code === '02000' ? null : undefined),
    );
    // Of a table by another name now, or without a key, rows are not found by what the branch called them; another table may have the name of one that both dropped.
    if (found === undefined || (outcome === 'converged' && result === null)) continue;
    if (JSON.stringify(found) !== JSON.stringify(result))
      findings.push(`the dry run foretold ${outcome} ${key} as ${JSON.stringify(result)}, it is ${JSON.stringify(found)}`);
  }
}

async function compareWithPostgres(peers: Peers, client: Client, findings: string[]): Promise<void> {
  const { postgres, pgDump, port } = peers;
  const rows = await rowsOf(client);
  await readViews(client).catch((error: Failed) => findings.push(`a view cannot be read: ${error.message}`));
  const dumped = await run(pgDump, [
    '-h',
    '127.0.0.1',
    '-p',
    String(port),
    '-U',
    'svc',
    '--no-owner',
    '--no-privileges',
    '--column-inserts',
    '--rows-per-insert=50',
    client.database!,
  ]);
  if (dumped.code !== 0) return void findings.push(`pg_dump fails: ${dumped.err}`);
  await postgres.query('DROP SCHEMA IF EXISTS side CASCADE; DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  try {
    await postgres.query(dumped.out.replaceAll(/^\\.*$/gm, ''));
  } catch (error) {
    findings.push(`Postgres refuses the result: ${(error as Error).message} ${(error as { detail?: string }).detail ?? ''}`);
    return;
  }
  await postgres.query('RESET ALL');
  const there = await rowsOf(postgres);
  for (const table of new Set([...rows.keys(), ...there.keys()])) {
    const [a, b] = [rows.get(table), there.get(table)];
    if (a === undefined || b === undefined) findings.push(`table ${table} is ${a === undefined ? 'missing here' : 'missing in Postgres'}`);
    else if (a.join('\n') !== b.join('\n')) findings.push(`table ${table} differs:\n${difference(a.join('\n'), b.join('\n'))}`);
  }
}

async function dropWorlds({ database }: Peers, names: Record<string, string>): Promise<void> {
  for (const name of [names['other'], names['branch'], names['parent']]) await database.commands.discard({ branch: name, cascade: true }).catch(() => {});
}
