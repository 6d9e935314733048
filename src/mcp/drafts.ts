/** Drafts of safe mode: each text is one statement of its target entrance, for any names and values. */
import { SvcError } from '../base/errors/svc-error.ts';
import { parse } from '../sql/parse/parse.ts';

export function draftText(statements: readonly string[]): string {
  for (const statement of statements) {
    const found = parse(statement).length;
    if (found !== 1)
      throw new SvcError('42601', `the draft would be ${found} statements, not one`, { hint: 'Give one SELECT without a semicolon, and plain names.' });
  }
  return `Nothing was changed. Ask a person to run:\n${statements.map((statement) => `${statement};`).join('\n')}`;
}
