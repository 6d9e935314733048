/**
 * Members of an extension with dependents in the world. They are built in and stay when the extension is dropped; their dependents
 * go with it, or block it, as for DROP of a user-defined object.
 */
import { shownName } from './shown-name.ts';
import type { IndexObject } from '../../worlds/definition.ts';
import type { Definitions } from './drop-target.ts';
import { EXTENSION_TYPES } from './extension-types.ts';
import { extensionClassOf } from './index-methods.ts';
import { OID } from './oids.ts';
import { textDependents } from './text-dependents.ts';

export interface ExtensionMember {
  readonly kind: 'extension member';
  readonly extension: string;
  /** Its description in errors. */
  readonly text: string;
  /** Of one of its types; its array type has the next oid. */
  readonly type?: { readonly oid: number; readonly name: string };
}

/** The order in which extension scripts create their members, types first; a type with subscripts depends on the newest of them, the function after those. */
const PLACE = { function: 3_000_000_000, operator: 3_000_000_001, class: 3_000_000_002, subscripted: 3_000_000_003 } as const;

/** The types of the extension, and its other members in use, with numbers that order them by age. */
export function usedMembers(ddl: Definitions, extension: string): { member: ExtensionMember; place: number }[] {
  const found = new Map<string, number>();
  textDependents(
    ddl,
    () => true,
    ({ members }) => {
      for (const text of members.get(extension) ?? []) found.set(text, text.startsWith('operator') ? PLACE.operator : PLACE.function);
      return false;
    },
  );
  for (const object of ddl.definitions.values()) {
    if (object.what !== 'index') continue;
    for (const each of classesBehind(ddl, object)) if (each.extension === extension) found.set(each.text, PLACE.class);
  }
  const { schema } = ddl.schema.extensions.get(extension)!;
  const types = [...EXTENSION_TYPES].flatMap(([oid, name]) => {
    const type = name === extension ? ddl.schema.typeByOid(oid) : null;
    return type === null || type.category === 'A' ? [] : [type];
  });
  return [
    ...types.map(({ oid, name, title }) => ({
      member: { kind: 'extension member', extension, text: `type ${shownName(ddl, schema, title)}`, type: { oid, name } } as const,
      place: oid === OID.hstore ? PLACE.subscripted : oid,
    })),
    ...[...found].map(([text, place]) => ({ member: { kind: 'extension member', extension, text } as const, place })),
  ];
}

/** Operator classes of extensions that the index uses. */
export function classesBehind(ddl: Definitions, { method, columns }: IndexObject): { readonly extension: string; readonly text: string }[] {
  if (method === undefined) return [];
  return columns.flatMap(({ type: oid, operatorClass = null, ownClass }) => {
    const type = ownClass === undefined ? ddl.schema.typeByOid(oid) : null;
    const own = type === null ? null : extensionClassOf(method, type, operatorClass);
    return own === null ? [] : [{ extension: own.extension, text: `operator class ${own.name} for access method ${method}` }];
  });
}
