/** Error for a statement that read a damaged cache page: the statement is retried once the cache has been rebuilt from the log. */
import { SvcError } from '../base/errors/svc-error.ts';
import { RetryStatement } from './lock-wait.ts';

export class CacheRenewal extends RetryStatement {
  /** For statements that cannot be retried because they have already sent rows. */
  refusal(): SvcError {
    return new SvcError('40001', 'the page cache turned out damaged and is rebuilt from the log, while rows of it were read', {
      hint: 'Run the transaction again.',
    });
  }
}
