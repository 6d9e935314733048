/** Schemas, types, domains, functions, databases, roles, privileges, and operations on any object by its name. */
import type * as pg from '@pgsql/types';
import type {
  AlterDomain,
  AlterEnum,
  AlterFunction,
  AlterDefaultPrivileges,
  AlterPolicy,
  AlterRole,
  Comment,
  CreateDatabase,
  CreateDomain,
  CreateExtension,
  UpdateExtension,
  CreateFunction,
  CreatePolicy,
  AlterEventTrigger,
  CreateEventTrigger,
  CreateTrigger,
  CreateRole,
  CreateSchema,
  CreateType,
  Drop,
  AlterDatabase,
  GrantParameter,
  DropDatabase,
  DropOwned,
  DropRole,
  Grant,
  GrantRole,
  ObjectName,
  Rename,
  MoveAll,
  ReassignOwned,
  Role,
  SecurityLabel,
  SetOwner,
  SetSchema,
} from '../ast/define.ts';
import type { Unsupported } from '../ast/session.ts';
import type { Statement } from '../ast/statement.ts';
import { lowerColumnConstraints, lowerColumnDefinition } from './lower-constraint.ts';
import { lowerExpression } from './lower-expression.ts';
import { lowerObjectWithArgs, lowerFunctionArgument, lowerObjectName, named, objectKindOf, partsOfRelation } from './lower-object-name.ts';
import { lowerOptions, lowerRole } from './lower-option.ts';
import { lowerRelation } from './lower-query.ts';
import { lowerStatement } from './lower-statement.ts';
import { lowerTypeName } from './lower-type-name.ts';
import { bodyOf, kindOf, listItems, strings, stringsOrNull, type Lowering } from './lowering.ts';

export function lowerCreateSchema(cx: Lowering, raw: pg.CreateSchemaStmt): CreateSchema {
  return {
    type: 'createSchema',
    name: raw.schemaname ?? null,
    owner: raw.authrole === undefined ? null : lowerRole(cx, raw.authrole),
    ifNotExists: raw.if_not_exists === true,
    elements: (raw.schemaElts ?? []).map((node) => lowerStatement(cx, node)),
    at: cx.statementAt,
  };
}

export function lowerCreateEnum(cx: Lowering, raw: pg.CreateEnumStmt): CreateType {
  return { type: 'createType', name: strings(raw.typeName), definition: { kind: 'enum', labels: strings(raw.vals) }, at: cx.statementAt };
}

export function lowerCompositeType(cx: Lowering, raw: pg.CompositeTypeStmt): CreateType {
  const columns = (raw.coldeflist ?? []).map((node) => lowerColumnDefinition(cx, bodyOf(node, 'ColumnDef')));
  return { type: 'createType', name: partsOfRelation(raw.typevar!), definition: { kind: 'composite', columns }, at: cx.statementAt };
}

export function lowerCreateRange(cx: Lowering, raw: pg.CreateRangeStmt): CreateType {
  return { type: 'createType', name: strings(raw.typeName), definition: { kind: 'range', options: lowerOptions(cx, raw.params) }, at: cx.statementAt };
}

export function lowerAlterEnum(cx: Lowering, raw: pg.AlterEnumStmt): AlterEnum {
  return {
    type: 'alterEnum',
    name: strings(raw.typeName),
    action:
      raw.oldVal === undefined
        ? {
            kind: 'add',
            label: raw.newVal ?? '',
            ifNotExists: raw.skipIfNewValExists === true,
            neighbor: raw.newValNeighbor ?? null,
            after: raw.newValIsAfter === true,
          }
        : { kind: 'rename', label: raw.oldVal, to: raw.newVal ?? '' },
    at: cx.statementAt,
  };
}

export function lowerCreateDomain(cx: Lowering, raw: pg.CreateDomainStmt): CreateDomain {
  return {
    type: 'createDomain',
    name: strings(raw.domainname),
    dataType: lowerTypeName(cx, raw.typeName!),
    collation: stringsOrNull(raw.collClause?.collname),
    constraints: lowerColumnConstraints(cx, raw.constraints),
    at: cx.statementAt,
  };
}

export function lowerAlterDomain(cx: Lowering, raw: pg.AlterDomainStmt): AlterDomain {
  return { type: 'alterDomain', name: strings(raw.typeName), action: lowerDomainAction(cx, raw), at: cx.statementAt };
}

