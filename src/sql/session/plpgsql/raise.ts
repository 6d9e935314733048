/** RAISE: builds the error or message. Manual, section 43.9.1. */
import type { SqlState } from '../../../base/errors/sqlstate.ts';
import { SvcError } from '../../../base/errors/svc-error.ts';
import { codesOf } from '../../plpgsql/conditions.ts';
import type { Level, Statement } from '../../plpgsql/syntax.ts';
import { contextLines } from '../call-frames.ts';
import { isSent } from '../messages.ts';
import type { Notice } from '../results.ts';
import type { SqlSession } from '../sql-session.ts';

/** 42704 for an unknown condition. */
function codeOf(condition: string): SqlState {
  const [code] = codesOf(condition);
  if (code !== undefined) return code as SqlState;
  if (/^[0-9A-Z]{5}$/.test(condition)) return condition as SqlState;
  throw new SvcError('42704', `unrecognized exception condition "${condition}"`);
}

export function raised(s: Statement & { kind: 'raise' }, args: readonly string[], options: ReadonlyMap<string, string>): SvcError {
  let code: SqlState = s.level === 'exception' ? 'P0001' : ('00000' as SqlState);
  if (s.condition !== null) code = codeOf(s.condition);
  const errcode = options.get('errcode');
  if (errcode !== undefined) {
    if (s.condition !== null) throw new SvcError('42601', 'RAISE option already specified: ERRCODE');
    code = codeOf(errcode);
  }
  const own = options.get('message');
  if (own !== undefined && s.message !== null) throw new SvcError('42601', 'RAISE option already specified: MESSAGE');
  const message = own ?? (s.message === null ? (s.condition ?? errcode ?? code) : filled(s.message, args));
  const data: Record<string, string> = {};
  for (const [option, item] of ITEMS) {
    const value = options.get(option);
    if (value !== undefined) data[item] = value;
  }
  return new SvcError(code, message, {
    ...(options.has('detail') ? { detail: options.get('detail')! } : {}),
    ...(options.has('hint') ? { hint: options.get('hint')! } : {}),
    ...(Object.keys(data).length > 0 ? { data } : {}),
  });
}

const ITEMS = [
  ['column', 'column'],
  ['constraint', 'constraint'],
  ['datatype', 'type'],
  ['table', 'table'],
  ['schema', 'schema'],
] as const;

function filled(message: string, args: readonly string[]): string {
  let next = 0;
  return message.replace(/%%|%/g, (sign) => (sign === '%%' ? '%' : args[next++]));
}

const SEVERITIES: Readonly<Record<Exclude<Level, 'exception'>, Notice['severity']>> = {
  debug: 'DEBUG',
  log: 'LOG',
  info: 'INFO',
  notice: 'NOTICE',
  warning: 'WARNING',
};

export function raiseNotice(session: SqlSession, level: Exclude<Level, 'exception'>, { code, message, detail, hint }: SvcError): void {
  const severity = SEVERITIES[level];
  if (!isSent(severity, session.settings.get('client_min_messages')!)) return;
  const plain = code === ('00000' as SqlState) && level === 'warning' ? '01000' : code;
  session.sendNotice({
    severity,
    code: plain,
    message,
    ...(detail === undefined ? {} : { detail }),
    ...(hint === undefined ? {} : { hint }),
    where: contextLines(session.frames),
  });
}
