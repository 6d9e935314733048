/** Large objects (manual, sections 35.3 and 35.4). */
import type { LargeObjectAccess } from '../../types/environment.ts';
import type { Value, Whole } from '../../types/value.ts';
import type { Call, FunctionModule, ScalarFunction } from '../define.ts';
import { systemOf } from './session-of.ts';

type Impl = (objects: LargeObjectAccess, ...args: never[]) => Value;

/** `name(types) -> type`. All of them may wait: for locks on the object, and for files. */
function on(signature: string, doc: string, impl: Impl): ScalarFunction {
  const [, name, args, returns] = /^(\w+)\((.*)\) -> (\w+)$/.exec(signature)!;
  return {
    kind: 'scalar',
    name,
    args: args.split(','),
    returns,
    doc,
    volatility: 'volatile',
    needsCall: true,
    mayWait: true,
    impl: (call: Call, ...given: Value[]) => impl(systemOf(call).largeObjects, ...(given as never[])),
  };
}

/** libpq's functions of these names return the descriptor number, and 0 for success. */
const OK = 0;
const UNLINKED = 1;

export const largeObjectFunctions: FunctionModule = {
  functions: [
    on('lo_create(oid) -> oid', 'Makes an empty large object of the number, or (0) of one that is free.', (objects, oid: number) =>
      objects.create(oid, 'lo_create()'),
    ),
    on('lo_creat(int4) -> oid', 'Makes an empty large object; the mode says nothing.', (objects) => objects.create(0, 'lo_creat()')),
    on('lo_from_bytea(oid,bytea) -> oid', 'Makes a large object of bytes.', (objects, oid: number, data: string) => objects.fromBytes(oid, data)),
    on('lo_get(oid) -> bytea', 'All bytes of a large object.', (objects, oid: number) => objects.get(oid, 0, null)),
    on('lo_get(oid,int8,int4) -> bytea', 'A number of bytes of a large object from an offset on.', (objects, oid: number, offset: Whole, length: number) =>
      objects.get(oid, offset, length),
    ),
    on('lo_put(oid,int8,bytea) -> void', 'Writes bytes at a place of a large object.', (objects, oid: number, offset: Whole, data: string) => {
      objects.put(oid, offset, data);
      return '';
    }),
    on('lo_unlink(oid) -> int4', 'Removes a large object.', (objects, oid: number) => {
      objects.unlink(oid);
      return UNLINKED;
    }),
    on('lo_open(oid,int4) -> int4', 'Opens a large object until the transaction ends: 262144 to read, 131072 to write.', (objects, oid: number, mode: number) =>
      objects.open(oid, mode),
    ),
    on('lo_close(int4) -> int4', 'Closes a descriptor.', (objects, descriptor: number) => {
      objects.close(descriptor);
      return OK;
    }),
    on('loread(int4,int4) -> bytea', 'The next bytes behind a descriptor.', (objects, descriptor: number, length: number) => objects.read(descriptor, length)),
    on('lowrite(int4,bytea) -> int4', 'Writes bytes where a descriptor stands.', (objects, descriptor: number, data: string) =>
      objects.write(descriptor, data),
    ),
    on(
      'lo_lseek(int4,int4,int4) -> int4',
      'Moves a descriptor, from the beginning (0), where it is (1) or the end (2).',
      (objects, descriptor: number, offset: number, whence: number) => objects.seek(descriptor, offset, whence, true),
    ),
    on('lo_lseek64(int4,int8,int4) -> int8', 'The same for objects beyond 2 GB.', (objects, descriptor: number, offset: Whole, whence: number) =>
      objects.seek(descriptor, offset, whence, false),
    ),
    on('lo_tell(int4) -> int4', 'Where a descriptor stands.', (objects, descriptor: number) => objects.tell(descriptor, true)),
    on('lo_tell64(int4) -> int8', 'The same for objects beyond 2 GB.', (objects, descriptor: number) => objects.tell(descriptor, false)),
    ...['lo_truncate(int4,int4) -> int4', 'lo_truncate64(int4,int8) -> int4'].map((signature) =>
      on(signature, 'Makes a large object so long: cuts it, or lets it end in zeros.', (objects, descriptor: number, bytes: Whole) => {
        objects.truncate(descriptor, bytes);
        return OK;
      }),
    ),
    on('lo_import(text) -> oid', 'Makes a large object of a file of the server.', (objects, path: string) => objects.import(path, 0)),
    on('lo_import(text,oid) -> oid', 'The same with the number that it is to have.', (objects, path: string, oid: number) => objects.import(path, oid)),
    on('lo_export(oid,text) -> int4', 'Writes a large object into a file of the server.', (objects, oid: number, path: string) => {
      objects.export(oid, path);
      return 1;
    }),
  ],
};
