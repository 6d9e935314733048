/** Tables that Postgres would rewrite for an ALTER (its ATRewriteTables), for which table_rewrite fires. */
import { type AttributeObject, factsKey } from '../../../worlds/definition.ts';
import { castFacts } from '../../catalog/facts.ts';
import { OID } from '../../schema/oids.ts';
import type { Schema } from '../../schema/schema.ts';
import type { DefinitionStep, DefinitionWatch } from './definition-watch.ts';

export interface Rewrite {
  readonly table: number;
  /** The bits of pg_event_trigger_table_rewrite_reason. */
  readonly reason: number;
}

const PERSISTENCE = 1;
const DEFAULT_VALUE = 2;
const COLUMN_TYPE = 4;

/** A higher precision or a greater length needs no rewrite. */
const WIDENING: ReadonlySet<number> = new Set([OID.varchar, OID.varbit, OID.time, OID.timetz, OID.timestamp, OID.timestamptz, OID.interval]);

export function rewritesOf({ statement, steps }: DefinitionWatch): Rewrite[] {
  if (statement.type !== 'alterTable' || (statement.kind !== 'table' && statement.kind !== 'materialized view' && statement.kind !== 'type')) return [];
  const converted = new Set(statement.actions.flatMap((action) => (action.type === 'setType' && action.using !== null ? [action.column] : [])));
  const reasons = new Map<number, number>();
  const add = (table: number, reason: number): void => void reasons.set(table, (reasons.get(table) ?? 0) | reason);
  for (const step of steps) {
    const { put, removed } = step.log;
    for (const object of [...put, ...removed]) {
      if (object.what === 'facts' && object.attnum === 0 && step.before.tables.has(object.object)) {
        if (isUnlogged(step.before, object.object) !== isUnlogged(step.after, object.object)) add(object.object, PERSISTENCE);
      }
    }
    for (const object of put) {
      if (object.what !== 'attribute' || !step.before.tables.has(object.table)) continue;
      const reason = attributeReason(step, object, converted);
      if (reason !== 0) add(object.table, reason);
    }
  }
  return [...reasons].map(([table, reason]) => ({ table, reason }));
}

function isUnlogged({ catalog }: Schema, table: number): boolean {
  const facts = catalog.objects.get(factsKey(table, 0));
  return facts?.what === 'facts' && facts.unlogged === true;
}

function attributeReason({ before }: DefinitionStep, now: AttributeObject, converted: ReadonlySet<string>): number {
  const was = before.catalog.byNumber.get(now.table)?.relation?.attributes.find(({ attnum }) => attnum === now.attnum);
  if (was === undefined) return fillsRows(now) ? DEFAULT_VALUE : 0;
  if (was.type === now.type && was.typmod === now.typmod) return 0;
  return converted.has(now.name) || !keepsBytes(before, was, now) ? COLUMN_TYPE : 0;
}

/** Existing rows get different values, not one stored for all. */
function fillsRows({ generated, identity, default: text, missing }: AttributeObject): boolean {
  return generated !== null || identity !== null || (text !== null && missing === null && !/^null(::|$)/i.test(text));
}

/** Whether values of the one type are stored as values of the other. */
function keepsBytes(schema: Schema, from: AttributeObject, to: AttributeObject): boolean {
  const target = schema.types.get(to.type)?.object;
  if (target?.what === 'domain') return target.checks.length === 0 && !target.notNull && target.base === from.type;
  if (from.type === to.type) return widens(to.type, from.typmod, to.typmod);
  return castFacts().get(`${from.type} ${to.type}`)?.method === 'b' && to.typmod < 0;
}

/** The new length or precision is unlimited, or not shorter. */
function widens(type: number, from: number, to: number): boolean {
  if (to < 0) return true;
  if (from < 0) return false;
  if (WIDENING.has(type)) return to >= from;
  // Precision in the upper half, scale in the lower.
  return type === OID.numeric && ((from - 4) & 0xffff) === ((to - 4) & 0xffff) && to >= from;
}
