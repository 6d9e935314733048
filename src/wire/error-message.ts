/** ErrorResponse and NoticeResponse (manual 55.8): one `SvcError` as the fields that clients show. */
import { rangeRefusal } from '../base/errors/range-error.ts';
import { SvcError } from '../base/errors/svc-error.ts';
import type { MessageWriter } from './message-writer.ts';
import { BACKEND } from './protocol.ts';

export type Severity = 'ERROR' | 'FATAL' | 'PANIC' | 'WARNING' | 'NOTICE' | 'INFO' | 'LOG' | 'DEBUG';

/** Internal errors have no code that a user could know. */
export function asSvcError(error: unknown): SvcError {
  if (error instanceof SvcError) return error;
  const refusal = error instanceof RangeError ? rangeRefusal(error) : null;
  if (refusal !== null) return refusal;
  return new SvcError('XX000', `internal error: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
}

export function writeError(out: MessageWriter, error: SvcError, severity: 'ERROR' | 'FATAL'): void {
  out.dropBegun();
  out.begin(BACKEND.errorResponse, true);
  writeSeverity(out, severity);
  field(out, 'C', error.code);
  field(out, 'M', error.message);
  if (error.detail !== undefined) field(out, 'D', error.detail);
  if (error.hint !== undefined) field(out, 'H', error.hint);
  if (error.position !== undefined) field(out, 'P', String(error.position));
  const { data, context } = error;
  if (context !== null) {
    if (context.query !== null) {
      if (context.position !== undefined) field(out, 'p', String(context.position));
      field(out, 'q', context.query);
    }
    if (context.where !== '') field(out, 'W', context.where);
  }
  if (data !== undefined) {
    for (const [letter, name] of NAMES) {
      const value = data[name];
      if (typeof value === 'string') field(out, letter, value);
      else if (typeof value === 'number') field(out, letter, String(value));
    }
  }
  writePlace(out, error);
  out.byte(0);
  out.end();
}

/** File, line and routine, shown by psql's \\errverbose. Only for errors, because stacks take time. */
function writePlace(out: MessageWriter, error: SvcError): void {
  const found = PLACE.exec(error.stack ?? '');
  if (found === null) return;
  const [, routine, file, line] = found;
  field(out, 'F', file);
  field(out, 'L', line);
  field(out, 'R', routine?.split('.').at(-1)?.replace(/^#/, '') ?? 'module');
}
const PLACE = /\n {4}at (?:(?:async |new )?([^\s(]+)[^(\n]* \()?(?:[^\n()]*[/\\])?([^/\\\n():]+):(\d+):\d+/;

const NAMES = [
  ['W', 'where'],
  ['s', 'schema'],
  ['t', 'table'],
  ['c', 'column'],
  ['d', 'type'],
  ['n', 'constraint'],
] as const;

export function writeNotice(
  out: MessageWriter,
  notice: { severity: Severity; code: string; message: string; detail?: string; hint?: string; position?: number; where?: string },
): void {
  out.begin(BACKEND.noticeResponse, true);
  writeSeverity(out, notice.severity);
  field(out, 'C', notice.code);
  field(out, 'M', notice.message);
  if (notice.detail !== undefined) field(out, 'D', notice.detail);
  if (notice.hint !== undefined) field(out, 'H', notice.hint);
  if (notice.position !== undefined) field(out, 'P', String(notice.position));
  if (notice.where !== undefined) field(out, 'W', notice.where);
  out.byte(0);
  out.end();
}

function writeSeverity(out: MessageWriter, severity: Severity): void {
  field(out, 'S', severity);
  field(out, 'V', severity);
}

function field(out: MessageWriter, letter: string, value: string): void {
  out.byte(letter.charCodeAt(0));
  out.text(value);
}
