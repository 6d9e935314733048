/**
 * `npm run watch`: types of everything and tests of what changed, again after each change. The tests are those of the fast lane that import a changed
 * file; `npm run watch -- test/sql/session/locks.test.ts` watches the files that are named instead. It ends with Vitest (q, Ctrl-C).
 */
import { spawn } from 'node:child_process';

const named = process.argv.slice(2);
const types = ['tsc', '-p', 'tsconfig.json', '--noEmit', '--incremental', '--tsBuildInfoFile', 'dist/check.tsbuildinfo', '--watch', '--preserveWatchOutput'];
const tests = ['node_modules/vitest/vitest.mjs', 'watch', ...(named.length > 0 ? named : ['--config', 'vitest.fast.config.ts', '--changed'])];

// The compiler is a program behind two others: a group of its own ends all of them.
const compiler = spawn('npx', types, { stdio: ['ignore', 'inherit', 'inherit'], detached: true });
const runner = spawn(process.execPath, tests, { stdio: 'inherit' });
compiler.on('close', () => runner.kill());
runner.on('close', (code) => {
  process.exitCode = code ?? 0;
  if (compiler.exitCode === null) process.kill(-compiler.pid);
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => runner.kill(signal));
