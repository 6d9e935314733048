/** Distances of vectors, in 64 bits, component after component: ranked search computes the same values, to the bit (src/search). */
import { SvcError } from '../../../base/errors/svc-error.ts';

/** 22000 if they differ. */
export function sameDimensions(a: Float32Array, b: Float32Array): number {
  if (a.length !== b.length) throw new SvcError('22000', `different vector dimensions ${a.length} and ${b.length}`);
  return a.length;
}

// The loops below dominate the time of a full search: one array per side, no allocation.

export function squaredDistance(a: Float32Array, b: Float32Array): number {
  const count = sameDimensions(a, b);
  let sum = 0;
  for (let i = 0; i < count; i++) {
    const apart = a[i] - b[i];
    sum += apart * apart;
  }
  return sum;
}

export function innerProduct(a: Float32Array, b: Float32Array): number {
  const count = sameDimensions(a, b);
  let sum = 0;
  for (let i = 0; i < count; i++) sum += a[i] * b[i];
  return sum;
}

export function cosineDistance(a: Float32Array, b: Float32Array): number {
  const count = sameDimensions(a, b);
  let product = 0;
  let left = 0;
  let right = 0;
  for (let i = 0; i < count; i++) {
    product += a[i] * b[i];
    left += a[i] * a[i];
    right += b[i] * b[i];
  }
  // Rounding may exceed the range of a cosine; a vector of zeros has no direction, and gives NaN.
  const cosine = product / Math.sqrt(left * right);
  return 1 - (cosine > 1 ? 1 : cosine < -1 ? -1 : cosine);
}

export function taxicabDistance(a: Float32Array, b: Float32Array): number {
  const count = sameDimensions(a, b);
  let sum = 0;
  for (let i = 0; i < count; i++) sum += Math.abs(a[i] - b[i]);
  return sum;
}

export function norm(vector: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < vector.length; i++) sum += vector[i] * vector[i];
  return Math.sqrt(sum);
}

export const l2 = (a: Float32Array, b: Float32Array): number => Math.sqrt(squaredDistance(a, b));
export const negative = (a: Float32Array, b: Float32Array): number => -innerProduct(a, b);
