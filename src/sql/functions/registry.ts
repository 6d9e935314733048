/** All types, functions, operators and casts by name, for overload resolution. */
import type { SqlType } from '../types/type.ts';
import type { FunctionModule, SqlCast, SqlFunction, SqlOperator } from './define.ts';

/** A guard against mistakes in the declarations: Postgres has no more alternatives. */
export class Registry {
  readonly #byName = new Map<string, SqlType>();
  readonly #byOid = new Map<number, SqlType>();
  readonly #functions = new Map<string, SqlFunction[]>();
  readonly #operators = new Map<string, SqlOperator[]>();
  /** Everything callable: also the functions behind operators, types and casts, by their own names: `int4pl(1, 2)`. */
  readonly #callable = new Map<string, SqlFunction[]>();
  readonly #casts = new Map<string, SqlCast>();
  readonly #castsFrom = new Map<string, SqlCast[]>();

  constructor(types: readonly SqlType[], modules: readonly FunctionModule[]) {
    for (const type of types) {
      this.#byName.set(type.name, type);
      this.#byOid.set(type.oid, type);
    }
    for (const { functions = [] } of modules) {
      for (const fn of functions) {
        push(this.#functions, fn.name, fn);
        push(this.#callable, fn.name, fn);
      }
    }
    for (const module of modules) {
      for (const operator of module.operators ?? []) {
        push(this.#operators, operator.name, operator);
        this.#addBehind(procOf(operator));
      }
      for (const fn of module.behind ?? []) this.#addBehind(fn);
      for (const cast of module.casts ?? []) {
        this.#casts.set(`${cast.from}:${cast.to}`, cast);
        push(this.#castsFrom, cast.from, cast);
      }
    }
  }

  /** A built-in type by its name in pg_type; must exist. */
  type(name: string): SqlType {
    const type = this.#byName.get(name);
    if (type === undefined) throw new Error(`no type ${name}`);
    return type;
  }

  findType(name: string): SqlType | undefined {
    return this.#byName.get(name);
  }

  typeByOid(oid: number): SqlType | undefined {
    return this.#byOid.get(oid);
  }

  types(): Iterable<SqlType> {
    return this.#byOid.values();
  }

  functions(name: string): readonly SqlFunction[] {
    return this.#callable.get(name) ?? [];
  }

  /** Added if no function of the name takes the same arguments. */
  #addBehind(fn: SqlFunction): void {
    const known = this.#callable.get(fn.name);
    if (known?.some((other) => takesAlike(other, fn)) === true) return;
    push(this.#callable, fn.name, fn);
  }

  allCallable(): Iterable<readonly SqlFunction[]> {
    return this.#callable.values();
  }

  allFunctions(): Iterable<readonly SqlFunction[]> {
    return this.#functions.values();
  }

  operators(name: string): readonly SqlOperator[] {
    return this.#operators.get(name) ?? [];
  }

  allOperators(): Iterable<readonly SqlOperator[]> {
    return this.#operators.values();
  }

  cast(from: string, to: string): SqlCast | undefined {
    return this.#casts.get(`${from}:${to}`);
  }

  allCasts(): Iterable<SqlCast> {
    return this.#casts.values();
  }
}

function procOf({ proc, left, right, returns, volatility, strict, needsCall, long, impl }: SqlOperator): SqlFunction {
  const args = left === null ? [right] : [left, right];
  return { kind: 'scalar', name: proc, args, returns, volatility, strict, needsCall, long, impl, doc: 'What an operator calls.' };
}

function takesAlike(declared: SqlFunction, fn: SqlFunction): boolean {
  const { args, optional = 0, variadic } = declared;
  const given = fn.args.length;
  return variadic === undefined && given <= args.length && given >= args.length - optional && fn.args.every((name, i) => name === args[i]);
}

function push<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
