/** Types whose values are oids and differ only in their text form. */
import {
  OID,
  REGCLASS,
  REGCOLLATION,
  REGCONFIG,
  REGDICTIONARY,
  REGNAMESPACE,
  REGOPER,
  REGOPERATOR,
  REGPROC,
  REGPROCEDURE,
  REGROLE,
  REGTYPE,
} from './identifiers.ts';
import type { SqlType } from './type.ts';

const OIDS = new Set([OID, REGPROC, REGPROCEDURE, REGOPER, REGOPERATOR, REGCLASS, REGTYPE, REGNAMESPACE, REGROLE, REGCOLLATION, REGCONFIG, REGDICTIONARY]);

export function sharesOid(type: SqlType): boolean {
  return OIDS.has(type);
}
