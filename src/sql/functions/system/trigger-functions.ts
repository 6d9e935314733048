/** Built-in trigger functions (manual, 9.28): only triggers can run them (session/triggers). */
import { SvcError } from '../../../base/errors/svc-error.ts';
import type { FunctionModule, ScalarFunction } from '../define.ts';

function triggerFunction(name: string, doc: string): ScalarFunction {
  return {
    kind: 'scalar',
    name,
    args: [],
    returns: 'trigger',
    doc,
    volatility: 'volatile',
    strict: false,
    impl: () => {
      throw new SvcError('39P01', `${name}: not called by trigger manager`);
    },
  };
}

export const triggerFunctions: FunctionModule = {
  functions: [
    triggerFunction('suppress_redundant_updates_trigger', 'BEFORE UPDATE FOR EACH ROW: passes over rows that stay as they are.'),
    triggerFunction('tsvector_update_trigger', 'BEFORE INSERT OR UPDATE FOR EACH ROW: makes a tsvector of text columns.'),
    triggerFunction('tsvector_update_trigger_column', 'The same, with the configuration in a column.'),
  ],
};