function lowerDomainAction(cx: Lowering, raw: pg.AlterDomainStmt): AlterDomain['action'] {
  const name = raw.name ?? '';
  switch (raw.subtype) {
    case 'T':
      return raw.def === undefined ? { kind: 'dropDefault' } : { kind: 'setDefault', value: lowerExpression(cx, raw.def) };
    case 'N':
      return { kind: 'dropNotNull' };
    case 'O':
      return { kind: 'setNotNull' };
    case 'C':
      return { kind: 'addConstraint', constraint: lowerColumnConstraints(cx, [raw.def!])[0] };
    case 'X':
      return { kind: 'dropConstraint', name, ifExists: raw.missing_ok === true, cascade: raw.behavior === 'DROP_CASCADE' };
    default:
      return { kind: 'validateConstraint', name };
  }
}

export function lowerCreateFunction(cx: Lowering, raw: pg.CreateFunctionStmt): CreateFunction {
  return {
    type: 'createFunction',
    kind: raw.is_procedure === true ? 'procedure' : 'function',
    name: strings(raw.funcname),
    replace: raw.replace === true,
    args: (raw.parameters ?? []).map((node) => lowerFunctionArgument(cx, bodyOf(node, 'FunctionParameter'))),
    returns: raw.returnType === undefined ? null : lowerTypeName(cx, raw.returnType),
    options: lowerOptions(cx, raw.options),
    body: lowerFunctionBody(cx, raw.sql_body),
    at: cx.statementAt,
  };
}

export function lowerAlterFunction(cx: Lowering, raw: pg.AlterFunctionStmt): AlterFunction {
  const kind = objectKindOf(raw.objtype);
  return {
    type: 'alterFunction',
    kind: kind === 'procedure' || kind === 'routine' ? kind : 'function',
    object: lowerObjectWithArgs(cx, raw.func!),
    options: lowerOptions(cx, raw.actions),
    at: cx.statementAt,
  };
}

function lowerFunctionBody(cx: Lowering, node: pg.Node | undefined): CreateFunction['body'] {
  if (node === undefined) return null;
  if (kindOf(node) === 'ReturnStmt') return { type: 'return', value: lowerExpression(cx, bodyOf(node, 'ReturnStmt').returnval!) };
  const statements: Statement[] = [];
  for (const list of listItems(node)) {
    if (kindOf(list) !== 'List') continue;
    for (const statement of listItems(list)) statements.push(lowerStatement(cx, statement));
  }
  return { type: 'atomic', statements };
}

export function lowerCreateExtension(cx: Lowering, raw: pg.CreateExtensionStmt): CreateExtension {
  return {
    type: 'createExtension',
    name: raw.extname ?? '',
    ifNotExists: raw.if_not_exists === true,
    options: lowerOptions(cx, raw.options),
    at: cx.statementAt,
  };
}

export function lowerUpdateExtension(cx: Lowering, raw: pg.AlterExtensionStmt): UpdateExtension {
  const version = lowerOptions(cx, raw.options).find(({ name }) => name === 'new_version')?.value;
  return { type: 'updateExtension', name: raw.extname ?? '', version: version?.type === 'string' ? version.value : null, at: cx.statementAt };
}

export function lowerCreateDatabase(cx: Lowering, raw: pg.CreatedbStmt): CreateDatabase {
  return { type: 'createDatabase', name: raw.dbname ?? '', options: lowerOptions(cx, raw.options), at: cx.statementAt };
}

export function lowerAlterDatabase(cx: Lowering, raw: pg.AlterDatabaseStmt): AlterDatabase {
  return { type: 'alterDatabase', name: raw.dbname ?? '', action: 'options', options: lowerOptions(cx, raw.options), at: cx.statementAt };
}

export function lowerDropDatabase(cx: Lowering, raw: pg.DropdbStmt): DropDatabase {
  const force = (raw.options ?? []).some((node) => bodyOf(node, 'DefElem').defname === 'force');
  return { type: 'dropDatabase', name: raw.dbname ?? '', ifExists: raw.missing_ok === true, force, at: cx.statementAt };
}

export function lowerCreateRole(cx: Lowering, raw: pg.CreateRoleStmt): CreateRole {
  const kind = raw.stmt_type === 'ROLESTMT_USER' ? 'user' : raw.stmt_type === 'ROLESTMT_GROUP' ? 'group' : 'role';
  return { type: 'createRole', kind, name: raw.role ?? '', options: lowerOptions(cx, raw.options), at: cx.statementAt };
}

/** ALTER GROUP … DROP USER has the options' action `drop`. */
export function lowerAlterRole(cx: Lowering, raw: pg.AlterRoleStmt): AlterRole {
  const options = lowerOptions(cx, raw.options);
  if (raw.action === -1) for (const option of options) option.action = 'drop';
  return { type: 'alterRole', role: lowerRole(cx, raw.role!), options, at: cx.statementAt };
}

