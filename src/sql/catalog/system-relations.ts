/**
 * pg_catalog and information_schema. Every relation of PostgreSQL 15 exists with its columns; its rows have one of these lifetimes:
 *
 *   library   shared by all worlds, computed once             (pg_operator, pg_cast …)
 *   world     per version of a world's definitions            (pg_class, pg_attribute …)
 *   session   with names of the session's user and database   (pg_tables, information_schema)
 *   live      computed for each scan                          (pg_settings, pg_stat_activity …)
 *
 * Relations without an entry here are empty.
 */
import { supportFunction } from './function-catalog.ts';
import { scopeDependencyRows } from './scope-dependencies.ts';
import { userFunctionRows } from './user-function-rows.ts';
import { userAggregateRows, userCastRows, userOperatorRows } from './user-operator-rows.ts';
import { OWNER_ROLE } from '../../identity/roles.ts';
import { PAGES } from '../../worlds/large-objects.ts';
import type { Registry } from '../functions/registry.ts';
import type { VirtualRelation } from '../plan/logical.ts';
import type { Schema } from '../schema/schema.ts';
import { CatalogNames } from './catalog-names.ts';
import { CLASS_COUNTS } from './class-counts.ts';
import { type CatalogSession, rolesOf } from './catalog-session.ts';
import { collationRows, ownCollationRows } from './collation-rows.ts';
import { constraintRows, defaultRows, dependencyRows, indexRows, sequenceRows } from './constraint-rows.ts';
import { RELATION_EXTENSIONS } from './extension-relations.ts';
import { eventTriggerDependencyRows, eventTriggerRows } from './event-trigger-rows.ts';
import { extensionMemberRows, seenCasts, seenFunctions, seenOperators, seenRelations, seenTypes } from './extension-members.ts';
import * as foreign from './foreign-rows.ts';
import { descriptionRows, systemDescriptionRows } from './description-rows.ts';
import * as granted from './information-privileges.ts';
import * as routines from './information-routines.ts';
import * as information from './information-schema.ts';
import { MadeRelation, type Row } from './made-relation.ts';
import { AllRelations, relationsDetermined, determinedBy } from './relations-seen.ts';
import { inheritsRows, partitionedRows } from './partition-rows.ts';
import { publicationRows, publicationSchemaRows, publicationTableRows, publicationTableViewRows } from './publication-rows.ts';
import { statisticsRows } from './statistics-rows.ts';
import { rewriteRows, ruleViewRows } from './rule-rows.ts';
import { policyRows, policyViewRows } from './policy-rows.ts';
import { hasBm25 } from '../schema/searched-fields.ts';
import { accessMethodRows, castRows, familyFunctionRows, familyOperatorRows, operatorClassRows, operatorFamilyRows } from './operator-catalog.ts';
import { initialRightsRows, systemAttributeRows, systemClassRows, type AttributeTypes, worldAttributeRows, worldClassRows } from './relation-rows.ts';
import { visibleRows } from './information-visibility.ts';
import * as rights from './rights-rows.ts';
import { conversionRows, ownConversionRows } from './conversion-rows.ts';
import * as search from './search-rows.ts';
import { sharedDependRows } from './shared-depend-rows.ts';
import * as server from './server-rows.ts';
import * as views from './statistic-views.ts';
import * as triggers from './trigger-rows.ts';
import { libraryCatalog, type LibraryCatalog, type RowSource, worldObjects } from './system-catalog.ts';
import { standardDomainRows } from './standard-domains.ts';
import { builtinTypeRows, enumLabelRows } from './type-rows.ts';
import {
  attributeRows,
  columnDomainRows,
  domainCheckRows,
  domainConstraintRows,
  domainRows,
  informationDomainConstraintRows,
  rangeRows,
  systemRowTypeRows,
  userDefinedTypeRows,
  userTypeRows,
} from './user-type-rows.ts';
import { subscriptionRows } from './subscription-rows.ts';
import * as own from './own-operator-class-rows.ts';
import { type Abbreviations, ABBREVIATION_SETS, INPUT_ABBREVIATIONS } from '../types/time/zone-abbreviations.ts';
import { abbreviationRows, zoneNameRows } from '../functions/time/zone-rows.ts';

