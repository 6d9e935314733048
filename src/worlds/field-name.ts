/** Names of fields. */
import { SvcError } from '../base/errors/svc-error.ts';
import { LIMITS } from '../base/limits.ts';

/** 42602 for a name that no field can have. */
export function mustNameField(name: string): void {
  if (name.length > 0 && Buffer.byteLength(name) <= LIMITS.fieldNameBytesMax && !name.includes('\0') && name.isWellFormed()) return;
  throw new SvcError('42602', `"${name.slice(0, 64)}" cannot be a field's name`, {
    hint: `A name has 1 to ${LIMITS.fieldNameBytesMax} bytes of valid text.`,
  });
}
