/** The type jsonpath: its value is the text that Postgres prints; parsed trees are in a small cache. */
import { makeType } from './make-type.ts';
import { parseJsonPath } from './jsonpath-parse.ts';
import { printJsonPath } from './jsonpath-print.ts';
import type { JsonPath } from './jsonpath-syntax.ts';
import type { SqlType } from './type.ts';

const KEPT_MAX = 500;
const kept = new Map<string, JsonPath>();

export function pathOf(text: string): JsonPath {
  let path = kept.get(text);
  if (path === undefined) {
    path = parseJsonPath(text);
    if (kept.size >= KEPT_MAX) kept.clear();
    kept.set(text, path);
  }
  return path;
}

export const JSONPATH: SqlType = makeType({
  oid: 4072,
  name: 'jsonpath',
  title: 'jsonpath',
  category: 'U',
  length: -1,
  repr: 'string',
  arrayOid: 4073,
  ordered: false,
  hashable: false,
  parse: (text) => printJsonPath(parseJsonPath(text)),
  format: String,
});
