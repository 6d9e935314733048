/** Marks the declared functions and operators that may take long. */
import type { FunctionModule, LongRule, SqlFunction, SqlOperator } from '../functions/define.ts';
import { LONG_RULES, MAY_STOP } from './long-rules.ts';

function ruleOf(name: string, args: readonly string[]): LongRule | undefined {
  const isLong = LONG_RULES.get(name);
  return isLong === undefined ? undefined : { key: `${name}(${args.join(',')})`, isLong, mayStop: MAY_STOP.has(name) };
}

function markedFunction<F extends SqlFunction>(fn: F): F {
  if ((fn.kind !== 'scalar' && fn.kind !== 'set') || fn.variadic !== undefined) return fn;
  const long = ruleOf(fn.name, fn.args);
  return long === undefined ? fn : { ...fn, long };
}

function markedOperator(operator: SqlOperator): SqlOperator {
  const long = ruleOf(operator.proc, operator.left === null ? [operator.right] : [operator.left, operator.right]);
  return long === undefined ? operator : { ...operator, long };
}

export function markLong(module: FunctionModule): FunctionModule {
  const { functions, operators, behind } = module;
  return {
    ...module,
    ...(functions === undefined ? {} : { functions: functions.map(markedFunction) }),
    ...(operators === undefined ? {} : { operators: operators.map(markedOperator) }),
    ...(behind === undefined ? {} : { behind: behind.map(markedFunction) }),
  };
}
