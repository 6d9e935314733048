/** Parameters of a Bind message, in text or binary, as values of the statement's parameter types. */
import { SvcError } from '../base/errors/svc-error.ts';
import { binaryReceiver } from '../sql/formats/binary-receive.ts';
import { BinaryReader } from '../sql/formats/binary-reader.ts';
import type { Environment } from '../sql/types/environment.ts';
import type { SqlType } from '../sql/types/type.ts';
import type { Value } from '../sql/types/value.ts';
import type { MessageReader } from './message-reader.ts';
import { type Formats, formatOf } from './row-format.ts';

const NONE: readonly number[] = [];
const ONE_TEXT: readonly number[] = [0];
const ONE_BINARY: readonly number[] = [1];

export function readFormats(message: MessageReader): Formats {
  const count = message.uint16();
  if (count === 0) return NONE;
  if (count === 1) return checked(message.int16()) === 0 ? ONE_TEXT : ONE_BINARY;
  const formats = new Array<number>(count);
  for (let i = 0; i < count; i++) formats[i] = checked(message.int16());
  return formats;
}

function checked(format: number): number {
  if (format !== 0 && format !== 1) throw new SvcError('22023', `unsupported format code: ${format}`);
  return format;
}

export function readParameters(
  message: MessageReader,
  portal: string,
  statement: string,
  types: readonly SqlType[],
  formats: Formats,
  env: Environment,
): Value[] {
  const count = message.uint16();
  if (formats.length > 1 && formats.length !== count) {
    throw new SvcError('08P01', `bind message has ${formats.length} parameter formats but ${count} parameters`);
  }
  if (count !== types.length) {
    throw new SvcError('08P01', `bind message supplies ${count} parameters, but prepared statement "${statement}" requires ${types.length}`);
  }
  const values = new Array<Value>(count);
  for (let i = 0; i < count; i++) {
    const length = message.int32();
    if (length < 0) {
      values[i] = null;
      continue;
    }
    const text = formatOf(formats, i) === 0;
    try {
      values[i] = text ? types[i].parse(message.textOf(length), -1, env) : readBinary(message, length, types[i], env, () => `bind parameter ${i + 1}`);
    } catch (error) {
      throw error instanceof SvcError ? withParameter(error, portal, i, text) : error;
    }
  }
  return values;
}

/** As in Postgres, values are omitted because they may be secrets. */
function withParameter(error: SvcError, portal: string, index: number, text: boolean): SvcError {
  const where = `${portal === '' ? 'unnamed portal' : `portal "${portal}"`} parameter $${index + 1}${text ? " = '...'" : ''}`;
  const { code, message, detail, hint, data } = error;
  return new SvcError(code, message, { detail, hint, data: { ...data, where }, cause: error });
}

/** A value of this length; 22P03 naming `place` if the type's binary form is shorter. */
export function readBinary(message: MessageReader, length: number, type: SqlType, env: Environment, place: () => string): Value {
  const reader = new BinaryReader(message.bytesOf(length));
  const value = binaryReceiver(type)(reader, -1, env);
  if (reader.remaining !== 0) throw new SvcError('22P03', `incorrect binary data format in ${place()}`);
  return value;
}
