/** Statements that define objects: bound here, run by the schema layer. */
import { noSuchType } from './no-such-type.ts';
import { refuseOtherDatabase } from '../bind/other-database.ts';
import { inQuotes } from '../../base/quote-identifier.ts';
import { SvcError, withoutPlace } from '../../base/errors/svc-error.ts';
import { refuseProtected } from '../../worlds/admit-changes.ts';
import type {
  AlterEnum,
  AlterSequence,
  Comment,
  CreateIndex,
  CreateTableAs,
  CreateView,
  Drop,
  IndexElement,
  ObjectKind,
  ObjectName,
  Rename,
  SetSchema,
} from '../ast/define.ts';
import { withNullTests } from '../ast/null-test.ts';
import type { RelationName } from '../ast/query.ts';
import type { Statement } from '../ast/statement.ts';
import type { TypeName } from '../ast/type-name.ts';
import { indexColumnName } from '../bind/output-name.ts';
import { notUpdatable } from '../bind/write-target.ts';
import { isHiddenType } from '../schema/extension-types.ts';
import { createSequence } from '../schema/create-sequence.ts';
import { type Method, methodNamed, refuseForMethod } from '../schema/index-methods.ts';
import { isSystemColumn, mustBeMovable } from '../schema/object-errors.ts';
import { collationOf } from '../catalog/type-rows.ts';
import { SEARCH_CONFIGURATIONS, SEARCH_DICTIONARIES } from '../types/search-names.ts';
import type { SqlType } from '../types/type.ts';
import type { Expression } from '../ast/expression.ts';
import { createIndex, type IndexSpec } from '../schema/create-index.ts';
import { YIELD } from '../exec/batch.ts';
import { createTableSteps } from '../schema/create-table.ts';
import { Ddl } from '../schema/ddl.ts';
import { DefinitionLog } from '../schema/definition-log.ts';
import { CATALOG_TREE } from '../../events/changes.ts';
import { dropNamed, dropObjects, emptySchema, dependentsOutsideSchema } from '../schema/drop.ts';
import { findFunction, functionLike, functionSignature, putFunction } from '../schema/functions.ts';
import { inputTypes, rowTypeOid, type TypeObject } from '../../worlds/definition.ts';
import {
  addEnumValue,
  createSchema,
  createView,
  renameColumn,
  renameConstraint,
  renameEnumValue,
  renameRelation,
  refuseSystemSchema,
  renameSchema,
  renameType,
  renameViewColumn,
  setComment,
  setSchema,
} from '../schema/other-objects.ts';
import type { Relation, Schema, UserFunction } from '../schema/schema.ts';
import { type SqlTable, tableWord } from '../schema/table.ts';
import { isTyped } from './alter-inheritance.ts';
import { renamedBelow } from './alter-tree.ts';
import { runAlterTable } from './alter-table.ts';
import { tablesOf, alterTypeAttributes, createType, runAlterDomain, runCreateDomain, typeName } from './define-type.ts';
import { alterComposite, alterDomain } from '../schema/user-types.ts';
import { compilerOf } from './compiler.ts';
import { foldingLocale, icuCollationNamed, refuseCollatedKeys } from '../schema/icu-collations.ts';
import { checkStorage, indexFacts, keepCollations, tableFacts } from './define-facts.ts';
import { putFacts } from '../schema/facts.ts';
import { runCreateAggregate } from './create-aggregate.ts';
import { missingObject, missingOfArguments, missingSchema, missingType, writtenArguments, writtenType } from './missing-objects.ts';
import { castNamed, runCreateCast } from './create-cast.ts';
import { mustNotBeGivenMasked } from './mask-guard.ts';
import { alterFunction, argumentTypes, runCreateFunction } from './create-function.ts';
import { findOperator, operatorNamed, runAlterOperator, runCreateOperator, shownOperator } from './create-operator.ts';
import { createTableAs } from './create-table-as.ts';
import { commentsOnSystem, refuseToDropSystem } from './system-routines.ts';
import { commentOnExtension, createExtension, dropExtensions, moveExtension, updateExtension } from './extensions.ts';
import { binderOf, expressionCollation, expressionText, likeAfterwards, referencedName, tableSpec, targetName } from './define-table.ts';
import { parseQuery } from './names.ts';
import { checkOptionOf, securityOf } from './view-options.ts';
import type { Parameters as Given } from './parameters.ts';
import { renamedColumnText } from './renamed-column.ts';
import { alterDefaultPrivileges, runGrant } from './grants.ts';
import { commentOnLargeObject } from './large-object-rights.ts';
import { moveAll } from './move-tables.ts';
import { putAuthors } from './authors.ts';
import { dropOwned, ownNew, reassignOwned, setOwner } from './owners.ts';
import {
  mustBeMember,
  mustCreateIn,
  mustCreateSchemas,
  mayCreateSchemas,
  mustOwn,
  mustOwnExtension,
  mustOwnRelation,
  mustOwnRoutine,
  mustOwnTable,
  mustOwnType,
  mustSeeMasked,
  ownedNumber,
} from './ownership.ts';
import { commentPolicy, dropPolicies, renamePolicy, runAlterPolicy, runCreatePolicy } from './policies.ts';
import { createMaterializedView, refreshMaterializedView } from './materialized-view.ts';
import { conversionNamed } from '../catalog/conversion-rows.ts';
import { runCreateConversion } from './create-conversion.ts';
import { findNamedObject, dropNamedObjects, moveNamedObject, namedObject, renameNamedObject, runCreateCollation, isNamedKind } from './create-collation.ts';
import { runAlterPublication, runCreatePublication } from './publications.ts';
import { runAlterServer, runCreateServer, runImportForeignSchema } from './foreign/servers.ts';
import { runDefineUserMapping } from './foreign/user-mappings.ts';
import { runDefineWrapper } from './foreign/wrappers.ts';
import { runAlterSearchConfiguration, runAlterSearchDictionary, runCreateSearch } from './create-search.ts';
import { runAlterStatistics, runCreateStatistics } from './create-statistics.ts';
import { done, type StatementResult } from './results.ts';
import { mustOwnDatabase, renameDatabase } from './database-statement.ts';
import { mayComment } from './role-rights.ts';
import { putSharedComment } from './role-rows.ts';
import { renameRole } from './role-statements.ts';
import { runSecurityLabel } from './security-label.ts';
import { changeSequence } from './change-sequence.ts';
import { storageOptions } from './storage-options.ts';
import { sequenceOptions } from './sequence-options.ts';
import { sliced } from './large-commit.ts';
import { runInTurns, type Steps, toTheEnd } from './plpgsql/steps.ts';
import { contextLines } from './call-frames.ts';
import type { SqlSession } from './sql-session.ts';
import type { Transaction } from './transaction.ts';
import { commentRule, dropRules, renameRule } from './rules/alter-rule.ts';
import { runCreateRule } from './rules/create-rule.ts';
import { runAlterEventTrigger } from './event-triggers/alter-event-trigger.ts';
import { renameTag } from './event-triggers/definition-tag.ts';
import { runCreateEventTrigger } from './event-triggers/create-event-trigger.ts';
import { commentTrigger, dropTriggers, renameTrigger } from './triggers/alter-trigger.ts';
import { runCreateTrigger } from './triggers/create-trigger.ts';
import { runAlterOperatorFamily, runCreateOperatorClass, runCreateOperatorFamily } from './operator-classes.ts';
import { dropGroups, isGroupKind, isSystemGroup, moveGroup, ownClassFor, ownGroup, renameGroup } from './operator-groups.ts';
import { dropSubscription, runAlterSubscription, runCreateSubscription } from './subscriptions.ts';
import { dropUnscoped, isUnscoped, ownUnscoped, renameUnscoped } from './unscoped-objects.ts';
import { viewSpec, writesInWith } from './view-spec.ts';
import { type RelationChange, rewriteTexts, rewriteViews } from './view-text.ts';
import { refuseSystemRelation } from './system-relation.ts';

export async function runDefine(session: SqlSession, statement: Statement, params: Given = []): Promise<StatementResult> {
  return defineNow(session, statement, params);
}

