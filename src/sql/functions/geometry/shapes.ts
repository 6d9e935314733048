/** Intersections, containment and distances of geometric values, computed as in PostgreSQL, including rounding. */
import { compareFloats } from '../../types/floats.ts';
import { Geometry } from '../../types/geometry.ts';
import {
  distance,
  hypotenuse,
  isLess,
  isLessOrSame,
  isMore,
  isMoreOrSame,
  isSame,
  isZero,
  lineAt,
  minus,
  over,
  plus,
  type Point,
  samePoints,
  slope,
  times,
  uprightSlope,
} from '../../types/geometric-line.ts';

export type Segment = readonly [Point, Point];

/** The nearest point, and its distance. */
export interface Nearest {
  readonly point: Point;
  readonly distance: number;
}

export function pointAt({ numbers }: Geometry, i: number): Point {
  return [numbers[2 * i], numbers[2 * i + 1]];
}

export function pointsOf(value: Geometry): Point[] {
  const out: Point[] = [];
  for (let i = 0; i < value.numbers.length / 2; i++) out.push(pointAt(value, i));
  return out;
}

export function segmentOf(value: Geometry): Segment {
  return [pointAt(value, 0), pointAt(value, 1)];
}

export const ofPoints = (points: readonly Point[], closed = true): Geometry => new Geometry(points.flat(), closed);

// --- lines

export function lineMeetsLine({ numbers: [a1, b1, c1] }: Geometry, { numbers: [a2, b2, c2] }: Geometry): Point | null {
  let x: number;
  let y: number;
  if (!isZero(b1)) {
    if (isSame(a2, times(a1, over(b2, b1)))) return null;
    x = over(minus(times(b1, c2), times(b2, c1)), minus(times(a1, b2), times(a2, b1)));
    y = over(-plus(times(a1, x), c1), b1);
  } else if (!isZero(b2)) {
    if (isSame(a1, times(a2, over(b1, b2)))) return null;
    x = over(minus(times(b2, c1), times(b1, c2)), minus(times(a2, b1), times(a1, b2)));
    y = over(-plus(times(a2, x), c2), b2);
  } else return null;
  return [x + 0, y + 0];
}

export function perpendicularLines({ numbers: [a1, b1] }: Geometry, { numbers: [a2, b2] }: Geometry): boolean {
  if (isZero(a1)) return isZero(b2);
  if (isZero(a2)) return isZero(b1);
  if (isZero(b1)) return isZero(a2);
  if (isZero(b2)) return isZero(a1);
  return isSame(over(times(a1, a2), times(b1, b2)), -1);
}

export function sameLines({ numbers: a }: Geometry, { numbers: b }: Geometry): boolean {
  if ([...a, ...b].some(Number.isNaN)) return a.every((each, i) => compareFloats(each, b[i]) === 0);
  const at = b.findIndex((each) => !isZero(each));
  const ratio = at < 0 ? 1 : over(a[at], b[at]);
  return a.every((each, i) => isSame(each, times(ratio, b[i])));
}

export function lineDistance(a: Geometry, b: Geometry): number {
  if (lineMeetsLine(a, b) !== null) return 0;
  const at = [0, 1].find((i) => !isZero(a.numbers[i]) && a.numbers[i] === a.numbers[i] && !isZero(b.numbers[i]) && b.numbers[i] === b.numbers[i]);
  const ratio = at === undefined ? 1 : over(a.numbers[at], b.numbers[at]);
  return over(Math.abs(minus(a.numbers[2], times(ratio, b.numbers[2]))), hypotenuse(a.numbers[0], a.numbers[1]));
}

export function lineSlope({ numbers: [a, b] }: Geometry): number {
  return isZero(a) ? 0 : isZero(b) ? Infinity : over(a, -b);
}

function lineUpright({ numbers: [a, b] }: Geometry): number {
  return isZero(a) ? Infinity : isZero(b) ? 0 : over(b, a);
}

export function onLine({ numbers: [a, b, c] }: Geometry, [x, y]: Point): boolean {
  return isZero(plus(plus(times(a, x), times(b, y)), c));
}

