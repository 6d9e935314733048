/**
 * Which test files run in which process. Most share one of two processes that load the engine once: a process of its own costs a file two seconds
 * of a core before its first test, for reading and compiling 1,500 modules. Files of a process see each other's module state, environment and heap,
 * so what changes or measures these has a process of its own, and what measures time runs alone on the machine besides.
 * `test/tidy/processes.test.ts` holds that every file runs exactly once and that none that shares a process changes it.
 */

/**
 * Tests that hold a server to milliseconds, or compare times: they run after all others, alone on the machine. What else the
 * machine does may still disturb a measurement, so that one is made again before it counts as failed; a server that is slow fails each.
 */
export const PROMPT = [
  'test/attach/turns.test.ts',
  'test/wire/promptness.test.ts',
  'test/wire/prompt.test.ts',
  'test/wire/floods.test.ts',
  'test/sql/compute/prompt.test.ts',
  'test/sql/compute/library.test.ts',
  'test/wire/memory-bounds.test.ts',
  'test/identity/login-secrecy.test.ts',
];

/** Files that run in a process of their own, and what they do to a process or ask of it. */
export const OWN_PROCESS: Readonly<Record<string, string>> = {
  'test/contract/expiry.test.ts': 'replaces timers',
  'test/database/damaged-folders.test.ts': 'sets SVC_KEY',
  'test/http/every-string.test.ts': 'changes the working directory',
  'test/identity/code-matrix.test.ts': 'sets SVC_ALLOW_SERVER_COPY',
  'test/identity/http-identity.test.ts': 'sets variables, and reads what is written to stderr',
  'test/search/find-where.test.ts': 'measures the processor time of the process',
  'test/shell/start.test.ts': 'compares processor times of processes',
  'test/sql/copy/file-fdw.test.ts': 'sets SVC_ALLOW_SERVER_COPY',
  'test/sql/copy/large-object-files.test.ts': 'sets SVC_ALLOW_SERVER_COPY',
  'test/sql/copy/server-files.test.ts': 'sets SVC_ALLOW_SERVER_COPY',
  'test/sql/parse/grammar.test.ts': 'uses up the parser and counts how often it is started',
  'test/sql/xml/xml-limits.test.ts': 'measures the memory of the process',
  'test/storage/disk-ceiling-sql.test.ts': 'sets SVC_WORK_MEM, which is read at import',
  'test/storage/encryption.test.ts': 'unsets SVC_KEY',
  'test/wire/keep-awake.test.ts': 'measures how busy the process is',
  'test/wire/login.test.ts': 'compares times',
  'test/wire/queries.test.ts': 'measures the memory of the process',
  'test/wire/robustness.test.ts': 'measures the memory of the process',
};

/**
 * The fast lane of `npm run check` (vitest.fast.config.ts): files that hold pure parts to what they promise, each within a second or so. None starts a
 * server or a process of the database, and none waits for a disk.
 */
export const FAST: readonly string[] = [
  'test/base/deceptive-name.test.ts',
  'test/base/exact-json-pieces.test.ts',
  'test/base/layered-map.test.ts',
  'test/base/listeners.test.ts',
  'test/base/memory-size.test.ts',
  'test/base/turnstile.test.ts',
  'test/contract/contract.test.ts',
  'test/events/payloads.test.ts',
  'test/governance/policy.test.ts',
  'test/identity/scram.test.ts',
  'test/log/golden.test.ts',
  'test/projections/retention.test.ts',
  'test/shell/commands.test.ts',
  'test/shell/completion.test.ts',
  'test/shell/piece-source.test.ts',
  'test/shell/text.test.ts',
  'test/sql/bind/bind.test.ts',
  'test/sql/copy/copy-options.test.ts',
  'test/sql/copy/copy-writer.test.ts',
  'test/sql/exec/column-reader.test.ts',
  'test/sql/exec/explain.test.ts',
  'test/sql/exec/groups.test.ts',
  'test/sql/exec/joins.test.ts',
  'test/sql/exec/rows.test.ts',
  'test/sql/exec/rules.test.ts',
  'test/sql/exec/windows.test.ts',
  'test/sql/formats/binary.test.ts',
  'test/sql/formats/text-send.test.ts',
  'test/sql/numbers/types.test.ts',
  'test/sql/parse/parse-definitions.test.ts',
  'test/sql/parse/parse-worlds.test.ts',
  'test/sql/plan/factor.test.ts',
  'test/sql/plan/join-search.test.ts',
  'test/sql/reference/reference.test.ts',
  'test/sql/schema/ddl.test.ts',
  'test/sql/schema/keys.test.ts',
  'test/sql/schema/pending-rows.test.ts',
  'test/sql/schema/table-writer.test.ts',
  'test/sql/text/functions.test.ts',
  'test/tidy/formats.test.ts',
  'test/tidy/howto.test.ts',
  'test/tidy/kinds.test.ts',
  'test/tidy/links.test.ts',
  'test/tidy/processes.test.ts',
  'test/tidy/tidy.test.ts',
  'test/tidy/words.test.ts',
  'test/tree/appended-leaves.test.ts',
  'test/tree/changed-since.test.ts',
  'test/tree/collect.test.ts',
  'test/tree/kept-inner-nodes.test.ts',
  'test/tree/near.test.ts',
  'test/tree/new-rows.test.ts',
  'test/tree/texts.test.ts',
  'test/worlds/kinds.test.ts',
  'test/worlds/merge/plan.test.ts',
  'test/worlds/recent-changes.test.ts',
];
