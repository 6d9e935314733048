/**
 * The partitions of one table by their bounds: routing of a row, pruning by conditions, and overlap checks for a new one. Partitions
 * are ordered by their bounds, the default one last.
 */
import { STORED } from '../types/environment.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import type { PartitionBoundObject, PartitionDatum } from '../../worlds/definition.ts';
import type { ArrayValue } from '../types/array-value.ts';
import { storedValue } from '../types/stored-text.ts';
import type { SqlType } from '../types/type.ts';
import type { Value } from '../types/value.ts';
import { boundText } from './partition-text.ts';
import { partitionHash } from './partition-hash.ts';
import type { Partitioning, SqlTable } from './table.ts';

/** What is known about each key column: an interval, null, or nothing. */
export interface KeyBox {
  low?: Value;
  lowInclusive?: boolean;
  high?: Value;
  highInclusive?: boolean;
  /** Only nulls qualify, or no nulls do. */
  isNull?: boolean;
}
/** A condition over a partition key; `value`: an index into the values that are given at run time. */
export type KeyTest = { readonly kind: 'all' | 'any'; readonly parts: readonly KeyTest[] } | KeyFact;
export type KeyFact =
  /** `array`: the value is an array, one of whose elements matches. */
  | {
      readonly kind: 'compare';
      readonly element: number;
      readonly operator: '=' | '<' | '<=' | '>' | '>=';
      readonly value: number;
      readonly array?: boolean;
    }
  | { readonly kind: 'null'; readonly element: number; readonly negated: boolean };

type Datum = { readonly end: 'min' | 'max' } | { readonly end: null; readonly value: Value };
type Decoded =
  | { readonly kind: 'default' }
  | { readonly kind: 'list'; readonly values: readonly Value[] }
  | { readonly kind: 'range'; readonly from: readonly Datum[]; readonly to: readonly Datum[] }
  | { readonly kind: 'hash'; readonly modulus: number; readonly remainder: number };

/** A lookup table by remainder is built up to this modulus. */
const REMAINDERS_MAX = 65_536;

const INTEGERS = new Set(['int2', 'int4', 'int8']);

function compareWhole(a: Value, b: Value): number {
  return (a as number) < (b as number) ? -1 : (a as number) > (b as number) ? 1 : 0;
}

export class PartitionKeys {
  readonly types: readonly SqlType[];
  /** Ordered by their bounds. */
  readonly tables: readonly SqlTable[];
  readonly #strategy: Partitioning['strategy'];
  readonly #compares: readonly ((a: Value, b: Value) => number)[];
  readonly #bounds: readonly Decoded[];
  /** Index of the default partition, or -1. */
  readonly default: number;
  readonly #byValue = new Map<string | number | bigint | boolean | null, number>();

