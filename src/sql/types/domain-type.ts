/**
 * Domains: another type's values under rules. A value has the form of the type at the root; whatever reads a text
 * as a domain (literals, COPY, JSON, parameters) keeps to its rules, and so does the cast (`src/sql/bind/coerce.ts`).
 * Manual, section 8.18.
 */
import { quoteIdentifier } from '../../base/quote-identifier.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Environment } from './environment.ts';
import type { SqlType } from './type.ts';
import type { Value } from './value.ts';

export interface DomainRules {
  /** Where it stands. */
  readonly schema: string;
  readonly typmod: number;
  readonly notNull: boolean;
  /** SQL text. */
  readonly default: string | null;
  /** In order of their names. */
  readonly checks: readonly { readonly name: string; test(value: Value, env: Environment): boolean | null }[];
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
  const check = (value: Value, env: Environment): void => {
    if (value === null && notNull) throw new SvcError('23502', `domain ${title} does not allow null values`, { data: { schema, type: name } });
    for (const each of checks) {
      if (each.test(value, env) === false) {
        const data = { schema, type: name, constraint: each.name };
        throw new SvcError('23514', `value for domain ${title} violates check constraint "${each.name}"`, { status: 400, data });
      }
    }
  };
  return {
    ...base,
    oid,
    name,
    title,
    preferred: false,
    arrayOid,
    domain: { base, typmod, root, default: text ?? base.domain?.default ?? null, notNull: notNull || base.domain?.notNull === true, check },
    parse: (given, _typmod, env) => {
      const value = base.coerce(base.parse(given, typmod, env), typmod, false);
      check(value, env);
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

/** All rules of a domain and of those under it; other types have none. */
export function checkDomain(type: SqlType, value: Value, env: Environment): void {
  if (type.domain === null) return;
  checkDomain(type.domain.base, value, env);
  type.domain.check(value, env);
}
