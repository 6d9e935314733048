/** Keys order as values do and read back; cells keep what a type can hold. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeParts, encodeParts, keyCodec, type KeyPart, rowKeyCodec } from '../../../src/sql/schema/key-codec.ts';
import { decimalScale, storageOf } from '../../../src/sql/schema/storage.ts';
import { ArrayValue } from '../../../src/sql/types/array-value.ts';
import { Interval } from '../../../src/sql/types/interval.ts';
import { JSONB } from '../../../src/sql/types/jsonb.ts';
import { Numeric } from '../../../src/sql/types/numeric.ts';
import type { SqlType } from '../../../src/sql/types/type.ts';
import type { Value } from '../../../src/sql/types/value.ts';
import { ByteReader, ByteWriter } from '../../../src/base/bytes.ts';
import { readChanges, writeChanges } from '../../../src/events/changes.ts';
import { MemoryPageStore } from '../../../src/storage/memory-page-store.ts';
import { KIND, type Datum, type Kind } from '../../../src/tree/datum.ts';
import { diffTrees, sameDatum } from '../../../src/tree/diff.ts';
import { widest } from '../../../src/tree/node.ts';
import { Pager } from '../../../src/tree/pager.ts';
import { applyChanges, emptyTree } from '../../../src/tree/write.ts';
import { BOOL, BYTEA, FLOAT8, INT2, INT4, INT4_ARRAY, INT8, INTERVAL, NUMERIC, POINT, TEST_TYPES, TEXT, TIMESTAMP } from './test-types.ts';

const numeric = (text: string): Value => NUMERIC.parse(text, -1, undefined as never);
const MOOD = TEST_TYPES.enumOf(90000, 90001, 'mood', ['sad', 'ok', 'happy']);

/** Values of each type in their order; neighbours in one list are equal. */
const ORDERED: [SqlType, Value[][]][] = [
  [BOOL, [[false], [true]]],
  [INT2, [[-32768], [-1], [0], [32767]]],
  [INT4, [[-2147483648], [-257], [-256], [-1], [0], [1], [255], [256], [2147483647]]],
  [
    INT8,
    [
      [-9223372036854775808n],
      [-9007199254740993n],
      [-9007199254740991],
      [-4294967297],
      [-4294967296],
      [-1],
      [0],
      [1],
      [4294967295],
      [4294967296],
      [9007199254740991],
      [9007199254740992n],
      [9223372036854775807n],
    ],
  ],
  [FLOAT8, [[-Infinity], [-1e300], [-1.5], [-5e-324], [-0, 0], [5e-324], [0.1], [1], [1e300], [Infinity], [Number.NaN]]],
  [TIMESTAMP, [[-Infinity], [-1], [0], [9007199254740993n], [Infinity]]],
  [TEXT, [[''], ['\x01'], ['A'], ['a'], ['a\x01'], ['aa'], ['b'], ['\u00e9'], ['\u0950'], ['\ufffd'], ['\u{1f600}']]],
  [BYTEA, [[''], ['\0'], ['\0\0'], ['\0\x01'], ['\0\xff'], ['\x01'], ['\xff'], ['\xff\0'], ['\xff\xff']]],
  [
    NUMERIC,
    [
      [new Numeric(-Infinity, 0)],
      [numeric('-1000')],
      [numeric('-999.5')],
      [numeric('-10'), numeric('-10.000')],
      [numeric('-1.5')],
      [numeric('-0.001')],
      [numeric('0'), numeric('0.00')],
      [numeric('0.0009')],
      [numeric('0.001')],
      [numeric('1'), numeric('1.0')],
      [numeric('1.05')],
      [numeric('1.5'), numeric('1.50')],
      [numeric('9')],
      [numeric('10')],
      [numeric('123456789012345678901234567890')],
      [new Numeric(Infinity, 0)],
      [new Numeric(Number.NaN, 0)],
    ],
  ],
  [
    INTERVAL,
    [
      [new Interval(-1, 0, 0)],
      [new Interval(0, -1, 0)],
      [new Interval(0, 0, -1)],
      [new Interval(0, 0, 0)],
      [new Interval(0, 1, 0), new Interval(0, 0, 86_400_000_000)],
      [new Interval(1, 0, 0), new Interval(0, 30, 0)],
      [new Interval(2_000_000_000, 0, 0)],
    ],
  ],
  [MOOD, [['sad'], ['ok'], ['happy']]],
  [
    INT4_ARRAY,
    [[new ArrayValue([])], [new ArrayValue([1])], [new ArrayValue([1, 2])], [new ArrayValue([1, null])], [new ArrayValue([2])], [new ArrayValue([null])]],
  ],
];

