/**
 * Where the external Postgres is: a connection string, or the variables that libpq reads. It is a secret: it is taken from an argument or
 * the environment of the process each time, and never written to the folder, its log, a backup or a message.
 */
import type { ClientConfig } from 'pg';
import { SvcError } from '../base/errors/svc-error.ts';

export interface AddressOptions {
  /** A connection string. */
  readonly url?: string;
  /** Name of the variable that holds it. */
  readonly urlEnv?: string;
}

/** Names a connection string, or a part of one. */
const LIBPQ = ['PGHOST', 'PGHOSTADDR', 'PGDATABASE', 'PGUSER', 'PGPORT'];

/**
 * The connection string of the option, else of the named variable, SVC_ATTACH_URL or DATABASE_URL; `''` for PGHOST and its kind. null if
 * nothing is given; 22023 for a named variable that is not set, or a string that is no address of Postgres.
 */
export function addressOf({ url, urlEnv }: AddressOptions, env: NodeJS.ProcessEnv): string | null {
  if (url !== undefined && urlEnv !== undefined) throw new SvcError('22023', '--url and --url-env exclude each other');
  const named = urlEnv ?? (url === undefined ? set(env, 'SVC_ATTACH_URL_ENV') : undefined);
  if (named !== undefined) {
    const value = set(env, named);
    if (value === undefined) throw new SvcError('22023', `the variable ${named}, which should hold the address of Postgres, is not set`);
    return checked(value, named);
  }
  if (url !== undefined) return checked(url, '--url');
  for (const name of ['SVC_ATTACH_URL', 'DATABASE_URL']) {
    const value = set(env, name);
    if (value !== undefined) return checked(value, name);
  }
  return LIBPQ.some((name) => set(env, name) !== undefined) ? '' : null;
}

function set(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const value = env[name];
  return value === '' ? undefined : value;
}

/** The text of a wrong one is not shown: it may hold a password. */
function checked(text: string, from: string): string {
  if (!/^postgres(ql)?:\/\//.test(text)) {
    throw new SvcError('22023', `${from} is no address of Postgres`, { hint: 'It has the form postgres://user:password@host:5432/database.' });
  }
  try {
    new URL(text);
  } catch {
    throw new SvcError('22023', `${from} is no address of Postgres: it cannot be read as a URL`, { hint: 'Special characters of a password are %-escaped.' });
  }
  return text;
}

/** For the client; '' reads PGHOST and its kind. */
export function configOf(address: string): ClientConfig {
  return {
    ...(address === '' ? {} : { connectionString: address }),
    application_name: 'svc',
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  };
}
