/** ALTER TABLE and similar: a list of actions on one relation. */
import type * as pg from '@pgsql/types';
import type { AlterAction, AlterTable, Option } from '../ast/define.ts';
import { lowerColumnDefinition, lowerIdentity, lowerTableConstraint } from './lower-constraint.ts';
import { lowerExpression, lowerOptional } from './lower-expression.ts';
import { objectKindOf } from './lower-object-name.ts';
import { lowerOptions, lowerRole } from './lower-option.ts';
import { lowerPartitionBound } from './lower-partition.ts';
import { lowerRelation } from './lower-query.ts';
import { lowerTypeName } from './lower-type-name.ts';
import { bodyOf, kindOf, listItems, stringOf, stringsOrNull, type Lowering } from './lowering.ts';

export function lowerAlterTable(cx: Lowering, raw: pg.AlterTableStmt): AlterTable {
  const kind = objectKindOf(raw.objtype) as AlterTable['kind'];
  return {
    type: 'alterTable',
    kind,
    name: lowerRelation(cx, raw.relation!),
    only: raw.relation!.inh !== true && kind !== 'type',
    ifExists: raw.missing_ok === true,
    actions: (raw.cmds ?? []).map((node) => {
      const command = bodyOf(node, 'AlterTableCmd');
      return { ...lowerAction(cx, command), at: placeOf(cx, command) };
    }),
    at: cx.statementAt,
  };
}

/** Actions have no location: their definitions may. */
function placeOf(cx: Lowering, raw: pg.AlterTableCmd): number {
  if (raw.def === undefined) return cx.statementAt;
  const kind = kindOf(raw.def);
  return kind === 'ColumnDef' || kind === 'Constraint' ? cx.at((bodyOf(raw.def, kind) as { location?: number }).location) : cx.statementAt;
}

