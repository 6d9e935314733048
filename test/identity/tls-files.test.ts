/** The files of --tls-cert and --tls-key. */
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readTlsFiles } from '../../src/identity/tls-files.ts';

const fixtures = join(import.meta.dirname, '../../fixtures/tls');
const cert = join(fixtures, 'cert.pem');
const key = join(fixtures, 'key.pem');
const folder = mkdtempSync(join(tmpdir(), 'svc-tls-'));
afterAll(() => rmSync(folder, { recursive: true }));

function keyFile(name: string, passphrase?: string): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const sealed = passphrase === undefined ? {} : { cipher: 'aes-256-cbc', passphrase };
  writeFileSync(join(folder, name), privateKey.export({ type: 'pkcs8', format: 'pem', ...sealed } as { type: 'pkcs8'; format: 'pem' }));
  return join(folder, name);
}

test.each([
  ['a certificate that is not there', join(folder, 'none.pem'), key, 'the file of --tls-cert cannot be read: ENOENT'],
  ['a folder as key', cert, folder, 'the file of --tls-key cannot be read: EISDIR'],
  ['a key as certificate', key, key, `"${key}" holds no certificate`],
  ['a certificate as key', cert, cert, `"${cert}" holds no private key`],
  ['the key of another certificate', cert, keyFile('other.pem'), `is not the one of the certificate in "${cert}"`],
  ['a key behind a passphrase', cert, keyFile('sealed.pem', 'secret'), 'is protected by a passphrase'],
])('%s is refused by its name', (_, certPath, keyPath, says) => {
  expect(() => readTlsFiles(certPath, keyPath, new Date())).toThrow(expect.objectContaining({ code: '22023', message: expect.stringContaining(says) }));
});

test('a certificate that is not in force is served with a warning', () => {
  expect(readTlsFiles(cert, key, new Date('9999-01-01')).warning).toMatch(/^the certificate has expired/);
  expect(readTlsFiles(cert, key, new Date('2000-01-01')).warning).toMatch(/^the certificate is not valid before/);
});
