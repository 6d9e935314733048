/** The functions and operators that may take long (`long-rules.ts`), by the keys that threads use. */
import type { ScalarFunction, SetFunction, SqlOperator } from '../functions/define.ts';
import { LONG_INPUTS, longInput } from '../functions/long-inputs.ts';
import { LIBRARY, MODULES } from './library.ts';

let all: Map<string, ScalarFunction | SetFunction | SqlOperator> | null = null;

export function longFunctions(): ReadonlyMap<string, ScalarFunction | SetFunction | SqlOperator> {
  if (all !== null) return all;
  all = new Map();
  for (const { functions = [], behind = [], operators = [] } of MODULES) {
    for (const fn of [...functions, ...behind, ...operators]) if ('long' in fn && fn.long !== undefined) all.set(fn.long.key, fn as ScalarFunction);
  }
  for (const name of LONG_INPUTS.keys()) {
    const input = longInput(LIBRARY.type(name))!;
    all.set(input.long!.key, input);
  }
  return all;
}
