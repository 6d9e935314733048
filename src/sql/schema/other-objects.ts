/** Views, enums, schemas, comments, and operations on any object: RENAME, SET SCHEMA, TRUNCATE. */
import { renameEnumLabel } from './rename-enum-label.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import { type CatalogObject, type EnumObject, labelId, namedNumberName, type SchemaObject, type ViewObject } from '../../worlds/definition.ts';
import { attributeOf, constraintObject, indexObjects, relationObject } from './alter-table.ts';
import { refuseTakenConstraint } from './constraint.ts';
import { sequenceObject } from './create-sequence.ts';
import type { Ddl } from './ddl.ts';
import { openTemporarySchema } from './temporary-schema.ts';
import { isSystemColumn, missing, refuseTypeName, refuseWideTable, relationTaken, schemaMustExist, refuseSystemColumn } from './object-errors.ts';
import { renameInDefault, type SequenceName } from '../../worlds/sequence-names.ts';
import { PUBLIC_SCHEMA, type Relation, type Schema } from './schema.ts';
import { typeObject } from './user-types.ts';
import { sequenceStart } from './sequence-values.ts';

export interface ViewSpec {
  readonly schema: string;
  readonly name: string;
  readonly replace: boolean;
  readonly sql: string;
  readonly columns: ViewObject['columns'];
  readonly uses: ViewObject['uses'];
  readonly check?: 'none' | 'local' | 'cascaded';
  readonly invoker?: boolean;
  readonly barrier?: boolean;
}

export function createView(ddl: Ddl, { schema, name, replace, sql, columns, uses, check = 'none', invoker, barrier }: ViewSpec): number {
  openTemporarySchema(ddl, schema);
  schemaMustExist(ddl.schema, schema);
  refuseWideTable(columns.length);
  const seen = new Set<string>();
  for (const column of columns) {
    if (seen.has(column.name)) throw new SvcError('42701', `column "${column.name}" specified more than once`);
    seen.add(column.name);
  }
  const found = ddl.schema.relation(schema, name);
  if (found === null) refuseTypeName(ddl.schema, schema, name);
  if (found !== null) {
    if (!replace) throw relationTaken(name);
    if (found.kind !== 'view') throw new SvcError('42809', `"${name}" is not a view`);
    const old = found.view.columns;
    if (columns.length < old.length) throw new SvcError('42P16', 'cannot drop columns from view');
    old.forEach((column, i) => {
      if (column.name !== columns[i].name) {
        throw new SvcError('42P16', `cannot change name of view column "${column.name}" to "${columns[i].name}"`, {
          hint: 'Use ALTER VIEW ... RENAME COLUMN ... to change name of view column instead.',
        });
      }
      if (column.type.oid !== columns[i].type || column.typmod !== columns[i].typmod) {
        const type = ddl.schema.typeByOid(columns[i].type)!;
        throw new SvcError(
          '42P16',
          `cannot change data type of view column "${column.name}" from ${column.type.title}${column.type.formatTypmod(column.typmod)} to ${type.title}${type.formatTypmod(columns[i].typmod)}`,
        );
      }
    });
  }
  const object: ViewObject = { what: 'view', number: 0, schema, name, sql, columns, uses, ...(check === 'none' ? {} : { check }) };
  if (invoker === true) object.invoker = true;
  if (barrier === true) object.barrier = true;
  object.number = found?.kind === 'view' ? found.view.number : ddl.numberFor(object);
  ddl.rewritten.add(object.number);
  ddl.put(object);
  return object.number;
}