/** As SystemRelations of session/names.ts. */
export interface CatalogRelations {
  find(schema: string, name: string): { readonly kind: 'virtual'; readonly relation: VirtualRelation } | null;
  /** Names and definitions as seen along a search path. */
  names(path: readonly string[]): CatalogNames;
}

type Lifetime = 'library' | 'world' | 'session' | 'live';
type Make = (source: RowSource) => readonly Row[];
/** Rows of a world's objects, followed by those of built-in ones, which most worlds share. */
type Maker = readonly [Lifetime, Make, system?: Make];

export const SYSTEM_COLUMNS: readonly (readonly [name: string, attnum: number, type: string])[] = [
  ['ctid', -1, 'tid'],
  ['xmin', -2, 'xid'],
  ['cmin', -3, 'cid'],
  ['xmax', -4, 'xid'],
  ['cmax', -5, 'cid'],
  ['tableoid', -6, 'oid'],
];

function attributeTypes({ registry }: RowSource): AttributeTypes {
  return {
    system: SYSTEM_COLUMNS.map(([name, attnum, type]) => ({ name, attnum, type: registry.type(type) })),
    int8: registry.type('int8'),
    bool: registry.type('bool'),
  };
}

function abbreviationsOf({ settings }: CatalogSession): Abbreviations {
  for (const { name, value } of settings?.() ?? []) if (name === 'timezone_abbreviations') return ABBREVIATION_SETS.get(value) ?? INPUT_ABBREVIATIONS;
  return INPUT_ABBREVIATIONS;
}

/** Rows that no world changes, cached by library. */
const fixedRows = new WeakMap<LibraryCatalog['definitions'], Map<string, readonly Row[]>>();

function fixed({ definitions }: RowSource, name: string, make: () => readonly Row[]): readonly Row[] {
  let byName = fixedRows.get(definitions);
  if (byName === undefined) fixedRows.set(definitions, (byName = new Map()));
  let rows = byName.get(name);
  if (rows === undefined) byName.set(name, (rows = make()));
  return rows;
}

/** Seconds since 2000. */
const nowSeconds = (): number => Math.floor(Date.now() / 1000) - 946_684_800;

