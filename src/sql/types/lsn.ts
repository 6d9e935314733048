/** WAL positions (pg_lsn) as texts: 64 bits in two hexadecimal halves, `16/B374D848`. */
export function lsnNumber(text: string): bigint {
  const at = text.indexOf('/');
  return (BigInt(`0x${text.slice(0, at)}`) << 32n) | BigInt(`0x${text.slice(at + 1)}`);
}

export function lsnText(value: bigint): string {
  return `${(value >> 32n).toString(16).toUpperCase()}/${(value & 0xffffffffn).toString(16).toUpperCase()}`;
}
