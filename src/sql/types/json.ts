/** The type json: the text as given, known to be JSON. It has no order and no equality. */
import { parseExactJson } from '../../base/exact-json.ts';
import { JSON_DEPTH_MAX, raiseJsonFault } from './json-fault.ts';
import { compareUtf8 } from './json-string.ts';
import { makeType } from './make-type.ts';
import type { Json } from './type.ts';

/** Throws Postgres's error unless the text is JSON. Escapes are checked for form only, since json keeps them unresolved. */
function validateJson(text: string): void {
  try {
    // The runtime's own parser accepts exactly Postgres's grammar and is the fastest check.
    JSON.parse(text);
  } catch {
    raiseJsonFault(text, false);
  }
  if (text.length > 2 * JSON_DEPTH_MAX) refuseDepth(text);
}

function refuseDepth(text: string): void {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const c = text.charCodeAt(at);
    if (c === 123 || c === 91) {
      if (++depth > JSON_DEPTH_MAX) raiseJsonFault(text, false);
    } else if (c === 125 || c === 93) depth--;
    else if (c === 34) {
      for (at++; text.charCodeAt(at) !== 34; at++) if (text.charCodeAt(at) === 92) at++;
    }
  }
}

export const JSON_TYPE = makeType({
  oid: 114,
  name: 'json',
  title: 'json',
  category: 'U',
  length: -1,
  repr: 'string',
  arrayOid: 199,
  ordered: false,
  hashable: false,
  parse: (text) => {
    validateJson(text);
    return text;
  },
  format: (value) => value as string,
  compare: (a, b) => compareUtf8(a as string, b as string),
  json: (value) => parseExactJson(value as string) as Json,
});
