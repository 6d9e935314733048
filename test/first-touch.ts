/**
 * What memory costs here when it is touched for the first time: 0.2 to 0.5 ms a MB where the kernel has pages at hand, ten times as much in a
 * virtual machine whose host has to find them. A statement whose values are large spends its turns with that, so their bound follows it.
 */
const SAMPLE_MB = 64;

/** Milliseconds a MB, the least of three. */
export function firstTouchMs(): number {
  let least = Infinity;
  for (let i = 0; i < 3; i++) {
    const begunMs = performance.now();
    Buffer.allocUnsafeSlow(SAMPLE_MB << 20).fill(1);
    least = Math.min(least, (performance.now() - begunMs) / SAMPLE_MB);
  }
  return least;
}
