/**
 * The cost of authorization for a point read: the same prepared read by key in sessions of the database's own user, who is
 * not checked, of an agent, and of a role with privileges on the table. The three alternate after some 250 reads each, in
 * varying order, and the median slice counts: other work of the machine and the garbage collector make some slices longer,
 * never half of them. The figure is the median of several such comparisons, printed with minimum and maximum. Reads are
 * measured in process, where the statement is all there is: over a socket the share is smaller.
 */
import { join } from 'node:path';
import { open } from '../../src/database.ts';
import { OWNER, type Principal } from '../../src/session/principal.ts';
import { Execution } from '../../src/sql/session/execution.ts';
import type { SqlSession } from '../../src/sql/session/sql-session.ts';
import { WireStatement } from '../../src/wire/wire-statement.ts';
import { median, ms, type Report } from './report.ts';

const ROWS = 10_000;
const READS = 250;
const TURNS = 400;
const PARTS = 9;

/** How much more than 1 the ratios are: the middle one, the least and the most. */
function share(ratios: number[]): string {
  const sorted = ratios.toSorted((a, b) => a - b);
  const percent = (ratio: number): string => `${((ratio - 1) * 100).toFixed(1)} %`;
  return `${percent(median(ratios))} (${percent(sorted[0])} to ${percent(sorted[sorted.length - 1])})`;
}

class Reader {
  readonly #session: SqlSession;
  readonly #statement: WireStatement;

  constructor(session: SqlSession) {
    this.#session = session;
    const text = 'SELECT v FROM bench_points WHERE id = $1';
    this.#statement = new WireStatement(session, '', text, session.parse(text)[0], [null]);
    session.endList();
  }

  read(id: number): number {
    const session = this.#session;
    const statement = this.#statement;
    session.enter(statement.statement);
    session.commitsThisTick = true;
    const execution = new Execution(session, statement.plan(session), [id]);
    while (execution.next() !== null);
    execution.finish();
    session.endList();
    session.commitsThisTick = false;
    session.rest();
    return execution.count;
  }

  /** Microseconds a read. */
  turn(): number {
    const begun = performance.now();
    for (let i = 0; i < READS; i++) if (this.read((i * 7919) % ROWS) !== 1) throw new Error('a read found no row');
    return ((performance.now() - begun) * 1000) / READS;
  }

  close(): void {
    this.#session.close();
  }
}

export async function benchAuthorization(report: Report, folder: string): Promise<void> {
  const db = await open(join(folder, 'authorization'));
  await db.sql({
    sql: `CREATE TABLE bench_points (id int PRIMARY KEY, v text); INSERT INTO bench_points SELECT i, 'row ' || i FROM generate_series(0, ${ROWS - 1}) i;
      CREATE ROLE bench_reader LOGIN; GRANT SELECT ON bench_points TO bench_reader`,
  });
  await db.create_agent({ name: 'bench_agent' });
  const { results } = await db.sql({ sql: "SELECT oid FROM pg_roles WHERE rolname = 'bench_reader'" });
  const role: Principal = {
    kind: 'role',
    oid: Number(results[0].rows[0]['oid']),
    name: 'bench_reader',
    superuser: false,
    createdb: false,
    connectionLimit: -1,
  };
  const readers = [OWNER, db.directory.byName('bench_agent')!, role].map((principal) => new Reader(db.session({ principal })));
  const own: number[] = [];
  const ratios: [number[], number[]] = [[], []];
  // The first part is not counted: the code is compiled in it.
  for (let part = 0; part <= PARTS; part++) {
    const took: number[][] = [[], [], []];
    for (let turn = 0; turn < TURNS; turn++) for (let k = 0; k < 3; k++) took[(turn + k) % 3].push(readers[(turn + k) % 3].turn());
    if (part === 0) continue;
    const [mine, agents, roles] = took.map(median);
    own.push(mine);
    ratios[0].push(agents / mine);
    ratios[1].push(roles / mine);
    // Lets what waits run, outside of what is measured.
    await new Promise(setImmediate);
  }
  report.section('Authorization', `A prepared read by key in the process; ${PARTS} comparisons of ${TURNS} turns of ${READS} reads each.`);
  report.row("read of the database's own user", ms(median(own) / 1000));
  report.row('… of an agent: more', share(ratios[0]), '≤ 2 %');
  report.row('… of a role with privileges: more', share(ratios[1]), '≤ 2 %');
  for (const reader of readers) reader.close();
  await db.close();
}