/** A promise only if the statement runs a query. */
export function defineNow(session: SqlSession, given: Statement, params: Given = []): StatementResult | Promise<StatementResult> {
  const statement = session.settings.get('transform_null_equals') === 'on' ? withNullTests(given) : given;
  switch (statement.type) {
    case 'createTable':
      return inTurns(
        session,
        statement.elements.length,
        defineSteps(session, statement.foreign === undefined ? 'CREATE TABLE' : 'CREATE FOREIGN TABLE', function* (ddl) {
          const options = checkStorage(statement, statement.partitionBy !== null);
          const number = yield* createTableSteps(ddl, yield* tableSpec(session, statement));
          if (number === null) return;
          likeAfterwards(session, ddl, statement, number);
          const columns = statement.elements.filter((element) => element.type === 'column');
          tableFacts(ddl, number, statement, options, columns);
          yield;
          refuseCollatedKeys(ddl, number);
        }),
      );
    case 'createTableAs':
      return asTable(session, statement, params);
    case 'refreshMaterializedView':
      return refreshMaterializedView(session, statement);
    case 'createIndex':
      if (statement.concurrently) session.preventInTransactionBlock('CREATE INDEX CONCURRENTLY');
      return define(session, 'CREATE INDEX', (ddl) => {
        const made = createIndex(ddl, indexSpec(session, statement));
        if (made === null) return;
        indexFacts(ddl, made, statement);
        refuseCollatedKeys(ddl, ddl.schema.catalog.indexes.get(made)!.table);
      });
    case 'createView':
      return define(session, 'CREATE VIEW', (ddl) => {
        const view = viewOf(session, statement);
        keepCollations(ddl, createView(ddl, view), view.collations);
      });
    case 'createSequence':
      return define(session, 'CREATE SEQUENCE', (ddl) => {
        const made = createSequence(ddl, {
          ...targetName(session, statement.name, statement.persistence === 'temporary'),
          ifNotExists: statement.ifNotExists,
          options: sequenceOptions(session, statement.options),
        });
        if (made !== null && statement.persistence === 'unlogged') putFacts(ddl, made, 0, { unlogged: true });
      });
    case 'alterSequence':
      return define(session, 'ALTER SEQUENCE', (ddl) => changeNamed(session, ddl, statement));
    case 'createSchema': {
      session.startStatement();
      const owner = statement.owner === null ? session.authority.owner : session.authority.named(statement.owner);
      const name = statement.name ?? session.authority.nameOf(owner);
      refuseSystemSchema(name);
      mustCreateSchemas(session);
      mustBeMember(session, owner);
      const create = (ddl: Ddl): void => {
        createSchema(ddl, name, statement.ifNotExists);
      };
      const result = define(session, 'CREATE SCHEMA', create, owner);
      return statement.elements.length === 0 ? result : withElements(session, result, statement.elements, name);
    }
    case 'createType':
      return createType(session, statement);
    case 'createDomain':
      return withoutPlace(() => runCreateDomain(session, statement));
    case 'alterDomain':
      return withoutPlace(() => runAlterDomain(session, statement));
    case 'alterEnum':
      return define(session, 'ALTER TYPE', (ddl) => changeEnum(session, ddl, statement));
    case 'drop':
      return drop(session, statement);
    case 'rename':
      if (statement.kind === 'role') return renameRole(session, statement);
      if (statement.kind === 'database') return renameDatabase(session, statement);
      return define(session, renameTag(statement.kind, statement.of), (ddl) => rename(session, ddl, statement));
    case 'setSchema':
      return define(session, `ALTER ${statement.kind.toUpperCase()}`, (ddl) => move(session, ddl, statement));
    case 'alterFunction':
      return alterFunction(session, statement);
    case 'setOwner':
      return setOwner(session, statement.kind, statement.object, statement.owner, statement.at);
    case 'securityLabel':
      return runSecurityLabel(session, statement);
    case 'comment':
      return define(session, 'COMMENT', (ddl) => comment(session, ddl, statement));
    case 'alterTable':
      return statement.kind === 'type' ? alterTypeAttributes(session, statement) : runAlterTable(session, statement, false, true);
    case 'createExtension':
      return define(session, 'CREATE EXTENSION', (ddl) => {
        const current = (): string => targetName(session, { catalog: null, schema: null, name: '', at: statement.at }, false).schema;
        createExtension(ddl, statement, { superuser: session.authority.superuser, creates: mayCreateSchemas(session) }, current);
      });
    case 'updateExtension':
      return define(session, 'ALTER EXTENSION', (ddl) => {
        mustOwnExtension(session, statement.name);
        updateExtension(ddl, statement);
      });
    case 'refreshCollation':
      return define(session, 'ALTER COLLATION', (ddl) => {
        // No object can depend on another version of a collation.
        namedObject(session, 'collation', statement);
        ddl.notice('00000', 'version has not changed');
      });
    case 'createFunction':
      return runCreateFunction(session, statement);
    case 'createAggregate':
      return runCreateAggregate(session, statement);
    case 'createOperator':
      return runCreateOperator(session, statement);
    case 'alterOperator':
      return runAlterOperator(session, statement);
    case 'createCast':
      return withoutPlace(() => runCreateCast(session, statement));
    case 'createCollation':
      return runCreateCollation(session, statement);
    case 'createConversion':
      return runCreateConversion(session, statement);
    case 'createSearchObject':
      return runCreateSearch(session, statement);
    case 'alterSearchDictionary':
      return runAlterSearchDictionary(session, statement);
    case 'alterSearchConfiguration':
      return runAlterSearchConfiguration(session, statement);
    case 'createStatistics':
      return runCreateStatistics(session, statement);
    case 'alterStatistics':
      return runAlterStatistics(session, statement);
    case 'createOperatorFamily':
      return runCreateOperatorFamily(session, statement);
    case 'createOperatorClass':
      return withoutPlace(() => runCreateOperatorClass(session, statement));
    case 'alterOperatorFamily':
      return runAlterOperatorFamily(session, statement);
    case 'createSubscription':
      return runCreateSubscription(session, statement);
    case 'alterSubscription':
      return runAlterSubscription(session, statement);
    case 'createPublication':
      return runCreatePublication(session, statement);
    case 'alterPublication':
      return runAlterPublication(session, statement);
    case 'createWrapper':
    case 'alterWrapper':
      return runDefineWrapper(session, statement);
    case 'createServer':
      return runCreateServer(session, statement);
    case 'alterServer':
      return runAlterServer(session, statement);
    case 'createUserMapping':
    case 'alterUserMapping':
    case 'dropUserMapping':
      return runDefineUserMapping(session, statement);
    case 'importForeignSchema':
      return runImportForeignSchema(session, statement);
    case 'grant':
      return runGrant(session, statement);
    case 'alterDefaultPrivileges':
      return alterDefaultPrivileges(session, statement);
    case 'createTrigger':
      return runCreateTrigger(session, statement);
    case 'createEventTrigger':
      return runCreateEventTrigger(session, statement);
    case 'alterEventTrigger':
      return runAlterEventTrigger(session, statement);
    case 'createRule':
      return runCreateRule(session, statement);
    case 'createPolicy':
      return runCreatePolicy(session, statement);
    case 'alterPolicy':
      return runAlterPolicy(session, statement);
    case 'dropOwned':
      return dropOwned(session, statement);
    case 'moveAll':
      return moveAll(session, statement);
    case 'reassignOwned':
      return reassignOwned(session, statement);
    default:
      throw new SvcError('0A000', `${commandOf(statement.type)} is not supported`, { position: statement.at + 1 });
  }
}

async function withElements(session: SqlSession, result: StatementResult, elements: readonly Statement[], schema: string): Promise<StatementResult> {
  // Unqualified names mean the new schema while its elements are created, in Postgres's order.
  const path = session.settings.get('search_path') ?? '';
  const first = `${inQuotes(schema)}${path === '' || path === '""' ? '' : `, ${path}`}`;
  const notices = [...result.notices];
  for (const element of elements) refuseElsewhere(element, schema);
  for (const element of elements.toSorted((a, b) => elementPass(a) - elementPass(b))) {
    const made = session.settings.during([{ name: 'search_path', value: first }], () => defineNow(session, inSchema(element, schema)));
    notices.push(...(await made).notices);
  }
  return { ...result, notices };
}

