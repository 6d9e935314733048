/** Binary values of the types in clients' startup queries, as text. Types of variable width are recognised by length. */
export function binaryAsText(bytes: Buffer, type: number): string {
  switch (type) {
    case 16:
      return bytes[0] === 1 ? 't' : 'f';
    case 20:
      return String(bytes.readBigInt64BE());
    case 21:
      return String(bytes.readInt16BE());
    case 23:
    case 26:
      return String(bytes.readInt32BE());
    case 1028:
      return arrayAsText(bytes);
    case 0:
      if (looksLikeOids(bytes)) return arrayAsText(bytes);
      return bytes.length === 4 && bytes[0] === 0 ? String(bytes.readInt32BE()) : bytes.toString();
    default:
      return bytes.toString();
  }
}

/** One dimension of oids or integers of four bytes. */
function looksLikeOids(bytes: Buffer): boolean {
  return bytes.length >= 20 && bytes.readInt32BE(0) === 1 && (bytes.readInt32BE(8) === 26 || bytes.readInt32BE(8) === 23);
}

function arrayAsText(bytes: Buffer): string {
  const out: number[] = [];
  if (bytes.readInt32BE(0) > 0) for (let at = 24; at < bytes.length; at += 8) out.push(bytes.readInt32BE(at));
  return `{${out.join()}}`;
}
