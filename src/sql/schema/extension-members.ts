/**
 * Members of an extension that something of the world hangs on. They are built in and stay when the extension goes; what uses
 * them goes with it, or refuses it, as DROP of a member of the world would.
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
  /** As errors name it. */
  readonly text: string;
  /** Of one of its types; the type of its arrays has the next oid. */
  readonly type?: { readonly oid: number; readonly name: string };
}

/** The order in which scripts of extensions make their members, types first; a type with subscripts hangs on the newest of them, the function behind those. */
const PLACE = { function: 3_000_000_000, operator: 3_000_000_001, class: 3_000_000_002, subscripted: 3_000_000_003 } as const;

/** The types of the extension, and of its other members those that are used, with numbers that say which is newer. */
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

/** Classes of extensions that the index stands on. */
export function classesBehind(ddl: Definitions, { method, columns }: IndexObject): { readonly extension: string; readonly text: string }[] {
  if (method === undefined) return [];
  return columns.flatMap(({ type: oid, operatorClass = null, ownClass }) => {
    const type = ownClass === undefined ? ddl.schema.typeByOid(oid) : null;
    const own = type === null ? null : extensionClassOf(method, type, operatorClass);
    return own === null ? [] : [{ extension: own.extension, text: `operator class ${own.name} for access method ${method}` }];
  });
}
