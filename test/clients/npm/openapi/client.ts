/** A program over a client that was made of the OpenAPI document: node client.js <url>. Every field that it reads is typed by the document. */
import createClient from 'openapi-fetch';
import type { components, paths } from './api.js';

const client = createClient<paths>({ baseUrl: process.argv[2] });

const health = await client.GET('/v1/health');
console.log('health', health.data?.ok, typeof health.data?.clock.behind_ms);

const put = await client.POST('/v1/put', { body: { table: 'users', id: 'ann', record: { city: 'Oslo', logins: 1 } } });
console.log('put', put.data?.ok);
const fork = await client.POST('/v1/fork', { body: { name: 'draft', meta: { run: 7 } } });
const world: components['schemas']['World'] | undefined = fork.data?.world;
console.log('fork', world?.name, world?.parent, world?.meta['run']);
await client.POST('/v1/put', { body: { branch: 'draft', table: 'users', id: 'ann', record: { city: 'Rome' } } });

const diff = await client.POST('/v1/diff', { body: { branch: 'draft' } });
if (diff.data !== undefined && 'changes' in diff.data) console.log('diff', diff.data.changes?.[0]?.key, diff.data.changes?.[0]?.before?.['city']);

const preview = await client.POST('/v1/merge', { body: { branch: 'draft', dry_run: true } });
if (preview.data !== undefined && 'rows' in preview.data) {
  const [row] = preview.data.rows;
  const outcome: 'insert' | 'update' | 'delete' | 'conflict' | 'keep' | 'converged' | undefined = row?.outcome;
  console.log('preview', row?.key, outcome, row?.result?.['city'], preview.data.summary[0]?.updated);
}

await client.POST('/v1/put', { body: { table: 'users', id: 'ann', record: { city: 'Bern' } } });
const refused = await client.POST('/v1/merge', { body: { branch: 'draft' } });
const conflict: components['schemas']['Conflict'] | undefined = refused.error?.error.conflicts?.[0];
console.log('merge', refused.response.status, refused.error?.error.code, conflict?.key, conflict?.ours?.['city'], conflict?.theirs?.['city']);
const merged = await client.POST('/v1/merge', { body: { branch: 'draft', picks: { 'users/ann': 'theirs' } } });
if (merged.data !== undefined && 'merged' in merged.data) console.log('merged', merged.data.merged);

const sql = await client.POST('/v1/sql', { body: { sql: 'SELECT city FROM users WHERE id = $1', params: ['ann'] } });
console.log('sql', sql.data?.results[0]?.rows[0]?.['city'], sql.data?.results[0]?.types);
const wrong = await client.POST('/v1/sql', { body: { sql: 'SELECT nothing FROM users' } });
console.log('sql', wrong.response.status, wrong.error?.error.code, wrong.error?.error.position, wrong.error?.error.hint);

// @ts-expect-error: a field that is not there
await client.POST('/v1/put', { body: { table: 'users', id: 'eve', recrod: {} } });
// @ts-expect-error: a choice that is none
await client.POST('/v1/merge', { body: { branch: 'draft', resolve: 'mine' } });
// @ts-expect-error: an operation that is not there
await client.POST('/v1/no_such_operation', { body: {} });

const metrics = await client.GET('/metrics', { parseAs: 'text' });
console.log('metrics', metrics.data?.includes('svc_statements_total'));
