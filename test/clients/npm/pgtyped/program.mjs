// The types that pgtyped finds for queries.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, copyFileSync, symlinkSync, rmSync } from 'node:fs';
import pg from 'pg';

const at = (name) => new URL(name, import.meta.url).pathname;
const { PORT, DATABASE, USER } = process.env;
const client = new pg.Client({ host: '127.0.0.1', port: Number(PORT), database: DATABASE, user: USER });
await client.connect();
await client.query(readFileSync(at('schema.sql'), 'utf8'));
await client.end();
const folder = mkdtempSync(at('made-'));
for (const name of ['config.json', 'queries.sql']) copyFileSync(at(name), `${folder}/${name}`);
symlinkSync(at('node_modules'), `${folder}/node_modules`);
const { stdout, stderr } = spawnSync(process.execPath, ['node_modules/@pgtyped/cli/lib/index.js', '-c', 'config.json'], {
  cwd: folder,
  encoding: 'utf8',
  env: { ...process.env, PGHOST: '127.0.0.1', PGPORT: PORT, PGUSER: USER, PGDATABASE: DATABASE, PGPASSWORD: 'none' },
  timeout: 60_000,
});
// eslint-disable-next-line no-control-regex
console.log(
  (stdout + stderr)
    .replaceAll(/\u001b\[[0-9;]*m/g, '')
    .split('\n')
    .filter((line) => /Error|error:|message|Skipped|Saved/.test(line))
    .join('\n'),
);
console.log(readFileSync(`${folder}/queries.queries.ts`, 'utf8'));
rmSync(folder, { recursive: true });