function refuseElsewhere(element: Statement, schema: string): void {
  if (element.type !== 'createTable' && element.type !== 'createView' && element.type !== 'createSequence') return;
  const other = element.name.schema;
  if (other !== null && other !== schema) throw new SvcError('42P15', `CREATE specifies a schema (${other}) different from the one being created (${schema})`);
}

/** Sequences, tables, views, indexes, then the remaining elements. */
function elementPass({ type }: Statement): number {
  const order = ['createSequence', 'createTable', 'createView', 'createIndex'].indexOf(type);
  return order < 0 ? 4 : order;
}

export function commandOf(type: string): string {
  return type.replace(/[A-Z]/g, (letter) => ` ${letter}`).toUpperCase();
}

/** Runs steps of definition over the transaction's state and puts what they change into it. */
/** `owner`: the owner of the objects that it creates. */
export function define(session: SqlSession, command: string, run: (ddl: Ddl) => void, owner?: number): StatementResult {
  const transaction = session.startStatement();
  session.writable(command);
  const ddl = ddlOver(session, transaction, false);
  const before = ddl.schema;
  sendNoticesBeforeErrors(session, ddl, run);
  return defined(session, command, transaction, ddl, before, owner);
}

/** The same in steps that yield. */
export function* defineSteps(session: SqlSession, command: string, run: (ddl: Ddl) => Generator<void, void>): Steps<StatementResult> {
  const transaction = session.startStatement();
  session.writable(command);
  const ddl = ddlOver(session, transaction, true);
  const before = ddl.schema;
  try {
    yield* sliced(run(ddl));
  } catch (error) {
    if (error instanceof SvcError) sendNotices(session, ddl);
    throw error;
  }
  const result = defined(session, command, transaction, ddl, before);
  // The commit gets a turn of its own.
  yield YIELD;
  return result;
}

/** A typical definition has fewer parts; a larger one yields, if it is a statement of its own. */
const PARTS_AT_ONCE = 100;

function inTurns(session: SqlSession, parts: number, steps: Steps<StatementResult>): StatementResult | Promise<StatementResult> {
  return parts > PARTS_AT_ONCE && session.functionDepth === 0 ? runInTurns(session, steps) : toTheEnd(session, steps);
}

/** Notices before an error are sent before it, with the severity they had. */
function sendNoticesBeforeErrors(session: SqlSession, ddl: Ddl, run: (ddl: Ddl) => void): void {
  try {
    run(ddl);
  } catch (error) {
    if (error instanceof SvcError) sendNotices(session, ddl);
    throw error;
  }
}

function sendNotices(session: SqlSession, { notices }: Ddl): void {
  const where = session.frames.length === 0 ? {} : { where: contextLines(session.frames) };
  for (const notice of notices) session.sendNotice({ ...notice, ...where });
}

/** The same for definitions with long work over rows, which yield. The caller locks the tables. */
export function* defineInParts(session: SqlSession, command: string, run: (ddl: Ddl) => void): Steps<StatementResult> {
  const transaction = session.begin();
  session.writable(command);
  const ddl = ddlOver(session, transaction, true);
  const before = ddl.schema;
  sendNoticesBeforeErrors(session, ddl, run);
  yield* sliced(ddl.workSteps());
  return defined(session, command, transaction, ddl, before);
}

/** DISCARD TEMP: drops the objects of the session's temporary schema, and their dependents in any schema. */
export function discardTemporary(session: SqlSession): void {
  const transaction = session.startStatement();
  const { schema } = session.temporary;
  const number = schema === null ? undefined : session.schema().schemas.get(schema);
  if (number === undefined) return;
  const ddl = ddlOver(session, transaction, false);
  const before = ddl.schema;
  emptySchema(ddl, number);
  defined(session, 'DISCARD TEMP', transaction, ddl, before);
}

/** A world keeps its objects when the session ends, so permanent objects must not depend on temporary ones. */
function refuseOverTemporary(session: SqlSession, ddl: Ddl): void {
  const { schema } = session.temporary;
  const number = schema === null ? undefined : ddl.schema.schemas.get(schema);
  const use = number === undefined ? null : dependentsOutsideSchema(ddl, number);
  if (use !== null) throw new SvcError('0A000', `${use.text} cannot be made of the temporary ${use.on}`);
}

function ddlOver(session: SqlSession, transaction: Transaction, inParts: boolean): Ddl {
  const { context } = session.host;
  return new Ddl({
    pager: context.engine.pager,
    objects: context.state.objects,
    lookup: session.host.lookup,
    compiler: compilerOf(session),
    root: transaction.seal(),
    roleName: (oid) => session.authority.nameOf(oid),
    path: session.lookupPath(),
    inParts,
    log: session.definitionWatch?.follows === true ? new DefinitionLog() : null,
  });
}

function defined(session: SqlSession, command: string, transaction: Transaction, ddl: Ddl, before: Schema, owner?: number): StatementResult {
  const { context } = session.host;
  putAuthors(session, ddl, ownNew(session, ddl, before, owner));
  // Only definitions: the rows and indexes of the last step are built in steps that yield.
  const { catalog } = ddl.schema;
  const changes = ddl.finish();
  const lasting = session.temporary.permanent(changes, catalog);
  // What only ends depends on nothing new.
  if (lasting.some(({ tree, rows }) => tree === CATALOG_TREE && rows.some(({ after }) => after !== null))) refuseOverTemporary(session, ddl);
  if (transaction.world !== null) refuseProtected(context, transaction.world, lasting, catalog);
  session.locks.claim(transaction, lasting, []);
  transaction.write(changes);
  if (ddl.sequences.size > 0) {
    transaction.sequences = new Map([...transaction.sequences, ...ddl.sequences]);
    for (const [number, state] of ddl.sequences) if (state === null) session.sequences.memory.forget(number);
  }
  if (ddl.log !== null) session.definitionWatch?.steps.push({ command, log: ddl.log, before, after: session.schema() });
  if (session.frames.length === 0) {
    if (session.definitionWatch === null) return done(command, [...session.notices, ...ddl.notices]);
    // Notices of event triggers come after those of the statement.
    for (const notice of ddl.notices) session.sendNotice(notice);
    return done(command, session.notices);
  }
  // Inside a function the result of a statement is ignored.
  sendNotices(session, ddl);
  return done(command);
}

/** Statements inside CREATE SCHEMA create their objects in it. */
function inSchema(statement: Statement, schema: string): Statement {
  if ('name' in statement && statement.name !== null && typeof statement.name === 'object' && 'schema' in statement.name && statement.name.schema === null) {
    return { ...statement, name: { ...statement.name, schema } } as Statement;
  }
  if (statement.type === 'createIndex' && statement.table.schema === null) return { ...statement, table: { ...statement.table, schema } };
  return statement;
}

async function asTable(session: SqlSession, statement: CreateTableAs, params: Given): Promise<StatementResult> {
  return statement.materializedView ? createMaterializedView(session, statement) : createTableAs(session, statement, params);
}

export function tableNamed(session: SqlSession, name: RelationName): SqlTable {
  const found = relationNamed(session, name);
  if (found.kind !== 'table' || found.table.materialized !== null) throw new SvcError('42809', `"${name.name}" is not a table`);
  return found.table;
}

export function relationNamed(session: SqlSession, name: RelationName): Relation {
  session.startStatement();
  refuseSystemRelation(session, name);
  const target = referencedName(session, name);
  const found = session.schema().relation(target.schema, target.name);
  if (found === null) {
    if (name.schema !== null && !session.names().hasSchema(name.schema)) throw new SvcError('3F000', `schema "${name.schema}" does not exist`);
    throw new SvcError('42P01', `relation "${name.schema === null ? '' : `${name.schema}.`}${name.name}" does not exist`);
  }
  return found;
}

