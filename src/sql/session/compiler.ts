/** Compiles the SQL text of checks, defaults, generated columns and index expressions into functions over a row. */
import type { Bound } from '../plan/bound.ts';
import type { OutputColumn } from '../plan/logical.ts';
import { Binder, type Names } from '../bind/binder.ts';
import { bindExpression } from '../bind/expression.ts';
import { Scope } from '../bind/scope.ts';
import { storedScope } from '../bind/stored-scope.ts';
import { Compilation, type ScalarFunctions } from '../exec/compilation.ts';
import type { ExecContext } from '../exec/context.ts';
import type { Registry } from '../functions/registry.ts';
import type { Compiler, NamedInText, StoredText } from '../schema/compiler.ts';
import type { Schema } from '../schema/schema.ts';
import type { SqlTable } from '../schema/table.ts';
import type { Environment } from '../types/environment.ts';
import type { SqlType } from '../types/type.ts';
import type { Value } from '../types/value.ts';
import { type Access, accessOf, checkAccess } from './check-access.ts';
import { execContext } from './exec-context.ts';
import { deparseExpression } from '../parse/deparse.ts';
import { parseQuery } from './names.ts';
import { namedInText } from './named-in-text.ts';
import { renamedColumnText } from './renamed-column.ts';
import type { SqlSession } from './sql-session.ts';
import { withBodies } from './with-bodies.ts';

interface Compiled {
  /** Function bodies were inlined: valid under the same key as plans. null: valid for the text everywhere. */
  readonly only: string | null;
  readonly access: Access;
  readonly compilation: Compilation;
  readonly fn: ScalarFunctions;
}

export interface CompilerParts {
  readonly registry: Registry;
  readonly env: Environment;
  /** The settings that literals of the text depend on. */
  readonly fingerprint: string;
  names(table: SqlTable): Names;
  context(): ExecContext;
  /** The session whose functions may be inlined; null: no inlining. */
  readonly inlines: SqlSession | null;
  /** 42501 if the writer may not call what the text calls. */
  allow?(access: Access): void;
}

/** By table (whose definition is immutable), then by text and wanted type. */
const compiled = new WeakMap<SqlTable, Map<string, Compiled>>();

/** One for each statement, since compiled functions read the statement's state. */
export function compilerOf(session: SqlSession): Compiler {
  return new OverParts(new SessionParts(session), (schema) => new OverParts(new SessionParts(session, schema)));
}

/** An object that other compilers derive from. */
export function compilerOver(parts: CompilerParts): Compiler {
  const made = new OverParts(parts);
  return {
    check: (table, sql) => made.check(table, sql),
    expression: (table, sql, type, typmod) => made.expression(table, sql, type, typmod),
    typed: (table, sql) => made.typed(table, sql),
    condition: (sql) => made.condition(sql),
    renamed: (sql, table, names) => made.renamed(sql, table, names),
    named: (text) => made.named(text),
  };
}

class SessionParts implements CompilerParts {
  readonly #session: SqlSession;
  /** The definitions that a statement is about to create; absent: those that it sees. */
  readonly #schema: Schema | undefined;

  constructor(session: SqlSession, schema?: Schema) {
    this.#session = session;
    this.#schema = schema;
  }

  get registry(): Registry {
    return this.#session.host.registry;
  }

  get env(): Environment {
    return this.#session.env;
  }

  get fingerprint(): string {
    return this.#session.env.fingerprint;
  }

  names(): Names {
    return this.#session.names(this.#schema);
  }

  context(): ExecContext {
    return execContext(this.#session, [], null);
  }

  get inlines(): SqlSession | null {
    // The session knows functions as they are, not as the statement will define them.
    return this.#schema === undefined ? this.#session : null;
  }

  allow(access: Access): void {
    checkAccess(this.#session, access);
  }
}

class OverParts implements Compiler {
  readonly #parts: CompilerParts;
  readonly within?: (schema: Schema) => Compiler;

  constructor(parts: CompilerParts, within?: (schema: Schema) => Compiler) {
    this.#parts = parts;
    this.within = within;
  }

  get env(): Environment {
    return this.#parts.env;
  }

  check(table: SqlTable, sql: string): (row: readonly Value[]) => boolean | null {
    return this.#over(table, sql, null, -1) as (row: readonly Value[]) => boolean | null;
  }

  expression(table: SqlTable, sql: string, type: SqlType, typmod: number): (row: readonly Value[]) => Value {
    return this.#over(table, sql, type, typmod);
  }

  typed(table: SqlTable, sql: string): { type: SqlType; typmod: number } {
    const { binder, bound } = boundOver(this.#parts, table, sql);
    return binder.coercion.resolveUnknown(bound, 0);
  }

  condition(sql: string): string {
    const query = parseQuery(sql);
    return query.type === 'select' ? deparseExpression(query.items[0].value) : sql;
  }

  named(text: StoredText): NamedInText {
    return namedInText(this.#parts, text);
  }

  renamed(sql: string, table: string, names: ReadonlyMap<string, string>): string {
    return renamedColumnText(sql, table, names);
  }

  #over(table: SqlTable, sql: string, type: SqlType | null, typmod: number): (row: readonly Value[]) => Value {
    const parts = this.#parts;
    const { compilation, fn, access } = scalarOf(parts, table, sql, type, typmod);
    parts.allow?.(access);
    const run = compilation.newRun(parts.context());
    return (row) => fn(run, row)[0];
  }
}

function scalarOf(parts: CompilerParts, table: SqlTable, sql: string, type: SqlType | null, typmod: number): Compiled {
  const { inlines } = parts;
  const key = `${parts.fingerprint}|${inlines === null ? 'called' : ''}|${type?.oid ?? 0}|${typmod}|${sql}`;
  let own = compiled.get(table);
  if (own === undefined) compiled.set(table, (own = new Map()));
  const known = own.get(key);
  if (known !== undefined && (known.only === null || known.only === inlines?.planKey())) return known;
  const { binder, bound, columns } = boundOver(parts, table, sql);
  const value = type === null ? binder.coercion.toBoolean(bound, 'CHECK', 0) : binder.coercion.coerce(bound, type, typmod, 'assignment', 0);
  const compilation = new Compilation();
  const { made: whole, inliner } = inlines === null ? { made: value, inliner: null } : withBodies(value, binder, inlines, (own) => own.expression(value));
  const only = inliner === null ? null : inlines!.planKey();
  const made = { only, access: accessOf(binder, inliner), compilation, fn: compilation.scalars([whole], columns) };
  own.set(key, made);
  return made;
}

function boundOver(parts: CompilerParts, table: SqlTable, sql: string): { binder: Binder; bound: Bound; columns: readonly OutputColumn[] } {
  const names = parts.names(table);
  const binder = new Binder(names, parts.registry, parts.env, { types: [], fixed: true });
  binder.stored = true;
  binder.home = table.schema;
  const scope = new Scope(null);
  scope.clause = 'check';
  const { columns, visible } = storedScope(binder, table.columns);
  binder.collateColumns(table, columns);
  scope.namespace = { relations: [{ alias: table.name, schema: table.schema, columns: visible, table, system: [] }], columns: visible };
  return { binder, bound: bindExpression(binder, names.parseExpression(sql), scope), columns };
}
