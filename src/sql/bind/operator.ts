/** Resolves operators by name and operand types. */
import type { OperatorName } from '../ast/expression.ts';
import type { SqlOperator } from '../functions/define.ts';
import type { Bound } from '../plan/bound.ts';
import { rootOf } from '../types/domain-type.ts';
import type { SqlType } from '../types/type.ts';
import { type Binder, fail } from './binder.ts';
import { actualType, chooseCandidate, resolvePolymorphic } from './candidates.ts';
import { declaredName } from './declared-type.ts';

interface Resolved {
  readonly operator: SqlOperator;
  readonly left: SqlType | null;
  readonly right: SqlType;
  readonly result: SqlType;
}

export function bindOperator(binder: Binder, name: OperatorName, left: Bound | null, right: Bound, at: number): Bound {
  const { coercion } = binder;
  const leftType = left === null ? null : coercion.typeOf(left);
  const rightType = coercion.typeOf(right);
  const found = resolveOperator(binder, name.name, leftType, rightType, name.schema);
  if (found === null || found === 'ambiguous') {
    const shown = leftType === null ? `${name.name} ${coercion.shown(rightType)}` : `${coercion.shown(leftType)} ${name.name} ${coercion.shown(rightType)}`;
    if (found === 'ambiguous') {
      fail('42725', `operator is not unique: ${shown}`, at, { hint: 'Could not choose a best candidate operator. You might need to add explicit type casts.' });
    }
    if (name.schema !== null && !binder.names.hasSchema(name.schema)) fail('3F000', `schema "${name.schema}" does not exist`, at);
    fail('42883', `operator does not exist: ${shown}`, at, {
      hint:
        leftType === null
          ? 'No operator matches the given name and argument type. You might need to add an explicit type cast.'
          : 'No operator matches the given name and argument types. You might need to add explicit type casts.',
    });
  }
  const args = [...(left === null ? [] : [coercion.coerce(left, found.left!, -1, 'implicit', at)]), coercion.coerce(right, found.right, -1, 'implicit', at)];
  const { operator } = found;
  if (operator.own !== undefined && binder.depth === 0) binder.recording?.operators.add(operator.own);
  if (operator.behind !== undefined) {
    // A call of its function, with no other properties known.
    binder.calls.add(operator.behind);
    binder.callsOwn = true;
    if (operator.behind.user !== undefined && binder.depth === 0) binder.recording?.uses.set(operator.behind.user, new Set());
    return { kind: 'call', fn: operator.behind, proc: operator.proc, args, type: found.result, typmod: -1 };
  }
  return { kind: 'call', fn: operator, proc: operator.proc, args, type: found.result, typmod: -1 };
}

export function resolveOperator(
  binder: Binder,
  name: string,
  left: SqlType | null,
  right: SqlType,
  schema: string | null = null,
): Resolved | null | 'ambiguous' {
  const { names, unchecked } = binder;
  if (schema === null && unchecked && names.storedTextOperators !== undefined) {
    const found = resolveAmong(binder, name, left, right, schema, names.storedTextOperators(binder.home, name));
    if (found !== null || binder.masking) return found;
  }
  return resolveAmong(binder, name, left, right, schema, schema === 'pg_catalog' ? undefined : names.operators?.(schema, name));
}

function resolveAmong(
  binder: Binder,
  name: string,
  left: SqlType | null,
  right: SqlType,
  schema: string | null,
  own: readonly SqlOperator[] | undefined,
): Resolved | null | 'ambiguous' {
  const { coercion, registry } = binder;
  // Dumps write the schema of an extension.
  const found = registry.operators(name);
  const builtIn = schema === null || schema === 'pg_catalog' ? found : found.filter((each) => each.extension !== undefined);
  const all = own === undefined || own.length === 0 ? builtIn : [...builtIn, ...own];
  const operators = all.filter((each) => (each.left === null) === (left === null));
  if (operators.length === 0) return null;
  const given = left === null ? [right] : [left, right];
  const candidates = operators.map((what) => ({ what, declared: what.left === null ? [what.right] : [what.left, what.right] }));
  // A single literal is first tried as the type of the other operand.
  if (left !== null && (left.name === 'unknown') !== (right.name === 'unknown')) {
    const known = rootOf(left.name === 'unknown' ? right : left);
    const own = declaredName(known);
    const same = candidates.find(({ declared }) => declared[0] === own && declared[1] === own);
    if (same !== undefined)
      return {
        operator: same.what,
        left: known,
        right: known,
        result: same.what.resultType ?? coercion.named(same.what.returns) ?? registry.type(same.what.returns),
      };
  }
  let chosen = chooseCandidate(coercion, candidates, given);
  if (chosen === 'ambiguous') {
    // Operators of an extension that is not installed must not make others ambiguous.
    const asked = candidates.filter(({ what, declared }) => what.extension === undefined || !declared.some((each) => isHidden(binder, each)));
    if (asked.length < candidates.length) chosen = chooseCandidate(coercion, asked, given);
  }
  if (chosen === null || chosen === 'ambiguous') return chosen;
  const { what, declared } = chosen;
  const assumed = given.map((type) => type);
  if (left !== null && left.name === 'unknown' && right.name !== 'unknown' && declared[0] === declared[1]) assumed[0] = right;
  if (left !== null && right.name === 'unknown' && left.name !== 'unknown' && declared[0] === declared[1]) assumed[1] = left;
  const types = resolvePolymorphic(coercion, declared, assumed);
  if (types === null) return null;
  const actual = declared.map((each, i) => actualType(coercion, each, types, given[i]));
  return {
    operator: what,
    left: what.left === null ? null : actual[0],
    right: actual[actual.length - 1],
    result: what.resultType ?? actualType(coercion, what.returns, types, null),
  };
}

function isHidden({ names, registry }: Binder, name: string): boolean {
  const type = registry.findType(name);
  return type !== undefined && names.hidesType?.(type.oid) === true;
}

/** The equality for grouping and DISTINCT; 42883 if the type has none for that, even if it has operators. */
export function groupingEquality(binder: Binder, type: SqlType, at: number): SqlOperator {
  // A literal without an inferred type is text.
  if (!type.ordered && !type.hashable && type.name !== 'unknown')
    fail('42883', `could not identify an equality operator for type ${binder.coercion.shown(type)}`, at);
  return equality(binder, type, at);
}

/** The equality of a type, for IN and comparisons; 42883 if it has none. */
export function equality(binder: Binder, type: SqlType, at: number): SqlOperator {
  return operatorOf(binder, '=', type, at);
}

export function operatorOf(binder: Binder, name: string, type: SqlType, at: number, schema: string | null = null): SqlOperator {
  const found = resolveOperator(binder, name, type, type, schema);
  if (found === null || found === 'ambiguous')
    fail('42883', `operator does not exist: ${binder.coercion.shown(type)} ${name} ${binder.coercion.shown(type)}`, at, {
      hint: 'No operator matches the given name and argument types. You might need to add explicit type casts.',
    });
  return found.operator;
}
