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
  'test/database/damaged-folders.test.ts': 'sets SVC_KEY',
  'test/http/every-string.test.ts': 'changes the working directory',
  'test/identity/code-matrix.test.ts': 'sets SVC_ALLOW_SERVER_COPY',
  'test/identity/http-identity.test.ts': 'sets variables, and reads what is written to stderr',
  'test/sql/copy/file-fdw.test.ts': 'sets SVC_ALLOW_SERVER_COPY',
  'test/sql/copy/large-object-files.test.ts': 'sets SVC_ALLOW_SERVER_COPY',
  'test/sql/copy/server-files.test.ts': 'sets SVC_ALLOW_SERVER_COPY',
  'test/sql/parse/grammar.test.ts': 'uses up the parser and counts how often it is started',
  'test/sql/schema/random-worlds.test.ts': 'installs types of its own (open-schema.ts)',
  'test/sql/schema/typed-worlds.test.ts': 'installs types of its own (open-schema.ts)',
  'test/sql/xml/xml-limits.test.ts': 'measures the memory of the process',
  'test/storage/disk-ceiling-sql.test.ts': 'sets SVC_WORK_MEM, which is read at import',
  'test/storage/encryption.test.ts': 'unsets SVC_KEY',
  'test/wire/keep-awake.test.ts': 'measures how busy the process is',
  'test/wire/login.test.ts': 'compares times',
  'test/wire/queries.test.ts': 'measures the memory of the process',
  'test/wire/robustness.test.ts': 'measures the memory of the process',
};
