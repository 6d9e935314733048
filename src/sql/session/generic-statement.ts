/**
 * Generic statements: texts that differ only in their literals share one auto-parameterised statement per shape
 * (parse/text-shape.ts), so that they are neither parsed nor planned again.
 *
 *     text ──shape──► GenericStatement ──schema, settings──► GenericPlan ──literals of the text──► values ──► run
 *                          └─ null ─────────────────────────────┴─ null ──────────────┴─ null ──► parsed and planned as it is
 *
 * The generic plan must do exactly what the text would. That is proven: the statement is bound twice, with literals and with
 * parameters, and both plans must be equal except for constants where the other has a parameter of the same type. If anything else
 * differs (ORDER BY 1, a function that requires a constant), if a literal cannot be parsed, or if the best plan depends on the
 * literals, the text falls back to a custom plan, which also raises its errors.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import { parse, type ParsedStatement } from '../parse/parse.ts';
import { MARK, shapeOf, stringValue, type LiteralMark, type TextShape } from '../parse/text-shape.ts';
import type { SqlType } from '../types/type.ts';
import type { Value } from '../types/value.ts';
import { execContext } from './exec-context.ts';
import { type GenericPlan, servesAll } from './generic-plan.ts';
import type { SqlHost } from './host.ts';
import { coerce, isQuery, type Prepared, type QueryStatement } from './prepare.ts';
import type { SqlSession } from './sql-session.ts';

/** What is known about a shape. */
export interface KnownShape {
  /** null: seen once, and may not come again. */
  generic: GenericStatement | 'none' | null;
}

/** A generic statement with a text of its shape. */
export interface GenericRun {
  readonly generic: GenericStatement;
  readonly text: string;
  readonly shape: TextShape;
}

/** The generic statement of the text, if there is one. */
export function findGeneric({ shapes }: SqlHost, text: string): GenericRun | null {
  const shape = shapeOf(text);
  return shape === null ? null : runOf(shapes.get(shape.key), text, shape);
}

/** The same for one statement of a multi-statement text; its shape is recorded if there is none. */
export function findGenericOf({ shapes }: SqlHost, list: string, { type, range }: ParsedStatement): GenericRun | null {
  if (!isQuery({ type })) return null;
  const text = list.slice(range.start, range.end);
  const shape = shapeOf(text);
  if (shape === null) return null;
  const found = runOf(shapes.get(shape.key), text, shape);
  // Its positions are those in the list, which the shared statement cannot have.
  if (found === null) note(shapes, text, shape, () => parse(text)[0]);
  return found;
}

function runOf(known: KnownShape | undefined, text: string, shape: TextShape): GenericRun | null {
  const generic = known?.generic;
  return generic instanceof GenericStatement && generic.fits(text, shape) ? { generic, text, shape } : null;
}

/** Called after a text was parsed: when its shape comes for the second time, a generic statement is created. */
export function noteShape({ shapes }: SqlHost, text: string, statements: readonly ParsedStatement[]): void {
  if (statements.length !== 1 || !isQuery(statements[0])) return;
  const shape = shapeOf(text);
  if (shape !== null) note(shapes, text, shape, () => statements[0]);
}

function note(shapes: SqlHost['shapes'], text: string, shape: TextShape, parsed: () => ParsedStatement): void {
  const known = shapes.get(shape.key);
  if (known === undefined) shapes.set(shape.key, { generic: null });
  else if (known.generic !== 'none') known.generic = genericStatement(text, shape, parsed() as ParsedStatement & QueryStatement) ?? 'none';
}

/** Where a parameter's value is in the text. */
interface Place {
  readonly literal: number;
  readonly negative: boolean;
}

