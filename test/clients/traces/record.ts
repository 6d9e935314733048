/**
 * Rewrites fixtures/clients, run by hand against an empty database `main` of a PostgreSQL 15 where the superuser is `me`:
 *
 *     npx tsc -p test/slt/tsconfig.json && node dist/test/clients/traces/record.js 5432 [client …]
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import knex from 'knex';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import postgres from 'postgres';
import { Sequelize } from 'sequelize';
import { DataSource, EntitySchema } from 'typeorm';
import { projectFolder } from '../../slt/corpora.ts';
import { WireClient } from '../../wire/wire-client.ts';
import { run } from '../client-programs.ts';
import { Listener } from './listen.ts';
import { releaseOf } from './minor-releases.ts';
import { ObjectNames, replay, serverVersion } from './replay.ts';
import { type Conversation, type Reply, SCHEMA, writeTrace } from './trace.ts';

const execute = promisify(execFile);
const versionOf = (name: string): string =>
  (createRequire(join(projectFolder(), 'package.json'))(`./node_modules/${name}/package.json`) as { version: string }).version;
const PROGRAMS = join(projectFolder(), 'test/clients/programs');
const JDBC = '/usr/share/java/postgresql.jar';

/** What psql asks for each command, and for Tab behind a text. */
const PSQL =
  `\\l \\d \\d+ \\dt \\dv+ \\di+ \\ds+ \\dn+ \\df \\dT+ \\du+ \\dp \\dx \\dd \\dC \\dO \\dy \\dRp \\dX \\dP+ \\ddp \\drds \\dl|\\d+ items|\\d shop.users|\\d+ active_items
\\d items_title|\\d numbers|\\d shop.*|\\dt shop.*|\\dT+ shop.*|\\dn shop|\\df pg_catalog.initcap|\\dp shop.users|\\sv active_items|\\z items`
    .split(/\n|\|/)
    .flatMap((part, i) => (i === 0 ? part.split(' ') : [part]));

const python =
  (client: string) =>
  async (port: number): Promise<string> =>
    (await execute('/usr/bin/python3', [join(PROGRAMS, 'look.py'), String(port), client])).stdout.trim();

const at = (port: number): { host: string; port: number; user: string; database: string } => ({ host: '127.0.0.1', port, user: 'me', database: 'main' });

