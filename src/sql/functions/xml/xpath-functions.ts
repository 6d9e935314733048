/** xpath, xpath_exists and XMLEXISTS (manual, sections 9.15.2 and 9.15.3). */
import { SvcError } from '../../../base/errors/svc-error.ts';
import { ArrayValue } from '../../types/array-value.ts';
import { formatFloat8 } from '../../types/float-text.ts';
import type { Value } from '../../types/value.ts';
import { escapeXml } from '../../types/xml/escape.ts';
import { evaluateXPath, type Namespaces } from '../../types/xml/xpath.ts';
import type { ScalarFunction } from '../define.ts';

/** `{{prefix,uri},…}`; 22000 and 22004 if invalid. */
function namespacesOf(array: ArrayValue | undefined): Namespaces {
  if (array === undefined || array.lengths.length === 0) return [];
  if (array.lengths.length !== 2 || array.lengths[1] !== 2) {
    throw new SvcError('22000', 'invalid array for XML namespace mapping', {
      detail: 'The array must be two-dimensional with length of the second axis equal to 2.',
    });
  }
  if (array.elements.includes(null)) throw new SvcError('22004', 'neither namespace name nor URI may be null');
  return Array.from({ length: array.lengths[0] }, (_, i) => [array.elements[2 * i] as string, array.elements[2 * i + 1] as string]);
}

function xpath(path: string, xml: string, namespaces?: ArrayValue): Value {
  return evaluateXPath(path, xml, namespacesOf(namespaces), (result, document) => {
    switch (result.kind) {
      case 'nodes':
        return new ArrayValue(result.nodes.map((node) => document.xmlOf(node)));
      case 'boolean':
        return new ArrayValue([result.value ? 'true' : 'false']);
      case 'number':
        return new ArrayValue([formatFloat8(result.value, 1)]);
      case 'string':
        return new ArrayValue([escapeXml(result.value)]);
    }
  });
}

function exists(path: string, xml: string, namespaces?: ArrayValue): boolean {
  return evaluateXPath(path, xml, namespacesOf(namespaces), (result) => result.kind !== 'nodes' || result.nodes.length > 0);
}

function define(name: string, args: string[], returns: string, doc: string, impl: ScalarFunction['impl']): ScalarFunction {
  return { kind: 'scalar', name, args, returns, doc, impl };
}

export const XPATH_FUNCTIONS: ScalarFunction[] = [
  define('xpath', ['text', 'xml', '_text'], '_xml', 'What an XPath expression finds in a document, with `{{prefix,uri},…}`.', xpath),
  define('xpath', ['text', 'xml'], '_xml', 'What an XPath expression finds in a document.', (path: string, xml: string) => xpath(path, xml)),
  define('xpath_exists', ['text', 'xml', '_text'], 'bool', 'Whether it finds anything, with `{{prefix,uri},…}`.', exists),
  define('xpath_exists', ['text', 'xml'], 'bool', 'Whether it finds anything.', (path: string, xml: string) => exists(path, xml)),
  define('xmlexists', ['text', 'xml'], 'bool', '`XMLEXISTS (path PASSING document)`.', (path: string, xml: string) => exists(path, xml)),
];
