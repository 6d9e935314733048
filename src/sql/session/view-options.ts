/** Options of views: WITH (check_option = …), SET and RESET. */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Option } from '../ast/define.ts';

export function checkOptionOf({ value }: Option): 'local' | 'cascaded' {
  const text = value?.type === 'string' ? value.value.toLowerCase() : value?.type === 'typeName' ? value.value.name : '';
  if (text === 'local' || text === 'cascaded') return text;
  throw new SvcError('22023', `invalid value for enum option "check_option": ${text}`, { detail: 'Valid values are "local" and "cascaded".' });
}
