// Checkpoints of a graph and values of a store, as LangGraph keeps them.
import { Annotation, END, START, StateGraph, interrupt, Command } from '@langchain/langgraph';
import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres';
import pg from 'pg';
import { say, url, useStore } from './store.mjs';

const saver = PostgresSaver.fromConnString(url);
await saver.setup();
await saver.setup();
const State = Annotation.Root({ n: Annotation(), log: Annotation({ reducer: (a, b) => a.concat(b), default: () => [] }) });
const graph = new StateGraph(State)
  .addNode('double', ({ n }) => ({ n: n * 2, log: [`double ${n}`] }))
  .addNode('ask', ({ n }) => ({ n: n + interrupt({ question: `more than ${n}?` }), log: ['asked'] }))
  .addNode('last', ({ n }) => ({ log: [`last ${n}`, { bytes: 'x'.repeat(50), none: null }] }))
  .addEdge(START, 'double')
  .addEdge('double', 'ask')
  .addEdge('ask', 'last')
  .addEdge('last', END)
  .compile({ checkpointer: saver });
const config = { configurable: { thread_id: 'one' } };
say('interrupted', (await graph.invoke({ n: 3 }, config)).log);
const waiting = await graph.getState(config);
say('waiting', [waiting.next, waiting.tasks[0].interrupts.map(({ value }) => value), waiting.values.n]);
say('resumed', await graph.invoke(new Command({ resume: 10 }), config));
const history = [];
for await (const each of graph.getStateHistory(config)) history.push([each.metadata.step, each.metadata.source, each.next, each.values.n ?? null]);
say('history', history);
await graph.updateState(config, { n: 100, log: ['changed'] });
say('changed', (await graph.getState(config)).values);
const found = [];
for await (const { metadata } of saver.list({ configurable: { thread_id: 'one' } }, { limit: 3, filter: { source: 'loop' } })) found.push(metadata.step);
say('listed', found);
await graph.invoke({ n: 1 }, { configurable: { thread_id: 'two' } });
const client = new pg.Client(url);
await client.connect();
const rows = async (sql) => (await client.query(sql)).rows;
say(
  'rows',
  await rows(
    'SELECT (SELECT count(*)::int FROM checkpoints) AS checkpoints, (SELECT count(*)::int FROM checkpoint_blobs) AS blobs, (SELECT count(*)::int FROM checkpoint_writes) AS writes, (SELECT max(v) FROM checkpoint_migrations) AS version',
  ),
);
await saver.deleteThread('one');
say('after deletion', await rows('SELECT thread_id, count(*)::int AS n FROM checkpoints GROUP BY 1 ORDER BY 1'));
await saver.end();

await client.end();
await useStore('plain', null);
process.exit(0);