function indexSpec(session: SqlSession, statement: CreateIndex): IndexSpec {
  const indexed = relationNamed(session, statement.table);
  if (indexed.kind !== 'table')
    throw new SvcError('42809', `cannot create index on relation "${statement.table.name}"`, {
      detail: `This operation is not supported for ${indexed.kind === 'index' ? 'indexes' : `${indexed.kind}s`}.`,
    });
  const { table } = indexed;
  if (table.foreign !== undefined)
    throw new SvcError('42809', `cannot create index on relation "${table.name}"`, { detail: 'This operation is not supported for foreign tables.' });
  mustOwnTable(session, table);
  mustSeeMasked(session, table);
  if (statement.concurrently && table.inheritance?.partitionBy != null)
    throw new SvcError('0A000', `cannot create index on partitioned table "${table.name}" concurrently`);
  const method = methodNamed(statement.method);
  if (statement.tablespace !== null) checkStorage({ options: [], tablespace: statement.tablespace, accessMethod: null }, false);
  const options = storageOptions(method, statement.options);
  refuseForMethod(method, {
    unique: statement.unique,
    columns: statement.elements.length,
    include: statement.include.length,
    directed: statement.elements.some(({ direction }) => direction !== 'default'),
    placesNulls: statement.elements.some(({ nulls }) => nulls !== 'default'),
  });
  return {
    table: table.number,
    only: statement.only,
    name: statement.name,
    ifNotExists: statement.ifNotExists,
    method,
    options,
    unique: statement.unique,
    nullsNotDistinct: statement.nullsNotDistinct,
    columns: statement.elements.map(({ column, value, direction, nulls, operatorClass: given, collation }) => {
      const operatorClass = given?.at(-1) ?? null;
      const descending = direction === 'desc';
      const nullsFirst = nulls === 'default' ? descending : nulls === 'first';
      const foldingOf = (type: SqlType): { folding?: string | null } =>
        collation === null ? {} : { folding: foldingLocale(session.schema(), type, collation.at(-1)!) };
      const plain = value?.type === 'column' && value.parts.length === 1 && !value.star ? value.parts[0] : column;
      if (plain !== null) {
        if (isSystemColumn(plain)) throw new SvcError('0A000', 'index creation on system columns is not supported');
        const own = table.columns.find(({ name }) => name === plain);
        const ownClass = own === undefined ? null : ownClassFor(session, method, own.type, given);
        if (own !== undefined) mustIndex(method, own.type, operatorClass, ownClass, collation);
        return { column: plain, expression: null, descending, nullsFirst, operatorClass, ownClass, ...(own === undefined ? {} : foldingOf(own.type)) };
      }
      if (value === null) return { column, expression: null, descending, nullsFirst, operatorClass };
      const { text, type, typmod, immutable } = expressionText(session, value, table.columns, null, 'index expressions', table.name);
      if (!immutable) throw new SvcError('42P17', 'functions in index expression must be marked IMMUTABLE');
      const ownClass = ownClassFor(session, method, type, given);
      mustIndex(method, type, operatorClass, ownClass, collation);
      const derived = collation?.at(-1) ?? expressionCollation(session, value, table);
      const folding = derived === null ? null : foldingLocale(session.schema(), type, derived);
      if (statement.unique && folding === null && derived !== null && icuCollationNamed(session.schema(), derived)?.deterministic === false)
        throw new SvcError('0A000', `unique keys by collation "${derived}" are not supported`);
      return { column: null, expression: { sql: text, type, typmod, name: indexColumnName(value) }, descending, nullsFirst, operatorClass, ownClass, folding };
    }),
    include: statement.include.map(included),
    where: statement.where === null ? null : predicate(session, statement.where, table),
  };
}

function included({ column, direction, nulls, collation, operatorClass }: IndexElement): string {
  const refused = (code: '0A000' | '42P17', text: string): SvcError => new SvcError(code, text);
  if (column === null) throw refused('0A000', 'expressions are not supported in included columns');
  if (collation !== null) throw refused('42P17', 'including column does not support a collation');
  if (operatorClass !== null) throw refused('42P17', 'including column does not support an operator class');
  if (direction !== 'default') throw refused('42P17', 'including column does not support ASC/DESC options');
  if (nulls !== 'default') throw refused('42P17', 'including column does not support NULLS FIRST/LAST options');
  return column;
}

function predicate(session: SqlSession, value: Expression, table: SqlTable): string {
  const { text, immutable } = expressionText(session, value, table.columns, 'boolean', 'index predicates', table.name);
  if (!immutable) throw new SvcError('42P17', 'functions in index predicate must be marked IMMUTABLE');
  return text;
}

/** 42804 for a collation of a type that has none, 42704 for a type without an order. */
function mustIndex(method: Method, type: SqlType, operatorClass: string | null, ownClass: number | null, collation: readonly string[] | null): void {
  if (collation !== null && collationOf(type) === 0) throw new SvcError('42804', `collations are not supported by type ${type.title}`);
  if ((method !== 'btree' && method !== 'hash') || operatorClass !== null || ownClass !== null || type.ordered) return;
  throw new SvcError('42704', `data type ${type.title} has no default operator class for access method "${method}"`, {
    hint: 'You must specify an operator class for the index or define a default operator class for the data type.',
  });
}

/** 0A000 if the view is not updatable. */
export function mustTakeChecks(session: SqlSession, sql: string): void {
  const refused = notUpdatable(binderOf(session), parseQuery(sql));
  if (refused === null) return;
  throw new SvcError('0A000', 'WITH CHECK OPTION is supported only on automatically updatable views', { hint: `${refused} are not automatically updatable.` });
}

function viewOf(session: SqlSession, statement: CreateView): Parameters<typeof createView>[1] & Pick<ReturnType<typeof viewSpec>, 'collations'> {
  if (writesInWith(statement.query)) throw new SvcError('0A000', 'views must not contain data-modifying statements in WITH');
  const spec = viewSpec(session, statement);
  const option = statement.options.find(({ name }) => name === 'check_option');
  const check = statement.check === 'none' && option !== undefined ? checkOptionOf(option) : statement.check;
  if (check !== 'none') {
    mustTakeChecks(session, spec.sql);
  }
  let temporary = statement.persistence === 'temporary';
  if (!temporary && spec.uses.some(({ object }) => readsTemporary(session, object))) {
    temporary = true;
    session.notice('00000', `view "${statement.name.name}" will be a temporary view`);
  }
  const target = targetName(session, statement.name, temporary);
  const known = session.schema().relation(target.schema, target.name);
  if (statement.replace && known !== null) mustOwnRelation(session, known, target.name);
  return { ...target, replace: statement.replace, check, ...securityOf(statement.options), ...spec };
}

export function readsTemporary(session: SqlSession, number: number): boolean {
  const all = session.schema();
  const found = all.tables.get(number) ?? all.views.get(number) ?? all.sequences.get(number);
  return found !== undefined && found.schema === session.temporary.schema;
}

function changeNamed(session: SqlSession, ddl: Ddl, statement: AlterSequence): void {
  const target = referencedName(session, statement.name);
  const known = session.schema().relation(target.schema, target.name);
  if (known !== null) mustOwnRelation(session, known, target.name);
  changeSequence(session, ddl, target, statement.options, statement.ifExists);
}

function changeEnum(session: SqlSession, ddl: Ddl, { name, action }: AlterEnum): void {
  session.startStatement();
  const target = typeName(session, name);
  const type = ddl.schema.enumByName(target.schema, target.name);
  if (type === null) {
    const oid = session.system.typeOid(name.map(inQuotes).join('.'));
    if (oid !== null) throw new SvcError('42809', `${session.system.typeTitle(oid, -1)} is not an enum`);
    throw noSuchType(session, name);
  }
  mustOwnType(session, type.number);
  if (action.kind === 'add') {
    if (addEnumValue(ddl, target.schema, target.name, action)) noteLabel(session, type.type.oid, action.label);
  } else renameEnumValue(ddl, target.schema, target.name, action.label, action.to);
}

function noteLabel(session: SqlSession, oid: number, label: string): void {
  const { newLabels } = session.begin();
  newLabels.set(oid, (newLabels.get(oid) ?? new Set()).add(label));
}

const DROPPED: Partial<Record<ObjectKind, 'table' | 'view' | 'materialized view' | 'foreign table' | 'sequence' | 'index' | 'type' | 'domain' | 'schema'>> = {
  table: 'table',
  'materialized view': 'materialized view',
  'foreign table': 'foreign table',
  view: 'view',
  sequence: 'sequence',
  index: 'index',
  type: 'type',
  domain: 'domain',
  schema: 'schema',
};

function relationOf(object: ObjectName, at: number): RelationName {
  const { name } = object;
  return { catalog: null, schema: name.length > 1 ? name[name.length - 2] : null, name: name[name.length - 1], at };
}

