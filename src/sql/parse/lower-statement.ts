/** Lowers one statement of the grammar to its AST. Statements without a node in the AST are `unsupported`, with their command. */
import type * as pg from '@pgsql/types';
import { lowerAlterSubscription, lowerCreateSubscription } from './lower-subscription.ts';
import { lowerAlterOperatorFamily, lowerCreateOperatorClass, lowerCreateOperatorFamily } from './lower-operator-class.ts';
import { plainSelect } from '../ast/plain-select.ts';
import type { CreateRule, Drop, ObjectKind } from '../ast/define.ts';
import type { Select } from '../ast/query.ts';
import type { SetDefault, Unsupported } from '../ast/session.ts';
import type { Statement } from '../ast/statement.ts';
import { lowerAlterTable } from './lower-alter-table.ts';
import {
  lowerAlterOperator,
  lowerAlterStatistics,
  lowerRefreshCollation,
  lowerCreateCast,
  lowerCreateConversion,
  lowerCreateStatistics,
  lowerDefine,
  lowerAlterSearchConfiguration,
  lowerAlterSearchDictionary,
} from './lower-routine-objects.ts';
import {
  lowerAlterDomain,
  lowerAlterDatabase,
  lowerAlterEnum,
  lowerAlterPolicy,
  lowerAlterRole,
  lowerComment,
  lowerCompositeType,
  lowerCreateDatabase,
  lowerCreateDomain,
  lowerCreateEnum,
  lowerCreateExtension,
  lowerUpdateExtension,
  lowerCreatePolicy,
  lowerAlterEventTrigger,
  lowerCreateEventTrigger,
  lowerCreateTrigger,
  lowerAlterFunction,
  lowerCreateFunction,
  lowerCreateRange,
  lowerCreateRole,
  lowerCreateSchema,
  lowerDrop,
  lowerDropDatabase,
  lowerDefaultPrivileges,
  lowerDropOwned,
  lowerDropRole,
  lowerGrant,
  lowerGrantRole,
  lowerMoveAll,
  lowerReassignOwned,
  lowerRename,
  lowerSecurityLabel,
  lowerSetOwner,
  lowerSetSchema,
} from './lower-define.ts';
import { lowerCall, lowerExpression } from './lower-expression.ts';
import { lowerAlterServer, lowerCreateServer, lowerForeignTable, lowerImport, lowerUserMapping, lowerWrapper } from './lower-foreign.ts';
import { lowerOptions, lowerRole } from './lower-option.ts';
import { lowerAlterPublication, lowerCreatePublication } from './lower-publication.ts';
import { lowerQuery, lowerQueryOrWrite, lowerRelation } from './lower-query.ts';
import {
  lowerDeclareCursor,
  lowerDiscard,
  lowerDo,
  lowerExecute,
  lowerFetch,
  lowerLockTable,
  lowerReindex,
  lowerSet,
  lowerSetting,
  lowerTransaction,
  lowerVacuum,
} from './lower-session.ts';
import {
  lowerAlterSequence,
  lowerCreateIndex,
  lowerCreateSequence,
  lowerCreateTable,
  lowerCreateTableAs,
  lowerCreateView,
  lowerRefresh,
  lowerSelectInto,
} from './lower-table.ts';
import { lowerTypeName } from './lower-type-name.ts';
import { lowerCopy, lowerTruncate } from './lower-write.ts';
import { bodyOf, kindOf, type Lowering } from './lowering.ts';

export function lowerStatement(cx: Lowering, node: pg.Node): Statement {
  cx.enter();
  const lowered = lowerNode(cx, node);
  cx.leave();
  return lowered;
}

