/**
 * The FunctionCall message: a function by oid with arguments in text or binary, answered by one value. libpq calls the large
 * object functions this way. Executed as a SELECT with parameters. Manual, 55.2.4; messages: tcop/fastpath.c.
 */
import { SvcError } from '../base/errors/svc-error.ts';
import type { SqlSession } from '../sql/session/sql-session.ts';
import type { SqlType } from '../sql/types/type.ts';
import type { Value } from '../sql/types/value.ts';
import type { MessageReader } from './message-reader.ts';
import { readBinary, readFormats } from './parameters.ts';
import { formatOf, type Formats } from './row-format.ts';

export interface FunctionCall {
  readonly text: string;
  readonly types: readonly SqlType[];
  readonly values: readonly Value[];
  /** Of the result. */
  readonly formats: Formats;
}

/** Reads the whole message; 42883 for an unknown function, 0A000 for one that is not a plain function, 08P01 for wrong arguments. */
export function readFunctionCall(message: MessageReader, session: SqlSession): FunctionCall {
  const oid = message.int32() >>> 0;
  const found = session.catalogNames().callable(oid);
  if (found === null) throw new SvcError('42883', `function with OID ${oid} does not exist`);
  if (!found.isPlain) throw new SvcError('0A000', `cannot call function "${found.name}" via fastpath interface`);
  const types = found.args.map((arg) => {
    const type = session.schema().typeByOid(arg);
    if (type === null || type.category === 'P') throw new SvcError('0A000', `cannot accept a value of type ${type?.title ?? String(arg)}`);
    return type;
  });
  const formats = readFormats(message);
  const count = message.uint16();
  if (count !== types.length) {
    throw new SvcError('08P01', `function call message contains ${count} arguments but function requires ${types.length}`);
  }
  if (formats.length > 1 && formats.length !== count) {
    throw new SvcError('08P01', `function call message contains ${formats.length} argument formats but ${count} arguments`);
  }
  const values = types.map((type, i) => readArgument(message, i, type, formatOf(formats, i), session));
  const result = message.int16();
  if (result !== 0 && result !== 1) throw new SvcError('22023', `unsupported format code: ${result}`);
  message.end();
  return { text: `SELECT ${found.written}(${types.map((_, i) => `$${i + 1}`).join(', ')})`, types, values, formats: [result] };
}

function readArgument(message: MessageReader, index: number, type: SqlType, format: number, { env }: SqlSession): Value {
  const length = message.int32();
  if (length < 0) return null;
  if (format === 0) return type.parse(message.textOf(length), -1, env);
  return readBinary(message, length, type, env, () => `function argument ${index + 1}`);
}
