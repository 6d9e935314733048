/** Every test file runs exactly once, and none that shares a process with others changes what they see of it. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { LONGEST } from '../longest-first.ts';
import { FAST, OWN_PROCESS, PROMPT } from '../processes.ts';

const ROOT = resolve(import.meta.dirname, '../..');

const TESTS = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.test.ts'))
  .map((path) => `test/${path}`)
  .sort();

/** What changes a process for the file that runs in it next, or measures all that runs in it. */
const OF_PROCESS =
  /process\.env\[[^\]]+\]\s*=[^=]|process\.env\.\w+\s*=[^=]|delete process\.env|process\.(chdir|memoryUsage|cpuUsage|resourceUsage|on|once|umask|setuid)\(|\bvi\.(stub|spyOn|mock|doMock|useFakeTimers|setSystemTime|setConfig)|eventLoopUtilization|monitorEventLoopDelay|setFlagsFromString|setGlobalDispatcher|globalThis\.\w+\s*=[^=]|\.prototype\.\w+\s*=[^=]/;
/** A file of tests, and what it imports of this folder. */
function reached(path: string, into = new Set<string>()): Set<string> {
  if (into.has(path)) return into;
  into.add(path);
  for (const [, from] of readFileSync(join(ROOT, path), 'utf8').matchAll(/\bfrom '(\.[^']+\.ts)'/g)) {
    const found = relative(ROOT, resolve(ROOT, dirname(path), from));
    if (found.startsWith('test/')) reached(found, into);
  }
  return into;
}

test('the projects of vitest.config.ts together run each test file once', { timeout: 60_000 }, () => {
  const listed = execFileSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'list', '--filesOnly', '--json'], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { ...process.env, VITEST: undefined, NODE_OPTIONS: undefined },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const runs = (JSON.parse(listed.slice(listed.indexOf('['))) as { file: string; projectName: string }[]).map(({ file, projectName }) => ({
    file: relative(ROOT, file),
    projectName,
  }));
  expect(runs.map(({ file }) => file).sort()).toEqual(TESTS);
  const of = (project: string): string[] => runs.filter(({ projectName }) => projectName === project).map(({ file }) => file);
  expect(of('own').sort()).toEqual(Object.keys(OWN_PROCESS).sort());
  expect(of('prompt').sort()).toEqual([...PROMPT].sort());
});

test('a file that changes or measures its process does not share it', () => {
  const apart = new Set([...Object.keys(OWN_PROCESS), ...PROMPT]);
  // This file names what it looks for.
  const shared = TESTS.filter((path) => !apart.has(path) && path !== 'test/tidy/processes.test.ts');
  const found = shared.flatMap((path) =>
    [...reached(path)].filter((each) => OF_PROCESS.test(readFileSync(join(ROOT, each), 'utf8'))).map((each) => `${path}: ${each}`),
  );
  expect(found, 'give these a line of OWN_PROCESS in test/processes.ts').toEqual([]);
});

test('files that begin first are there', () => {
  expect(LONGEST.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  expect(new Set(LONGEST).size).toBe(LONGEST.length);
});

test('the fast lane has the tests of this folder, and none that changes, measures or serves', () => {
  expect(FAST.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  expect(new Set(FAST).size).toBe(FAST.length);
  expect(TESTS.filter((path) => path.startsWith('test/tidy/') && !FAST.includes(path))).toEqual([]);
  const apart = new Set([...Object.keys(OWN_PROCESS), ...PROMPT, ...LONGEST]);
  expect(FAST.filter((path) => apart.has(path))).toEqual([]);
  const serving = FAST.filter((path) => /\bserve\(|createHttpServer\(|TestDatabase\.open\(|Postgres\.start\(/.test(readFileSync(join(ROOT, path), 'utf8')));
  // This file names what it looks for.
  expect(serving.filter((path) => path !== 'test/tidy/processes.test.ts')).toEqual([]);
});
