/** Runs the records of one file against a target, from an empty schema, and says what failed and why. */
import { compareResult } from './compare-result.ts';
import { ownValue } from './format-value.ts';
import { meantFor, type SltFile, type SltRecord } from './parse-slt.ts';
import { type Outcome, SqlFailure, type Target } from './target.ts';

export interface Failure {
  line: number;
  sql: string;
  expected: string;
  got: string;
  /** What failures are grouped by: the error's SQLSTATE and text without names and numbers, or the kind of mismatch. */
  group: string;
}

export interface FileResult {
  passed: number;
  failed: number;
  skipped: number;
  failures: Failure[];
  /** Statements refused with the right SQLSTATE and another message than the file has. */
  otherMessages: Failure[];
}

export interface RunOptions {
  /** Lines of records to leave out, by their directive or their first condition. */
  skip?: ReadonlySet<number>;
  /** Indexes of records that never came back: they count as failed and are not tried again. */
  hung?: ReadonlySet<number>;
  /** Called before each record, to name one that never returns. */
  onRecord?: (index: number) => void;
  /** Queries elsewhere are not run. */
  onlyLine?: number;
}

/** Long results are cut in reports. */
const TEXT_LENGTH_MAX = 1500;

export async function runSlt(file: SltFile, target: Target, options: RunOptions = {}): Promise<FileResult> {
  const result: FileResult = { passed: 0, failed: 0, skipped: 0, failures: [], otherMessages: [] };
  await target.reset();
  for (const [index, record] of file.records.entries()) {
    const left = !meantFor(record, target.release) || options.skip?.has(record.line) === true || options.skip?.has(record.firstLine) === true;
    if (left || (options.onlyLine !== undefined && record.kind === 'query' && record.line !== options.onlyLine)) {
      result.skipped++;
      continue;
    }
    options.onRecord?.(index);
    const failure =
      options.hung?.has(index) === true
        ? failureOf(record, 'an answer', 'no answer in time', 'no answer in time')
        : await runRecord(record, file, target, result);
    if (failure === null) result.passed++;
    else {
      result.failed++;
      result.failures.push(failure);
    }
  }
  return result;
}

async function runRecord(record: SltRecord, file: SltFile, target: Target, result: FileResult): Promise<Failure | null> {
  if (record.kind === 'draft') return failureOf(record, 'a record', 'bare SQL: run with UPDATE=1', 'bare SQL');
  const answer = await runOne(target, record.sql);
  if (answer instanceof SqlFailure) {
    if (record.kind === 'query' || record.expect === 'ok') {
      return failureOf(record, expectation(record), `${answer.code} ${answer.message}`, `${answer.code} ${groupText(answer.message)}`);
    }
    if (record.code !== null && record.code !== answer.code) {
      const group = `refused with ${answer.code}, not ${record.code}: ${groupText(answer.message)}`;
      return failureOf(record, `${record.code} ${record.message ?? ''}`, `${answer.code} ${answer.message}`, group);
    }
    if (record.code !== null && record.message !== null && record.message !== ownValue(answer.message)) {
      result.otherMessages.push(failureOf(record, record.message, answer.message, `${record.code} ${groupText(answer.message)}`));
    }
    return null;
  }
  const outcome = answer.at(-1) ?? { command: '', columns: [], rows: [] };
  if (record.kind === 'statement') {
    if (record.expect === 'error') {
      return failureOf(record, expectation(record), `success: ${outcome.command}`, `should be refused${record.code === null ? '' : ` with ${record.code}`}`);
    }
    const count = Number(outcome.command.split(' ').at(-1));
    return record.count === null || record.count === count ? null : failureOf(record, `count ${record.count}`, outcome.command, 'wrong count');
  }
  const mismatch = compareResult(record, outcome, file.dialect);
  return mismatch === null ? null : failureOf(record, mismatch.expected, mismatch.got, 'wrong result');
}

export async function runOne(target: Target, sql: string): Promise<Outcome[] | SqlFailure> {
  try {
    return await target.run(sql);
  } catch (cause) {
    if (cause instanceof SqlFailure) return cause;
    // Anything else is a defect of the target; it is reported under a code that no file expects.
    return new SqlFailure('thrown', cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause));
  }
}

function expectation(record: SltRecord): string {
  if (record.kind === 'query') return record.expected === null ? 'success' : record.expected.join('\n');
  if (record.kind === 'statement' && record.expect === 'error') return `error ${record.code ?? ''} ${record.message ?? ''}`.trim();
  return 'success';
}

function failureOf(record: SltRecord, expected: string, got: string, group: string): Failure {
  return { line: record.line, sql: cut(record.sql), expected: cut(expected), got: cut(got), group };
}

function cut(text: string): string {
  return text.length > TEXT_LENGTH_MAX ? `${text.slice(0, TEXT_LENGTH_MAX)} …` : text;
}

/** The same complaint about other names and numbers is one group. */
export function groupText(message: string): string {
  return message
    .split('\n')[0]
    .replaceAll(/"[^"]*"/g, '"…"')
    .replaceAll(/\b\d+(\.\d+)?\b/g, 'N')
    .slice(0, 160);
}
