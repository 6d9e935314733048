/** The example of docs/examples runs as documented. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

test('the what-if of the depots finds, compares, replays and merges plans', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [new URL('../../dist/test/demo/what-if.js', import.meta.url).pathname, '40']);
  expect(stdout).toMatch(/towns of Norway, six depots, 40 worlds/);
  expect(stdout.match(/km {3}\S/g)!.length).toBe(6);
  expect(stdout).toMatch(/replayed: identical/);
  expect(stdout).toMatch(/merged into main: 6 rows/);
});
