/**
 * Code that an agent defined does nothing beyond its world and nothing to the session of its caller, however it is run,
 * whatever it contains and whichever principal runs it: ways × statements × callers, in the agent's own fork and in main
 * after a merge by the agent. A statement may fail or do nothing; that it had no effect is checked from main.
 *
 * Here the owner runs all statements in each way, others a rotating share of them; `SVC_MATRIX=full` is the whole product,
 * with each statement also alone, outside of any exception block (an hour). `SVC_MATRIX=table` prints the table even without
 * failures.
 */
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ALONE, BEYOND, type Beyond, ON_THE_FOLDER, ON_THE_SESSION, TOGETHER } from './beyond-the-world.ts';
import { type Called, type Caller, callersOf, difference, endSessions, overWire } from './callers.ts';
import { type AgentName, KEPT_CHECK, literal, MatrixStage } from './matrix-stage.ts';
import { MatrixReport } from './matrix-report.ts';
import { type Way, WAYS } from './ways-of-code.ts';

const FULL = process.env['SVC_MATRIX'] === 'full';
const allowed = process.env['SVC_ALLOW_SERVER_COPY'];
const named = WAYS.map((way, index) => ({ ...way, index }));
type Named = Way & { readonly index: number };

let stage: MatrixStage;
let failed = false;

beforeAll(async () => {
  process.env['SVC_ALLOW_SERVER_COPY'] = '1';
  stage = await MatrixStage.open();
});

afterAll(async () => {
  if (allowed === undefined) delete process.env['SVC_ALLOW_SERVER_COPY'];
  else process.env['SVC_ALLOW_SERVER_COPY'] = allowed;
  await endSessions(stage);
  await stage.close();
});

test('the matrix is as large as it claims, and each name stands once', () => {
  expect(WAYS.length).toBeGreaterThanOrEqual(100);
  expect(BEYOND.length).toBeGreaterThanOrEqual(75);
  for (const names of [WAYS.map(({ name }) => name), BEYOND.map(({ name }) => name)]) expect(new Set(names).size).toBe(names.length);
});

/** The matrix can fail: where code is the owner's and the owner runs into it, each way leads to a statement that works. */
test('each way runs the code: made by the owner and called by the owner it creates a role', async () => {
  const astray: string[] = [];
  const created = async (): Promise<number> =>
    (await stage.owner.query("SELECT count(*)::int AS n FROM pg_roles WHERE rolname LIKE 'got%'")).rows[0].n as number;
  for (const way of named) {
    const world = `m_canary_${way.index}`;
    const error = await stage.make(stage.owner, 'svc', world, way, [ON_THE_FOLDER[0]]);
    if (error !== null) {
      if (way.mayBeRefused !== true) astray.push(`${way.name}: ${error.message}`);
      continue;
    }
    const before = await created();
    const { notices, error: said } = await overWire(stage, way.rolesOnly === true ? 'plain' : 'svc', way, way.fromMain === true ? 'main' : world, world);
    const works = way.rolesOnly === true ? notices.includes('reached') : notices.includes('ran create role') || (await created()) > before;
    if (works === (way.silent === true)) astray.push(`${way.name}: ${works ? 'runs by now' : `not run: ${said ?? notices.join(', ')}`}`);
    await stage.owner.query(`DROP WORLD ${world}`);
  }
  await stage.owner.query('DROP ROLE IF EXISTS got_sql_function');
  expect(astray).toEqual([]);
});

interface Phase {
  readonly agent: AgentName;
  readonly prefix: string;
  /** The agent itself merges what it defined into main, where callers run it. */
  readonly merged: boolean;
}

const PHASES: readonly (Phase & { title: string })[] = [
  { title: "in the agent's fork", agent: 'mallory', prefix: 'm_f', merged: false },
  { title: 'in main, merged by the agent itself', agent: 'merger', prefix: 'm_m', merged: true },
];

