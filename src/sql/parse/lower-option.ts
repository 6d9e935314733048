/** Definition elements (`name = value`) and roles. */
import type * as pg from '@pgsql/types';
import type { Option, OptionValue, Role } from '../ast/define.ts';
import { plainNumber } from './lower-expression.ts';
import { lowerSetting } from './lower-session.ts';
import { lowerTypeName } from './lower-type-name.ts';
import { bodyOf, kindOf, type Lowering } from './lowering.ts';

export function lowerOptions(cx: Lowering, nodes: pg.Node[] | undefined): Option[] {
  return (nodes ?? []).map((node) => lowerOption(cx, bodyOf(node, 'DefElem')));
}

export function lowerOption(cx: Lowering, raw: pg.DefElem): Option {
  const actions = { DEFELEM_UNSPEC: 'none', DEFELEM_SET: 'set', DEFELEM_ADD: 'add', DEFELEM_DROP: 'drop' } as const;
  return {
    namespace: raw.defnamespace ?? null,
    name: raw.defname ?? '',
    value: raw.arg === undefined ? null : lowerOptionValue(cx, raw.arg),
    action: actions[raw.defaction ?? 'DEFELEM_UNSPEC'],
    at: cx.at(raw.location),
  };
}

export function lowerOptionValue(cx: Lowering, node: pg.Node): OptionValue {
  const kind = kindOf(node);
  switch (kind) {
    case 'String':
      return { type: 'string', value: bodyOf(node, kind).sval ?? '' };
    case 'Integer':
      return { type: 'integer', value: bodyOf(node, kind).ival ?? 0 };
    case 'Float':
      return { type: 'number', text: plainNumber(bodyOf(node, kind).fval ?? '0') };
    case 'Boolean':
      return { type: 'boolean', value: bodyOf(node, kind).boolval === true };
    case 'A_Star':
      return { type: 'star' };
    case 'TypeName':
      return { type: 'typeName', value: lowerTypeName(cx, bodyOf(node, kind)) };
    case 'RoleSpec':
      return { type: 'role', value: lowerRole(cx, bodyOf(node, kind)) };
    case 'List': {
      const items = bodyOf(node, kind).items ?? [];
      if (items.length > 0 && kindOf(items[0]) === 'DefElem') return { type: 'options', values: lowerOptions(cx, items) };
      return { type: 'list', values: items.map((item) => lowerOptionValue(cx, item)) };
    }
    case 'A_Const': {
      const raw = bodyOf(node, kind);
      if (raw.sval !== undefined) return { type: 'string', value: raw.sval.sval ?? '' };
      if (raw.fval !== undefined) return { type: 'number', text: plainNumber(raw.fval.fval ?? '0') };
      if (raw.boolval !== undefined) return { type: 'boolean', value: raw.boolval.boolval === true };
      return { type: 'integer', value: raw.ival?.ival ?? 0 };
    }
    case 'VariableSetStmt':
      return { type: 'setting', value: lowerSetting(cx, bodyOf(node, kind)) };
    case 'ParamRef':
      throw cx.misplacedParameter(bodyOf(node, kind));
    default:
      throw cx.unsupported(`an option of kind ${kind}`, cx.statementAt);
  }
}

export function lowerRole(cx: Lowering, raw: pg.RoleSpec): Role {
  const kinds = {
    ROLESPEC_CSTRING: 'named',
    ROLESPEC_CURRENT_ROLE: 'currentRole',
    ROLESPEC_CURRENT_USER: 'currentUser',
    ROLESPEC_SESSION_USER: 'sessionUser',
    ROLESPEC_PUBLIC: 'public',
  } as const;
  return { kind: kinds[raw.roletype ?? 'ROLESPEC_CSTRING'], name: raw.rolename ?? null, at: cx.at(raw.location) };
}
