/**
 * Domains: another type's values under constraints. A value has the form of the base type; every parser of domain values (literals,
 * COPY, JSON, parameters) checks the constraints, and so does the cast (`src/sql/bind/coerce.ts`). Manual, section 8.18.
 */
import { quoteIdentifier } from '../../base/quote-identifier.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Environment } from './environment.ts';
import type { Domain, DomainName, SqlType } from './type.ts';
import { shownType } from './shown-type.ts';
import type { Value } from './value.ts';

export interface DomainRules {
  /** Its schema. */
  readonly schema: string;
  readonly typmod: number;
  readonly notNull: boolean;
  /** SQL text. */
  readonly default: string | null;
  /** Ordered by name. */
  readonly checks: readonly { readonly name: string; readonly valid?: boolean; test(value: Value, env: Environment): boolean | null }[];
}

export function domainType(
  oid: number,
  arrayOid: number,
  name: string,
  base: SqlType,
  { schema, typmod, notNull, default: text, checks }: DomainRules,
): SqlType {
  const title = quoteIdentifier(name);
  const root = rootOf(base);
  const own = { schema, name, title, oid };
  const check = (value: Value, env: Environment, wanted: DomainName = own, validOnly = false): void => {
    const data = { schema: wanted.schema, type: wanted.name };
    if (value === null && notNull) throw new SvcError('23502', `domain ${shownType(wanted, env)} does not allow null values`, { data });
    for (const each of checks) {
      if ((validOnly && each.valid === false) || each.test(value, env) !== false) continue;
      throw new SvcError('23514', `value for domain ${shownType(wanted, env)} violates check constraint "${each.name}"`, {
        status: 400,
        data: { ...data, constraint: each.name },
      });
    }
  };
  const unchecked = (given: string, env: Environment): Value =>
    base.domain === null ? base.coerce(base.parse(given, typmod, env), typmod, false) : base.domain.unchecked(given, env);
  const domain = {
    name: own,
    base,
    typmod,
    root,
    default: text ?? base.domain?.default ?? null,
    notNull: notNull || base.domain?.notNull === true,
    check,
    unchecked,
  };
  return {
    ...base,
    oid,
    name,
    title,
    preferred: false,
    arrayOid,
    domain,
    parse: (given, _typmod, env) => {
      const value = unchecked(given, env);
      checkRules(domain, value, env, own);
      return value;
    },
    coerce: (value) => value,
    formatTypmod: () => '',
  };
}

/** The type under all domains; any other type itself. */
export function rootOf(type: SqlType): SqlType {
  return type.domain === null ? type : type.domain.root;
}

/** Checks all constraints of a domain and of its base domains; other types have none. Errors name the requested domain. */
export function checkDomain(type: SqlType, value: Value, env: Environment): void {
  if (type.domain !== null) checkRules(type.domain, value, env, type.domain.name);
}

export function checkRules(domain: Domain, value: Value, env: Environment, wanted: DomainName): void {
  if (domain.base.domain !== null) checkRules(domain.base.domain, value, env, wanted);
  domain.check(value, env, wanted);
}