const MAKERS: Readonly<Record<string, Maker>> = {
  pg_namespace: ['world', ({ schema }) => server.namespaceRows(schema)],
  pg_class: [
    'world',
    worldClassRows,
    (source) =>
      seenRelations(
        source.schema,
        fixed(source, 'pg_class', () => systemClassRows(source.definitions.values())),
        0,
        2,
      ),
  ],
  pg_attribute: [
    'world',
    (source) => worldAttributeRows(source, attributeTypes(source)),
    (source) =>
      seenRelations(
        source.schema,
        fixed(source, 'pg_attribute', () => systemAttributeRows(source.definitions.values())),
        0,
        null,
      ),
  ],
  pg_attrdef: ['world', defaultRows],
  pg_type: [
    'world',
    ({ schema }) => userTypeRows(schema),
    (source) => {
      const { registry, schema } = source;
      const builtin = fixed(source, 'pg_type', () => [...builtinTypeRows(registry), ...systemRowTypeRows(registry), ...standardDomainRows()]);
      return rights.withSystemRights(schema, seenTypes(schema, builtin));
    },
  ],
  pg_range: ['world', ({ registry, schema, functions }) => rangeRows(registry, schema, functions)],
  pg_enum: ['world', ({ schema }) => enumLabelRows(schema)],
  pg_index: ['world', indexRows],
  pg_constraint: [
    'world',
    (source) => [...constraintRows(source), ...domainConstraintRows(source.schema, source.trees), ...triggers.triggerConstraintRows(source)],
  ],
  pg_inherits: ['world', ({ objects }) => inheritsRows(objects)],
  pg_partitioned_table: ['world', ({ objects, trees }) => partitionedRows(objects, trees)],
  pg_sequence: ['world', sequenceRows],
  pg_init_privs: ['library', ({ definitions }) => initialRightsRows(definitions.values())],
  pg_policy: ['world', policyRows],
  pg_policies: ['live', policyViewRows],
  pg_rules: ['live', ruleViewRows],
  pg_trigger: ['world', triggers.triggerRows],
  pg_event_trigger: ['world', eventTriggerRows],
  pg_rewrite: ['live', rewriteRows],
  pg_depend: [
    'world',
    (source) => [
      ...dependencyRows(source.objects, source.trees),
      ...scopeDependencyRows(source),
      ...triggers.triggerDependencyRows(source),
      ...eventTriggerDependencyRows(source),
      ...extensionMemberRows(source),
      ...foreign.foreignDependencyRows(source),
      ...own.operatorClassDependencyRows(source.schema),
    ],
  ],
  pg_description: ['world', descriptionRows, (source) => fixed(source, 'pg_description', () => systemDescriptionRows(source))],
  pg_proc: [
    'world',
    ({ schema, functions }) => userFunctionRows(schema, (name) => supportFunction(functions, name)),
    (source) =>
      rights.withSystemRights(
        source.schema,
        seenFunctions(
          source,
          fixed(source, 'pg_proc', () => source.functions.rows()),
        ),
      ),
  ],
  pg_aggregate: [
    'world',
    ({ schema, functions }) => userAggregateRows(schema, functions),
    (source) => fixed(source, 'pg_aggregate', () => source.functions.aggregateRows()),
  ],
  pg_operator: [
    'world',
    ({ schema, operators, functions }) => userOperatorRows(schema, operators, functions),
    (source) =>
      seenOperators(
        source,
        fixed(source, 'pg_operator', () => source.operators.rows()),
      ),
  ],
  pg_cast: [
    'world',
    ({ schema, functions }) => userCastRows(schema, functions),
    (source) =>
      seenCasts(
        source.schema,
        fixed(source, 'pg_cast', () => castRows(source.registry)),
      ),
  ],
  pg_am: ['world', ({ schema }) => accessMethodRows((name) => schema.extensions.has(name), hasBm25(schema))],
  pg_amop: [
    'world',
    ({ schema, operators }) => own.ownFamilyOperatorRows(schema, operators),
    (source) => fixed(source, 'pg_amop', () => familyOperatorRows(source.operators)),
  ],
  pg_amproc: [
    'world',
    ({ schema, functions }) => own.ownFamilyFunctionRows(schema, functions),
    (source) => fixed(source, 'pg_amproc', () => familyFunctionRows(source.functions)),
  ],
  pg_opclass: ['world', ({ schema }) => own.ownClassRows(schema), (source) => fixed(source, 'pg_opclass', operatorClassRows)],
  pg_opfamily: ['world', ({ schema }) => own.ownFamilyRows(schema), (source) => fixed(source, 'pg_opfamily', operatorFamilyRows)],
  pg_collation: ['world', ({ schema }) => ownCollationRows(schema), (source) => fixed(source, 'pg_collation', collationRows)],
  pg_statistic_ext: ['world', statisticsRows],
  pg_publication: ['world', publicationRows],
  pg_subscription: ['live', subscriptionRows],
  pg_publication_rel: ['world', publicationTableRows],
  pg_publication_namespace: ['world', publicationSchemaRows],
  pg_publication_tables: ['session', publicationTableViewRows],
  pg_foreign_data_wrapper: ['world', foreign.wrapperRows],
  pg_foreign_server: ['world', foreign.serverRows],
  pg_foreign_table: ['world', foreign.foreignTableRows],
  pg_user_mapping: ['world', foreign.userMappingRows],
  pg_user_mappings: ['live', foreign.userMappingViewRows],
  pg_ts_config: ['world', ({ schema }) => search.searchConfigRows(schema)],
  pg_ts_config_map: ['world', ({ schema }) => search.searchMapRows(schema)],
  pg_ts_dict: ['world', ({ schema }) => search.searchDictionaryRows(schema)],
  pg_ts_parser: ['library', search.searchParserRows],
  pg_ts_template: ['library', search.searchTemplateRows],
  pg_conversion: ['world', ({ schema }) => [...conversionRows(), ...ownConversionRows(schema)]],
  pg_largeobject: ['world', () => []],
  pg_largeobject_metadata: ['live', ({ session }) => [...(session.largeObjects?.() ?? [])].map(({ oid, owner, acl }) => [oid, owner, rights.aclValue(acl)])],
  pg_language: ['world', ({ schema }) => server.languageRows(schema)],
  pg_extension: ['world', ({ schema }) => server.extensionRows(schema)],
  pg_available_extensions: ['world', ({ schema }) => server.availableExtensionRows(schema)],
  pg_available_extension_versions: ['world', ({ schema }) => server.extensionVersionRows(schema)],
  pg_tablespace: ['world', ({ schema }) => server.tablespaceRows(schema)],
  pg_timezone_names: ['live', () => zoneNameRows(nowSeconds())],
  pg_timezone_abbrevs: ['live', ({ session }) => abbreviationRows(nowSeconds(), abbreviationsOf(session))],
  pg_database: ['live', ({ session, schema }) => server.databaseRows(session, schema)],
  pg_authid: ['live', ({ session }) => server.authidRows(session)],
  pg_roles: ['live', ({ session }) => server.roleRows(session)],
  pg_user: ['live', ({ session }) => server.userRows(session)],
  pg_shadow: ['live', ({ session }) => server.shadowRows(session)],
  pg_group: ['live', ({ session }) => server.groupRows(session)],
  pg_auth_members: ['live', ({ session }) => server.memberRows(session)],
  pg_parameter_acl: ['live', ({ session }) => server.parameterRows(session)],
  pg_shdescription: ['live', ({ session }) => server.sharedDescriptionRows(session)],
  pg_shdepend: ['live', sharedDependRows],
  pg_db_role_setting: ['live', ({ session }) => server.roleSettingRows(session)],
  pg_default_acl: ['world', ({ schema }) => rights.defaultAclRows(schema)],
  pg_seclabel: ['world', ({ schema }) => rights.labelRows(schema)],
  pg_seclabels: ['world', ({ schema }) => rights.namedLabelRows(schema)],
  pg_settings: ['live', ({ session }) => server.settingRows(session)],
  pg_stat_activity: ['live', ({ session }) => server.activityRows(session)],
  pg_stat_ssl: ['live', ({ session }) => server.encryptionRows(session)],
  pg_stat_gssapi: ['live', ({ session }) => server.gssapiRows(session)],
  pg_stat_database: ['live', ({ session }) => server.statDatabaseRows(session)],
  pg_stat_statements: ['live', ({ session }) => session.statements?.(true) ?? []],
  pg_stat_statements_info: ['live', ({ session }) => session.statementsInfo?.() ?? []],
  pg_locks: ['live', ({ session }) => server.lockRows(session)],
  pg_prepared_statements: ['live', ({ session }) => server.preparedRows(session)],
  pg_cursors: ['live', ({ session }) => server.cursorRows(session)],
  pg_tables: ['live', views.tableViewRows],
  pg_views: ['live', views.viewViewRows],
  pg_matviews: ['live', views.materializedViewRows],
  pg_indexes: ['session', views.indexViewRows],
  pg_sequences: ['live', views.sequenceViewRows],
  pg_stat_all_tables: ['live', views.tableStatRows],
  pg_stat_user_tables: ['live', views.tableStatRows],
  pg_stat_xact_all_tables: ['live', views.tableTransactionRows],
  pg_stat_xact_user_tables: ['live', views.tableTransactionRows],
  pg_statio_all_tables: ['live', views.tableBlockRows],
  pg_statio_user_tables: ['live', views.tableBlockRows],
  pg_stat_all_indexes: ['session', views.indexStatRows],
  pg_stat_user_indexes: ['session', views.indexStatRows],
  pg_statio_all_indexes: ['session', views.indexBlockRows],
  pg_statio_user_indexes: ['session', views.indexBlockRows],
  pg_statio_all_sequences: ['session', views.sequenceBlockRows],
  pg_statio_user_sequences: ['session', views.sequenceBlockRows],
};

