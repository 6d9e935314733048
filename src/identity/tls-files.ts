/** The server's certificate and key, checked before anything is opened, so that the error names the wrong file. */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { SvcError } from '../base/errors/svc-error.ts';

export interface TlsFiles {
  /** PEM texts; the server's certificate first, then its chain. */
  readonly cert: string;
  readonly key: string;
  /** Why clients that verify the certificate will refuse it; null if it is valid now. */
  readonly warning: string | null;
}

/** Of `--tls-cert` and `--tls-key`; undefined without them. 22023 for one without the other, and as below. */
export function tlsFilesOf({ tlsCert, tlsKey }: { readonly tlsCert?: string; readonly tlsKey?: string }): TlsFiles | undefined {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert === undefined || tlsKey === undefined) throw new SvcError('22023', '--tls-cert and --tls-key go together');
  return readTlsFiles(tlsCert, tlsKey, new Date());
}

/** 22023 for files that cannot be read, hold something else, or do not match. */
export function readTlsFiles(certPath: string, keyPath: string, now: Date): TlsFiles {
  const cert = fileText('--tls-cert', certPath);
  const key = fileText('--tls-key', keyPath);
  const certificate = certificateIn(cert, certPath);
  if (!certificate.checkPrivateKey(keyIn(key, keyPath))) {
    throw new SvcError('22023', `the key in "${keyPath}" is not the one of the certificate in "${certPath}"`, {
      hint: "The server's own certificate comes first in its file, before those that vouch for it.",
    });
  }
  return { cert, key, warning: warningOf(certificate, now) };
}

function fileText(flag: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new SvcError('22023', `the file of ${flag} cannot be read: ${(error as Error).message}`);
  }
}

function certificateIn(text: string, path: string): X509Certificate {
  try {
    return new X509Certificate(text);
  } catch {
    throw new SvcError('22023', `"${path}" holds no certificate`, { hint: '--tls-cert is a file in PEM, which has a line BEGIN CERTIFICATE.' });
  }
}

function keyIn(text: string, path: string): KeyObject {
  try {
    return createPrivateKey(text);
  } catch {
    const sealed = text.includes('ENCRYPTED');
    throw new SvcError('22023', sealed ? `the key in "${path}" is protected by a passphrase` : `"${path}" holds no private key`, {
      hint: sealed ? 'Take it off: openssl pkey -in <file> -out <new file>' : '--tls-key is a file in PEM, which has a line BEGIN PRIVATE KEY.',
    });
  }
}

function warningOf({ validFrom, validTo }: X509Certificate, now: Date): string | null {
  if (now > new Date(validTo)) return `the certificate has expired: it was valid to ${validTo}`;
  return now < new Date(validFrom) ? `the certificate is not valid before ${validFrom}` : null;
}
