/** Types in DECLARE: type names, `table.column%TYPE`, `variable%TYPE`, `table%ROWTYPE`. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import { TextCache } from '../../../base/text-cache.ts';
import type { TypeName } from '../../ast/type-name.ts';
import { bindTypeName, type NamedType } from '../../bind/type-name.ts';
import { parse } from '../../parse/parse.ts';
import { binderOf } from '../define-table.ts';
import type { Surroundings } from './fragment.ts';

export function declaredType(at: Surroundings, written: string): NamedType {
  const { session, scope } = at;
  const copied = /^(.*?)\s*%\s*(type|rowtype)\s*((?:\[\d*\]|\s+array)*)$/is.exec(written);
  if (copied === null) return namedType(at, written);
  const [, name, kind, dimensions] = copied;
  const parts = partsOf(name);
  const array = dimensions.trim() !== '';
  let found: NamedType;
  if (kind.toLowerCase() === 'rowtype') found = namedType(at, name);
  else {
    const variable = scope.find(parts[0]);
    const owner = parts.slice(0, -1);
    if (variable !== null && parts.length === 1) found = { type: variable.type, typmod: variable.typmod };
    else if (owner.length === 0) throw new SvcError('42704', `variable "${name}" does not exist`);
    else {
      const binder = binderOf(session);
      found = bindTypeName(binder, { schema: null, name: parts[parts.length - 1], typmods: [], arrayBounds: [], setOf: false, columnOf: owner, at: 0 });
    }
  }
  if (!array) return found;
  return { type: binderOf(session).coercion.arrayOf(found.type), typmod: found.typmod };
}

function namedType({ session }: Surroundings, written: string): NamedType {
  if (/^record$/i.test(written)) return { type: session.host.registry.type('record'), typmod: -1 };
  let name = parsed.get(written);
  if (name === undefined) parsed.set(written, (name = parsedName(written)));
  return bindTypeName(binderOf(session), name);
}

/** Names as they are written in declarations; a block parses its own at each entry otherwise. */
const parsed = new TextCache<TypeName>(1000, 100_000);

function parsedName(written: string): TypeName {
  const [statement] = parse(`SELECT NULL::${written}`);
  const value = statement?.type === 'select' ? statement.items[0]?.value : undefined;
  if (value?.type !== 'cast') throw new SvcError('42601', `"${written}" is no type`);
  return value.to;
}

function partsOf(name: string): string[] {
  return [...name.matchAll(/"((?:[^"]|"")*)"|([^.\s]+)/g)].map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain.toLowerCase());
}