  constructor({ strategy, elements }: Partitioning, partitions: readonly SqlTable[]) {
    this.#strategy = strategy;
    this.types = elements.map(({ type }) => type);
    // Conditions compare integers of any width.
    this.#compares = this.types.map((type) => (INTEGERS.has(type.name) ? compareWhole : (a, b) => type.compare(a, b)));
    const known = partitions
      .filter(({ inheritance }) => inheritance!.bound!.kind === strategy || inheritance!.bound!.kind === 'default')
      .map((table) => ({ table, bound: this.#decode(table.inheritance!.bound!) }));
    known.sort((a, b) => this.#order(a.bound, b.bound) || a.table.number - b.table.number);
    this.tables = known.map(({ table }) => table);
    this.#bounds = known.map(({ bound }) => bound);
    this.default = this.#bounds.findIndex(({ kind }) => kind === 'default');
    this.#bounds.forEach((bound, i) => {
      if (bound.kind !== 'list') return;
      for (const value of bound.values) this.#byValue.set(value === null ? null : this.types[0].hashKey(value), i);
    });
  }

  #decode(bound: PartitionBoundObject): Decoded {
    const datum = (each: PartitionDatum, i: number): Datum =>
      typeof each === 'string' ? { end: each } : { end: null, value: storedValue(this.types[i], each.value, STORED) };
    switch (bound.kind) {
      case 'list':
        return { kind: 'list', values: bound.values.map((text) => (text === null ? null : storedValue(this.types[0], text, STORED))) };
      case 'range':
        return { kind: 'range', from: bound.from.map(datum), to: bound.to.map(datum) };
      default:
        return bound;
    }
  }

  #order(a: Decoded, b: Decoded): number {
    if (a.kind === 'default' || b.kind === 'default') return a.kind === b.kind ? 0 : a.kind === 'default' ? 1 : -1;
    if (a.kind === 'range' && b.kind === 'range') return this.#compareData(a.from, b.from);
    if (a.kind === 'hash' && b.kind === 'hash') return a.modulus - b.modulus || a.remainder - b.remainder;
    if (a.kind !== 'list' || b.kind !== 'list') return 0;
    // By their least values; nulls come last.
    const least = (values: readonly Value[]): Value =>
      values.reduce((best, each) => (best === null || (each !== null && this.#compares[0](each, best) < 0) ? each : best), null);
    const [x, y] = [least(a.values), least(b.values)];
    return x === null || y === null ? (x === y ? 0 : x === null ? 1 : -1) : this.#compares[0](x, y);
  }

  #compareData(a: readonly Datum[], b: readonly Datum[]): number {
    for (let i = 0; i < a.length; i++) {
      const [x, y] = [a[i], b[i]];
      if (x.end !== null || y.end !== null) {
        const rank = (end: Datum['end']): number => (end === 'min' ? -1 : end === 'max' ? 1 : 0);
        if (rank(x.end) !== rank(y.end)) return rank(x.end) - rank(y.end);
        // After an infinite bound further columns do not count.
        return 0;
      }
      const order = this.#compares[i](x.value, y.value);
      if (order !== 0) return order;
    }
    return 0;
  }

  /** Compares a row's key with one end of a range. */
  #compareRow(values: readonly Value[], data: readonly Datum[]): number {
    for (let i = 0; i < data.length; i++) {
      const datum = data[i];
      if (datum.end !== null) return datum.end === 'min' ? 1 : -1;
      const order = this.#compares[i](values[i], datum.value);
      if (order !== 0) return order;
    }
    return 0;
  }

  /** The partition for a row with this key; -1 for none. */
  find(values: readonly Value[]): number {
    const found = this.#findPlain(values);
    return found < 0 ? this.default : found;
  }

  #findPlain(values: readonly Value[]): number {
    const bounds = this.#bounds;
    switch (this.#strategy) {
      case 'list':
        return this.#byValue.get(values[0] === null ? null : this.types[0].hashKey(values[0])) ?? -1;
      case 'hash': {
        // Each modulus is a factor of the next larger one.
        const { modulus, places } = (this.#byRemainder ??= this.#remainders());
        const hash = partitionHash(this.types, values);
        if (places !== null) return modulus === 0 ? -1 : places[Number(hash % BigInt(modulus))];
        return bounds.findIndex((bound) => bound.kind === 'hash' && hash % BigInt(bound.modulus) === BigInt(bound.remainder));
      }
      case 'range': {
        if (values.includes(null)) return -1;
        let low = 0;
        let high = this.default < 0 ? bounds.length : this.default;
        while (low < high) {
          const middle = (low + high) >>> 1;
          const bound = bounds[middle] as Extract<Decoded, { kind: 'range' }>;
          if (this.#compareRow(values, bound.to) < 0) high = middle;
          else low = middle + 1;
        }
        const bound = bounds[low];
        return bound !== undefined && bound.kind === 'range' && this.#compareRow(values, bound.from) >= 0 ? low : -1;
      }
    }
  }

  /** Partitions by remainder; null if the largest modulus is too large for a table. */
  #remainders(): { readonly modulus: number; readonly places: Int32Array | null } {
    const hashes = this.#bounds.flatMap((bound, i) => (bound.kind === 'hash' ? [{ ...bound, i }] : []));
    const modulus = hashes.reduce((most, each) => Math.max(most, each.modulus), 0);
    if (modulus > REMAINDERS_MAX) return { modulus, places: null };
    const places = new Int32Array(modulus).fill(-1);
    for (const { modulus: step, remainder, i } of hashes) for (let at = remainder; at < modulus; at += step) places[at] = i;
    return { modulus, places };
  }
  #byRemainder: { readonly modulus: number; readonly places: Int32Array | null } | null = null;

  // --- pruning

  /** For each partition, whether it may contain rows that satisfy the test. */
  kept(test: KeyTest, values: readonly Value[]): boolean[] {
    switch (test.kind) {
      case 'any': {
        const out = this.tables.map(() => false);
        for (const part of test.parts) this.kept(part, values).forEach((keep, i) => (out[i] ||= keep));
        return out;
      }
      case 'all': {
        const box: KeyBox[] = this.types.map(() => ({}));
        const facts = test.parts.filter((part): part is KeyFact => part.kind !== 'any' && part.kind !== 'all');
        let out = facts.every((part) => this.#narrow(box, part, values)) ? this.#keptIn(box) : this.tables.map(() => false);
        for (const part of test.parts) {
          if (part.kind !== 'any' && part.kind !== 'all') continue;
          const also = this.kept(part, values);
          out = out.map((keep, i) => keep && also[i]);
        }
        return out;
      }
      case 'compare':
        if (test.array === true) {
          const array = values[test.value] as ArrayValue | null;
          const elements = array === null ? [] : array.elements;
          return this.kept({ kind: 'any', parts: elements.map((_, i) => ({ ...test, value: i, array: false })) }, elements);
        }
        return this.kept({ kind: 'all', parts: [test] }, values);
      case 'null':
        return this.kept({ kind: 'all', parts: [test] }, values);
    }
  }

  /** False if nothing can qualify. */
  #narrow(box: KeyBox[], test: KeyFact, values: readonly Value[]): boolean {
    const own = box[test.element];
    if (test.kind === 'null') {
      if (own.isNull !== undefined && own.isNull !== !test.negated) return false;
      own.isNull = !test.negated;
      return true;
    }
    const value = values[test.value];
    if (value === null || own.isNull === true) return false;
    own.isNull = false;
    const compare = this.#compares[test.element];
    if (test.operator !== '<' && test.operator !== '<=') {
      const inclusive = test.operator !== '>';
      const order = own.low === undefined ? 1 : compare(value, own.low);
      if (order > 0 || (order === 0 && !inclusive)) [own.low, own.lowInclusive] = [value, inclusive];
    }
    if (test.operator !== '>' && test.operator !== '>=') {
      const inclusive = test.operator !== '<';
      const order = own.high === undefined ? -1 : compare(value, own.high);
      if (order < 0 || (order === 0 && !inclusive)) [own.high, own.highInclusive] = [value, inclusive];
    }
    if (own.low === undefined || own.high === undefined) return true;
    const order = compare(own.low, own.high);
    return order < 0 || (order === 0 && own.lowInclusive === true && own.highInclusive === true);
  }

  /** The single remaining value of the box; undefined for several. */
  #point(box: KeyBox, element: number): Value | undefined {
    if (box.isNull === true) return null;
    if (box.low === undefined || box.high === undefined || box.lowInclusive !== true || box.highInclusive !== true) return undefined;
    return this.#compares[element](box.low, box.high) === 0 ? box.low : undefined;
  }

