/**
 * Statements that act beyond the world of the session, or on the state of the session itself: what code must not do with the
 * rights of who happens to call it. `%N` becomes a name of its own in each call. `trace` finds the statement's effect among
 * the lines of `Snapshot` that came or went, or among those of `SessionState`.
 *
 * Order matters: many run in one call, so what takes state away comes before what adds some, and nothing hides an earlier one.
 */
export interface Beyond {
  readonly name: string;
  readonly sql: string;
  readonly trace: RegExp;
  /**
   * Commands on worlds, agents and files end the enclosing statement when they fail, in any exception block, and undo what
   * succeeded before: they are tried separately.
   */
  readonly alone?: boolean;
}

/** On the folder as a whole: snapshots show them. */
export const ON_THE_FOLDER: readonly Beyond[] = [
  // --- roles and what they may
  { name: 'create role', sql: 'CREATE ROLE got_%N SUPERUSER LOGIN', trace: /^role got_/ },
  { name: 'alter role', sql: 'ALTER ROLE plain CREATEROLE CREATEDB', trace: /^role plain\b/ },
  { name: 'alter role superuser', sql: 'ALTER ROLE clerk SUPERUSER', trace: /^role clerk\b/ },
  { name: 'alter role password', sql: "ALTER ROLE staff PASSWORD 'known_%N'", trace: /^role staff\b/ },
  { name: 'rename role', sql: 'ALTER ROLE renamed RENAME TO got_renamed_%N', trace: /^role (renamed|got_renamed_)/ },
  { name: 'drop role', sql: 'DROP ROLE victim', trace: /^role victim\b/ },
  { name: 'grant role', sql: 'GRANT boss TO plain', trace: /^member plain of boss/ },
  { name: 'revoke role', sql: 'REVOKE staff FROM clerk', trace: /^member clerk of staff/ },
  { name: 'grant server files', sql: 'GRANT pg_read_server_files TO plain', trace: /^member plain of pg_read_server_files/ },
  { name: 'grant unmask', sql: 'GRANT unmask TO plain', trace: /^member plain of unmask/ },
  { name: 'alter role set', sql: 'ALTER ROLE plain SET search_path = evil_%N', trace: /^setting .*plain/ },
  { name: 'alter role all set', sql: 'ALTER ROLE ALL SET search_path = evil_%N', trace: /^setting all all/ },
  { name: 'alter database set', sql: 'ALTER DATABASE main SET search_path = evil_%N', trace: /^setting main all/ },
  { name: 'grant parameter', sql: 'GRANT SET ON PARAMETER log_statement TO plain', trace: /^parameter / },
  // --- worlds and databases
  { name: 'create database', sql: 'CREATE DATABASE got_db_%N', trace: /^(database|world) got_db_/, alone: true },
  { name: 'drop database', sql: 'DROP DATABASE victim_db', trace: /^(database|world) victim_db/, alone: true },
  { name: 'create world', sql: 'CREATE WORLD got_world_%N', trace: /^(database|world) got_world_/, alone: true },
  { name: 'drop world', sql: 'DROP WORLD victim_world', trace: /^(database|world) victim_world/, alone: true },
  { name: 'pin world', sql: 'ALTER WORLD kept_world PIN', trace: /^world kept_world .*pinned/, alone: true },
  { name: 'set meta', sql: `ALTER WORLD kept_world SET META '{"got": 1}'`, trace: /^world kept_world .*meta/, alone: true },
  { name: 'merge world', sql: 'MERGE WORLD merges_world', trace: /^world merges_world|^main /, alone: true },
  { name: 'rebase world', sql: 'REBASE WORLD behind_world', trace: /^world behind_world/, alone: true },
  { name: 'restore world', sql: 'RESTORE WORLD kept_world TO CHECKPOINT first', trace: /^world kept_world .*version/, alone: true },
  { name: 'undo merge', sql: 'UNDO MERGE merged_world', trace: /^main /, alone: true },
  { name: 'undo agent', sql: 'UNDO AGENT bystander SKIP CHANGED', trace: /^main /, alone: true },
  { name: 'review world', sql: "REVIEW WORLD held_world REJECT 'got'", trace: /^review /, alone: true },
  { name: 'checkpoint of a world', sql: 'CHECKPOINT got_%N ON WORLD kept_world', trace: /^world kept_world .*checkpoints/, alone: true },
  { name: 'simulate', sql: "SIMULATE 1 WORLDS AS got_sim_%N SCRIPT 'SELECT 1' SCORE 'SELECT 1'", trace: /^(database|world) got_sim_/, alone: true },
  // --- who may what, and how merges are judged
  { name: 'create agent', sql: 'CREATE AGENT got_agent_%N CAN (admin)', trace: /^agent got_agent_/, alone: true },
  { name: 'alter agent', sql: 'ALTER AGENT mallory CAN (admin)', trace: /^agent mallory\b/, alone: true },
  { name: 'alter own agent', sql: 'ALTER AGENT merger CAN (admin)', trace: /^agent merger\b/, alone: true },
  { name: 'drop agent', sql: 'DROP AGENT victim_agent', trace: /^agent victim_agent\b/, alone: true },
  { name: 'create merge policy', sql: 'CREATE MERGE POLICY got_policy_%N (max_rows = 1)', trace: /^policy got_policy_/, alone: true },
  { name: 'alter merge policy', sql: 'ALTER MERGE POLICY kept_policy (max_rows = 1000, schema = true)', trace: /^policy kept_policy\b/, alone: true },
  { name: 'drop merge policy', sql: 'DROP MERGE POLICY victim_policy', trace: /^policy victim_policy\b/, alone: true },
  { name: 'create merge check', sql: 'CREATE MERGE CHECK got_check_%N ON (nothing) AS SELECT 1 WHERE false', trace: /^check got_check_/, alone: true },
  { name: 'drop merge check', sql: 'DROP MERGE CHECK kept_check', trace: /^check kept_check\b/, alone: true },
  { name: 'create reader', sql: 'CREATE READER got_reader_%N ON people (name)', trace: /^reader got_reader_/, alone: true },
  { name: 'drop reader', sql: 'DROP READER kept_reader', trace: /^reader kept_reader\b/, alone: true },
  { name: 'claim outbox', sql: 'CLAIM OUTBOX', trace: /^outbox /, alone: true },
  { name: 'alter system', sql: 'ALTER SYSTEM SET max_worlds = 99999', trace: /^system max_worlds/, alone: true },
  { name: 'alter system reset', sql: 'ALTER SYSTEM RESET world_idle_ttl', trace: /^system world_idle_ttl/, alone: true },
  { name: 'backup', sql: "BACKUP TO '%F/got_backup_%N'", trace: /^file got_backup_/, alone: true },
  // --- files of the server
  { name: 'copy to file', sql: "COPY (SELECT 1) TO '%F/got_copy_%N'", trace: /^file got_copy_/, alone: true },
  { name: 'copy to program', sql: "COPY (SELECT 1) TO PROGRAM 'tee %F/got_program_%N'", trace: /^file got_program_/, alone: true },
  { name: 'copy from file', sql: "COPY x.loot FROM '%F/secret'", trace: /^loot .*the secret of a file/, alone: true },
  { name: 'read file', sql: "INSERT INTO x.loot SELECT pg_read_file('%F/secret')", trace: /^loot .*the secret of a file/ },
  { name: 'lo_export', sql: "SELECT lo_export(4711, '%F/got_export_%N')", trace: /^file got_export_/, alone: true },
  {
    name: 'lo_import',
    sql: "INSERT INTO x.loot SELECT convert_from(lo_get(lo_import('%F/secret')), 'UTF8')",
    trace: /^loot .*the secret of a file/,
    alone: true,
  },
  // --- what is not the agent's to see
  { name: 'masked column', sql: 'INSERT INTO x.loot SELECT name FROM public.people', trace: /^loot .*Ada Masked/ },
  { name: 'passwords', sql: 'INSERT INTO x.loot SELECT rolpassword FROM pg_authid', trace: /^loot .*SCRAM/ },
  // --- of the world, but a person's to say
  { name: 'label', sql: 'SECURITY LABEL FOR anon ON COLUMN public.people.name IS NULL', trace: /^label / },
  { name: 'extension', sql: 'CREATE EXTENSION IF NOT EXISTS pgcrypto', trace: /^extension pgcrypto/ },
  { name: 'subscription', sql: "CREATE SUBSCRIPTION got_%N CONNECTION 'dbname=x' PUBLICATION p WITH (connect = false)", trace: /^subscription / },
  { name: 'owner to svc', sql: 'ALTER FUNCTION x.given() OWNER TO svc', trace: /^owner function given/ },
  { name: 'reassign owned', sql: 'REASSIGN OWNED BY %A TO svc', trace: /^owner / },
  { name: 'schema authorization', sql: 'CREATE SCHEMA got_schema_%N AUTHORIZATION svc', trace: /^owner schema got_schema_/ },
];

