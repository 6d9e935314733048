/** What a client is told of each statement of a script: rows, messages with their context, errors with their place. */
import type pg from 'pg';
import { answersOf } from '../answers.ts';

const FIELDS = [
  'code',
  'message',
  'detail',
  'hint',
  'position',
  'internalPosition',
  'internalQuery',
  'where',
  'schema',
  'table',
  'column',
  'dataType',
  'constraint',
] as const;

/** What a client is told of each statement. */
export function told(config: pg.ClientConfig, statements: readonly string[]): Promise<string[]> {
  return answersOf(config, statements, {
    notice: ({ severity, message, where }) => [severity, message, where].filter((each) => each !== undefined).join('\n  '),
    head: ({ command, fields }) => `${command} ${fields.map(({ name }) => name).join()}`,
    refusal: (fields) => FIELDS.flatMap((name) => (fields[name] === undefined ? [] : [`${name}: ${fields[name]}`])).join('\n'),
  });
}