describe.each(PHASES)('$title', (phase) => {
  const report = new MatrixReport();
  let agent: pg.Client;

  beforeAll(async () => {
    agent = await stage.connect(phase.agent);
  });

  afterAll(async () => {
    await agent.end();
    if (failed || process.env['SVC_MATRIX'] === 'table') process.stdout.write(`${phase.title}: ${report.count('T')} through\n${report.toString()}\n`);
  });

  test.each(named.filter(({ fromMain }) => !phase.merged || fromMain !== true))('$name', async (way) => {
    const through = await attack(way, phase, agent, report);
    failed ||= through.length > 0;
    expect(through).toEqual([]);
  });
});

/** Everything that got through, by caller where that is known. */
async function attack(way: Named, phase: Phase, agent: pg.Client, report: MatrixReport): Promise<string[]> {
  const code = `${phase.prefix}_${way.index}`;
  const world = way.fromMain === true || phase.merged ? 'main' : code;
  const share = FULL ? { owner: 1, others: 1, shift: 0 } : { owner: phase.merged ? 2 : 1, others: 5, shift: way.index };
  const error = await stage.make(agent, phase.agent, code, way, BEYOND, share);
  // A definition that the agent may not create is harmless. Any other error is a fault of the way, or of the engine.
  if (error !== null) return way.mayBeRefused === true || (error as { code?: string }).code === '42501' ? [] : [`not made: ${error.message}`];
  if (phase.merged) await stage.merge(agent, code);
  const through: string[] = [];
  const before = await stage.snapshot(world === 'main' && !phase.merged ? code : world, phase.merged);
  const ask = async (caller: Caller): Promise<void> => {
    const called: Called | null = await caller.run(stage, way, world, code);
    if (called === null) return;
    report.noticed(way.name, called.notices);
    for (const each of report.through(way.name, called.changed, ON_THE_SESSION)) through.push(`${each} in the session of ${caller.name}`);
  };
  // A put is for few ways: those have it always.
  const callers = callersOf().filter(
    ({ name }, n) => FULL || n === 0 || (name === 'http put' && way.put !== undefined) || (way.index + n) % (phase.merged ? 4 : 3) === 0,
  );
  for (const caller of callers) await ask(caller);
  for (const [n, statement] of alone(way).entries()) {
    await plan(agent, phase, code, statement);
    for (const caller of FULL ? callers.slice(0, 2) : [callers[(way.index + n) % 2]]) await ask(caller);
  }
  const after = await stage.snapshot(world === 'main' && !phase.merged ? code : world, phase.merged);
  through.push(...report.through(way.name, difference(before, after), BEYOND));
  await away(way, phase, code);
  if (through.length > 0) await stage.restage();
  return through;
}

/** Two alone; all if a query does not refuse them anyway. Over all ways each statement is run often. */
function alone({ index, outsideOfQueries }: Named): readonly Beyond[] {
  if (FULL || outsideOfQueries === true) return FULL ? BEYOND : ALONE;
  return [ALONE[index % ALONE.length], TOGETHER[index % TOGETHER.length]];
}

/** The statement that `x.boom()` runs alone. */
async function plan(agent: pg.Client, { merged }: Phase, code: string, { name }: Beyond): Promise<void> {
  const sql = `UPDATE x.plan SET what = ${literal(name)}`;
  if (merged) return void (await agent.query(sql));
  for (const each of [`USE WORLD ${code}`, sql, 'USE WORLD main']) await agent.query(each);
}

async function away(way: Way, { merged }: Phase, code: string): Promise<void> {
  if (!merged) await stage.owner.query(`DROP WORLD ${code}`);
  else {
    for (const sql of way.undo?.split('; ') ?? []) await stage.owner.query(sql);
    await stage.owner.query('DROP SCHEMA x CASCADE');
    await stage.owner.query(KEPT_CHECK);
  }
  await stage.owner.query('DROP ROLE IF EXISTS got_sql_function');
}