describe('keys of values', () => {
  for (const [type, groups] of ORDERED) {
    test(`of ${type.title} order as the values and read back`, () => {
      const codec = keyCodec(type, -1);
      for (const descending of [false, true]) {
        const part: KeyPart = { codec, descending, nullsFirst: descending };
        const parts = [part, { ...part, descending: !descending }];
        const keys = [...groups, [null]].map((group) => group.map((value) => encodeParts(parts, [value, groups[0][0]])));
        keys.forEach((group, i) => {
          expect(new Set(group).size, `${type.title} ${i}`).toBe(1);
          if (i === 0 || i === groups.length) return;
          expect(descending ? group[0] < keys[i - 1][0] : group[0] > keys[i - 1][0], `${type.title} ${i}`).toBe(true);
        });
        // Nulls stand last ascending, first descending.
        expect(descending ? keys.at(-1)![0] < keys[0][0] : keys.at(-1)![0] > keys.at(-2)![0]).toBe(true);
        groups.forEach((group) => {
          const { values } = decodeParts(parts, encodeParts(parts, [group[0], null]));
          expect(values[1]).toBe(null);
          expect(codec.encode(values[0]!)).toBe(codec.encode(group[0]!));
        });
      }
    });
  }

  test('of any two documents of jsonb order as the documents, are one where those are equal, and read back', () => {
    const codec = keyCodec(JSONB, -1);
    const digits = fc.constantFrom('0', '1', '1.0', '-1', '-1.50', '10', '9', '1e3', '1e-7', '1.05', '12345678901234567890', '-0.0', '123456789012345.5');
    const scalar = fc.oneof(
      digits,
      fc.constantFrom('null', 'true', 'false'),
      fc.constantFrom('', 'a', 'aa', 'b', '\u0001', '\u00e9', '\u{1f600}', '\ufffd', '"').map((text) => JSON.stringify(text)),
    );
    const name = fc.constantFrom('a', 'b', 'aa', '', '\u00e9', '\u0001').map((text) => JSON.stringify(text));
    const { document } = fc.letrec<{ document: string }>((tie) => ({
      document: fc.oneof(
        { maxDepth: 3, withCrossShrink: true },
        scalar,
        fc.array(tie('document'), { maxLength: 3 }).map((items) => `[${items.join(',')}]`),
        fc.array(fc.tuple(name, tie('document')), { maxLength: 3 }).map((members) => `{${members.map((member) => member.join(':')).join(',')}}`),
      ),
    }));
    const value = document.map((text) => JSONB.parse(text, -1, undefined as never));
    fc.assert(
      fc.property(value, value, (a, b) => {
        const order = Math.sign(JSONB.compare(a, b));
        const [left, right] = [codec.encode(a), codec.encode(b)];
        expect(left < right ? -1 : left > right ? 1 : 0).toBe(order);
        expect(JSONB.hashKey(a) === JSONB.hashKey(b)).toBe(order === 0);
        // Nothing of one key runs into the next.
        expect(left !== right && right.startsWith(left)).toBe(false);
        const { value: back, end } = codec.decode(`${left}${right}`, 0);
        expect(end).toBe(left.length);
        expect(JSONB.compare(back, a)).toBe(0);
      }),
      { numRuns: 3_000 },
    );
  });

  test('an unordered type has none', () => {
    expect(() => keyCodec(POINT, -1)).toThrow('data type point has no default operator class for access method "btree"');
  });

  test('rows of one int4 are keyed by the number, of one text by its bytes, of more by codes', () => {
    expect(rowKeyCodec([{ type: INT4, typmod: -1 }]).encode([-7])).toBe(-7);
    const text = rowKeyCodec([{ type: TEXT, typmod: -1 }]);
    expect(text.encode(['\u00e9'])).toBe('\xc3\xa9');
    expect(text.decode('\xc3\xa9')).toEqual(['\u00e9']);
    const both = rowKeyCodec([
      { type: TEXT, typmod: -1 },
      { type: INT8, typmod: -1 },
    ]);
    expect(both.encode(['a', 5]) < both.encode(['a', 6]) && both.encode(['a', 6]) < both.encode(['aa', 0])).toBe(true);
    expect(both.decode(both.encode(['a', -5]))).toEqual(['a', -5]);
  });

  test('a label put between others leaves keys of the others alone', () => {
    const before = keyCodec(MOOD, -1, () => [
      { label: 'sad', order: 1 },
      { label: 'happy', order: 2 },
    ]);
    const after = keyCodec(MOOD, -1, () => [
      { label: 'sad', order: 1 },
      { label: 'ok', order: 1.5 },
      { label: 'happy', order: 2 },
    ]);
    expect([before.encode('sad'), before.encode('happy')]).toEqual([after.encode('sad'), after.encode('happy')]);
    expect(after.encode('ok') > after.encode('sad') && after.encode('ok') < after.encode('happy')).toBe(true);
  });
});

