/** Columns and constraints of tables and domains. */
import type * as pg from '@pgsql/types';
import type {
  ColumnConstraint,
  ColumnDefinition,
  ForeignKeyAction,
  ForeignKeyTarget,
  IdentityConstraint,
  IndexElement,
  LikeOption,
  TableConstraint,
  TableElement,
} from '../ast/define.ts';
import { lowerExpression, lowerOptional } from './lower-expression.ts';
import { lowerOptions } from './lower-option.ts';
import { lowerRelation } from './lower-query.ts';
import { lowerTypeName } from './lower-type-name.ts';
import { bodyOf, kindOf, listItems, stringOf, strings, stringsOrNull, type Lowering } from './lowering.ts';

const LIKE_OPTIONS: LikeOption[] = ['comments', 'compression', 'constraints', 'defaults', 'generated', 'identity', 'indexes', 'statistics', 'storage'];

export function lowerTableElement(cx: Lowering, node: pg.Node): TableElement {
  const kind = kindOf(node);
  switch (kind) {
    case 'ColumnDef':
      return lowerColumnDefinition(cx, bodyOf(node, kind));
    case 'TableLikeClause': {
      const raw = bodyOf(node, kind);
      const table = lowerRelation(cx, raw.relation!);
      return { type: 'like', table, including: LIKE_OPTIONS.filter((_option, bit) => ((raw.options ?? 0) & (1 << bit)) !== 0), at: table.at };
    }
    default:
      return lowerTableConstraint(cx, bodyOf(node, 'Constraint'));
  }
}

export function lowerColumnDefinition(cx: Lowering, raw: pg.ColumnDef): ColumnDefinition {
  return {
    type: 'column',
    name: raw.colname ?? '',
    dataType: raw.typeName === undefined ? null : lowerTypeName(cx, raw.typeName),
    collation: stringsOrNull(raw.collClause?.collname),
    ...(raw.collClause === undefined ? {} : { collationAt: cx.at(raw.collClause.location) }),
    storage: raw.storage_name ?? null,
    compression: raw.compression ?? null,
    constraints: lowerColumnConstraints(cx, raw.constraints),
    ...(raw.fdwoptions === undefined ? {} : { foreignOptions: lowerOptions(cx, raw.fdwoptions) }),
    at: cx.at(raw.location),
  };
}

export function lowerTableConstraint(cx: Lowering, raw: pg.Constraint): TableConstraint {
  const constraint = lowerConstraint(cx, raw);
  switch (constraint.type) {
    case 'null':
    case 'default':
    case 'identity':
    case 'generated':
      throw cx.unsupported(`a table constraint of kind ${constraint.type}`, constraint.at);
    default:
      return constraint;
  }
}

/** DEFERRABLE and similar are separate entries that belong to the preceding constraint (parser/parse_utilcmd.c, transformConstraintAttrs). */
export function lowerColumnConstraints(cx: Lowering, nodes: pg.Node[] | undefined): ColumnConstraint[] {
  const lowered: ColumnConstraint[] = [];
  let sawDeferrability = false;
  let sawInitially = false;
  let sawEnforced = false;
  for (const node of nodes ?? []) {
    const raw = bodyOf(node, 'Constraint');
    const last = lowered[lowered.length - 1] as ColumnConstraint | undefined;
    const at = cx.at(raw.location);
    const deferrable = last !== undefined && (last.type === 'primaryKey' || last.type === 'unique' || last.type === 'foreignKey') ? last : null;
    const enforceable = last !== undefined && (last.type === 'check' || last.type === 'foreignKey') ? last : null;
    const misplaced = (clause: string): Error => cx.syntaxError(`misplaced ${clause} clause`, at);
    const multiple = (clauses: string): Error => cx.syntaxError(`multiple ${clauses} clauses not allowed`, at);
    const contradiction = (): Error => cx.syntaxError('constraint declared INITIALLY DEFERRED must be DEFERRABLE', at);
    switch (raw.contype) {
      case 'CONSTR_ATTR_DEFERRABLE':
      case 'CONSTR_ATTR_NOT_DEFERRABLE': {
        const on = raw.contype === 'CONSTR_ATTR_DEFERRABLE';
        if (deferrable === null) throw misplaced(on ? 'DEFERRABLE' : 'NOT DEFERRABLE');
        if (sawDeferrability) throw multiple('DEFERRABLE/NOT DEFERRABLE');
        sawDeferrability = true;
        deferrable.deferrable = on;
        if (!on && sawInitially && deferrable.initiallyDeferred) throw contradiction();
        break;
      }
      case 'CONSTR_ATTR_DEFERRED':
        if (deferrable === null) throw misplaced('INITIALLY DEFERRED');
        if (sawInitially) throw multiple('INITIALLY IMMEDIATE/DEFERRED');
        sawInitially = true;
        deferrable.initiallyDeferred = true;
        if (!sawDeferrability) deferrable.deferrable = true;
        else if (!deferrable.deferrable) throw contradiction();
        break;
      case 'CONSTR_ATTR_IMMEDIATE':
        if (deferrable === null) throw misplaced('INITIALLY IMMEDIATE');
        if (sawInitially) throw multiple('INITIALLY IMMEDIATE/DEFERRED');
        sawInitially = true;
        deferrable.initiallyDeferred = false;
        break;
      case 'CONSTR_ATTR_ENFORCED':
      case 'CONSTR_ATTR_NOT_ENFORCED': {
        const on = raw.contype === 'CONSTR_ATTR_ENFORCED';
        if (enforceable === null) throw misplaced(on ? 'ENFORCED' : 'NOT ENFORCED');
        if (sawEnforced) throw multiple('ENFORCED/NOT ENFORCED');
        sawEnforced = true;
        enforceable.notEnforced = !on;
        break;
      }
      default: {
        sawDeferrability = sawInitially = sawEnforced = false;
        const constraint = lowerConstraint(cx, raw);
        if (constraint.type === 'exclude') throw cx.unsupported('EXCLUDE at a column', at);
        lowered.push(constraint);
      }
    }
  }
  return lowered;
}