export function lowerDropRole(cx: Lowering, raw: pg.DropRoleStmt): DropRole {
  const roles = (raw.roles ?? []).map((node) => lowerRole(cx, bodyOf(node, 'RoleSpec')));
  return { type: 'dropRole', roles, ifExists: raw.missing_ok === true, at: cx.statementAt };
}

export function lowerComment(cx: Lowering, raw: pg.CommentStmt): Comment | Unsupported {
  const kind = objectKindOf(raw.objtype);
  if (kind === null) return { type: 'unsupported', what: `COMMENT ON ${raw.objtype}`, at: cx.statementAt };
  return { type: 'comment', kind, object: lowerObjectName(cx, raw.object!), text: raw.comment ?? null, at: cx.statementAt };
}

export function lowerSecurityLabel(cx: Lowering, raw: pg.SecLabelStmt): SecurityLabel | Unsupported {
  const kind = objectKindOf(raw.objtype);
  if (kind === null) return { type: 'unsupported', what: `SECURITY LABEL ON ${raw.objtype}`, at: cx.statementAt };
  const object = lowerObjectName(cx, raw.object!);
  return { type: 'securityLabel', provider: raw.provider ?? null, kind, object, label: raw.label ?? null, at: cx.statementAt };
}

export function lowerDrop(cx: Lowering, raw: pg.DropStmt): Drop | Unsupported {
  const kind = objectKindOf(raw.removeType);
  if (kind === null) return { type: 'unsupported', what: `DROP ${raw.removeType}`, at: cx.statementAt };
  return {
    type: 'drop',
    kind,
    objects: (raw.objects ?? []).map((node) => lowerObjectName(cx, node)),
    ifExists: raw.missing_ok === true,
    cascade: raw.behavior === 'DROP_CASCADE',
    concurrently: raw.concurrent === true,
    at: cx.statementAt,
  };
}

function lowerTarget(cx: Lowering, relation: pg.RangeVar | undefined, object: pg.Node | undefined, part: string | undefined): ObjectName {
  const own = part === undefined ? [] : [part];
  if (relation !== undefined) return named(...partsOfRelation(relation), ...own);
  if (object === undefined) return named(...own);
  const target = lowerObjectName(cx, object);
  target.name.push(...own);
  return target;
}

export function lowerRename(cx: Lowering, raw: pg.RenameStmt): Rename | Unsupported {
  const kind = objectKindOf(raw.renameType);
  if (kind === null) return { type: 'unsupported', what: `ALTER ${raw.renameType} RENAME`, at: cx.statementAt };
  let of: Rename['of'] = null;
  if (kind === 'column' || kind === 'attribute') of = objectKindOf(raw.relationType);
  else if (kind === 'domain constraint') of = 'domain';
  else if (kind === 'constraint' || kind === 'trigger' || kind === 'rule' || kind === 'policy') of = 'table';
  return {
    type: 'rename',
    kind,
    of,
    object: lowerTarget(cx, raw.relation, raw.object, raw.subname),
    to: raw.newname ?? '',
    ifExists: raw.missing_ok === true,
    cascade: raw.behavior === 'DROP_CASCADE',
    only: raw.relation !== undefined && raw.relation.inh !== true && kind !== 'attribute',
    at: cx.statementAt,
  };
}

export function lowerSetSchema(cx: Lowering, raw: pg.AlterObjectSchemaStmt): SetSchema | Unsupported {
  const kind = objectKindOf(raw.objectType);
  if (kind === null) return { type: 'unsupported', what: `ALTER ${raw.objectType} SET SCHEMA`, at: cx.statementAt };
  const object = lowerTarget(cx, raw.relation, raw.object, undefined);
  return { type: 'setSchema', kind, object, schema: raw.newschema ?? '', ifExists: raw.missing_ok === true, at: cx.statementAt };
}

export function lowerSetOwner(cx: Lowering, raw: pg.AlterOwnerStmt): SetOwner | Unsupported {
  const kind = objectKindOf(raw.objectType);
  if (kind === null) return { type: 'unsupported', what: `ALTER ${raw.objectType} OWNER`, at: cx.statementAt };
  return { type: 'setOwner', kind, object: lowerTarget(cx, raw.relation, raw.object, undefined), owner: lowerRole(cx, raw.newowner!), at: cx.statementAt };
}

