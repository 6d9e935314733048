/** ParameterStatus: the settings reported to clients, at the start and when they change; and the client encoding. */
import type { SqlSession } from '../sql/session/sql-session.ts';
import type { MessageReader } from './message-reader.ts';
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
  readonly #reader: MessageReader;
  readonly #out: MessageWriter;
  /** The logged-in user name. */
  readonly #user: string;
  readonly #reported = new Map<string, string>();
  #version = -1;
  /** Version of the settings when the encoding was read. */
  #encodingOf = -1;

  constructor(session: SqlSession, user: string, { reader, out }: { reader: MessageReader; out: MessageWriter }) {
    this.#session = session;
    this.#user = user;
    this.#reader = reader;
    this.#out = out;
  }

  /** From here on texts are converted by `client_encoding`. */
  followEncoding(): void {
    const { settings } = this.#session;
    if (this.#encodingOf === settings.version) return;
    this.#encodingOf = settings.version;
    this.#reader.encoding = this.#out.encoding = settings.clientEncoding;
  }

  /** Reports changed settings; all of them at first. */
  report(): void {
    const { settings, authority } = this.#session;
    if (this.#version === settings.version) return;
    this.#version = settings.version;
    this.followEncoding();
    const out = this.#out;
    for (const [title, name] of REPORTED) this.#reportOne(out, title, settings.get(name) ?? '');
    this.#reportOne(out, 'is_superuser', authority.superuser ? 'on' : 'off');
    this.#reportOne(out, 'session_authorization', settings.get('session_authorization') === 'default' ? this.#user : authority.sessionUserName);
  }

  #reportOne(out: MessageWriter, title: string, value: string): void {
    if (this.#reported.get(title) === value) return;
    this.#reported.set(title, value);
    write(out, title, value);
  }
}

function write(out: MessageWriter, name: string, value: string): void {
  out.begin(BACKEND.parameterStatus, true);
  out.text(name);
  out.text(value);
  out.end();
}
