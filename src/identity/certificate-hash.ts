/**
 * The certificate hash for channel binding (RFC 5929, section 4.1): by the hash function of the certificate's own signature,
 * with SHA-256 in place of MD5 and SHA-1.
 */
import { createHash, X509Certificate } from 'node:crypto';

/** Bodies of object identifiers in DER, as hex. */
const HASHES: readonly (readonly [oid: string, hash: string])[] = [
  ['2a864886f70d010104', 'sha256'], // md5WithRSAEncryption
  ['2a864886f70d010105', 'sha256'], // sha1WithRSAEncryption
  ['2a864886f70d01010b', 'sha256'],
  ['2a864886f70d01010c', 'sha384'],
  ['2a864886f70d01010d', 'sha512'],
  ['2a864886f70d01010e', 'sha224'],
  ['2a8648ce3d0401', 'sha256'], // ecdsa-with-SHA1
  ['2a8648ce3d040301', 'sha224'],
  ['2a8648ce3d040302', 'sha256'],
  ['2a8648ce3d040303', 'sha384'],
  ['2a8648ce3d040304', 'sha512'],
];
const PSS = '2a864886f70d01010a';
/** Hash functions as RSASSA-PSS names them in its parameters. */
const PSS_HASHES: readonly (readonly [oid: string, hash: string])[] = [
  ['608648016503040201', 'sha256'],
  ['608648016503040202', 'sha384'],
  ['608648016503040203', 'sha512'],
];

/** null if the signature names no hash function (Ed25519): channel binding is then not available. */
export function certificateHash(pem: string): Buffer | null {
  const der = new X509Certificate(pem).raw;
  const certificate = element(der, 0);
  const signed = element(der, certificate.start);
  const algorithm = element(der, signed.end);
  const oid = element(der, algorithm.start);
  const name = der.toString('hex', oid.start, oid.end);
  let hash = HASHES.find(([each]) => each === name)?.[1];
  if (name === PSS) {
    const parameters = der.toString('hex', oid.end, algorithm.end);
    hash = PSS_HASHES.find(([each]) => parameters.includes(each))?.[1] ?? 'sha256';
  }
  return hash === undefined ? null : createHash(hash).update(der).digest();
}

/** Offsets of the content of a DER element. */
function element(der: Buffer, at: number): { start: number; end: number } {
  let start = at + 2;
  let length = der[at + 1];
  if (length > 127) {
    const bytes = length & 127;
    length = der.readUIntBE(start, bytes);
    start += bytes;
  }
  return { start, end: start + length };
}
