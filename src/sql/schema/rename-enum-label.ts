/**
 * ALTER TYPE … RENAME VALUE. Rows store ids of labels and keys their positions, both of which stay, so no row changes. In stored SQL
 * the label is replaced where it is a constant of the type; if it may have another meaning, the rename is refused.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import { type CatalogObject, type EnumObject, isTypeObject, labelId, typeOids, typesWithin } from '../../worlds/definition.ts';
import { referencesOf } from '../../worlds/kinds/registry.ts';
import type { Ddl } from './ddl.ts';

export function renameEnumLabel(ddl: Ddl, type: EnumObject, label: string, to: string): void {
  const definitions = [...ddl.definitions.values()];
  const { holding, tables } = usesOf(definitions, type);
  for (const object of definitions) {
    if (object.what !== 'relation' || !tables.has(object.number)) continue;
    // Bounds store ids of labels, as rows do; a hash uses the label itself.
    if (object.partitionBy?.strategy === 'hash' && object.partitionBy.elements.some((each) => holding.has(each.type)))
      throw refused(type, label, `the rows of table ${object.name} are spread by its labels`);
  }
  ddl.put({ ...type, labels: type.labels.map((each) => (each.label === label ? renamedLabel(each, to) : each)) });
  for (const object of definitions) {
    if (object.what === 'enum') continue;
    const texts = rewritten(object, type, label, to, holding);
    if (texts.left && concerns(object, type, tables, holding))
      throw refused(type, label, `${object.what} ${'name' in object ? object.name : ''} names the label`);
    if (texts.object !== object) ddl.put(texts.object);
  }
}

/** A merge side's definition with the type's labels as the result names them. `left`: an old label remains that may have another meaning. */
export function relabelled(
  definitions: Iterable<CatalogObject>,
  type: EnumObject,
  renames: readonly { readonly from: string; readonly to: string }[],
): (object: CatalogObject) => { object: CatalogObject; left: boolean } {
  const { holding, tables } = usesOf([...definitions], type);
  return (object) => {
    if (object.what === 'enum') return { object, left: false };
    let out: CatalogObject = object;
    let left = false;
    // Labels may have swapped names, so they are replaced in two steps.
    const steps = [...renames.map(({ from }, i) => [from, `\u0001${i}`] as const), ...renames.map(({ to }, i) => [`\u0001${i}`, to] as const)];
    for (const [from, to] of steps) {
      const texts = rewritten(out, type, from, to, holding);
      out = texts.object;
      left ||= texts.left && concerns(object, type, tables, holding);
    }
    return { object: out, left };
  };
}

/** Types that contain the type, and tables with columns of those. */
function usesOf(definitions: readonly CatalogObject[], type: EnumObject): { holding: ReadonlySet<number>; tables: ReadonlySet<number> } {
  const holding = typesHolding(definitions, type);
  const tables = new Set<number>();
  for (const object of definitions) if (object.what === 'attribute' && holding.has(object.type)) tables.add(object.table);
  return { holding, tables };
}

function renamedLabel(each: EnumObject['labels'][number], to: string): EnumObject['labels'][number] {
  const stored = labelId(each);
  return { label: to, order: each.order, ...(stored === to ? {} : { stored }) };
}

function refused({ name }: EnumObject, label: string, detail: string): SvcError {
  return new SvcError('0A000', `renaming label "${label}" of type "${name}" is not supported`, { detail: `${detail[0].toUpperCase()}${detail.slice(1)}.` });
}

/** Oids of the type, and of all types that contain it. */
function typesHolding(definitions: readonly CatalogObject[], { number, array }: EnumObject): Set<number> {
  const out = new Set([number, array]);
  for (let known = 0; known !== out.size;) {
    known = out.size;
    for (const object of definitions) {
      if (isTypeObject(object) && typesWithin(object).some((oid) => out.has(oid))) for (const oid of typeOids(object)) out.add(oid);
    }
  }
  return out;
}

function concerns(object: CatalogObject, { number, array }: EnumObject, tables: ReadonlySet<number>, holding: ReadonlySet<number>): boolean {
  if (object.what === 'attribute') return tables.has(object.table) && (holding.has(object.type) || object.generated !== null);
  if (object.what === 'domain') return holding.has(object.number);
  if ('table' in object && typeof object.table === 'number' && tables.has(object.table)) return true;
  return referencesOf(object).some((each) => each.to === 'used' && (each.number === number || each.number === array || tables.has(each.number)));
}

/** Properties of definitions that hold SQL. */
const SQL_KEYS: ReadonlySet<string> = new Set(['default', 'generated', 'expression', 'where', 'condition', 'sql', 'using', 'check', 'when', 'actions']);

/** The definition with the label renamed in its SQL; `left`: an occurrence remains that may be a text. */
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