describe('cells', () => {
  test('numeric(p,s) of up to 18 digits is a whole number at its scale', () => {
    const typmod = ((10 << 16) | 2) + 4;
    expect(decimalScale(typmod)).toBe(2);
    expect(decimalScale(((19 << 16) | 2) + 4)).toBe(null);
    expect(decimalScale(((5 << 16) | (-2 & 0x7ff)) + 4)).toBe(null);
    const storage = storageOf(NUMERIC, typmod);
    expect(storage).toMatchObject({ kind: KIND.F64, form: 'decimal', scale: 2 });
    expect(storage.encode(numeric('1.5'))).toBe(150);
    expect(storage.encode(numeric('-0.01'))).toBe(-1);
    expect(storage.decode(150)).toEqual(new Numeric(150, 2));
    expect(storage.decode(Number.NaN)).toEqual(new Numeric(Number.NaN, 0));
    expect(storageOf(NUMERIC, -1)).toMatchObject({ kind: KIND.TEXT, form: 'parsed' });
  });

  test('a column that meets a whole number beyond 2^53 goes to 64 bits and keeps infinities', () => {
    expect(widest(KIND.F64, KIND.I64)).toBe(KIND.I64);
    expect(widest(KIND.I32, KIND.F64)).toBe(KIND.F64);
    expect(widest(KIND.I32, KIND.I64)).toBe(KIND.I64);
    expect(widest(KIND.BOOL, KIND.I32)).toBe(KIND.JSON);
    expect(widest(KIND.TEXT, KIND.F64)).toBe(KIND.JSON);
    const pager = new Pager(new MemoryPageStore(), 1e6, 1);
    const put = (key: number, value: Datum, kind: Kind) => ({ key, shape: { ids: [1], kinds: [kind] }, before: null, after: [value] });
    const edit = pager.newEdit();
    const root = applyChanges(
      pager,
      emptyTree(true, edit),
      [put(1, 5, KIND.F64), put(2, Infinity, KIND.F64), put(3, 9007199254740993n, KIND.I64), put(4, -3, KIND.F64)],
      edit,
    );
    if (!root.isLeaf) throw new Error('one leaf');
    const decode = storageOf(TIMESTAMP, -1).decode;
    expect([0, 1, 2, 3].map((i) => decode(root.cell(i, 1)))).toEqual([5, Infinity, 9007199254740993n, -3]);
    const other = applyChanges(pager, emptyTree(true, edit), [put(1, 5, KIND.F64), put(2, Infinity, KIND.F64), put(4, -3, KIND.F64)], pager.newEdit());
    const different: unknown[] = [];
    diffTrees(pager, root, other, (key) => void different.push(key));
    expect(different).toEqual([3]);
  });

  test('NaN is the same cell as NaN, -0 is not 0', () => {
    expect(sameDatum(Number.NaN, KIND.F64, Number.NaN, KIND.F64)).toBe(true);
    expect(sameDatum(-0, KIND.F64, 0, KIND.F64)).toBe(false);
    expect(sameDatum(5, KIND.F64, 5, KIND.I64)).toBe(true);
    expect(sameDatum(5, KIND.I32, 5, KIND.F64)).toBe(true);
    expect(sameDatum('5', KIND.TEXT, 5, KIND.F64)).toBe(false);
    expect(sameDatum('5', KIND.JSON, 5, KIND.F64)).toBe(true);
    const pager = new Pager(new MemoryPageStore(), 1e6, 1);
    const leaf = (value: number) =>
      applyChanges(pager, emptyTree(true, 1), [{ key: 1, shape: { ids: [1], kinds: [KIND.F64] }, before: null, after: [value] }], pager.newEdit());
    const differ = (a: number, b: number): boolean => {
      let any = false;
      diffTrees(pager, leaf(a), leaf(b), () => void (any = true));
      return any;
    };
    expect([differ(Number.NaN, Number.NaN), differ(-0, 0), differ(Infinity, -Infinity), differ(0, 0)]).toEqual([false, true, true, false]);
  });

  test('events carry every double and wide whole number', () => {
    const values: Datum[] = [
      Infinity,
      -Infinity,
      Number.NaN,
      -0,
      0,
      5e-324,
      2 ** 53,
      -(2 ** 53),
      9223372036854775807n,
      -9223372036854775808n,
      2 ** 40,
      null,
      undefined,
    ];
    const out = new ByteWriter();
    const shape = { ids: values.map((_, i) => i + 1), kinds: values.map((value) => (typeof value === 'bigint' ? KIND.I64 : KIND.F64)) };
    writeChanges(out, [{ tree: 20000, numeric: true, rows: [{ key: 2 ** 40 + 1, shape, before: null, after: values }] }]);
    const [{ rows }] = readChanges(new ByteReader(out.finish()));
    expect(rows[0].key).toBe(2 ** 40 + 1);
    rows[0].after!.forEach((value, i) => expect(Object.is(value, values[i]), String(values[i])).toBe(true));
  });
});
