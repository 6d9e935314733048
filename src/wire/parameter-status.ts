/** ParameterStatus: the settings that clients are told of, at the start and whenever they change. */
import type { Settings } from '../sql/session/settings.ts';
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
  readonly #settings: Settings;
  readonly #told = new Map<string, string>();
  #version = -1;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** All of them; `user` and whether he may everything do not change later. */
  start(out: MessageWriter, user: string, superuser: boolean): void {
    this.report(out);
    write(out, 'is_superuser', superuser ? 'on' : 'off');
    write(out, 'session_authorization', user);
  }

  /** Those that have changed. */
  report(out: MessageWriter): void {
    if (this.#version === this.#settings.version) return;
    this.#version = this.#settings.version;
    for (const [title, name] of REPORTED) {
      const value = this.#settings.get(name) ?? '';
      if (this.#told.get(title) === value) continue;
      this.#told.set(title, value);
      write(out, title, value);
    }
  }
}

function write(out: MessageWriter, name: string, value: string): void {
  out.begin(BACKEND.parameterStatus);
  out.text(name);
  out.text(value);
  out.end();
}
