/** What is kept of texts, and what goes. */
import { expect, test } from 'vitest';
import { TextCache } from '../../../src/base/text-cache.ts';

test('texts in use stay cached, however many others come', () => {
  const cache = new TextCache<number>(100, 1_000_000);
  cache.set('often', -1);
  for (let i = 0; i < 10_000; i++) {
    cache.set(`once ${i}`, i);
    expect(cache.get('often')).toBe(-1);
    expect(cache.size).toBeLessThanOrEqual(100);
  }
  expect(cache.get('once 9999')).toBe(9999);
  expect(cache.get('once 1')).toBeUndefined();
});

test('all texts together have a length', () => {
  const cache = new TextCache<number>(1_000_000, 10_000);
  for (let i = 0; i < 1000; i++) cache.set(`${i} ${'x'.repeat(90)}`, i);
  expect(cache.size).toBeLessThanOrEqual(10_000 / 92);
  expect(cache.size).toBeGreaterThan(50);
  cache.set('y'.repeat(501), 1);
  expect(cache.get('y'.repeat(501))).toBeUndefined();
});

test('if all were used, the oldest are evicted', () => {
  const cache = new TextCache<number>(10, 10_000);
  for (let i = 0; i < 100; i++) {
    cache.set(String(i), i);
    cache.get(String(i));
  }
  expect(cache.size).toBeLessThanOrEqual(10);
  expect(cache.get('99')).toBe(99);
});
