/**
 * Names in definitions for a reader's search path: a relation or a type is qualified unless the path finds it by its name alone.
 * Unqualified names are resolved as in StoredNames; names of WITH stay.
 */
import type { OperatorName } from '../ast/expression.ts';
import type { RelationName } from '../ast/query.ts';
import type { TypeName } from '../ast/type-name.ts';
import { RELATION_EXTENSIONS } from './extension-relations.ts';
import type { StoredNames } from './stored-names.ts';

/** What the path finds. */
export interface PathView {
  relationVisible(oid: number): boolean;
  typeVisible(oid: number): boolean;
  seesFunction(schema: string, name: string): boolean;
  seesOperator(schema: string, name: string): boolean;
  seesSchema(schema: string): boolean;
}

export function shownNames<T>(tree: T, stored: StoredNames, path: PathView): T {
  const relation = (name: RelationName): RelationName => {
    const found = stored.relation(name.schema, name.name);
    if (found === null) return name;
    const [own, oid] =
      found.kind === 'table'
        ? [found.table.schema, found.table.number]
        : found.kind === 'view'
          ? [found.schema, found.number]
          : found.kind === 'virtual' && RELATION_EXTENSIONS.has(found.relation.oid)
            ? [found.relation.schema, found.relation.oid]
            : [null, 0];
    return own === null ? name : { ...name, catalog: null, schema: path.relationVisible(oid) ? null : own };
  };
  const type = (name: TypeName): TypeName => {
    if (name.schema === 'pg_catalog') return name;
    const found = stored.userType(name.schema, name.name) ?? stored.extensionType(name.schema, name.name);
    if (found === null) return name;
    return { ...name, schema: path.typeVisible(found.oid) ? null : stored.schemaOfType(found.oid) };
  };
  const routine = (written: readonly string[]): readonly string[] => {
    const name = written[written.length - 1];
    const schema = written.length > 1 ? written[written.length - 2] : stored.schemaOfFunction(name);
    if (schema === null || schema === 'pg_catalog') return written;
    return path.seesFunction(schema, name) ? [name] : [schema, name];
  };
  const operator = ({ schema: written, name }: OperatorName): OperatorName => {
    const schema = written ?? stored.schemaOfOperator(name);
    if (schema === null || schema === 'pg_catalog') return { schema: written, name };
    return { schema: path.seesOperator(schema, name) ? null : schema, name };
  };
  const visit = (node: unknown, common: ReadonlySet<string>): unknown => {
    if (Array.isArray(node)) return node.map((each) => visit(each, common));
    if (node === null || typeof node !== 'object') return node;
    const object = node as Record<string, unknown>;
    let known = common;
    if (object['with'] !== null && typeof object['with'] === 'object') {
      known = new Set([...common, ...(object['with'] as { tables: { name: string }[] }).tables.map(({ name }) => name)]);
    }
    const out = Object.fromEntries(Object.entries(object).map(([key, value]) => [key, visit(value, known)]));
    if (object['type'] === 'table') {
      const name = object['name'] as RelationName;
      if (name.schema !== null || !common.has(name.name)) out['name'] = relation(name);
    } else if (object['type'] === 'call') {
      if (object['sqlSyntax'] !== true) out['name'] = routine(object['name'] as readonly string[]);
    } else if (isOperatorName(object['operator'])) out['operator'] = operator(object['operator']);
    else if ('typmods' in object && 'arrayBounds' in object) return type(out as unknown as TypeName);
    return out;
  };
  return visit(tree, new Set()) as T;
}

function isOperatorName(value: unknown): value is OperatorName {
  return value !== null && typeof value === 'object' && 'schema' in value && 'name' in value;
}
