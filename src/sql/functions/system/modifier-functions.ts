/** Type modifier input functions, `numerictypmodin` and similar: they parse the texts in parentheses after a type's name. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import type { ArrayValue } from '../../types/array-value.ts';
import { INT4 } from '../../types/integers.ts';
import { typeModifier } from '../../types/type-modifier.ts';
import type { SqlType } from '../../types/type.ts';
import type { Call, FunctionModule, ScalarFunction } from '../define.ts';

const TYPES = ['numeric', 'varchar', 'bpchar', 'bit', 'varbit', 'time', 'timetz', 'timestamp', 'timestamptz', 'interval'];
/** Masks of the valid interval fields: one, a range, or all. */
const FIELD_MASKS = new Set([4, 2, 8, 1024, 2048, 4096, 6, 1032, 3080, 7176, 3072, 7168, 6144, 0x7fff]);

export function modifierFunctions(types: readonly SqlType[]): FunctionModule {
  return {
    behind: TYPES.map((name): ScalarFunction => {
      const type = types.find((each) => each.name === name)!;
      return {
        kind: 'scalar',
        name: `${name}typmodin`,
        args: ['_cstring'],
        returns: 'int4',
        needsCall: true,
        doc: 'The modifier of a type by the numbers written behind its name.',
        impl: ({ env }: Call, { elements, lengths }: ArrayValue) => {
          if (lengths.length > 1) throw new SvcError('2202E', 'typmod array must be one-dimensional');
          if (elements.includes(null)) throw new SvcError('22004', 'typmod array must not contain nulls');
          const values = elements.map((each) => INT4.parse(each as string, -1, env) as number);
          if (name === 'interval' && (values.length < 1 || values.length > 2 || !FIELD_MASKS.has(values[0])))
            throw new SvcError('22023', 'invalid INTERVAL type modifier');
          return name === 'interval' && values.length === 1 && values[0] === 0x7fff ? -1 : typeModifier(type, values);
        },
      };
    }),
  };
}
