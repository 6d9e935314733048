/**
 * A server with what the matrix of agents' code needs: roles, agents, worlds, policies, files and data that code might reach for, by
 * SQL, HTTP and MCP. `snapshot` is all of it as lines of text; what differs between two of them got through.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client as ModelClient } from '@modelcontextprotocol/sdk/client/index.js';
import pg from 'pg';
import { type Database, open } from '../../src/database.ts';
import { createHttpServer, type HttpServer } from '../../src/http/server.ts';
import { LoginThrottle } from '../../src/session/login-throttle.ts';
import { ServerIdentity } from '../../src/session/server-identity.ts';
import { createWireServer, type WireServer } from '../../src/wire/server.ts';
import { call, Opened } from '../mcp/clients.ts';
import { type Beyond, BEYOND, textOf } from './beyond-the-world.ts';
import type { Way } from './ways-of-code.ts';

export const PASSWORD = 'matrix';

/** Statements of the owner, each run alone, that restore the initial state from any state; those with nothing to do fail. */
const STAGING: readonly string[] = [
  `CREATE ROLE boss SUPERUSER LOGIN PASSWORD '${PASSWORD}'`,
  `CREATE ROLE plain LOGIN PASSWORD '${PASSWORD}'`,
  'ALTER ROLE plain NOSUPERUSER NOCREATEROLE NOCREATEDB',
  'CREATE ROLE staff',
  "ALTER ROLE staff PASSWORD 'as_it_was'",
  'CREATE ROLE clerk',
  'ALTER ROLE clerk NOSUPERUSER',
  'GRANT staff TO clerk',
  'CREATE ROLE victim',
  'CREATE ROLE renamed',
  'REVOKE boss FROM plain',
  'REVOKE pg_read_server_files FROM plain',
  'REVOKE unmask FROM plain',
  'ALTER ROLE plain RESET ALL',
  'ALTER ROLE ALL RESET ALL',
  'ALTER DATABASE main RESET ALL',
  'REVOKE SET ON PARAMETER log_statement FROM plain',
  'ALTER SYSTEM RESET max_worlds',
  "ALTER SYSTEM SET world_idle_ttl = '30 days'",
  'CREATE AGENT victim_agent',
  'ALTER AGENT mallory CAN (read, fork, write_own)',
  'ALTER AGENT merger CAN (read, fork, write_own, write_main, merge_own)',
  'CREATE MERGE POLICY kept_policy (max_rows = 3)',
  'ALTER MERGE POLICY kept_policy (max_rows = 3, schema = false)',
  'CREATE MERGE POLICY victim_policy (max_rows = 3)',
  'CREATE DATABASE victim_db',
  'CREATE WORLD victim_world',
  'CREATE WORLD kept_world',
  'ALTER WORLD kept_world UNPIN',
  "ALTER WORLD kept_world SET META '{}'",
  'CREATE READER kept_reader ON people (name)',
];

/** What masked readers read: reading it reveals nothing. */
const MASK = 'somebody';

/** Made once, in main. */
const DATA = `
  CREATE TABLE base (id int PRIMARY KEY, v int); INSERT INTO base VALUES (1, 1), (2, 2);
  CREATE TABLE people (id int PRIMARY KEY, name text); INSERT INTO people VALUES (1, 'Ada Masked');
  SECURITY LABEL FOR anon ON COLUMN people.name IS 'MASKED WITH VALUE ''${MASK}''';
  CREATE TABLE nothing (id int PRIMARY KEY);
  CREATE FUNCTION inner_() RETURNS int LANGUAGE sql AS 'SELECT 1';
  CREATE FUNCTION outer_() RETURNS int LANGUAGE plpgsql AS 'BEGIN RETURN inner_(); END';
  CREATE FUNCTION definer_() RETURNS int LANGUAGE plpgsql SECURITY DEFINER AS 'BEGIN RETURN inner_(); END';
  CREATE VIEW counted AS SELECT inner_() AS n;
  CREATE TABLE watched (id int);
  CREATE FUNCTION watches() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM inner_(); RETURN new; END';
  CREATE TRIGGER a BEFORE INSERT ON watched FOR EACH ROW EXECUTE FUNCTION watches();
  CREATE FUNCTION runs(name text, stmt text) RETURNS int LANGUAGE plpgsql AS $runs$
    BEGIN
      RAISE NOTICE 'reached';
      BEGIN
        EXECUTE replace(stmt, '%N', 'runs_' || substr(md5(random()::text), 1, 8));
        RAISE NOTICE 'ran %', name;
      EXCEPTION WHEN OTHERS THEN RAISE NOTICE 'not % %', SQLSTATE, name;
      END;
      RETURN 1;
    END $runs$;
  CREATE FUNCTION runs_new() RETURNS trigger LANGUAGE plpgsql AS $f$ BEGIN PERFORM runs(new.name, new.stmt); RETURN new; END $f$;
  GRANT ALL ON ALL TABLES IN SCHEMA public TO public; GRANT CREATE ON SCHEMA public TO public`;