export function nearestOnLine(line: Geometry, point: Point): Nearest {
  const foot = lineMeetsLine(lineAt(point, lineUpright(line)), line);
  return foot === null ? { point, distance: NaN } : { point: foot, distance: distance(foot, point) };
}

// --- segments

export function onSegment([a, b]: Segment, point: Point): boolean {
  return isSame(plus(distance(point, a), distance(point, b)), distance(a, b));
}

export function segmentMeetsLine(segment: Segment, line: Geometry): Point | null {
  const [a, b] = segment;
  const found = lineMeetsLine(lineAt(a, slope(a, b)), line);
  if (found === null || !onSegment(segment, found)) return null;
  // An endpoint is returned exactly, without rounding.
  return samePoints(a, found) ? a : samePoints(b, found) ? b : found;
}

export function segmentsMeet(a: Segment, b: Segment): Point | null {
  const found = segmentMeetsLine(a, lineAt(b[0], slope(b[0], b[1])));
  return found !== null && onSegment(b, found) ? found : null;
}

export function nearestToLine(segment: Segment, line: Geometry): Nearest {
  const found = segmentMeetsLine(segment, line);
  if (found !== null) return { point: found, distance: 0 };
  const first = nearestOnLine(line, segment[0]).distance;
  const second = nearestOnLine(line, segment[1]).distance;
  return first < second ? { point: segment[0], distance: first } : { point: segment[1], distance: second };
}

export function nearestOnSegment(segment: Segment, point: Point): Nearest {
  const { point: found } = nearestToLine(segment, lineAt(point, uprightSlope(segment[0], segment[1])));
  return { point: found, distance: distance(found, point) };
}

function nearer(best: Nearest, other: Nearest): Nearest {
  return compareFloats(other.distance, best.distance) < 0 ? other : best;
}

/** The point of the first that is nearest to the second. */
export function nearestOfSegments(on: Segment, to: Segment): Nearest {
  const found = segmentsMeet(on, to);
  if (found !== null) return { point: found, distance: 0 };
  let best = nearer(nearestOnSegment(on, to[0]), nearestOnSegment(on, to[1]));
  for (const end of on) best = nearer(best, { point: end, distance: nearestOnSegment(to, end).distance });
  return best;
}

// --- boxes

export function boxCenter({ numbers: [right, top, left, bottom] }: Geometry): Point {
  return [over(plus(right, left), 2), over(plus(top, bottom), 2)];
}

export function boxHolds({ numbers: [right, top, left, bottom] }: Geometry, [x, y]: Point): boolean {
  return compareFloats(right, x) >= 0 && compareFloats(left, x) <= 0 && compareFloats(top, y) >= 0 && compareFloats(bottom, y) <= 0;
}

export function boxHoldsBox({ numbers: [r1, t1, l1, b1] }: Geometry, { numbers: [r2, t2, l2, b2] }: Geometry): boolean {
  return isMoreOrSame(r1, r2) && isLessOrSame(l1, l2) && isMoreOrSame(t1, t2) && isLessOrSame(b1, b2);
}

export function boxesOverlap({ numbers: [r1, t1, l1, b1] }: Geometry, { numbers: [r2, t2, l2, b2] }: Geometry): boolean {
  return isLessOrSame(l1, r2) && isLessOrSame(l2, r1) && isLessOrSame(b1, t2) && isLessOrSame(b2, t1);
}

/** In the order in which Postgres examines them. */
function edgesOf({ numbers: [right, top, left, bottom] }: Geometry): Segment[] {
  const low: Point = [left, bottom];
  const high: Point = [right, top];
  const upperLeft: Point = [left, top];
  const lowerRight: Point = [right, bottom];
  return [
    [low, upperLeft],
    [high, upperLeft],
    [low, lowerRight],
    [high, lowerRight],
  ];
}

export function nearestOnBox(box: Geometry, point: Point): Nearest {
  if (boxHolds(box, point)) return { point, distance: 0 };
  return edgesOf(box)
    .map((edge) => nearestOnSegment(edge, point))
    .reduce(nearer);
}

