/** Turns the results of many files into the text that one works by. */
import type { Failure, FileResult } from './run-slt.ts';

export interface NamedResult {
  path: string;
  result: FileResult;
  elapsedMs: number;
}

/** Passed, failed and skipped a folder, with a total. */
export function folderTable(results: readonly NamedResult[], folderOf: (path: string) => string): string {
  const folders = new Map<string, { passed: number; failed: number; skipped: number; files: number; elapsedMs: number }>();
  for (const { path, result, elapsedMs } of results) {
    for (const name of [folderOf(path), 'total']) {
      const sum = folders.get(name) ?? { passed: 0, failed: 0, skipped: 0, files: 0, elapsedMs: 0 };
      sum.passed += result.passed;
      sum.failed += result.failed;
      sum.skipped += result.skipped;
      sum.files++;
      sum.elapsedMs += elapsedMs;
      folders.set(name, sum);
    }
  }
  const total = folders.get('total');
  folders.delete('total');
  const rows = [...folders].sort(([a], [b]) => (a < b ? -1 : 1));
  if (total !== undefined) rows.push(['total', total]);
  return table(
    ['folder', 'files', 'passed', 'failed', 'skipped', '%', 's'],
    rows.map(([name, sum]) => [
      name,
      String(sum.files),
      String(sum.passed),
      String(sum.failed),
      String(sum.skipped),
      ((100 * sum.passed) / Math.max(1, sum.passed + sum.failed)).toFixed(2),
      (sum.elapsedMs / 1000).toFixed(1),
    ]),
  );
}

interface Group {
  count: number;
  files: Set<string>;
  examples: string[];
}

/** The most frequent reasons, with how often, in how many files, and where first. */
export function groupTable(results: readonly NamedResult[], limit: number): string {
  const groups = groupFailures(results);
  const shown = groups.slice(0, limit).map(([name, group]) => [String(group.count), String(group.files.size), name, group.examples[0]]);
  const rest = groups.length > limit ? `\n… and ${groups.length - limit} more reasons` : '';
  return table(['count', 'files', 'reason', 'first'], shown) + rest;
}

/** Each reason with a few of its statements. */
export function groupReport(results: readonly NamedResult[], limit: number, examples: number): string {
  const found = new Map<string, { path: string; failure: Failure }[]>();
  for (const { path, result } of results) {
    for (const failure of result.failures) {
      const list = found.get(failure.group) ?? [];
      list.push({ path, failure });
      found.set(failure.group, list);
    }
  }
  return [...found]
    .sort((a, b) => b[1].length - a[1].length)
    .slice(0, limit)
    .map(([name, list]) => [`## ${list.length} × ${name}`, ...list.slice(0, examples).map(({ path, failure }) => failureText(path, failure))].join('\n'))
    .join('\n\n');
}

function groupFailures(results: readonly NamedResult[]): [string, Group][] {
  const groups = new Map<string, Group>();
  for (const { path, result } of results) {
    for (const failure of result.failures) {
      const group = groups.get(failure.group) ?? { count: 0, files: new Set<string>(), examples: [] };
      group.count++;
      group.files.add(path);
      if (group.examples.length === 0) group.examples.push(`${path}:${failure.line}`);
      groups.set(failure.group, group);
    }
  }
  return [...groups].sort((a, b) => b[1].count - a[1].count);
}

export function failureText(path: string, failure: Failure): string {
  return [`${path}:${failure.line}`, indent(failure.sql), `  expected: ${shorten(failure.expected)}`, `  got:      ${shorten(failure.got)}`].join('\n');
}

function indent(text: string): string {
  return text
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n');
}

function shorten(text: string): string {
  const lines = text.split('\n');
  const shown = lines.slice(0, 12).join('\n            ');
  return lines.length > 12 ? `${shown}\n            … ${lines.length - 12} more lines` : shown;
}

function table(head: readonly string[], rows: readonly string[][]): string {
  const all = [[...head], ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column].length)));
  return all
    .map((row) =>
      row
        .map((cell, column) => (/^[\d.]+$/.test(cell) ? cell.padStart(widths[column]) : cell.padEnd(widths[column])))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
