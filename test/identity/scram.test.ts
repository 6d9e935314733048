/** SCRAM-SHA-256 against the example of RFC 7677, what an exchange refuses, and passwords as they are kept. */
import { describe, expect, test } from 'vitest';
import { certificateHash } from '../../src/identity/certificate-hash.ts';
import { answersMd5, isMd5Password, md5Password } from '../../src/identity/md5-password.ts';
import { keptPassword } from '../../src/identity/role-password.ts';
import { saslprep } from '../../src/identity/saslprep.ts';
import { formatVerifier, makeVerifier, mockSalt, parseVerifier } from '../../src/identity/scram.ts';
import { SCRAM, SCRAM_PLUS, ScramExchange } from '../../src/identity/scram-exchange.ts';
import { refused } from '../sql/session/open-database.ts';
import { createHash, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** RFC 7677, section 3: user `user`, password `pencil`. */
const SALT = Buffer.from('W22ZaJ0SNY7soEsUEjb6gQ==', 'base64');
const CLIENT_FIRST = 'n,,n=user,r=rOprNGfwEbeRWgbNEkqO';
const NONCE = '%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0';
const SERVER_FIRST = 'r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096';
const CLIENT_FINAL = 'c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=';
const SERVER_FINAL = 'v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=';

async function exchange(passwords: readonly string[], binding: Buffer | null = null): Promise<ScramExchange<string>> {
  const candidates = await Promise.all(passwords.map(async (who) => ({ verifier: await makeVerifier(who, SALT), who })));
  return new ScramExchange({ candidates, salt: SALT, iterations: 4096, binding, nonce: NONCE });
}

describe('an exchange', () => {
  test('is that of RFC 7677', async () => {
    const own = await exchange(['pencil']);
    expect(own.first(SCRAM, CLIENT_FIRST)).toBe(SERVER_FIRST);
    expect(own.final(CLIENT_FINAL)).toEqual({ who: 'pencil', message: SERVER_FINAL });
  });

  test('finds the owner of the password, and none for an unknown one', async () => {
    const several = await exchange(['pen', 'pencil', 'crayon']);
    several.first(SCRAM, CLIENT_FIRST);
    expect(several.final(CLIENT_FINAL)?.who).toBe('pencil');
    for (const passwords of [[], ['pen']]) {
      const others = await exchange(passwords);
      expect(others.first(SCRAM, CLIENT_FIRST)).toBe(SERVER_FIRST);
      expect(others.final(CLIENT_FINAL)).toBeNull();
    }
  });

  test.each([
    ['an unknown mechanism', '08P01', 'SCRAM-SHA-1', CLIENT_FIRST],
    ['no flag', '08P01', SCRAM, 'x,,n=user,r=abc'],
    ['no nonce', '08P01', SCRAM, 'n,,n=user'],
    ['a binding without the mechanism for it', '08P01', SCRAM, 'p=tls-server-end-point,,n=,r=abc'],
    ['the mechanism for binding without one', '08P01', SCRAM_PLUS, 'n,,n=,r=abc'],
    ['another kind of binding', '08P01', SCRAM_PLUS, 'p=tls-unique,,n=,r=abc'],
    ['a client without channel binding', '28000', SCRAM, 'y,,n=,r=abc'],
    ['another identity', '0A000', SCRAM, 'n,a=root,n=,r=abc'],
    ['an extension', '0A000', SCRAM, 'n,,m=x,n=,r=abc'],
  ])('refuses %s', async (_what, code, mechanism, message) => {
    const own = await exchange(['pencil'], Buffer.alloc(32));
    await refused(code, (async () => own.first(mechanism, message))());
  });

  test.each([
    ['another nonce', '08P01', CLIENT_FINAL.replace('r=rOpr', 'r=rOps')],
    ['another header', '08P01', CLIENT_FINAL.replace('biws', 'eSws')],
    ['a short proof', '08P01', CLIENT_FINAL.replace('dHzbZapWIk4j', '')],
    ['no proof', '08P01', CLIENT_FINAL.split(',p=')[0]],
  ])('refuses %s at its end', async (_what, code, message) => {
    const own = await exchange(['pencil']);
    own.first(SCRAM, CLIENT_FIRST);
    await refused(code, (async () => own.final(message))());
  });

  // contract: auth.wire.9
  test('is bound to the certificate', async () => {
    const own = await exchange(['pencil'], Buffer.from('the certificate that the server has'));
    own.first(SCRAM_PLUS, 'p=tls-server-end-point,,n=,r=abc');
    const other = Buffer.from('p=tls-server-end-point,,the certificate in between').toString('base64');
    await refused('28000', (async () => own.final(`c=${other},r=abc${NONCE},p=${Buffer.alloc(32).toString('base64')}`))());
  });
});

describe('what is kept', () => {
  test('a verifier is read as it is written, and is what Postgres writes', async () => {
    // The keys of RFC 7677's example, in the form of pg_authid.rolpassword.
    const text = 'SCRAM-SHA-256$4096:W22ZaJ0SNY7soEsUEjb6gQ==$WG5d8oPm3OtcPnkdi4Uo7BkeZkBFzpcXkuLmtbsT4qY=:wfPLwcE6nTWhTAmQ7tl2KeoiWGPlZqQxSrmfPwDl2dU=';
    expect(formatVerifier(await makeVerifier('pencil', SALT))).toBe(text);
    expect(formatVerifier(parseVerifier(text)!)).toBe(text);
    for (const broken of ['', 'pencil', text.slice(1), text.replace('4096', '0'), text.replace('$WG5', '$'), `${text}x`])
      expect(parseVerifier(broken)).toBeNull();
  });

  test('hashes stay as they come, a plain password becomes a verifier, an empty one nothing', async () => {
    expect(await keptPassword('')).toBeNull();
    expect(await keptPassword(md5Password('secret', 'ann'))).toBe(md5Password('secret', 'ann'));
    const kept = (await keptPassword('secret'))!;
    expect(parseVerifier(kept)).not.toBeNull();
    expect(await keptPassword(kept)).toBe(kept);
    expect(await keptPassword('secret')).not.toBe(kept);
  });

  test('md5 answers a challenge', () => {
    const stored = md5Password('secret', 'ann');
    const salt = Buffer.from([1, 2, 3, 4]);
    const md5 = (...parts: (string | Buffer)[]): string =>
      parts.reduce<ReturnType<typeof createHash>>((hash, part) => hash.update(part), createHash('md5')).digest('hex');
    expect(stored).toBe(`md5${md5('secretann')}`);
    expect(isMd5Password(stored)).toBe(true);
    expect(isMd5Password(stored.toUpperCase())).toBe(false);
    expect(answersMd5(stored, salt, `md5${md5(md5('secretann'), salt)}`)).toBe(true);
    expect(answersMd5(stored, salt, `md5${md5(md5('otherann'), salt)}`)).toBe(false);
    expect(answersMd5(stored, salt, '')).toBe(false);
  });

  test('a name has one salt in a database, another in the next', () => {
    expect(mockSalt('a', 'ann')).toEqual(mockSalt('a', 'ann'));
    expect(mockSalt('a', 'ann')).toHaveLength(16);
    expect(mockSalt('a', 'bob')).not.toEqual(mockSalt('a', 'ann'));
    expect(mockSalt('b', 'ann')).not.toEqual(mockSalt('a', 'ann'));
  });

  // RFC 4013, section 3, and what Postgres does with text that the profile refuses: nothing.
  test.each([
    ['I\u00adX', 'IX'],
    ['user', 'user'],
    ['USER', 'USER'],
    ['\u00aa', 'a'],
    ['\u2168', 'IX'],
    ['a\u00a0b', 'a b'],
    ['\u0007', '\u0007'],
    ['\u0627\u0031', '\u0627\u0031'],
    ['\u0627a\u0628', '\u0627a\u0628'],
    ['\u0627\u0031\u0628', '\u0627\u0031\u0628'],
    ['e\u0301', '\u00e9'],
    ['🔑', '🔑'],
    ['', ''],
  ])('%j is prepared', (given, prepared) => {
    expect(saslprep(given)).toBe(prepared);
  });

  test('a certificate is hashed by the function of its signature', () => {
    const pem = readFileSync(join(import.meta.dirname, '../../fixtures/tls/cert.pem'), 'utf8');
    expect(certificateHash(pem)).toEqual(createHash('sha256').update(new X509Certificate(pem).raw).digest());
  });
});
