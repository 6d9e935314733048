/** Functions, casts and the aggregate of xml. Manual, section 9.15. */
import type { Value } from '../../types/value.ts';
import { checkXml, isXml } from '../../types/xml/well-formed.ts';
import { readsDocuments } from '../../types/xml/xml.ts';
import { type Call, defineAggregate, type FunctionModule, type ScalarFunction, type SqlCast } from '../define.ts';
import { xmlComment, xmlConcat } from './constructors.ts';
import { MAPPED_FUNCTIONS } from './mapped-functions.ts';
import { XPATH_FUNCTIONS } from './xpath-functions.ts';

const TEXTS = ['text', 'varchar', 'bpchar'];

function parsed(call: Call, text: string): Value {
  checkXml(text, readsDocuments(call.env));
  return text;
}

function test(name: string, doc: string, document: (call: Call) => boolean, volatility: 'immutable' | 'stable'): ScalarFunction {
  return {
    kind: 'scalar',
    name,
    args: ['text'],
    returns: 'bool',
    volatility,
    needsCall: true,
    doc,
    impl: (call: Call, text: string) => isXml(text, document(call)),
  };
}

export const XML_FUNCTIONS: FunctionModule = {
  functions: [
    { kind: 'scalar', name: 'xmlcomment', args: ['text'], returns: 'xml', doc: 'A comment.', impl: xmlComment },
    {
      kind: 'scalar',
      name: 'xml',
      args: ['text'],
      returns: 'xml',
      volatility: 'stable',
      needsCall: true,
      doc: 'A text as xml, as XMLOPTION says.',
      impl: parsed,
    },
    {
      kind: 'scalar',
      name: 'xmlconcat2',
      args: ['xml', 'xml'],
      returns: 'xml',
      strict: false,
      doc: 'One behind the other; of two nulls null.',
      impl: (a: string | null, b: string | null) => (a === null ? b : b === null ? a : xmlConcat([a, b])),
    },
    test('xml_is_well_formed', 'Whether a text is xml, as XMLOPTION says.', ({ env }) => readsDocuments(env), 'stable'),
    test('xml_is_well_formed_document', 'Whether a text is a document.', () => true, 'immutable'),
    test('xml_is_well_formed_content', 'Whether a text is content.', () => false, 'immutable'),
    ...XPATH_FUNCTIONS,
    ...MAPPED_FUNCTIONS,
    defineAggregate<string[]>({
      name: 'xmlagg',
      args: ['xml'],
      returns: 'xml',
      strict: true,
      doc: 'Values one behind the other.',
      init: () => [],
      step: (parts, part) => {
        parts.push(part as string);
        return parts;
      },
      finish: (parts) => (parts.length === 0 ? null : parts.length === 1 ? parts[0] : xmlConcat(parts)),
    }),
  ],
  casts: TEXTS.flatMap((text): SqlCast[] => [
    { from: 'xml', to: text, context: 'assignment', method: 'binary' },
    { from: text, to: 'xml', context: 'explicit', method: 'function', volatility: 'stable', needsCall: true, impl: parsed },
  ]),
};
