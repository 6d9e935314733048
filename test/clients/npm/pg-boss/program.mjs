// Queues and works jobs with pg-boss.
import PgBoss from 'pg-boss';

const boss = new PgBoss({
  host: '127.0.0.1',
  port: Number(process.env.PORT),
  database: process.env.DATABASE,
  user: process.env.USER,
  max: 3,
  supervise: false,
  schedule: false,
});
const say = (name, value) => console.log(name, JSON.stringify(value));
boss.on('error', (error) => say('error', error.message));
await boss.start();
say('schema', await boss.schemaVersion());
await boss.createQueue('dead');
await boss.createQueue('mail', { policy: 'standard', retryLimit: 1, retryDelay: 0, deadLetter: 'dead', expireInSeconds: 60 });
await boss.createQueue('one', { policy: 'singleton' });
const { name, policy, retryLimit, retryDelay, deadLetter, expireInSeconds } = await boss.getQueue('mail');
say('queue', { name, policy, retryLimit, retryDelay, deadLetter, expireInSeconds });
const id = await boss.send('mail', { to: 'ann', n: 1.5, list: [null] }, { priority: 2 });
say('sent', typeof id);
await boss.insert([
  { name: 'mail', data: { to: 'bob' }, priority: 9 },
  { name: 'mail', data: { to: 'cy' } },
]);
say('later', (await boss.sendAfter('mail', { to: 'later' }, {}, new Date(Date.now() + 3_600_000))) !== null);
say(
  'throttled',
  [await boss.sendThrottled('mail', { t: 1 }, {}, 3600, 'k'), await boss.sendThrottled('mail', { t: 2 }, {}, 3600, 'k')].map((each) => each === null),
);
say(
  'debounced',
  [await boss.sendDebounced('mail', { d: 1 }, {}, 3600, 'd'), await boss.sendDebounced('mail', { d: 2 }, {}, 3600, 'd')].map((each) => each === null),
);
say('size', await boss.getQueueSize('mail'));
const jobs = await boss.fetch('mail', { batchSize: 10, includeMetadata: true });
say(
  'fetched',
  jobs
    .map(({ data, state, priority, retryCount, policy }) => ({ data, state, priority, retryCount, policy }))
    .sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b))),
);
say('fetched again', await boss.fetch('mail'));
const bob = jobs.find(({ data }) => data.to === 'bob');
await boss.complete('mail', bob.id, { ok: true });
const cy = jobs.find(({ data }) => data.to === 'cy');
await boss.fail('mail', cy.id, new Error('first'));
const [again] = await boss.fetch('mail', { includeMetadata: true });
say('retried', [again.id === cy.id, again.retryCount, again.output?.message]);
await boss.fail('mail', again.id, { why: 'second' });
await boss.cancel('mail', id);
const states = [];
for (const each of [bob, cy]) states.push((await boss.getJobById('mail', each.id)).state);
states.push((await boss.getJobById('mail', id)).state);
say('states', states);
await boss.resume('mail', id);
say('resumed', (await boss.getJobById('mail', id)).state);
const [dead] = await boss.fetch('dead');
say('dead letter', dead.data);
const worked = [];
await boss.createQueue('work');
let finish;
const finished = new Promise((resolve) => (finish = resolve));
await boss.work('work', { batchSize: 5, pollingIntervalSeconds: 0.5 }, async (batch) => {
  worked.push(...batch.map(({ data }) => data.i));
  if (worked.length === 20) finish();
  return { done: batch.length };
});
await boss.insert(Array.from({ length: 20 }, (_, i) => ({ name: 'work', data: { i } })));
await finished;
await boss.offWork('work');
say(
  'worked',
  worked.sort((a, b) => a - b),
);
await boss.subscribe('event', 'mail');
await boss.publish('event', { from: 'event' });
say(
  'published',
  (await boss.fetch('mail', { batchSize: 10 })).map(({ data }) => data).filter(({ from }) => from !== undefined),
);
say(
  'singleton',
  [await boss.send('one', {}, { singletonKey: 'x' }), await boss.send('one', {}, { singletonKey: 'x' })].map((each) => each !== null),
);
say('active', [(await boss.fetch('one', { batchSize: 2 })).length, (await boss.fetch('one')).length]);
await boss.schedule('mail', '0 3 * * *', { nightly: true }, { tz: 'UTC' });
say(
  'schedules',
  (await boss.getSchedules()).map(({ name, cron, timezone, data }) => ({ name, cron, timezone, data })),
);
await boss.maintain();
await boss.updateQueue('mail', { retryLimit: 3 });
say('queues', (await boss.getQueues()).map(({ name, policy, retryLimit }) => [name, policy, retryLimit]).sort());
await boss.clearStorage();
await boss.deleteQueue('work');
say('left', (await boss.getQueues()).map(({ name }) => name).sort());
await boss.stop({ graceful: false, wait: true });
process.exit(0);
