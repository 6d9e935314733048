/**
 * Seeds of simulated worlds, and the random generator of one of them.
 *
 * The seed of world i in a run with seed s is output i + 1 of SplitMix64 (Steele, Lea and Flood, 2014) from state s,
 * truncated to 53 bits, so that it is exact in JSON. From it sfc32 (Doty-Humphrey, PractRand) generates the numbers of
 * random() and the bytes of gen_random_uuid(), in call order. Both are fixed: every later release replays kept worlds from
 * them.
 */
import type { RandomSource } from '../sql/session/environment.ts';

const MASK = 0xffff_ffff_ffff_ffffn;
const GAMMA = 0x9e37_79b9_7f4a_7c15n;

export function worldSeed(seed: number, index: number): number {
  let z = (BigInt(seed) + BigInt(index + 1) * GAMMA) & MASK;
  z = ((z ^ (z >> 30n)) * 0xbf58_476d_1ce4_e5b9n) & MASK;
  z = ((z ^ (z >> 27n)) * 0x94d0_49bb_1331_11ebn) & MASK;
  return Number((z ^ (z >> 31n)) >> 11n);
}

/** Discarded outputs, so that similar seeds give unrelated sequences. */
const WARM_UP = 12;

export class WorldRandom implements RandomSource {
  #a: number;
  #b: number;
  #c = 0;
  #counter = 1;

  constructor(seed: number) {
    this.#a = seed >>> 0;
    this.#b = Math.floor(seed / 2 ** 32) >>> 0;
    for (let i = 0; i < WARM_UP; i++) this.#next();
  }

  #next(): number {
    const out = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + out;
    return out >>> 0;
  }

  /** 53 random bits. */
  random(): number {
    const high = this.#next() >>> 5;
    const low = this.#next() >>> 6;
    return (high * 67_108_864 + low) / 9_007_199_254_740_992;
  }

  bytes(count: number): Uint8Array {
    const out = new Uint8Array(count);
    for (let i = 0; i < count; i += 4) {
      const word = this.#next();
      for (let b = 0; b < 4 && i + b < count; b++) out[i + b] = word >>> (8 * b);
    }
    return out;
  }
}
