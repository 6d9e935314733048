/** A script run here and by Postgres 15, statement by statement, by the same client. */
import type pg from 'pg';
import { answersOf } from '../answers.ts';

/** Statements are parted by empty lines, so that a list of several can be one. */
export function statementsOf(script: string): string[] {
  return script
    .split(/\n\s*\n/)
    .map((text) => text.replace(/^--.*$/gm, '').trim())
    .filter((text) => text !== '');
}

/** What a client is told: command tags and rows, notices, or the refusal. */
export function told(config: pg.ClientConfig, statements: readonly string[]): Promise<string[]> {
  return answersOf(config, statements, {
    notice: ({ severity, message }) => `${severity}: ${message}`,
    head: ({ command, rowCount }) => `${command} ${rowCount ?? ''}`.trim(),
    refusal: ({ code, message, detail, hint }) => {
      // Objects that depend are listed in no order.
      const listed = code === '2BP01' ? detail?.split('\n').sort().join('\n') : detail;
      return [`${code} ${message}`, listed === undefined ? '' : `DETAIL: ${listed}`, hint === undefined ? '' : `HINT: ${hint}`]
        .filter((each) => each !== '')
        .join('\n');
    },
  });
}
