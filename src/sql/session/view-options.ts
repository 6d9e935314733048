/** Options of views: WITH (check_option = …), SET and RESET. */
import { SvcError } from '../../base/errors/svc-error.ts';
import { optionText } from '../ast/option-text.ts';
import type { Option } from '../ast/define.ts';

/** `security_invoker` and `security_barrier` if given; 22023. */
export function securityOf(options: readonly Option[]): { invoker?: boolean; barrier?: boolean } {
  const out: { invoker?: boolean; barrier?: boolean } = {};
  for (const option of options) {
    if (option.name === 'security_invoker') out.invoker = flagOf(option);
    else if (option.name === 'security_barrier') out.barrier = flagOf(option);
    else if (option.name !== 'check_option') throw new SvcError('22023', `unrecognized parameter "${option.name}"`);
  }
  return out;
}

function flagOf({ name, value }: Option): boolean {
  if (value === null) return true;
  if (value.type === 'boolean') return value.value;
  if (value.type === 'integer' && (value.value === 0 || value.value === 1)) return value.value === 1;
  const text = value.type === 'string' ? value.value : value.type === 'typeName' ? value.value.name : '';
  if (/^(t|tr|tru|true|y|ye|yes|on|1)$/i.test(text)) return true;
  if (/^(f|fa|fal|fals|false|n|no|of|off|0)$/i.test(text)) return false;
  throw new SvcError('22023', `invalid value for boolean option "${name}": ${optionText(value) ?? ''}`);
}

export function checkOptionOf({ value }: Option): 'local' | 'cascaded' {
  const text = value?.type === 'string' ? value.value.toLowerCase() : value?.type === 'typeName' ? value.value.name : '';
  if (text === 'local' || text === 'cascaded') return text;
  throw new SvcError('22023', `invalid value for enum option "check_option": ${text}`, { detail: 'Valid values are "local" and "cascaded".' });
}
