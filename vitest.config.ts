import { defineConfig } from 'vitest/config';

/** Tests that hold a server to milliseconds: they run after all others, alone on the machine. */
const PROMPT = ['test/wire/promptness.test.ts', 'test/wire/prompt.test.ts'];

export default defineConfig({
  test: {
    testTimeout: 60_000,
    pool: 'forks',
    reporters: process.env['CI'] === 'true' ? ['default'] : ['default'],
    projects: [
      { extends: true, test: { name: 'all', include: ['test/**/*.test.ts'], exclude: ['**/node_modules/**', ...PROMPT], sequence: { groupOrder: 0 } } },
      { extends: true, test: { name: 'prompt', include: PROMPT, maxWorkers: 1, sequence: { groupOrder: 1 } } },
    ],
  },
});
