/**
 * Classifies why a page cache cannot be opened: 53100 if the disk is full, 58030 if the machine refuses the files whatever
 * their contents (permissions, descriptors, memory, another holder); anything else is damage. The engines' messages for
 * damaged files are an open set: a flipped bit in a stored file name may show as a name too long, a path through a file, or a
 * later format.
 */
import { SvcError } from '../base/errors/svc-error.ts';
import { CacheDamage } from './page-store.ts';

const FULL = /No space left|quota exceeded/i;
const REFUSED =
  /Permission denied|Operation not permitted|Read-only file system|Too many open files|Cannot allocate memory|Resource (?:temporarily unavailable|busy)|Device or resource busy|No locks available|lock hold by|already held/i;

export function openingError(folder: string, cause: unknown): SvcError {
  const messages: string[] = [];
  for (let each = cause; each instanceof Error; each = each.cause) messages.push(each.message);
  const text = messages.join(': ');
  if (FULL.test(text)) {
    return new SvcError('53100', `the disk is full: the page cache ${folder} cannot be opened`, {
      hint: 'Free a few megabytes, then open the folder again. That folder itself may be deleted: it is rebuilt from the log.',
      cause,
    });
  }
  if (REFUSED.test(text)) {
    return new SvcError('58030', `the page cache ${folder} cannot be opened: ${text}`, {
      hint: "Check the folder's rights and the limits of the process. That folder may be deleted: it is rebuilt from the log.",
      cause,
    });
  }
  return new CacheDamage(`the page cache ${folder} is damaged (${text})`, cause);
}