export function createEnum(ddl: Ddl, schema: string, name: string, labels: readonly string[]): number {
  openTemporarySchema(ddl, schema);
  schemaMustExist(ddl.schema, schema);
  if (ddl.schema.typeByName(schema, name) !== null || ddl.schema.relation(schema, name) !== null) throw new SvcError('42710', `type "${name}" already exists`);
  const object: EnumObject = { what: 'enum', number: 0, array: 0, schema, name, labels: labels.map((label, i) => ({ label, order: i + 1 })) };
  object.number = ddl.numberFor(object);
  labels.forEach((label, i) => {
    checkLabel(label);
    if (labels.indexOf(label) !== i) {
      throw new SvcError('23505', 'duplicate key value violates unique constraint "pg_enum_typid_label_index"', {
        detail: `Key (enumtypid, enumlabel)=(${object.number}, ${label}) already exists.`,
        data: { schema: 'pg_catalog', table: 'pg_enum', constraint: 'pg_enum_typid_label_index' },
      });
    }
  });
  object.array = ddl.objects.number(namedNumberName('enum array', schema, name));
  ddl.put(object);
  return object.number;
}

function checkLabel(label: string): void {
  if (Buffer.byteLength(label) > 63) throw new SvcError('42602', `invalid enum label "${label}"`, { detail: 'Labels must be 63 bytes or less.' });
}

export interface EnumAddition {
  readonly label: string;
  readonly ifNotExists: boolean;
  readonly neighbor: string | null;
  readonly after: boolean;
}

/** False if it exists already. */
export function addEnumValue(ddl: Ddl, schema: string, name: string, { label, ifNotExists, neighbor, after }: EnumAddition): boolean {
  const type = enumObject(ddl, schema, name);
  checkLabel(label);
  if (type.labels.some((each) => each.label === label)) {
    if (!ifNotExists) throw new SvcError('42710', `enum label "${label}" already exists`);
    ddl.notice('42710', `enum label "${label}" already exists, skipping`);
    return false;
  }
  const orders = type.labels.map(({ order }) => order).sort((a, b) => a - b);
  let order = (orders.at(-1) ?? 0) + 1;
  if (neighbor !== null) {
    const beside = type.labels.find((each) => each.label === neighbor);
    if (beside === undefined) throw new SvcError('22023', `"${neighbor}" is not an existing enum label`);
    const at = orders.indexOf(beside.order);
    const low = after ? beside.order : (orders[at - 1] ?? beside.order - 2);
    const high = after ? (orders[at + 1] ?? beside.order + 2) : beside.order;
    order = (low + high) / 2;
  }
  let stored = label;
  while (type.labels.some((each) => labelId(each) === stored)) stored = `${stored}#${order}`;
  ddl.put({ ...type, labels: [...type.labels, stored === label ? { label, order } : { label, order, stored }] });
  return true;
}

export function renameEnumValue(ddl: Ddl, schema: string, name: string, label: string, to: string): void {
  const type = enumObject(ddl, schema, name);
  checkLabel(to);
  if (!type.labels.some((each) => each.label === label)) throw new SvcError('22023', `"${label}" is not an existing enum label`);
  if (type.labels.some((each) => each.label === to)) throw new SvcError('42710', `enum label "${to}" already exists`);
  renameEnumLabel(ddl, type, label, to);
}

function enumObject(ddl: Ddl, schema: string, name: string): EnumObject {
  const found = ddl.schema.enumByName(schema, name);
  if (found === null) throw missing('type', name);
  for (const object of ddl.definitions.values()) if (object.what === 'enum' && object.number === found.number) return object;
  throw missing('type', name);
}

export function refuseSystemSchema(name: string): void {
  if (name.startsWith('pg_')) throw new SvcError('42939', `unacceptable schema name "${name}"`, { detail: 'The prefix "pg_" is reserved for system schemas.' });
}

export function createSchema(ddl: Ddl, name: string, ifNotExists: boolean): number | null {
  refuseSystemSchema(name);
  if (ddl.schema.schemas.has(name) || name === 'information_schema') {
    if (!ifNotExists) throw new SvcError('42P06', `schema "${name}" already exists`);
    ddl.notice('42P06', `schema "${name}" already exists, skipping`);
    return null;
  }
  if (name === 'public') {
    // It keeps its number: what two worlds recreate is one schema.
    ddl.remove({ what: 'dropped schema', number: PUBLIC_SCHEMA });
    return PUBLIC_SCHEMA;
  }
  const object: SchemaObject = { what: 'schema', number: 0, name };
  object.number = ddl.numberFor(object);
  ddl.put(object);
  return object.number;
}

