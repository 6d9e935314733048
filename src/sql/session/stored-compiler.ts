/** The compiler for row operations and merges: without a session, with default settings and the system clock. */
import { runInternal } from './internal-function.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import { Binder, type Names } from '../bind/binder.ts';
import { isPolymorphic } from '../bind/coerce.ts';
import { bindQuery } from '../bind/query.ts';
import { YIELD } from '../exec/batch.ts';
import { compile } from '../exec/compile.ts';
import type { ExecContext } from '../exec/context.ts';
import type { Call, SqlFunction } from '../functions/define.ts';
import type { Registry } from '../functions/registry.ts';
import { parse } from '../parse/parse.ts';
import { optimize } from '../plan/rules/optimize.ts';
import type { Compiler } from '../schema/compiler.ts';
import { collationsOf } from '../schema/facts.ts';
import { hasIcuColumn, icuCollationNamed, systemIcuCollation } from '../schema/icu-collations.ts';
import type { Schema, UserFunction } from '../schema/schema.ts';
import type { SqlTable } from '../schema/table.ts';
import { type Environment, STORED } from '../types/environment.ts';
import type { Value } from '../types/value.ts';
import { callWithoutSession } from './calls-without-session.ts';
import { compilerOver } from './compiler.ts';
import { parseExpressionText } from './names.ts';
import { isRecordType } from '../types/record-type.ts';
import { asFunction } from '../bind/user-functions.ts';

const now = (): number => Date.now() * 1000 - 946_684_800_000_000;
export const STORED_ENVIRONMENT: Environment = {
  ...STORED,
  get transactionStart() {
    return now();
  },
  get statementStart() {
    return now();
  },
  clock: now,
  random: Math.random,
  randomBytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
};

const refuse = (): never => {
  throw new SvcError('0A000', 'this expression needs a statement of SQL to run in');
};

/** Refuses a function that is more than a computation on its arguments. */
function tooMuch(name: string): never {
  throw new SvcError('0A000', `function ${name} needs a statement of SQL to run in`, {
    hint: 'Without SQL, defaults, checks and generated columns call functions of one query over their arguments, without tables.',
  });
}

/** Expressions may use built-in types and those of the table's own columns. */
function namesOf(table: SqlTable, schema: Schema | null): Names {
  const types = table.columns.map(({ type }) => type);
  const names: Names = {
    relation: () => null,
    hasSchema: () => true,
    hasCollation: () => true,
    icuCollation: (name) => (schema === null ? systemIcuCollation(name) : icuCollationNamed(schema, name)),
    collationsOf: (of) => (schema === null ? null : collationsOf(schema, of)),
    userType: (_schema, name) => types.find((type) => type.name === name) ?? null,
    typeByOid: (oid) => types.find((type) => type.oid === oid || type.arrayOid === oid),
    at: refuse,
    defaultText: () => null,
    parseExpression: parseExpressionText,
  };
  return names;
}

export const STORED_CONTEXT: ExecContext = {
  env: STORED_ENVIRONMENT,
  params: [],
  get pager() {
    return refuse();
  },
  directory: refuse,
  row: null,
  lockRow: refuse,
  reads: null,
  rootAt: refuse,
  writer: refuse,
  keys: { rowKey: refuse, indexKey: refuse, entryValues: refuse, rowValues: refuse },
  environmentValue: refuse,
  workMemBytes: 1 << 20,
  spill: null,
  checkCancel: () => {},
};

const collating = new WeakMap<Schema, boolean>();

/** Whether expressions of its tables may use an ICU collation, by a column or by a user-defined name. */
function collates(schema: Schema): boolean {
  let known = collating.get(schema);
  if (known === undefined) {
    known = schema.collations.size > 0 || [...schema.tables.values()].some((table) => hasIcuColumn(schema, table));
    collating.set(schema, known);
  }
  return known;
}