const INFORMATION_MAKERS: Readonly<Record<string, Make>> = {
  columns: information.columnRows,
  tables: information.tableRows,
  views: information.viewRows,
  schemata: information.schemaRows,
  sequences: information.sequenceRows,
  table_constraints: information.tableConstraintRows,
  check_constraints: (source) => [...information.checkConstraintRows(source), ...domainCheckRows(source)],
  domains: domainRows,
  domain_constraints: informationDomainConstraintRows,
  column_domain_usage: columnDomainRows,
  attributes: attributeRows,
  user_defined_types: userDefinedTypeRows,
  key_column_usage: information.keyColumnRows,
  referential_constraints: information.referentialRows,
  constraint_column_usage: information.constraintColumnRows,
  constraint_table_usage: information.constraintTableRows,
  column_udt_usage: information.columnTypeRows,
  triggers: triggers.informationTriggerRows,
  triggered_update_columns: triggers.triggeredColumnRows,
  element_types: information.elementTypeRows,
  view_table_usage: information.viewTableRows,
  routines: routines.routineRows,
  parameters: routines.parameterRows,
  collations: information.collationRows,
  foreign_tables: foreign.informationTableRows,
  foreign_table_options: foreign.tableOptionRows,
  column_options: foreign.columnOptionRows,
  character_sets: information.characterSetRows,
  information_schema_catalog_name: ({ database }) => [[database]],
};

