/** Types by oid, and typed tables for row operations and merges, over the library's types and functions. */
import { relationOfRowType } from '../../worlds/definition.ts';
import type { TypedTables } from '../../worlds/typed-tables.ts';
import { Binder } from '../bind/binder.ts';
import { scriptsOver } from '../catalog/difference/script.ts';
import { systemRowType } from '../catalog/system-row-types.ts';
import { LIBRARY } from '../library/library.ts';
import { FIRST_OWN_OID } from '../schema/oids.ts';
import type { TypeLookup } from '../schema/type-lookup.ts';
import { typedTablesOver } from '../schema/typed-tables.ts';
import { arrayType } from '../types/array-type.ts';
import { enumType } from '../types/enum-type.ts';
import { rangeTypes } from '../types/range-type.ts';
import type { SqlType } from '../types/type.ts';
import { domainTest } from './domain-test.ts';
import { namedInText } from './named-in-text.ts';
import { storedCompiler } from './stored-compiler.ts';
import { followedObject } from './view-text.ts';

/** Types by oid, built-in and user-defined. */
export const TYPE_LOOKUP: TypeLookup = {
  byOid: (oid) => LIBRARY.typeByOid(oid) ?? systemRow(oid),
  arrayOf: (element) => arrayType(element, element.arrayOid),
  enumOf: enumType,
  rangeOf: (subtype, { number, array, name, multirange, multirangeArray, multirangeName }) =>
    rangeTypes(subtype, {
      oid: number,
      arrayOid: array,
      name,
      multirangeOid: multirange,
      multirangeArrayOid: multirangeArray,
      multirangeName,
      next: null,
    }),
  domainTest: (schema, base, sql) => domainTest(LIBRARY, schema, base, sql),
};

/** The row type of a system relation, or the array type over it. */
function systemRow(oid: number): SqlType | null {
  const relation = relationOfRowType(oid);
  const type = relation === null || relation >= FIRST_OWN_OID ? null : systemRowType(LIBRARY, relation);
  return type === null || type.oid === oid ? type : arrayType(type, type.arrayOid);
}

const { definitionsOf, boundIn, ...scripts } = scriptsOver(LIBRARY, TYPE_LOOKUP, namedInText);
const followed: TypedTables['followed'] = (catalog, object, changes, words) => {
  const { schema, stored, env } = boundIn(catalog);
  const binder = (): Binder => {
    const made = new Binder(stored, LIBRARY, env, { types: [], fixed: true });
    made.stored = true;
    return made;
  };
  return followedObject({ schema, binder }, object, changes, words);
};
/** For the context of a database. */
export const TYPED_TABLES: TypedTables = { ...typedTablesOver(TYPE_LOOKUP, storedCompiler(LIBRARY), scripts, definitionsOf), followed };