export const KEPT_CHECK = 'CREATE OR REPLACE MERGE CHECK kept_check ON (base) AS SELECT 1 WHERE (SELECT n FROM counted) < 0';

/** Schema x of an agent's world. `plan` names the only statement to run, alone, or is 'together' for those that can share a call, one in n of them. */
const TOOLS = `
  CREATE SCHEMA x;
  CREATE TABLE x.payloads (n int PRIMARY KEY, name text, stmt text, alone boolean);
  CREATE TABLE x.plan (what text, owner_runs int, others_run int, shift int); INSERT INTO x.plan VALUES ('none', 1, 1, 0);
  CREATE TABLE x.loot (what text);
  CREATE FUNCTION x.given() RETURNS int LANGUAGE sql AS 'SELECT 1';
  CREATE FUNCTION x.boom() RETURNS int LANGUAGE plpgsql AS $boom$
    DECLARE
      p record;
      planned text;
      one_in int;
      shifted int;
      tag text := substr(md5(random()::text || clock_timestamp()::text), 1, 8);
    BEGIN
      RAISE NOTICE 'reached';
      SELECT what, CASE current_setting('application_name') WHEN 'as svc' THEN owner_runs ELSE others_run END, shift + length(current_setting('application_name'))
        INTO planned, one_in, shifted FROM x.plan;
      FOR p IN SELECT name, stmt FROM x.payloads WHERE name = planned OR planned = 'together' AND NOT alone AND (n + shifted) % one_in = 0 ORDER BY n LOOP
        IF planned <> 'together' THEN
          EXECUTE replace(p.stmt, '%N', tag);
          RAISE NOTICE 'ran %', p.name;
        ELSE
          BEGIN
            EXECUTE replace(p.stmt, '%N', tag);
            RAISE NOTICE 'ran %', p.name;
          EXCEPTION WHEN OTHERS THEN RAISE NOTICE 'not % %', SQLSTATE, p.name;
          END;
        END IF;
      END LOOP;
      RETURN 1;
    END $boom$;
  CREATE FUNCTION x.still(int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN x.boom(); END';`;

export const AGENTS = {
  /** Default rights: its fork is all that it may change. */
  mallory: ['read', 'fork', 'write_own'],
  /** Merges its own worlds into main. */
  merger: ['read', 'fork', 'write_own', 'write_main', 'merge_own'],
  /** May everything; calls what others made. */
  chief: ['admin'],
} as const;
export type AgentName = keyof typeof AGENTS;

/** A call runs one in n of the statements, except that the database's own user on a connection runs all; `shift` says which. */
export interface Share {
  readonly owner: number;
  readonly others: number;
  readonly shift: number;
}
const ALL: Share = { owner: 1, others: 1, shift: 0 };

export class MatrixStage {
  readonly folder = mkdtempSync(join(tmpdir(), 'svc-matrix-'));
  readonly files = join(this.folder, 'files');
  readonly tokens = new Map<string, string>();
  readonly #opened = new Opened();
  db!: Database;
  port = 0;
  url = '';
  model!: ModelClient;
  owner!: pg.Client;
  #bystander!: pg.Client;
  #bystanderGone = false;
  #wire!: WireServer;
  #http!: HttpServer;

