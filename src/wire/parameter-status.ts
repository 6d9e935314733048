/** ParameterStatus: the settings that clients are told of, at the start and whenever they change. */
import type { SqlSession } from '../sql/session/sql-session.ts';
import type { MessageWriter } from './message-writer.ts';
import { BACKEND } from './protocol.ts';

const REPORTED = [
  ['application_name', 'application_name'],
  ['client_encoding', 'client_encoding'],
  ['DateStyle', 'datestyle'],
  ['default_transaction_read_only', 'default_transaction_read_only'],
  ['in_hot_standby', 'in_hot_standby'],
  ['integer_datetimes', 'integer_datetimes'],
  ['IntervalStyle', 'intervalstyle'],
  ['server_encoding', 'server_encoding'],
  ['server_version', 'server_version'],
  ['standard_conforming_strings', 'standard_conforming_strings'],
  ['TimeZone', 'timezone'],
] as const;

export class ParameterStatus {
  readonly #session: SqlSession;
  /** The name that logged in. */
  readonly #user: string;
  readonly #told = new Map<string, string>();
  #version = -1;

  constructor(session: SqlSession, user: string) {
    this.#session = session;
    this.#user = user;
  }

  /** Those that have changed; all of them at first. */
  report(out: MessageWriter): void {
    const { settings, authority } = this.#session;
    if (this.#version === settings.version) return;
    this.#version = settings.version;
    for (const [title, name] of REPORTED) this.#tell(out, title, settings.get(name) ?? '');
    this.#tell(out, 'is_superuser', authority.superuser ? 'on' : 'off');
    this.#tell(out, 'session_authorization', settings.get('session_authorization') === 'default' ? this.#user : authority.sessionUserName);
  }

  #tell(out: MessageWriter, title: string, value: string): void {
    if (this.#told.get(title) === value) return;
    this.#told.set(title, value);
    write(out, title, value);
  }
}

function write(out: MessageWriter, name: string, value: string): void {
  out.begin(BACKEND.parameterStatus);
  out.text(name);
  out.text(value);
  out.end();
}
