/** xml, as a Postgres has it that is built without libxml: the type is there, and has no values but null. Manual, section 8.13. */
import { SvcError } from '../../base/errors/svc-error.ts';
import { makeType } from './make-type.ts';
import type { SqlType } from './type.ts';

export function noXml(): SvcError {
  return new SvcError('0A000', 'unsupported XML feature', { detail: 'This functionality requires the server to be built with libxml support.' });
}

export const XML: SqlType = makeType({
  oid: 142,
  name: 'xml',
  title: 'xml',
  category: 'U',
  length: -1,
  repr: 'string',
  arrayOid: 143,
  ordered: false,
  hashable: false,
  parse: () => {
    throw noXml();
  },
  format: String,
});