function lowerAction(cx: Lowering, raw: pg.AlterTableCmd): AlterAction {
  const column = raw.name ?? '';
  const ifExists = raw.missing_ok === true;
  const cascade = raw.behavior === 'DROP_CASCADE';
  const def = raw.def as pg.Node;
  switch (raw.subtype) {
    case 'AT_AddColumn':
      return { type: 'addColumn', column: lowerColumnDefinition(cx, bodyOf(def, 'ColumnDef')), ifNotExists: ifExists, cascade };
    case 'AT_DropColumn':
      return { type: 'dropColumn', column, ifExists, cascade };
    case 'AT_AlterColumnType': {
      const target = bodyOf(def, 'ColumnDef');
      return {
        type: 'setType',
        column,
        dataType: lowerTypeName(cx, target.typeName!),
        collation: stringsOrNull(target.collClause?.collname),
        using: lowerOptional(cx, target.raw_default),
        cascade,
      };
    }
    case 'AT_ColumnDefault':
      return raw.def === undefined ? { type: 'dropDefault', column } : { type: 'setDefault', column, value: lowerExpression(cx, def) };
    case 'AT_SetNotNull':
      return { type: 'setNotNull', column };
    case 'AT_DropNotNull':
      return { type: 'dropNotNull', column };
    case 'AT_SetExpression':
      return { type: 'setExpression', column, value: lowerExpression(cx, def) };
    case 'AT_DropExpression':
      return { type: 'dropExpression', column, ifExists };
    case 'AT_AddIdentity':
      return { type: 'addIdentity', column, identity: lowerIdentity(cx, bodyOf(def, 'Constraint')) };
    case 'AT_SetIdentity':
      return { type: 'setIdentity', column, options: lowerOptions(cx, listItems(def)).map(identityOption) };
    case 'AT_DropIdentity':
      return { type: 'dropIdentity', column, ifExists };
    case 'AT_SetStatistics':
      return {
        type: 'setStatistics',
        column,
        number: raw.name === undefined ? (raw.num ?? 0) : null,
        value: raw.def === undefined ? -1 : (bodyOf(def, 'Integer').ival ?? 0),
      };
    case 'AT_SetStorage':
      return { type: 'setStorage', column, storage: stringOf(def) };
    case 'AT_SetCompression':
      return { type: 'setCompression', column, method: raw.def === undefined ? 'default' : stringOf(def) };
    case 'AT_AddConstraint':
      return { type: 'addConstraint', constraint: lowerTableConstraint(cx, bodyOf(def, 'Constraint')) };
    case 'AT_AlterConstraint': {
      const change = bodyOf(def, 'ATAlterConstraint');
      if (change.alterEnforceability === true) return { type: 'other', what: 'ALTER CONSTRAINT ENFORCED' };
      if (change.alterInheritability === true) return { type: 'other', what: 'ALTER CONSTRAINT INHERIT' };
      return {
        type: 'alterConstraint',
        name: change.conname ?? '',
        deferral: change.alterDeferrability === true ? { deferrable: change.deferrable === true, initiallyDeferred: change.initdeferred === true } : null,
      };
    }
    case 'AT_ValidateConstraint':
      return { type: 'validateConstraint', name: column };
    case 'AT_DropConstraint':
      return { type: 'dropConstraint', name: column, ifExists, cascade };
    case 'AT_SetRelOptions':
      return { type: 'setOptions', options: lowerOptions(cx, listItems(def)) };
    case 'AT_ResetRelOptions':
      return { type: 'resetOptions', options: lowerOptions(cx, listItems(def)) };
    case 'AT_SetOptions':
      return { type: 'setColumnOptions', column, options: lowerOptions(cx, listItems(def)) };
    case 'AT_ResetOptions':
      return { type: 'resetColumnOptions', column, options: lowerOptions(cx, listItems(def)) };
    case 'AT_GenericOptions':
      return { type: 'foreignOptions', options: lowerOptions(cx, listItems(def)) };
    case 'AT_AlterColumnGenericOptions':
      return { type: 'columnForeignOptions', column, options: lowerOptions(cx, listItems(def)) };
    case 'AT_ChangeOwner':
      return { type: 'setOwner', owner: lowerRole(cx, raw.newowner!) };
    case 'AT_SetLogged':
    case 'AT_SetUnLogged':
      return { type: 'setLogged', logged: raw.subtype === 'AT_SetLogged' };
    case 'AT_SetTableSpace':
      return { type: 'setTablespace', tablespace: column };
    case 'AT_AddInherit':
      return { type: 'inherit', parent: lowerRelation(cx, bodyOf(def, 'RangeVar')) };
    case 'AT_DropInherit':
      return { type: 'noInherit', parent: lowerRelation(cx, bodyOf(def, 'RangeVar')) };
    case 'AT_AttachPartition': {
      const partition = bodyOf(def, 'PartitionCmd');
      return {
        type: 'attachPartition',
        partition: lowerRelation(cx, partition.name!),
        bound: partition.bound === undefined ? null : lowerPartitionBound(cx, partition.bound),
      };
    }
    case 'AT_DetachPartition': {
      const partition = bodyOf(def, 'PartitionCmd');
      return { type: 'detachPartition', partition: lowerRelation(cx, partition.name!), concurrently: partition.concurrent === true };
    }
    case 'AT_EnableRowSecurity':
      return { type: 'rowSecurity', mode: 'enable' };
    case 'AT_DisableRowSecurity':
      return { type: 'rowSecurity', mode: 'disable' };
    case 'AT_ForceRowSecurity':
      return { type: 'rowSecurity', mode: 'force' };
    case 'AT_NoForceRowSecurity':
      return { type: 'rowSecurity', mode: 'noForce' };
    case 'AT_EnableTrig':
    case 'AT_DisableTrig':
      return { type: 'triggers', enable: raw.subtype === 'AT_EnableTrig', name: column, which: 'named', fire: 'origin' };
    case 'AT_EnableAlwaysTrig':
      return { type: 'triggers', enable: true, name: column, which: 'named', fire: 'always' };
    case 'AT_EnableReplicaTrig':
      return { type: 'triggers', enable: true, name: column, which: 'named', fire: 'replica' };
    case 'AT_EnableTrigAll':
    case 'AT_DisableTrigAll':
      return { type: 'triggers', enable: raw.subtype === 'AT_EnableTrigAll', name: null, which: 'all', fire: 'origin' };
    case 'AT_EnableTrigUser':
    case 'AT_DisableTrigUser':
      return { type: 'triggers', enable: raw.subtype === 'AT_EnableTrigUser', name: null, which: 'user', fire: 'origin' };
    case 'AT_ReplicaIdentity': {
      const identity = bodyOf(def, 'ReplicaIdentityStmt');
      const kinds: Record<string, 'default' | 'full' | 'nothing' | 'index'> = { d: 'default', f: 'full', n: 'nothing', i: 'index' };
      return { type: 'replicaIdentity', identity: kinds[identity.identity_type ?? 'd'], index: identity.name ?? null };
    }
    case 'AT_ClusterOn':
      return { type: 'clusterOn', index: column };
    case 'AT_DropCluster':
      return { type: 'dropCluster' };
    // Removed in Postgres 12.
    case 'AT_DropOids':
      return { type: 'setOptions', options: [] };
    case 'AT_AddOf':
      return { type: 'of', dataType: lowerTypeName(cx, bodyOf(def, 'TypeName')) };
    case 'AT_DropOf':
      return { type: 'notOf' };
    case 'AT_SetAccessMethod':
      return { type: 'setAccessMethod', method: column };
    case 'AT_EnableRule':
    case 'AT_EnableAlwaysRule':
    case 'AT_EnableReplicaRule':
    case 'AT_DisableRule':
      return {
        type: 'rules',
        enable: raw.subtype !== 'AT_DisableRule',
        name: column,
        fire: raw.subtype === 'AT_EnableAlwaysRule' ? 'always' : raw.subtype === 'AT_EnableReplicaRule' ? 'replica' : 'origin',
      };
    default:
      return { type: 'other', what: OTHER_ACTIONS[raw.subtype ?? ''] ?? String(raw.subtype) };
  }
}

const OTHER_ACTIONS: Record<string, string> = {
  AT_DetachPartitionFinalize: 'DETACH PARTITION FINALIZE',
  AT_GenericOptions: 'OPTIONS',
  AT_AlterColumnGenericOptions: 'ALTER COLUMN OPTIONS',
};

/** SET GENERATED ALWAYS is represented by the number of its letter. */
function identityOption(option: Option): Option {
  if (option.name !== 'generated' || option.value?.type !== 'integer') return option;
  return { ...option, value: { type: 'string', value: option.value.value === 97 ? 'always' : 'by default' } };
}