/** `attnum` 0: the object itself. `text` null or empty removes the comment. */
export function setComment(ddl: Ddl, object: number, attnum: number, text: string | null): void {
  const comment: CatalogObject = { what: 'comment', object, attnum, text: text ?? '' };
  if (text === null || text === '') ddl.remove(comment);
  else ddl.put(comment);
}

// --- RENAME and SET SCHEMA

function objectOf(ddl: Ddl, found: Relation): CatalogObject {
  switch (found.kind) {
    case 'table': {
      ddl.definedTable(found.table.number);
      return relationObject(ddl, found.table.number);
    }
    case 'view':
      return [...ddl.definitions.values()].find((object) => object.what === 'view' && object.number === found.view.number)!;
    case 'sequence':
      return sequenceObject(ddl, found.sequence.number);
    case 'index': {
      if (found.index === null) return relationObject(ddl, found.table.number);
      return indexObjects(ddl, found.table).find(({ number }) => number === found.index!.number)!;
    }
  }
}

function absentRelation(ddl: Ddl, schema: string, name: string): SvcError {
  schemaMustExist(ddl.schema, schema);
  return missing('relation', name);
}

/** RENAME of a table, view, sequence or index. */
export function renameRelation(ddl: Ddl, schema: string, name: string, to: string, ifExists: boolean): void {
  const found = ddl.schema.relation(schema, name);
  if (found === null) {
    if (!ifExists) throw absentRelation(ddl, schema, name);
    return ddl.notice('00000', `relation "${name}" does not exist, skipping`);
  }
  if (ddl.schema.relation(schema, to) !== null) throw relationTaken(to);
  if (found.kind !== 'index') refuseTypeName(ddl.schema, schema, to);
  const object = objectOf(ddl, found);
  if (found.kind === 'index' && object.what === 'relation') ddl.put({ ...object, primaryKey: { ...object.primaryKey!, name: to } });
  else if (object.what === 'index') ddl.put({ ...object, name: to, constraint: object.constraint === null ? null : to });
  else ddl.put({ ...object, name: to } as CatalogObject);
  if (found.kind === 'sequence') renameInDefaults(ddl, found.sequence, { schema: found.sequence.schema, name: to });
}

/** Defaults that call a sequence by name get the new name. */
function renameInDefaults(ddl: Ddl, from: SequenceName, to: SequenceName): void {
  for (const object of ddl.definitions.values()) {
    if (object.what !== 'attribute' || object.default === null) continue;
    const now = renameInDefault(object.default, ddl.schema.tables.get(object.table)?.schema, from, to);
    if (now !== object.default) ddl.put({ ...object, default: now });
  }
}