  static async open(): Promise<MatrixStage> {
    const stage = new MatrixStage();
    await stage.#open();
    return stage;
  }

  async #open(): Promise<void> {
    mkdirSync(this.files);
    writeFileSync(join(this.files, 'secret'), 'the secret of a file');
    const db = (this.db = await open(join(this.folder, 'db'), { checkpointMs: 1e8 }));
    const identity = new ServerIdentity({ token: null, adminToken: null, safe: false }, db.directory, new LoginThrottle(1e9));
    this.#wire = createWireServer({ session: (where) => db.session(where), logins: db.logins(identity), log: () => {} });
    this.port = await this.#wire.listen('127.0.0.1', 0);
    this.#http = createHttpServer({ commandsOf: (principal) => db.commandsOf(principal), identity, version: 'test' });
    this.url = await this.#http.listen('127.0.0.1', 0);
    this.model = await this.#opened.beside(db, { kind: 'owner' }, { unmask: true });
    for (const [name, can] of Object.entries({ ...AGENTS, bystander: ['admin'] as const }))
      this.tokens.set(name, (await db.create_agent({ name, can: [...can] })).token);
    this.owner = await this.connect('svc');
    await this.owner.query(DATA);
    await this.owner.query("SELECT lo_from_bytea(4711, 'x')");
    await this.restage();
    await this.owner.query(KEPT_CHECK);
    for (const [world, row] of [
      ['merged_world', 10],
      ['behind_world', 11],
      ['merges_world', 12],
      ['late', 13],
    ] as const) {
      await this.owner.query(`CREATE WORLD ${world}; USE WORLD ${world}; INSERT INTO base VALUES (${row}, 0); USE WORLD main`);
      if (world === 'merged_world') await this.owner.query('MERGE WORLD merged_world');
    }
    await this.owner.query("USE WORLD late; NOTIFY ON MERGE mail, 'due'; USE WORLD main");
    await this.owner.query('MERGE WORLD late');
    const bystander = await this.connect('bystander');
    await bystander.query('INSERT INTO base VALUES (14, 0)');
    await bystander.end();
    this.tokens.set('ruled', (await this.db.create_agent({ name: 'ruled', can: [...AGENTS.merger], policy: 'kept_policy' })).token);
    const ruled = await this.connect('ruled');
    await ruled.query('CREATE WORLD held_world; USE WORLD held_world; INSERT INTO watched SELECT generate_series(1, 9); USE WORLD main');
    await ruled.query('MERGE WORLD held_world').catch(() => {});
    await ruled.end();
    await this.owner.query('USE WORLD kept_world; CHECKPOINT first ON WORLD kept_world; INSERT INTO base VALUES (20, 0); USE WORLD main');
  }

  /** A client of the SQL port: the owner by any name, a role by its password, an agent by its token. */
  async connect(user: string, database = 'main', name = user): Promise<pg.Client> {
    const client = new pg.Client({
      host: '127.0.0.1',
      port: this.port,
      user,
      database,
      application_name: name,
      password: this.tokens.get(user) ?? PASSWORD,
    });
    client.on('error', () => {});
    await client.connect();
    return client;
  }

  /** The guest, on a port of the same database in safe mode. */
  async connectGuest(): Promise<pg.Client> {
    const identity = new ServerIdentity({ token: null, adminToken: 'the-admin-token-of-this-matrix', safe: true }, this.db.directory, new LoginThrottle(1e9));
    const wire = createWireServer({ session: (where) => this.db.session(where), logins: this.db.logins(identity), log: () => {} });
    const port = await wire.listen('127.0.0.1', 0);
    this.#opened.add(() => wire.close());
    const client = new pg.Client({ host: '127.0.0.1', port, user: 'anybody', password: 'whatever', database: 'main' });
    client.on('error', () => {});
    await client.connect();
    return client;
  }

  /** Calls of a session of MCP in safe mode; an answer that says it failed is thrown. */
  async safeModel(): Promise<(tool: string, args: Record<string, unknown>) => Promise<string>> {
    const client = await this.#opened.beside(this.db, { kind: 'safe' });
    return async (tool, args) => {
      const { text, failed } = await call(client, tool, args);
      if (failed) throw new Error(text);
      return text;
    };
  }

  /** Restores whatever code has changed, as far as SQL can. */
  async restage(): Promise<void> {
    for (const sql of STAGING) await this.owner.query(sql).catch(() => {});
    if (!(await this.bystanderLives())) {
      this.#bystander = await this.connect('svc', 'main', 'bystander');
      this.#bystanderGone = false;
      this.#bystander.on('end', () => (this.#bystanderGone = true));
      this.#bystander.on('error', () => (this.#bystanderGone = true));
    }
  }

  async bystanderLives(): Promise<boolean> {
    if (this.#bystander === undefined || this.#bystanderGone) return false;
    return this.#bystander.query('SELECT 1').then(
      () => true,
      () => false,
    );
  }

  /** What code of `agent` may not change, as seen from main; with what belongs to the database's own user in `world`, and what code has read there. */
  async snapshot(world: string, mainMayChange: boolean): Promise<Set<string>> {
    const lines = new Set<string>();
    const add = async (sql: string, prefix = ''): Promise<void> => {
      for (const row of (await this.owner.query({ text: sql, rowMode: 'array' })).rows as unknown[][]) lines.add(`${prefix}${row.map(String).join(' ')}`);
    };
    await add(FOLDER);
    await add('SHOW MERGE POLICIES', 'policy ');
    await add('SHOW MERGE CHECKS', 'check ');
    await add('SHOW READERS', 'reader ');
    await add("SELECT 'main row ' || id FROM base WHERE id IN (10, 12, 14)");
    for (const { world, owner } of (await this.db.reviews({})).reviews as unknown as { world: string; owner: string }[]) lines.add(`review ${world} ${owner}`);
    // Claimed for a moment only: another claimant would keep it for a minute.
    for (const { channel } of (await this.db.claim_outbox({ for_ms: 1 })).effects) lines.add(`outbox ${channel}`);
    for (const agent of (await this.db.agents({})).agents) {
      lines.add(`agent ${agent.name} ${JSON.stringify([agent.can, agent.disabled, agent.max_worlds])}`);
    }
    for (const { name, ...state } of (await this.db.branches({})).branches as unknown as (Record<string, unknown> & { name: string })[]) {
      if (name.startsWith('m_')) continue;
      if (name === 'main') {
        if (!mainMayChange) lines.add(`main version ${String(state['version'])}`);
        continue;
      }
      for (const part of ['pinned', 'version', 'meta', 'checkpoints', 'expires'])
        if (state[part] !== undefined) lines.add(`world ${name} ${part} ${JSON.stringify(state[part])}`);
      lines.add(`world ${name} lives`);
    }
    for (const { name, value } of (await this.db.settings({})).settings) lines.add(`system ${name} ${value}`);
    for (const name of readdirSync(this.files)) lines.add(`file ${name}`);
    lines.add(`bystander ${(await this.bystanderLives()) ? 'lives' : 'is gone'}`);
    await this.owner.query(`USE WORLD ${world}`);
    try {
      await add(OF_THE_WORLD);
      if ((await this.owner.query("SELECT to_regclass('x.loot') IS NOT NULL AS made")).rows[0].made === true) {
        await add(`SELECT DISTINCT what FROM x.loot WHERE what IS DISTINCT FROM '${MASK}'`, 'loot ');
        await this.owner.query('DELETE FROM x.loot').catch(() => {});
      }
    } finally {
      await this.owner.query('USE WORLD main');
    }
    return lines;
  }

  /** A world of the agent in which it has made `way`; the error of making it, else null. */
  async make(agent: pg.Client, name: string, world: string, way: Way, payloads: readonly Beyond[] = BEYOND, share: Share = ALL): Promise<Error | null> {
    const texts = payloads.map((each) => ({ text: literal(textOf(each, name, this.files)), payload: literal(each.name), alone: each.alone === true }));
    const rows = texts.map(({ payload, text, alone }, n) => `(${n}, ${payload}, ${text}, ${String(alone)})`);
    const runs = texts.filter(({ alone }) => !alone).map(({ payload, text }) => `public.runs(${payload}, ${text})`);
    await agent.query(`CREATE WORLD ${world}`);
    await agent.query(`USE WORLD ${world}`);
    try {
      await agent.query(TOOLS);
      await agent.query(`INSERT INTO x.payloads VALUES ${rows.join(', ')}`);
      if (way.make !== '') await agent.query(way.make.replaceAll('$runs', () => runs.join(' + ')));
      await agent.query('GRANT ALL ON SCHEMA x TO public; GRANT ALL ON ALL TABLES IN SCHEMA x TO public');
      await agent.query(`UPDATE x.plan SET what = 'together', owner_runs = ${share.owner}, others_run = ${share.others}, shift = ${share.shift}`);
      return null;
    } catch (error) {
      return error as Error;
    } finally {
      await agent.query('USE WORLD main');
    }
  }

  /** The agent merges. If that changes what the merge check reads it is refused, and the owner approves it with another check. */
  async merge(agent: pg.Client, world: string): Promise<void> {
    const refused = await agent.query(`MERGE WORLD ${world}`).then(
      () => null,
      (error: Error) => error,
    );
    if (refused === null) return;
    if (!refused.message.startsWith('merge check "kept_check": the merge exchanges what it reads')) throw refused;
    await this.owner.query('DROP MERGE CHECK kept_check');
    await agent.query(`MERGE WORLD ${world}`);
    await this.owner.query('CREATE MERGE CHECK kept_check ON (base) AS SELECT 1 WHERE false');
  }

  async close(): Promise<void> {
    await this.owner.end().catch(() => {});
    await this.#bystander.end().catch(() => {});
    await this.#opened.close();
    await this.#http.close();
    await this.#wire.close();
    await this.db.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Roles without agents, which pg_authid shows as long as they own something in the world, if only a caller's temporary table. */
const FOLDER = `
  SELECT 'role ' || rolname || ' ' || concat_ws(' ', rolsuper, rolinherit, rolcreaterole, rolcreatedb, rolcanlogin, rolreplication, rolbypassrls, rolconnlimit, md5(rolpassword)) FROM pg_authid WHERE oid::bigint < 2147483648
  UNION ALL SELECT 'member ' || m.rolname || ' of ' || r.rolname || ' ' || a.admin_option FROM pg_auth_members a JOIN pg_roles m ON m.oid = a.member JOIN pg_roles r ON r.oid = a.roleid
  UNION ALL SELECT 'setting ' || coalesce(d.datname, 'all') || ' ' || coalesce(r.rolname, 'all') || ' ' || s.setconfig::text FROM pg_db_role_setting s LEFT JOIN pg_database d ON d.oid = s.setdatabase LEFT JOIN pg_roles r ON r.oid = s.setrole
  UNION ALL SELECT 'database ' || datname FROM pg_database WHERE datname NOT LIKE 'm\\_%'
  UNION ALL SELECT 'parameter ' || parname || ' ' || paracl::text FROM pg_parameter_acl`;

const OF_THE_WORLD = `
  SELECT 'label ' || objname || ' ' || label FROM pg_seclabels
  UNION ALL SELECT 'extension ' || extname FROM pg_extension
  UNION ALL SELECT 'subscription ' || subname FROM pg_subscription
  UNION ALL SELECT 'owner function ' || p.proname || ' ' || pg_get_userbyid(p.proowner) FROM pg_proc p WHERE pronamespace = (SELECT oid FROM pg_namespace WHERE nspname = 'x') AND pg_get_userbyid(p.proowner) = 'svc'
  UNION ALL SELECT 'owner relation ' || c.relname || ' ' || pg_get_userbyid(c.relowner) FROM pg_class c WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = 'x') AND pg_get_userbyid(c.relowner) = 'svc'
  UNION ALL SELECT 'owner schema ' || nspname || ' ' || pg_get_userbyid(nspowner) FROM pg_namespace WHERE nspname LIKE 'got%' AND pg_get_userbyid(nspowner) = 'svc'`;
