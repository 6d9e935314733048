/** Functions of xml: all of them need libxml, which there is none of. Manual, section 9.15. */
import { noXml } from '../../types/xml.ts';
import { defineAggregate, type FunctionModule, type ScalarFunction, type SqlCast } from '../define.ts';

const refused = (): never => {
  throw noXml();
};

const SIGNATURES: readonly (readonly [name: string, args: string[], returns: string])[] = [
  ['xmlcomment', ['text'], 'xml'],
  ['xml', ['text'], 'xml'],
  ['xmlexists', ['text', 'xml'], 'bool'],
  ['xpath', ['text', 'xml', '_text'], '_xml'],
  ['xpath', ['text', 'xml'], '_xml'],
  ['xpath_exists', ['text', 'xml', '_text'], 'bool'],
  ['xpath_exists', ['text', 'xml'], 'bool'],
  ['xml_is_well_formed', ['text'], 'bool'],
  ['xml_is_well_formed_document', ['text'], 'bool'],
  ['xml_is_well_formed_content', ['text'], 'bool'],
];

const TEXTS = ['text', 'varchar', 'bpchar'];

export const XML_FUNCTIONS: FunctionModule = {
  functions: [
    ...SIGNATURES.map(([name, args, returns]): ScalarFunction => ({
      kind: 'scalar',
      name,
      args,
      returns,
      // A constant call is not computed before it is asked for.
      volatility: 'stable',
      doc: 'Refused: the server has no libxml.',
      impl: refused,
    })),
    defineAggregate<null>({
      name: 'xmlagg',
      args: ['xml'],
      returns: 'xml',
      strict: true,
      doc: 'Null: no value of xml can be made.',
      init: () => null,
      step: refused,
      finish: () => null,
    }),
  ],
  casts: TEXTS.flatMap((text): SqlCast[] => [
    { from: 'xml', to: text, context: 'assignment', method: 'binary' },
    { from: text, to: 'xml', context: 'explicit', method: 'function', volatility: 'stable', impl: refused },
  ]),
};
