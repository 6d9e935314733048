/**
 * ALTER TYPE … RENAME VALUE. Rows keep labels as text, so those of all tables with columns that hold the type (by itself, in arrays,
 * domains, composites or ranges) are written anew; keys hold the label's place, which stays. In stored SQL the label is found
 * where it is written as the type; where it may be meant otherwise, the renaming is refused rather than guessed.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { CatalogObject, EnumObject } from '../../worlds/definition.ts';
import { ArrayValue } from '../types/array-value.ts';
import { MultirangeValue, RangeValue } from '../types/range-value.ts';
import { RecordValue } from '../types/record-value.ts';
import type { Value } from '../types/value.ts';
import type { Ddl } from './ddl.ts';
import { rewriteRows } from './rewrite.ts';

export function renameEnumLabel(ddl: Ddl, type: EnumObject, label: string, to: string): void {
  const holding = typesHolding(ddl, type);
  const definitions = [...ddl.definitions.values()];
  const tables = new Set<number>();
  for (const object of definitions) if (object.what === 'attribute' && holding.has(object.type)) tables.add(object.table);
  for (const object of definitions) {
    if (object.what !== 'relation' || !tables.has(object.number)) continue;
    if (object.partitionBy?.elements.some((each) => holding.has(each.type)) === true)
      throw refused(type, label, `the partitions of table ${object.name} are bounded by its labels`);
  }
  const before = [...tables].map((number) => ddl.schema.tables.get(number)!);
  ddl.put({ ...type, labels: type.labels.map((each) => (each.label === label ? { ...each, label: to } : each)) });
  for (const object of definitions) {
    if (object.what === 'enum') continue;
    const texts = rewritten(object, type, label, to, holding);
    const concerned = concerns(object, type, tables, holding);
    if (concerned && texts.left) throw refused(type, label, `${object.what} ${'name' in object ? object.name : ''} names the label`);
    const cells =
      object.what === 'attribute' && tables.has(object.table) && holding.has(object.type) && object.missing !== null
        ? { ...(texts.object as typeof object), missing: null, missingCell: null }
        : texts.object;
    if (cells !== object) ddl.put(cells);
  }
  for (const table of before) {
    const relation = definitions.find((object) => object.what === 'relation' && object.number === table.number);
    if (relation?.what !== 'relation') continue;
    const places = table.columns.flatMap((column, i) => (holding.has(column.type.oid) ? [i] : []));
    const now = [...ddl.definitions.values()].find((object) => object.what === 'relation' && object.number === table.number);
    ddl.put({ ...(now as typeof relation), epoch: relation.epoch + 1 });
    rewriteRows(ddl, table, (row) => {
      const out = row.slice();
      for (const i of places) out[i] = renamedIn(row[i], table.columns[i].type.oid, ddl, holding, label, to);
      return out;
    });
  }
}

function refused({ name }: EnumObject, label: string, detail: string): SvcError {
  return new SvcError('0A000', `renaming label "${label}" of type "${name}" is not supported`, { detail: `${detail[0].toUpperCase()}${detail.slice(1)}.` });
}

/** Oids of the type, and of all that are made of it. */
function typesHolding(ddl: Ddl, { number, array }: EnumObject): Set<number> {
  const out = new Set([number, array]);
  for (let known = 0; known !== out.size;) {
    known = out.size;
    for (const object of ddl.definitions.values()) {
      switch (object.what) {
        case 'domain':
          if (out.has(object.base)) out.add(object.number).add(object.array);
          break;
        case 'composite':
          if (object.attributes.some((each) => out.has(each.type))) out.add(object.number).add(object.array);
          break;
        case 'range':
          if (out.has(object.subtype)) out.add(object.number).add(object.array).add(object.multirange).add(object.multirangeArray);
          break;
        default:
      }
    }
  }
  return out;
}

function renamedIn(value: Value, oid: number, ddl: Ddl, holding: ReadonlySet<number>, label: string, to: string): Value {
  if (value === null || !holding.has(oid)) return value;
  const inside = (each: Value, type: number): Value => renamedIn(each, type, ddl, holding, label, to);
  if (value instanceof ArrayValue) {
    const element = ddl.schema.typeByOid(oid)!.element!.oid;
    return new ArrayValue(
      value.elements.map((each) => inside(each, element)),
      value.lengths,
      value.lowers,
    );
  }
  if (value instanceof RecordValue)
    return new RecordValue(
      value.fields.map((each, i) => inside(each, value.types[i].oid)),
      value.types,
    );
  const ends = (range: RangeValue): RangeValue => {
    const bound = (each: Value): Value => (each === label ? to : each);
    return range.empty ? range : new RangeValue(bound(range.lower), bound(range.upper), range.lowerInc, range.upperInc);
  };
  if (value instanceof RangeValue) return ends(value);
  if (value instanceof MultirangeValue) return new MultirangeValue(value.ranges.map(ends));
  return value === label ? to : value;
}

function concerns(object: CatalogObject, { number, array }: EnumObject, tables: ReadonlySet<number>, holding: ReadonlySet<number>): boolean {
  if (object.what === 'attribute') return tables.has(object.table) && (holding.has(object.type) || object.generated !== null);
  if (object.what === 'domain') return holding.has(object.number);
  if ('table' in object && typeof object.table === 'number' && tables.has(object.table)) return true;
  const uses = 'uses' in object ? (object.uses ?? []) : 'query' in object && object.what === 'relation' ? (object.query?.uses ?? []) : [];
  return uses.some((use) => use.object === number || use.object === array || tables.has(use.object));
}

/** Where definitions hold SQL. */
const SQL_KEYS: ReadonlySet<string> = new Set(['default', 'generated', 'expression', 'where', 'condition', 'sql', 'using', 'check', 'when', 'actions']);

/** The definition with the label renamed in its SQL; `left`: it is still there, as it may be a text. */
function rewritten(
  object: CatalogObject,
  { name, number }: EnumObject,
  label: string,
  to: string,
  holding: ReadonlySet<number>,
): { object: CatalogObject; left: boolean } {
  const literal = `'${label.replaceAll("'", "''")}'`;
  const next = `'${to.replaceAll("'", "''")}'`;
  const escaped = (text: string): string => text.replace(/[^\w]/g, '\\$&');
  const called = `(?:(?:[\\w$]+|"(?:[^"]|"")+")\\.)?(?:${escaped(name)}|"${escaped(name.replaceAll('"', '""'))}")(?![\\w$])`;
  const cast = new RegExp(`${escaped(literal)}(?=\\s*::\\s*${called}|\\s+as\\s+${called})`, 'gi');
  const whole = object.what === 'attribute' ? object.type === number : object.what === 'domain' && holding.has(object.number);
  const inSql = object.what === 'function' && object.form !== 'text';
  let left = false;
  let changed = false;
  const walk = (value: unknown, key: string): unknown => {
    if (typeof value === 'string') {
      if (!(SQL_KEYS.has(key) || (key === 'body' && inSql)) || !value.includes(literal)) return value;
      const out = key === 'default' && whole && value === literal ? next : value.replace(cast, next);
      if (out !== value) changed = true;
      if (out.includes(literal)) left = true;
      return out;
    }
    if (Array.isArray(value)) return value.map((each) => walk(each, key));
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([own, each]) => [own, walk(each, own)]));
  };
  const out = walk(object, '') as CatalogObject;
  return { object: changed ? out : object, left };
}
