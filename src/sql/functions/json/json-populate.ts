/**
 * Rows from documents: json(b)_populate_record(set), json(b)_to_record(set). Manual, section 9.16. Columns come from the type of the
 * first argument, or from the column definition list, which is the call's return type.
 */
import { SvcError } from '../../../base/errors/svc-error.ts';
import { tooManyDimensions } from '../../types/array-literal-check.ts';
import { ArrayValue } from '../../types/array-value.ts';
import type { Environment } from '../../types/environment.ts';
import { printTree } from '../../types/json-print.ts';
import { sourceOf, unquoteJson } from '../../types/json-source.ts';
import { type JsonKind, type JsonNode, JsonObject, isJsonArray, kindOf } from '../../types/json-tree.ts';
import { jsonbOf, treeOf } from '../../types/jsonb.ts';
import { type RecordColumn, columnsOf, fieldName, isRecordType } from '../../types/record-type.ts';
import { RecordValue } from '../../types/record-value.ts';
import type { SqlType } from '../../types/type.ts';
import type { Value } from '../../types/value.ts';
import type { Call, FunctionModule, ScalarFunction, SetFunction } from '../define.ts';

const JSON_OID = 114;
const JSONB_OID = 3802;

/** A document or a part of one, json or jsonb. */
interface Part {
  readonly kind: JsonKind;
  get(key: string): Part | undefined;
  items(): Part[];
  /** As JSON. */
  json(): string;
  /** For an input function: strings without quotes. */
  plain(): string;
}

class JsonPart implements Part {
  readonly text: string;
  readonly kind: JsonKind;

  constructor(text: string) {
    this.text = text.trim();
    this.kind = sourceOf(text).kind;
  }

  get(key: string): Part | undefined {
    const { keys, items } = sourceOf(this.text);
    const at = keys.lastIndexOf(key);
    return at === -1 ? undefined : new JsonPart(items[at]);
  }

  items(): Part[] {
    return sourceOf(this.text).items.map((item) => new JsonPart(item));
  }

  json(): string {
    return this.text;
  }

  plain(): string {
    return this.kind === 'string' ? unquoteJson(this.text) : this.text;
  }
}

class JsonbPart implements Part {
  readonly node: JsonNode;
  readonly kind: JsonKind;

  constructor(node: JsonNode) {
    this.node = node;
    this.kind = kindOf(node);
  }

  get(key: string): Part | undefined {
    const node = this.node instanceof JsonObject ? this.node.get(key) : undefined;
    return node === undefined ? undefined : new JsonbPart(node);
  }

  items(): Part[] {
    return isJsonArray(this.node) ? this.node.map((node) => new JsonbPart(node)) : [];
  }

  json(): string {
    return jsonbOf(this.node);
  }

  plain(): string {
    return typeof this.node === 'string' ? this.node : printTree(this.node);
  }
}

/** Fills rows of one shape. */
class Filler {
  readonly name: string;
  readonly columns: readonly RecordColumn[];
  readonly types: readonly SqlType[];
  readonly env: Environment;

  constructor(name: string, columns: readonly RecordColumn[], env: Environment) {
    this.name = name;
    this.columns = columns;
    this.types = columns.map((column) => column.type);
    this.env = env;
  }

  /** A row from an object; missing columns keep the value in `base`. */
  row(part: Part, base: RecordValue | null): RecordValue {
    const { kind } = part;
    if (kind !== 'object') throw new SvcError('22023', `cannot call populate_composite on ${kind === 'array' ? 'an array' : 'a scalar'}`);
    const fields = this.columns.map((column, i): Value => {
      const before = base === null ? null : base.fields[i];
      const member = part.get(column.name);
      return member === undefined ? before : this.field(member, column.type, column.typmod, before, column.name);
    });
    return new RecordValue(fields, this.types);
  }

  field(part: Part, type: SqlType, typmod: number, before: Value, key: string): Value {
    const { kind } = part;
    if (kind === 'null') return null;
    if (type.oid === JSON_OID) return part.json();
    if (type.oid === JSONB_OID) return part instanceof JsonbPart ? part.json() : type.parse(part.json(), -1, this.env);
    if (kind !== 'string') {
      if (type.element !== null) return this.array(part, type.element, typmod, key);
      const columns = columnsOf(type);
      if (columns !== null) return new Filler(this.name, columns, this.env).row(part, before as RecordValue | null);
    }
    return type.parse(part.plain(), typmod, this.env);
  }

