/**
 * Inlines SQL functions, as Postgres's planner does: a call of a function whose body is one expression becomes the expression over
 * the call's arguments, and a function in FROM whose body is one query becomes that query.
 *
 *     bound plan ──f(x)──► body bound separately, with parameters `$n` ──arguments for `$n`──► plan without the call
 *
 * It runs before optimization, so that predicates, indexes and joins see the body. The body means what it would at run time: its
 * names are resolved as the current user, along the search path, independent of the call's context, and its accesses and calls are
 * recorded for privilege checks. In any doubt (a body that does not bind, a missing privilege, an error of constants, which has the
 * function as its context at run time) the call stays.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import { LIMITS } from '../../base/limits.ts';
import type { Statement } from '../ast/statement.ts';
import type { SqlFunction } from '../functions/define.ts';
import type { Bound } from '../plan/bound.ts';
import type { HierarchyScanPlan, JoinPlan, Plan } from '../plan/logical.ts';
import { isLateral, isSubquery, rewriteBound } from '../plan/rules/walk.ts';
import type { UserFunction } from '../schema/schema.ts';
import type { SqlType } from '../types/type.ts';
import type { RelationAccess } from './access.ts';
import type { Binder } from './binder.ts';
import { isPolymorphic } from './coerce.ts';
import { bindExpression } from './expression.ts';
import { inlineFirstRow, inlineRows } from './inline-rows.ts';
import { inlineValue } from './inline-value.ts';
import { mapExpressions, mapInputs } from './plan-map.ts';
import { Scope } from './scope.ts';
import { argumentNamesOf, asFunction } from './user-functions.ts';

/** User-defined functions, by number. */
export interface FunctionBodies {
  find(number: number): UserFunction | undefined;
  /** Throws errors of the body's text. */
  statements(fn: UserFunction): readonly Statement[];
  /** Whether the current user has EXECUTE. */
  mayCall(fn: SqlFunction): boolean;
}

/** A function that may be inlined, with the arguments of the call. */
export interface InlinedCall {
  readonly user: UserFunction;
  /** One per parameter, including defaults. */
  readonly args: readonly Bound[];
  readonly types: readonly SqlType[];
  readonly body: Statement;
}

export class Inliner {
  /** Accesses and calls of the inlined bodies. */
  readonly relations: RelationAccess[] = [];
  readonly calls = new Set<SqlFunction>();
  readonly #binder: Binder;
  readonly #bodies: FunctionBodies;
  /** Functions whose bodies are being inlined: a recursive call stays. */
  readonly #active: ReadonlySet<number>;
  /** The remaining number of bodies: two nested calls each would otherwise give 2ⁿ. */
  readonly #left: { bodies: number };
  /** Queries that occur in several places stay shared. */
  readonly #queries = new Map<Plan, Plan>();

  constructor(binder: Binder, bodies: FunctionBodies, around: { readonly active: ReadonlySet<number>; readonly left: { bodies: number } } | null = null) {
    this.#binder = binder;
    this.#bodies = bodies;
    this.#active = around?.active ?? new Set();
    this.#left = around?.left ?? { bodies: LIMITS.inlinedBodiesMax };
  }

  /** For expressions that are compared with the plan without being part of it. */
  apart(): Inliner {
    return new Inliner(this.#binder, this.#bodies);
  }

  plan(plan: Plan): Plan {
    const made = mapExpressions(
      mapInputs(plan, (input) => this.plan(input)),
      (e) => this.expression(e),
    );
    switch (made.op) {
      case 'functionScan': {
        const [{ call }, ...more] = made.functions;
        if (more.length > 0 || made.ordinality !== null) return made;
        return this.#inlined(call.fn, call.args, (found, inside) => inlineRows(found, made, inside, this.#binder.state !== null)) ?? made;
      }
      case 'join':
        return made.lateral ? withoutLateral(made) : made;
      case 'hierarchyScan':
        return this.#withPartitionKeys(made);
      default:
        return made;
    }
  }

  expression(e: Bound): Bound {
    return rewriteBound(e, (at) => {
      if (at.kind === 'call' && 'kind' in at.fn) return this.#inlined(at.fn, at.args, (found, inside) => this.#value(found, at, inside)) ?? at;
      if (!isSubquery(at)) return at;
      let plan = this.#queries.get(at.plan);
      if (plan === undefined) this.#queries.set(at.plan, (plan = this.plan(at.plan)));
      return plan === at.plan ? at : { ...at, plan };
    });
  }

  #value(found: InlinedCall, at: Bound & { kind: 'call' }, inside: Body): Bound | null {
    const binder = this.#binder;
    return inlineValue(binder, found, at, inside) ?? (binder.state === null ? null : inlineFirstRow(binder, found, at, inside));
  }

