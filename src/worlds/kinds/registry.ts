/** All kinds of catalog objects. A kind missing here does not compile, nor does one that is not a catalog object: docs/howto/add-a-catalog-kind.md. */
import { ATTRIBUTE, type AttributeObject } from './attribute.ts';
import { AUTHOR, type AuthorObject } from './author.ts';
import { BASE, type BaseObject } from './base.ts';
import { CAST, type CastObject } from './cast.ts';
import { CHECK, type CheckObject } from './check.ts';
import { COLLATION, type CollationObject } from './collation.ts';
import { COMMENT, type CommentObject } from './comment.ts';
import { COMPOSITE, type CompositeObject } from './composite.ts';
import { CONVERSION, type ConversionObject } from './conversion.ts';
import { DEFAULT_RIGHTS, type DefaultRightsObject } from './default-rights.ts';
import { DOCUMENT_COLUMN, type ColumnObject } from './document-column.ts';
import { DOCUMENT_TABLE, type TableObject } from './document-table.ts';
import { DOMAIN, type DomainObject } from './domain.ts';
import { ENUM, type EnumObject } from './enum.ts';
import { DROPPED_SCHEMA, type DroppedSchemaObject } from './dropped-schema.ts';
import { EVENT_TRIGGER, type EventTriggerObject } from './event-trigger.ts';
import { EXTENDED_STATISTICS, type ExtendedStatisticsObject } from './extended-statistics.ts';
import { EXTENSION, type ExtensionObject } from './extension.ts';
import { FACTS, type FactsObject } from './facts.ts';
import { FAMILY_FUNCTION, type FamilyFunctionObject } from './family-function.ts';
import { FAMILY_OPERATOR, type FamilyOperatorObject } from './family-operator.ts';
import { FOREIGN_DATA_WRAPPER, type WrapperObject } from './foreign-data-wrapper.ts';
import { FOREIGN_KEY, type ForeignKeyObject } from './foreign-key.ts';
import { FORMER_LABEL, type FormerLabelObject } from './former-label.ts';
import { FUNCTION, type FunctionObject } from './function.ts';
import { GRANT, type GrantObject } from './grant.ts';
import { LABEL, type LabelObject } from './label.ts';
import { LARGE_OBJECT_COMMENT, type LargeObjectCommentObject } from './large-object-comment.ts';
import { OPERATOR, type OperatorObject } from './operator.ts';
import { OPERATOR_CLASS, type OperatorClassObject } from './operator-class.ts';
import { OPERATOR_FAMILY, type OperatorFamilyObject } from './operator-family.ts';
import { POLICY, type PolicyObject } from './policy.ts';
import { PUBLICATION, type PublicationObject } from './publication.ts';
import { PUBLICATION_SCHEMA, type PublicationSchemaObject } from './publication-schema.ts';
import { PUBLICATION_TABLE, type PublicationTableObject } from './publication-table.ts';
import { RANGE, type RangeObject } from './range.ts';
import { RELATION, type RelationObject } from './relation.ts';
import { RIGHTS, type RightsObject } from './rights.ts';
import { ROW_SECURITY, type RowSecurityObject } from './row-security.ts';
import { RULE, type RuleObject } from './rule.ts';
import { SCHEMA, type SchemaObject } from './schema.ts';
import { SEQUENCE, type SequenceObject } from './sequence.ts';
import { SERVER, type ServerObject } from './server.ts';
import { STATISTICS, type StatisticsObject } from './statistics.ts';
import { SUBSCRIPTION, type SubscriptionObject } from './subscription.ts';
import { INDEX, type IndexObject } from './table-index.ts';
import { SEARCH_CONFIGURATION, type SearchConfigurationObject } from './text-search-configuration.ts';
import { SEARCH_DICTIONARY, type SearchDictionaryObject } from './text-search-dictionary.ts';
import { TRIGGER, type TriggerObject } from './trigger.ts';
import { USER_MAPPING, type UserMappingObject } from './user-mapping.ts';
import { VIEW, type ViewObject } from './view.ts';
import type { Address } from './address.ts';
import type { Kind } from './kind.ts';
import type { Reference } from './reference.ts';

