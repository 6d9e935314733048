/** The compiler that row operations and merges use: no session, standard settings, the clock of the machine. */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Names } from '../bind/binder.ts';
import type { ExecContext } from '../exec/context.ts';
import type { Registry } from '../functions/registry.ts';
import type { Compiler } from '../schema/compiler.ts';
import type { SqlTable } from '../schema/table.ts';
import { STORED } from '../schema/type-lookup.ts';
import type { Environment } from '../types/environment.ts';
import { compilerOver } from './compiler.ts';
import { parseExpressionText } from './names.ts';

const now = (): number => Date.now() * 1000 - 946_684_800_000_000;
export const STORED_ENVIRONMENT: Environment = {
  ...STORED,
  get transactionStart() {
    return now();
  },
  get statementStart() {
    return now();
  },
  clock: now,
  random: Math.random,
  randomBytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
};

const refuse = (): never => {
  throw new SvcError('0A000', 'this expression needs a statement of SQL to run in');
};

/** The types of the table's own columns are all that its expressions may name beside the built-in ones. */
function namesOf(table: SqlTable): Names {
  const types = table.columns.map(({ type }) => type);
  const names: Names = {
    relation: () => null,
    hasSchema: () => true,
    userType: (_schema, name) => types.find((type) => type.name === name) ?? null,
    typeByOid: (oid) => types.find((type) => type.oid === oid || type.arrayOid === oid),
    at: refuse,
    defaultText: () => null,
    parseExpression: parseExpressionText,
  };
  return names;
}

export const STORED_CONTEXT: ExecContext = {
  env: STORED_ENVIRONMENT,
  params: [],
  get pager() {
    return refuse();
  },
  directory: refuse,
  lockRow: refuse,
  reads: null,
  rootAt: refuse,
  writer: refuse,
  keys: { rowKey: refuse, indexKey: refuse },
  environmentValue: refuse,
  workMemBytes: 1 << 20,
  spill: null,
  checkCancel: () => {},
};

export function storedCompiler(registry: Registry): Compiler {
  return compilerOver({ registry, env: STORED_ENVIRONMENT, fingerprint: 'stored', names: namesOf, context: () => STORED_CONTEXT });
}
