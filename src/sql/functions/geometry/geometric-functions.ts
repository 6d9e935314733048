/** Functions, operators and casts of geometric types. Manual, section 9.11. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import { boxOf } from '../../types/geometric-types.ts';
import {
  distance,
  hypotenuse,
  isLess,
  isLessOrSame,
  isMore,
  isMoreOrSame,
  isOther,
  isSame,
  isZero,
  lineThrough,
  minus,
  over,
  plus,
  type Point,
  samePoints,
  slope,
  times,
  uprightSlope,
} from '../../types/geometric-line.ts';
import { Geometry } from '../../types/geometry.ts';
import type { Value } from '../../types/value.ts';
import { sixOperators } from '../comparison/six-operators.ts';
import type { FunctionModule, ScalarFunction, SqlCast, SqlOperator } from '../define.ts';
import * as s from './shapes.ts';

// oxlint-disable-next-line no-explicit-any
type Impl = (...args: any[]) => Value;

const point = ([x, y]: Point): Geometry => new Geometry([x, y]);
const at = (value: Geometry): Point => s.pointAt(value, 0);

const added = ([a, b]: Point, [c, d]: Point): Point => [plus(a, c), plus(b, d)];
const taken = ([a, b]: Point, [c, d]: Point): Point => [minus(a, c), minus(b, d)];
const multiplied = ([a, b]: Point, [c, d]: Point): Point => [minus(times(a, c), times(b, d)), plus(times(a, d), times(b, c))];
function divided([a, b]: Point, [c, d]: Point): Point {
  const by = plus(times(c, c), times(d, d));
  return [over(plus(times(a, c), times(b, d)), by), over(minus(times(b, c), times(a, d)), by)];
}

const fn = (name: string, args: string[], returns: string, doc: string, impl: Impl): ScalarFunction => ({ kind: 'scalar', name, args, returns, doc, impl });

function op(name: string, left: string | null, right: string, returns: string, proc: string, impl: Impl, commutator?: string, negator?: string): SqlOperator {
  return { name, left, right, returns, proc, impl, commutator, negator };
}

const middle = (a: Point, b: Point): Point => [over(plus(a[0], b[0]), 2), over(plus(a[1], b[1]), 2)];
const segmentLength = (value: Geometry): number => distance(s.pointAt(value, 0), s.pointAt(value, 1));
const boxArea = ({ numbers: [right, top, left, bottom] }: Geometry): number => times(minus(right, left), minus(top, bottom));
const circleArea = (circle: Geometry): number => times(times(s.radiusOf(circle), s.radiusOf(circle)), Math.PI);
const positive = (value: number): number => (value < 0 ? 0 : value);

/** null if there is no nearest point. */
const nearestPoint = ({ point: found, distance: far }: s.Nearest): Geometry | null => (far !== far ? null : point(found));

/** A comparison by a measure, within a millionth. */
function byMeasure(type: string, proc: (test: string) => string, measure: (value: Geometry) => number): SqlOperator[] {
  return sixOperators(type, type, proc, {
    eq: (a: Geometry, b: Geometry) => isSame(measure(a), measure(b)),
    ne: (a: Geometry, b: Geometry) => isOther(measure(a), measure(b)),
    lt: (a: Geometry, b: Geometry) => isLess(measure(a), measure(b)),
    le: (a: Geometry, b: Geometry) => isLessOrSame(measure(a), measure(b)),
    gt: (a: Geometry, b: Geometry) => isMore(measure(a), measure(b)),
    ge: (a: Geometry, b: Geometry) => isMoreOrSame(measure(a), measure(b)),
  });
}

/** The extent of a value to each side. */
type Reach = (value: Geometry) => readonly [right: number, top: number, left: number, bottom: number];

interface Tests {
  readonly lt: (a: number, b: number) => boolean;
  readonly le: (a: number, b: number) => boolean;
  readonly gt: (a: number, b: number) => boolean;
  readonly ge: (a: number, b: number) => boolean;
}
const NEAR: Tests = { lt: isLess, le: isLessOrSame, gt: isMore, ge: isMoreOrSame };
const EXACT: Tests = { lt: (a, b) => a < b, le: (a, b) => a <= b, gt: (a, b) => a > b, ge: (a, b) => a >= b };