/** These depend on the current user, and on roles, which change independently of definitions. */
const LIVE_INFORMATION: Readonly<Record<string, Make>> = {
  table_privileges: granted.tablePrivilegeRows,
  role_table_grants: granted.tableGrantRows,
  column_privileges: granted.columnPrivilegeRows,
  role_column_grants: granted.columnGrantRows,
  usage_privileges: granted.usagePrivilegeRows,
  role_usage_grants: granted.usageGrantRows,
  udt_privileges: granted.typePrivilegeRows,
  role_udt_grants: granted.typeGrantRows,
  foreign_data_wrappers: foreign.informationWrapperRows,
  foreign_data_wrapper_options: foreign.wrapperOptionRows,
  foreign_servers: foreign.informationServerRows,
  foreign_server_options: foreign.serverOptionRows,
  user_mappings: foreign.informationMappingRows,
  user_mapping_options: foreign.mappingOptionRows,
  enabled_roles: granted.enabledRoleRows,
  applicable_roles: granted.applicableRoleRows,
  administrable_role_authorizations: granted.administrableRoleRows,
};

type Kept = Map<string, MadeRelation>;
const byLibrary = new WeakMap<Registry, Kept>();
const byWorld = new WeakMap<Schema, Kept>();
/** By user, database and search path: forks share definitions and differ in their names. */
const bySession = new WeakMap<Schema, Map<string, Kept>>();
/** Number of users and databases whose rows are cached per schema. */
const SESSIONS_KEPT_MAX = 8;

function keptForSession(schema: Schema, session: CatalogSession): Kept {
  const { user, database, path } = session;
  let sessions = bySession.get(schema);
  if (sessions === undefined) bySession.set(schema, (sessions = new Map()));
  const roles = rolesOf(session);
  const role = session.role?.() ?? OWNER_ROLE;
  // A role's visibility depends on its memberships.
  const eyes = role === 0 || roles.isSuperuser(role) ? '' : roles.version;
  const key = `${user}\0${database}\0${eyes}\0${session.secrets?.() === false}\0${path?.join('\0') ?? ''}`;
  const found = sessions.get(key) ?? new Map<string, MadeRelation>();
  // Least recently used first.
  sessions.delete(key);
  sessions.set(key, found);
  if (sessions.size > SESSIONS_KEPT_MAX) sessions.delete(sessions.keys().next().value!);
  return found;
}

