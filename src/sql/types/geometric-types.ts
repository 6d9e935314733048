/** point, lseg, line, box, path, polygon and circle. Manual, section 8.8. */
import { SvcError } from '../../base/errors/svc-error.ts';
import { compareFloats } from './floats.ts';
import { formatFloat8 } from './float-text.ts';
import { Geometry } from './geometry.ts';
import { GeometricText } from './geometric-text.ts';
import { lineThrough, samePoints } from './geometric-line.ts';
import { makeType } from './make-type.ts';
import type { SqlType } from './type.ts';

const EPSILON = 1e-6;

function pairs({ numbers }: Geometry, digits: number): string[] {
  const out: string[] = [];
  for (let i = 0; i < numbers.length; i += 2) out.push(`(${formatFloat8(numbers[i], digits)},${formatFloat8(numbers[i + 1], digits)})`);
  return out;
}

function geometric(
  name: string,
  oid: number,
  arrayOid: number,
  length: number,
  read: (text: GeometricText) => Geometry,
  show: (value: Geometry, digits: number) => string,
): SqlType {
  return makeType({
    oid,
    name,
    title: name,
    category: 'G',
    length,
    repr: 'object',
    arrayOid,
    ordered: false,
    hashable: false,
    parse: (text) => {
      const reader = new GeometricText(text, name);
      const value = read(reader);
      reader.end();
      return value;
    },
    format: (value, env) => show(value as Geometry, env.extraFloatDigits),
  });
}

export const POINT = geometric(
  'point',
  600,
  1017,
  16,
  (text) => {
    const numbers: number[] = [];
    text.pair(numbers);
    return new Geometry(numbers);
  },
  (value, digits) => pairs(value, digits)[0],
);

export const LSEG = geometric(
  'lseg',
  601,
  1018,
  32,
  (text) => {
    const numbers: number[] = [];
    text.points(2, true, numbers);
    return new Geometry(numbers);
  },
  (value, digits) => `[${pairs(value, digits).join(',')}]`,
);

/** With the greater coordinates first. */
export function boxOf([x1, y1, x2, y2]: readonly number[]): Geometry {
  const right = compareFloats(x1, x2) < 0 ? x2 : x1;
  const top = compareFloats(y1, y2) < 0 ? y2 : y1;
  return new Geometry([right, top, compareFloats(x1, x2) < 0 ? x1 : x2, compareFloats(y1, y2) < 0 ? y1 : y2]);
}

export const BOX = geometric(
  'box',
  603,
  1020,
  32,
  (text) => {
    const numbers: number[] = [];
    text.points(2, false, numbers);
    return boxOf(numbers);
  },
  (value, digits) => pairs(value, digits).join(','),
);

export const PATH = geometric(
  'path',
  602,
  1019,
  -1,
  (text) => {
    const numbers: number[] = [];
    const count = text.count();
    text.blanks();
    const enclosed = text.next() === '(' && text.text.lastIndexOf('(') === text.at;
    if (enclosed) text.at++;
    const open = text.points(count, true, numbers);
    if (enclosed && !text.takes(')')) throw text.fault();
    return new Geometry(numbers, !open);
  },
  (value, digits) => (value.closed ? `(${pairs(value, digits).join(',')})` : `[${pairs(value, digits).join(',')}]`),
);

export const POLYGON = geometric(
  'polygon',
  604,
  1027,
  -1,
  (text) => {
    const numbers: number[] = [];
    text.points(text.count(), false, numbers);
    return new Geometry(numbers);
  },
  (value, digits) => `(${pairs(value, digits).join(',')})`,
);

export const LINE = geometric(
  'line',
  628,
  629,
  24,
  (text) => {
    text.blanks();
    if (text.next() === '{') {
      text.at++;
      const numbers = [text.number()];
      for (let i = 0; i < 2; i++) {
        if (text.next() !== ',') throw text.fault();
        text.at++;
        numbers.push(text.number());
      }
      if (!text.takes('}')) throw text.fault();
      if (Math.abs(numbers[0]) <= EPSILON && Math.abs(numbers[1]) <= EPSILON) {
        throw new SvcError('22P02', 'invalid line specification: A and B cannot both be zero');
      }
      return new Geometry(numbers);
    }
    const numbers: number[] = [];
    text.points(2, true, numbers);
    text.end();
    if (samePoints([numbers[0], numbers[1]], [numbers[2], numbers[3]])) throw new SvcError('22P02', 'invalid line specification: must be two distinct points');
    return lineThrough([numbers[0], numbers[1]], [numbers[2], numbers[3]]);
  },
  ({ numbers }, digits) => `{${numbers.map((each) => formatFloat8(each, digits)).join(',')}}`,
);

export const CIRCLE = geometric(
  'circle',
  718,
  719,
  24,
  (text) => {
    text.blanks();
    let depth = 0;
    const angle = text.next() === '<';
    if (angle) {
      depth++;
      text.at++;
    } else if (text.next() === '(' && /^\([ \t\n\v\f\r]*\(/.test(text.text.slice(text.at))) {
      depth++;
      text.at++;
      text.blanks();
    }
    const numbers: number[] = [];
    text.pair(numbers);
    if (text.next() === ',') text.at++;
    const radius = text.number();
    if (radius < 0) throw text.fault();
    for (; depth > 0; depth--) if (!text.takes(')') && !(depth === 1 && text.takes('>'))) throw text.fault();
    return new Geometry([...numbers, radius]);
  },
  ({ numbers: [x, y, radius] }, digits) => `<(${formatFloat8(x, digits)},${formatFloat8(y, digits)}),${formatFloat8(radius, digits)}>`,
);

export const GEOMETRIC_TYPES: readonly SqlType[] = [POINT, LSEG, PATH, BOX, POLYGON, LINE, CIRCLE];