/** Left of, right of, below, above, and their "does not extend" forms. */
function directions(type: string, short: string, reach: Reach, { lt, le, gt, ge }: Tests): SqlOperator[] {
  const test = (name: string, proc: string, holds: (a: ReturnType<Reach>, b: ReturnType<Reach>) => boolean): SqlOperator =>
    op(name, type, type, 'bool', `${short}_${proc}`, (a: Geometry, b: Geometry) => holds(reach(a), reach(b)));
  return [
    test('<<', 'left', (a, b) => lt(a[0], b[2])),
    test('&<', 'overleft', (a, b) => le(a[0], b[0])),
    test('>>', 'right', (a, b) => gt(a[2], b[0])),
    test('&>', 'overright', (a, b) => ge(a[2], b[2])),
    test('<<|', 'below', (a, b) => lt(a[1], b[3])),
    test('&<|', 'overbelow', (a, b) => le(a[1], b[1])),
    test('|>>', 'above', (a, b) => gt(a[3], b[1])),
    test('|&>', 'overabove', (a, b) => ge(a[3], b[3])),
  ];
}

const boxReach: Reach = ({ numbers }) => numbers as unknown as ReturnType<Reach>;
const circleReach: Reach = ({ numbers: [x, y, radius] }) => [plus(x, radius), plus(y, radius), minus(x, radius), minus(y, radius)];

/** + - * / by a point, on each point. */
function arithmetic(
  type: string,
  proc: (which: string) => string,
  apply: (value: Geometry, each: (own: Point) => Point, scale: (by: number) => number, by: Point, times: boolean) => Geometry,
): SqlOperator[] {
  const one = (name: string, which: string, by: (own: Point, given: Point) => Point, scale: (radius: number, given: Point) => number): SqlOperator =>
    op(name, type, 'point', type, proc(which), (value: Geometry, given: Geometry) => {
      const p = at(given);
      return apply(
        value,
        (own) => by(own, p),
        (radius) => scale(radius, p),
        p,
        name === '*' || name === '/',
      );
    });
  const stays = (radius: number): number => radius;
  return [
    one('+', 'add', added, stays),
    one('-', 'sub', taken, stays),
    one('*', 'mul', multiplied, (radius, given) => times(radius, hypotenuse(given[0], given[1]))),
    one('/', 'div', divided, (radius, given) => over(radius, hypotenuse(given[0], given[1]))),
  ];
}

const eachPoint = (value: Geometry, each: (own: Point) => Point): Geometry => s.ofPoints(s.pointsOf(value).map(each), value.closed);

/** The limit of Postgres for a value of 1 GB, less what one string of numbers may take here. */
const POLYGON_POINTS_MAX = 4_000_000;

function circlePolygon(count: number, circle: Geometry): Geometry {
  const [x, y, radius] = circle.numbers;
  if (isZero(radius)) throw new SvcError('0A000', 'cannot convert circle with radius zero to polygon');
  if (count < 2) throw new SvcError('22023', 'must request at least 2 points');
  if (count > POLYGON_POINTS_MAX) throw new SvcError('54000', 'too many points requested');
  const step = over(2 * Math.PI, count);
  const numbers: number[] = [];
  for (let i = 0; i < count; i++) {
    const angle = times0(step, i);
    numbers.push(minus(x, radius * Math.cos(angle)), plus(y, radius * Math.sin(angle)));
  }
  return new Geometry(numbers);
}
const times0 = (a: number, b: number): number => a * b;

function pathArea(path: Geometry): number | null {
  if (!path.closed) return null;
  const points = s.pointsOf(path);
  let area = 0;
  points.forEach(([x, y], i) => {
    const [nextX, nextY] = points[(i + 1) % points.length];
    area = minus(plus(area, x * nextY), y * nextX);
  });
  return over(Math.abs(area), 2);
}

function boxIntersection(a: Geometry, b: Geometry): Geometry | null {
  if (!s.boxesOverlap(a, b)) return null;
  const [r1, t1, l1, b1] = a.numbers;
  const [r2, t2, l2, b2] = b.numbers;
  return new Geometry([Math.min(r1, r2), Math.min(t1, t2), Math.max(l1, l2), Math.max(b1, b2)]);
}

function pathPolygon(path: Geometry): Geometry {
  if (!path.closed) throw new SvcError('22023', 'open path cannot be converted to polygon');
  return new Geometry(path.numbers);
}

function circleBox(circle: Geometry): Geometry {
  const [x, y, radius] = circle.numbers;
  const half = over(radius, Math.SQRT2);
  return new Geometry([plus(x, half), plus(y, half), minus(x, half), minus(y, half)]);
}

