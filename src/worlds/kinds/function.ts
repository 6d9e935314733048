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
  /** Oid of the result; 2249 (record) for several columns. */
  returns: number;
  set: boolean;
  /** Columns of the relation whose rows it returns. */
  columns: { name: string; type: number }[] | null;
  body: string;
  /** Form of the body: text, `RETURN value`, or `BEGIN ATOMIC …`. */
  form: 'text' | 'return' | 'atomic';
  volatility: 'immutable' | 'stable' | 'volatile';
  strict: boolean;
  /** SECURITY DEFINER: runs with its owner's rights. */
  definer?: boolean;
  /** Omitted: unsafe. */
  parallel?: 'safe' | 'restricted';
  leakproof?: boolean;
  /** Declared cost and row estimate; omitted: 100, and 1000 for sets. */
  cost?: number;
  rows?: number;
  /** Name of its planner support function. */
  support?: string;
  window?: boolean;
  /** Objects and columns that an SQL-standard body reads, writes and calls, by number. */
  uses?: { object: number; columns: number[] }[];
  /** Settings while it runs. */
  settings?: { name: string; value: string }[];
  /** Omitted: SQL. For `internal`, `body` is the C name of a system function. */
  language?: 'plpgsql' | 'internal';
  /** For an aggregate: `body` is empty, `returns` is the final function's result. */
  aggregate?: AggregateParts;
}
export interface AggregateParts {
  /** Oid of the state type. */
  state: number;
  /** Text of the initial state; null: null. */
  initial: string | null;
  step: RoutineReference;
  finish: RoutineReference | null;
  /** The final function gets nulls in place of the arguments after the state. */
  finishExtra: boolean;
  /** Number of direct arguments of an ordered-set aggregate. */
  direct?: number;
  hypothetical?: boolean;
  /** Properties without effect on results: catalog-only. */
  recorded?: RecordedAggregateParts;
}
/** Alternative implementations of an aggregate, as declared. */
export interface RecordedAggregateParts {
  combine?: RoutineReference;
  /** FINALFUNC_MODIFY; omitted: read-only, and read-write for an ordered-set aggregate. */
  modify?: 'read_only' | 'shareable' | 'read_write';
  /** Declared size of a state. */
  spaceBytes?: number;
  /** Oid of the sort operator by which an index finds the result. */
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

/** Types of the arguments of a call. */
export function inputTypes({ args, procedure }: FunctionObject): number[] {
  return args.filter(({ mode }) => mode !== 'table' && (mode !== 'out' || procedure)).map(({ type }) => type);
}

/** Its SQL keyword, in lower case. */
export function routineWord({ procedure, aggregate }: FunctionObject): 'function' | 'procedure' | 'aggregate' {
  return aggregate !== undefined ? 'aggregate' : procedure ? 'procedure' : 'function';
}

/** All functions named by an aggregate. */
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
  // Functions over the state have its type among their own.
  out.push(toType(state, { walked: 'neither' }));
  if (recorded?.moving !== undefined) out.push(toType(recorded.moving.state, { walked: 'neither' }));
  if (recorded?.sort !== undefined) out.push(toNumbered('operator', recorded.sort, { walked: 'neither' }));
  return out;
}
