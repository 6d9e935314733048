/** jsonb_path_exists, _match, _query, _query_array, _query_first, those with time zones, and the operators @? and @@. Manual, section 9.16. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import type { Environment } from '../../types/environment.ts';
import { JsonObject, type JsonNode } from '../../types/json-tree.ts';
import { jsonbOf, treeOf } from '../../types/jsonb.ts';
import { pathOf } from '../../types/jsonpath.ts';
import type { Value } from '../../types/value.ts';
import type { Call, FunctionModule, ScalarFunction, SetFunction } from '../define.ts';
import { isPathError, PathRun } from './path-run.ts';
import { PathTime } from './path-time.ts';

const NO_VARIABLES = new JsonObject([], []);

function runOf(document: string, path: string, variables: string | undefined, zoned: boolean, env: Environment): PathRun {
  let given = NO_VARIABLES;
  if (variables !== undefined && variables !== '{}') {
    const tree = treeOf(variables);
    if (!(tree instanceof JsonObject)) {
      throw new SvcError('22023', '"vars" argument is not an object', { detail: 'Jsonpath parameters should be encoded as key-value pairs of "vars" object.' });
    }
    given = tree;
  }
  return new PathRun(pathOf(path), treeOf(document), given, zoned, env);
}

function textOf(item: ReturnType<PathRun['items']> extends Generator<infer T> ? T : never): string {
  return jsonbOf(item instanceof PathTime ? item.toString() : item);
}

/** Silent: errors of the path end its result. */
function guarded<T>(silent: boolean | undefined, none: T, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (silent === true && isPathError(error)) return none;
    throw error;
  }
}

function exists(run: PathRun): boolean {
  const items = run.items();
  // In strict mode an error after the first item counts, too.
  return run.strict ? [...items].length > 0 : items.next().done !== true;
}

function match(run: PathRun, silent: boolean): boolean | null {
  const items = [...run.items()];
  if (items.length === 1 && (typeof items[0] === 'boolean' || items[0] === null)) return items[0];
  if (silent) return null;
  throw new SvcError('22038', 'single boolean result is expected');
}

const ARGS = { args: ['jsonb', 'jsonpath', 'jsonb', 'bool'], argNames: ['target', 'path', 'vars', 'silent'], optional: 2, needsCall: true } as const;

type Arguments = [call: Call, document: string, path: string, variables?: string, silent?: boolean];

function family(suffix: '' | '_tz'): (ScalarFunction | SetFunction)[] {
  const zoned = suffix === '_tz';
  const common = { ...ARGS, ...(zoned ? { volatility: 'stable' as const } : {}) };
  const times = zoned ? '; dates and times compare in the session’s time zone' : '';
  const scalar = (name: string, returns: string, doc: string, one: (run: PathRun, silent: boolean) => Value): ScalarFunction => ({
    ...common,
    kind: 'scalar',
    name: `jsonb_path_${name}${suffix}`,
    returns,
    doc: `${doc}${times}.`,
    impl: (...[call, document, path, variables, silent]: Arguments) => {
      const run = runOf(document, path, variables, zoned, call.env);
      return guarded<Value>(silent, null, () => one(run, silent === true));
    },
  });
  return [
    scalar('exists', 'bool', 'Whether the path finds an item', exists),
    scalar('match', 'bool', 'What the condition that is the path says', match),
    scalar('query_array', 'jsonb', 'What the path finds as an array', (run, silent) => {
      const found: JsonNode[] = [];
      guarded(silent, undefined, () => {
        for (const item of run.items()) found.push(item instanceof PathTime ? item.toString() : item);
      });
      return jsonbOf(found);
    }),
    scalar('query_first', 'jsonb', 'The first item that the path finds', (run) => {
      const found = run.strict ? [...run.items()] : [...firstOf(run)];
      return found.length === 0 ? null : textOf(found[0]);
    }),
    {
      ...common,
      kind: 'set',
      name: `jsonb_path_query${suffix}`,
      returns: 'jsonb',
      doc: `All items that the path finds${times}.`,
      impl: (...[call, document, path, variables, silent]: Arguments) => {
        const run = runOf(document, path, variables, zoned, call.env);
        const found: string[] = [];
        guarded(silent, undefined, () => {
          for (const item of run.items()) found.push(textOf(item));
        });
        return found;
      },
    },
  ];
}

function* firstOf(run: PathRun): ReturnType<PathRun['items']> {
  for (const item of run.items()) {
    yield item;
    return;
  }
}

export const JSONPATH_FUNCTIONS: FunctionModule = {
  functions: [...family(''), ...family('_tz')],
  operators: [
    {
      name: '@?',
      left: 'jsonb',
      right: 'jsonpath',
      returns: 'bool',
      proc: 'jsonb_path_exists_opr',
      needsCall: true,
      impl: ({ env }: Call, document: string, path: string) => guarded<boolean | null>(true, null, () => exists(runOf(document, path, undefined, false, env))),
    },
    {
      name: '@@',
      left: 'jsonb',
      right: 'jsonpath',
      returns: 'bool',
      proc: 'jsonb_path_match_opr',
      needsCall: true,
      impl: ({ env }: Call, document: string, path: string) =>
        guarded<boolean | null>(true, null, () => match(runOf(document, path, undefined, false, env), true)),
    },
  ],
};