function boxPolygon({ numbers: [right, top, left, bottom] }: Geometry): Geometry {
  return new Geometry([left, bottom, left, top, right, top, right, bottom]);
}

const boxCircle = (box: Geometry): Geometry => {
  const center = s.boxCenter(box);
  return new Geometry([...center, distance(center, s.pointAt(box, 0))]);
};
const segmentCenter = (segment: Geometry): Geometry => point(middle(s.pointAt(segment, 0), s.pointAt(segment, 1)));
const polygonCenter = (polygon: Geometry): Geometry => point(s.centerOf(s.circleAround(polygon)));
const isHorizontal = (segment: Geometry): boolean => isSame(segment.numbers[1], segment.numbers[3]);
const isVertical = (segment: Geometry): boolean => isSame(segment.numbers[0], segment.numbers[2]);
const segmentSlope = (segment: Geometry): number => slope(s.pointAt(segment, 0), s.pointAt(segment, 1));
const parallelSegments = (a: Geometry, b: Geometry): boolean => isSame(segmentSlope(a), segmentSlope(b));
const perpendicularSegments = (a: Geometry, b: Geometry): boolean => isSame(segmentSlope(a), uprightSlope(s.pointAt(b, 0), s.pointAt(b, 1)));
const parallelLines = (a: Geometry, b: Geometry): boolean => s.lineMeetsLine(a, b) === null;

