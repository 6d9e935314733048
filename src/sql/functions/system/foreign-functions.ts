/** Foreign data: the validator postgresql_fdw_validator, which is used only by name. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import { optionParts } from '../../../base/option-text.ts';
import type { ArrayValue } from '../../types/array-value.ts';
import type { FunctionModule } from '../define.ts';

const SERVER = 1417;
const USER_MAPPING = 1418;

/** Connection options, by the catalog in which they are valid. */
const OPTIONS: Readonly<Record<number, readonly string[]>> = {
  [SERVER]: 'authtype service connect_timeout dbname host hostaddr port tty options requiressl sslmode gsslib'.split(' '),
  [USER_MAPPING]: ['user', 'password'],
};

export const foreignFunctions: FunctionModule = {
  behind: [
    {
      kind: 'scalar',
      name: 'postgresql_fdw_validator',
      args: ['_text', 'oid'],
      returns: 'bool',
      doc: 'Whether a connection to Postgres may have the options.',
      impl: ({ elements }: ArrayValue, catalog: number) => {
        const known = OPTIONS[catalog] ?? [];
        for (const option of elements as readonly string[]) {
          const [name] = optionParts(option);
          if (known.includes(name)) continue;
          throw new SvcError('42601', `invalid option "${name}"`, {
            hint: known.length === 0 ? 'There are no valid options in this context.' : `Valid options in this context are: ${known.join(', ')}`,
          });
        }
        return true;
      },
    },
  ],
};
