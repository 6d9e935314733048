/** The command line of the sqllogictest runner; `--help` says what it takes. */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { openTarget } from './open-target.ts';
import { dialectOf } from './parse-slt.ts';
import { failureText, folderTable, groupReport, groupTable, type NamedResult } from './report.ts';
import { runFiles } from './run-files.ts';
import { findSkipList, skippedLines } from './skip-list.ts';
import { sltFiles } from './slt-files.ts';
import { updateSlt } from './update-slt.ts';

const HELP = `node dist/test/slt/main.js [options] folder-or-file…

  --target svc|pglite|postgres://user@host:port/database   default svc
  --only text      only files whose path contains it; may be given more than once
  --line n         of the queries only the one at this line (statements all run)
  --jobs n         worker threads, default 2
  --timeout ms     for one statement, default 20000; the thread is ended and the file run again without it
  --failures n     how many failures to print, default 20
  --group          print failures by reason, with examples
  --examples n     of each reason, default 3
  --reasons n      how many reasons to list, default 40
  --messages       print refusals with the right SQLSTATE and another message
  --files          a line for each file as it ends
  --json path      write all failures there
  UPDATE=1         rewrite the expectations of our own files from the target (default pglite then)
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    target: { type: 'string' },
    only: { type: 'string', multiple: true },
    line: { type: 'string' },
    jobs: { type: 'string', default: '2' },
    timeout: { type: 'string', default: '20000' },
    failures: { type: 'string', default: '20' },
    group: { type: 'boolean', default: false },
    examples: { type: 'string', default: '3' },
    reasons: { type: 'string', default: '40' },
    messages: { type: 'boolean', default: false },
    files: { type: 'boolean', default: false },
    json: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

if (values.help || positionals.length === 0) process.stdout.write(HELP);
else {
  const paths = sltFiles(positionals).filter((path) => values.only === undefined || values.only.some((text) => path.includes(text)));
  if (process.env['UPDATE'] === '1') await update(paths);
  else await run(paths);
}

async function update(paths: readonly string[]): Promise<void> {
  const target = await openTarget(values.target ?? 'pglite');
  for (const path of paths) {
    const text = readFileSync(path, 'utf8');
    if (dialectOf(path, text) !== 'own') throw new Error(`${path} is not one of our files (test/sql/)`);
    const next = await updateSlt(text, target);
    if (next !== text) process.stdout.write(`rewritten ${path}\n`);
    writeFileSync(path, next);
  }
  await target.close();
}

async function run(paths: readonly string[]): Promise<void> {
  const results: NamedResult[] = [];
  const lists = new Map<string, ReturnType<typeof findSkipList>>();
  const skipOf = (path: string): ReadonlySet<number> => {
    const folder = dirname(path);
    if (!lists.has(folder)) lists.set(folder, findSkipList(folder));
    return skippedLines(lists.get(folder) ?? null, path);
  };
  await runFiles(paths, {
    target: values.target ?? 'svc',
    jobs: Number(values.jobs),
    timeoutMs: Number(values.timeout),
    skipOf,
    onlyLine: values.line === undefined ? undefined : Number(values.line),
    onFile: (path, result, elapsedMs) => {
      results.push({ path, result, elapsedMs });
      if (values.files) process.stdout.write(`${path}: ${result.passed} passed, ${result.failed} failed, ${(elapsedMs / 1000).toFixed(1)} s\n`);
    },
  });
  results.sort((a, b) => (a.path < b.path ? -1 : 1));
  print(results);
  if (values.json !== undefined) {
    const rows = results.flatMap(({ path, result }) => result.failures.map((failure) => ({ path, ...failure })));
    writeFileSync(values.json, JSON.stringify(rows, null, 1));
  }
  process.exitCode = results.some(({ result }) => result.failed > 0) ? 1 : 0;
}

function print(results: readonly NamedResult[]): void {
  const failures = results.flatMap(({ path, result }) => result.failures.map((failure) => ({ path, failure })));
  const messages = results.flatMap(({ path, result }) => result.otherMessages.map((failure) => ({ path, failure })));
  const parts: string[] = [];
  if (values.group) parts.push(groupReport(results, Number(values.reasons), Number(values.examples)));
  else parts.push(...failures.slice(0, Number(values.failures)).map(({ path, failure }) => failureText(path, failure)));
  if (values.messages) parts.push(...messages.slice(0, Number(values.failures)).map(({ path, failure }) => failureText(path, failure)));
  if (failures.length > 0) parts.push(groupTable(results, Number(values.reasons)));
  const root = commonFolder(results.map(({ path }) => dirname(path)));
  parts.push(folderTable(results, (path) => relative(root, dirname(path)) || '.'));
  if (messages.length > 0) parts.push(`${messages.length} refusals have the right SQLSTATE and another message (--messages)`);
  process.stdout.write(`${parts.filter((part) => part !== '').join('\n\n')}\n`);
}

function commonFolder(folders: readonly string[]): string {
  let root = folders[0] ?? '.';
  while (!folders.every((folder) => folder === root || folder.startsWith(`${root}/`)) && dirname(root) !== root) root = dirname(root);
  return root;
}
