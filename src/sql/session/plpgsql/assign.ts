/** Assignments to variables: of expressions, of columns of a row, and to parts of a variable. */
import { inQuotes } from '../../../base/quote-identifier.ts';
import { SvcError } from '../../../base/errors/svc-error.ts';
import type { Update } from '../../ast/write.ts';
import { assignPart } from '../../bind/assign-part.ts';
import { Binder } from '../../bind/binder.ts';
import { Scope as BindScope } from '../../bind/scope.ts';
import { Compilation } from '../../exec/compilation.ts';
import type { Run } from '../../exec/run.ts';
import type { Fragment, Target } from '../../plpgsql/syntax.ts';
import type { SqlColumn } from '../../schema/table.ts';
import { rewriteBound, visitBound } from '../../plan/rules/walk.ts';
import { columnsOf, isRecordType, recordType } from '../../types/record-type.ts';
import { RecordValue } from '../../types/record-value.ts';
import type { SqlType } from '../../types/type.ts';
import type { Value } from '../../types/value.ts';
import { inFrame, TextFrame } from '../call-frames.ts';
import { execContext } from '../exec-context.ts';
import type { ResultColumn } from '../results.ts';
import type { SqlSession } from '../sql-session.ts';
import { assigned, notAssigned, readyChange, type ReadyChange } from './fragment.ts';
import { setField } from './in-place.ts';
import { rowTypeOf } from './queries.ts';
import type { Scope, Variable } from './scope.ts';

export interface Place {
  readonly variable: Variable;
  /** The field names after the variable. */
  readonly fields: readonly string[];
}

/** 42601 if there is no such variable. */
export function placeOf(scope: Scope, { parts }: Target): Place {
  const [first, second] = parts;
  const plain = scope.find(first);
  if (plain !== null) return { variable: plain, fields: parts.slice(1) };
  const labelled = second === undefined ? null : scope.labelled(first, second);
  if (labelled !== null) return { variable: labelled, fields: parts.slice(2) };
  throw new SvcError('42601', `"${parts.join('.')}" is not a known variable`);
}

/** Converts a value between types as an assignment does. */
export function converted(session: SqlSession, value: Value, from: SqlType, to: SqlType, typmod: number): Value {
  if (from.oid === to.oid && typmod < 0 && !(isRecordType(to) && columnsOf(to) !== null && from !== to)) return value;
  if (value === null && to.domain === null) return null;
  return converterFor(session, from, to, typmod)(session, value);
}

type Converter = (session: SqlSession, value: Value) => Value;
const converters = new WeakMap<SqlType, WeakMap<SqlType, Map<number, Converter>>>();

function converterFor(session: SqlSession, from: SqlType, to: SqlType, typmod: number): Converter {
  let byTo = converters.get(from);
  if (byTo === undefined) converters.set(from, (byTo = new WeakMap()));
  let byTypmod = byTo.get(to);
  if (byTypmod === undefined) byTo.set(to, (byTypmod = new Map()));
  let known = byTypmod.get(typmod);
  if (known === undefined) {
    const binder = new Binder(session.names(), session.host.registry, session.env, { types: [from], fixed: true });
    const bound = assigned(binder, { kind: 'parameter', number: 1, type: from, typmod: -1 }, { type: to, typmod });
    const compilation = new Compilation();
    const fn = compilation.scalars([bound]);
    byTypmod.set(typmod, (known = (own, value) => fn(compilation.newRun(execContext(own, [value], null)), [])[0]));
  }
  return known;
}

/** `of`: the source expression. */
export function assignValue(session: SqlSession, scope: Scope, target: Target, value: Value, type: SqlType, of: Fragment | null = null): void {
  const { variable, fields } = placeOf(scope, target);
  if (fields.length > 0 || target.path !== null) return assignInside(session, scope, variable, fields, target, value, type, of);
  if (variable.anyRow) return assignRow(variable, value, type);
  variable.set(converted(session, value, type, variable.type, variable.typmod));
}

/** A `record` takes the type of its value. */
function assignRow(variable: Variable, value: Value, type: SqlType): void {
  if (value !== null && !(value instanceof RecordValue)) throw new SvcError('42804', 'cannot assign non-composite value to a record variable');
  if (value === null && columnsOf(type) === null) {
    variable.set(null);
    return;
  }
  const own = columnsOf(type) === null && value instanceof RecordValue ? unnamed(value) : type;
  variable.set(value);
  variable.type = own;
}

function unnamed({ types }: RecordValue): SqlType {
  return recordType(types.map((type, i) => ({ name: `f${i + 1}`, type, typmod: -1 })));
}