export function lowerConstraint(cx: Lowering, raw: pg.Constraint): ColumnConstraint | TableConstraint {
  const head = { name: raw.conname ?? null, at: cx.at(raw.location) };
  const deferral = { deferrable: raw.deferrable === true, initiallyDeferred: raw.initdeferred === true };
  const index = { include: strings(raw.including), options: lowerOptions(cx, raw.options), tablespace: raw.indexspace ?? null };
  switch (raw.contype) {
    case 'CONSTR_CHECK':
      return {
        type: 'check',
        ...head,
        condition: lowerExpression(cx, raw.raw_expr!),
        noInherit: raw.is_no_inherit === true,
        notValid: raw.skip_validation === true && raw.is_enforced === true,
        notEnforced: raw.is_enforced !== true,
      };
    case 'CONSTR_PRIMARY':
    case 'CONSTR_UNIQUE':
      if (raw.without_overlaps === true) throw cx.unsupported('WITHOUT OVERLAPS', head.at);
      return {
        type: raw.contype === 'CONSTR_PRIMARY' ? 'primaryKey' : 'unique',
        ...head,
        ...deferral,
        ...index,
        columns: strings(raw.keys),
        nullsNotDistinct: raw.nulls_not_distinct === true,
        usingIndex: raw.indexname ?? null,
      };
    case 'CONSTR_EXCLUSION':
      return {
        type: 'exclude',
        ...head,
        ...deferral,
        ...index,
        method: raw.access_method ?? null,
        elements: (raw.exclusions ?? []).map((pair) => {
          const [element, operator] = listItems(pair);
          return { element: lowerIndexElement(cx, bodyOf(element, 'IndexElem')), operator: strings(listItems(operator)) };
        }),
        where: lowerOptional(cx, raw.where_clause),
      };
    case 'CONSTR_FOREIGN':
      if (raw.fk_with_period === true || raw.pk_with_period === true) throw cx.unsupported('PERIOD in a foreign key', head.at);
      return {
        type: 'foreignKey',
        ...head,
        ...deferral,
        columns: strings(raw.fk_attrs),
        references: lowerForeignKeyTarget(cx, raw),
        notValid: raw.skip_validation === true && raw.is_enforced === true,
        notEnforced: raw.is_enforced !== true,
      };
    case 'CONSTR_NOTNULL':
      return {
        type: 'notNull',
        ...head,
        column: raw.keys === undefined ? null : stringOf(raw.keys[0]),
        noInherit: raw.is_no_inherit === true,
        notValid: raw.skip_validation === true,
      };
    case 'CONSTR_NULL':
      return { type: 'null', ...head };
    case 'CONSTR_DEFAULT':
      return { type: 'default', ...head, value: lowerExpression(cx, raw.raw_expr!) };
    case 'CONSTR_IDENTITY':
      return lowerIdentity(cx, raw);
    case 'CONSTR_GENERATED':
      return { type: 'generated', ...head, value: lowerExpression(cx, raw.raw_expr!), stored: raw.generated_kind === 's' };
    default:
      throw cx.unsupported(String(raw.contype), head.at);
  }
}

export function lowerIdentity(cx: Lowering, raw: pg.Constraint): IdentityConstraint {
  return { type: 'identity', name: raw.conname ?? null, always: raw.generated_when === 'a', options: lowerOptions(cx, raw.options), at: cx.at(raw.location) };
}

const FOREIGN_KEY_ACTIONS: Record<string, ForeignKeyAction> = { a: 'noAction', r: 'restrict', c: 'cascade', n: 'setNull', d: 'setDefault' };

function lowerForeignKeyTarget(cx: Lowering, raw: pg.Constraint): ForeignKeyTarget {
  return {
    table: lowerRelation(cx, raw.pktable!),
    columns: strings(raw.pk_attrs),
    match: raw.fk_matchtype === 'f' ? 'full' : raw.fk_matchtype === 'p' ? 'partial' : 'simple',
    onUpdate: FOREIGN_KEY_ACTIONS[raw.fk_upd_action ?? 'a'],
    onDelete: FOREIGN_KEY_ACTIONS[raw.fk_del_action ?? 'a'],
    onDeleteColumns: strings(raw.fk_del_set_cols),
  };
}

export function lowerIndexElement(cx: Lowering, raw: pg.IndexElem): IndexElement {
  return {
    column: raw.name ?? null,
    value: lowerOptional(cx, raw.expr),
    collation: stringsOrNull(raw.collation),
    operatorClass: stringsOrNull(raw.opclass),
    operatorClassOptions: lowerOptions(cx, raw.opclassopts),
    direction: raw.ordering === 'SORTBY_ASC' ? 'asc' : raw.ordering === 'SORTBY_DESC' ? 'desc' : 'default',
    nulls: raw.nulls_ordering === 'SORTBY_NULLS_FIRST' ? 'first' : raw.nulls_ordering === 'SORTBY_NULLS_LAST' ? 'last' : 'default',
  };
}
