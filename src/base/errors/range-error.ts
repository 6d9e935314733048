/** Maps RangeErrors of the runtime to SQL errors: stack overflow, or a string, array or buffer that is too long. */
import { SvcError } from './svc-error.ts';

/** null for other errors. */
export function rangeRefusal(error: RangeError): SvcError | null {
  const { message } = error;
  if (/^Invalid (string|array|typed array|array buffer) length/i.test(message) || message.includes('string longer than')) {
    return new SvcError('54000', 'a value is longer than can be held', { detail: message, cause: error });
  }
  if (/allocation failed/i.test(message)) return new SvcError('53200', 'out of memory', { detail: message, cause: error });
  if (!message.includes('call stack')) return null;
  return new SvcError('54001', 'stack depth limit exceeded', { hint: 'Write the statement with less nesting.', cause: error });
}
