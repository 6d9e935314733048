import { defineConfig } from 'vitest/config';
import { built, builtModules } from './test/built.ts';
import { SecondTries } from './test/second-tries.ts';
import { Stalled } from './test/stalled.ts';

/**
 * Tests that hold a server to milliseconds, or compare times: they run after all others, alone on the machine. What else the
 * machine does may still disturb a measurement, so that one is made again before it counts as failed; a server that is slow fails each.
 *
 * In CI any test that fails is run once more: a machine that stands still for a second is not the server's fault. Those that passed at
 * the second try are named at the end of the run, so that a race does not hide among them.
 */
const PROMPT = [
  'test/wire/promptness.test.ts',
  'test/wire/prompt.test.ts',
  'test/wire/floods.test.ts',
  'test/sql/compute/prompt.test.ts',
  'test/sql/compute/library.test.ts',
  'test/wire/memory-bounds.test.ts',
  'test/identity/login-secrecy.test.ts',
];

export default defineConfig({
  plugins: [built()],
  test: {
    server: { deps: { external: [builtModules] } },
    testTimeout: 180_000,
    hookTimeout: 120_000,
    pool: 'forks',
    reporters: ['default', new SecondTries(), new Stalled()],
    retry: process.env['CI'] === 'true' ? 1 : 0,
    projects: [
      {
        extends: true,
        test: { name: 'all', include: ['test/**/*.test.ts'], exclude: ['**/node_modules/**', ...PROMPT], maxWorkers: 2, sequence: { groupOrder: 0 } },
      },
      { extends: true, test: { name: 'prompt', include: PROMPT, maxWorkers: 1, retry: 2, sequence: { groupOrder: 1 } } },
    ],
  },
});
