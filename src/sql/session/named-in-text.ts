/** Functions, operators and types that a stored text refers to, found by binding it in its context. */
import { SvcError } from '../../base/errors/svc-error.ts';
import { Binder, type Names } from '../bind/binder.ts';
import { bindExpression } from '../bind/expression.ts';
import { bindQuery } from '../bind/query.ts';
import { Scope } from '../bind/scope.ts';
import { DOMAIN_CHECK } from '../bind/type-casts.ts';
import { RELATION_EXTENSIONS } from '../catalog/extension-relations.ts';
import type { SqlFunction, SqlOperator } from '../functions/define.ts';
import type { Registry } from '../functions/registry.ts';
import type { Bound } from '../plan/bound.ts';
import type { Plan, VirtualRelation } from '../plan/logical.ts';
import { boundsOf, inputsOf, visitBound } from '../plan/rules/walk.ts';
import type { NamedInText, StoredText } from '../schema/compiler.ts';
import type { SqlTable } from '../schema/table.ts';
import type { Environment } from '../types/environment.ts';
import { parseQuery, parseRule } from './names.ts';
import { bindAction, bindCondition } from './rules/rule-text.ts';
import { newRecording } from './view-spec.ts';

interface Parts {
  readonly registry: Registry;
  readonly env: Environment;
  names(table: SqlTable): Names;
}

export function namedInText(parts: Parts, text: StoredText): NamedInText {
  const over = 'over' in text && text.over !== null && 'columns' in text.over ? text.over : null;
  const names = parts.names(over!);
  const binder = new Binder(names, parts.registry, parts.env, { types: [], fixed: true });
  const recording = (binder.recording = newRecording());
  binder.stored = true;
  const constants: Named = { types: new Set(), functions: new Set(), operators: new Set(), objects: new Set(), members: new Map() };
  try {
    if ('expression' in text) note(boundExpression(binder, text), constants);
    else if ('query' in text) {
      binder.home = text.home;
      notePlan(bindQuery(binder, parseQuery(text.query), null, {}).plan, constants);
    } else {
      const { condition, actions } = parseRule(text.rule);
      if (condition !== null) bindCondition(binder, text.rule, condition);
      for (const action of actions) {
        const plan = bindAction(binder, text.rule, action);
        if (plan !== null) notePlan(plan, constants);
      }
    }
  } catch (error) {
    // A text that no longer binds has no dependencies.
    if (!(error instanceof SvcError)) throw error;
  }
  const { calls, operators, collations } = recording;
  const { functions, types, objects, members } = constants;
  return {
    functions: new Set([...calls.map(({ routine }) => routine), ...functions]),
    operators: new Set([...operators, ...constants.operators]),
    collations,
    types,
    objects,
    members: new Map([...members].map(([extension, called]) => [extension, new Set([...called].map((fn) => memberText(fn, parts.registry)))])),
  };
}

/** As errors name it: `function similarity(text,text)`, `view pg_stat_statements`. */
function memberText(member: SqlFunction | SqlOperator | VirtualRelation, registry: Registry): string {
  if ('oid' in member) return `view ${member.name}`;
  const args = 'args' in member ? member.args : [member.left, member.right];
  const titles = args.map((name) => (name === null ? 'NONE' : (registry.findType(name)?.title ?? name)));
  return `${'args' in member ? 'function' : 'operator'} ${member.name}(${titles.join(',')})`;
}

/** Binds an expression in its context. */
export function boundExpression(binder: Binder, { expression, over, type }: Extract<StoredText, { readonly expression: string }>): Bound {
  const table = over !== null && 'columns' in over ? over : null;
  const scope = new Scope(null);
  scope.clause = 'check';
  if (table !== null) {
    binder.home = table.schema;
    const columns = table.columns.map(({ name, type, typmod }) => ({ name, value: binder.use(binder.column(name, type, typmod)) }));
    scope.namespace = { relations: [{ alias: table.name, schema: table.schema, columns, table, system: [] }], columns };
  } else if (over !== null && 'domain' in over) {
    const base = binder.names.typeByOid(over.domain)?.domain?.base;
    if (base !== undefined) scope.namespace = { relations: [], columns: [{ name: 'value', value: binder.use(binder.column('value', base)) }] };
  }
  const value = bindExpression(binder, binder.names.parseExpression(expression), scope);
  const to = type === undefined ? null : (binder.registry.typeByOid(type) ?? binder.names.typeByOid(type) ?? null);
  return (to === null ? null : binder.coercion.tryCoerce(value, to, -1, 'assignment', 0)) ?? value;
}

/** The kinds of objects that `reg…` types hold oids of. */
const KIND_OF_REG_TYPE: ReadonlyMap<string, Exclude<keyof Named, 'members'>> = new Map([
  ['regproc', 'functions'],
  ['regprocedure', 'functions'],
  ['regoper', 'operators'],
  ['regoperator', 'operators'],
  ['regtype', 'types'],
  ['regclass', 'objects'],
  ['regconfig', 'objects'],
  ['regdictionary', 'objects'],
]);

/** The oids in constants and casts. */
interface Named {
  readonly types: Set<number>;
  readonly functions: Set<number>;
  readonly operators: Set<number>;
  readonly objects: Set<number>;
  readonly members: Map<string, Set<SqlFunction | SqlOperator | VirtualRelation>>;
}

function note(value: Bound, named: Named): void {
  visitBound(value, (each) => {
    if (each.kind === 'constant' || each.kind === 'cast' || each.kind === 'row' || (each.kind === 'call' && each.fn === DOMAIN_CHECK))
      named.types.add(each.type.oid);
    const kind = each.kind === 'constant' && typeof each.value === 'number' ? KIND_OF_REG_TYPE.get(each.type.name) : undefined;
    if (kind !== undefined) named[kind].add((each as { value: number }).value);
    if (each.kind === 'call') noteMember(each.fn, named);
    if (each.kind === 'cast' && each.cast?.user !== undefined) named.functions.add(each.cast.user);
    if (each.kind === 'subquery' || each.kind === 'exists' || each.kind === 'arrayQuery' || each.kind === 'quantifiedQuery') notePlan(each.plan, named);
  });
}

function noteMember(member: SqlFunction | SqlOperator | VirtualRelation, { members }: Named): void {
  const extension = 'oid' in member ? RELATION_EXTENSIONS.get(member.oid) : member.extension;
  if (extension === undefined) return;
  const known = members.get(extension);
  if (known === undefined) members.set(extension, new Set([member]));
  else known.add(member);
}

function notePlan(root: Plan, named: Named): void {
  const stack: Plan[] = [root];
  for (let plan = stack.pop(); plan !== undefined; plan = stack.pop()) {
    for (const value of boundsOf(plan)) note(value, named);
    if (plan.op === 'functionScan') for (const { call } of plan.functions) noteMember(call.fn, named);
    if (plan.op === 'virtualScan') noteMember(plan.relation, named);
    stack.push(...inputsOf(plan));
  }
}
