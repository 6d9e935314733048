/** CREATE EXTENSION and DROP EXTENSION. */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { ExtensionObject, WrapperObject } from '../../worlds/definition.ts';
import type { CreateExtension, UpdateExtension } from '../ast/define.ts';
import { EXTENSIONS } from '../catalog/extensions.ts';
import type { Ddl } from '../schema/ddl.ts';
import { dropObjects } from '../schema/drop.ts';
import type { DropTarget } from '../schema/drop-target.ts';
import { schemaMustExist } from '../schema/object-errors.ts';
import { setComment } from '../schema/other-objects.ts';
import { refuseTaken } from './unscoped-objects.ts';

/** The language is always installed. */
const PLPGSQL = 'plpgsql';
const PLPGSQL_VERSION = '1.0';

/** The user that creates an extension: `creates` in the database; superusers may also create those that are not trusted. */
export interface Maker {
  readonly superuser: boolean;
  readonly creates: boolean;
}

/** `current`: the schema for objects without one, resolved only if needed. */
export function createExtension(ddl: Ddl, { name, ifNotExists, options }: CreateExtension, { superuser, creates }: Maker, current: () => string): void {
  const known = EXTENSIONS.get(name);
  if (name === PLPGSQL || ddl.schema.extensions.has(name)) {
    if (!ifNotExists) throw new SvcError('42710', `extension "${name}" already exists`);
    ddl.notice('42710', `extension "${name}" already exists, skipping`);
    return;
  }
  if (known === undefined) {
    throw new SvcError('0A000', `extension "${name}" is not available`, {
      hint: `There are ${[...EXTENSIONS.keys()].join(', ')}.`,
    });
  }
  const trusted = known.wrapper === undefined;
  if (!superuser && !(trusted && creates)) {
    const hint = trusted ? 'Must have CREATE privilege on current database to create this extension.' : 'Must be superuser to create this extension.';
    throw new SvcError('42501', `permission denied to create extension "${name}"`, { hint });
  }
  const wanted = options.find((option) => option.name === 'schema')?.value;
  const schema = wanted?.type === 'string' ? wanted.value : current();
  if (schema !== 'pg_catalog') schemaMustExist(ddl.schema, schema);
  const object: ExtensionObject = { what: 'extension', number: 0, name, schema, version: known.version };
  object.number = ddl.numberFor(object);
  ddl.put(object);
  if (known.wrapper === undefined) return;
  const wrapper: WrapperObject = {
    what: 'foreign data wrapper',
    number: 0,
    name: known.wrapper.name,
    handler: { name: known.wrapper.handler },
    validator: { name: known.wrapper.validator },
    options: [],
    extension: name,
  };
  refuseTaken(ddl.schema, wrapper.what, wrapper.name);
  wrapper.number = ddl.numberFor(wrapper);
  ddl.put(wrapper);
}

/** Each extension has one version. 22023 for another. */
export function updateExtension(ddl: Ddl, { name, version }: UpdateExtension): void {
  const installed = name === PLPGSQL ? PLPGSQL_VERSION : ddl.schema.extensions.get(name)?.version;
  if (installed === undefined) throw new SvcError('42704', `extension "${name}" does not exist`);
  if (version !== null && version !== installed) {
    throw new SvcError('22023', `extension "${name}" has no update path from version "${installed}" to version "${version}"`);
  }
  ddl.notice('00000', `version "${installed}" of extension "${name}" is already installed`);
}

/** ALTER EXTENSION … SET SCHEMA; `mayCreate` checks the privilege. */
export function moveExtension(ddl: Ddl, name: string, schema: string, mayCreate: () => void): void {
  if (name === PLPGSQL) throw new SvcError('0A000', `extension "${name}" does not support SET SCHEMA`);
  const object = ddl.schema.extensions.get(name);
  if (object === undefined) throw new SvcError('42704', `extension "${name}" does not exist`);
  schemaMustExist(ddl.schema, schema);
  mayCreate();
  ddl.put({ ...object, schema });
}

export function dropExtensions(ddl: Ddl, names: readonly string[], ifExists: boolean, cascade: boolean): void {
  const targets: DropTarget[] = [];
  for (const name of names) {
    if (name === PLPGSQL) throw new SvcError('2BP01', `cannot drop extension ${name} because it is required by the database system`);
    const object = ddl.schema.extensions.get(name);
    if (object === undefined) {
      if (!ifExists) throw new SvcError('42704', `extension "${name}" does not exist`);
      ddl.notice('00000', `extension "${name}" does not exist, skipping`);
      continue;
    }
    targets.push({ kind: 'extension', number: object.number });
  }
  if (targets.length > 0) dropObjects(ddl, targets, cascade);
}

export function commentOnExtension(ddl: Ddl, name: string, text: string | null): void {
  if (name === PLPGSQL) return;
  const object = ddl.schema.extensions.get(name);
  if (object === undefined) throw new SvcError('42704', `extension "${name}" does not exist`);
  setComment(ddl, object.number, 0, text ?? '');
}
