/** Errors of the external Postgres and of the way to it, as errors of svc. Nothing of the address but host, port and database is shown. */
import { SQLSTATES, type SqlState } from '../base/errors/sqlstate.ts';
import { SvcError } from '../base/errors/svc-error.ts';

interface ServerError {
  readonly code?: string;
  readonly message: string;
  readonly severity?: string;
  readonly detail?: string;
  readonly hint?: string;
  readonly schema?: string;
  readonly table?: string;
  readonly constraint?: string;
}

/** Whether the server answered, so that the transaction is known to have failed; otherwise its fate is open. */
export function isAnswered(error: unknown): boolean {
  const { severity, code = '' } = error as ServerError;
  return severity !== undefined && !/^(08|57P0[123])/.test(code);
}

/** What to do, by SQLSTATE. */
const HINTS: Readonly<Record<string, string>> = {
  '28P01': 'Check the password in the address.',
  '28000': 'Check the role in the address, and pg_hba.conf of the server.',
  '3D000': 'Check the database in the address.',
  '42501': 'GRANT SELECT, INSERT, UPDATE, DELETE on the attached tables to the role of the connection, and USAGE on their schemas.',
  '55P03': 'Another transaction of Postgres holds a lock on these rows. Merge again when it has ended.',
  '57014': 'Postgres ended the statement after its time limit. Merge again, or raise statement_timeout of the role.',
  '40001': 'Merge again.',
  '40P01': 'Merge again.',
  '25006': 'The server is a standby, or the role is read-only: connect to the primary with a role that may write.',
  '53300': 'The server has no connection left. Merge again.',
  '26000': 'The pooler in front of Postgres does not keep prepared statements: svc uses none by name, so another client shares the connection.',
};

/** `doing`: what failed, as the beginning of a sentence. */
export function sourceError(error: unknown, shown: string, doing: string): SvcError {
  if (error instanceof SvcError) return error;
  const { code = '', message, severity, detail, hint, constraint, table } = error as ServerError;
  // Poolers give this code for all that they refuse.
  if (severity !== undefined && code === '08P01') {
    return new SvcError('08P01', `${doing}: Postgres at ${shown}, or a pooler in front of it, refuses it: ${message}`, {
      hint: 'Nothing was changed. A pooler has to be in transaction or session mode, as a merge is one transaction; or connect to Postgres itself.',
      status: 503,
    });
  }
  if (severity === undefined || /^(08|57P0[123])/.test(code)) {
    const refused = /^(28|3D)/.test(code);
    return new SvcError('08006', `${doing}: Postgres at ${shown} ${refused ? 'refuses the connection' : 'cannot be reached'}: ${plain(message)}`, {
      hint: 'Nothing was changed. Check that the server runs and that the address of this process leads to it; then try again.',
      status: 503,
      cause: undefined,
    });
  }
  if (/^(28|3D)/.test(code)) {
    return new SvcError('08001', `${doing}: Postgres at ${shown} refuses the connection: ${message}`, { hint: HINTS[code] ?? 'Check the address.' });
  }
  const known = (Object.hasOwn(SQLSTATES, code) ? code : '39000') as SqlState;
  return new SvcError(known, `${doing}: Postgres refuses it: ${message}`, {
    // Whole rows of the source, with what is masked here, are not for all who merge.
    ...(detail === undefined || detail.startsWith('Failing row') ? {} : { detail }),
    hint: HINTS[code] ?? hint ?? (constraint === undefined ? 'Nothing was changed.' : 'Change the rows in the world, then merge again. Nothing was changed.'),
    data: { postgres: { code, ...(table === undefined ? {} : { table }), ...(constraint === undefined ? {} : { constraint }) } },
  });
}

/** Some network errors have no message, but a list of causes. */
function plain(message: string): string {
  return message === '' ? 'no answer' : message;
}
