// Adds and runs jobs with graphile-worker.
import pg from 'pg';
import { Logger, makeWorkerUtils, run, runMigrations, runOnce } from 'graphile-worker';

const connectionString = process.env.DATABASE_URL ?? `postgres://${process.env.USER}@127.0.0.1:${process.env.PORT}/${process.env.DATABASE}`;
const logger = new Logger(() => () => {});
const say = (name, value) => console.log(name, JSON.stringify(value));
const pgPool = new pg.Pool({ connectionString, max: 5 });
const options = { pgPool, logger };
await runMigrations(options);
const utils = await makeWorkerUtils(options);
say(
  'migrations',
  (await pgPool.query('SELECT id FROM graphile_worker.migrations ORDER BY id')).rows.map(({ id }) => id),
);
const done = [];
const taskList = {
  greet: async ({ name }, helpers) => {
    done.push(`greet ${name} ${helpers.job.attempts}`);
    if (name === 'later') await helpers.addJob('greet', { name: 'added within' });
  },
  fails: async ({ times }, helpers) => {
    done.push(`fails ${helpers.job.attempts}`);
    if (helpers.job.attempts <= times) throw new Error(`failed ${helpers.job.attempts}`);
  },
  query: async (payload, helpers) => {
    const { rows } = await helpers.query('SELECT $1::int * 2 AS n', [payload.n]);
    done.push(`query ${rows[0].n}`);
  },
  batch: async (payloads) => {
    done.push(`batch ${JSON.stringify(payloads)}`);
    return payloads.map(({ ok }) => (ok ? undefined : Promise.reject(new Error('one of a batch'))));
  },
};
const jobOf = ({ payload, priority, attempts, max_attempts, last_error, key, revision, flags }) => ({
  payload,
  priority,
  attempts,
  max_attempts,
  last_error,
  key,
  revision,
  flags,
});
say('added', jobOf(await utils.addJob('greet', { name: 'ann' }, { queueName: 'q', priority: 5, flags: ['b', 'a'] })));
await utils.addJob('greet', { name: 'bob' }, { queueName: 'q' });
say('key', [jobOf(await utils.addJob('query', { n: 1 }, { jobKey: 'k' })).revision, jobOf(await utils.addJob('query', { n: 21 }, { jobKey: 'k' })).revision]);
await utils.addJob('query', { n: 5 }, { jobKey: 'p', jobKeyMode: 'preserve_run_at', runAt: new Date(Date.now() + 3_600_000) });
await utils.addJob('fails', { times: 1 }, { maxAttempts: 2 });
say(
  'many',
  (
    await utils.addJobs?.([
      { identifier: 'greet', payload: { name: 'one of many' } },
      { identifier: 'greet', payload: { name: 'two of many' } },
    ])
  )?.map((job) => jobOf(job).payload) ?? null,
);
await utils.addJob('batch', [{ ok: true }, { ok: false }]);
await pgPool.query(`SELECT graphile_worker.add_job('greet', json_build_object('name', 'by sql'), run_at := now() - interval '1 minute', priority := -1)`);
await pgPool.query(`CREATE TABLE people (id serial PRIMARY KEY, name text)`);
await pgPool.query(
  `CREATE FUNCTION greet_person() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM graphile_worker.add_job('greet', json_build_object('name', NEW.name)); RETURN NEW; END $$`,
);
await pgPool.query(`CREATE TRIGGER greets AFTER INSERT ON people FOR EACH ROW EXECUTE FUNCTION greet_person()`);
await pgPool.query(`INSERT INTO people (name) VALUES ('by trigger')`);
await runOnce({ ...options, taskList });
say('done once', done.splice(0).sort());
const jobs = async () =>
  (await pgPool.query('SELECT task_identifier, queue_name, attempts, max_attempts, last_error, key, revision FROM graphile_worker.jobs ORDER BY id')).rows;
say(
  'jobs',
  (await jobs()).map((job) => ({ ...job, last_error: job.last_error?.split('\n')[0] ?? null })),
);
await pgPool.query(`UPDATE graphile_worker._private_jobs SET run_at = now() WHERE attempts > 0`);
const runner = await run({ ...options, taskList, concurrency: 3, pollInterval: 60_000, noHandleSignals: true });
await utils.addJob('greet', { name: 'later' }); // A notification wakes the runner.
for (let tries = 0; tries < 200 && !done.some((each) => each.startsWith('greet added within')); tries++)
  await new Promise((resolve) => setTimeout(resolve, 50));
await runner.stop();
say('done by the runner', done.splice(0).sort());
const ids = (await jobs()).length;
say('left', ids);
const all = (await pgPool.query('SELECT id FROM graphile_worker.jobs ORDER BY id')).rows.map(({ id }) => id);
say(
  'rescheduled',
  (await utils.rescheduleJobs(all, { priority: 3, attempts: 0, maxAttempts: 7 })).map((job) => [job.priority, job.attempts, job.max_attempts]),
);
say(
  'failed',
  (await utils.permanentlyFailJobs(all.slice(0, 1), 'enough')).map((job) => [job.last_error, job.attempts === job.max_attempts]),
);
say('completed', (await utils.completeJobs(all)).length);
await utils.cleanup({ tasks: ['GC_TASK_IDENTIFIERS', 'GC_JOB_QUEUES', 'DELETE_PERMAFAILED_JOBS'] });
say('tasks', (await pgPool.query('SELECT identifier FROM graphile_worker._private_tasks')).rows.length);
await utils.release();
await pgPool.end();
process.exit(0);
