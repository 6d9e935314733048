/** Names behind oids. */
import type { Relation, Schema } from '../schema/schema.ts';

export interface CatalogLookup {
  relationName(oid: number): string | null;
  functionOid(name: string): number | null;
  functionName(oid: number): string | null;
  operatorOid(name: string): number | null;
  operatorName(oid: number): string | null;
  schemaOid(name: string): number | null;
  schemaName(oid: number): string | null;
  relationVisible(oid: number): boolean;
  viewDefinition(oid: number): string | null;
  indexDefinition(oid: number, column: number): string | null;
  constraintDefinition(oid: number): string | null;
}

export function catalogLookupOf(schema: Schema, path: readonly string[]): CatalogLookup {
  const find = (oid: number): { schema: string; name: string } | null => {
    for (const relation of schema.relations()) {
      const found = described(relation);
      if (found.oid === oid) return found;
    }
    return null;
  };
  return {
    relationName: (oid) => {
      const found = find(oid);
      if (found === null) return null;
      return path.includes(found.schema) ? found.name : `${found.schema}.${found.name}`;
    },
    functionOid: () => null,
    functionName: () => null,
    operatorOid: () => null,
    operatorName: () => null,
    schemaOid: (name) => schema.schemas.get(name) ?? null,
    schemaName: (oid) => [...schema.schemas].find(([, number]) => number === oid)?.[0] ?? null,
    relationVisible: (oid) => {
      const found = find(oid);
      return found !== null && path.includes(found.schema);
    },
    viewDefinition: (oid) => schema.views.get(oid)?.sql ?? null,
    indexDefinition: () => null,
    constraintDefinition: () => null,
  };
}

function described(relation: Relation): { oid: number; schema: string; name: string } {
  switch (relation.kind) {
    case 'table':
      return { oid: relation.table.number, schema: relation.table.schema, name: relation.table.name };
    case 'view':
      return { oid: relation.view.number, schema: relation.view.schema, name: relation.view.name };
    case 'sequence':
      return { oid: relation.sequence.number, schema: relation.sequence.schema, name: relation.sequence.name };
    case 'index':
      return { oid: relation.index?.number ?? 0, schema: relation.table.schema, name: relation.index?.name ?? relation.table.primaryKey! };
  }
}