function drop(session: SqlSession, { kind, objects, ifExists, cascade, concurrently, at }: Drop): StatementResult {
  if (concurrently) {
    if (objects.length > 1) throw new SvcError('0A000', 'DROP INDEX CONCURRENTLY does not support dropping multiple objects');
    session.preventInTransactionBlock('DROP INDEX CONCURRENTLY');
  }
  if (isRoutine(kind)) return dropFunctions(session, kind, objects, ifExists, cascade);
  if (kind === 'operator' || kind === 'cast') return dropOperatorsOrCasts(session, kind, objects, ifExists, cascade);
  if (kind === 'policy') return dropPolicies(session, objects, ifExists, at);
  if (kind === 'rule') return dropRules(session, objects, ifExists, cascade, at);
  if (kind === 'trigger') return dropTriggers(session, objects, ifExists, cascade, at);
  if (isNamedKind(kind)) return dropNamedObjects(session, kind, objects, ifExists, cascade);
  if (isGroupKind(kind)) return dropGroups(session, kind, objects, ifExists, cascade);
  if (kind === 'subscription') return dropSubscription(session, objects, ifExists, cascade);
  if (isUnscoped(kind)) return dropUnscoped(session, kind, objects, ifExists, cascade);
  const own = DROPPED[kind];
  const command = `DROP ${kind.toUpperCase()}`;
  if (kind === 'extension') {
    const named = objects.map(({ name }) => name[name.length - 1]);
    return define(session, command, (ddl) => {
      for (const name of named) mustOwnExtension(session, name);
      dropExtensions(ddl, named, ifExists, cascade);
    });
  }
  if (own === undefined) {
    session.startStatement();
    for (const object of objects) {
      const absent = missingObject(session, kind, object);
      if (!ifExists) throw new SvcError('42704', absent);
      session.notice('00000', `${absent}, skipping`);
    }
    return done(command, session.notices);
  }
  if (own !== 'type' && own !== 'domain' && own !== 'schema') for (const { name } of objects) refuseFarName(session, name);
  session.startStatement();
  const present = objects.filter((object) => {
    if (own === 'schema') return true;
    const named = object.dataType;
    const absent = missingSchema(session, named === null ? object.name : [...(named.schema === null ? [] : [named.schema]), named.name]);
    if (absent === null) return true;
    if (!ifExists) throw new SvcError('3F000', absent);
    session.notice('00000', `${absent}, skipping`);
    return false;
  });
  const names = present.map((object) => {
    if (own === 'schema') {
      const name = object.name[object.name.length - 1];
      if (name === 'pg_catalog' || name === 'information_schema') {
        throw new SvcError('2BP01', `cannot drop schema ${name} because it is required by the database system`);
      }
      return { schema: '', name };
    }
    if (own === 'type') {
      const parts = object.dataType === null ? object.name : [...(object.dataType.schema === null ? [] : [object.dataType.schema]), object.dataType.name];
      return { ...typeName(session, parts), written: parts.join('.') };
    }
    const relation = relationOf(object, at);
    if (
      session.names().relation(relation.schema, relation.name)?.kind === 'virtual' &&
      session.schema().relation(relation.schema ?? 'pg_catalog', relation.name) === null
    ) {
      const target = referencedName(session, relation);
      if (session.schema().relation(target.schema, target.name) === null) refuseSystemRelation(session, relation);
    }
    return own === 'domain' ? { ...referencedName(session, relation), written: object.name.join('.') } : referencedName(session, relation);
  });
  if (own === 'domain') {
    for (const { name } of objects) {
      const oid = session.system.typeOid(name.map(inQuotes).join('.'));
      if (oid !== null && session.schema().types.get(oid)?.object.what !== 'domain') throw new SvcError('42809', `"${name.join('.')}" is not a domain`);
    }
  }
  if (own === 'type') {
    for (const { dataType } of objects) {
      const known =
        dataType === null || (dataType.schema !== null && dataType.schema !== 'pg_catalog') ? undefined : session.host.registry.findType(dataType.name);
      if (known !== undefined && !isHiddenType(session.schema(), known.oid))
        throw new SvcError('2BP01', `cannot drop type ${known.title} because it is required by the database system`);
    }
  }
  for (const name of names) mustOwnToDrop(session, own, name);
  return define(session, command, (ddl) => dropNamed(ddl, own, names, ifExists, cascade));
}

type Routine = 'function' | 'procedure' | 'routine' | 'aggregate';

export function isRoutine(kind: ObjectKind): kind is Routine {
  return kind === 'function' || kind === 'procedure' || kind === 'routine' || kind === 'aggregate';
}

/** null if there is none; `shown` is the text that was written. */
export function routineNamed(session: SqlSession, kind: Routine, { name, args }: ObjectName): { found: UserFunction | null; shown: string } {
  const types = argumentTypes(session, args);
  const last = name[name.length - 1];
  const schemas = name.length > 1 ? [session.schemaMeant(name[name.length - 2])] : session.system.schemas(false);
  const schema = session.schema();
  const shown = types === null ? `"${name.join('.')}"` : `${name.join('.')}(${types.map((oid) => schema.typeByOid(oid)?.title ?? oid).join(', ')})`;
  return { found: findFunction(schema, schemas, kind, last, types, shown.replaceAll('"', '')), shown };
}

function noSuchFunction(session: SqlSession, kind: Routine, object: ObjectName, shown: string): SvcError {
  const absent = missingSchema(session, object.name);
  if (absent !== null) return new SvcError('3F000', absent);
  const builtIn = kind !== 'procedure' && session.host.registry.functions(object.name[object.name.length - 1]).length > 0;
  if (builtIn && object.args === null) {
    return new SvcError('2BP01', `cannot drop function ${object.name.join('.')} because it is required by the database system`);
  }
  if (kind === 'aggregate' && object.args?.length === 0) return new SvcError('42883', `aggregate ${object.name.join('.')}(*) does not exist`);
  // Postgres calls a missing routine a function.
  const called = kind === 'routine' ? 'function' : kind;
  return new SvcError('42883', object.args === null ? `could not find a ${called} named ${shown}` : `${called} ${shown} does not exist`);
}

/** A relation name may be qualified with a schema, and before that with the current database: 0A000, 42601. */
function refuseFarName(session: SqlSession, name: readonly string[]): void {
  if (name.length > 3) throw new SvcError('42601', `improper relation name (too many dotted names): ${name.join('.')}`);
  const [catalog, schema, last] = name;
  if (name.length === 3) withoutPlace(() => refuseOtherDatabase(session.env, { catalog, schema, name: last, at: 0 }));
}

function dropFunctions(session: SqlSession, kind: Routine, objects: readonly ObjectName[], ifExists: boolean, cascade: boolean): StatementResult {
  session.startStatement();
  const command = `DROP ${kind.toUpperCase()}`;
  return define(session, command, (ddl) => {
    const targets: { kind: 'function'; number: number }[] = [];
    for (const object of objects) {
      const absent = ifExists ? missingOfArguments(session, object) : null;
      if (absent !== null) {
        ddl.notice('00000', `${absent}, skipping`);
        continue;
      }
      const { found, shown } = routineNamed(session, kind, object);
      if (found === null) refuseToDropSystem(session, kind, object);
      if (found !== null) {
        if (kind === 'function' && found.object.aggregate !== undefined)
          throw new SvcError('42809', `"${found.object.name}" is an aggregate function`, { hint: 'Use DROP AGGREGATE to drop aggregate functions.' });
        mustOwnRoutineToDrop(session, found);
        targets.push({ kind: 'function', number: found.object.number });
      } else if (ifExists) {
        const args = object.args === null ? '' : writtenArguments(object.args);
        ddl.notice('00000', `${kind} ${object.name.join('.')}(${args}) does not exist, skipping`);
      } else throw noSuchFunction(session, kind, object, shown);
    }
    if (targets.length > 0) dropObjects(ddl, targets, cascade);
  });
}

function castTypes({ args }: ObjectName): TypeName[] {
  return (args ?? []).map(({ dataType }) => dataType);
}

