/**
 * JSON paths over documents. Items are produced lazily, so that a consumer of one item does not get the errors of later ones.
 *
 *   lax      arrays are unwrapped where an item is expected, a single item is wrapped where an array is;
 *            missing parts give nothing
 *   strict   all of that is an error, which conditions turn into unknown
 *
 * Manual, section 9.16.2.
 */
import { SvcError } from '../../../base/errors/svc-error.ts';
import type { SqlState } from '../../../base/errors/sqlstate.ts';
import type { Environment } from '../../types/environment.ts';
import { compareNumbers, numberNode, toNumeric } from '../../types/json-number.ts';
import { compareUtf8 } from '../../types/json-string.ts';
import { isJsonArray, isJsonNumber, type JsonNode, JsonObject, kindOf, makeObject } from '../../types/json-tree.ts';
import { type Arithmetic, type Comparison, isPredicate, type JsonPath, type PathMethod, type PathNode, type PathStep } from '../../types/jsonpath-syntax.ts';
import { abs, add, ceil, div, floor, mod, mul, neg, Numeric, sub } from '../../types/numeric.ts';
import { fromFloat, toFloat8 } from '../../types/numeric-text.ts';
import { parseFloat8 } from '../../types/float-text.ts';
import { regexp } from '../text/regexp/regexp.ts';
import { objectPlaces } from './container-places.ts';
import { optionsOfFlags } from './path-regexp.ts';
import { comparePathTimes, PathTime, readPathTime } from './path-time.ts';

export type PathItem = JsonNode | PathTime;
/** Of a condition; null is unknown. */
type Truth = boolean | null;

interface Frame {
  readonly current: PathItem;
  /** Length of the innermost array that is being subscripted. */
  readonly size: number;
  /** The document that the item belongs to. */
  readonly base: Base;
}

/** A document within which objects have ids: the searched one, the variables, or a result of .keyvalue(). */
class Base {
  readonly #root: JsonNode;
  readonly #number: number;
  #places: ReadonlyMap<JsonObject, number> | null = null;

  constructor(root: JsonNode, number: number) {
    this.#root = root;
    this.#number = number;
  }

  idOf(object: JsonObject): number {
    this.#places ??= objectPlaces(this.#root);
    return (this.#places.get(object) ?? 0) + this.#number * PLACES_A_BASE;
  }
}

/** The factor between ids of documents. */
const PLACES_A_BASE = 10_000_000_000;

export class PathRun {
  readonly #lax: boolean;
  readonly #path: PathNode;
  readonly #document: JsonNode;
  readonly #variables: JsonObject;
  readonly #zoned: boolean;
  readonly #env: Environment;
  readonly #documentBase: Base;
  readonly #variablesBase: Base;
  /** 0 is the document, 1 the variables. */
  #bases = 2;
  /** Below `.**` missing parts give nothing in strict mode, too. */
  #forgiving: boolean;

  constructor({ lax, root }: JsonPath, document: JsonNode, variables: JsonObject, zoned: boolean, env: Environment) {
    this.#lax = lax;
    this.#path = root;
    this.#document = document;
    this.#variables = variables;
    this.#zoned = zoned;
    this.#env = env;
    this.#documentBase = new Base(document, 0);
    this.#variablesBase = new Base(variables, 1);
    this.#forgiving = lax;
  }

  *items(): Generator<PathItem> {
    yield* this.#eval(this.#path, { current: this.#document, size: -1, base: this.#documentBase });
  }

  get strict(): boolean {
    return !this.#lax;
  }

  *#eval(node: PathNode, frame: Frame): Generator<PathItem> {
    switch (node.kind) {
      case 'root':
        yield this.#document;
        return;
      case 'current':
        yield frame.current;
        return;
      case 'last':
        yield frame.size - 1;
        return;
      case 'literal':
        yield node.value;
        return;
      case 'variable': {
        const value = this.#variables.get(node.name);
        if (value === undefined) throw new SvcError('42704', `could not find jsonpath variable "${node.name}"`);
        yield value;
        return;
      }
      case 'steps':
        for (const item of this.#eval(node.base, frame)) yield* this.#steps(node.steps, 0, item, this.#framed(node.base, frame), this.#lax);
        return;
      case 'arithmetic':
        yield this.#arithmetic(node.op, node.left, node.right, frame);
        return;
      case 'sign':
        for (const item of this.#opened(node.arg, frame)) {
          if (item instanceof PathTime || !isJsonNumber(item)) throw fault('2203B', `operand of unary jsonpath operator ${node.op} is not a numeric value`);
          yield node.op === '-' ? numberNode(neg(toNumeric(item))) : item;
        }
        return;
      default:
        yield this.#truth(node, frame);
    }
  }