export function storedCompiler(registry: Registry): Compiler {
  const plain = compilerOver({
    registry,
    env: STORED_ENVIRONMENT,
    fingerprint: 'stored',
    inlines: null,
    names: (table) => namesOf(table, null),
    context: () => STORED_CONTEXT,
  });
  const bySchema = new WeakMap<Schema, Compiler>();
  let schemas = 0;
  return {
    ...plain,
    within(schema, pager) {
      if (schema.functions.size === 0 && !collates(schema)) return plain;
      let known = bySchema.get(schema);
      if (known === undefined) {
        const names = (table: SqlTable): Names => {
          const own: Names = {
            ...namesOf(table, schema),
            functions: (scope, name) =>
              functionsOf(schema, scope, name, (user) => bodyOf(registry, user, own, (args) => callWithoutSession(schema, pager, user, args))),
          };
          return own;
        };
        known = compilerOver({ registry, env: STORED_ENVIRONMENT, fingerprint: `stored ${++schemas}`, inlines: null, names, context: () => STORED_CONTEXT });
        bySchema.set(schema, known);
      }
      return known;
    },
  };
}

type Body = (args: readonly Value[]) => Value;

/** User-defined functions that compute a value: they run without a session, so they see only their arguments. */
function functionsOf(schema: Schema, scope: string | null, name: string, bodyFor: (user: UserFunction) => Body): SqlFunction[] {
  const places = scope === null ? ['public', ...schema.schemas.keys()] : [scope];
  for (const place of places) {
    const found = schema.functionsNamed(place, name);
    if (found.length === 0) continue;
    return found.map((user): SqlFunction => {
      const fn = asFunction(user);
      if (fn.kind !== 'scalar' || isRecordType(user.returns)) return fn;
      let body: Body | null = null;
      return { ...fn, impl: (_call: Call, ...args: Value[]): Value => (body ??= bodyFor(user))(args) };
    });
  }
  return [];
}

/** The single query of a function's body, over its arguments; `procedural` runs PL/pgSQL. */
function bodyOf(registry: Registry, user: UserFunction, names: Names, procedural: Body): Body {
  const { object, inputs, returns } = user;
  if (object.language === 'internal') {
    const { coercion } = new Binder(names, registry, STORED_ENVIRONMENT, { types: [], fixed: true });
    const types = inputs.map(({ type }) => type);
    if (types.some(({ name }) => isPolymorphic(name)) || isPolymorphic(returns.name)) return tooMuch(object.name);
    return (params) => runInternal(STORED_ENVIRONMENT, () => coercion, user, params, types, returns)[0][0];
  }
  if (object.language === 'plpgsql') return procedural;
  const [statement, ...more] = parse(object.body);
  const isRead = statement !== undefined && (statement.type === 'select' || statement.type === 'values' || statement.type === 'setOperation');
  if (!isRead || more.length > 0 || inputs.some(({ type, default: text }) => isPolymorphic(type.name) || text !== null)) return tooMuch(object.name);
  const alone: Names = { ...names, relation: () => tooMuch(object.name) };
  const binder = new Binder(alone, registry, STORED_ENVIRONMENT, { types: inputs.map(({ type }) => type), fixed: true });
  const numbers = new Map(inputs.flatMap(({ name }, i) => (name === null ? [] : [[name, i + 1] as const])));
  binder.argumentNames = { owner: object.name, numbers };
  const { plan } = bindQuery(binder, statement, null, {});
  const [column] = plan.columns;
  const id = binder.id();
  const value = binder.coercion.coerce(binder.use(column), returns, -1, 'assignment', 0);
  const executable = compile(optimize({ op: 'project', input: plan, items: [{ id, value }], columns: [{ ...column, id, type: returns, typmod: -1 }] }));
  return (params) => {
    // A copy would read the pager, which is absent.
    const cursor = executable.run(Object.create(STORED_CONTEXT, { params: { value: params } }) as ExecContext);
    for (let batch = cursor.next(); batch !== null; batch = cursor.next()) if (batch !== YIELD && batch.count > 0) return batch.columns[0][0];
    return null;
  };
}
