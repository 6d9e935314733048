/** Connection strings of libpq. Only the form is checked: nothing connects. Manual, 34.1.1. */
import { SvcError } from '../../base/errors/svc-error.ts';

/** Manual, 34.1.2. */
const KEYWORDS: ReadonlySet<string> = new Set(
  (
    'host hostaddr port dbname user password passfile channel_binding connect_timeout client_encoding options application_name fallback_application_name ' +
    'keepalives keepalives_idle keepalives_interval keepalives_count tcp_user_timeout replication gssencmode sslmode sslcompression sslcert sslkey sslpassword ' +
    'sslrootcert sslcrl sslcrldir requirepeer sslsni ssl_min_protocol_version ssl_max_protocol_version krbsrvname gsslib service target_session_attrs'
  ).split(' '),
);

/** 42601. */
export function checkConnectionString(text: string): void {
  const problem = /^postgres(ql)?:\/\//.test(text) ? uriProblem(text) : pairsProblem(text);
  if (problem !== null) throw new SvcError('42601', `invalid connection string syntax: ${problem}\n`);
}

/** Parses `key = value`; values with blanks are quoted, with backslash escapes. */
function pairsProblem(text: string): string | null {
  const space = (at: number): number => {
    while (at < text.length && /\s/.test(text[at])) at++;
    return at;
  };
  let at = space(0);
  while (at < text.length) {
    const from = at;
    while (at < text.length && text[at] !== '=' && !/\s/.test(text[at])) at++;
    const key = text.slice(from, at);
    at = space(at);
    if (text[at] !== '=') return `missing "=" after "${key}" in connection info string`;
    at = space(at + 1);
    const end = valueEnd(text, at);
    if (end === null) return 'unterminated quoted string in connection info string';
    if (!KEYWORDS.has(key)) return `invalid connection option "${key}"`;
    at = space(end);
  }
  return null;
}

function valueEnd(text: string, from: number): number | null {
  let at = from;
  if (text[at] !== "'") {
    while (at < text.length && !/\s/.test(text[at])) at += text[at] === '\\' ? 2 : 1;
    return Math.min(at, text.length);
  }
  for (at++; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === "'") return at + 1;
  }
  return null;
}

function uriProblem(text: string): string | null {
  const query = text.indexOf('?');
  if (query < 0) return null;
  for (const pair of text.slice(query + 1).split('&')) {
    if (pair === '') continue;
    const [key, ...rest] = pair.split('=');
    if (rest.length === 0) return `missing key/value separator "=" in URI query parameter: "${key}"`;
    if (rest.length > 1) return `extra key/value separator "=" in URI query parameter: "${key}"`;
    if (key !== 'ssl' && !KEYWORDS.has(key)) return `invalid URI query parameter: "${key}"`;
  }
  return null;
}
