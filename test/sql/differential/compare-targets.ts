/** Runs one statement on two targets and says how the answers differ. */
import { runOne } from '../../slt/run-slt.ts';
import { type Outcome, SqlFailure, type Target, type Value } from '../../slt/target.ts';

export interface Expectations {
  ordered: boolean;
  representative: boolean;
}

/** Null where both answer alike: columns' names and types, rows, command tag; or the same SQLSTATE. */
export async function compareTargets(left: Target, right: Target, sql: string, expectations: Expectations): Promise<string | null> {
  const a = await runOne(left, sql);
  const b = await runOne(right, sql);
  if (a instanceof SqlFailure || b instanceof SqlFailure) {
    const codeOf = (answer: Outcome[] | SqlFailure): string =>
      answer instanceof SqlFailure ? `${answer.code} ${answer.message}` : `success: ${answer.at(-1)?.command}`;
    const same = a instanceof SqlFailure && b instanceof SqlFailure && a.code === b.code;
    return same ? null : `${left.name}: ${codeOf(a)}\n${right.name}: ${codeOf(b)}`;
  }
  for (const [index, outcome] of a.entries()) {
    const difference = compareOutcomes(outcome, b[index], expectations);
    if (difference !== null) return `${difference}\n${left.name}:\n${show(outcome)}\n${right.name}:\n${show(b[index])}`;
  }
  return null;
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
