/** CREATE SEQUENCE, ALTER SEQUENCE and the sequences behind serial and identity columns. */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { AttributeObject, RelationObject, SequenceObject } from '../../worlds/definition.ts';
import type { Ddl } from './ddl.ts';
import { openTemporarySchema } from './temporary-schema.ts';
import { chooseName } from './implicit-name.ts';
import { missing, relationTaken, schemaMustExist } from './object-errors.ts';
import { OID } from './oids.ts';

/** As written; absent options keep their value or default. `null`: NO MINVALUE, NO MAXVALUE. */
export interface SequenceOptions {
  readonly type?: number;
  readonly increment?: bigint;
  readonly min?: bigint | null;
  readonly max?: bigint | null;
  readonly start?: bigint;
  readonly cache?: bigint;
  readonly cycle?: boolean;
  /** SEQUENCE NAME of an identity column; no schema: the table's. */
  readonly name?: { readonly schema: string | null; readonly name: string };
  /** Object numbers; null: OWNED BY NONE. */
  readonly ownedBy?: { readonly table: number; readonly column: number } | null;
}

const RANGES: Record<number, { min: bigint; max: bigint; title: string }> = {
  [OID.int2]: { min: -32768n, max: 32767n, title: 'smallint' },
  [OID.int4]: { min: -2147483648n, max: 2147483647n, title: 'integer' },
  [OID.int8]: { min: -9223372036854775808n, max: 9223372036854775807n, title: 'bigint' },
};

/** Default bounds of a sequence of the type. */
export function usualBounds(type: number, up: boolean): { readonly min: bigint; readonly max: bigint } {
  const { min, max } = RANGES[type];
  return up ? { min: 1n, max } : { min, max: -1n };
}

export interface SequenceSpec {
  readonly schema: string;
  readonly name: string;
  readonly ifNotExists: boolean;
  readonly options: SequenceOptions;
}

/** Number of the new sequence; null if IF NOT EXISTS found a relation. */
export function createSequence(ddl: Ddl, { schema, name, ifNotExists, options }: SequenceSpec): number | null {
  openTemporarySchema(ddl, schema);
  schemaMustExist(ddl.schema, schema);
  if (ddl.schema.relation(schema, name) !== null) {
    if (!ifNotExists) throw relationTaken(name);
    ddl.notice('42P07', `relation "${name}" already exists, skipping`);
    return null;
  }
  if (options.ownedBy != null) mustGoTogether(ddl, { number: null, schema }, options.ownedBy.table);
  return putSequence(ddl, schema, name, options).number;
}

function putSequence(ddl: Ddl, schema: string, name: string, options: SequenceOptions): SequenceObject {
  const object: SequenceObject = {
    what: 'sequence',
    number: 0,
    schema,
    name,
    type: OID.int8,
    increment: '1',
    min: '',
    max: '',
    start: '',
    cache: 1,
    cycle: false,
    ownedBy: null,
  };
  object.number = ddl.numberFor(object);
  const made = withOptions(object, options, true);
  ddl.put(made);
  return made;
}

/** 22023 unless the type is smallint, integer or bigint. */
export function mustCount(type: number): void {
  if (RANGES[type] === undefined) throw new SvcError('22023', 'identity column type must be smallint, integer, or bigint');
}

/** `t_a_seq`, owned by the column. */
export function createOwnedSequence(ddl: Ddl, table: RelationObject, column: AttributeObject, type: number, options: SequenceOptions): SequenceObject {
  mustCount(type);
  const schema = options.name?.schema ?? table.schema;
  if (options.name !== undefined) schemaMustExist(ddl.schema, schema);
  const name = options.name?.name ?? chooseName(table.name, column.name, 'seq', (each) => ddl.schema.relation(schema, each) !== null);
  if (options.name !== undefined && ddl.schema.relation(schema, name) !== null) throw new SvcError('42P07', `relation "${name}" already exists`);
  return putSequence(ddl, schema, name, { type, ...options, ownedBy: { table: table.number, column: column.number } });
}

