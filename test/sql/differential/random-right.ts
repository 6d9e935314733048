/** Random owners, privileges and default privileges, for the roles `ann`, `bob` and `cid`. Most succeed. */
import type { Table } from './random-schema.ts';
import type { Seeded } from './seeded.ts';

export const ROLES = ['ann', 'bob', 'cid'] as const;
export const ROLE_STATEMENTS = ROLES.map((name) => `CREATE ROLE ${name}`).join('; ');

export function randomRight(random: Seeded, tables: readonly Table[], at: number): string {
  const { name, columns } = random.pick(tables);
  const column = random.pick(columns).name;
  const table = random.chance(0.7) ? name : `n${random.between(1, at)}`;
  const old = `n${random.between(1, at)}`;
  const [one, two] = [random.pick(ROLES), random.pick(ROLES)];
  const privilege = random.pick(['SELECT', 'INSERT', 'UPDATE', 'DELETE, TRUNCATE', 'ALL', 'REFERENCES, TRIGGER']);
  return random.pick([
    `ALTER TABLE ${table} OWNER TO ${one}`,
    `ALTER TABLE ${table} OWNER TO svc`,
    `GRANT ${privilege} ON ${table} TO ${one}, ${two}`,
    `GRANT ${privilege} ON ${table} TO PUBLIC`,
    `GRANT ${privilege} ON ${table} TO ${one} WITH GRANT OPTION`,
    `GRANT SELECT (${column}), UPDATE (id) ON ${name} TO ${one}`,
    `GRANT SELECT (id) ON ${name} TO ${one} WITH GRANT OPTION`,
    `REVOKE SELECT (id) ON ${name} FROM ${one}, ${two}`,
    `REVOKE ${privilege} ON ${table} FROM ${one} CASCADE`,
    `REVOKE GRANT OPTION FOR ${privilege} ON ${table} FROM ${one} CASCADE`,
    `REVOKE ALL ON ${table} FROM svc`,
    `GRANT SELECT ON ${table} TO ${one} WITH GRANT OPTION; SET SESSION AUTHORIZATION ${one}; GRANT SELECT ON ${table} TO ${two}; RESET SESSION AUTHORIZATION`,
    `GRANT USAGE, CREATE ON SCHEMA public TO ${one}`,
    `REVOKE ALL ON SCHEMA public FROM PUBLIC`,
    `ALTER SCHEMA public OWNER TO ${one}`,
    `GRANT ALL ON SCHEMA ${old} TO ${one}`,
    `ALTER SCHEMA ${old} OWNER TO ${one}`,
    `REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA public FROM PUBLIC`,
    `GRANT EXECUTE ON FUNCTION f1 TO ${one}`,
    `ALTER FUNCTION f1() OWNER TO ${one}`,
    `GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO ${one}`,
    `ALTER SEQUENCE ${old} OWNER TO ${one}`,
    `ALTER TABLE ${name} ADD COLUMN n${at} serial`,
    `ALTER TABLE ${name} OWNER TO ${one}; ALTER TABLE ${name} ADD COLUMN n${at} int GENERATED ALWAYS AS IDENTITY`,
    `ALTER TYPE mood OWNER TO ${one}; REVOKE USAGE ON TYPE mood FROM PUBLIC`,
    `GRANT USAGE ON TYPE mood TO ${one}`,
    `ALTER TYPE pair OWNER TO ${one}`,
    `ALTER DOMAIN small OWNER TO ${one}`,
    `ALTER DEFAULT PRIVILEGES GRANT SELECT ON TABLES TO ${one}; CREATE TABLE n${at} (a int)`,
    `CREATE TABLE n${at} (a int); ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT INSERT ON TABLES TO ${one}`,
    `ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC`,
    `ALTER DEFAULT PRIVILEGES REVOKE SELECT ON TABLES FROM ${one}`,
    `ALTER DEFAULT PRIVILEGES FOR ROLE ${one} GRANT USAGE ON TYPES TO ${two} WITH GRANT OPTION`,
    `CREATE VIEW n${at} AS SELECT id, ${column} FROM ${name}; GRANT SELECT ON n${at} TO ${one}; GRANT UPDATE (id) ON n${at} TO ${two}`,
    `ALTER VIEW ${old} OWNER TO ${one}`,
    `CREATE INDEX n${at} ON ${name} (id); ALTER TABLE ${name} CLUSTER ON n${at}`,
    `CREATE UNIQUE INDEX n${at} ON ${name} (id); ALTER TABLE ${name} REPLICA IDENTITY USING INDEX n${at}`,
    `ALTER TABLE ${name} SET WITHOUT CLUSTER`,
    `ALTER TABLE ${name} REPLICA IDENTITY DEFAULT`,
  ]);
}
