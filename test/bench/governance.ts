import { join } from 'node:path';
import { open } from '../../src/database.ts';
import { median, ms, type Report, timed, times } from './report.ts';

const ROWS = 1_000_000;
const CHANGED = 100_000;
const ROUNDS = 6;

/** What policies, checks and noted reads cost beside the same work without them, in turns in one run. */
export async function benchGovernance(report: Report, folder: string): Promise<void> {
  const db = await open(join(folder, 'governance'));
  report.section(
    'Governed merges',
    `A branch of ${CHANGED.toLocaleString('en-US')} scattered rows in ${ROWS.toLocaleString('en-US')}; medians of ${ROUNDS} turns.`,
  );
  await db.sql({
    sql: `CREATE TABLE items (id int PRIMARY KEY, price int, name text); INSERT INTO items SELECT i, i, 'item ' || i FROM generate_series(1, ${ROWS}) i`,
  });
  await db.flush();
  const rules = {
    max_rows: 10 * CHANGED,
    max_deletes: 10,
    rows_per_hour: 1e9,
    deletes_per_hour: 1000,
    max_age: '1d',
    tables: ['items'],
    review_tables: ['secrets'],
    review_columns: ['items.name'],
  };
  await db.set_merge_policy({ name: 'rules', rules });
  await db.set_merge_policy({ name: 'reads', rules: { check_reads: true } });
  const can = ['read', 'fork', 'write_own', 'write_main', 'merge'];
  await db.create_agent({ name: 'free', can });
  await db.create_agent({ name: 'bound', can, policy: 'rules' });
  await db.create_agent({ name: 'reading', can, policy: 'reads' });
  const as = (name: string): ReturnType<typeof db.commandsOf> => db.commandsOf(db.directory.byName(name)!);
  const mergeMs = async (agent: string, round: number): Promise<number> => {
    const commands = as(agent);
    const branch = `${agent}${round}`;
    await commands.fork({ name: branch });
    await commands.sql({ branch, sql: `UPDATE items SET price = price + 1 WHERE id % ${ROWS / CHANGED} = ${round}` });
    await db.flush();
    const begun = performance.now();
    await commands.merge({ branch });
    return performance.now() - begun;
  };
  const merges: Record<string, number[]> = { free: [], bound: [] };
  for (let round = 0; round < ROUNDS; round++)
    for (const agent of round % 2 === 0 ? ['free', 'bound'] : ['bound', 'free']) merges[agent].push(await mergeMs(agent, round));
  const [free, bound] = [median(merges['free']), median(merges['bound'])];
  report.row(`merge of ${CHANGED.toLocaleString('en-US')} rows, no policy`, ms(free));
  report.row('… under a policy of eight rules', `${ms(bound)} (${times(bound / free)})`, '≤ 1.20 × without');
  await db.set_merge_check({ name: 'sane', query: 'SELECT id FROM items WHERE price < 0', tables: ['items'], timeout_ms: 60_000 });
  const checked: number[] = [];
  for (let round = 0; round < 3; round++) checked.push(await mergeMs('bound', ROUNDS + round));
  report.row('… and a merge check that scans the table', ms(median(checked)));
  await db.drop_merge_check({ name: 'sane' });

  const readMs = async (agent: string, branch: string): Promise<number> => {
    const commands = as(agent);
    return timed(4000, (i) => commands.get({ branch, table: 'items', id: String(1 + ((i * 7919) % 900)) }));
  };
  await as('free').fork({ name: 'plain' });
  await as('reading').fork({ name: 'noted' });
  const reads: Record<string, number[]> = { plain: [], noted: [] };
  for (let round = 0; round < ROUNDS; round++) {
    reads['plain'].push(await readMs('free', 'plain'));
    reads['noted'].push(await readMs('reading', 'noted'));
  }
  const [plain, noted] = [median(reads['plain']), median(reads['noted'])];
  report.row('point read in a world', ms(plain));
  report.row('… of one that checks its reads', `${ms(noted)} (${times(noted / plain)})`, '≤ 1.10 × without');
  await db.close();
}