const FUNCTIONS: ScalarFunction[] = [
  fn('point', ['float8', 'float8'], 'point', 'A point by its coordinates.', (x: number, y: number) => new Geometry([x, y])),
  fn('lseg', ['point', 'point'], 'lseg', 'A segment by its ends.', (a: Geometry, b: Geometry) => new Geometry([...a.numbers, ...b.numbers])),
  fn('line', ['point', 'point'], 'line', 'The line through two points.', (a: Geometry, b: Geometry) => {
    if (samePoints(at(a), at(b))) throw new SvcError('22023', 'invalid line specification: must be two distinct points');
    return lineThrough(at(a), at(b));
  }),
  fn('box', ['point', 'point'], 'box', 'A box by two of its corners.', (a: Geometry, b: Geometry) => boxOf([...a.numbers, ...b.numbers])),
  fn(
    'circle',
    ['point', 'float8'],
    'circle',
    'A circle by its centre and radius.',
    (center: Geometry, radius: number) => new Geometry([...center.numbers, radius]),
  ),
  fn('polygon', ['int4', 'circle'], 'polygon', 'A polygon of n points on a circle.', circlePolygon),
  fn('polygon', ['circle'], 'polygon', 'A polygon of twelve points on a circle.', (circle: Geometry) => circlePolygon(12, circle)),
  fn('polygon', ['box'], 'polygon', 'The four corners of a box.', boxPolygon),
  fn('polygon', ['path'], 'polygon', 'The points of a closed path.', pathPolygon),
  fn('path', ['polygon'], 'path', 'The closed path around a polygon.', ({ numbers }: Geometry) => new Geometry(numbers)),
  fn('point', ['box'], 'point', 'The centre.', (box: Geometry) => point(s.boxCenter(box))),
  fn('point', ['circle'], 'point', 'The centre.', (circle: Geometry) => point(at(circle))),
  fn('point', ['lseg'], 'point', 'The middle.', segmentCenter),
  fn('point', ['polygon'], 'point', 'The mean of the points.', polygonCenter),
  fn('lseg', ['box'], 'lseg', 'The diagonal.', ({ numbers }: Geometry) => new Geometry(numbers)),
  fn('box', ['circle'], 'box', 'The greatest upright square in a circle.', circleBox),
  fn('box', ['point'], 'box', 'The box of one point.', ({ numbers }: Geometry) => new Geometry([...numbers, ...numbers])),
  fn('box', ['polygon'], 'box', 'The box around a polygon.', s.boundsOf),
  fn('circle', ['box'], 'circle', 'The circle around a box.', boxCircle),
  fn('circle', ['polygon'], 'circle', 'The mean circle of a polygon’s points.', s.circleAround),
  fn('bound_box', ['box', 'box'], 'box', 'The box around two.', (a: Geometry, b: Geometry) => s.boundsOf(new Geometry([...a.numbers, ...b.numbers]))),
  fn('area', ['box'], 'float8', 'Area.', boxArea),
  fn('area', ['circle'], 'float8', 'Area.', circleArea),
  fn('area', ['path'], 'float8', 'Area inside a closed path.', pathArea),
  fn('center', ['box'], 'point', 'Centre.', (box: Geometry) => point(s.boxCenter(box))),
  fn('center', ['circle'], 'point', 'Centre.', (circle: Geometry) => point(at(circle))),
  fn('diagonal', ['box'], 'lseg', 'The diagonal.', ({ numbers }: Geometry) => new Geometry(numbers)),
  fn('diameter', ['circle'], 'float8', 'Diameter.', (circle: Geometry) => times(s.radiusOf(circle), 2)),
  fn('radius', ['circle'], 'float8', 'Radius.', s.radiusOf),
  fn('height', ['box'], 'float8', 'Height.', ({ numbers }: Geometry) => minus(numbers[1], numbers[3])),
  fn('width', ['box'], 'float8', 'Width.', ({ numbers }: Geometry) => minus(numbers[0], numbers[2])),
  fn('length', ['lseg'], 'float8', 'Length.', segmentLength),
  fn('length', ['path'], 'float8', 'Length, of a closed path with the side back.', pathLength),
  fn('isclosed', ['path'], 'bool', 'Whether the path is closed.', ({ closed }: Geometry) => closed),
  fn('isopen', ['path'], 'bool', 'Whether the path is open.', ({ closed }: Geometry) => !closed),
  fn('pclose', ['path'], 'path', 'The path closed.', ({ numbers }: Geometry) => new Geometry(numbers, true)),
  fn('popen', ['path'], 'path', 'The path open.', ({ numbers }: Geometry) => new Geometry(numbers, false)),
  fn('npoints', ['path'], 'int4', 'How many points.', ({ numbers }: Geometry) => numbers.length / 2),
  fn('npoints', ['polygon'], 'int4', 'How many points.', ({ numbers }: Geometry) => numbers.length / 2),
  fn('slope', ['point', 'point'], 'float8', 'Slope of the line through two points.', (a: Geometry, b: Geometry) => slope(at(a), at(b))),
  fn('ishorizontal', ['point', 'point'], 'bool', 'Whether they lie on one height.', (a: Geometry, b: Geometry) => isSame(a.numbers[1], b.numbers[1])),
  fn('ishorizontal', ['lseg'], 'bool', 'Whether it is level.', isHorizontal),
  fn('ishorizontal', ['line'], 'bool', 'Whether it is level.', ({ numbers }: Geometry) => isZero(numbers[0])),
  fn('isvertical', ['point', 'point'], 'bool', 'Whether one lies above the other.', (a: Geometry, b: Geometry) => isSame(a.numbers[0], b.numbers[0])),
  fn('isvertical', ['lseg'], 'bool', 'Whether it is upright.', isVertical),
  fn('isvertical', ['line'], 'bool', 'Whether it is upright.', ({ numbers }: Geometry) => isZero(numbers[1])),
  fn('isparallel', ['lseg', 'lseg'], 'bool', 'Whether they are parallel.', parallelSegments),
  fn('isparallel', ['line', 'line'], 'bool', 'Whether they are parallel.', parallelLines),
  fn('isperp', ['lseg', 'lseg'], 'bool', 'Whether they are at right angles.', perpendicularSegments),
  fn('isperp', ['line', 'line'], 'bool', 'Whether they are at right angles.', s.perpendicularLines),
  fn(
    'point_subscript',
    ['point', 'int4'],
    'float8',
    'Coordinate of a point, from 0: what point[i] calls.',
    ({ numbers }: Geometry, i: number) => numbers[i] ?? null,
  ),
  fn(
    'line_subscript',
    ['line', 'int4'],
    'float8',
    'Coefficient of a line, from 0: what line[i] calls.',
    ({ numbers }: Geometry, i: number) => numbers[i] ?? null,
  ),
  fn('lseg_subscript', ['lseg', 'int4'], 'point', 'End of a segment, from 0: what lseg[i] calls.', subscript),
  fn('box_subscript', ['box', 'int4'], 'point', 'Corner of a box, from 0: what box[i] calls.', subscript),
];

function subscript(value: Geometry, i: number): Geometry | null {
  return i === 0 || i === 1 ? point(s.pointAt(value, i)) : null;
}

