/** Tables and results as XML (manual, section 9.15.4): nested elements for columns, rows and tables. */
import type { Environment, NamedRows } from '../../types/environment.ts';
import { identifierToXmlName, valueToXml } from './xml-values.ts';

/** The common parameters of these functions. */
export interface Mapping {
  /** Nulls are elements with `xsi:nil`, otherwise omitted. */
  readonly nulls: boolean;
  /** Each row is an element of its own, without an enclosing one. */
  readonly forest: boolean;
  /** '' for none. */
  readonly namespace: string;
}

const XSI = 'http://www.w3.org/2001/XMLSchema-instance';

/** The outermost element; `schema`: the document contains its schema. A nested one (`outer` false) declares no namespaces. */
export function rootStart(name: string, { namespace }: Mapping, schema: boolean, outer: boolean): string {
  let out = `<${name}`;
  if (outer) {
    out += ` xmlns:xsi="${XSI}"`;
    if (namespace !== '') out += ` xmlns="${namespace}"`;
  }
  if (schema) out += namespace === '' ? ' xsi:noNamespaceSchemaLocation="#"' : ` xsi:schemaLocation="${namespace} #"`;
  return `${out}>\n`;
}

export function rootEnd(name: string): string {
  return `</${name}>\n`;
}

export function xmlName(name: string): string {
  return identifierToXmlName(name, true, false);
}

/** Rows as elements. `table`: the source, null for a query. */
export function rowElements({ names, types, rows }: NamedRows, table: string | null, mapping: Mapping, outer: boolean, env: Environment): string {
  const element = mapping.forest ? (table === null ? 'row' : xmlName(table)) : 'row';
  const start = mapping.forest ? rootStart(element, mapping, false, outer) : '<row>\n';
  const columns = names.map(xmlName);
  let out = '';
  for (const row of rows) {
    out += start;
    for (let c = 0; c < columns.length; c++) {
      const value = row[c];
      if (value !== null) out += `  <${columns[c]}>${valueToXml(value, types[c], true, env)}</${columns[c]}>\n`;
      else if (mapping.nulls) out += `  <${columns[c]} xsi:nil="true"/>\n`;
    }
    out += `${rootEnd(element)}\n`;
  }
  return out;
}

/** A whole result. `schema`: its schema, which comes first. */
export function resultElement(
  result: NamedRows,
  { table, schema, outer }: { readonly table: string | null; readonly schema: string | null; readonly outer: boolean },
  mapping: Mapping,
  env: Environment,
): string {
  const rows = (schema === null ? '' : `${schema}\n\n`) + rowElements(result, table, mapping, outer, env);
  if (mapping.forest) return rows;
  const name = table === null ? 'table' : xmlName(table);
  return `${rootStart(name, mapping, schema !== null, outer)}\n${rows}${rootEnd(name)}`;
}