export class GenericStatement {
  /** With parameters in place of literals. */
  readonly statement: ParsedStatement & QueryStatement;
  readonly #original: QueryStatement;
  readonly #places: readonly Place[];
  readonly #marks: readonly LiteralMark[];
  /** The text that it was made from: the values of its parameters, and the literals that stay constants. */
  readonly #first: { readonly text: string; readonly shape: TextShape };
  readonly #fixed: readonly { readonly literal: number; readonly text: string }[];
  readonly #count: number;
  readonly #plans = new Map<string, GenericPlan | null>();

  constructor(text: string, shape: TextShape, original: QueryStatement, statement: ParsedStatement & QueryStatement, places: readonly Place[]) {
    this.statement = statement;
    this.#original = original;
    this.#places = places;
    this.#marks = shape.marks;
    this.#count = shape.starts.length;
    this.#first = { text, shape };
    const moving = new Set(places.map(({ literal }) => literal));
    this.#fixed = shape.starts.flatMap((start, literal) => (moving.has(literal) ? [] : [{ literal, text: text.slice(start, shape.ends[literal]) }]));
  }

  /** Whether the text has the same constants in place of literals that are not parameters. */
  fits(text: string, { starts, ends }: TextShape): boolean {
    if (starts.length !== this.#count) return false;
    for (const { literal, text: own } of this.#fixed) if (text.slice(starts[literal], ends[literal]) !== own) return false;
    return true;
  }

  /** The plan under the session's schema and settings; null if every text needs a custom plan. `accepts`: which plans serve all literals. */
  plan(session: SqlSession, accepts: typeof servesAll = servesAll): GenericPlan | null {
    const key = session.planKey();
    let plan = this.#plans.get(key);
    if (plan === undefined) {
      plan = this.#prove(session, accepts);
      if (this.#plans.size > PLANS_MAX) this.#plans.clear();
      this.#plans.set(key, plan);
    }
    return plan;
  }

  #prove(session: SqlSession, accepts: typeof servesAll): GenericPlan | null {
    const { registry } = session.host;
    const given = this.#places.map(({ literal }): SqlType | null => {
      const mark = this.#marks[literal];
      return mark === MARK.string ? null : registry.type(mark === MARK.int4 ? 'int4' : mark === MARK.int8 ? 'int8' : 'numeric');
    });
    try {
      const plan = session.prepareGeneric(this.#original, this.statement, given, (types) => {
        const values = this.#literals(session, types, this.#first.text, this.#first.shape);
        if (values === null) throw new SvcError('XX000', 'a literal that was bound cannot be read');
        return values;
      });
      return plan !== null && accepts(plan.prepared.plan, session.statistics()) ? plan : null;
    } catch (error) {
      if (error instanceof SvcError) return null;
      throw error;
    }
  }

  /** The values of a text's literals; null if one of them cannot be parsed. */
  values(session: SqlSession, plan: GenericPlan, { text, shape }: { readonly text: string; readonly shape: TextShape }): Value[] | null {
    const values = this.#literals(session, plan.literals, text, shape);
    if (values === null) return null;
    try {
      for (const { parameter, type, typmod, explicit } of plan.coerced) values.push(coerce(values[parameter], type, typmod, explicit));
      if (plan.compute !== null) for (const value of plan.compute(execContext(session, values, null))) values.push(value);
    } catch (error) {
      if (error instanceof SvcError) return null;
      throw error;
    }
    return values;
  }

  #literals({ env }: SqlSession, types: readonly SqlType[], text: string, { starts, ends, marks }: TextShape): Value[] | null {
    const places = this.#places;
    const values = new Array<Value>(places.length);
    try {
      for (let i = 0; i < places.length; i++) {
        const { literal, negative } = places[i];
        const start = starts[literal];
        const end = ends[literal];
        if (marks[literal] === MARK.string) values[i] = types[i].parse(stringValue(text, start, end), -1, env);
        else if (marks[literal] === MARK.int4) values[i] = negative ? 0 - Number(text.slice(start, end)) : Number(text.slice(start, end));
        else values[i] = types[i].parse(negative ? `-${text.slice(start, end)}` : text.slice(start, end), -1, env);
      }
    } catch (error) {
      if (error instanceof SvcError) return null;
      throw error;
    }
    return values;
  }
}

