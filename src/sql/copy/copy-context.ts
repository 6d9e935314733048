/** The position in the input of COPY FROM for errors: Postgres's CONTEXT, carried as `data.where`. */
import { SvcError } from '../../base/errors/svc-error.ts';
import { characterCount, sliceCharacters } from '../types/characters.ts';

const PRINTED_MAX = 100;

export function lineContext(relation: string, line: number, text?: string): string {
  return `COPY ${relation}, line ${line}${text === undefined ? '' : `: "${printed(text)}"`}`;
}

/** For one field; `text` null for a null, undefined if there is no text (binary). */
export function fieldContext(relation: string, line: number, column: string, text?: string | null): string {
  const shown = text === undefined ? '' : text === null ? ': null input' : `: "${printed(text)}"`;
  return `COPY ${relation}, line ${line}, column ${column}${shown}`;
}

function printed(text: string): string {
  return characterCount(text) <= PRINTED_MAX ? text : `${sliceCharacters(text, 0, PRINTED_MAX)}...`;
}

/** The error with the position added; an existing one comes first. */
export function withContext(error: SvcError, where: string): SvcError {
  const { code, message, detail, hint, position, data, status, context } = error;
  if (context !== null) return error.within({ ...context, where: `${context.where}\n${where}` });
  const inner = data?.['where'];
  const whole = typeof inner === 'string' ? `${inner}\n${where}` : where;
  return new SvcError(code, message, { detail, hint, position, status, data: { ...data, where: whole }, cause: error });
}
