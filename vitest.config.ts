import { defineConfig } from 'vitest/config';
import { built, builtModules } from './test/built.ts';
import { LongestFirst } from './test/longest-first.ts';
import { memoryFolder } from './test/memory-folder.ts';
import { OWN_PROCESS, PROMPT } from './test/processes.ts';
import { SecondTries } from './test/second-tries.ts';
import { Stalled } from './test/stalled.ts';

const OWN = Object.keys(OWN_PROCESS);

/** Tests that measure time write to the disk, as a server does. */
const memory = memoryFolder();
const env = memory === null ? {} : { TMPDIR: memory };

/** `--maxWorkers=…` of the command line, which Vitest does not hand on to projects that say how many they have. */
const [, given = '2'] = /^--maxWorkers=(\d+)$/m.exec(process.argv.join('\n')) ?? [];
const maxWorkers = Number(given);

/**
 * In CI any test that fails is run once more: a machine that stands still for a second is not the server's fault. Those that passed at
 * the second try are named at the end of the run, so that a race does not hide among them.
 */
export default defineConfig({
  plugins: [built()],
  test: {
    server: { deps: { external: [builtModules] } },
    testTimeout: 180_000,
    hookTimeout: 120_000,
    pool: 'forks',
    reporters: ['default', new SecondTries(), new Stalled()],
    retry: process.env['CI'] === 'true' ? 1 : 0,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['test/**/*.test.ts'],
          exclude: ['**/node_modules/**', ...OWN, ...PROMPT],
          isolate: false,
          env,
          maxWorkers,
          sequence: { groupOrder: 0 },
        },
      },
      { extends: true, test: { name: 'own', include: OWN, env, maxWorkers, sequence: { groupOrder: 0 } } },
      { extends: true, test: { name: 'prompt', include: PROMPT, maxWorkers: 1, retry: 2, sequence: { groupOrder: 1 } } },
    ],
  },
});