function lowerNode(cx: Lowering, node: pg.Node): Statement {
  const kind = kindOf(node);
  const at = cx.statementAt;
  switch (kind) {
    case 'SelectStmt': {
      const raw = bodyOf(node, kind);
      return lowerSelectInto(cx, raw) ?? lowerQuery(cx, raw);
    }
    case 'InsertStmt':
    case 'UpdateStmt':
    case 'DeleteStmt':
    case 'MergeStmt':
      return lowerQueryOrWrite(cx, node);
    case 'TruncateStmt':
      return lowerTruncate(cx, bodyOf(node, kind));
    case 'CopyStmt':
      return lowerCopy(cx, bodyOf(node, kind));
    case 'CreateStmt':
      return lowerCreateTable(cx, bodyOf(node, kind));
    case 'CreateTableAsStmt':
      return lowerCreateTableAs(cx, bodyOf(node, kind));
    case 'IndexStmt':
      return lowerCreateIndex(cx, bodyOf(node, kind));
    case 'ViewStmt':
      return lowerCreateView(cx, bodyOf(node, kind));
    case 'RefreshMatViewStmt':
      return lowerRefresh(cx, bodyOf(node, kind));
    case 'CreateSeqStmt':
      return lowerCreateSequence(cx, bodyOf(node, kind));
    case 'AlterSeqStmt':
      return lowerAlterSequence(cx, bodyOf(node, kind));
    case 'CreateSchemaStmt':
      return lowerCreateSchema(cx, bodyOf(node, kind));
    case 'CreateEnumStmt':
      return lowerCreateEnum(cx, bodyOf(node, kind));
    case 'CompositeTypeStmt':
      return lowerCompositeType(cx, bodyOf(node, kind));
    case 'CreateRangeStmt':
      return lowerCreateRange(cx, bodyOf(node, kind));
    case 'DefineStmt':
      return lowerDefine(cx, bodyOf(node, kind));
    case 'AlterTSDictionaryStmt':
      return lowerAlterSearchDictionary(cx, bodyOf(node, kind));
    case 'AlterTSConfigurationStmt':
      return lowerAlterSearchConfiguration(cx, bodyOf(node, kind));
    case 'CreateStatsStmt':
      return lowerCreateStatistics(cx, bodyOf(node, kind));
    case 'AlterStatsStmt':
      return lowerAlterStatistics(cx, bodyOf(node, kind));
    case 'CreatePublicationStmt':
      return lowerCreatePublication(cx, bodyOf(node, kind));
    case 'AlterPublicationStmt':
      return lowerAlterPublication(cx, bodyOf(node, kind));
    case 'CreateCastStmt':
      return lowerCreateCast(cx, bodyOf(node, kind));
    case 'CreateConversionStmt':
      return lowerCreateConversion(cx, bodyOf(node, kind));
    case 'AlterOperatorStmt':
      return lowerAlterOperator(cx, bodyOf(node, kind));
    case 'CreateOpFamilyStmt':
      return lowerCreateOperatorFamily(cx, bodyOf(node, kind));
    case 'CreateOpClassStmt':
      return lowerCreateOperatorClass(cx, bodyOf(node, kind));
    case 'AlterOpFamilyStmt':
      return lowerAlterOperatorFamily(cx, bodyOf(node, kind));
    case 'AlterEnumStmt':
      return lowerAlterEnum(cx, bodyOf(node, kind));
    case 'CreateDomainStmt':
      return lowerCreateDomain(cx, bodyOf(node, kind));
    case 'AlterDomainStmt':
      return lowerAlterDomain(cx, bodyOf(node, kind));
    case 'CreateFunctionStmt':
      return lowerCreateFunction(cx, bodyOf(node, kind));
    case 'AlterFunctionStmt':
      return lowerAlterFunction(cx, bodyOf(node, kind));
    case 'ReturnStmt':
      return selectOf(cx, bodyOf(node, kind).returnval!);
    case 'CreateExtensionStmt':
      return lowerCreateExtension(cx, bodyOf(node, kind));
    case 'AlterExtensionStmt':
      return lowerUpdateExtension(cx, bodyOf(node, kind));
    case 'AlterCollationStmt':
      return lowerRefreshCollation(cx, bodyOf(node, kind));
    case 'CreatedbStmt':
      return lowerCreateDatabase(cx, bodyOf(node, kind));
    case 'CreateSubscriptionStmt':
      return lowerCreateSubscription(cx, bodyOf(node, kind));
    case 'AlterSubscriptionStmt':
      return lowerAlterSubscription(cx, bodyOf(node, kind));
    case 'DropSubscriptionStmt': {
      const raw = bodyOf(node, kind);
      return dropOne(cx, 'subscription', raw.subname, raw.missing_ok);
    }
    case 'DropTableSpaceStmt': {
      const raw = bodyOf(node, kind);
      return dropOne(cx, 'tablespace', raw.tablespacename, raw.missing_ok);
    }
    case 'CreateFdwStmt':
      return lowerWrapper(cx, 'createWrapper', bodyOf(node, kind));
    case 'AlterFdwStmt':
      return lowerWrapper(cx, 'alterWrapper', bodyOf(node, kind));
    case 'CreateForeignServerStmt':
      return lowerCreateServer(cx, bodyOf(node, kind));
    case 'AlterForeignServerStmt':
      return lowerAlterServer(cx, bodyOf(node, kind));
    case 'CreateForeignTableStmt':
      return lowerForeignTable(cx, bodyOf(node, kind));
    case 'CreateUserMappingStmt':
      return lowerUserMapping(cx, 'createUserMapping', bodyOf(node, kind));
    case 'AlterUserMappingStmt':
      return lowerUserMapping(cx, 'alterUserMapping', bodyOf(node, kind));
    case 'DropUserMappingStmt':
      return lowerUserMapping(cx, 'dropUserMapping', bodyOf(node, kind));
    case 'ImportForeignSchemaStmt':
      return lowerImport(cx, bodyOf(node, kind));
    case 'AlterDatabaseStmt':
      return lowerAlterDatabase(cx, bodyOf(node, kind));
    case 'AlterDatabaseRefreshCollStmt':
      return { type: 'alterDatabase', name: bodyOf(node, kind).dbname ?? '', action: 'refresh', options: [], at };
    case 'DropdbStmt':
      return lowerDropDatabase(cx, bodyOf(node, kind));
    case 'CreateRoleStmt':
      return lowerCreateRole(cx, bodyOf(node, kind));
    case 'AlterRoleStmt':
      return lowerAlterRole(cx, bodyOf(node, kind));
    case 'DropRoleStmt':
      return lowerDropRole(cx, bodyOf(node, kind));
    case 'AlterRoleSetStmt': {
      const raw = bodyOf(node, kind);
      return setDefault(cx, raw.database, raw.role, raw.setstmt!);
    }
    case 'AlterDatabaseSetStmt': {
      const raw = bodyOf(node, kind);
      return setDefault(cx, raw.dbname, undefined, raw.setstmt!);
    }
    case 'CommentStmt':
      return lowerComment(cx, bodyOf(node, kind));
    case 'SecLabelStmt':
      return lowerSecurityLabel(cx, bodyOf(node, kind));
    case 'DropStmt':
      return lowerDrop(cx, bodyOf(node, kind));
    case 'RenameStmt':
      return lowerRename(cx, bodyOf(node, kind));
    case 'AlterObjectSchemaStmt':
      return lowerSetSchema(cx, bodyOf(node, kind));
    case 'AlterOwnerStmt':
      return lowerSetOwner(cx, bodyOf(node, kind));
    case 'AlterTableStmt':
      return lowerAlterTable(cx, bodyOf(node, kind));
    case 'GrantStmt':
      return lowerGrant(cx, bodyOf(node, kind));
    case 'AlterDefaultPrivilegesStmt':
      return lowerDefaultPrivileges(cx, bodyOf(node, kind));
    case 'CreatePolicyStmt':
      return lowerCreatePolicy(cx, bodyOf(node, kind));
    case 'CreateTrigStmt':
      return lowerCreateTrigger(cx, bodyOf(node, kind));
    case 'CreateEventTrigStmt':
      return lowerCreateEventTrigger(cx, bodyOf(node, kind));
    case 'AlterEventTrigStmt':
      return lowerAlterEventTrigger(cx, bodyOf(node, kind));
    case 'RuleStmt':
      return lowerCreateRule(cx, bodyOf(node, kind));
    case 'AlterPolicyStmt':
      return lowerAlterPolicy(cx, bodyOf(node, kind));
    case 'DropOwnedStmt':
      return lowerDropOwned(cx, bodyOf(node, kind));
    case 'AlterTableMoveAllStmt':
      return lowerMoveAll(cx, bodyOf(node, kind));
    case 'ReassignOwnedStmt':
      return lowerReassignOwned(cx, bodyOf(node, kind));
    case 'GrantRoleStmt':
      return lowerGrantRole(cx, bodyOf(node, kind));
    case 'VariableSetStmt':
      return lowerSet(cx, bodyOf(node, kind));
    case 'VariableShowStmt':
      return { type: 'show', name: bodyOf(node, kind).name ?? '', at };
    case 'ConstraintsSetStmt': {
      const raw = bodyOf(node, kind);
      const names = (raw.constraints ?? []).map((name) => lowerRelation(cx, bodyOf(name, 'RangeVar')));
      return { type: 'setConstraints', names, deferred: raw.deferred === true, at };
    }
    case 'TransactionStmt':
      return lowerTransaction(cx, bodyOf(node, kind));
    case 'PrepareStmt': {
      const raw = bodyOf(node, kind);
      const argTypes = (raw.argtypes ?? []).map((type) => lowerTypeName(cx, bodyOf(type, 'TypeName')));
      return { type: 'prepare', name: raw.name ?? '', argTypes, statement: lowerStatement(cx, raw.query!), at };
    }
    case 'ExecuteStmt':
      return lowerExecute(cx, bodyOf(node, kind));
    case 'DeallocateStmt':
      return { type: 'deallocate', name: bodyOf(node, kind).name ?? null, at };
    case 'ExplainStmt': {
      const raw = bodyOf(node, kind);
      return { type: 'explain', statement: lowerStatement(cx, raw.query!), options: lowerOptions(cx, raw.options), at };
    }
    case 'DeclareCursorStmt':
      return lowerDeclareCursor(cx, bodyOf(node, kind));
    case 'FetchStmt':
      return lowerFetch(cx, bodyOf(node, kind));
    case 'ClosePortalStmt':
      return { type: 'closeCursor', name: bodyOf(node, kind).portalname ?? null, at };
    case 'ListenStmt':
      return { type: 'listen', channel: bodyOf(node, kind).conditionname ?? '', at };
    case 'UnlistenStmt':
      return { type: 'unlisten', channel: bodyOf(node, kind).conditionname ?? null, at };
    case 'NotifyStmt': {
      const raw = bodyOf(node, kind);
      return { type: 'notify', channel: raw.conditionname ?? '', payload: raw.payload ?? null, at };
    }
    case 'DiscardStmt':
      return lowerDiscard(cx, bodyOf(node, kind));
    case 'LockStmt':
      return lowerLockTable(cx, bodyOf(node, kind));
    case 'VacuumStmt':
      return lowerVacuum(cx, bodyOf(node, kind));
    case 'ReindexStmt':
      return lowerReindex(cx, bodyOf(node, kind));
    case 'ClusterStmt': {
      const raw = bodyOf(node, kind);
      const table = raw.relation === undefined ? null : lowerRelation(cx, raw.relation);
      return { type: 'cluster', table, index: raw.indexname ?? null, options: lowerOptions(cx, raw.params), at };
    }
    case 'CheckPointStmt':
      return { type: 'systemCheckpoint', at };
    case 'DoStmt':
      return lowerDo(cx, bodyOf(node, kind));
    case 'CallStmt':
      return { type: 'callProcedure', call: lowerCall(cx, bodyOf(node, kind).funccall!), at };
    case 'AlterSystemStmt': {
      const setting = lowerSetting(cx, bodyOf(node, kind).setstmt!);
      const action =
        setting.type === 'set' ? ({ kind: 'set', name: setting.name, values: setting.values } as const) : ({ kind: 'reset', name: setting.name } as const);
      return { type: 'alterSystem', action, at };
    }
    default:
      return { type: 'unsupported', what: commandOf(kind), at } satisfies Unsupported;
  }
}

