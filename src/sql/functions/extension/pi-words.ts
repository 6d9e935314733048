/** The first words of the fraction of π, the initial state of Blowfish: 18 and four times 256 of 32 bits. */
const WORDS = 18 + 4 * 256;
/** Extra bits against rounding errors. */
const GUARD = 64n;

/** The arc tangent of 1/n, with `bits` bits after the point. */
function inverseTangent(n: bigint, bits: bigint): bigint {
  let term = (1n << bits) / n;
  let sum = term;
  const square = n * n;
  for (let i = 3n, sign = -1n; term !== 0n; i += 2n, sign = -sign) {
    term /= square;
    sum += (sign * term) / i;
  }
  return sum;
}

let made: Int32Array | null = null;

/** By Machin's formula, on first use: some milliseconds. */
export function piWords(): Int32Array {
  if (made !== null) return made;
  const bits = BigInt(WORDS * 32) + GUARD;
  const pi = 4n * (4n * inverseTangent(5n, bits) - inverseTangent(239n, bits));
  const fraction = (pi - (3n << bits)) >> GUARD;
  const hex = fraction.toString(16).padStart(WORDS * 8, '0');
  made = Int32Array.from({ length: WORDS }, (_, i) => Number.parseInt(hex.slice(i * 8, i * 8 + 8), 16) | 0);
  return made;
}