/** Each gives its version. */
const CLIENTS: Readonly<Record<string, (port: number) => Promise<string>>> = {
  async psql(port) {
    for (const command of PSQL) await run('psql', ['-X', '-h', '127.0.0.1', '-p', String(port), '-U', 'me', '-d', 'main'], `${command}\n`);
    return (await execute('psql', ['--version'])).stdout.trim().split(' ')[2];
  },
  async pg_dump(port) {
    await execute('pg_dump', ['-h', '127.0.0.1', '-p', String(port), '-U', 'me', '--schema-only', 'main']);
    return (await execute('pg_dump', ['--version'])).stdout.trim().split(' ')[2];
  },
  async pg(port) {
    const client = new pg.Client(at(port));
    await client.connect();
    await client.query('SELECT id, tags, mood FROM shop.users WHERE id = $1', [1]);
    await client.end();
    return versionOf('pg');
  },
  async postgres(port) {
    const sql = postgres({ ...at(port), max: 1 });
    await sql`SELECT id, tags, mood FROM shop.users WHERE id = ${1}`;
    await sql.end();
    return versionOf('postgres');
  },
  async kysely(port) {
    const db = new Kysely<object>({ dialect: new PostgresDialect({ pool: new pg.Pool({ ...at(port), max: 1 }) }) });
    await db.introspection.getSchemas();
    await db.introspection.getTables({ withInternalKyselyTables: true });
    await db.destroy();
    return versionOf('kysely');
  },
  async knex(port) {
    const db = knex({ client: 'pg', connection: at(port), pool: { min: 0, max: 1 }, searchPath: ['public', 'shop'] });
    await db.schema.hasTable('items');
    await db.schema.hasColumn('items', 'title');
    await db('items').columnInfo();
    await db('users').withSchema('shop').columnInfo();
    await db.destroy();
    return versionOf('knex');
  },
  async typeorm(port) {
    const users = new EntitySchema<{ id: number }>({ name: 'users', schema: 'shop', columns: { id: { type: 'int', primary: true, generated: 'increment' } } });
    const { host, user, database } = at(port);
    const source = await new DataSource({ type: 'postgres', host, port, username: user, database, installExtensions: false, entities: [users] }).initialize();
    await source.driver.createSchemaBuilder().log();
    const runner = source.createQueryRunner();
    await runner.getTables(['shop.users']);
    await runner.hasTable('items');
    await runner.hasColumn('items', 'title');
    await runner.release();
    await source.destroy();
    return versionOf('typeorm');
  },
  async sequelize(port) {
    const { host, user, database } = at(port);
    const db = new Sequelize({ dialect: 'postgres', host, port, username: user, database, logging: false, pool: { max: 1 } });
    await db.authenticate();
    const queries = db.getQueryInterface();
    await queries.showAllTables();
    await queries.showAllSchemas();
    await queries.tableExists('items');
    await queries.describeTable('items');
    await queries.describeTable({ tableName: 'users', schema: 'shop' } as never);
    await queries.showIndex('items');
    await queries.getForeignKeyReferencesForTable('items');
    await db.close();
    return versionOf('sequelize');
  },
  async 'drizzle-kit'(port) {
    const folder = mkdtempSync(join(tmpdir(), 'svc-record-'));
    symlinkSync(join(projectFolder(), 'node_modules'), join(folder, 'node_modules'));
    const config = {
      dialect: 'postgresql',
      out: './out',
      schemaFilter: ['public', 'shop'],
      dbCredentials: { url: `postgres://me@127.0.0.1:${port}/main?sslmode=disable` },
    };
    writeFileSync(join(folder, 'drizzle.config.json'), JSON.stringify(config));
    await execute(process.execPath, [join(folder, 'node_modules/drizzle-kit/bin.cjs'), 'introspect', '--config', 'drizzle.config.json'], { cwd: folder });
    rmSync(folder, { recursive: true });
    return versionOf('drizzle-kit');
  },
  psycopg: python('psycopg'),
  psycopg2: python('psycopg2'),
  asyncpg: python('asyncpg'),
  sqlalchemy: python('sqlalchemy'),
  pgcli: python('pgcli'),
  async jdbc(port) {
    const folder = mkdtempSync(join(tmpdir(), 'svc-record-'));
    await execute('javac', ['-cp', JDBC, '-d', folder, join(PROGRAMS, 'JdbcLook.java')]);
    await execute('java', ['-cp', `${folder}:${JDBC}`, 'JdbcLook', String(port)]);
    rmSync(folder, { recursive: true });
    return (await execute('dpkg-query', ['-W', '-f', '${Version}', 'libpostgresql-jdbc-java'])).stdout.split('-')[0];
  },
  async 'dbd-pg'(port) {
    return (await execute('perl', [join(PROGRAMS, 'look.pl'), String(port)])).stdout;
  },
};

/** Larger replies are recorded by their row count. */
const REPLY_MAX = 8000;

function short(reply: Reply): Reply {
  if ('error' in reply) return reply;
  return reply.map((each) => (JSON.stringify(each.rows).length > REPLY_MAX ? { ...each, rows: (each.rows as readonly unknown[]).length } : each));
}

const [port, ...wanted] = process.argv.slice(2);
const target = Number(port);
const login = { user: 'me', database: 'main' };
const own = await WireClient.login(target, login);
if (!existsSync(JDBC)) process.stderr.write('without a JDBC driver\n');
await own.query(SCHEMA);
const server = releaseOf(await serverVersion(own));
for (const [client, look] of Object.entries(CLIENTS)) {
  if (wanted.length > 0 && !wanted.includes(client)) continue;
  const listener = new Listener(target);
  const version = await look(await listener.listen());
  listener.close();
  const names = await ObjectNames.of(own);
  const text = JSON.stringify(listener.connections);
  const objects = Object.fromEntries(Object.entries(names.named()).filter(([oid]) => new RegExp(`\\b${oid}\\b`).test(text)));
  const conversations: Conversation[] = [];
  let nth = 0;
  for (const { startup, said } of listener.connections) {
    const name = client === 'psql' ? PSQL[nth++] : `connection ${++nth}`;
    // Repeated queries add nothing.
    const once = said.filter((each, i) => said.findIndex((other) => JSON.stringify(other) === JSON.stringify(each)) === i);
    const conversation = { name, startup, said: once.map((each) => ({ ...each, reply: [] })) };
    const replies = await replay(target, conversation, objects, login, ['me']);
    conversations.push({ ...conversation, said: once.map((each, i) => ({ ...each, reply: short(replies[i]) })) });
  }
  writeTrace({ client, version, server, objects, conversations });
  process.stdout.write(
    `${client} ${version}: ${conversations.length} connections, ${conversations.reduce((sum, { said }) => sum + said.length, 0)} statements\n`,
  );
}
own.quit();