export function lowerGrant(cx: Lowering, raw: pg.GrantStmt): Grant | GrantParameter | Unsupported {
  if (raw.objtype === 'OBJECT_PARAMETER_ACL') {
    return {
      type: 'grantParameter',
      grant: raw.is_grant === true,
      privileges: (raw.privileges ?? []).map((node) => bodyOf(node, 'AccessPriv').priv_name ?? ''),
      names: strings(raw.objects),
      grantees: (raw.grantees ?? []).map((node) => lowerRole(cx, bodyOf(node, 'RoleSpec'))),
      grantOption: raw.grant_option === true,
      grantedBy: raw.grantor === undefined ? null : lowerRole(cx, raw.grantor),
      cascade: raw.behavior === 'DROP_CASCADE',
      at: cx.statementAt,
    };
  }
  const kind = objectKindOf(raw.objtype);
  if (kind === null) return { type: 'unsupported', what: `${raw.is_grant === true ? 'GRANT' : 'REVOKE'} ON ${raw.objtype}`, at: cx.statementAt };
  return {
    type: 'grant',
    grant: raw.is_grant === true,
    privileges: (raw.privileges ?? []).map((node) => {
      const privilege = bodyOf(node, 'AccessPriv');
      return { name: privilege.priv_name ?? null, columns: strings(privilege.cols) };
    }),
    kind,
    allInSchema: raw.targtype === 'ACL_TARGET_ALL_IN_SCHEMA',
    objects: (raw.objects ?? []).map((node) => lowerObjectName(cx, node)),
    grantees: (raw.grantees ?? []).map((node) => lowerRole(cx, bodyOf(node, 'RoleSpec'))),
    grantOption: raw.grant_option === true,
    grantedBy: raw.grantor === undefined ? null : lowerRole(cx, raw.grantor),
    cascade: raw.behavior === 'DROP_CASCADE',
    at: cx.statementAt,
  };
}

export function lowerDefaultPrivileges(cx: Lowering, raw: pg.AlterDefaultPrivilegesStmt): AlterDefaultPrivileges | Unsupported {
  const grant = lowerGrant(cx, raw.action!);
  if (grant.type === 'unsupported') return grant;
  if (grant.type === 'grantParameter') return { type: 'unsupported', what: 'ALTER DEFAULT PRIVILEGES ON PARAMETERS', at: cx.statementAt };
  const roles: Role[] = [];
  const schemas: string[] = [];
  for (const node of raw.options ?? []) {
    const option = bodyOf(node, 'DefElem');
    const items = option.arg === undefined ? [] : (bodyOf(option.arg, 'List').items ?? []);
    if (option.defname === 'schemas') schemas.push(...strings(items));
    else if (option.defname === 'roles') roles.push(...items.map((item) => lowerRole(cx, bodyOf(item, 'RoleSpec'))));
  }
  return { type: 'alterDefaultPrivileges', roles, schemas, grant, at: cx.statementAt };
}

const POLICY_COMMANDS = { all: 'all', select: 'select', insert: 'insert', update: 'update', delete: 'delete' } as const;

export function lowerCreatePolicy(cx: Lowering, raw: pg.CreatePolicyStmt): CreatePolicy {
  return {
    type: 'createPolicy',
    name: raw.policy_name ?? '',
    table: lowerRelation(cx, raw.table!),
    permissive: raw.permissive === true,
    command: POLICY_COMMANDS[(raw.cmd_name ?? 'all') as keyof typeof POLICY_COMMANDS],
    roles: (raw.roles ?? []).map((node) => lowerRole(cx, bodyOf(node, 'RoleSpec'))),
    using: raw.qual === undefined ? null : lowerExpression(cx, raw.qual),
    check: raw.with_check === undefined ? null : lowerExpression(cx, raw.with_check),
    at: cx.statementAt,
  };
}

/** Bits of pg_trigger.tgtype. */
const TRIGGER_EVENTS = { insert: 4, delete: 8, update: 16, truncate: 32 } as const;
const BEFORE = 2;
const INSTEAD = 64;