function dropOperatorsOrCasts(
  session: SqlSession,
  kind: 'operator' | 'cast',
  objects: readonly ObjectName[],
  ifExists: boolean,
  cascade: boolean,
): StatementResult {
  session.startStatement();
  return define(session, `DROP ${kind.toUpperCase()}`, (ddl) => {
    const targets: { kind: 'operator' | 'cast'; number: number }[] = [];
    for (const object of objects) {
      if (kind === 'cast') {
        const absent = ifExists ? missingType(session, castTypes(object)) : null;
        if (absent !== null) {
          ddl.notice('00000', `${absent}, skipping`);
          continue;
        }
        const { found, shown } = castNamed(session, object);
        if (found !== null) targets.push({ kind, number: found.object.number });
        else if (ifExists) {
          const [from, to] = castTypes(object).map(writtenType);
          ddl.notice('00000', `cast from type ${from} to type ${to} does not exist, skipping`);
        } else throw new SvcError('42704', `${shown} does not exist`);
        continue;
      }
      const absent = ifExists ? missingOfArguments(session, object) : null;
      if (absent !== null) {
        ddl.notice('00000', `${absent}, skipping`);
        continue;
      }
      const found = findOperator(session, object);
      if (found === null) refuseToDropSystem(session, kind, object);
      if (found !== null) {
        mustOwn(session, 'operator', found.object.number, found.object.name);
        targets.push({ kind, number: found.object.number });
      } else if (ifExists) ddl.notice('00000', `operator ${object.name.join('.')} does not exist, skipping`);
      else throw new SvcError('42883', `operator does not exist: ${shownOperator(session, object)}`);
    }
    if (targets.length > 0) dropObjects(ddl, targets, cascade);
  });
}

/** The owner of a schema may drop objects in it, too. */
function mustOwnRoutineToDrop(session: SqlSession, { object }: UserFunction): void {
  const { authority } = session;
  if (authority.free) return;
  const schema = session.schema();
  const around = schema.schemas.get(object.schema);
  if (around === undefined || !authority.privileges(schema).owns(authority.role, around)) mustOwnRoutine(session, object);
}

export function functionFor(session: SqlSession, kind: Routine, object: ObjectName): UserFunction {
  const { found, shown } = routineNamed(session, kind, object);
  if (found === null) throw noSuchFunction(session, kind, object, shown);
  return found;
}

/** The owner of a schema may drop objects in it, too. */
function mustOwnToDrop(session: SqlSession, kind: string, { schema: own, name }: { readonly schema: string; readonly name: string }): void {
  const { authority } = session;
  if (authority.free) return;
  const schema = session.schema();
  if (kind === 'schema') {
    const number = schema.schemas.get(name);
    if (number !== undefined) mustOwn(session, 'schema', number, name);
    return;
  }
  const around = schema.schemas.get(own);
  if (around !== undefined && authority.privileges(schema).owns(authority.role, around)) return;
  if (kind === 'type' || kind === 'domain') {
    const type = schema.ownType(own, name);
    if (type !== null) mustOwnType(session, type.number);
    return;
  }
  const found = schema.relation(own, name);
  if (found !== null) mustOwnRelation(session, found, name);
}

function rename(session: SqlSession, ddl: Ddl, statement: Rename): void {
  session.startStatement();
  const { kind, object, to, ifExists } = statement;
  switch (kind) {
    case 'column': {
      const from = object.name[object.name.length - 1];
      const owner = relationOf({ ...object, name: object.name.slice(0, -1) }, statement.at);
      const target = referencedName(session, owner);
      const found = session.schema().relation(target.schema, target.name);
      if (found?.kind === 'view') {
        rewriteViews(session, ddl, [{ number: found.view.number, column: { from, to } }]);
        return renameViewColumn(ddl, found.view.number, from, to);
      }
      const table = findTable(session, { ...object, name: object.name.slice(0, -1) }, statement.at, ifExists);
      if (table === null) return ddl.notice('00000', `relation "${object.name[object.name.length - 2]}" does not exist, skipping`);
      mustOwnTable(session, table);
      if (isTyped(session, table)) throw new SvcError('42809', 'cannot rename column of typed table');
      for (const each of [table, ...renamedBelow(session, table, 'column', from, statement.only)]) {
        if (each.columns.some(({ name }) => name === from)) rewriteViews(session, ddl, [{ number: each.number, column: { from, to } }]);
        renameColumn(ddl, each.number, from, to, (sql) => renamedColumnText(sql, each.name, new Map([[from, to]])));
      }
      return;
    }
    case 'constraint': {
      const table = findTable(session, { ...object, name: object.name.slice(0, -1) }, statement.at, ifExists);
      if (table === null) return;
      mustOwnTable(session, table);
      for (const each of [table, ...renamedBelow(session, table, 'constraint', object.name[object.name.length - 1], statement.only)])
        renameConstraint(ddl, each.number, object.name[object.name.length - 1], to);
      return;
    }
    case 'policy':
      return renamePolicy(session, ddl, statement);
    case 'rule':
      return renameRule(session, ddl, statement);
    case 'trigger':
      return renameTrigger(session, ddl, statement);
    case 'collation':
    case 'conversion':
    case 'text search dictionary':
    case 'text search configuration':
    case 'statistics':
      return renameNamedObject(session, ddl, kind, object, to);
    case 'operator class':
    case 'operator family':
      return renameGroup(session, ddl, kind, object, to);
    case 'publication':
    case 'subscription':
    case 'event trigger':
    case 'foreign data wrapper':
    case 'server':
      return renameUnscoped(session, ddl, kind, object.name[0], to);
    case 'schema': {
      const number = ddl.schema.schemas.get(object.name[0]);
      if (number !== undefined) mustOwn(session, 'schema', number, object.name[0]);
      mustCreateSchemas(session);
      renameInSchema(session, ddl, object.name[0], to);
      return renameSchema(ddl, object.name[0], to);
    }
    case 'domain constraint': {
      const target = typeName(session, object.name.slice(0, -1));
      const own = ddl.schema.ownType(target.schema, target.name);
      if (own !== null) mustOwnType(session, own.number);
      const last = object.name[object.name.length - 1];
      if (own?.object.what === 'domain' && !own.object.checks.some((check) => check.name === last))
        throw new SvcError('42704', `constraint "${last}" for domain ${session.system.typeTitle(own.number, -1)} does not exist`);
      return alterDomain(ddl, target.schema, target.name, { kind: 'renameCheck', name: last, to });
    }
    case 'attribute': {
      const target = typeName(session, object.name.slice(0, -1));
      const own = ddl.schema.ownType(target.schema, target.name);
      if (own === null) throw new SvcError('42P01', `relation "${target.name}" does not exist`);
      mustOwnType(session, own.number);
      const typed = tablesOf(session, own.number);
      if (typed.length > 0 && !statement.cascade)
        throw new SvcError('2BP01', `cannot alter type "${target.name}" because it is the type of a typed table`, {
          hint: 'Use ALTER ... CASCADE to alter the typed tables too.',
        });
      const from = object.name[object.name.length - 1];
      for (const each of typed) {
        rewriteViews(session, ddl, [{ number: each.number, column: { from, to } }]);
        renameColumn(ddl, each.number, from, to, (sql) => renamedColumnText(sql, each.name, new Map([[from, to]])));
      }
      return alterComposite(ddl, target.schema, target.name, { kind: 'rename', name: from, to });
    }
    case 'domain':
    case 'type': {
      const { dataType } = object;
      const named = dataType === null ? object.name : [...(dataType.schema === null ? [] : [dataType.schema]), dataType.name];
      const target = typeName(session, named);
      const type = ddl.schema.ownType(target.schema, target.name);
      if (type === null) throw noSuchType(session, named);
      mustOwnType(session, type.number);
      if (kind === 'domain' && type.object.what !== 'domain') throw new SvcError('42809', `${session.system.typeTitle(type.number, -1)} is not a domain`);
      if (type.type.shell === true) throw new SvcError('42704', `type "${type.name}" is only a shell`);
      rewriteTexts(session, ddl, { types: typeNames(type.object, target.schema, to) }, [target.name]);
      return renameType(ddl, target.schema, target.name, to);
    }
    case 'table':
    case 'view':
    case 'materialized view':
    case 'foreign table':
    case 'index':
    case 'sequence': {
      const written = relationOf(object, statement.at);
      refuseSystemRelation(session, written);
      const target = referencedName(session, written);
      const found = session.schema().relation(target.schema, target.name);
      // ALTER TABLE renames any relation, the others only their own kind.
      if (found !== null && kind !== 'table' && kind !== 'index' && kindOf(found) !== kind) throw new SvcError('42809', `"${target.name}" is not a ${kind}`);
      if (found !== null) {
        mustOwnRelation(session, found, target.name);
        mustCreateIn(session, target.schema);
      }
      const number = numberOf(found);
      if (number !== null) nameRelation(session, ddl, number, target, { schema: target.schema, name: to });
      return renameRelation(ddl, target.schema, target.name, to, ifExists);
    }
    case 'function':
    case 'aggregate':
    case 'procedure':
    case 'routine': {
      const { object: own } = functionFor(session, kind, object);
      mustOwnRoutine(session, own);
      for (const name of [own.name, to]) mustNotBeGivenMasked(session, name);
      mustCreateIn(session, own.schema);
      const types = inputTypes(own).join();
      if (ddl.schema.functionsNamed(own.schema, to).some((each) => inputTypes(each.object).join() === types)) {
        throw new SvcError('42723', `function ${functionSignature(ddl.schema, { ...own, name: to })} already exists in schema "${own.schema}"`);
      }
      rewriteTexts(session, ddl, { functions: new Map([[own.number, { schema: own.schema, name: to }]]) }, [own.name]);
      return putFunction(ddl, own.number, { name: to });
    }
    default:
      throw new SvcError('0A000', `renaming a ${kind} is not supported`);
  }
}

