/**
 * Base types that a world defines (manual, CREATE TYPE): their values have the form of those of a type of the system, whose functions
 * read and write their texts. They have no order: that is what operator classes give. A shell is the name of one to come.
 */
import { quoteIdentifier, quoteString } from '../../base/quote-identifier.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import { rootOf } from './domain-type.ts';
import { makePseudoType } from './make-type.ts';
import type { BaseKind, SqlType } from './type.ts';

/** `shown`: the type whose texts its own are. */
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

/** The system's type whose form values have: what a domain or a base type stands on. */
export function formOf(type: SqlType): SqlType {
  const root = rootOf(type);
  return root.made?.over ?? root;
}

/** SQL text of the value that columns of the type have by default. */
export function typeDefault({ domain, made }: SqlType): string | null {
  if (domain !== null) return domain.default ?? typeDefault(domain.root);
  return made === undefined || made.default === null ? null : quoteString(made.default);
}