/** The caller, which can parse, rewrites SQL text that names the column: `rewrite` gets each text of the table. */
export function renameColumn(ddl: Ddl, table: number, name: string, to: string, rewrite: (sql: string) => string): void {
  const own = ddl.definedTable(table);
  if (!own.columns.some((column) => column.name === name)) {
    if (isSystemColumn(name)) throw new SvcError('0A000', `cannot rename system column "${name}"`);
    throw missing('column', name);
  }
  refuseSystemColumn(to);
  if (own.columns.some((column) => column.name === to)) throw new SvcError('42701', `column "${to}" of relation "${own.name}" already exists`);
  const attribute = attributeOf(ddl, own, name);
  for (const object of ddl.definitions.values()) {
    if (!('table' in object) || object.table !== table) continue;
    if (object.what === 'check') ddl.put({ ...object, condition: rewrite(object.condition) });
    else if (object.what === 'publication table' && object.where !== null) ddl.put({ ...object, where: rewrite(object.where) });
    else if (object.what === 'index') {
      ddl.put({
        ...object,
        where: object.where === null ? null : rewrite(object.where),
        columns: object.columns.map((column) => (column.expression === null ? column : { ...column, expression: rewrite(column.expression) })),
      });
    } else if (object.what === 'attribute' && object.generated !== null) ddl.put({ ...object, generated: rewrite(object.generated) });
    else if (object.what === 'trigger' && object.when !== null) {
      const names = new Map([[name, to]]);
      ddl.put({ ...object, when: ['old', 'new'].reduce((sql, row) => ddl.compiler.renamed(sql, row, names), object.when) });
    }
  }
  const relation = relationObject(ddl, table);
  if (relation.partitionBy !== undefined) {
    const elements = relation.partitionBy.elements.map((each) => (each.expression === null ? each : { ...each, expression: rewrite(each.expression) }));
    ddl.put({ ...relation, partitionBy: { ...relation.partitionBy, elements } });
  }
  ddl.put({ ...attribute, name: to, ...(attribute.generated === null ? {} : { generated: rewrite(attribute.generated) }) });
}

export function viewObject(ddl: Ddl, number: number): ViewObject {
  return [...ddl.definitions.values()].find((object): object is ViewObject => object.what === 'view' && object.number === number)!;
}

export function renameViewColumn(ddl: Ddl, number: number, name: string, to: string): void {
  const view = viewObject(ddl, number);
  const at = view.columns.findIndex((column) => column.name === name);
  if (at < 0) throw missing('column', name);
  if (view.columns.some((column) => column.name === to)) throw new SvcError('42701', `column "${to}" of relation "${view.name}" already exists`);
  ddl.put({ ...view, columns: view.columns.map((column, i) => (i === at ? { ...column, name: to } : column)) });
}

export function setViewCheck(ddl: Ddl, number: number, check: 'none' | 'local' | 'cascaded'): void {
  const { check: _, ...view } = viewObject(ddl, number);
  ddl.put(check === 'none' ? view : { ...view, check });
}

export function setViewSecurity(ddl: Ddl, number: number, security: { readonly invoker?: boolean; readonly barrier?: boolean }): void {
  const before = viewObject(ddl, number);
  const { invoker: _, barrier: __, ...view } = before;
  const { invoker = before.invoker === true, barrier = before.barrier === true } = security;
  ddl.put({ ...view, ...(invoker ? { invoker: true } : {}), ...(barrier ? { barrier: true } : {}) });
}

/** The default of a column for INSERT through the view; null for none. */
export function setViewDefault(ddl: Ddl, number: number, name: string, sql: string | null): void {
  const view = viewObject(ddl, number);
  ddl.put({
    ...view,
    columns: view.columns.map((column) => {
      if (column.name !== name) return column;
      const { default: _, ...rest } = column;
      return sql === null ? rest : { ...rest, default: sql };
    }),
  });
}

export function renameConstraint(ddl: Ddl, table: number, name: string, to: string): void {
  const own = ddl.schema.tables.get(table)!;
  const found = constraintObject(ddl, own, name);
  if (found === null) throw new SvcError('42704', `constraint "${name}" for table "${own.name}" does not exist`);
  const isIndex = found === 'primary key' || found.what === 'index';
  // For an index the relations are checked first.
  if (name !== to && (!isIndex || ddl.schema.relation(own.schema, to) === null)) refuseTakenConstraint(own, to);
  if (isIndex) return renameRelation(ddl, own.schema, name, to, false);
  ddl.put({ ...found, name: to } as CatalogObject);
}

