/**
 * Why a page cache cannot be opened: 53100 where the disk is full, 58030 where the machine refuses the files (rights, descriptors, memory, another
 * holder) whatever is in them; all else is damage. Engines have no closed list of what they say of files that are not theirs any more: a
 * flipped bit in the name of a file that another one holds is a name too long, a path through a file or a format of a later release.
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
