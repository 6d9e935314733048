/**
 * Authentication (manual, sections 55.2.1 and 55.3):
 *
 *   none   ◄── AuthenticationOk
 *   md5    ◄── MD5Password(salt)            ──► hash
 *   scram  ◄── SASL(mechanisms)             ──► SASLInitialResponse(mechanism, client-first)
 *          ◄── SASLContinue(server-first)   ──► SASLResponse(client-final)
 *          ◄── SASLFinal(server-final)
 *
 * A name without a credential goes through the same exchange, and fails like a wrong password: 28P01.
 */
import { randomBytes } from 'node:crypto';
import { SvcError } from '../base/errors/svc-error.ts';
import type { LoginChallenge, LoginIdentity } from '../identity/login-challenge.ts';
import { answersMd5 } from '../identity/md5-password.ts';
import { ScramExchange } from '../identity/scram-exchange.ts';
import type { Logins } from '../session/authenticate.ts';
import type { MessageWriter } from './message-writer.ts';
import { BACKEND } from './protocol.ts';

const AUTHENTICATION = { md5: 5, sasl: 10, saslContinue: 11, saslFinal: 12 } as const;
const NONCE_BYTES = 18;

export interface LoginLine {
  readonly out: MessageWriter;
  /** Sends pending output and waits for the body of the client's answer. */
  answer(): Promise<Buffer>;
}

export interface LoginParts {
  readonly user: string;
  readonly address: string;
  /** Hash of the connection's certificate. */
  readonly binding: Buffer | null;
}

export async function login(line: LoginLine, { user, address, binding }: LoginParts, logins: Logins): Promise<LoginIdentity> {
  logins.admit(address);
  const challenge = await logins.challenge(user);
  if (challenge.kind === 'none') return challenge.who;
  const who = challenge.kind === 'md5' ? await md5(line, challenge) : await scram(line, challenge, binding);
  // Logins from the same address may have failed meanwhile.
  logins.admit(address);
  if (who !== null) return who;
  logins.failed(address);
  throw new SvcError('28P01', `password authentication failed for user "${user}"`);
}

async function md5(line: LoginLine, { stored, who }: LoginChallenge & { kind: 'md5' }): Promise<LoginIdentity | null> {
  const salt = randomBytes(4);
  begin(line, AUTHENTICATION.md5);
  line.out.bytes(salt);
  line.out.end();
  const answer = await line.answer();
  return answersMd5(stored, salt, text(answer, 0)) ? who : null;
}

async function scram(line: LoginLine, challenge: LoginChallenge & { kind: 'scram' }, binding: Buffer | null): Promise<LoginIdentity | null> {
  const { candidates, salt, iterations, otherwise } = challenge;
  const exchange = new ScramExchange({ candidates, salt, iterations, binding, nonce: randomBytes(NONCE_BYTES).toString('base64') });
  begin(line, AUTHENTICATION.sasl);
  for (const mechanism of exchange.mechanisms) line.out.text(mechanism);
  line.out.text('');
  line.out.end();
  const initial = await line.answer();
  const mechanism = text(initial, 0);
  const at = Buffer.byteLength(mechanism) + 1;
  if (at + 4 > initial.length || initial.readInt32BE(at) !== initial.length - at - 4) throw new SvcError('08P01', 'malformed SASL response');
  begin(line, AUTHENTICATION.saslContinue);
  line.out.bytes(Buffer.from(exchange.first(mechanism, initial.toString('utf8', at + 4)), 'utf8'));
  line.out.end();
  const final = await line.answer();
  const proven = exchange.final(final.toString('utf8'));
  if (proven === null) return otherwise;
  begin(line, AUTHENTICATION.saslFinal);
  line.out.bytes(Buffer.from(proven.message, 'utf8'));
  line.out.end();
  return proven.who;
}

function begin({ out }: LoginLine, kind: number): void {
  out.begin(BACKEND.authentication);
  out.int32(kind);
}

/** Text up to its zero byte. */
function text(bytes: Buffer, from: number): string {
  const end = bytes.indexOf(0, from);
  if (end < 0) throw new SvcError('08P01', 'invalid message format');
  return bytes.toString('utf8', from, end);
}
