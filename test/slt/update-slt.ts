/**
 * Rewrites the expectations of one of our files from what a target answers; comments and blank lines stay.
 *
 * Bare SQL becomes records: each statement that ends a line with `;` is one. A statement that gives rows becomes a query
 * (`rowsort` unless it says ORDER BY outside of all parentheses), one that fails becomes `statement error <SQLSTATE> <message>`.
 */
import { ownResult } from './compare-result.ts';
import { ownValue } from './format-value.ts';
import { meantFor, parseSlt, type SltRecord, type SortMode } from './parse-slt.ts';
import { runOne } from './run-slt.ts';
import { SqlFailure, type Target } from './target.ts';

export async function updateSlt(text: string, target: Target): Promise<string> {
  const lines = text.replace(/\s*$/, '\n').split('\n');
  await target.reset();
  const out: string[] = [];
  let at = 0;
  for (const record of parseSlt(text, 'own').records) {
    out.push(...lines.slice(at, record.firstLine - 1));
    // Conditions above the directive stay as they are.
    if (record.kind !== 'draft') out.push(...lines.slice(record.firstLine - 1, record.line - 1));
    out.push(...(meantFor(record, target.release) ? await rewritten(record, target) : lines.slice(record.line - 1, record.endLine - 1)));
    at = record.endLine - 1;
  }
  out.push(...lines.slice(at));
  return `${out.join('\n').trimEnd()}\n`;
}

async function rewritten(record: SltRecord, target: Target): Promise<string[]> {
  if (record.kind !== 'draft') return recordText(record.sql, target, record.kind === 'query' ? record.sort : null, record.kind === 'query' && record.columns);
  const out: string[] = [];
  for (const sql of splitDraft(record.sql)) {
    if (out.length > 0) out.push('');
    const columns = sql.startsWith('columns ');
    out.push(...(await recordText(columns ? sql.slice(8) : sql, target, null, columns)));
  }
  return out;
}

async function recordText(sql: string, target: Target, sort: SortMode | null, columns: boolean): Promise<string[]> {
  const answer = await runOne(target, sql);
  if (answer instanceof SqlFailure) return [`statement error ${answer.code} ${ownValue(answer.message)}`, sql];
  const outcome = answer.at(-1);
  if (outcome === undefined || outcome.columns.length === 0) return ['statement ok', sql];
  const mode = sort ?? (outcome.rows.length < 2 || ordered(sql) ? 'nosort' : 'rowsort');
  const result = ownResult(outcome, mode, columns);
  const words = ['query', result.types, ...(mode === 'nosort' ? (columns ? ['nosort'] : []) : [mode]), ...(columns ? ['columns'] : [])];
  return [words.join(' '), sql, '----', ...result.lines];
}

function splitDraft(sql: string): string[] {
  const statements: string[] = [];
  let open: string[] = [];
  let quoted = false;
  for (const line of sql.split('\n')) {
    open.push(line);
    // A body in dollar quotes may end its own lines with semicolons.
    if ((line.match(/\$\$/g)?.length ?? 0) % 2 === 1) quoted = !quoted;
    if (quoted || !line.trimEnd().endsWith(';')) continue;
    statements.push(open.join('\n'));
    open = [];
  }
  if (open.length > 0) statements.push(open.join('\n'));
  return statements;
}

/** Whether ORDER BY stands outside of parentheses and quotes. */
function ordered(sql: string): boolean {
  let depth = 0;
  for (const [token] of sql.matchAll(/'(?:[^']|'')*'|[()]|order\s+by/gi)) {
    if (token === '(') depth++;
    else if (token === ')') depth--;
    else if (depth === 0 && /^order/i.test(token)) return true;
  }
  return false;
}