const PLANS_MAX = 16;

/** Literals become parameters if the tree contains them as constants of that very value. */
function genericStatement(text: string, shape: TextShape, statement: ParsedStatement & QueryStatement): GenericStatement | null {
  const byStart = new Map(shape.starts.map((start, literal) => [start, literal]));
  const places: Place[] = [];
  const numbers = new Map<number, number>();
  const parameterAt = (node: Literal): object | null => {
    const place = placeOf(node, text, shape, byStart);
    if (place === null) return null;
    let number = numbers.get(place.literal);
    if (number === undefined) {
      places.push(place);
      number = places.length;
      numbers.set(place.literal, number);
    }
    return { type: 'parameter', number, at: node.at };
  };
  const made = replaced(statement, parameterAt) as ParsedStatement & QueryStatement;
  return places.length === 0 ? null : new GenericStatement(text, shape, statement, made, places);
}

interface Literal {
  readonly type: 'integer' | 'number' | 'string';
  readonly value?: number | string;
  readonly text?: string;
  readonly at: number;
}

function isLiteral(node: object): node is Literal {
  const { type, at } = node as { type?: unknown; at?: unknown };
  return (type === 'integer' || type === 'number' || type === 'string') && typeof at === 'number';
}

/** Lists in which an integer is a column position, and the modifiers of a type, which are part of its name. */
const PLACES = new Set(['orderBy', 'groupBy', 'distinct', 'typmods']);

function replaced(node: unknown, parameterAt: (node: Literal) => object | null): unknown {
  if (node === null || typeof node !== 'object') return node;
  if (Array.isArray(node)) return node.map((each) => replaced(each, parameterAt));
  if (isLiteral(node)) return parameterAt(node) ?? node;
  const out: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(node)) {
    out[name] =
      PLACES.has(name) && Array.isArray(value)
        ? value.map((each: unknown) => (namesPlace(each) ? each : replaced(each, parameterAt)))
        : replaced(value, parameterAt);
  }
  return out;
}

function namesPlace(item: unknown): boolean {
  if (item === null || typeof item !== 'object') return false;
  const { value } = item as { value?: unknown };
  return isLiteral(item) || (value !== null && typeof value === 'object' && isLiteral(value));
}

function placeOf(node: Literal, text: string, { starts, ends, marks }: TextShape, byStart: ReadonlyMap<number, number>): Place | null {
  const direct = byStart.get(node.at);
  if (node.type === 'string') {
    return direct !== undefined && marks[direct] === MARK.string && stringValue(text, starts[direct], ends[direct]) === node.value
      ? { literal: direct, negative: false }
      : null;
  }
  const written = node.type === 'integer' ? String(node.value) : node.text!;
  const negative = written.startsWith('-');
  // A minus before a number is part of the constant, whose position is the minus.
  const literal = direct ?? starts.findIndex((start) => start > node.at);
  if (literal < 0 || marks[literal] === MARK.string) return null;
  if (direct === undefined && (!negative || text[node.at] !== '-' || text.slice(node.at + 1, starts[literal]).trim() !== '')) return null;
  const digits = text.slice(starts[literal], ends[literal]);
  const same =
    marks[literal] === MARK.int4 ? node.type === 'integer' && Math.abs(node.value as number) === Number(digits) : written.replace('-', '') === digits;
  return same && negative === (direct === undefined) ? { literal, negative } : null;
}

/** The plan and parameter values of a generic statement; null if the text falls back to a custom plan. */
export function valuesOf(session: SqlSession, { generic, text, shape }: GenericRun): { readonly prepared: Prepared; readonly values: readonly Value[] } | null {
  const plan = generic.plan(session);
  if (plan === null) return null;
  const values = generic.values(session, plan, { text, shape });
  return values === null ? null : { prepared: plan.prepared, values };
}
