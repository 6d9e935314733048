/** pg_rewrite and pg_rules: _RETURN rules of views, and rules of CREATE RULE. */
import type { RuleObject } from '../../worlds/definition.ts';
import { quoteNames } from '../../base/quote-identifier.ts';
import type { Schema, View } from '../schema/schema.ts';
import { queryOf } from './definition-texts.ts';
import { CLASS, rewriteOid } from './fixed-oids.ts';
import { withLazyCell } from './lazy-cell.ts';
import type { Row } from './made-relation.ts';
import type { RowSource } from './system-catalog.ts';
import { viewNodeTree } from './view-node-tree.ts';

const EVENTS = { update: '2', insert: '3', delete: '4' } as const;
const MODES = { always: 'A', replica: 'R', never: 'D' } as const;

function* all(schema: Schema): Iterable<RuleObject> {
  for (const [, rules] of schema.ruled) yield* rules;
}

export function ruleAt(schema: Schema, oid: number): RuleObject | null {
  for (const rule of all(schema)) if (rule.number === oid) return rule;
  return null;
}

/** The rule's action is computed only where it is read. */
export function rewriteRows({ schema, trees }: RowSource): Row[] {
  const ofView = (number: number, view: Pick<View, 'sql' | 'columns'>): Row =>
    withLazyCell([rewriteOid(number), '_RETURN', number, '1', 'O', true, '<>', null], 7, () => viewNodeTree(schema, number, view, trees));
  const views = [...schema.views.values()].map((view) => ofView(view.number, view));
  const materialized = [...schema.tables.values()].filter((table) => table.materialized !== null).map((table) => ofView(table.number, queryOf(table)));
  const rules = [...all(schema)].map((rule): Row => {
    const { number, name, table, event, fires, instead } = rule;
    return [number, name, table, EVENTS[event], fires === undefined ? 'O' : MODES[fires], instead, '<>', '<>'];
  });
  return [...views, ...materialized, ...rules];
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
