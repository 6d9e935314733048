/**
 * Stored texts of values. They are the types' own, except for composites, whose fields are identified by attnum:
 *
 *     (1,x,3,"a b")     attribute 1 is x and 3 is "a b"; missing ones are null
 *
 * so that ALTER TYPE can add or drop an attribute without rewriting rows, in any world; and except for enum labels, which are stored
 * as ids, for the same reason.
 */
import { formatArray, parseArray } from './array-text.ts';
import type { ArrayValue } from './array-value.ts';
import type { Environment } from './environment.ts';
import { formatRecord, parseFields } from './record-text.ts';
import { rangeTypes, successorOf } from './range-type.ts';
import { columnsOf } from './record-type.ts';
import { RecordValue } from './record-value.ts';
import type { SqlType } from './type.ts';
import type { Value } from './value.ts';

const COMMA = 44;
/** Types whose values are stored verbatim: xml with a declaration that is not shown, aclitem with oids in place of names. */
const VERBATIM: ReadonlySet<number> = new Set([142, 1033]);

export function storedText(type: SqlType, value: Value, env: Environment): string {
  if (VERBATIM.has(type.oid)) return value as string;
  if (type.labels !== null) return type.labelIds === undefined ? (value as string) : type.labelIds.idOf(value as string);
  if (type.range !== null && holdsLabels(type)) return withIds(type).format(value, env);
  if (type.element !== null && (columnsOf(type.element) !== null || VERBATIM.has(type.element.oid) || holdsLabels(type.element)))
    return formatArray(value as ArrayValue, ',', (item) => storedText(type.element!, item, env));
  const columns = columnsOf(type);
  if (columns === null) return type.format(value, env);
  const { fields } = value as RecordValue;
  return formatRecord(
    columns.flatMap(({ attnum, type: own }, i) =>
      fields[i] === null || fields[i] === undefined ? [] : [String(attnum ?? i + 1), storedText(own, fields[i], env)],
    ),
  );
}

export function storedValue(type: SqlType, text: string, env: Environment): Value {
  // Stored values were checked when they were written: a domain's constraints are not checked here.
  const root = type.domain === null ? type : type.domain.root;
  if (VERBATIM.has(root.oid)) return text;
  if (root.labels !== null) return root.labelIds === undefined ? text : root.labelIds.labelOf(text);
  if (root.range !== null && holdsLabels(root)) return withIds(root).parse(text, -1, env);
  const { element } = root;
  if (element !== null && element.oid !== 0 && (columnsOf(element) !== null || element.domain !== null || VERBATIM.has(element.oid) || holdsLabels(element))) {
    return parseArray(text, COMMA, (item) => storedValue(element, item, env), true);
  }
  const columns = columnsOf(root);
  if (columns === null) return root.parse(text, -1, env);
  const parts = parseFields(text);
  const fields = columns.map(({ attnum, type: own }, i): Value => {
    const wanted = String(attnum ?? i + 1);
    for (let at = 0; at + 1 < parts.length; at += 2) if (parts[at] === wanted) return storedValue(own, parts[at + 1] ?? '', env);
    return null;
  });
  return new RecordValue(
    fields,
    columns.map((column) => column.type),
  );
}

/** Whether the text of a value contains labels: of the type itself, its elements or bounds. */
export function holdsLabels({ labels, element, range }: SqlType): boolean {
  return labels !== null || (element !== null && element.oid !== 0 && holdsLabels(element)) || (range !== null && holdsLabels(range.subtype));
}

const ranges = new WeakMap<SqlType, SqlType>();

/** The range or multirange type with ids in its text. */
function withIds(type: SqlType): SqlType {
  let made = ranges.get(type);
  if (made === undefined) {
    const { subtype, oid, multirangeOid, multi } = type.range!;
    const bound: SqlType = {
      ...subtype,
      parse: (text, _typmod, env) => storedValue(subtype, text, env),
      format: (value, env) => storedText(subtype, value, env),
    };
    const names = { oid, arrayOid: 0, name: type.name, multirangeOid, multirangeArrayOid: 0, multirangeName: type.name, next: successorOf(type) };
    const { range, multirange } = rangeTypes(bound, names);
    ranges.set(type, (made = multi ? multirange : range));
  }
  return made;
}
