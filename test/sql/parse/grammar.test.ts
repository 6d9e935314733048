import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { parseWithGrammar, replacedInstances } from '../../../src/sql/parse/grammar.ts';
import { parse } from '../../../src/sql/parse/parse.ts';
import { quotedNameValue, stringValue } from '../../../src/sql/parse/string-literal.ts';

it('an overflow of the grammar’s stack ends in a typed error, again and again', async () => {
  const before = replacedInstances;
  const chain = `SELECT ${'1+'.repeat(30_000)}1`;
  for (let i = 0; i < 40; i++) {
    expect(() => parseWithGrammar(chain)).toThrow(expect.objectContaining({ code: '54001' }));
    expect(parse('SELECT 1')).toHaveLength(1);
    await sleep(i % 4 === 0 ? 30 : 0);
  }
  expect(replacedInstances).toBeGreaterThan(before);
}, 30_000);

it('a heap grown by a large statement is given back', async () => {
  const before = replacedInstances;
  await sleep(100);
  expect(parse(`INSERT INTO t VALUES ${"(1, 'abc', 2.5), ".repeat(300_000)}(1, 'x', 2)`)).toHaveLength(1);
  await sleep(100);
  expect(parse('SELECT 1')).toHaveLength(1);
  expect(replacedInstances).toBe(before + 1);
}, 30_000);

it('a caller with little stack left gets a typed error or its statement', () => {
  const text = `SELECT ${'NOT '.repeat(1_400)}true`;
  let typed = 0;
  const descend = (): void => {
    try {
      descend();
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      try {
        parse(text);
      } catch (inner) {
        // Without room for a single call even our own guard may fail: the next caller up tries again.
        if (inner instanceof RangeError) throw inner;
        expect(inner).toMatchObject({ code: '54001' });
        typed++;
        return;
      }
    }
  };
  descend();
  expect(typed).toBe(1);
  expect(parse('SELECT 1')).toHaveLength(1);
});

const value = (text: string): unknown => (parse(`SELECT ${text}`)[0] as any).items[0].value.value;

it.each([
  "'a' -- it's\n -- é\n 'b'",
  "E'a' -- x\n '\\'b'",

  "'a'",
  "''",
  "'it''s'",
  "'a'\n  'b'",
  "E'a\\n\\'b\\'''\\101\\x41\\u00e9\\U0001F600\\z'",
  "E'a'\n'\\n'",
  "U&'d\\0061t\\+000061\\\\'",
  '$$a$b$$',
  "$x$ '$$ $x$",
  "'é😀'",
])('the value of %s', (literal) => {
  expect(stringValue(literal)).toBe(value(literal));
});

it.each(['"a"', '"A ""b"""', 'U&"d\\0061t"'])('the name %s', (name) => {
  expect([quotedNameValue(name)]).toEqual((parse(`SELECT ${name}`)[0] as any).items[0].value.parts);
});