/** `rec.field := v`, `a[1] := v`. */
function assignInside(
  session: SqlSession,
  scope: Scope,
  variable: Variable,
  fields: readonly string[],
  target: Target,
  value: Value,
  type: SqlType,
  of: Fragment | null,
): void {
  if (!variable.assigned) unassigned(session, of, variable);
  const columns = columnsOf(variable.type);
  if (target.path === null && fields.length === 1 && columns !== null) {
    const index = columns.findIndex(({ name }) => name === fields[0]);
    if (index < 0) noField(session, of, variable, fields[0]);
    const from = type.name === 'unknown' ? session.host.registry.type('text') : type;
    const { type: to, typmod } = columns[index];
    const own = type.name === 'unknown' ? literal(session, value, from, to, typmod, of) : converted(session, value, from, to, typmod);
    return setField(variable, index, own, typesOf(variable.type));
  }
  const place = placeFor(session, scope, variable, fields, target, value, type, of);
  const { change, row, variables } = place;
  const inside = change !== null && variables[change.base] === variable && !variable.constant ? change : null;
  for (let i = 0; i < variables.length; i++) row[i] = inside?.escapes[i] === false ? variables[i].peek() : variables[i].value;
  row[row.length - 1] = value;
  let { run } = place;
  if (run === null || place.runOf !== session.transaction) {
    run = place.compilation.newRun(execContext(session, [], null), true);
    if (place.steady) {
      place.run = run;
      place.runOf = session.transaction;
    }
  }
  if (inside === null) variable.set(place.compute(run, row)[0]);
  else inside.apply(variable, inside.compute(run, row));
}

/** A separate function, since closures inside would be created at each call. */
function noField(session: SqlSession, of: Fragment | null, { name }: Variable, field: string): never {
  const missing = new SvcError('42703', `record "${name}" has no field "${field}"`);
  return inAssignment(session, of, 0, () => {
    throw missing;
  });
}

function unassigned(session: SqlSession, of: Fragment | null, { name }: Variable): never {
  return inAssignment(session, of, 0, () => notAssigned(name));
}

const fieldTypes = new WeakMap<SqlType, readonly SqlType[]>();

function typesOf(row: SqlType): readonly SqlType[] {
  let known = fieldTypes.get(row);
  if (known === undefined) fieldTypes.set(row, (known = columnsOf(row)!.map(({ type }) => type)));
  return known;
}

/** Reports errors with the assignment as context; their positions are shifted. */
function inAssignment<T>(session: SqlSession, of: Fragment | null, shift: number, run: () => T): T {
  if (of?.assignment === undefined) return run();
  return inFrame(session, new TextFrame('PL/pgSQL assignment', of.assignment.text, shift), run);
}

/** Errors of a literal have a position. */
function literal(session: SqlSession, value: Value, from: SqlType, to: SqlType, typmod: number, of: Fragment | null): Value {
  return inAssignment(session, of, 0, () => {
    try {
      return converted(session, value, from, to, typmod);
    } catch (error) {
      if (!(error instanceof SvcError) || of?.assignment === undefined) throw error;
      const { code, message, detail, hint } = error;
      const added = { ...(detail === undefined ? {} : { detail }), ...(hint === undefined ? {} : { hint }) };
      throw new SvcError(code, message, { ...added, position: of.assignment.offset + 1, cause: error });
    }
  });
}

/** A prepared change of a part of a variable. */
interface ReadyPart {
  readonly scope: Scope;
  readonly key: string;
  readonly given: SqlType;
  readonly variables: readonly Variable[];
  readonly types: readonly SqlType[];
  readonly compilation: Compilation;
  readonly compute: ReturnType<Compilation['scalars']>;
  readonly change: ReadyChange | null;
  readonly row: Value[];
  /** It depends on nothing that changes within a transaction, so one run can be reused. */
  readonly steady: boolean;
  run: Run | null;
  runOf: object | null;
}

const places = new WeakMap<Target, ReadyPart>();

function placeFor(
  session: SqlSession,
  scope: Scope,
  variable: Variable,
  fields: readonly string[],
  target: Target,
  value: Value,
  type: SqlType,
  of: Fragment | null,
): ReadyPart {
  const key = session.planKey();
  const known = type.name === 'unknown' ? undefined : places.get(target);
  if (
    known !== undefined &&
    known.scope === scope &&
    known.key === key &&
    known.given === type &&
    known.variables.every((each, i) => each.type === known.types[i] && !each.gone)
  ) {
    return known;
  }
  const behind = of?.assignment === undefined || target.path === null ? 0 : of.assignment.text.indexOf(target.path.text);
  const prefix = written(variable, fields).length - behind;
  const made = inAssignment(session, of, prefix, () => makePlace(session, scope, key, variable, fields, target, value, type));
  if (type.name !== 'unknown') places.set(target, made);
  return made;
}