/** On the session of who calls. */
export const ON_THE_SESSION: readonly Beyond[] = [
  { name: 'deallocate', sql: 'DEALLOCATE mine', trace: /^prepared mine/ },
  { name: 'unlisten', sql: 'UNLISTEN mine', trace: /^listens to mine/ },
  { name: 'discard temp', sql: 'DISCARD TEMP', trace: /^temporary mine/ },
  { name: 'discard all', sql: 'DISCARD ALL', trace: /^(prepared mine|temporary mine|setting )/ },
  { name: 'reset', sql: 'RESET extra_float_digits', trace: /^setting extra_float_digits/ },
  { name: 'reset all', sql: 'RESET ALL', trace: /^setting (extra_float_digits|mine\.kept)/ },
  { name: 'set session authorization', sql: 'SET SESSION AUTHORIZATION boss', trace: /^user / },
  { name: 'set role', sql: 'SET ROLE boss', trace: /^user / },
  { name: 'set_config of role', sql: "SELECT set_config('role', 'boss', false)", trace: /^user / },
  { name: 'set search_path', sql: 'SET search_path = evil_%N', trace: /^setting search_path/ },
  { name: 'set_config of search_path', sql: "SELECT set_config('search_path', 'evil2_%N', false)", trace: /^setting search_path/ },
  { name: 'set row_security', sql: 'SET row_security = off', trace: /^setting row_security/ },
  { name: 'set custom', sql: "SET mine.kept = 'evil'", trace: /^setting mine\.kept/ },
  { name: 'set_config by pg_settings', sql: "UPDATE pg_settings SET setting = 'evil' WHERE name = 'mine.kept'", trace: /^setting mine\.kept/ },
  { name: 'set statement_timeout', sql: 'SET statement_timeout = 12345678', trace: /^setting statement_timeout/ },
  { name: 'set default_transaction_read_only', sql: 'SET default_transaction_read_only = on', trace: /^setting default_transaction_read_only/ },
  { name: 'prepare', sql: 'PREPARE got_%N AS SELECT 1', trace: /^prepared got_/ },
  { name: 'listen', sql: 'LISTEN got_%N', trace: /^listens to got_/ },
  { name: 'temporary table', sql: 'CREATE TEMP TABLE people (name text)', trace: /^temporary people/ },
  { name: 'temporary view', sql: 'CREATE TEMP VIEW got_%N AS SELECT 1', trace: /^temporary got_/ },
  { name: 'cancel', sql: "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE application_name = 'bystander'", trace: /^bystander/ },
  { name: 'terminate', sql: "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'bystander'", trace: /^bystander/ },
  { name: 'use world', sql: 'USE WORLD kept_world', trace: /^world /, alone: true },
];

export const BEYOND: readonly Beyond[] = [...ON_THE_FOLDER, ...ON_THE_SESSION];
/** All in one call, each in an exception block of its own. */
export const TOGETHER: readonly Beyond[] = BEYOND.filter(({ alone }) => alone !== true);
export const ALONE: readonly Beyond[] = BEYOND.filter(({ alone }) => alone === true);

/** The statement as `agent` writes it, with files below `folder`; `%N` stays. */
export function textOf({ sql }: Beyond, agent: string, folder: string): string {
  return sql.replaceAll('%A', agent).replaceAll('%F', folder);
}
