/**
 * `npm run check`: what to run before each commit, within a minute on two cores.
 *
 *   changed files ─► prettier        types ─► tsc, incremental (dist/check.tsbuildinfo)
 *   lint ─► oxlint                   tests ─► the fast lane (FAST of test/processes.ts)
 *
 * Formatting and lint come first, since they fail within seconds; then types and tests side by side. Output of what passes is left out.
 */
import { spawn, spawnSync } from 'node:child_process';

/** Words of a command that git prints, one a line; none where it fails. */
function git(...args) {
  const { status, stdout } = spawnSync('git', args, { encoding: 'utf8' });
  return status === 0 ? stdout.split('\n').filter((line) => line !== '') : [];
}

/** Files that differ from where this branch left main, committed or not. */
function changedFiles() {
  const [base = 'HEAD'] = [...git('merge-base', 'HEAD', 'origin/main'), ...git('merge-base', 'HEAD', 'main')];
  const files = [...git('diff', '--name-only', '--diff-filter=d', base), ...git('ls-files', '--others', '--exclude-standard')];
  return files.filter((file) => /^(src|projections|test)\/.*\.ts$/.test(file));
}

function run(name, command, args) {
  const begun = performance.now();
  return new Promise((resolve) => {
    let out = '';
    const child = spawn('npx', [command, ...args], { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, FORCE_COLOR: '1' } });
    child.stdout.on('data', (data) => (out += data));
    child.stderr.on('data', (data) => (out += data));
    child.on('close', (code) => {
      const seconds = ((performance.now() - begun) / 1000).toFixed(1);
      console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name.padEnd(8)} ${seconds.padStart(5)} s`);
      if (code !== 0) process.stdout.write(out);
      resolve(code === 0);
    });
  });
}

const changed = changedFiles();
const quick = await Promise.all([
  changed.length === 0 ? true : run('format', 'prettier', ['--check', '--log-level', 'warn', ...changed]),
  run('lint', 'oxlint', ['--quiet', 'src', 'projections', 'test']),
]);
const slow = await Promise.all([
  run('types', 'tsc', ['-p', 'tsconfig.json', '--noEmit', '--incremental', '--tsBuildInfoFile', 'dist/check.tsbuildinfo']),
  run('tests', 'vitest', ['run', '--config', 'vitest.fast.config.ts', ...process.argv.slice(2)]),
]);
process.exitCode = [...quick, ...slow].every(Boolean) ? 0 : 1;
