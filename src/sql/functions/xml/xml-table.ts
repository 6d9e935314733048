/** Rows of XMLTABLE (manual, section 9.15.3; XmlTableGetValue and related functions of xml.c, tfuncFetchRows of nodeTableFuncscan.c). */
import { SvcError } from '../../../base/errors/svc-error.ts';
import type { Environment } from '../../types/environment.ts';
import type { SqlType } from '../../types/type.ts';
import type { Value } from '../../types/value.ts';
import { shownXml } from '../../types/xml/declaration.ts';
import { escapeXml } from '../../types/xml/escape.ts';
import { withDocument, type XPathDocument, type XPathResult } from '../../types/xml/xpath.ts';

export interface XmlTableColumnPlan {
  readonly name: string;
  /** null: FOR ORDINALITY. */
  readonly type: SqlType | null;
  readonly typmod: number;
  readonly notNull: boolean;
  readonly hasDefault: boolean;
}

/** Values of one call: paths and defaults aligned with the columns. */
export interface XmlTableInput {
  readonly document: string;
  readonly rowPath: string | null;
  readonly namespaces: readonly (readonly [prefix: string, uri: string | null])[];
  readonly paths: readonly (string | null)[];
  readonly defaults: readonly Value[];
}

export function xmlTableRows(columns: readonly XmlTableColumnPlan[], input: XmlTableInput, env: Environment): Value[][] {
  const namespaces = input.namespaces.map(([prefix, uri]) => {
    if (uri === null) throw new SvcError('22004', 'namespace URI must not be null');
    return [prefix, uri] as const;
  });
  return withDocument(shownXml(input.document), namespaces, (document) => {
    if (input.rowPath === null) throw new SvcError('22004', 'row filter expression must not be null');
    if (input.rowPath === '') throw new SvcError('22000', 'row path filter must not be empty string');
    const rowPath = document.compile(input.rowPath);
    const compiled = columns.map((column, i) => (column.type === null ? 0 : compilePath(document, column, input.paths[i])));
    const found = document.evaluate(rowPath, document.root);
    if (found.kind !== 'nodes') return [];
    return found.nodes.map((node, row) =>
      columns.map((column, i): Value => {
        if (column.type === null) return row + 1;
        const text = document.passing((): string | null => columnText(document, document.evaluate(compiled[i], node), column.type!));
        const value = text !== null ? column.type.parse(text, column.typmod, env) : column.hasDefault ? input.defaults[i] : null;
        if (value === null && column.notNull) throw new SvcError('22004', `null is not allowed in column "${column.name}"`);
        return value;
      }),
    );
  });
}

function compilePath(document: XPathDocument, column: XmlTableColumnPlan, path: string | null): number {
  if (path === null) throw new SvcError('22004', 'column filter expression must not be null', { detail: `Filter for column "${column.name}" is null.` });
  if (path === '') throw new SvcError('22000', 'column path filter must not be empty string');
  return document.compile(path);
}

function columnText(document: XPathDocument, result: XPathResult, type: SqlType): string | null {
  const root = type.domain?.root ?? type;
  switch (result.kind) {
    case 'nodes':
      if (result.nodes.length === 0) return null;
      if (root.name === 'xml') return result.nodes.map((node) => document.xmlOf(node)).join('');
      if (result.nodes.length > 1) throw new SvcError('21000', 'more than one value returned by column XPath expression');
      return document.contentOf(result.nodes[0]);
    case 'string':
      return root.name === 'xml' ? escapeXml(result.value) : result.value;
    case 'boolean':
      return root.category === 'N' ? (result.value ? '1' : '0') : String(result.value);
    case 'number':
      return xpathNumber(result.value);
  }
}

/** XPath's string() of a number, as libxml writes it: 15 digits, with an exponent if it is very large or small. */
function xpathNumber(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? 'Infinity' : '-Infinity';
  if (value === 0) return '0';
  if (Number.isInteger(value) && Math.abs(value) < 2 ** 31) return String(value);
  const size = Math.abs(value);
  const trimmed = (digits: string): string => (digits.includes('.') ? digits.replace(/\.?0+$/, '') : digits);
  if (size > 1e9 || size < 1e-5) {
    const [digits, exponent] = value.toExponential(14).split('e');
    return `${trimmed(digits)}e${exponent[0]}${exponent.slice(1).padStart(2, '0')}`;
  }
  const whole = Math.trunc(Math.log10(size));
  return trimmed(value.toFixed(size > 1 ? 15 - whole - 1 : 15 - whole));
}
