/** CREATE OPERATOR CLASS, CREATE and ALTER OPERATOR FAMILY. */
import type * as pg from '@pgsql/types';
import type { AlterOperatorFamily, CreateOperatorClass, CreateOperatorFamily, OperatorClassItem } from '../ast/define.ts';
import { lowerObjectWithArgs } from './lower-object-name.ts';
import { lowerTypeName } from './lower-type-name.ts';
import { bodyOf, type Lowering, strings, stringsOrNull } from './lowering.ts';

export function lowerCreateOperatorFamily(cx: Lowering, raw: pg.CreateOpFamilyStmt): CreateOperatorFamily {
  return { type: 'createOperatorFamily', name: strings(raw.opfamilyname), method: raw.amname ?? '', at: cx.statementAt };
}

export function lowerCreateOperatorClass(cx: Lowering, raw: pg.CreateOpClassStmt): CreateOperatorClass {
  return {
    type: 'createOperatorClass',
    name: strings(raw.opclassname),
    family: stringsOrNull(raw.opfamilyname),
    method: raw.amname ?? '',
    dataType: lowerTypeName(cx, raw.datatype!),
    standard: raw.isDefault === true,
    items: lowerItems(cx, raw.items),
    at: cx.statementAt,
  };
}

export function lowerAlterOperatorFamily(cx: Lowering, raw: pg.AlterOpFamilyStmt): AlterOperatorFamily {
  return {
    type: 'alterOperatorFamily',
    name: strings(raw.opfamilyname),
    method: raw.amname ?? '',
    drop: raw.isDrop === true,
    items: lowerItems(cx, raw.items),
    at: cx.statementAt,
  };
}

/** As the grammar numbers them. */
const OPERATOR = 1;
const FUNCTION = 2;

function lowerItems(cx: Lowering, nodes: pg.Node[] | undefined): OperatorClassItem[] {
  return (nodes ?? []).map((node): OperatorClassItem => {
    const raw = bodyOf(node, 'CreateOpClassItem');
    const { itemtype, number: place = 0, name } = raw;
    if (itemtype !== OPERATOR && itemtype !== FUNCTION) return { kind: 'storage', dataType: lowerTypeName(cx, raw.storedtype!) };
    const types = raw.class_args?.map((each) => lowerTypeName(cx, bodyOf(each, 'TypeName'))) ?? null;
    const named = name === undefined ? null : lowerObjectWithArgs(cx, name);
    if (itemtype === FUNCTION) return { kind: 'function', place, routine: named, types };
    // An operator without types has an empty list of them.
    const operator = named?.args?.length === 0 ? { ...named, args: null } : named;
    return { kind: 'operator', place, operator, sortFamily: stringsOrNull(raw.order_family), types };
  });
}
