/** A function, procedure or aggregate. */
import { functionKey, namedNumberName } from './keys.ts';
import { type Kind, ofItself, ownNumber, scoped } from './kind.ts';
import { inSchema, type Reference, toNumbered, toRoutine, toType, toUsed } from './reference.ts';
import type { RoutineReference } from './routine-reference.ts';

export interface FunctionObject {
  what: 'function';
  number: number;
  schema: string;
  name: string;
  procedure: boolean;
  /** Types are oids; `default` is SQL text. */
  args: { name: string | null; mode: 'in' | 'out' | 'inout' | 'variadic' | 'table'; type: number; default: string | null }[];
  /** Oid of the result; of a function with several columns 2249 (record). */
  returns: number;
  set: boolean;
  /** Columns of a relation whose rows it returns. */
  columns: { name: string; type: number }[] | null;
  body: string;
  /** How the body was written: as text, `RETURN value`, or `BEGIN ATOMIC …`. */
  form: 'text' | 'return' | 'atomic';
  volatility: 'immutable' | 'stable' | 'volatile';
  strict: boolean;
  /** It runs with the rights of its owner, not of who calls it. */
  definer?: boolean;
  /** Left out: unsafe. */
  parallel?: 'safe' | 'restricted';
  leakproof?: boolean;
  /** What its author says it costs, and how many rows it gives; left out: 100, and 1000 of a set. */
  cost?: number;
  rows?: number;
  /** Name of the function that helps to plan its calls. */
  support?: string;
  window?: boolean;
  /** Numbers of what a body kept as SQL reads, writes and calls, with the columns. */
  uses?: { object: number; columns: number[] }[];
  /** Settings that hold while it runs. */
  settings?: { name: string; value: string }[];
  /** Left out: SQL. Of an internal one `body` is the name in C of the system's function that it calls. */
  language?: 'plpgsql' | 'internal';
  /** It is an aggregate: `body` is empty, `returns` is what the last of its functions gives. */
  aggregate?: AggregateParts;
}
export interface AggregateParts {
  /** Oid of the type of the state. */
  state: number;
  /** Text of the first state; null: null. */
  initial: string | null;
  step: RoutineReference;
  finish: RoutineReference | null;
  /** The last function is given nulls in place of the arguments after the state. */
  finishExtra: boolean;
  /** Arguments before ORDER BY of an ordered-set aggregate. */
  direct?: number;
  hypothetical?: boolean;
  /** What changes no result here and is only written down. */
  recorded?: RecordedAggregateParts;
}
/** How an aggregate could be computed elsewhere or faster, as its author has said it. */
export interface RecordedAggregateParts {
  combine?: RoutineReference;
  /** What the last function does to the state; left out: nothing, and of an ordered-set aggregate anything. */
  modify?: 'read_only' | 'shareable' | 'read_write';
  /** Bytes that a state is expected to take. */
  spaceBytes?: number;
  /** Oid of the operator by which an index finds the result. */
  sort?: number;
  moving?: {
    state: number;
    step: RoutineReference;
    inverse: RoutineReference;
    finish: RoutineReference | null;
    finishExtra?: boolean;
    modify?: 'read_only' | 'shareable' | 'read_write';
    spaceBytes?: number;
    initial: string | null;
  };
}

export const FUNCTION: Kind<FunctionObject> = {
  key: ({ number }) => functionKey(number),
  numberName: (object) => namedNumberName(object.procedure ? 'procedure' : 'function', object.schema, `${object.name}(${inputTypes(object).join()})`),
  numbers: ownNumber,
  references,
  address: ({ number }) => ({ kind: 'function', number }),
  codeHolder: ofItself,
  words: (object) => `${routineWord(object)} ${object.name}`,
  path: (object, names) =>
    `${routineWord(object)}:${scoped(object.schema, object.name)}(${inputTypes(object)
      .map((oid) => names.type(oid))
      .join(',')})`,
  scopedName: (object) => `function\0${object.schema}\0${object.name}(${inputTypes(object).join()})`,
};

/** Types of the arguments that a call gives. */
export function inputTypes({ args, procedure }: FunctionObject): number[] {
  return args.filter(({ mode }) => mode !== 'table' && (mode !== 'out' || procedure)).map(({ type }) => type);
}

/** What people call it. */
export function routineWord({ procedure, aggregate }: FunctionObject): 'function' | 'procedure' | 'aggregate' {
  return aggregate !== undefined ? 'aggregate' : procedure ? 'procedure' : 'function';
}

/** All functions that an aggregate names. */
export function routinesOf({ step, finish, recorded }: AggregateParts): RoutineReference[] {
  const { combine = null, moving } = recorded ?? {};
  return [step, finish, combine, moving?.step ?? null, moving?.inverse ?? null, moving?.finish ?? null].filter((each) => each !== null);
}

function references({ schema, args, returns, columns, uses, aggregate }: FunctionObject): Reference[] {
  const out = [toType(returns), ...args.map(({ type }) => toType(type))];
  if (aggregate !== undefined) for (const routine of routinesOf(aggregate)) out.push(...toRoutine(routine));
  out.push(...toUsed(uses), inSchema(schema));
  for (const { type } of columns ?? []) out.push(toType(type, { walked: 'neither' }));
  if (aggregate === undefined) return out;
  const { state, recorded } = aggregate;
  // The functions over the state have its type among their own.
  out.push(toType(state, { walked: 'neither' }));
  if (recorded?.moving !== undefined) out.push(toType(recorded.moving.state, { walked: 'neither' }));
  if (recorded?.sort !== undefined) out.push(toNumbered('operator', recorded.sort, { walked: 'neither' }));
  return out;
}
