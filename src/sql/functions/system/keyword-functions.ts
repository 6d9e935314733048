/** pg_get_keywords(). */
import type { FunctionModule } from '../define.ts';
import type { Value } from '../../types/value.ts';
import { KEYWORDS } from './keyword-list.ts';

const CATEGORIES: Readonly<Record<string, string>> = {
  U: 'unreserved',
  C: 'unreserved (cannot be function or type name)',
  T: 'reserved (can be function or type name)',
  R: 'reserved',
};

export const keywordFunctions: FunctionModule = {
  functions: [
    {
      kind: 'set',
      name: 'pg_get_keywords',
      args: [],
      returns: 'record',
      doc: 'Words of SQL and whether they are reserved.',
      volatility: 'stable',
      columns: [
        { name: 'word', type: 'text' },
        { name: 'catcode', type: 'char' },
        { name: 'barelabel', type: 'bool' },
        { name: 'catdesc', type: 'text' },
        { name: 'baredesc', type: 'text' },
      ],
      impl: (): Value[][] =>
        KEYWORDS.split('\n').map((line) => {
          const [word, category, bare] = line.split(' ');
          return [word, category, bare === 't', CATEGORIES[category], bare === 't' ? 'can be bare label' : 'requires AS'];
        }),
    },
  ],
};