  #keptIn(box: readonly KeyBox[]): boolean[] {
    const points = box.map((each, i) => this.#point(each, i));
    if (!points.includes(undefined)) {
      const only = this.find(points as Value[]);
      return this.tables.map((_, i) => i === only);
    }
    switch (this.#strategy) {
      case 'hash':
        return this.tables.map(() => true);
      case 'list':
        return this.#bounds.map((bound) => bound.kind !== 'list' || bound.values.some((value) => this.#within(box[0], value)));
      case 'range': {
        const out = this.#bounds.map(
          (bound) =>
            bound.kind !== 'range' ||
            (box.every(({ isNull }) => isNull !== true) && this.#compareHigh(box, bound.from) >= 0 && this.#compareLow(box, bound.to) < 0),
        );
        if (this.default >= 0 && this.#covered(box, out)) out[this.default] = false;
        return out;
      }
    }
  }

  #within({ isNull, low, lowInclusive, high, highInclusive }: KeyBox, value: Value): boolean {
    if (value === null) return isNull !== false;
    if (isNull === true) return false;
    const [compare] = this.#compares;
    if (low !== undefined) {
      const order = compare(value, low);
      if (order < 0 || (order === 0 && lowInclusive !== true)) return false;
    }
    if (high === undefined) return true;
    const order = compare(value, high);
    return order < 0 || (order === 0 && highInclusive === true);
  }

