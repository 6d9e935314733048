/** Functions and procedures in SQL as definitions. */
import { SvcError } from '../../base/errors/svc-error.ts';
import { type FunctionObject, inputTypes, routineWord } from '../../worlds/definition.ts';
import type { Ddl } from './ddl.ts';
import { schemaMustExist } from './object-errors.ts';
import { openTemporarySchema } from './temporary-schema.ts';
import type { Schema, UserFunction } from './schema.ts';

/** `add1(integer)`. */
export function functionSignature(schema: Schema, { name, ...object }: FunctionObject, separator = ', '): string {
  return `${name}(${inputTypes({ name, ...object })
    .map((oid) => schema.typeByOid(oid)?.title ?? String(oid))
    .join(separator)})`;
}

/** An existing function with the same name and arguments. */
export function functionLike(schema: Schema, object: FunctionObject): FunctionObject | null {
  const types = inputTypes(object).join();
  return schema.functionsNamed(object.schema, object.name).find((each) => inputTypes(each.object).join() === types)?.object ?? null;
}

export function createFunction(ddl: Ddl, object: FunctionObject, replace: boolean): number {
  openTemporarySchema(ddl, object.schema);
  schemaMustExist(ddl.schema, object.schema);
  const found = functionLike(ddl.schema, object);
  if (found !== null) {
    if (!replace) throw new SvcError('42723', `function "${object.name}" already exists with same argument types`);
    const word = routineWord(found);
    if (word !== routineWord(object)) {
      throw new SvcError('42809', 'cannot change routine kind', {
        detail: `"${object.name}" is a${word === 'aggregate' ? 'n aggregate function' : ` ${word}`}.`,
      });
    }
    const shape = (each: FunctionObject): string =>
      JSON.stringify([
        each.returns,
        each.set,
        each.columns,
        each.returns === 2249 ? each.args.filter(({ mode }) => mode !== 'in' && mode !== 'variadic').map(({ name, type }) => [name, type]) : [],
      ]);
    if (shape(found) !== shape(object)) {
      throw new SvcError(
        '42P13',
        found.returns === object.returns && found.set === object.set
          ? 'cannot change return type of existing function'
          : 'cannot change return type of existing function',
        {
          ...(found.returns === 2249 && object.returns === 2249 && found.set === object.set
            ? { detail: 'Row type defined by OUT parameters is different.' }
            : {}),
          hint: `Use DROP ${word.toUpperCase()} ${functionSignature(ddl.schema, found, ',')} first.`,
        },
      );
    }
    const given = object.args.filter(isInput);
    found.args.filter(isInput).forEach((arg, i) => {
      const now = given[i];
      if (arg.name !== null && arg.name !== '' && now !== undefined && now.name !== arg.name) {
        throw new SvcError('42P13', `cannot change name of input parameter "${arg.name}"`, {
          hint: `Use DROP FUNCTION ${functionSignature(ddl.schema, found, ',')} first.`,
        });
      }
      if (arg.default !== null && now?.default === null) {
        throw new SvcError('42P13', 'cannot remove parameter defaults from existing function', {
          hint: `Use DROP FUNCTION ${functionSignature(ddl.schema, found, ',')} first.`,
        });
      }
    });
  }
  object.number = found?.number ?? ddl.numberFor(object);
  ddl.rewritten.add(object.number);
  ddl.put(object);
  return object.number;
}

function isInput({ mode }: FunctionObject['args'][number]): boolean {
  return mode !== 'out' && mode !== 'table';
}

/** A procedure may be named with or without its output arguments. */
function isMeant(object: FunctionObject, types: readonly number[]): boolean {
  return [inputTypes(object), object.args.filter(isInput).map(({ type }) => type)].some((each) => each.join() === types.join());
}

export type RoutineKind = 'function' | 'procedure' | 'routine' | 'aggregate';

/** The function that is meant; `types` null: the only one of the name. null: there is none. FUNCTION includes aggregates. */
export function findFunction(
  schema: Schema,
  schemas: readonly string[],
  kind: RoutineKind,
  name: string,
  types: readonly number[] | null,
  shown: string,
): UserFunction | null {
  for (const each of schemas) {
    const named = schema
      .functionsNamed(each, name)
      .filter(({ object }) => kind === 'routine' || routineWord(object) === kind || (kind === 'function' && object.aggregate !== undefined));
    if (types === null) {
      if (named.length > 1) {
        throw new SvcError('42725', `${kind} name "${name}" is not unique`, { hint: `Specify the argument list to select the ${kind} unambiguously.` });
      }
      if (named.length === 1) return named[0];
    } else {
      const found = named.find(({ object, inputs }) => inputs.map(({ type }) => type.oid).join() === types.join() || isMeant(object, types));
      if (found !== undefined) return found;
    }
    const other = types === null ? undefined : schema.functionsNamed(each, name).find(({ object }) => isMeant(object, types));
    if (other === undefined) continue;
    if (kind === 'aggregate') throw new SvcError('42809', `function ${shown} is not an aggregate`);
    throw new SvcError('42809', `${shown} is not a ${kind}`);
  }
  return null;
}

export function putFunction(ddl: Ddl, number: number, change: Partial<FunctionObject>): void {
  ddl.put({ ...ddl.schema.functions.get(number)!.object, ...change });
}