export function lowerCreateTrigger(cx: Lowering, raw: pg.CreateTrigStmt): CreateTrigger {
  const { timing = 0, events = 0 } = raw;
  return {
    type: 'createTrigger',
    replace: raw.replace === true,
    constraint: raw.isconstraint === true,
    name: raw.trigname ?? '',
    table: lowerRelation(cx, raw.relation!),
    function: strings(raw.funcname),
    args: strings(raw.args),
    row: raw.row === true,
    timing: timing === BEFORE ? 'before' : timing === INSTEAD ? 'instead of' : 'after',
    events: (['insert', 'delete', 'update', 'truncate'] as const).filter((event) => (events & TRIGGER_EVENTS[event]) !== 0),
    columns: strings(raw.columns),
    when: raw.whenClause === undefined ? null : lowerExpression(cx, raw.whenClause),
    transitions: (raw.transitionRels ?? []).map((node) => {
      const { name = '', isNew, isTable } = bodyOf(node, 'TriggerTransition');
      return { name, isNew: isNew === true, isTable: isTable === true };
    }),
    deferrable: raw.deferrable === true,
    initiallyDeferred: raw.initdeferred === true,
    from: raw.constrrel === undefined ? null : lowerRelation(cx, raw.constrrel),
    at: cx.statementAt,
  };
}

export function lowerCreateEventTrigger(cx: Lowering, raw: pg.CreateEventTrigStmt): CreateEventTrigger {
  return {
    type: 'createEventTrigger',
    name: raw.trigname ?? '',
    event: raw.eventname ?? '',
    filters: (raw.whenclause ?? []).map((node) => {
      const { defname = '', arg } = bodyOf(node, 'DefElem');
      return { name: defname, values: arg === undefined ? [] : strings(bodyOf(arg, 'List').items) };
    }),
    function: strings(raw.funcname),
    at: cx.statementAt,
  };
}

/** By the letter of pg_event_trigger.evtenabled. */
const FIRES: Readonly<Record<string, AlterEventTrigger['fires']>> = { O: 'origin', A: 'always', R: 'replica', D: 'never' };

export function lowerAlterEventTrigger(cx: Lowering, raw: pg.AlterEventTrigStmt): AlterEventTrigger {
  return { type: 'alterEventTrigger', name: raw.trigname ?? '', fires: FIRES[raw.tgenabled ?? 'O'], at: cx.statementAt };
}

export function lowerAlterPolicy(cx: Lowering, raw: pg.AlterPolicyStmt): AlterPolicy {
  return {
    type: 'alterPolicy',
    name: raw.policy_name ?? '',
    table: lowerRelation(cx, raw.table!),
    roles: raw.roles === undefined ? null : raw.roles.map((node) => lowerRole(cx, bodyOf(node, 'RoleSpec'))),
    using: raw.qual === undefined ? null : lowerExpression(cx, raw.qual),
    check: raw.with_check === undefined ? null : lowerExpression(cx, raw.with_check),
    at: cx.statementAt,
  };
}

export function lowerDropOwned(cx: Lowering, raw: pg.DropOwnedStmt): DropOwned {
  const roles = (raw.roles ?? []).map((node) => lowerRole(cx, bodyOf(node, 'RoleSpec')));
  return { type: 'dropOwned', roles, cascade: raw.behavior === 'DROP_CASCADE', at: cx.statementAt };
}

export function lowerMoveAll(cx: Lowering, raw: pg.AlterTableMoveAllStmt): MoveAll {
  return {
    type: 'moveAll',
    kind: raw.objtype === 'OBJECT_INDEX' ? 'index' : raw.objtype === 'OBJECT_MATVIEW' ? 'materialized view' : 'table',
    roles: (raw.roles ?? []).map((node) => lowerRole(cx, bodyOf(node, 'RoleSpec'))),
    from: raw.orig_tablespacename ?? '',
    to: raw.new_tablespacename ?? '',
    at: cx.statementAt,
  };
}

export function lowerReassignOwned(cx: Lowering, raw: pg.ReassignOwnedStmt): ReassignOwned {
  const roles = (raw.roles ?? []).map((node) => lowerRole(cx, bodyOf(node, 'RoleSpec')));
  return { type: 'reassignOwned', roles, to: lowerRole(cx, raw.newrole!), at: cx.statementAt };
}

export function lowerGrantRole(cx: Lowering, raw: pg.GrantRoleStmt): GrantRole {
  return {
    type: 'grantRole',
    grant: raw.is_grant === true,
    roles: (raw.granted_roles ?? []).map((node) => {
      const role = bodyOf(node, 'AccessPriv');
      if (role.cols !== undefined) throw cx.syntaxError('column names cannot be included in GRANT/REVOKE ROLE', cx.statementAt);
      return role.priv_name ?? '';
    }),
    grantees: (raw.grantee_roles ?? []).map((node) => lowerRole(cx, bodyOf(node, 'RoleSpec'))),
    options: lowerOptions(cx, raw.opt),
    grantedBy: raw.grantor === undefined ? null : lowerRole(cx, raw.grantor),
    cascade: raw.behavior === 'DROP_CASCADE',
    at: cx.statementAt,
  };
}
