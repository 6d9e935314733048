/**
 * `npm run bench [-- --rows 1000,100000,10000000] [-- --only commits,worlds,http,recovery,growth,peers,sql,tpch,pgbench,catalog,governance,simulation,authorization,variety,find,attach,start,studio]`: prints the
 * tables behind docs/benchmarks/current.md, each figure beside its floor or its peer in the same run. Run it alone on the machine.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { tuneCollector } from '../../src/base/collector.ts';
import { benchAttach } from './attach.ts';
import { benchAuthorization } from './authorization.ts';
import { benchCatalog } from './catalog.ts';
import { benchCommits } from './commits.ts';
import { benchSimulation } from './simulation.ts';
import { benchFind } from './find.ts';
import { benchGovernance } from './governance.ts';
import { benchGrowth } from './growth.ts';
import { benchHttp } from './http.ts';
import { benchPeers } from './peers.ts';
import { benchPgbench } from './pgbench.ts';
import { benchRecovery } from './recovery.ts';
import { benchVariety } from './variety.ts';
import { benchWorlds } from './worlds.ts';
import { Report } from './report.ts';
import { benchStart } from './start.ts';
import { benchStudio } from './studio.ts';
import { benchSql } from './sql.ts';

const FIND_PARTS = ['docs', 'vectors', 'where'];
const FIND_SIZES = '100000,100000,768,10000,1000000';

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000,100000,1000000,10000000' },
    /** Documents, vectors, their dimensions, forks, and rows of `find where`; or one part of it: `docs`, `vectors`, `where`. */
    find: { type: 'string', default: FIND_SIZES },
    /** Rows of the attached table. */
    attach: { type: 'string', default: '1000000' },
    only: {
      type: 'string',
      default: 'commits,worlds,http,recovery,growth,peers,sql,tpch,pgbench,catalog,governance,simulation,authorization,variety,find,attach,start,studio',
    },
  },
});
// As `svc serve` has it.
tuneCollector();
const folder = join(tmpdir(), `svc-bench-${process.pid}`);
mkdirSync(folder);
const report = new Report();
const only = values.only.split(',');
const sizes = values.rows.split(',').map(Number);
try {
  if (only.includes('commits')) await benchCommits(report, folder);
  if (only.includes('worlds')) await benchWorlds(report, folder, sizes);
  if (only.includes('http')) await benchHttp(report, folder);
  if (only.includes('recovery')) await benchRecovery(report, folder);
  if (only.includes('growth')) await benchGrowth(report, folder);
  if (only.includes('peers')) await benchPeers(report, folder);
  const parts = { queries: only.includes('sql'), tpch: only.includes('tpch') };
  if (parts.queries || parts.tpch) await benchSql(report, folder, parts);
  if (only.includes('pgbench')) await benchPgbench(report, folder);
  if (only.includes('simulation')) await benchSimulation(report, folder);
  if (only.includes('catalog')) await benchCatalog(report, folder);
  if (only.includes('governance')) await benchGovernance(report, folder);
  if (only.includes('authorization')) await benchAuthorization(report, folder);
  if (only.includes('variety')) await benchVariety(report, folder);
  if (only.includes('find')) {
    const part = /^\d/.test(values.find) ? null : values.find;
    if (part !== null && !FIND_PARTS.includes(part)) throw new Error(`--find takes sizes, or one of ${FIND_PARTS.join(', ')}`);
    const [documents, vectors, dimensions, forks, whereRows] = (part === null ? values.find : FIND_SIZES).split(',').map(Number);
    await benchFind(report, folder, { documents, vectors, dimensions, forks, whereRows }, part);
  }
  if (only.includes('attach')) await benchAttach(report, folder, Number(values.attach));
  if (only.includes('start')) await benchStart(report, folder);
  if (only.includes('studio')) await benchStudio(report, folder);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD']).toString().trim();
const page = `Made by \`npm run bench\`${process.argv.length > 2 ? ` (\`${process.argv.slice(2).join(' ')}\`)` : ''} at ${commit}, Node ${process.version}, ${cpus().length} × ${cpus()[0].model.trim()}, with real
fdatasync on the local disk. Absolute times vary by ±40 % from run to run on a shared machine; the ratios, taken in
one run, are what counts.

${report.markdown()}`;
process.stdout.write(`\n${page}`);
