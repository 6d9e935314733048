/** SQL/XML's mapping of values and names to XML (manual, section 9.15.1; map_sql_value_to_xml_value and related functions of xml.c). */
import { SvcError } from '../../../base/errors/svc-error.ts';
import { ArrayValue } from '../../types/array-value.ts';
import type { Environment } from '../../types/environment.ts';
import { formatDate, formatTimestamp, formatTimestampTz } from '../../types/time/datetime-output.ts';
import type { SqlType } from '../../types/type.ts';
import type { Value, Whole } from '../../types/value.ts';
import { escapeXml } from '../../types/xml/escape.ts';

/** Line length of base64, as libxml's writer breaks it. */
const BASE64_LINE_LENGTH = 72;

function bytesText(bytes: string, env: Environment): string {
  const buffer = Buffer.from(bytes, 'latin1');
  if (env.setting('xmlbinary') === 'hex') return buffer.toString('hex').toUpperCase();
  return buffer.toString('base64').replace(new RegExp(`.{${BASE64_LINE_LENGTH}}(?=.)`, 'g'), '$&\r\n');
}

function refuseInfinite(value: Whole, what: 'date' | 'timestamp'): void {
  if (Number.isFinite(Number(value))) return;
  throw new SvcError('22008', `${what} out of range`, { detail: `XML does not support infinite ${what} values.` });
}

/** A non-null value as XML; `escape` unless it is XML already. */
export function valueToXml(value: Value, given: SqlType, escape: boolean, env: Environment): string {
  const type = given.domain?.root ?? given;
  if (value instanceof ArrayValue && type.element !== null) {
    const { element } = type;
    return value.elements.map((each) => (each === null ? '' : `<element>${valueToXml(each, element, true, env)}</element>`)).join('');
  }
  switch (type.name) {
    case 'bool':
      return value === true ? 'true' : 'false';
    case 'date':
      refuseInfinite(value as number, 'date');
      return formatDate(value as number, 'XSD', env.dateOrder);
    case 'timestamp':
      refuseInfinite(value as Whole, 'timestamp');
      return formatTimestamp(value as Whole, 'XSD', env.dateOrder);
    case 'timestamptz':
      refuseInfinite(value as Whole, 'timestamp');
      return formatTimestampTz(value as Whole, 'XSD', env.dateOrder, env.timeZone);
    case 'bytea':
      return bytesText(value as string, env);
    case 'xml':
      return type.format(value, env);
    default: {
      const text = type.format(value, env);
      return escape ? escapeXml(text) : text;
    }
  }
}

const NAME_FIRST = /^[\p{L}\p{Nl}_:]/u;
const NAME_CHARACTER = /^[\p{L}\p{Nl}\p{Nd}\p{M}_:.\-\u00b7]/u;

/** `fully`: also escapes characters that are valid in an XML name but would have another meaning there. */
export function identifierToXmlName(name: string, fully: boolean, period: boolean): string {
  let out = '';
  let first = true;
  for (let at = 0; at < name.length;) {
    const c = String.fromCodePoint(name.codePointAt(at)!);
    if (c === ':' && (first || fully)) out += '_x003A_';
    else if (c === '_' && name[at + 1] === 'x') out += '_x005F_';
    else if (fully && first && /^xml/i.test(name)) out += c === 'x' ? '_x0078_' : '_x0058_';
    else if (period && c === '.') out += '_x002E_';
    else if ((first ? NAME_FIRST : NAME_CHARACTER).test(c)) out += c;
    else out += `_x${c.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}_`;
    at += c.length;
    first = false;
  }
  return out;
}

/** The inverse mapping. */
export function xmlNameToIdentifier(name: string): string {
  return name.replace(/_x([0-9A-Fa-f]{4,6})_/g, (written, digits: string) => {
    const code = Number.parseInt(digits, 16);
    return code > 0x10ffff ? written : String.fromCodePoint(code);
  });
}
