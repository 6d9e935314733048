/**
 * The code blocks of a page of the documentation, with the comments that say how the test runs them. A comment stands before its block:
 *
 *   <!-- run: fresh -->            in a new folder; what earlier blocks started is stopped
 *   <!-- run: fails -->            the block ends with an error, which it shows
 *   <!-- in postgres -->           tables of the external Postgres that the page attaches: run there first
 *   <!-- not run: reason -->       not run, and why
 *
 * A block of the language `output` is what the block before it prints; `…` in it matches any text. `text` is no code: drawings, grammar, layouts.
 */

/** `svc` is typed into the shell, `sql` too; `json` is an input of an operation in its reference, elsewhere what the block before it prints. */
export const LANGUAGES = ['sh', 'svc', 'sql', 'ts', 'json', 'output', 'text', 'ini', 'yaml', 'dockerfile', 'nginx'] as const;

export interface Block {
  /** Of its first line, from 1. */
  readonly line: number;
  readonly language: string;
  readonly text: string;
  /** Words of `run:`. */
  readonly run: readonly string[];
  /** Run in the external Postgres. */
  readonly inPostgres: boolean;
  /** Why it is not run. */
  readonly notRun: string | undefined;
  /** What it prints, if the page shows it. */
  readonly output: Block | undefined;
}

const BLOCK = /((?:^<!--(?:(?!-->)[^])*-->\n+)*)^```([\w]*)\n([^]*?)^```$/gm;

function comments(text: string, name: string): string[] {
  return [...text.matchAll(new RegExp(`<!-- ${name}:\\s+((?:(?!-->)[^])*?)\\s*-->`, 'g'))].map(([, value]) => value);
}

export function blocksOf(page: string): Block[] {
  const blocks: Block[] = [];
  for (const { 0: all, 1: head, 2: language, 3: text, index } of page.matchAll(BLOCK)) {
    const line = page.slice(0, index + all.indexOf('```', head.length)).split('\n').length + 1;
    const block = {
      line,
      language,
      text,
      run: comments(head, 'run').flatMap((words) => words.split(/,\s*/)),
      inPostgres: head.includes('<!-- in postgres -->'),
      notRun: comments(head, 'not run')[0],
      output: undefined,
    };
    const last = blocks.at(-1);
    if ((language === 'output' || (language === 'json' && last?.language === 'sh')) && block.notRun === undefined && last !== undefined) {
      blocks[blocks.length - 1] = { ...last, output: block };
    } else blocks.push(block);
  }
  return blocks;
}
