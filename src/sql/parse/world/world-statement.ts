/** World statements, told apart by their first words. */
import type { Statement } from '../../ast/statement.ts';
import { SvcError } from '../../../base/errors/svc-error.ts';

export type QueryParser = (text: string, start: number, end: number) => Statement;

export function parseWorldStatement(_text: string, _start: number, _end: number, _parseQuery: QueryParser): Statement {
  throw new SvcError('0A000', 'world statements are not supported');
}