export function boxMeetsSegment(box: Geometry, segment: Segment): boolean {
  const [a, b] = segment;
  const around = new Geometry([Math.max(a[0], b[0]), Math.max(a[1], b[1]), Math.min(a[0], b[0]), Math.min(a[1], b[1])]);
  if (!boxesOverlap(around, box)) return false;
  return boxHolds(box, a) || boxHolds(box, b) || edgesOf(box).some((edge) => segmentsMeet(edge, segment) !== null);
}

export function nearestToSegment(box: Geometry, segment: Segment): Nearest {
  if (boxMeetsSegment(box, segment)) return { point: nearestOnSegment(segment, boxCenter(box)).point, distance: 0 };
  return edgesOf(box)
    .map((edge) => nearestOfSegments(edge, segment))
    .reduce(nearer);
}

export function boxMeetsLine(box: Geometry, line: Geometry): boolean {
  return edgesOf(box).some((edge) => segmentMeetsLine(edge, line) !== null);
}

export function boundsOf(value: Geometry): Geometry {
  const xs = value.numbers.filter((_, i) => i % 2 === 0);
  const ys = value.numbers.filter((_, i) => i % 2 === 1);
  const most = (list: readonly number[]): number => list.reduce((a, b) => (compareFloats(b, a) > 0 ? b : a));
  const least = (list: readonly number[]): number => list.reduce((a, b) => (compareFloats(b, a) < 0 ? b : a));
  return new Geometry([most(xs), most(ys), least(xs), least(ys)]);
}

// --- paths and polygons

/** Sides of a path; a closed one has that from its last point to its first, which comes first. */
export function sidesOf(value: Geometry): Segment[] {
  const points = pointsOf(value);
  const out: Segment[] = [];
  points.forEach((point, i) => {
    if (i > 0) out.push([points[i - 1], point]);
    else if (value.closed) out.push([points[points.length - 1], point]);
  });
  return out;
}

const ON_EDGE = NaN;

/** How the side from the last point to this one winds around the origin, in half turns; NaN if it passes through it. */
function crossing(x: number, y: number, lastX: number, lastY: number): number {
  if (isZero(y)) {
    if (isZero(x)) return ON_EDGE;
    if (isMore(x, 0)) {
      if (isZero(lastY)) return isMore(lastX, 0) ? 0 : ON_EDGE;
      return isLess(lastY, 0) ? 1 : -1;
    }
    return isZero(lastY) && !isLess(lastX, 0) ? ON_EDGE : 0;
  }
  const sign = isMore(y, 0) ? 1 : -1;
  if (isZero(lastY)) return isLess(lastX, 0) ? 0 : sign;
  if (sign < 0 ? isLess(lastY, 0) : isMore(lastY, 0)) return 0;
  if (isMoreOrSame(x, 0) && isMore(lastX, 0)) return 2 * sign;
  if (isLess(x, 0) && isLessOrSame(lastX, 0)) return 0;
  const z = minus(times0(minus(x, lastX), y), times0(minus(y, lastY), x));
  if (isZero(z)) return ON_EDGE;
  return (sign < 0 ? isLess(z, 0) : isMore(z, 0)) ? 0 : 2 * sign;
}

/** A product that may be too small to distinguish from zero. */
const times0 = (a: number, b: number): number => a * b;

/** Whether a point lies in a polygon or on its edge. */
export function inside(points: readonly Point[], [px, py]: Point): boolean {
  let turns = 0;
  for (let i = 1; i <= points.length; i++) {
    const [x, y] = points[i % points.length];
    const [lastX, lastY] = points[i - 1];
    const own = crossing(minus(x, px), minus(y, py), minus(lastX, px), minus(lastY, py));
    if (own !== own) return true;
    turns += own;
  }
  return turns !== 0;
}

export function onPath(path: Geometry, point: Point): boolean {
  const points = pointsOf(path);
  return path.closed ? inside(points, point) : sidesOf(path).some((side) => onSegment(side, point));
}

export function sidesMeet(a: Geometry, b: Geometry): boolean {
  if (!boxesOverlap(boundsOf(a), boundsOf(b))) return false;
  const others = sidesOf(b);
  return sidesOf(a).some((side) => others.some((other) => segmentsMeet(side, other) !== null));
}