/** `kind` is the object's word, for the errors. */
export function renameSchema(ddl: Ddl, name: string, to: string): void {
  const number = ddl.schema.schemas.get(name);
  if (number === undefined) throw missing('schema', name);
  if (ddl.schema.schemas.has(to)) throw new SvcError('42P06', `schema "${to}" already exists`);
  refuseSystemSchema(to);
  if (name === 'public') throw new SvcError('0A000', 'renaming the schema public is not supported');
  for (const sequence of ddl.schema.sequences.values()) if (sequence.schema === name) renameInDefaults(ddl, sequence, { schema: to, name: sequence.name });
  for (const object of ddl.definitions.values()) {
    if (object.what === 'schema' && object.number === number) ddl.put({ ...object, name: to });
    else if ('schema' in object && object.schema === name) ddl.put({ ...object, schema: to });
  }
}

export function renameType(ddl: Ddl, schema: string, name: string, to: string): void {
  const type = typeObject(ddl, schema, name);
  if (ddl.schema.typeByName(schema, to) !== null) throw new SvcError('42710', `type "${to}" already exists`);
  ddl.put({ ...type, name: to });
}

/** SET SCHEMA of a table, view, sequence or type; objects owned by a table go with it. */
export function setSchema(ddl: Ddl, kind: 'relation' | 'type', schema: string, name: string, to: string, ifExists: boolean): void {
  schemaMustExist(ddl.schema, to);
  if (kind === 'type') {
    const type = typeObject(ddl, schema, name);
    if (schema === to) return;
    if (ddl.schema.typeByName(to, name) !== null) throw new SvcError('42710', `type "${name}" already exists in schema "${to}"`);
    return ddl.put({ ...type, schema: to });
  }
  const found = ddl.schema.relation(schema, name);
  if (found === null) {
    if (!ifExists) throw absentRelation(ddl, schema, name);
    return ddl.notice('00000', `relation "${name}" does not exist, skipping`);
  }
  if (schema === to) return;
  if (ddl.schema.relation(to, name) !== null) throw new SvcError('42P07', `relation "${name}" already exists in schema "${to}"`);
  const sequences = found.kind === 'table' ? ddl.schema.sequencesOwnedBy(found.table.number) : found.kind === 'sequence' ? [found.sequence] : [];
  for (const sequence of sequences) renameInDefaults(ddl, sequence, { schema: to, name: sequence.name });
  ddl.put({ ...objectOf(ddl, found), schema: to } as CatalogObject);
  if (found.kind !== 'table') return;
  for (const sequence of sequences) ddl.put({ ...sequenceObject(ddl, sequence.number), schema: to });
}

// --- TRUNCATE

/** The tables and those that are truncated with them: 0A000 if CASCADE is required. */
export function truncatedWith(schema: Schema, tables: readonly number[], cascade: boolean, notice: (text: string) => void): number[] {
  const all = [...new Set(tables)];
  for (const number of all) {
    const table = schema.tables.get(number)!;
    for (const { table: from } of schema.referencing(number)) {
      if (all.includes(from.number)) continue;
      if (!cascade) {
        throw new SvcError('0A000', 'cannot truncate a table referenced in a foreign key constraint', {
          detail: `Table "${from.name}" references "${table.name}".`,
          hint: `Truncate table "${from.name}" at the same time, or use TRUNCATE ... CASCADE.`,
        });
      }
      notice(`truncate cascades to table "${from.name}"`);
      all.push(from.number);
    }
  }
  return all;
}

/** Gives the numbers of all truncated tables. */
export function truncate(ddl: Ddl, tables: readonly number[], options: { readonly cascade: boolean; readonly restartIdentity: boolean }): number[] {
  const all = truncatedWith(ddl.schema, tables, options.cascade, (text) => ddl.notice('00000', text));
  for (const number of all) {
    ddl.definedTable(number);
    const relation = relationObject(ddl, number);
    ddl.put({ ...relation, epoch: relation.epoch + 1 });
    if (!options.restartIdentity) continue;
    for (const sequence of ddl.schema.sequencesOwnedBy(number)) ddl.setSequence(sequence.number, sequenceStart(sequence));
  }
  return all;
}