  /** The result of `make` for the call; null if it stays. */
  #inlined<T>(fn: SqlFunction, given: readonly Bound[], make: (found: InlinedCall, inside: Body) => T | null): T | null {
    if (fn.user === undefined || this.#active.has(fn.user) || this.#active.size >= LIMITS.functionDepthMax || this.#left.bodies <= 0) return null;
    const user = this.#bodies.find(fn.user);
    // Calls of a replaced definition, or with omitted arguments in between, are not inlined.
    if (user === undefined || asFunction(user) !== fn || !this.#bodies.mayCall(fn)) return null;
    const { object } = user;
    if (object.language !== undefined || object.procedure || object.definer === true || object.settings !== undefined) return null;
    const inside = new Body(this.#binder, this.#bodies, { active: new Set([...this.#active, fn.user]), left: this.#left });
    try {
      const [body, ...more] = this.#bodies.statements(user);
      if (body === undefined || more.length > 0) return null;
      const args = inside.argumentsOf(user, given);
      const types = args?.map(({ type }) => type) ?? [];
      // Rows without a named type are described only by their values.
      if (args === null || types.some(({ name }) => name === 'record' || name === 'unknown')) return null;
      this.#left.bodies--;
      const made = make({ user, args, types, body }, inside);
      if (made === null || ![...inside.calls].every((each) => this.#bodies.mayCall(each))) return null;
      this.relations.push(...inside.relations);
      for (const each of [fn, ...inside.calls]) this.calls.add(each);
      return made;
    } catch (error) {
      // At run time it raises the error, with its context.
      if (error instanceof SvcError || error instanceof RangeError) return null;
      throw error;
    }
  }

  /** Partition key expressions are inlined like conditions, so that conditions can match them. */
  #withPartitionKeys(plan: HierarchyScanPlan): HierarchyScanPlan {
    const { expressions } = plan;
    if (expressions === undefined) return plan;
    return {
      ...plan,
      expressions: (node, element) => {
        const value = expressions(node, element);
        return value === null ? null : this.apart().expression(value);
      },
    };
  }
}

/** The body of a function under inspection: what it records counts once it is inlined. */
export class Body extends Inliner {
  readonly #around: Binder;

  constructor(...[binder, bodies, around]: ConstructorParameters<typeof Inliner>) {
    super(binder, bodies, around);
    this.#around = binder;
  }

  /** Binds with these parameters, as the function itself would. */
  bind<T>({ user, types }: Pick<InlinedCall, 'user' | 'types'>, bind: (binder: Binder) => T | null): T | null {
    const binder = this.#around.beside({ types: [...types], fixed: true });
    binder.argumentNames = binder.givenArguments = argumentNamesOf(user);
    return this.#noted(binder, bind(binder));
  }

  /** One per parameter, as declared; null if an argument has another type. */
  argumentsOf(user: UserFunction, given: readonly Bound[]): readonly Bound[] | null {
    const { inputs } = user;
    if (given.length > inputs.length) return null;
    const out: Bound[] = [];
    for (const [i, { type, default: text }] of inputs.entries()) {
      if (i < given.length) {
        if (!isPolymorphic(type.name) && given[i].type.oid !== type.oid) return null;
        out.push(given[i]);
        continue;
      }
      if (text === null || isPolymorphic(type.name)) return null;
      const binder = this.#around.beside({ types: [], fixed: true });
      binder.stored = true;
      const value = bindExpression(binder, binder.names.parseExpression(text), new Scope(null));
      out.push(this.#noted(binder, binder.coercion.coerce(value, type, -1, 'implicit', 0)));
    }
    return out;
  }

  #noted<T>({ access, calls, usedOtherStates }: Binder, made: T): T {
    if (usedOtherStates) this.#around.usedOtherStates = true;
    this.relations.push(...access);
    for (const each of calls) this.calls.add(each);
    return made;
  }
}

/** An inlined function in FROM may no longer be lateral. */
function withoutLateral(plan: JoinPlan): JoinPlan {
  return isLateral(plan) ? plan : { ...plan, lateral: false };
}