export type CatalogObject =
  | TableObject
  | ColumnObject
  | SchemaObject
  | DroppedSchemaObject
  | RelationObject
  | AttributeObject
  | IndexObject
  | CheckObject
  | ForeignKeyObject
  | ViewObject
  | SequenceObject
  | EnumObject
  | BaseObject
  | DomainObject
  | CompositeObject
  | RangeObject
  | FunctionObject
  | OperatorObject
  | OperatorFamilyObject
  | OperatorClassObject
  | FamilyOperatorObject
  | FamilyFunctionObject
  | CastObject
  | CommentObject
  | LargeObjectCommentObject
  | RightsObject
  | AuthorObject
  | GrantObject
  | DefaultRightsObject
  | LabelObject
  | FormerLabelObject
  | ExtensionObject
  | PolicyObject
  | RowSecurityObject
  | TriggerObject
  | RuleObject
  | EventTriggerObject
  | CollationObject
  | ConversionObject
  | ExtendedStatisticsObject
  | SearchDictionaryObject
  | SearchConfigurationObject
  | PublicationObject
  | SubscriptionObject
  | PublicationTableObject
  | PublicationSchemaObject
  | WrapperObject
  | ServerObject
  | UserMappingObject
  | FactsObject
  | StatisticsObject;

export type CatalogKind = CatalogObject['what'];
export type ObjectOf<W extends CatalogKind> = Extract<CatalogObject, { what: W }>;

/** By the `what` of the objects. */
export const KINDS: { readonly [W in CatalogKind]: Kind<ObjectOf<W>> } = {
  table: DOCUMENT_TABLE,
  column: DOCUMENT_COLUMN,
  schema: SCHEMA,
  'dropped schema': DROPPED_SCHEMA,
  relation: RELATION,
  attribute: ATTRIBUTE,
  index: INDEX,
  check: CHECK,
  'foreign key': FOREIGN_KEY,
  view: VIEW,
  sequence: SEQUENCE,
  enum: ENUM,
  base: BASE,
  domain: DOMAIN,
  composite: COMPOSITE,
  range: RANGE,
  function: FUNCTION,
  operator: OPERATOR,
  'operator family': OPERATOR_FAMILY,
  'operator class': OPERATOR_CLASS,
  'family operator': FAMILY_OPERATOR,
  'family function': FAMILY_FUNCTION,
  cast: CAST,
  comment: COMMENT,
  'large object comment': LARGE_OBJECT_COMMENT,
  rights: RIGHTS,
  author: AUTHOR,
  grant: GRANT,
  'default rights': DEFAULT_RIGHTS,
  label: LABEL,
  'former label': FORMER_LABEL,
  extension: EXTENSION,
  policy: POLICY,
  'row security': ROW_SECURITY,
  trigger: TRIGGER,
  rule: RULE,
  'event trigger': EVENT_TRIGGER,
  collation: COLLATION,
  conversion: CONVERSION,
  'extended statistics': EXTENDED_STATISTICS,
  'text search dictionary': SEARCH_DICTIONARY,
  'text search configuration': SEARCH_CONFIGURATION,
  publication: PUBLICATION,
  subscription: SUBSCRIPTION,
  'publication table': PUBLICATION_TABLE,
  'publication schema': PUBLICATION_SCHEMA,
  'foreign data wrapper': FOREIGN_DATA_WRAPPER,
  server: SERVER,
  'user mapping': USER_MAPPING,
  facts: FACTS,
  statistics: STATISTICS,
};

/** The kind of the object. */
export function kindOf<O extends CatalogObject>(object: O): Kind<O> {
  return KINDS[object.what] as Kind<O>;
}

export type NoteObject = CommentObject | FactsObject | RightsObject | AuthorObject | GrantObject | LabelObject;

export function isNote(object: CatalogObject): object is NoteObject {
  return kindOf(object).note === true;
}

/** The object's rules for rows, for comparison; null: none. */
export function checkedOf(object: CatalogObject): unknown {
  return kindOf(object).affects?.checked?.(object) ?? null;
}

/** The representation of values in rows, for comparison; null: fixed. */
export function storedOf(object: CatalogObject): unknown {
  return kindOf(object).affects?.stored?.(object) ?? null;
}

/** Hidden cells that writers derive for it in each row. */
export function cellsOf(object: CatalogObject): number[] {
  return kindOf(object).affects?.cells?.(object) ?? [];
}

/** Number of the object responsible for the code in a definition; null: it has none. */
export function codeHolder(object: CatalogObject): number | null {
  return kindOf(object).codeHolder?.(object) ?? null;
}

export function addressOf(object: CatalogObject): Address | null {
  return kindOf(object).address?.(object) ?? null;
}

export function referencesOf(object: CatalogObject): Reference[] {
  return kindOf(object).references(object);
}