function pathLength(path: Geometry): number {
  let out = 0;
  for (const [a, b] of s.sidesOf(path)) out = plus(out, distance(a, b));
  return out;
}

type Distance = (a: Geometry, b: Geometry) => number | null;

/** `<->` both ways. */
function distances(left: string, right: string, procs: readonly [string, string], impl: Distance): SqlOperator[] {
  const out = [op('<->', left, right, 'float8', procs[0], impl, '<->')];
  return left === right ? out : [...out, op('<->', right, left, 'float8', procs[1], (b: Geometry, a: Geometry) => impl(a, b), '<->')];
}

/** `@>` and `<@`. */
function containment(outer: string, inner: string, procs: readonly [string, string], holds: (outer: Geometry, inner: Geometry) => boolean): SqlOperator[] {
  return [op('@>', outer, inner, 'bool', procs[0], holds, '<@'), op('<@', inner, outer, 'bool', procs[1], (a: Geometry, b: Geometry) => holds(b, a), '@>')];
}

const circleHolds = (a: Geometry, b: Geometry): boolean => isLessOrSame(distance(at(a), at(b)), minus(s.radiusOf(a), s.radiusOf(b)));
const sameCircles = (a: Geometry, b: Geometry): boolean =>
  ((Number.isNaN(s.radiusOf(a)) && Number.isNaN(s.radiusOf(b))) || isSame(s.radiusOf(a), s.radiusOf(b))) && samePoints(at(a), at(b));
const sameSegments = (a: Geometry, b: Geometry): boolean => samePoints(s.pointAt(a, 0), s.pointAt(b, 0)) && samePoints(s.pointAt(a, 1), s.pointAt(b, 1));
const sameBoxes = sameSegments;

const pointTest = (name: string, proc: string, holds: (a: Point, b: Point) => boolean, commutator?: string): SqlOperator =>
  op(name, 'point', 'point', 'bool', proc, (a: Geometry, b: Geometry) => holds(at(a), at(b)), commutator);