  /** The first item of each level determines the number of dimensions; all others must agree. */
  array(part: Part, element: SqlType, typmod: number, key: string): ArrayValue {
    const elements: Value[] = [];
    const lengths: number[] = [];
    let dimensions = 0;
    const level = (list: Part, depth: number, trail: string): number => {
      if (list.kind !== 'array') {
        const hint = depth === 1 ? `See the value of key "${key}".` : `See the array element ${trail} of key "${key}".`;
        throw new SvcError('22P02', 'expected JSON array', { hint });
      }
      const items = list.items();
      if (dimensions === 0 && (items.length === 0 || items[0].kind !== 'array')) {
        if (depth > 6) throw tooManyDimensions(depth);
        dimensions = depth;
      }
      items.forEach((item, i) => {
        if (dimensions > 0 && depth >= dimensions) {
          elements.push(this.field(item, element, typmod, null, key));
          return;
        }
        const count = level(item, depth + 1, `${trail}[${i}]`);
        lengths[depth] ??= count;
        if (lengths[depth] !== count) {
          throw new SvcError('22P02', 'malformed JSON array', { detail: 'Multidimensional arrays must have sub-arrays with matching dimensions.' });
        }
      });
      return items.length;
    };
    lengths[0] = level(part, 1, '');
    return new ArrayValue(elements, lengths);
  }
}

function noRowType(name: string): SvcError {
  return new SvcError('0A000', `could not determine row type for result of ${name}`, {
    hint: 'Provide a non-null record argument, or call the function in the FROM clause using a column definition list.',
  });
}

/** The columns for populate_record: from the argument's type, the call's type, or the value itself. */
function shape(call: Call, base: RecordValue | null, name: string): readonly RecordColumn[] {
  if (!isRecordType(call.argTypes[0])) throw new SvcError('42804', `first argument of ${name} must be a row type`);
  const columns = columnsOf(call.argTypes[0]) ?? columnsOf(call.returnType);
  if (columns !== null) return columns;
  if (base === null) throw noRowType(name);
  return base.types.map((type, i) => ({ name: fieldName(null, i), type, typmod: -1 }));
}

function listed(call: Call, name: string): readonly RecordColumn[] {
  const columns = columnsOf(call.returnType);
  if (columns === null) throw noRowType(name);
  return columns;
}

function* rowsOf(part: Part, filler: Filler, base: RecordValue | null): Iterable<Value> {
  const { name } = filler;
  if (part.kind !== 'array') {
    const what = part instanceof JsonbPart ? 'a non-array' : part.kind === 'object' ? 'an object' : 'a scalar';
    throw new SvcError('22023', `cannot call ${name} on ${what}`);
  }
  for (const item of part.items()) {
    if (item.kind !== 'object') throw new SvcError('22023', `argument of ${name} must be an array of objects`);
    yield filler.row(item, base);
  }
}

function forType(type: string, partOf: (text: string) => Part): (ScalarFunction | SetFunction)[] {
  const one = `${type}_populate_record`;
  const many = `${type}_populate_recordset`;
  const row = `${type}_to_record`;
  const rows = `${type}_to_recordset`;
  // json's two have a third argument without effect since 9.3.
  const legacy =
    type === 'json' ? { args: ['anyelement', type, 'bool'], argNames: ['base', 'from_json', 'use_json_as_text'], optional: 1 } : { args: ['anyelement', type] };
  return [
    {
      kind: 'scalar',
      name: one,
      ...legacy,
      returns: 'anyelement',
      volatility: 'stable',
      strict: false,
      needsCall: true,
      doc: 'A row of the type of the first argument, filled from an object; columns that it lacks keep their values.',
      impl: (call: Call, base: RecordValue | null, text: string | null) => {
        const columns = shape(call, base, one);
        return text === null ? base : new Filler(one, columns, call.env).row(partOf(text), base);
      },
    },
    {
      kind: 'set',
      name: many,
      ...legacy,
      returns: 'anyelement',
      volatility: 'stable',
      strict: false,
      needsCall: true,
      doc: 'A row for each object of an array, as populate_record makes them.',
      impl: (call: Call, base: RecordValue | null, text: string | null) => {
        const columns = shape(call, base, many);
        return text === null ? [] : rowsOf(partOf(text), new Filler(many, columns, call.env), base);
      },
    },
    {
      kind: 'scalar',
      name: row,
      args: [type],
      returns: 'record',
      volatility: 'stable',
      needsCall: true,
      doc: 'A row with the columns of the column definition list, filled from an object.',
      impl: (call: Call, text: string) => new Filler(row, listed(call, row), call.env).row(partOf(text), null),
    },
    {
      kind: 'set',
      name: rows,
      args: [type],
      returns: 'record',
      volatility: 'stable',
      strict: false,
      needsCall: true,
      doc: 'A row for each object of an array, with the columns of the column definition list.',
      impl: (call: Call, text: string | null) => (text === null ? [] : rowsOf(partOf(text), new Filler(rows, listed(call, rows), call.env), null)),
    },
  ];
}

export const JSON_POPULATE: FunctionModule = {
  functions: [...forType('json', (text) => new JsonPart(text)), ...forType('jsonb', (text) => new JsonbPart(treeOf(text)))],
};
