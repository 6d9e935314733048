/**
 * Rows of a world's catalog tree: one object per row, as JSON. Numbers are unique in the whole database, so that an object
 * has the same number in every world that has it.
 *
 * Definitions hold only what is true without a statement: SQL text for expressions, type oids (enums have their object
 * number), and for indexes the cells and codes that the fold needs. Each kind has its file in kinds/, with its shape and all
 * its rules.
 */
import { FIRST_OWN_OID } from '../base/first-own-oid.ts';
import { KIND, type Shape } from '../tree/datum.ts';
import type { BaseObject } from './kinds/base.ts';
import type { CompositeObject } from './kinds/composite.ts';
import type { ColumnObject, DocumentType } from './kinds/document-column.ts';
import type { TableObject } from './kinds/document-table.ts';
import type { DomainObject } from './kinds/domain.ts';
import type { EnumObject } from './kinds/enum.ts';
import type { RangeObject } from './kinds/range.ts';
import { type CatalogObject, kindOf, referencesOf } from './kinds/registry.ts';

export type { CatalogObject } from './kinds/registry.ts';
export { type AttributeObject, attributeNumberName } from './kinds/attribute.ts';
export type { AuthorObject } from './kinds/author.ts';
export type { BaseObject, BaseTypeParts } from './kinds/base.ts';
export type { CastObject } from './kinds/cast.ts';
export type { CheckObject } from './kinds/check.ts';
export type { CollationObject } from './kinds/collation.ts';
export type { CommentObject } from './kinds/comment.ts';
export type { CompositeObject } from './kinds/composite.ts';
export type { ConversionObject } from './kinds/conversion.ts';
export type { DefaultRightsObject } from './kinds/default-rights.ts';
export { type DocumentType, type ColumnObject, FIELD_OIDS, widestField } from './kinds/document-column.ts';
export type { TableObject } from './kinds/document-table.ts';
export type { DomainObject } from './kinds/domain.ts';
export { type EnumObject, labelId } from './kinds/enum.ts';
export type { DefinitionEvent, EventTriggerObject } from './kinds/event-trigger.ts';
export type { ExtendedStatisticsObject } from './kinds/extended-statistics.ts';
export type { ExtensionObject } from './kinds/extension.ts';
export type { FactsObject } from './kinds/facts.ts';
export type { FamilyFunctionObject } from './kinds/family-function.ts';
export type { FamilyOperatorObject } from './kinds/family-operator.ts';
export type { WrapperObject } from './kinds/foreign-data-wrapper.ts';
export type { KeyAction, ForeignKeyObject } from './kinds/foreign-key.ts';
export type { FormerLabelObject } from './kinds/former-label.ts';
export { type FunctionObject, type AggregateParts, type RecordedAggregateParts, inputTypes, routineWord, routinesOf } from './kinds/function.ts';
export type { GrantObject } from './kinds/grant.ts';
export {
  columnDefinitionKey,
  factsKey,
  namedNumberName,
  operatorClassKey,
  operatorFamilyKey,
  operatorKey,
  publicationKey,
  rowSecurityKey,
  searchDictionaryKey,
  serverKey,
  tableDefinitionKey,
  wrapperKey,
} from './kinds/keys.ts';
export type { LabelObject } from './kinds/label.ts';
export type { LargeObjectCommentObject } from './kinds/large-object-comment.ts';
export type { OperatorClassObject } from './kinds/operator-class.ts';
export type { OperatorFamilyObject } from './kinds/operator-family.ts';
export type { OperatorObject } from './kinds/operator.ts';
export type { PolicyObject } from './kinds/policy.ts';
export type { PublicationSchemaObject } from './kinds/publication-schema.ts';
export type { PublicationTableObject } from './kinds/publication-table.ts';
export type { PublicationObject } from './kinds/publication.ts';
export { type RangeObject, rangeNumberNames } from './kinds/range.ts';
export {
  type RelationObject,
  type PartitionKeyObject,
  type PartitionBoundObject,
  type PartitionDatum,
  primaryKeyNumberName,
  relationNumberName,
  epochOfObject,
} from './kinds/relation.ts';
export type { RightsObject } from './kinds/rights.ts';
export { type RoutineReference, ownRoutine } from './kinds/routine-reference.ts';
export type { RowSecurityObject } from './kinds/row-security.ts';
export type { RuleObject } from './kinds/rule.ts';
export type { DroppedSchemaObject } from './kinds/dropped-schema.ts';
export type { SchemaObject } from './kinds/schema.ts';
export type { SequenceObject } from './kinds/sequence.ts';
export type { ServerObject } from './kinds/server.ts';
export type { StatisticsObject } from './kinds/statistics.ts';
export type { SubscriptionObject } from './kinds/subscription.ts';
export { type KeyCode, type IndexKeyObject, type IndexMethod, type IndexObject, cellNumberName } from './kinds/table-index.ts';
export type { SearchConfigurationObject } from './kinds/text-search-configuration.ts';
export type { SearchDictionaryObject } from './kinds/text-search-dictionary.ts';
export type { TriggerEvent, TriggerObject } from './kinds/trigger.ts';
export type { UserMappingObject } from './kinds/user-mapping.ts';
export type { ViewObject } from './kinds/view.ts';