const OPERATORS: SqlOperator[] = [
  op('~=', 'point', 'point', 'bool', 'point_eq', (a: Geometry, b: Geometry) => samePoints(at(a), at(b)), '~=', '<>'),
  op('<>', 'point', 'point', 'bool', 'point_ne', (a: Geometry, b: Geometry) => !samePoints(at(a), at(b)), '<>', '~='),
  pointTest('<<', 'point_left', (a, b) => isLess(a[0], b[0])),
  pointTest('>>', 'point_right', (a, b) => isMore(a[0], b[0])),
  pointTest('<<|', 'point_below', (a, b) => isLess(a[1], b[1])),
  pointTest('|>>', 'point_above', (a, b) => isMore(a[1], b[1])),
  pointTest('<^', 'point_below', (a, b) => isLess(a[1], b[1])),
  pointTest('>^', 'point_above', (a, b) => isMore(a[1], b[1])),
  pointTest('?-', 'point_horiz', (a, b) => isSame(a[1], b[1]), '?-'),
  pointTest('?|', 'point_vert', (a, b) => isSame(a[0], b[0]), '?|'),
  op('+', 'point', 'point', 'point', 'point_add', (a: Geometry, b: Geometry) => point(added(at(a), at(b))), '+'),
  op('-', 'point', 'point', 'point', 'point_sub', (a: Geometry, b: Geometry) => point(taken(at(a), at(b)))),
  op('*', 'point', 'point', 'point', 'point_mul', (a: Geometry, b: Geometry) => point(multiplied(at(a), at(b))), '*'),
  op('/', 'point', 'point', 'point', 'point_div', (a: Geometry, b: Geometry) => point(divided(at(a), at(b)))),
  ...arithmetic(
    'path',
    (which) => `path_${which}_pt`,
    (value, each) => eachPoint(value, each),
  ),
  ...arithmetic(
    'box',
    (which) => `box_${which}`,
    (value, each, _scale, _by, turns) => {
      const moved = eachPoint(value, each);
      if (!turns) return moved;
      const [x1, y1, x2, y2] = moved.numbers;
      // The second corner comes first if they are equal, which shows if one is -0.
      return boxOf([x2, y2, x1, y1]);
    },
  ),
  ...arithmetic(
    'circle',
    (which) => `circle_${which}_pt`,
    ({ numbers }, each, scale) => new Geometry([...each([numbers[0], numbers[1]]), scale(numbers[2])]),
  ),
  op(
    '+',
    'path',
    'path',
    'path',
    'path_add',
    (a: Geometry, b: Geometry) => (a.closed || b.closed ? null : new Geometry([...a.numbers, ...b.numbers], false)),
    '+',
  ),
  // segments
  op('=', 'lseg', 'lseg', 'bool', 'lseg_eq', sameSegments, '=', '<>'),
  op('<>', 'lseg', 'lseg', 'bool', 'lseg_ne', (a: Geometry, b: Geometry) => !sameSegments(a, b), '<>', '='),
  ...byMeasure('lseg', (test) => `lseg_${test}`, segmentLength).filter(({ name }) => name !== '=' && name !== '<>'),
  op('@-@', null, 'lseg', 'float8', 'lseg_length', segmentLength),
  op('@-@', null, 'path', 'float8', 'path_length', pathLength),
  op('@@', null, 'lseg', 'point', 'lseg_center', segmentCenter),
  op('@@', null, 'box', 'point', 'box_center', (box: Geometry) => point(s.boxCenter(box))),
  op('@@', null, 'polygon', 'point', 'poly_center', polygonCenter),
  op('@@', null, 'circle', 'point', 'circle_center', (circle: Geometry) => point(at(circle))),
  op('?-', null, 'lseg', 'bool', 'lseg_horizontal', isHorizontal),
  op('?-', null, 'line', 'bool', 'line_horizontal', ({ numbers }: Geometry) => isZero(numbers[0])),
  op('?|', null, 'lseg', 'bool', 'lseg_vertical', isVertical),
  op('?|', null, 'line', 'bool', 'line_vertical', ({ numbers }: Geometry) => isZero(numbers[1])),
  op('?-|', 'lseg', 'lseg', 'bool', 'lseg_perp', perpendicularSegments, '?-|'),
  op('?-|', 'line', 'line', 'bool', 'line_perp', s.perpendicularLines, '?-|'),
  op('?||', 'lseg', 'lseg', 'bool', 'lseg_parallel', parallelSegments, '?||'),
  op('?||', 'line', 'line', 'bool', 'line_parallel', parallelLines, '?||'),
  // meeting
  op('#', null, 'path', 'int4', 'path_npoints', ({ numbers }: Geometry) => numbers.length / 2),
  op('#', null, 'polygon', 'int4', 'poly_npoints', ({ numbers }: Geometry) => numbers.length / 2),
  op('#', 'lseg', 'lseg', 'point', 'lseg_interpt', (a: Geometry, b: Geometry) => met(s.segmentsMeet(s.segmentOf(a), s.segmentOf(b))), '#'),
  op('#', 'line', 'line', 'point', 'line_interpt', (a: Geometry, b: Geometry) => met(s.lineMeetsLine(a, b)), '#'),
  op('#', 'box', 'box', 'box', 'box_intersect', boxIntersection),
  op('?#', 'lseg', 'lseg', 'bool', 'lseg_intersect', (a: Geometry, b: Geometry) => s.segmentsMeet(s.segmentOf(a), s.segmentOf(b)) !== null, '?#'),
  op('?#', 'lseg', 'box', 'bool', 'inter_sb', (a: Geometry, b: Geometry) => s.boxMeetsSegment(b, s.segmentOf(a))),
  op('?#', 'lseg', 'line', 'bool', 'inter_sl', (a: Geometry, b: Geometry) => s.segmentMeetsLine(s.segmentOf(a), b) !== null),
  op('?#', 'line', 'box', 'bool', 'inter_lb', (a: Geometry, b: Geometry) => s.boxMeetsLine(b, a)),
  op('?#', 'line', 'line', 'bool', 'line_intersect', (a: Geometry, b: Geometry) => s.lineMeetsLine(a, b) !== null, '?#'),
  op('?#', 'path', 'path', 'bool', 'path_inter', s.sidesMeet),
  op('?#', 'box', 'box', 'bool', 'box_overlap', s.boxesOverlap),
  op('##', 'point', 'lseg', 'point', 'close_ps', (a: Geometry, b: Geometry) => nearestPoint(s.nearestOnSegment(s.segmentOf(b), at(a)))),
  op('##', 'point', 'line', 'point', 'close_pl', (a: Geometry, b: Geometry) => nearestPoint(s.nearestOnLine(b, at(a)))),
  op('##', 'point', 'box', 'point', 'close_pb', (a: Geometry, b: Geometry) => nearestPoint(s.nearestOnBox(b, at(a)))),
  op('##', 'lseg', 'lseg', 'point', 'close_lseg', (a: Geometry, b: Geometry) =>
    segmentSlope(a) === segmentSlope(b) ? null : nearestPoint(s.nearestOfSegments(s.segmentOf(b), s.segmentOf(a))),
  ),
  op('##', 'lseg', 'box', 'point', 'close_sb', (a: Geometry, b: Geometry) => nearestPoint(s.nearestToSegment(b, s.segmentOf(a)))),
  op('##', 'line', 'lseg', 'point', 'close_ls', (a: Geometry, b: Geometry) =>
    segmentSlope(b) === s.lineSlope(a) ? null : nearestPoint(s.nearestToLine(s.segmentOf(b), a)),
  ),
  // distances
  ...distances('point', 'point', ['point_distance', ''], (a, b) => distance(at(a), at(b))),
  ...distances('point', 'lseg', ['dist_ps', 'dist_sp'], (a, b) => s.nearestOnSegment(s.segmentOf(b), at(a)).distance),
  ...distances('point', 'path', ['dist_ppath', 'dist_pathp'], (a, b) => s.pathDistance(b, at(a))),
  ...distances('point', 'box', ['dist_pb', 'dist_bp'], (a, b) => s.nearestOnBox(b, at(a)).distance),
  ...distances('point', 'polygon', ['dist_ppoly', 'dist_polyp'], (a, b) => s.polygonDistance(b, at(a))),
  ...distances('point', 'line', ['dist_pl', 'dist_lp'], (a, b) => s.nearestOnLine(b, at(a)).distance),
  ...distances('point', 'circle', ['dist_pc', 'dist_cpoint'], (a, b) => positive(minus(distance(at(a), at(b)), s.radiusOf(b)))),
  ...distances('lseg', 'lseg', ['lseg_distance', ''], (a, b) => s.nearestOfSegments(s.segmentOf(a), s.segmentOf(b)).distance),
  ...distances('lseg', 'box', ['dist_sb', 'dist_bs'], (a, b) => s.nearestToSegment(b, s.segmentOf(a)).distance),
  ...distances('lseg', 'line', ['dist_sl', 'dist_ls'], (a, b) => s.nearestToLine(s.segmentOf(a), b).distance),
  ...distances('path', 'path', ['path_distance', ''], s.sidesDistance),
  ...distances('box', 'box', ['box_distance', ''], (a, b) => distance(s.boxCenter(a), s.boxCenter(b))),
  ...distances('polygon', 'polygon', ['poly_distance', ''], (a, b) => (s.polygonsOverlap(a, b) ? 0 : s.sidesDistance(a, b))),
  ...distances('polygon', 'circle', ['dist_polyc', 'dist_cpoly'], (a, b) => positive(minus(s.polygonDistance(a, at(b)), s.radiusOf(b)))),
  ...distances('line', 'line', ['line_distance', ''], s.lineDistance),
  ...distances('circle', 'circle', ['circle_distance', ''], (a, b) => positive(minus(distance(at(a), at(b)), plus(s.radiusOf(a), s.radiusOf(b))))),
  // containment
  op('<@', 'point', 'lseg', 'bool', 'on_ps', (a: Geometry, b: Geometry) => s.onSegment(s.segmentOf(b), at(a))),
  op('<@', 'point', 'line', 'bool', 'on_pl', (a: Geometry, b: Geometry) => s.onLine(b, at(a))),
  op('<@', 'lseg', 'line', 'bool', 'on_sl', (a: Geometry, b: Geometry) => s.segmentOf(a).every((each) => s.onLine(b, each))),
  op('<@', 'lseg', 'box', 'bool', 'on_sb', (a: Geometry, b: Geometry) => s.segmentOf(a).every((each) => s.boxHolds(b, each))),
  ...containment('path', 'point', ['path_contain_pt', 'on_ppath'], (a, b) => s.onPath(a, at(b))),
  ...containment('box', 'point', ['box_contain_pt', 'on_pb'], (a, b) => s.boxHolds(a, at(b))),
  ...containment('polygon', 'point', ['poly_contain_pt', 'pt_contained_poly'], (a, b) => s.inside(s.pointsOf(a), at(b))),
  ...containment('circle', 'point', ['circle_contain_pt', 'pt_contained_circle'], (a, b) => distance(at(a), at(b)) <= s.radiusOf(a)),
  ...containment('box', 'box', ['box_contain', 'box_contained'], s.boxHoldsBox),
  ...containment('polygon', 'polygon', ['poly_contain', 'poly_contained'], s.polygonHolds),
  ...containment('circle', 'circle', ['circle_contain', 'circle_contained'], circleHolds),
  // boxes, polygons, circles
  ...directions('box', 'box', boxReach, NEAR),
  ...directions('polygon', 'poly', (polygon) => boxReach(s.boundsOf(polygon)), EXACT),
  ...directions('circle', 'circle', circleReach, NEAR),
  op('<^', 'box', 'box', 'bool', 'box_below_eq', (a: Geometry, b: Geometry) => isLessOrSame(a.numbers[1], b.numbers[3])),
  op('>^', 'box', 'box', 'bool', 'box_above_eq', (a: Geometry, b: Geometry) => isMoreOrSame(a.numbers[3], b.numbers[1])),
  op('&&', 'box', 'box', 'bool', 'box_overlap', s.boxesOverlap, '&&'),
  op('&&', 'polygon', 'polygon', 'bool', 'poly_overlap', s.polygonsOverlap, '&&'),
  op(
    '&&',
    'circle',
    'circle',
    'bool',
    'circle_overlap',
    (a: Geometry, b: Geometry) => isLessOrSame(distance(at(a), at(b)), plus(s.radiusOf(a), s.radiusOf(b))),
    '&&',
  ),
  op('~=', 'box', 'box', 'bool', 'box_same', sameBoxes, '~='),
  op('~=', 'polygon', 'polygon', 'bool', 'poly_same', s.samePolygons, '~='),
  op('~=', 'circle', 'circle', 'bool', 'circle_same', sameCircles, '~='),
  op('=', 'line', 'line', 'bool', 'line_eq', s.sameLines, '='),
  ...byMeasure('box', (test) => `box_${test}`, boxArea).filter(({ name }) => name !== '<>'),
  ...byMeasure('circle', (test) => `circle_${test}`, circleArea),
  ...sixOperators('path', 'path', (test) => `path_n_${test}`, {
    eq: (a: Geometry, b: Geometry) => a.numbers.length === b.numbers.length,
    ne: (a: Geometry, b: Geometry) => a.numbers.length !== b.numbers.length,
    lt: (a: Geometry, b: Geometry) => a.numbers.length < b.numbers.length,
    le: (a: Geometry, b: Geometry) => a.numbers.length <= b.numbers.length,
    gt: (a: Geometry, b: Geometry) => a.numbers.length > b.numbers.length,
    ge: (a: Geometry, b: Geometry) => a.numbers.length >= b.numbers.length,
  }).filter(({ name }) => name !== '<>'),
];