  /** Compares the least row of the box with an end of a range. */
  #compareLow(box: readonly KeyBox[], data: readonly Datum[]): number {
    for (let i = 0; i < data.length; i++) {
      const datum = data[i];
      if (datum.end !== null) return datum.end === 'min' ? 1 : -1;
      const { low, lowInclusive } = box[i];
      if (low === undefined) return -1;
      const order = this.#compares[i](low, datum.value);
      if (order !== 0) return order;
      if (lowInclusive !== true) return 1;
    }
    return 0;
  }

  #compareHigh(box: readonly KeyBox[], data: readonly Datum[]): number {
    for (let i = 0; i < data.length; i++) {
      const datum = data[i];
      if (datum.end !== null) return datum.end === 'min' ? 1 : -1;
      const { high, highInclusive } = box[i];
      if (high === undefined) return 1;
      const order = this.#compares[i](high, datum.value);
      if (order !== 0) return order;
      if (highInclusive !== true) return -1;
    }
    return 0;
  }

  /** Whether the kept partitions leave no gap in the box for the default one. Nulls are only there. */
  #covered(box: readonly KeyBox[], kept: readonly boolean[]): boolean {
    if (box.some(({ isNull }) => isNull !== false)) return false;
    const ranges = this.#bounds.filter((bound, i): bound is Extract<Decoded, { kind: 'range' }> => kept[i] && bound.kind === 'range');
    if (ranges.length === 0) return false;
    if (this.#compareLow(box, ranges[0].from) < 0) return false;
    for (let i = 1; i < ranges.length; i++) if (this.#compareData(ranges[i - 1].to, ranges[i].from) !== 0) return false;
    const { to } = ranges[ranges.length - 1];
    return this.#compareHigh(box, to) < 0;
  }

  // --- new partitions

  /** 42P17 if a partition with this bound overlaps an existing one. */
  refuseOverlap(name: string, bound: PartitionBoundObject, places: readonly number[] = []): void {
    const placeOf = (value: number): { position?: number } => (places[value] === undefined ? {} : { position: places[value] });
    const place = placeOf(0);
    const taken = (i: number, value = 0): never => {
      throw new SvcError('42P17', `partition "${name}" would overlap partition "${this.tables[i].name}"`, placeOf(value));
    };
    const own = this.#decode(bound);
    switch (own.kind) {
      case 'default':
        if (this.default >= 0) {
          throw new SvcError('42P17', `partition "${name}" conflicts with existing default partition "${this.tables[this.default].name}"`, place);
        }
        return;
      case 'list':
        own.values.forEach((value, i) => {
          const holder = this.#byValue.get(value === null ? null : this.types[0].hashKey(value));
          if (holder !== undefined) taken(holder, i);
        });
        return;
      case 'range':
        if (this.#compareData(own.from, own.to) >= 0 && bound.kind === 'range') {
          throw new SvcError('42P17', `empty range bound specified for partition "${name}"`, {
            detail: `Specified lower bound ${boundText(bound.from, this.types)} is greater than or equal to upper bound ${boundText(bound.to, this.types)}.`,
            ...place,
          });
        }
        this.#bounds.forEach((each, i) => {
          if (each.kind === 'range' && this.#compareData(own.from, each.to) < 0 && this.#compareData(each.from, own.to) < 0) taken(i);
        });
        return;
      case 'hash': {
        const moduli = this.#bounds.flatMap((each, i) => (each.kind === 'hash' ? [{ modulus: each.modulus, name: this.tables[i].name }] : []));
        const smaller = moduli.filter(({ modulus }) => modulus <= own.modulus).pop();
        const larger = moduli.find(({ modulus }) => modulus > own.modulus);
        const refused = (detail: string): never => {
          throw new SvcError('42P17', 'every hash partition modulus must be a factor of the next larger modulus', { detail });
        };
        if (smaller !== undefined && own.modulus % smaller.modulus !== 0)
          refused(`The new modulus ${own.modulus} is not divisible by ${smaller.modulus}, the modulus of existing partition "${smaller.name}".`);
        if (larger !== undefined && larger.modulus % own.modulus !== 0)
          refused(`The new modulus ${own.modulus} is not a factor of ${larger.modulus}, the modulus of existing partition "${larger.name}".`);
        this.#bounds.forEach((each, i) => {
          if (each.kind !== 'hash') return;
          const modulus = Math.min(each.modulus, own.modulus);
          if (each.remainder % modulus === own.remainder % modulus) taken(i);
        });
      }
    }
  }
}
