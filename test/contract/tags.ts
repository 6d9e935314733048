/** Tags of tests: a comment `// contract: merge.7, merge.9` (`# contract: …` in .slt) directly above a test says which promises it holds. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Tag {
  readonly file: string;
  readonly line: number;
  readonly ids: readonly string[];
  /** The title of the test, null where the tag is above none. */
  readonly title: string | null;
}

const TAG = /^\s*(?:\/\/|#) contract: (.*)$/;
const TEST = /^\s*(?:test|it|law|describe)(?:\.\w+)*(?:<.*?>)?\(/;
const QUOTED = /(['"`])((?:\\.|(?!\1).)*)\1/;

/** The title of the test that begins with this text: the first string, of a table of cases the one behind its end. */
function titleOf(text: string): string | null {
  if (!TEST.test(text)) return null;
  const each = /^\s*\w+(?:\.\w+)*\.(?:each|skipIf|runIf)\b/.test(text);
  const found = each ? new RegExp(`\\)\\(\\s*${QUOTED.source}`).exec(text) : QUOTED.exec(text);
  return found === null ? null : found[2].replace(/\\(.)/g, '$1');
}

/** In a script of SQL the title is the first line of the statement. */
function statementAt(lines: readonly string[], at: number): string | null {
  return /^(?:statement|query)\b/.test(lines[at] ?? '') ? (lines[at + 1] ?? null) : null;
}

export function tagsIn(file: string, text: string): Tag[] {
  const lines = text.split('\n');
  return lines.flatMap((each, at) => {
    const found = TAG.exec(each);
    if (found === null) return [];
    let next = at + 1;
    while (TAG.test(lines[next] ?? '')) next++;
    const title = file.endsWith('.slt') ? statementAt(lines, next) : titleOf(lines.slice(next).join('\n'));
    return [{ file, line: at + 1, ids: found[1].split(',').map((id) => id.trim()), title }];
  });
}

/** The tags of all tests, suites that several test files run included. */
export function allTags(root: string): Tag[] {
  return readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(?:ts|slt)$/.test(path) && path !== 'contract/tags.ts' && path !== 'contract/contract.test.ts')
    .sort()
    .flatMap((path) => tagsIn(`test/${path}`, readFileSync(join(root, 'test', path), 'utf8')));
}
