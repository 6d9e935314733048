import { expect, it } from 'vitest';
import { SvcError } from '../../../src/base/errors/svc-error.ts';
import { deparseQuery } from '../../../src/sql/parse/deparse.ts';
import { GrammarError, replacedInstances, scanWithGrammar } from '../../../src/sql/parse/grammar.ts';
import { parse } from '../../../src/sql/parse/parse.ts';
import { Scanner, TOKEN } from '../../../src/sql/parse/scanner.ts';
import { byteMap } from '../../../src/sql/parse/text-offsets.ts';
import { mutation, random, SEEDS } from './mutations.ts';

const SEED = Number(process.env['FUZZ_SEED'] ?? 1);
const COUNT = Number(process.env['FUZZ_COUNT'] ?? 8_000);

type Printed = Parameters<typeof deparseQuery>[0];

function isPrinted(statement: { type: string }): statement is Printed {
  return ['select', 'values', 'setOperation', 'insert', 'update', 'delete', 'merge'].includes(statement.type);
}

function withoutPlaces(node: unknown): string {
  return JSON.stringify(node, (key, value) => (key === 'at' || key === 'range' ? undefined : value));
}

function checkPlaces(node: unknown, length: number): void {
  if (typeof node !== 'object' || node === null) return;
  for (const [key, value] of Object.entries(node)) {
    if (key === 'at' && (!Number.isInteger(value) || value < 0 || value > length)) throw new Error(`at ${value} of ${length}`);
    checkPlaces(value, length);
  }
}

/** Parses, and checks what must hold of any outcome. Whether it parsed. */
function check(text: string): boolean {
  let statements: ReturnType<typeof parse>;
  try {
    statements = parse(text);
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    if (error.code === 'XX000') throw error;
    if (error.position !== undefined) expect(error.position >= 1 && error.position <= [...text].length + 1).toBe(true);
    return false;
  }
  let end = 0;
  for (const statement of statements) {
    expect(statement.range.start >= end && statement.range.end > statement.range.start && statement.range.end <= text.length).toBe(true);
    end = statement.range.end;
    checkPlaces(statement, text.length);
    if (!isPrinted(statement)) continue;
    for (const pretty of [false, true]) {
      const printed = deparseQuery(statement, pretty);
      let again: unknown;
      try {
        again = parse(printed)[0];
      } catch (error) {
        // Every operator has its parentheses in print, and of those fewer may nest.
        if (error instanceof SvcError && error.code === '54001') continue;
        throw error;
      }
      expect(withoutPlaces(again), printed).toBe(withoutPlaces(statement));
    }
  }
  return true;
}

/** Our scanner cuts as Postgres's does, wherever that one gets through. */
function checkTokens(text: string): void {
  let theirs: { start: number; end: number; tokenName: string }[];
  try {
    theirs = scanWithGrammar(text);
  } catch (error) {
    if (error instanceof GrammarError) return;
    throw error;
  }
  const map = byteMap(text);
  const at = (byte: number): number => (map === null ? byte : map(byte));
  const expected = theirs.filter(({ tokenName }) => !tokenName.includes('COMMENT')).map(({ start, end }) => text.slice(at(start), at(end)));
  const ours: string[] = [];
  const scanner = new Scanner(text);
  while (scanner.next() !== TOKEN.end) ours.push(scanner.lexeme);
  // Between the parts of a string libpg-query knows no comments.
  if (scanner.commentsInStrings === null) expect(ours).toEqual(expected);
}

it(`mutated statements parse or raise a typed error (seed ${SEED})`, () => {
  const next = random(SEED);
  const replacedBefore = replacedInstances;
  let parsed = 0;
  for (let i = 0; i < COUNT; i++) {
    const text = mutation(next);
    const started = performance.now();
    try {
      if (check(text)) parsed++;
      if (i % 4 === 0 && text.isWellFormed() && !text.includes('\0')) checkTokens(text);
    } catch (error) {
      throw new Error(`mutation ${i}: ${JSON.stringify(text.slice(0, 3_000))}`, { cause: error });
    }
    const tookMs = performance.now() - started;
    if (tookMs > 2_000) throw new Error(`mutation ${i} took ${tookMs} ms: ${JSON.stringify(text.slice(0, 3_000))}`);
  }
  // The generator would be worthless if next to nothing or nearly all passed.
  expect(parsed).toBeGreaterThan(COUNT / 50);
  expect(parsed).toBeLessThan(COUNT * 0.9);
  expect(replacedInstances).toBe(replacedBefore);
});

it('the seeds themselves parse', () => {
  for (const text of SEEDS) expect(check(text), text).toBe(true);
});

it('noise raises typed errors', () => {
  const next = random(SEED);
  for (let i = 0; i < 500; i++) {
    const length = Math.floor(next() * 60);
    let text = '';
    for (let k = 0; k < length; k++) text += String.fromCodePoint(1 + Math.floor(next() * (next() < 0.9 ? 126 : 0xd000)));
    check(text);
  }
});