function dropOne(cx: Lowering, kind: ObjectKind, name: string | undefined, missingOk: boolean | undefined): Drop {
  const objects = [{ name: [name ?? ''], args: null, dataType: null }];
  return { type: 'drop', kind, objects, ifExists: missingOk === true, cascade: false, concurrently: false, at: cx.statementAt };
}

function setDefault(cx: Lowering, database: string | undefined, role: pg.RoleSpec | undefined, setting: pg.VariableSetStmt): SetDefault {
  return {
    type: 'setDefault',
    database: database ?? null,
    role: role === undefined ? null : lowerRole(cx, role),
    setting: lowerSetting(cx, setting),
    at: cx.statementAt,
  };
}

function lowerCreateRule(cx: Lowering, raw: pg.RuleStmt): CreateRule {
  const events: Record<string, CreateRule['event']> = { CMD_SELECT: 'select', CMD_INSERT: 'insert', CMD_UPDATE: 'update', CMD_DELETE: 'delete' };
  return {
    type: 'createRule',
    replace: raw.replace === true,
    name: raw.rulename ?? '',
    table: lowerRelation(cx, raw.relation!),
    event: events[raw.event ?? ''],
    instead: raw.instead === true,
    where: raw.whereClause === undefined ? null : lowerExpression(cx, raw.whereClause),
    actions: (raw.actions ?? []).map((action) => lowerStatement(cx, action)),
    at: cx.statementAt,
  };
}

/** RETURN value in a function's body is SELECT value. */
function selectOf(cx: Lowering, node: pg.Node): Select {
  const value = lowerExpression(cx, node);
  return plainSelect([{ value, alias: null, at: value.at }], [], null, value.at);
}

const COMMANDS: Record<string, string> = {
  AlterObjectDependsStmt: 'ALTER … DEPENDS ON EXTENSION',
  AlterExtensionContentsStmt: 'ALTER EXTENSION',
  CreateTableSpaceStmt: 'CREATE TABLESPACE',
  DropTableSpaceStmt: 'DROP TABLESPACE',
  AlterTableSpaceOptionsStmt: 'ALTER TABLESPACE',
  CreateAmStmt: 'CREATE ACCESS METHOD',
  CreatePLangStmt: 'CREATE LANGUAGE',
};

/** `CreateTransformStmt` is CREATE TRANSFORM. */
function commandOf(kind: string): string {
  return (
    COMMANDS[kind] ??
    kind
      .replace(/Stmt$/, '')
      .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
      .toUpperCase()
  );
}
