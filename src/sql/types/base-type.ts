/**
 * User-defined base types (manual, CREATE TYPE): their values have the form of a built-in type, whose functions parse and print
 * them. They have no order, except by operator classes. A shell is the name of a type to come.
 */
import { quoteIdentifier, quoteString } from '../../base/quote-identifier.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import { rootOf } from './domain-type.ts';
import { makePseudoType } from './make-type.ts';
import type { BaseKind, SqlType } from './type.ts';

/** `shown`: the type with its text form. */
export function baseType(oid: number, arrayOid: number, name: string, shown: SqlType, kind: BaseKind & { category: string; preferred: boolean }): SqlType {
  const { over, category, preferred } = kind;
  return {
    ...over,
    oid,
    name,
    title: quoteIdentifier(name),
    category,
    preferred,
    length: kind.length,
    arrayOid,
    ordered: false,
    hashable: false,
    made: kind,
    parse: (text, _typmod, env) => over.parse(text, -1, env),
    format: (value, env) => shown.format(value, env),
    json: (value, env) => shown.format(value, env),
    coerce: (value) => value,
    formatTypmod: () => '',
  };
}

export function shellType(oid: number, name: string): SqlType {
  const refuse = (what: string): never => {
    throw new SvcError('0A000', `cannot ${what} a value of a shell type`);
  };
  return makePseudoType(name, oid, { title: quoteIdentifier(name), shell: true, parse: () => refuse('accept'), format: () => refuse('display') });
}

/** The built-in type with the values' form, for a domain or a base type. */
export function formOf(type: SqlType): SqlType {
  const root = rootOf(type);
  return root.made?.over ?? root;
}

/** SQL text of the type's default for columns. */
export function typeDefault({ domain, made }: SqlType): string | null {
  if (domain !== null) return domain.default ?? typeDefault(domain.root);
  return made === undefined || made.default === null ? null : quoteString(made.default);
}