  #framed({ kind }: PathNode, frame: Frame): Frame {
    if (kind === 'root') return { ...frame, base: this.#documentBase };
    return kind === 'variable' ? { ...frame, base: this.#variablesBase } : frame;
  }

  /** Items, with arrays unwrapped in lax mode. */
  *#opened(node: PathNode, frame: Frame): Generator<PathItem> {
    for (const item of this.#eval(node, frame)) {
      if (this.#lax && !(item instanceof PathTime) && isJsonArray(item)) yield* item;
      else yield item;
    }
  }

  #arithmetic(op: Arithmetic, leftNode: PathNode, rightNode: PathNode, frame: Frame): PathItem {
    const one = (node: PathNode, side: string): Numeric => {
      const items = [...this.#opened(node, frame)];
      const [item] = items;
      if (items.length !== 1 || item instanceof PathTime || !isJsonNumber(item)) {
        throw fault('22038', `${side} operand of jsonpath operator ${op} is not a single numeric value`);
      }
      return toNumeric(item);
    };
    const left = one(leftNode, 'left');
    const right = one(rightNode, 'right');
    switch (op) {
      case '+':
        return numberNode(add(left, right));
      case '-':
        return numberNode(sub(left, right));
      case '*':
        return numberNode(mul(left, right));
      case '/':
        return numberNode(div(left, right));
      case '%':
        return numberNode(mod(left, right));
    }
  }

  /** The result of the remaining steps for an item. `open`: an array may be unwrapped for the first of them. */
  *#steps(steps: readonly PathStep[], at: number, item: PathItem, frame: Frame, open: boolean): Generator<PathItem> {
    if (at === steps.length) {
      yield item;
      return;
    }
    const step = steps[at];
    const next = (value: PathItem): Generator<PathItem> => this.#steps(steps, at + 1, value, frame, this.#lax);
    const array = item instanceof PathTime || !isJsonArray(item) ? null : item;
    const opens =
      step.kind === 'key' ||
      step.kind === 'anyKey' ||
      step.kind === 'filter' ||
      step.kind === 'datetime' ||
      (step.kind === 'method' && step.name !== 'type' && step.name !== 'size');
    if (open && array !== null && opens) {
      for (const each of array) yield* this.#steps(steps, at, each, frame, false);
      return;
    }
    switch (step.kind) {
      case 'key':
        if (item instanceof JsonObject) {
          const value = item.get(step.name);
          if (value !== undefined) yield* next(value);
          else if (!this.#forgiving) throw fault('2203A', `JSON object does not contain key "${step.name}"`);
        } else if (!this.#forgiving) throw fault('2203A', 'jsonpath member accessor can only be applied to an object');
        return;
      case 'anyKey':
        if (item instanceof JsonObject) for (const value of item.values) yield* next(value);
        else if (!this.#forgiving) throw fault('2203C', 'jsonpath wildcard member accessor can only be applied to an object');
        return;
      case 'anyItem':
        if (array !== null) for (const value of array) yield* next(value);
        else if (this.#lax) yield* next(item);
        else if (!this.#forgiving) throw fault('22039', 'jsonpath wildcard array accessor can only be applied to an array');
        return;
      case 'items':
        if (array === null && !this.#lax) {
          if (!this.#forgiving) throw fault('22039', 'jsonpath array accessor can only be applied to an array');
          return;
        }
        for (const value of this.#subscripted(step.subscripts, array ?? [item as JsonNode], frame)) yield* next(value);
        return;
      case 'levels':
        for (const value of this.#levels(item, 0, step.first ?? Infinity, step.last ?? Infinity, step.first === null)) {
          const saved = this.#forgiving;
          this.#forgiving = true;
          try {
            yield* next(value);
          } finally {
            this.#forgiving = saved;
          }
        }
        return;
      case 'filter':
        if (this.#truth(step.condition, { ...frame, current: item }) === true) yield* next(item);
        return;
      case 'datetime':
        if (typeof item !== 'string') throw fault('22031', 'jsonpath item method .datetime() can only be applied to a string');
        yield* next(readPathTime(item, step.template, this.#env));
        return;
      case 'method':
        if (step.name !== 'keyvalue') {
          for (const value of this.#method(step.name, item)) yield* next(value);
          return;
        }
        if (!(item instanceof JsonObject)) throw fault('2203C', 'jsonpath item method .keyvalue() can only be applied to an object');
        for (let i = 0; i < item.keys.length; i++) {
          const pair = makeObject(['id', 'key', 'value'], [frame.base.idOf(item), item.keys[i], item.values[i]]);
          yield* this.#steps(steps, at + 1, pair, { ...frame, base: new Base(pair, this.#bases++) }, this.#lax);
        }
    }
  }

  *#subscripted(subscripts: (PathStep & { kind: 'items' })['subscripts'], array: readonly JsonNode[], frame: Frame): Generator<JsonNode> {
    const inside = { ...frame, size: array.length };
    const index = (node: PathNode): number => {
      const items = [...this.#eval(node, inside)];
      const [item] = items;
      if (items.length !== 1 || item instanceof PathTime || !isJsonNumber(item)) throw fault('22033', 'jsonpath array subscript is not a single numeric value');
      const value = Math.trunc(toFloat8(toNumeric(item)));
      if (value > 2147483647 || value < -2147483648) throw fault('22033', 'jsonpath array subscript is out of integer range');
      return value;
    };
    for (const { from, to } of subscripts) {
      const first = index(from);
      const last = to === null ? first : index(to);
      if (!this.#forgiving && (first < 0 || first > last || last >= array.length)) throw fault('22033', 'jsonpath array subscript is out of bounds');
      for (let i = Math.max(0, first); i <= Math.min(last, array.length - 1); i++) yield array[i];
    }
  }

  /** The item and its descendants, down to a depth. `leaves`: only those without children. */
  *#levels(item: PathItem, depth: number, first: number, last: number, leaves: boolean): Generator<PathItem> {
    const inner = item instanceof JsonObject ? item.values : !(item instanceof PathTime) && isJsonArray(item) ? item : null;
    if (leaves ? inner === null : depth >= first) yield item;
    if (inner === null || depth >= last) return;
    for (const each of inner) yield* this.#levels(each, depth + 1, first, last, leaves);
  }

  *#method(name: Exclude<PathMethod, 'keyvalue'>, item: PathItem): Generator<PathItem> {
    switch (name) {
      case 'type':
        yield item instanceof PathTime ? item.title : kindOf(item);
        return;
      case 'size':
        if (!(item instanceof PathTime) && isJsonArray(item)) yield item.length;
        else if (this.#lax || this.#forgiving) yield 1;
        else throw fault('22039', 'jsonpath item method .size() can only be applied to an array');
        return;
      case 'double':
        yield this.#double(item);
        return;
      default: {
        if (item instanceof PathTime || !isJsonNumber(item)) throw fault('22036', `jsonpath item method .${name}() can only be applied to a numeric value`);
        const value = toNumeric(item);
        yield numberNode(name === 'abs' ? abs(value) : name === 'floor' ? floor(value) : ceil(value));
      }
    }
  }

  #double(item: PathItem): PathItem {
    if (!(item instanceof PathTime) && isJsonNumber(item)) return numberNode(fromFloat(ofNumber(item), 15));
    if (typeof item !== 'string') throw fault('22036', 'jsonpath item method .double() can only be applied to a string or numeric value');
    let value: number;
    try {
      value = parseFloat8(item);
    } catch (error) {
      if (!(error instanceof SvcError)) throw error;
      throw fault('22036', NO_DOUBLE);
    }
    if (!Number.isFinite(value)) throw fault('22036', NO_DOUBLE);
    return numberNode(fromFloat(value, 15));
  }

  // --- conditions

  #truth(node: PathNode, frame: Frame): Truth {
    switch (node.kind) {
      case 'and': {
        const left = this.#truth(node.left, frame);
        if (left === false) return false;
        const right = this.#truth(node.right, frame);
        return right === true ? left : right;
      }
      case 'or': {
        const left = this.#truth(node.left, frame);
        if (left === true) return true;
        const right = this.#truth(node.right, frame);
        return right === false ? left : right;
      }
      case 'not': {
        const inner = this.#truth(node.arg, frame);
        return inner === null ? null : !inner;
      }
      case 'isUnknown':
        return this.#truth(node.arg, frame) === null;
      case 'exists':
        return attempt(() => {
          const items = this.#eval(node.arg, frame);
          if (this.#lax) return items.next().done !== true;
          return [...items].length > 0;
        });
      case 'compare':
        return this.#pairs(node.left, node.right, frame, (a, b) => this.#compare(node.op, a, b));
      case 'startsWith':
        return this.#pairs(node.left, node.right, frame, (a, b) => (typeof a === 'string' && typeof b === 'string' ? a.startsWith(b) : null), false);
      case 'likeRegex': {
        const matcher = regexp(node.pattern, optionsOfFlags(node.flags));
        return this.#pairs(node.arg, null, frame, (a) => (typeof a === 'string' ? matcher.test(a) : null));
      }
      default: {
        if (isPredicate(node)) return null;
        const [item, more] = [...this.#eval(node, frame)];
        return more === undefined && typeof item === 'boolean' ? item : null;
      }
    }
  }

  /** Whether a pair of items satisfies the test: in lax mode the first that does decides, in strict mode an unknown one makes the result unknown. */
  #pairs(left: PathNode, right: PathNode | null, frame: Frame, test: (a: PathItem, b: PathItem) => Truth, openRight = true): Truth {
    return attempt(() => {
      const ones = [...this.#opened(left, frame)];
      const others = right === null ? [null] : openRight ? [...this.#opened(right, frame)] : [...this.#eval(right, frame)];
      let found = false;
      let unknown = false;
      for (const a of ones) {
        for (const b of others) {
          const truth = test(a, b);
          if (truth === null) {
            if (!this.#lax) return null;
            unknown = true;
          } else if (truth) {
            if (this.#lax) return true;
            found = true;
          }
        }
      }
      return found ? true : unknown ? null : false;
    });
  }

  #compare(op: Comparison, a: PathItem, b: PathItem): Truth {
    if (a instanceof PathTime || b instanceof PathTime) {
      if (!(a instanceof PathTime) || !(b instanceof PathTime)) return a === null || b === null ? op === '!=' : null;
      const order = comparePathTimes(a, b, this.#zoned, this.#env);
      return order === null ? null : ordered(op, order);
    }
    const kind = kindOf(a);
    if (kind !== kindOf(b)) return a === null || b === null ? op === '!=' : null;
    switch (kind) {
      case 'null':
        return ordered(op, 0);
      case 'boolean':
        return ordered(op, a === b ? 0 : a === true ? 1 : -1);
      case 'number':
        return ordered(op, compareNumbers(a as number, b as number));
      case 'string':
        if (op === '==' || op === '!=') return (a === b) === (op === '==');
        return ordered(op, compareUtf8(a as string, b as string));
      default:
        return null;
    }
  }
}

function ordered(op: Comparison, order: number): boolean {
  switch (op) {
    case '==':
      return order === 0;
    case '!=':
      return order !== 0;
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
  }
}

const NO_DOUBLE = 'string argument of jsonpath item method .double() is not a valid representation of a double precision number';

function ofNumber(item: Parameters<typeof toNumeric>[0]): number {
  try {
    return toFloat8(toNumeric(item));
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    throw fault('22036', 'numeric argument of jsonpath item method .double() is out of range for type double precision');
  }
}

/** Errors that a path turns into unknown or, if silent, into nothing. */
const SUPPRESSED = new Set<SqlState>(['22007', '22008', '22012', '22003', '22031', '22033', '22036', '22038', '22039', '2203A', '2203B', '2203C']);

export function isPathError(error: unknown): boolean {
  return error instanceof SvcError && SUPPRESSED.has(error.code);
}

function attempt(run: () => Truth): Truth {
  try {
    return run();
  } catch (error) {
    if (isPathError(error)) return null;
    throw error;
  }
}

function fault(code: SqlState, message: string, hint?: string): SvcError {
  return new SvcError(code, message, hint === undefined ? {} : { hint });
}