export type TypeObject = EnumObject | DomainObject | CompositeObject | RangeObject | BaseObject;

/** Prefix of the schemas of temporary tables; they are in no world. */
export const TEMPORARY_SCHEMA = 'pg_temp_';

export function isTemporarySchema(name: string): boolean {
  return name.startsWith(TEMPORARY_SCHEMA);
}

export const DEFINITION = 1;
export const DEFINITION_SHAPE: Shape = { ids: [DEFINITION], kinds: [KIND.JSON] };

export function catalogObject(definition: string): CatalogObject {
  return JSON.parse(definition) as CatalogObject;
}

export function tableDefinition(number: number, name: string): string {
  return JSON.stringify({ what: 'table', number, name, document: true } satisfies TableObject);
}

export function columnDefinition(table: number, number: number, name: string, type: DocumentType): string {
  return JSON.stringify({ what: 'column', number, table, name, type } satisfies ColumnObject);
}

/** Key of the object's row. */
export function definitionKey(object: CatalogObject): string {
  return kindOf(object).key(object);
}

/** The name that maps to one number in all worlds, for objects that they create alike (kinds/kind.ts). */
export function numberName(object: CatalogObject): string | null {
  return kindOf(object).numberName(object);
}

/** All numbers of the object. */
export function numbersOf(object: CatalogObject): number[] {
  return kindOf(object).numbers(object);
}

/** Names of the object's other numbers. */
export function furtherNames(object: CatalogObject): [name: string, number: number][] {
  return kindOf(object).furtherNames?.(object) ?? [];
}

/** Lower numbers are the system's. */
export const FIRST_OWN = FIRST_OWN_OID;

/** Functions of the world that the object calls, except those named in a query or a body. */
export function routinesWithin(object: CatalogObject): number[] {
  return referencesOf(object).flatMap((each) => (each.to === 'routine' ? [each.number] : []));
}

export function isTypeObject(object: CatalogObject | undefined): object is TypeObject {
  return object?.what === 'enum' || object?.what === 'base' || object?.what === 'domain' || object?.what === 'composite' || object?.what === 'range';
}

/** Oids of the type and of types derived from it, such as its array. */
export function typeOids(object: TypeObject): number[] {
  if (object.what === 'range') return [object.number, object.array, object.multirange, object.multirangeArray];
  return object.array === 0 ? [object.number] : [object.number, object.array];
}

/** Oids of the types that it consists of. */
export function typesWithin(object: TypeObject): number[] {
  return referencesOf(object).flatMap((each) => (each.to === 'type' && each.walked !== 'neither' ? [each.oid] : []));
}

/** Row types of relations have no definitions: their oids are computed from the relation's number, above all assigned ones. */
const ROW_TYPES = 0x9000_0000;
const ROW_ARRAYS = 0xc000_0000;
const ROW_TYPES_MAX = 0x1000_0000;

export function rowTypeOid(relation: number): number {
  return ROW_TYPES + relation;
}

export function rowArrayOid(relation: number): number {
  return ROW_ARRAYS + relation;
}

/** The relation whose row type (or its array) has the oid; null for other types. */
export function relationOfRowType(oid: number): number | null {
  if (oid >= ROW_TYPES && oid < ROW_TYPES + ROW_TYPES_MAX) return oid - ROW_TYPES;
  return oid >= ROW_ARRAYS && oid < ROW_ARRAYS + ROW_TYPES_MAX ? oid - ROW_ARRAYS : null;
}