/** The kind's word in messages. */
function kindOf(found: Relation): string {
  return found.kind === 'table' ? tableWord(found.table) : found.kind;
}

function primaryKeyNumber(session: SqlSession, { number }: SqlTable): number {
  return session.schema().catalog.byNumber.get(number)?.relation?.object.primaryKey?.number ?? 0;
}

/** Of a table or view. */
function numberOf(found: Relation | null): number | null {
  return found?.kind === 'table' ? found.table.number : found?.kind === 'view' ? found.view.number : null;
}

/** The oids by which stored texts refer to a type, and its new name. */
function typeNames(object: TypeObject, schema: string, name: string): Map<number, { readonly schema: string; readonly name: string }> {
  return new Map([[object.number, { schema, name }]]);
}

/** Renames a relation and its row type. */
function nameRelation(
  session: SqlSession,
  ddl: Ddl,
  number: number,
  from: { readonly name: string },
  to: { readonly schema: string; readonly name: string },
): void {
  rewriteTexts(session, ddl, { relations: new Map([[number, { number, to }]]), types: new Map([[rowTypeOid(number), to]]) }, [from.name]);
}

/** Stored texts that refer to objects by the old name of a schema. */
function renameInSchema(session: SqlSession, ddl: Ddl, from: string, to: string): void {
  const { functions, types } = ddl.schema;
  const inSchema = [...functions.values()].map(({ object }) => object).filter((object) => object.schema === from);
  const ownTypes = [...types.values()].map(({ object }) => object).filter((object) => object.schema === from);
  const relations = inSchemaNow(session, from, to);
  const rows = relations.map(({ number, to: now }) => [rowTypeOid(number), now!] as const);
  const changes = {
    relations: new Map(relations.map((each) => [each.number, each])),
    functions: new Map(inSchema.map(({ number, name }) => [number, { schema: to, name }])),
    types: new Map([...ownTypes.map(({ number, name }) => [number, { schema: to, name }] as const), ...rows]),
    schema: { from, to },
  };
  rewriteTexts(session, ddl, changes, [from]);
}

/** The changes to relation names when their schema is renamed. */
function inSchemaNow(session: SqlSession, schema: string, to: string): RelationChange[] {
  const all = session.schema();
  return [...all.tables.values(), ...all.views.values()]
    .filter((each) => each.schema === schema)
    .map(({ number, name }) => ({ number, to: { schema: to, name } }));
}

function findTable(session: SqlSession, object: ObjectName, at: number, ifExists: boolean): SqlTable | null {
  const name = relationOf(object, at);
  const target = referencedName(session, name);
  if (ifExists && session.schema().relation(target.schema, target.name) === null) return null;
  const found = relationNamed(session, name);
  if (found.kind !== 'table') throw new SvcError('42809', `"${name.name}" is not a table`);
  return found.table;
}

function move(session: SqlSession, ddl: Ddl, { kind, object, schema, ifExists, at }: SetSchema): void {
  session.startStatement();
  if (kind === 'operator') {
    const { object: own } = operatorNamed(session, object);
    mustOwn(session, 'operator', own.number, own.name);
    mustBeMovable(ddl.schema, own.schema, schema);
    mustCreateIn(session, schema);
    return ddl.put({ ...own, schema });
  }
  if (isGroupKind(kind)) return moveGroup(session, ddl, kind, object, schema);
  if (isNamedKind(kind)) return moveNamedObject(session, ddl, kind, object, schema);
  if (isRoutine(kind)) {
    const { object: own } = functionFor(session, kind, object);
    mustOwnRoutine(session, own);
    mustNotBeGivenMasked(session, own.name);
    mustBeMovable(ddl.schema, own.schema, schema);
    mustCreateIn(session, schema);
    if (schema !== own.schema && functionLike(ddl.schema, { ...own, schema }) !== null)
      throw new SvcError('42723', `function ${functionSignature(ddl.schema, own)} already exists in schema "${schema}"`);
    rewriteTexts(session, ddl, { functions: new Map([[own.number, { schema, name: own.name }]]) }, [own.name]);
    return putFunction(ddl, own.number, { schema });
  }
  if (kind === 'type' || kind === 'domain') {
    const target = typeName(
      session,
      object.dataType === null ? object.name : [...(object.dataType.schema === null ? [] : [object.dataType.schema]), object.dataType.name],
    );
    const type = ddl.schema.ownType(target.schema, target.name);
    if (type === null)
      throw noSuchType(
        session,
        object.dataType === null ? object.name : [...(object.dataType.schema === null ? [] : [object.dataType.schema]), object.dataType.name],
      );
    mustOwnType(session, type.number);
    mustBeMovable(ddl.schema, target.schema, schema);
    mustCreateIn(session, schema);
    if (type !== null && ddl.schema.schemas.has(schema)) rewriteTexts(session, ddl, { types: typeNames(type.object, schema, target.name) }, [target.name]);
    return setSchema(ddl, 'type', target.schema, target.name, schema, ifExists);
  }
  if (kind === 'extension') {
    mustOwnExtension(session, object.name[0]);
    return moveExtension(ddl, object.name[0], schema, () => mustCreateIn(session, schema));
  }
  const name = relationOf(object, at);
  const target = referencedName(session, name);
  const found = session.schema().relation(target.schema, target.name);
  if (found === null && !ifExists) relationNamed(session, name);
  if (found !== null && kind !== 'table' && kindOf(found) !== kind) throw new SvcError('42809', `"${target.name}" is not a ${kind}`);
  if (found !== null) mustOwnRelation(session, found, target.name);
  mustCreateIn(session, schema);
  if (found?.kind === 'index')
    throw new SvcError('42809', `cannot change schema of index "${target.name}"`, { hint: 'Change the schema of the table instead.' });
  if (found?.kind === 'sequence' && found.sequence.ownedBy !== null) {
    const owner = session.schema().tables.get(found.sequence.ownedBy.table);
    throw new SvcError('0A000', 'cannot move an owned sequence into another schema', {
      detail: `Sequence "${found.sequence.name}" is linked to table "${owner?.name ?? ''}".`,
    });
  }
  if (found !== null) mustBeMovable(ddl.schema, target.schema, schema);
  const number = numberOf(found);
  if (number !== null) nameRelation(session, ddl, number, target, { schema, name: target.name });
  setSchema(ddl, 'relation', target.schema, target.name, schema, ifExists);
}

