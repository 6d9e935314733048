/** Runs one statement on two targets and says how the answers differ. */
import { runOne } from '../../slt/run-slt.ts';
import { type Outcome, SqlFailure, type Target, type Value } from '../../slt/target.ts';

export interface Expectations {
  ordered: boolean;
  representative: boolean;
}

export interface Difference {
  /** What shrinking keeps: the same column, row or SQLSTATE trouble. */
  kind: string;
  text: string;
}

export interface Comparison {
  difference: Difference | null;
  /** SQLSTATE where the left target refuses, or where one of them takes too long. */
  code: string | null;
  /** Both refuse alike, in other words. */
  messages: string | null;
}

const TIMED_OUT = '57014';

/** The statement took the left target too long, or it does not do such a thing: nothing to compare with. */
const NO_ORACLE = new Set([TIMED_OUT, '0A000', '54001']);

/** Which of several faulty rows is found first is open. */
const OF_ROWS = /^(21|22|23|44)/;

/** No difference where both answer alike: columns' names and types, rows, command tag; or the same SQLSTATE. */
export async function compareTargets(left: Target, right: Target, sql: string, expectations: Expectations): Promise<Comparison> {
  const a = await runOne(left, sql);
  if (a instanceof SqlFailure && NO_ORACLE.has(a.code)) return { difference: null, code: a.code, messages: null };
  const b = await runOne(right, sql);
  if (a instanceof SqlFailure || b instanceof SqlFailure) return compareFailures(left, right, a, b);
  for (const [index, outcome] of a.entries()) {
    const difference = compareOutcomes(outcome, b[index], expectations);
    if (difference === null) continue;
    return {
      difference: { kind: difference, text: `${difference}\n${left.name}:\n${show(outcome)}\n${right.name}:\n${show(b[index])}` },
      code: null,
      messages: null,
    };
  }
  return { difference: null, code: null, messages: null };
}

function compareFailures(left: Target, right: Target, a: Outcome[] | SqlFailure, b: Outcome[] | SqlFailure): Comparison {
  const codeOf = (answer: Outcome[] | SqlFailure): string => (answer instanceof SqlFailure ? answer.code : 'success');
  const textOf = (answer: Outcome[] | SqlFailure): string =>
    answer instanceof SqlFailure ? `${answer.code} ${answer.message}` : `success: ${answer.at(-1)?.command}`;
  const codes = [codeOf(a), codeOf(b)];
  const code = a instanceof SqlFailure ? a.code : null;
  if (codes[1] === TIMED_OUT) return { difference: null, code: TIMED_OUT, messages: null };
  const alike = codes[0] === codes[1] ? codes[0] !== 'XX000' : codes.every((each) => OF_ROWS.test(each));
  const text = `${left.name}: ${textOf(a)}\n${right.name}: ${textOf(b)}`;
  if (!alike) return { difference: { kind: `codes ${codes.join(' ')}`, text }, code, messages: null };
  const same = a instanceof SqlFailure && b instanceof SqlFailure && a.message === b.message;
  return { difference: null, code, messages: same ? null : text };
}

export function compareOutcomes(a: Outcome, b: Outcome | undefined, expectations: Expectations): string | null {
  if (b === undefined) return 'no answer';
  const columns = (outcome: Outcome): string => outcome.columns.map(({ name, type }) => `${name} ${type}`).join(', ');
  if (columns(a) !== columns(b)) return 'other columns';
  if (a.command !== b.command) return 'other command tag';
  const rows = rowTexts(a, expectations);
  const others = rowTexts(b, expectations);
  return rows.length === others.length && rows.every((row, index) => row === others[index]) ? null : 'other rows';
}

function rowTexts(outcome: Outcome, { ordered, representative }: Expectations): string[] {
  const loose = outcome.columns.map(({ type }) => representative && (type === 'numeric' || type === 'float8'));
  const rows = outcome.rows.map((row) => JSON.stringify(row.map((value, index) => (loose[index] ? plainNumber(value) : value))));
  return ordered ? rows : rows.sort();
}

/** `1.00` and `1`, `-0` and `0` are one value. */
function plainNumber(value: Value): Value {
  if (value === '-0') return '0';
  return value !== null && /^-?\d+\.\d+$/.test(value) ? value.replace(/\.?0+$/, '') : value;
}

function show(outcome: Outcome): string {
  const head = outcome.columns.map(({ name, type }) => `${name} ${type}`).join(' | ');
  return [`  ${outcome.command}: ${head}`, ...outcome.rows.slice(0, 15).map((row) => `  ${row.map((value) => value ?? 'NULL').join(' | ')}`)].join('\n');
}
