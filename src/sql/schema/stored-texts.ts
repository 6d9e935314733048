/** All SQL texts in definitions, for rewriting after a rename. */
import type { CatalogObject, FunctionObject } from '../../worlds/definition.ts';
import type { StoredText } from './compiler.ts';
import type { Ddl } from './ddl.ts';
import type { Schema } from './schema.ts';

/** The context in which a text is bound. */
export type TextPlace =
  | Exclude<StoredText, { readonly rule: unknown }>
  /** A condition or an action of a rule. */
  | { readonly ofRule: Extract<CatalogObject, { what: 'rule' }>; readonly action: boolean }
  /** A trigger's WHEN over OLD and NEW of the relation. */
  | { readonly when: { readonly schema: string; readonly name: string } }
  /** A function's body that is stored as SQL. */
  | { readonly routine: FunctionObject };

/** `object` is the definition that contains the text. */
export type MapText = (sql: string, place: TextPlace, object: CatalogObject) => string;

export function mapTexts(ddl: Ddl, map: MapText): void {
  // Definitions change during the loop.
  const all = [...ddl.definitions.values()];
  for (const object of all) {
    let changed = false;
    const now = mappedTexts(ddl.schema, object, (sql, place, holder) => {
      const out = map(sql, place, holder);
      if (out !== sql) changed = true;
      return out;
    });
    if (changed) ddl.put(now!);
  }
}

/** The definition with its texts mapped; null if it has none. */
export function mappedTexts(schema: Schema, object: CatalogObject, map: MapText): CatalogObject | null {
  const table = 'table' in object && typeof object.table === 'number' ? (schema.tables.get(object.table) ?? null) : null;
  const nullable = (sql: string | null, place: TextPlace): string | null => (sql === null ? null : map(sql, place, object));
  const alone = (expression: string, type?: number): TextPlace => ({ expression, over: null, ...(type === undefined ? {} : { type }) });
  const overTable = (expression: string): TextPlace => ({ expression, over: table });
  switch (object.what) {
    case 'attribute':
      return {
        ...object,
        default: nullable(object.default, alone(object.default ?? '', object.type)),
        generated: nullable(object.generated, overTable(object.generated ?? '')),
      };
    case 'check':
      return { ...object, condition: map(object.condition, overTable(object.condition), object) };
    case 'index':
      return {
        ...object,
        where: nullable(object.where, overTable(object.where ?? '')),
        columns: object.columns.map((column) => ({ ...column, expression: nullable(column.expression, overTable(column.expression ?? '')) })),
      };
    case 'relation': {
      const own = schema.tables.get(object.number) ?? null;
      const { query, partitionBy } = object;
      return {
        ...object,
        ...(query === undefined ? {} : { query: { ...query, sql: map(query.sql, { query: query.sql, home: object.schema }, object) } }),
        ...(partitionBy === undefined
          ? {}
          : {
              partitionBy: {
                ...partitionBy,
                elements: partitionBy.elements.map((each) => ({
                  ...each,
                  expression: nullable(each.expression, { expression: each.expression ?? '', over: own }),
                })),
              },
            }),
      };
    }
    case 'domain': {
      const over = { domain: object.number };
      const checks = object.checks.map((each) => ({ ...each, condition: map(each.condition, { expression: each.condition, over }, object) }));
      return { ...object, default: nullable(object.default, alone(object.default ?? '', object.base)), checks };
    }
    case 'view':
      return {
        ...object,
        sql: map(object.sql, { query: object.sql, home: object.schema }, object),
        columns: object.columns.map((column) =>
          column.default == null ? column : { ...column, default: map(column.default, alone(column.default, column.type), object) },
        ),
      };
    case 'publication table':
      return { ...object, where: nullable(object.where, overTable(object.where ?? '')) };
    case 'extended statistics':
      return { ...object, expressions: object.expressions.map((each) => map(each, overTable(each), object)) };
    case 'policy': {
      const home = table?.schema ?? 'public';
      return {
        ...object,
        using: nullable(object.using, { query: object.using ?? '', home }),
        check: nullable(object.check, { query: object.check ?? '', home }),
      };
    }
    case 'trigger': {
      const on = table ?? schema.views.get(object.table);
      return on === undefined ? null : { ...object, when: nullable(object.when, { when: on }) };
    }
    case 'rule':
      return {
        ...object,
        where: nullable(object.where, { ofRule: object, action: false }),
        actions: object.actions.map((each) => map(each, { ofRule: object, action: true }, object)),
      };
    case 'function':
      return {
        ...object,
        args: object.args.map((arg) => (arg.default === null ? arg : { ...arg, default: map(arg.default, alone(arg.default, arg.type), object) })),
        body: object.form === 'text' || object.aggregate !== undefined ? object.body : map(object.body, { routine: object }, object),
      };
    default:
      return null;
  }
}
