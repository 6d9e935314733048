/** Sizes of memory in the environment, with units or as plain numbers of megabytes. */
import { expect, test } from 'vitest';
import { memorySizeFrom, parseMemorySize } from '../../src/base/memory-size.ts';

const MB = 1024 * 1024;

test.each([
  ['256MB', 256 * MB],
  ['256 mb', 256 * MB],
  ['256', 256 * MB],
  ['1GB', 1024 * MB],
  ['1.5GB', 1536 * MB],
  ['65536kB', 64 * MB],
  ['2TB', 2 * 1024 * 1024 * MB],
  ['1048576B', MB],
] as const)('%s is a size', (text, bytes) => {
  expect(parseMemorySize(text)).toBe(bytes);
  expect(memorySizeFrom('SVC_WORK_MEM', text, 0, 1)).toBe(bytes);
});

test.each(['', 'MB', '1XB', '-1MB', '1MB2', 'a lot', 'NaN', 'Infinity'])('"%s" is none', (text) => {
  expect(parseMemorySize(text)).toBeNull();
});

test('what is no size, or too small, is refused with what would do', () => {
  for (const text of ['many', '0', '512kB']) {
    expect(() => memorySizeFrom('SVC_WORK_MEM', text, 0, 1)).toThrow(
      `SVC_WORK_MEM is "${text}"; it must be a size such as 256MB or 1GB, or a number of megabytes, at least 1`,
    );
  }
  expect(memorySizeFrom('SVC_WORK_MEM', undefined, 7, 1)).toBe(7);
  expect(memorySizeFrom('SVC_WORK_MEM', '', 7, 1)).toBe(7);
});