function met(found: Point | null): Geometry | null {
  return found === null ? null : point(found);
}

const cast = (from: string, to: string, context: SqlCast['context'], impl: Impl): SqlCast => ({ from, to, context, method: 'function', impl });

const CASTS: SqlCast[] = [
  cast('point', 'box', 'assignment', ({ numbers }: Geometry) => new Geometry([...numbers, ...numbers])),
  cast('lseg', 'point', 'explicit', segmentCenter),
  cast('path', 'polygon', 'assignment', pathPolygon),
  cast('box', 'point', 'explicit', (box: Geometry) => point(s.boxCenter(box))),
  cast('box', 'lseg', 'explicit', ({ numbers }: Geometry) => new Geometry(numbers)),
  cast('box', 'polygon', 'assignment', boxPolygon),
  cast('box', 'circle', 'explicit', boxCircle),
  cast('polygon', 'point', 'explicit', polygonCenter),
  cast('polygon', 'path', 'assignment', ({ numbers }: Geometry) => new Geometry(numbers)),
  cast('polygon', 'box', 'explicit', s.boundsOf),
  cast('polygon', 'circle', 'explicit', s.circleAround),
  cast('circle', 'point', 'explicit', (circle: Geometry) => point(at(circle))),
  cast('circle', 'box', 'explicit', circleBox),
  cast('circle', 'polygon', 'explicit', (circle: Geometry) => circlePolygon(12, circle)),
];

export const GEOMETRIC_FUNCTIONS: FunctionModule = { functions: FUNCTIONS, operators: OPERATORS, casts: CASTS };
