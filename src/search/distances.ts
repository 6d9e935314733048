/** Distances of stored vectors from one: the operations, and their order, are those of the SQL operators, so that both give the same to the bit. */
import type { Metric } from '../worlds/search.ts';

/** The distance of the vector that begins at `from`. */
export type DistanceAt = (values: Float32Array, from: number) => number;

export function distanceFrom(vector: Float32Array, metric: Metric): DistanceAt {
  const { length } = vector;
  switch (metric) {
    case 'l2':
      return (values, from) => {
        let sum = 0;
        for (let i = 0; i < length; i++) {
          const apart = values[from + i] - vector[i];
          sum += apart * apart;
        }
        return Math.sqrt(sum);
      };
    case 'ip':
      return (values, from) => {
        let sum = 0;
        for (let i = 0; i < length; i++) sum += values[from + i] * vector[i];
        return -sum;
      };
    case 'l1':
      return (values, from) => {
        let sum = 0;
        for (let i = 0; i < length; i++) sum += Math.abs(values[from + i] - vector[i]);
        return sum;
      };
    case 'cosine':
      return (values, from) => {
        let product = 0;
        let left = 0;
        let right = 0;
        for (let i = 0; i < length; i++) {
          const value = values[from + i];
          product += value * vector[i];
          left += value * value;
          right += vector[i] * vector[i];
        }
        const cosine = product / Math.sqrt(left * right);
        return 1 - (cosine > 1 ? 1 : cosine < -1 ? -1 : cosine);
      };
  }
}
