import { expect, test } from 'vitest';
import { Listeners } from '../../src/base/listeners.ts';

test('listeners are called in the order in which they were added, until they are removed', () => {
  const heard: string[] = [];
  const listeners = new Listeners<number>();
  const removeFirst = listeners.add((n) => heard.push(`first ${n}`));
  const removeSecond = listeners.add((n) => heard.push(`second ${n}`));
  listeners.call(1);
  removeFirst();
  removeFirst();
  listeners.call(2);
  removeSecond();
  listeners.call(3);
  expect(heard).toEqual(['first 1', 'second 1', 'second 2']);
});

test('a function that was added twice is called twice, and removed once', () => {
  let count = 0;
  const add = (): void => void count++;
  const listeners = new Listeners<void>();
  listeners.add(add);
  const remove = listeners.add(add);
  listeners.call();
  remove();
  listeners.call();
  expect(count).toBe(3);
});

test('a listener that removes itself or adds another does not disturb the call in progress', () => {
  const heard: string[] = [];
  const listeners = new Listeners<void>();
  const remove = listeners.add(() => {
    heard.push('once');
    remove();
    listeners.add(() => heard.push('added'));
  });
  listeners.add(() => heard.push('always'));
  listeners.call();
  listeners.call();
  expect(heard).toEqual(['once', 'always', 'always', 'added']);
});