/** Between the sides of two paths; null if one has none. */
export function sidesDistance(a: Geometry, b: Geometry): number | null {
  let best: number | null = null;
  const others = sidesOf(b);
  for (const side of sidesOf(a)) {
    for (const other of others) {
      const own = nearestOfSegments(side, other).distance;
      if (best === null || compareFloats(own, best) < 0) best = own;
    }
  }
  return best;
}

export function polygonsOverlap(a: Geometry, b: Geometry): boolean {
  if (!boxesOverlap(boundsOf(a), boundsOf(b))) return false;
  return sidesMeet(a, b) || inside(pointsOf(b), pointAt(a, 0)) || inside(pointsOf(a), pointAt(b, 0));
}

export function polygonHolds(a: Geometry, b: Geometry): boolean {
  if (!boxHoldsBox(boundsOf(a), boundsOf(b))) return false;
  const points = pointsOf(a);
  return sidesOf(b).every(([from, to]) => segmentInside(from, to, points, 0));
}

function segmentInside(a: Point, b: Point, polygon: readonly Point[], start: number): boolean {
  const own: Segment = [a, b];
  let last = polygon[start === 0 ? polygon.length - 1 : start - 1];
  let crossed = false;
  let holds = true;
  for (let i = start; i < polygon.length && holds; i++) {
    const side: Segment = [last, polygon[i]];
    if (onSegment(side, a)) {
      if (onSegment(side, b)) return true;
      holds = touching(a, b, side, polygon, i + 1);
    } else if (onSegment(side, b)) holds = touching(b, a, side, polygon, i + 1);
    else {
      const found = segmentsMeet(own, side);
      if (found !== null) {
        crossed = true;
        holds = segmentInside(a, found, polygon, i + 1) && segmentInside(b, found, polygon, i + 1);
      }
    }
    last = side[1];
  }
  return holds && !crossed ? inside(polygon, [over(plus(a[0], b[0]), 2), over(plus(a[1], b[1]), 2)]) : holds;
}

/** The first point is on the side, the second is not: the rest of the segment after the side's end. */
function touching(a: Point, b: Point, [from, to]: Segment, polygon: readonly Point[], start: number): boolean {
  const own: Segment = [a, b];
  if (samePoints(a, from)) return onSegment(own, to) ? segmentInside(b, to, polygon, start) : true;
  if (samePoints(a, to)) return onSegment(own, from) ? segmentInside(b, from, polygon, start) : true;
  if (onSegment(own, from)) return segmentInside(b, from, polygon, start);
  return onSegment(own, to) ? segmentInside(b, to, polygon, start) : true;
}

/** The same points in either direction, from any start. */
export function samePolygons(a: Geometry, b: Geometry): boolean {
  const p = pointsOf(a);
  const q = pointsOf(b);
  const count = p.length;
  if (count !== q.length) return false;
  return q.some(
    (start, i) =>
      samePoints(start, p[0]) &&
      (p.every((point, k) => samePoints(q[(i + k) % count], point)) || p.every((point, k) => samePoints(q[(i - k + count) % count], point))),
  );
}

/** An open path of one point has no side, and no distance. */
export function pathDistance(path: Geometry, point: Point): number {
  const all = sidesOf(path).map((side) => nearestOnSegment(side, point));
  return all.length === 0 ? 0 : all.reduce(nearer).distance;
}

export function polygonDistance(polygon: Geometry, point: Point): number {
  const points = pointsOf(polygon);
  if (inside(points, point)) return 0;
  return sidesOf(polygon)
    .map((side) => nearestOnSegment(side, point))
    .reduce(nearer).distance;
}

// --- circles

export const centerOf = (circle: Geometry): Point => pointAt(circle, 0);
export const radiusOf = ({ numbers }: Geometry): number => numbers[2];

export function circleAround(polygon: Geometry): Geometry {
  const points = pointsOf(polygon);
  let x = 0;
  let y = 0;
  for (const point of points) {
    x = plus(x, point[0]);
    y = plus(y, point[1]);
  }
  const center: Point = [over(x, points.length), over(y, points.length)];
  let sum = 0;
  for (const point of points) sum = plus(sum, distance(point, center));
  return new Geometry([...center, over(sum, points.length)]);
}
