/** What a statement is thrown that met a damaged page of the cache: it runs again once the cache has been rebuilt from the log. */
import { SvcError } from '../base/errors/svc-error.ts';
import { RunAgain } from './lock-wait.ts';

export class CacheRenewal extends RunAgain {
  /** For who cannot run again, because rows were given already. */
  refusal(): SvcError {
    return new SvcError('40001', 'the page cache turned out damaged and is rebuilt from the log, while rows of it were read', {
      hint: 'Run the transaction again.',
    });
  }
}
