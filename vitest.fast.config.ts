import { defineConfig } from 'vitest/config';
import { built, builtModules } from './test/built.ts';
import { memoryFolder } from './test/memory-folder.ts';
import { FAST } from './test/processes.ts';

const memory = memoryFolder();

/** The fast lane: the part of the tests that `npm run check` runs before each commit. `npm test` runs all of them. */
export default defineConfig({
  plugins: [built()],
  test: {
    server: { deps: { external: [builtModules] } },
    include: [...FAST],
    testTimeout: 60_000,
    pool: 'forks',
    isolate: false,
    maxWorkers: 2,
    // Compiling the source of the modules that they import takes longer than the tests.
    experimental: { fsModuleCache: true, fsModuleCachePath: 'dist/check-modules' },
    env: memory === null ? {} : { TMPDIR: memory },
  },
});