export function systemRelations(schema: Schema, library: Registry, session: CatalogSession): CatalogRelations {
  const catalog = libraryCatalog(library);
  const objects = worldObjects(schema);
  const names = (path: readonly string[]): CatalogNames =>
    new CatalogNames(
      {
        registry: library,
        objects,
        get functions() {
          return catalog.functions;
        },
        get operators() {
          return catalog.operators;
        },
        get relations() {
          return catalog.definitions;
        },
        get relationsByOid() {
          return catalog.definitionsByOid;
        },
        hasLargeObject: session.hasLargeObject ?? (() => false),
      },
      path,
      session.database,
      () => rolesOf(session),
    );
  let source: RowSource | null = null;
  const sourceOf = (): RowSource =>
    (source ??= {
      ...catalog,
      schema,
      objects,
      seen: new AllRelations(objects, catalog.definitions),
      texts: names(session.path ?? ['public']).texts,
      trees: names([]).texts,
      session,
      database: session.database,
      owner: rolesOf(session).byOid(OWNER_ROLE)!.name,
    });
  const own: Kept = new Map();
  const keptFor = (lifetime: Lifetime): Kept => {
    if (lifetime === 'library') return kept(byLibrary, library);
    if (lifetime === 'world') return kept(byWorld, schema);
    return lifetime === 'session' ? keptForSession(schema, session) : own;
  };
  return {
    names,
    find(schemaName, name) {
      const key = `${schemaName}.${name}`;
      const definition = catalog.definitions.get(key);
      if (definition === undefined) return null;
      const [lifetime, make, system] = makerOf(schemaName, name);
      const relations = keptFor(lifetime);
      let relation = relations.get(key);
      if (relation === undefined) {
        // Names find it again in the schema of its extension.
        const place = schema.extensions.get(RELATION_EXTENSIONS.get(definition.oid) ?? '')?.schema ?? schemaName;
        relation = new MadeRelation(
          { ...definition, schema: place },
          {
            own: () => make(sourceOf()),
            system: system === undefined ? null : () => system(sourceOf()),
            determines: definition.columns.map((column) => determinedBy(key, column.name)),
            some: (how, value) => make({ ...sourceOf(), seen: relationsDetermined(how, value, objects, catalog) }),
            guess: () => guessedRows(schema, catalog, name),
          },
          lifetime === 'live',
        );
        relation.own = session.elsewhere !== true && (lifetime === 'live' || lifetime === 'session');
        if (schemaName === 'pg_catalog' && name === 'pg_class') relation.counts = CLASS_COUNTS;
        relation.store = name === 'pg_largeobject' ? schema.stores.get(PAGES) : undefined;
        relations.set(key, relation);
      }
      return { kind: 'virtual', relation };
    },
  };
}

const EMPTY: Maker = ['library', () => []];

function makerOf(schema: string, name: string): Maker {
  if (schema === 'pg_catalog') return Object.hasOwn(MAKERS, name) ? MAKERS[name] : EMPTY;
  if (Object.hasOwn(LIVE_INFORMATION, name)) return ['live', LIVE_INFORMATION[name]];
  if (!Object.hasOwn(INFORMATION_MAKERS, name)) return EMPTY;
  const make = INFORMATION_MAKERS[name];
  return ['session', (source) => visibleRows(name, source, make(source))];
}

function kept<K extends object>(map: WeakMap<K, Kept>, key: K): Kept {
  let out = map.get(key);
  if (out === undefined) map.set(key, (out = new Map()));
  return out;
}

/** Estimated rows of a relation per kind of object, before they are computed. */
function guessedRows({ tables, indexes, views }: Schema, { definitions, functions }: LibraryCatalog, name: string): number {
  const own = 2 * tables.size + indexes.size + views.size;
  switch (name) {
    case 'pg_class':
      return definitions.size + own;
    case 'pg_attribute':
      return 15 * (definitions.size + own);
    case 'pg_proc':
      return functions.byOid.size;
    case 'pg_type':
      return 200;
    case 'columns':
      return 10 * own;
    default:
      return 100 + own;
  }
}