/** The caller sets the sequence's state (RESTART): see sequence-values.ts. */
export function alterSequence(ddl: Ddl, schema: string, name: string, ifExists: boolean, options: SequenceOptions): SequenceObject | null {
  const found = ddl.schema.relation(schema, name);
  if (found === null) {
    if (!ifExists) {
      schemaMustExist(ddl.schema, schema);
      throw missing('relation', name);
    }
    ddl.notice('00000', `relation "${name}" does not exist, skipping`);
    return null;
  }
  if (found.kind !== 'sequence') throw new SvcError('42809', `"${name}" is not a sequence`);
  const object = sequenceObject(ddl, found.sequence.number);
  if (options.ownedBy !== undefined && object.ownedBy !== null) {
    const table = ddl.schema.tables.get(object.ownedBy.table);
    if (table?.columns.some(({ number, identity }) => number === object.ownedBy!.column && identity !== null) === true)
      throw new SvcError('0A000', 'cannot change ownership of identity sequence', { detail: `Sequence "${name}" is linked to table "${table.name}".` });
  }
  if (options.ownedBy != null) mustGoTogether(ddl, object, options.ownedBy.table);
  const made = withOptions(object, options, false);
  ddl.put(made);
  return made;
}

/** 55000: a sequence must have the schema and owner of the table that it belongs to. */
export function mustGoTogether(ddl: Ddl, { number, schema }: { readonly number: number | null; readonly schema: string }, owner: number): void {
  const table = ddl.schema.tables.get(owner);
  if (table === undefined) return;
  if (number !== null && ddl.schema.ownerOf(number) !== ddl.schema.ownerOf(owner))
    throw new SvcError('55000', 'sequence must have same owner as table it is linked to');
  if (schema !== table.schema) throw new SvcError('55000', 'sequence must be in same schema as table it is linked to');
}

export function sequenceObject(ddl: Ddl, number: number): SequenceObject {
  for (const object of ddl.definitions.values()) if (object.what === 'sequence' && object.number === number) return object;
  throw missing('sequence', String(number));
}

/** Checks and messages as in Postgres's init_params. */
function withOptions(object: SequenceObject, options: SequenceOptions, isNew: boolean): SequenceObject {
  const type = options.type ?? object.type;
  const range = RANGES[type];
  if (range === undefined) throw new SvcError('22023', 'sequence type must be smallint, integer, or bigint');
  const increment = options.increment ?? BigInt(object.increment);
  if (increment === 0n) throw new SvcError('22023', 'INCREMENT must not be zero');
  const up = increment > 0n;
  const oldRange = RANGES[object.type];
  const retyped = !isNew && type !== object.type;
  const { min: defaultMin, max: defaultMax } = usualBounds(type, up);
  let max: bigint;
  if (options.max !== undefined) max = options.max ?? defaultMax;
  else if (isNew || (retyped && up && BigInt(object.max) === oldRange.max)) max = defaultMax;
  else max = BigInt(object.max);
  let min: bigint;
  if (options.min !== undefined) min = options.min ?? defaultMin;
  else if (isNew || (retyped && !up && BigInt(object.min) === oldRange.min)) min = defaultMin;
  else min = BigInt(object.min);
  if (max < range.min || max > range.max) throw new SvcError('22023', `MAXVALUE (${max}) is out of range for sequence data type ${range.title}`);
  if (min < range.min || min > range.max) throw new SvcError('22023', `MINVALUE (${min}) is out of range for sequence data type ${range.title}`);
  if (min >= max) throw new SvcError('22023', `MINVALUE (${min}) must be less than MAXVALUE (${max})`);
  const start = options.start ?? (isNew ? (up ? min : max) : BigInt(object.start));
  if (start < min) throw new SvcError('22023', `START value (${start}) cannot be less than MINVALUE (${min})`);
  if (start > max) throw new SvcError('22023', `START value (${start}) cannot be greater than MAXVALUE (${max})`);
  const cache = options.cache ?? BigInt(object.cache);
  if (cache < 1n) throw new SvcError('22023', `CACHE (${cache}) must be greater than zero`);
  return {
    ...object,
    type,
    increment: String(increment),
    min: String(min),
    max: String(max),
    start: String(start),
    cache: Number(cache),
    cycle: options.cycle ?? object.cycle,
    ownedBy: options.ownedBy === undefined ? object.ownedBy : options.ownedBy,
  };
}