function written(variable: Variable, fields: readonly string[]): string {
  return `UPDATE t SET ${inQuotes(variable.name)}${fields.map((field) => `.${inQuotes(field)}`).join('')}`;
}

function makePlace(
  session: SqlSession,
  scope: Scope,
  key: string,
  variable: Variable,
  fields: readonly string[],
  target: Target,
  value: Value,
  type: SqlType,
): ReadyPart {
  const [update] = session.parseUncached(`${written(variable, fields)}${target.path?.text ?? ''} = NULL`) as readonly Update[];
  const [{ targets }] = update.set;
  const numbers = new Map<string, number>();
  const variables: Variable[] = [];
  for (let at: Scope | null = scope; at !== null; at = at.parent) {
    for (const [name, each] of at.names) {
      if (numbers.has(name)) continue;
      variables.push(each);
      numbers.set(name, variables.length);
    }
  }
  const whole = variables.indexOf(variable) + 1 || variables.push(variable);
  const types = [...variables.map((each) => each.type), type];
  const binder = new Binder(session.names(), session.host.registry, session.env, { types, fixed: true });
  binder.argumentNames = { owner: '', numbers, conflict: 'variable' };
  const base = { kind: 'parameter', number: whole, type: variable.type, typmod: -1 } as const;
  const column = { name: variable.name, type: variable.type, typmod: variable.typmod } as SqlColumn;
  // A literal takes the part's type.
  const part =
    type.name === 'unknown'
      ? ({ kind: 'constant', value, type, typmod: -1 } as const)
      : ({ kind: 'parameter', number: variables.length + 1, type, typmod: -1 } as const);
  const columns = types.map((each, i) => binder.column(`$${i + 1}`, each, -1));
  const bound = rewriteBound(assignPart(binder, base, column, targets[0], part, new BindScope(null), 0), (e) =>
    e.kind === 'parameter' ? { ...binder.use(columns[e.number - 1]), type: e.type, typmod: e.typmod } : e,
  );
  // Only variables that it uses are checked each time.
  const used = new Set<number>();
  let steady = true;
  visitBound(bound, (e) => {
    if (e.kind === 'environment') steady = false;
    if (e.kind === 'column') used.add(columns.findIndex(({ id }) => id === e.id));
  });
  const kept = columns.map((_, i) => i).filter((i) => used.has(i) && i < variables.length);
  const own = [...kept.map((i) => columns[i]), columns[variables.length]];
  const compilation = new Compilation();
  return {
    scope,
    key,
    given: type,
    variables: kept.map((i) => variables[i]),
    types: kept.map((i) => types[i]),
    compilation,
    compute: compilation.scalars([bound], own),
    change: readyChange(compilation, bound, own),
    steady,
    run: null,
    runOf: null,
    row: new Array<Value>(own.length).fill(null),
  };
}

/** Assigns the columns of a row to the targets: as a whole to a row variable, otherwise one by one. null: there is no row. */
export function assignColumns(
  session: SqlSession,
  scope: Scope,
  targets: readonly Target[],
  columns: readonly ResultColumn[],
  row: readonly Value[] | null,
): void {
  const [only] = targets;
  if (targets.length === 1 && only.path === null) {
    const { variable, fields } = placeOf(scope, only);
    if (fields.length === 0 && (variable.anyRow || isRecordType(variable.type))) return intoRow(session, variable, columns, row);
  }
  targets.forEach((target, i) => {
    const column = columns[i];
    assignValue(session, scope, target, row === null || column === undefined ? null : row[i], column?.type ?? session.host.registry.type('text'));
  });
}

function intoRow(session: SqlSession, variable: Variable, columns: readonly ResultColumn[], row: readonly Value[] | null): void {
  if (variable.anyRow) {
    // A single column that is a row is assigned as the row.
    if (columns.length === 1 && isRecordType(columns[0].type) && columnsOf(columns[0].type) !== null)
      return assignRow(variable, row === null ? null : row[0], columns[0].type);
    const type = rowTypeOf(columns);
    const types = columns.map((column) => column.type);
    variable.set(new RecordValue(row ?? columns.map(() => null), types));
    variable.type = type;
    return;
  }
  if (row === null) return variable.set(null);
  if (columns.length === 1 && isRecordType(columns[0].type)) return variable.set(converted(session, row[0], columns[0].type, variable.type, -1));
  const fields = columnsOf(variable.type)!;
  const values = fields.map(({ type, typmod }, i) => {
    const column = columns[i];
    return column === undefined ? null : converted(session, row[i], column.type, type, typmod);
  });
  variable.set(
    new RecordValue(
      values,
      fields.map(({ type }) => type),
    ),
  );
}
