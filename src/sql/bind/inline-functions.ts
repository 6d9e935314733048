/**
 * Functions in SQL give way to what their bodies compute, as in Postgres's planner: a call of a body that is one expression becomes
 * the expression over the call's arguments, and a function in FROM whose body is one query becomes that query.
 *
 *     bound plan ──f(x)──► body bound by itself, its parameters `$n` ──arguments for `$n`──► plan without the call
 *
 * It is done before a plan is optimized, so that predicates, indexes and joins see what a function does. A body means what it would
 * mean if it ran: its names are found as the current user finds them, along his search path, whatever is around the call, and
 * what it reads and calls is noted to be asked of him. Where anything is in doubt (a body that does not bind, a right that is
 * missing, an error of constants, which is told with its context when the function runs) the call stays.
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

/** Functions of the world, for who asks by their numbers. */
export interface FunctionBodies {
  find(number: number): UserFunction | undefined;
  /** Throws what is wrong with the body's text. */
  statements(fn: UserFunction): readonly Statement[];
  /** Whether the current user has EXECUTE. */
  mayCall(fn: SqlFunction): boolean;
}

/** A function whose call may give way, with what the call gives it. */
export interface InlinedCall {
  readonly user: UserFunction;
  /** One for each parameter, defaults filled in. */
  readonly args: readonly Bound[];
  readonly types: readonly SqlType[];
  readonly body: Statement;
}

export class Inliner {
  /** What the bodies that came into the plan do to relations, and which functions they call. */
  readonly relations: RelationAccess[] = [];
  readonly calls = new Set<SqlFunction>();
  readonly #binder: Binder;
  readonly #bodies: FunctionBodies;
  /** Functions whose bodies are being looked at: one that calls itself calls itself in the end. */
  readonly #active: ReadonlySet<number>;
  /** Bodies that may still come into the plan: two calls of each other in each are as many as 2ⁿ. */
  readonly #left: { bodies: number };
  /** Queries that stand in several places stay one. */
  readonly #queries = new Map<Plan, Plan>();

  constructor(binder: Binder, bodies: FunctionBodies, around: { readonly active: ReadonlySet<number>; readonly left: { bodies: number } } | null = null) {
    this.#binder = binder;
    this.#bodies = bodies;
    this.#active = around?.active ?? new Set();
    this.#left = around?.left ?? { bodies: LIMITS.inlinedBodiesMax };
  }

  /** For what is compared with the plan and is no part of it. */
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
        return made.lateral ? settledJoin(made) : made;
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

  /** What `make` makes of the call; null where it stays. */
  #inlined<T>(fn: SqlFunction, given: readonly Bound[], make: (found: InlinedCall, inside: Body) => T | null): T | null {
    if (fn.user === undefined || this.#active.has(fn.user) || this.#active.size >= LIMITS.functionDepthMax || this.#left.bodies <= 0) return null;
    const user = this.#bodies.find(fn.user);
    // Of an older definition, or of a call that leaves out arguments in between, nothing is known.
    if (user === undefined || asFunction(user) !== fn || !this.#bodies.mayCall(fn)) return null;
    const { object } = user;
    if (object.language !== undefined || object.procedure || object.definer === true || object.settings !== undefined) return null;
    const inside = new Body(this.#binder, this.#bodies, { active: new Set([...this.#active, fn.user]), left: this.#left });
    try {
      const [body, ...more] = this.#bodies.statements(user);
      if (body === undefined || more.length > 0) return null;
      const args = inside.argumentsOf(user, given);
      const types = args?.map(({ type }) => type) ?? [];
      // Rows without a type of their own are told what they are by the values.
      if (args === null || types.some(({ name }) => name === 'record' || name === 'unknown')) return null;
      this.#left.bodies--;
      const made = make({ user, args, types, body }, inside);
      if (made === null || ![...inside.calls].every((each) => this.#bodies.mayCall(each))) return null;
      this.relations.push(...inside.relations);
      for (const each of [fn, ...inside.calls]) this.calls.add(each);
      return made;
    } catch (error) {
      // When it runs it says the same, and where.
      if (error instanceof SvcError || error instanceof RangeError) return null;
      throw error;
    }
  }

  /** Expressions of keys are as conditions are, which then say something of partitions. */
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

/** The body of a function, which is looked at: what it notes counts once it stands in the plan. */
export class Body extends Inliner {
  readonly #around: Binder;

  constructor(...[binder, bodies, around]: ConstructorParameters<typeof Inliner>) {
    super(binder, bodies, around);
    this.#around = binder;
  }

  /** What `bind` binds with these parameters, as the function itself would. */
  bind<T>({ user, types }: Pick<InlinedCall, 'user' | 'types'>, bind: (binder: Binder) => T | null): T | null {
    const binder = this.#around.beside({ types: [...types], fixed: true });
    binder.argumentNames = binder.givenArguments = argumentNamesOf(user);
    return this.#noted(binder, bind(binder));
  }

  /** One for each parameter, as it is declared; null where an argument is of another type. */
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

/** What stands in place of a function in FROM may look at less of what is beside it. */
function settledJoin(plan: JoinPlan): JoinPlan {
  return isLateral(plan) ? plan : { ...plan, lateral: false };
}
