/** oid and the types of system columns. The reg… types contain an oid; names need the catalog, so here they are parsed and printed as numbers. */
import { SvcError } from '../../base/errors/svc-error.ts';
import { leadingUnsigned, parseUnsigned } from './integer-text.ts';
import { makeType } from './make-type.ts';
import type { SqlType } from './type.ts';
import { type Value, whole, type Whole } from './value.ts';

const compare = (a: Value, b: Value): number => (a as number) - (b as number);
const json = (value: Value): number => value as number;

export const OID: SqlType = makeType({
  oid: 26,
  name: 'oid',
  title: 'oid',
  category: 'N',
  preferred: true,
  length: 4,
  repr: 'whole',
  arrayOid: 1028,
  parse: (text) => parseUnsigned(text, 'oid'),
  format: String,
  compare,
  json,
});

function registered(name: string, oid: number, arrayOid: number): SqlType {
  return makeType({
    oid,
    name,
    title: name,
    category: 'N',
    length: 4,
    repr: 'whole',
    arrayOid,
    parse: (text) => (text === '-' ? 0 : parseUnsigned(text, 'oid')),
    format: (value) => (value === 0 ? '-' : String(value)),
    compare,
  });
}

export const REGPROC: SqlType = registered('regproc', 24, 1008);
export const REGPROCEDURE: SqlType = registered('regprocedure', 2202, 2207);
export const REGOPER: SqlType = registered('regoper', 2203, 2208);
export const REGOPERATOR: SqlType = registered('regoperator', 2204, 2209);
export const REGCLASS: SqlType = registered('regclass', 2205, 2210);
export const REGTYPE: SqlType = registered('regtype', 2206, 2211);
export const REGNAMESPACE: SqlType = registered('regnamespace', 4089, 4090);
export const REGROLE: SqlType = registered('regrole', 4096, 4097);
export const REGCOLLATION: SqlType = registered('regcollation', 4191, 4192);

export const REGCONFIG: SqlType = registered('regconfig', 3734, 3735);
export const REGDICTIONARY: SqlType = registered('regdictionary', 3769, 3770);

export const XID: SqlType = makeType({
  oid: 28,
  name: 'xid',
  title: 'xid',
  category: 'U',
  length: 4,
  repr: 'whole',
  arrayOid: 1011,
  ordered: false,
  parse: (text) => Number(BigInt.asUintN(32, leadingUnsigned(text))),
  format: String,
  compare,
  json,
});

export const CID: SqlType = makeType({
  oid: 29,
  name: 'cid',
  title: 'cid',
  category: 'U',
  length: 4,
  repr: 'whole',
  arrayOid: 1012,
  ordered: false,
  parse: (text) => Number(BigInt.asUintN(32, leadingUnsigned(text))),
  format: String,
  compare,
  json,
});

export const XID8: SqlType = makeType({
  oid: 5069,
  name: 'xid8',
  title: 'xid8',
  category: 'U',
  length: 8,
  repr: 'whole',
  arrayOid: 271,
  parse: (text) => whole(leadingUnsigned(text)),
  format: String,
  compare: (a, b) => ((a as Whole) < (b as Whole) ? -1 : (a as Whole) > (b as Whole) ? 1 : 0),
});

const TID_TEXT = /^\((\d{1,10}),(\d{1,5})\)$/;

function tidParts(value: Value): [number, number] {
  const match = TID_TEXT.exec(value as string) as RegExpExecArray;
  return [Number(match[1]), Number(match[2])];
}

/** `(block,offset)`, kept as text. */
export const TID: SqlType = makeType({
  oid: 27,
  name: 'tid',
  title: 'tid',
  category: 'U',
  length: 6,
  repr: 'string',
  arrayOid: 1010,
  parse(text) {
    const match = TID_TEXT.exec(text);
    const block = Number(match?.[1]);
    const offset = Number(match?.[2]);
    if (!(block <= 4294967295 && offset <= 65535)) throw new SvcError('22P02', `invalid input syntax for type tid: "${text}"`);
    return `(${block},${offset})`;
  },
  format: String,
  compare(a, b) {
    const [blockA, offsetA] = tidParts(a);
    const [blockB, offsetB] = tidParts(b);
    return blockA - blockB || offsetA - offsetB;
  },
});
