/** Compiles the conditions of domains: over one value, in the environment that reads or casts it. */
import { castBetween } from './create-cast.ts';
import { asCast, asOperator } from './user-operators.ts';
import type { Names } from '../bind/binder.ts';
import { Binder } from '../bind/binder.ts';
import { bindExpression } from '../bind/expression.ts';
import { Scope } from '../bind/scope.ts';
import { Compilation } from '../exec/compilation.ts';
import type { ExecContext } from '../exec/context.ts';
import type { Registry } from '../functions/registry.ts';
import type { Schema } from '../schema/schema.ts';
import type { Environment } from '../types/environment.ts';
import type { SqlType } from '../types/type.ts';
import type { Value } from '../types/value.ts';
import { parseExpressionText } from './names.ts';
import { STORED_CONTEXT, STORED_ENVIRONMENT } from './stored-compiler.ts';
import { asFunction } from '../bind/user-functions.ts';

type Test = (value: Value, env: Environment) => boolean | null;

/** VALUE is a column to the grammar. */
const VALUE = 'value';

export function domainTest(registry: Registry, schema: Schema, base: SqlType, sql: string): Test {
  let test: Test | null = null;
  return (value, env) => (test ??= compiled(registry, schema, base, sql))(value, env);
}

function compiled(registry: Registry, schema: Schema, base: SqlType, sql: string): Test {
  const binder = new Binder(namesOf(schema, registry), registry, STORED_ENVIRONMENT, { types: [], fixed: true });
  const scope = new Scope(null);
  scope.clause = 'check';
  const column = binder.column(VALUE, base);
  scope.namespace = { relations: [], columns: [{ name: VALUE, value: binder.use(column) }] };
  const condition = binder.coercion.toBoolean(bindExpression(binder, parseExpressionText(sql), scope), 'CHECK', 0);
  const compilation = new Compilation();
  const fn = compilation.scalars([condition], [column]);
  let environment: Environment = STORED_ENVIRONMENT;
  let run = compilation.newRun(STORED_CONTEXT);
  return (value, env) => {
    if (env !== environment) {
      environment = env;
      run = compilation.newRun(Object.create(STORED_CONTEXT, { env: { value: env } }) as ExecContext);
    }
    return fn(run, [value])[0] as boolean | null;
  };
}

/** Unqualified names refer to `public`, as in the bodies of dumped functions. */
function namesOf(schema: Schema, registry: Registry): Names {
  return {
    relation: () => null,
    hasSchema: (name) => schema.schemas.has(name),
    hasCollation: () => true,
    userType: (own, name) => schema.typeByName(own ?? 'public', name),
    typeByOid: (oid) => schema.typeByOid(oid) ?? undefined,
    functions: (own, name) => schema.functionsNamed(own ?? 'public', name).map(asFunction),
    operators: (own, name) =>
      [...schema.operators.values()].flatMap((each) =>
        each.object.name === name && each.object.schema === (own ?? 'public') ? [asOperator(each, schema, registry)] : [],
      ),
    userCast: (from, to) => {
      const found = castBetween(schema.casts.values(), from.oid, to.oid);
      return found === null ? null : asCast(found, schema, registry);
    },
    at: () => namesOf(schema, registry),
    defaultText: () => null,
    parseExpression: parseExpressionText,
  };
}
