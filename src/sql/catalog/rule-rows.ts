/** pg_rewrite and pg_rules: _RETURN rules of views, and rules of CREATE RULE. */
import type { RuleObject } from '../../worlds/definition.ts';
import { quoteNames } from '../../base/quote-identifier.ts';
import type { Schema } from '../schema/schema.ts';
import { CLASS, rewriteOid } from './fixed-oids.ts';
import type { Row } from './made-relation.ts';
import type { RowSource } from './system-catalog.ts';
import type { WorldObjects } from './world-objects.ts';

const EVENTS = { update: '2', insert: '3', delete: '4' } as const;
const MODES = { always: 'A', replica: 'R', never: 'D' } as const;

function* all(schema: Schema): Iterable<RuleObject> {
  for (const [, rules] of schema.ruled) yield* rules;
}

export function ruleAt(schema: Schema, oid: number): RuleObject | null {
  for (const rule of all(schema)) if (rule.number === oid) return rule;
  return null;
}

export function rewriteRows({ schema }: WorldObjects): Row[] {
  const materialized = [...schema.tables.values()].filter((table) => table.materialized !== null);
  const views = [...schema.views.values(), ...materialized].map(({ number }): Row => [rewriteOid(number), '_RETURN', number, '1', 'O', true, '<>', '<>']);
  const rules = [...all(schema)].map((rule): Row => {
    const { number, name, table, event, fires, instead } = rule;
    return [number, name, table, EVENTS[event], fires === undefined ? 'O' : MODES[fires], instead, '<>', '<>'];
  });
  return [...views, ...rules];
}

export function ruleViewRows({ schema, texts }: RowSource): Row[] {
  return [...all(schema)].map((rule) => {
    const on = (schema.tables.get(rule.table) ?? schema.views.get(rule.table))!;
    return [on.schema, on.name, rule.name, texts.rule(rule, quoteNames([on.schema, on.name]), false)];
  });
}

/** Owners and dependencies of rules: rows of pg_depend. */
export function ruleUseRows(schema: Schema): Row[] {
  const rows: Row[] = [];
  for (const { number, table: on, uses } of all(schema)) {
    rows.push([CLASS.pg_rewrite, number, 0, CLASS.pg_class, on, 0, 'a']);
    for (const { object, columns } of uses) {
      const catalog = schema.functions.has(object) ? CLASS.pg_proc : CLASS.pg_class;
      const table = schema.tables.get(object);
      const attnums = columns.flatMap((column) => table?.columns.find((each) => each.number === column)?.attnum ?? []);
      for (const attnum of attnums.length === 0 ? [0] : attnums) rows.push([CLASS.pg_rewrite, number, 0, catalog, object, attnum, 'n']);
    }
  }
  return rows;
}