function comment(session: SqlSession, ddl: Ddl, { kind, object, text, at }: Comment): void {
  session.startStatement();
  switch (kind) {
    case 'column': {
      const parts = object.name.slice(0, -1);
      if (parts.length === 0) throw new SvcError('42601', 'column name must be qualified');
      const composite = session.schema().ownType(typeName(session, parts).schema, parts[parts.length - 1]);
      if (composite?.object.what === 'composite') {
        const field = composite.object.attributes.find(({ name }) => name === object.name.at(-1));
        if (field === undefined) throw new SvcError('42703', `column "${object.name.at(-1)}" of relation "${parts.at(-1)}" does not exist`);
        mustOwnType(session, composite.number);
        return setComment(ddl, composite.number, field.attnum, text);
      }
      const found = relationNamed(session, relationOf({ ...object, name: parts }, at));
      const column = object.name[object.name.length - 1];
      mustOwn(session, 'relation', ownedNumber(found), object.name[object.name.length - 2]);
      if (found.kind === 'table') {
        const own = found.table.columns.find(({ name }) => name === column);
        if (own === undefined) throw new SvcError('42703', `column "${column}" of relation "${found.table.name}" does not exist`);
        return setComment(ddl, found.table.number, own.attnum, text);
      }
      if (found.kind === 'view') {
        const index = found.view.columns.findIndex(({ name }) => name === column);
        if (index < 0) throw new SvcError('42703', `column "${column}" of relation "${found.view.name}" does not exist`);
        return setComment(ddl, found.view.number, index + 1, text);
      }
      throw new SvcError('42809', `cannot set comment on relation "${parts.at(-1)}"`, {
        detail: `This operation is not supported for ${found.kind === 'index' ? 'indexes' : 'sequences'}.`,
      });
    }
    case 'schema': {
      const number = session.schema().schemas.get(object.name[0]);
      if (number === undefined) throw new SvcError('3F000', `schema "${object.name[0]}" does not exist`);
      mustOwn(session, 'schema', number, object.name[0]);
      return setComment(ddl, number, 0, text);
    }
    case 'extension':
      mustOwnExtension(session, object.name[0]);
      return commentOnExtension(ddl, object.name[0], text);
    case 'domain':
    case 'type': {
      const written = object.dataType === null ? object.name : [...(object.dataType.schema === null ? [] : [object.dataType.schema]), object.dataType.name];
      const target = typeName(session, written);
      const type = ddl.schema.ownType(target.schema, target.name);
      if (type === null) {
        // Comments on built-in types are not stored.
        if (object.dataType !== null && missingType(session, [object.dataType]) === null) return;
        throw new SvcError('42704', `type "${written.join('.')}" does not exist`);
      }
      if (kind === 'domain' && type.object.what !== 'domain') throw new SvcError('42809', `"${written.join('.')}" is not a domain`);
      mustOwnType(session, type.number);
      return setComment(ddl, type.number, 0, text);
    }
    case 'domain constraint': {
      if (object.dataType === null) return;
      const written = [...(object.dataType.schema === null ? [] : [object.dataType.schema]), object.dataType.name];
      const target = typeName(session, written);
      const type = ddl.schema.ownType(target.schema, target.name);
      if (type === null) throw new SvcError('42704', `type "${written.join('.')}" does not exist`);
      const title = session.system.typeTitle(type.number, -1);
      if (type.object.what !== 'domain') throw new SvcError('42809', `${title} is not a domain`);
      const constraint = object.name[object.name.length - 1];
      const check = type.object.checks.find(({ name }) => name === constraint);
      if (check === undefined) throw new SvcError('42704', `constraint "${constraint}" for domain ${title} does not exist`);
      mustOwnType(session, type.number);
      return setComment(ddl, check.number, 0, text);
    }
    case 'constraint': {
      const table = tableNamed(session, relationOf({ ...object, name: object.name.slice(0, -1) }, at));
      const name = object.name[object.name.length - 1];
      mustOwnTable(session, table);
      const number = [...table.checks, ...table.foreignKeys, ...table.indexes].find((each) => each.name === name)?.number;
      if (table.primaryKey === name) return setComment(ddl, primaryKeyNumber(session, table), 0, text);
      if (number === undefined) throw new SvcError('42704', `constraint "${name}" for table "${table.name}" does not exist`);
      return setComment(ddl, number, 0, text);
    }
    case 'policy':
      return commentPolicy(session, ddl, object, at, text);
    case 'rule':
      return commentRule(session, ddl, object, at, text);
    case 'trigger':
      return commentTrigger(session, ddl, object, at, text);
    case 'collation':
    case 'conversion':
    case 'text search dictionary':
    case 'text search configuration':
    case 'statistics':
      if (kind !== 'statistics' && findNamedObject(session, kind, object.name) === null && isOfSystem(kind, object.name[object.name.length - 1])) {
        if (kind === 'conversion' && !session.authority.free) throw new SvcError('42501', `must be owner of conversion ${object.name.at(-1)!}`);
        return;
      }
      return setComment(ddl, namedObject(session, kind, object).number, 0, text);
    case 'table':
    case 'view':
    case 'materialized view':
    case 'foreign table':
    case 'sequence':
    case 'index': {
      const found = relationNamed(session, relationOf(object, at));
      if (kindOf(found) !== kind) throw new SvcError('42809', `"${object.name[object.name.length - 1]}" is not a${kind === 'index' ? 'n' : ''} ${kind}`);
      mustOwnRelation(session, found, object.name[object.name.length - 1]);
      const number =
        found.kind === 'table'
          ? found.table.number
          : found.kind === 'view'
            ? found.view.number
            : found.kind === 'sequence'
              ? found.sequence.number
              : (found.index?.number ?? primaryKeyNumber(session, found.table));
      return setComment(ddl, number, 0, text);
    }
    case 'operator class':
    case 'operator family':
      // Comments on built-in objects are not stored.
      if (isSystemGroup(session, kind, object)) return;
      return setComment(ddl, ownGroup(session, kind, object).number, 0, text);
    case 'publication':
    case 'subscription':
    case 'event trigger':
    case 'foreign data wrapper':
    case 'server':
      return setComment(ddl, ownUnscoped(session, kind, object.name[0]).number, 0, text);
    case 'large object':
      return commentOnLargeObject(session, ddl, object, text);
    case 'operator': {
      if (findOperator(session, object) === null && commentsOnSystem(session, kind, object)) return;
      const { object: own } = operatorNamed(session, object);
      mustOwn(session, 'operator', own.number, own.name);
      return setComment(ddl, own.number, 0, text);
    }
    case 'cast': {
      const { found, isSystem, shown } = castNamed(session, object, false);
      // Comments on built-in objects are not stored.
      if (isSystem) return;
      if (found === null) throw new SvcError('42704', `${shown} does not exist`);
      return setComment(ddl, found.object.number, 0, text);
    }
    case 'function':
    case 'aggregate':
    case 'procedure':
    case 'routine': {
      if (routineNamed(session, kind, object).found === null && commentsOnSystem(session, kind, object)) return;
      const { object: own } = functionFor(session, kind, object);
      mustOwnRoutine(session, own);
      return setComment(ddl, own.number, 0, text);
    }
    case 'database': {
      const world = session.host.context.state.worlds.byName(object.name[0]);
      if (world === null) return session.notice('3D000', `database "${object.name[0]}" does not exist`, 'WARNING');
      mustOwnDatabase(session, object.name[0]);
      return putSharedComment(session, 'database', world.number, text === '' ? null : text);
    }
    case 'role': {
      const role = session.authority.find(object.name[0]);
      mayComment(session, role);
      return putSharedComment(session, 'role', role.oid, text === '' ? null : text);
    }
    case 'language':
    case 'text search parser':
    case 'text search template':
    case 'tablespace':
    case 'access method': {
      const name = object.name[object.name.length - 1];
      if (KNOWN_SYSTEM.has(name)) {
        if (!session.authority.free) throw new SvcError('42501', `must be owner of ${kind} ${name}`);
        return;
      }
      throw new SvcError('42704', missingObject(session, kind, object));
    }
    case 'transform':
      throw new SvcError('42704', missingObject(session, kind, object));
    default:
      // Comments on other objects are accepted, so that dumps load, but not stored.
      return;
  }
}

function isOfSystem(kind: ObjectKind, name: string): boolean {
  return kind === 'conversion' ? conversionNamed(name) !== null : KNOWN_SYSTEM.has(name);
}

/** Built-in objects whose comments are accepted but not stored. */
const KNOWN_SYSTEM: ReadonlySet<string> = new Set(
  'plpgsql sql c internal default C POSIX ucs_basic snowball pg_default pg_global btree hash gist gin spgist brin heap'
    .split(' ')
    .concat([...SEARCH_CONFIGURATIONS, ...SEARCH_DICTIONARIES].map(({ name }) => name)),
);
