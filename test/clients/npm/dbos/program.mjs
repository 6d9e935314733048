// Durable workflows of DBOS, whose state is kept in the database.
import { DBOS } from '@dbos-inc/dbos-sdk';
import pg from 'pg';

const { PORT, DATABASE, USER } = process.env;
const systemDatabaseUrl = `postgres://${USER}@127.0.0.1:${PORT}/${DATABASE}`;
const say = (name, value) => console.log(name, JSON.stringify(value));
// The workflow that fails is logged, also at this level.
process.stderr.write = () => true;
DBOS.setConfig({ name: 'tried', systemDatabaseUrl, systemDatabasePoolSize: 5, logLevel: 'error', runAdminServer: false, enableOTLP: false });
let calls = 0;
let failures = 0;
const add = DBOS.registerWorkflow(
  async (a, b) => {
    const first = await DBOS.runStep(async () => (calls++, a + b), { name: 'first' });
    await DBOS.setEvent('half', { first });
    const note = await DBOS.recv('note', 10);
    await DBOS.sleep(5);
    return { first, note };
  },
  { name: 'add' },
);
const retries = DBOS.registerWorkflow(
  async () =>
    DBOS.runStep(
      async () => {
        if (++failures < 3) throw new Error('not yet');
        return failures;
      },
      { name: 'flaky', retriesAllowed: true, intervalSeconds: 0.01, maxAttempts: 5 },
    ),
  { name: 'retries' },
);
const fails = DBOS.registerWorkflow(
  async () => {
    throw new Error('failed for good');
  },
  { name: 'fails' },
);

const square = DBOS.registerWorkflow(async (n) => n * n, { name: 'square' });
const parent = DBOS.registerWorkflow(
  async () => {
    const children = [];
    for (let n = 1; n <= 5; n++) children.push(await DBOS.startWorkflow(square, { queueName: 'queue' })(n));
    return Promise.all(children.map((child) => child.getResult()));
  },
  { name: 'parent' },
);
await DBOS.launch();
await DBOS.registerQueue('queue', { concurrency: 2 });
const handle = await DBOS.startWorkflow(add, { workflowID: 'add-1' })(2, 3);
say('event', await DBOS.getEvent('add-1', 'half', 10));
await DBOS.send('add-1', { text: 'hello' }, 'note');
say('result', await handle.getResult());
say('again', [await (await DBOS.startWorkflow(add, { workflowID: 'add-1' })(2, 3)).getResult(), calls]);
say('retries', await (await DBOS.startWorkflow(retries, { workflowID: 'retries-1' })()).getResult());
say('fails', await (await DBOS.startWorkflow(fails, { workflowID: 'fails-1' })()).getResult().catch((error) => error.message));
say('queued', await (await DBOS.startWorkflow(parent, { workflowID: 'parent-1' })()).getResult());
const waiting = await DBOS.startWorkflow(add, { workflowID: 'add-2' })(1, 1);
await DBOS.cancelWorkflow('add-2');
say('cancelled', (await waiting.getStatus()).status);
const status = ({ workflowID, status: state, workflowName, output, error }) => [workflowID, state, workflowName, output ?? null, error?.message ?? null];
say('listed', (await DBOS.listWorkflows({ sortDesc: false })).filter(({ workflowName }) => workflowName !== 'square').map(status));
say(
  'steps',
  (await DBOS.listWorkflowSteps('add-1')).map(({ functionID, name, output }) => [functionID, name, name === 'DBOS.sleep' ? null : output]),
);
say('forked', await (await DBOS.forkWorkflow('add-1', 3, { newWorkflowID: 'add-3' })).getResult?.().catch((error) => error.message));
await DBOS.shutdown();
const client = new pg.Client(systemDatabaseUrl);
await client.connect();
say(
  'tables',
  (await client.query(`SELECT table_name FROM information_schema.tables WHERE table_schema = 'dbos' ORDER BY 1`)).rows.map(({ table_name }) => table_name),
);
say('statuses', (await client.query('SELECT status, count(*)::int AS n FROM dbos.workflow_status GROUP BY 1 ORDER BY 1')).rows);
await client.end();
process.exit(0);
