/** The tag of a statement for which event triggers fire. */
import type { ObjectKind } from '../../ast/define.ts';
import type { Statement } from '../../ast/statement.ts';

/** Objects shared by all databases, and event triggers themselves: their commands fire no event triggers. */
const SILENT: ReadonlySet<ObjectKind> = new Set<ObjectKind>(['role', 'database', 'tablespace', 'event trigger']);

/** null if it fires none. */
export function definitionTag(statement: Statement): string | null {
  switch (statement.type) {
    case 'createTable':
      return statement.foreign === undefined ? 'CREATE TABLE' : 'CREATE FOREIGN TABLE';
    case 'createTableAs':
      return statement.materializedView ? 'CREATE MATERIALIZED VIEW' : statement.into === true ? 'SELECT INTO' : 'CREATE TABLE AS';
    case 'refreshMaterializedView':
      return 'REFRESH MATERIALIZED VIEW';
    case 'createIndex':
      return 'CREATE INDEX';
    case 'createView':
      return 'CREATE VIEW';
    case 'createSequence':
      return 'CREATE SEQUENCE';
    case 'alterSequence':
      return 'ALTER SEQUENCE';
    case 'createSchema':
      return 'CREATE SCHEMA';
    case 'createType':
      return 'CREATE TYPE';
    case 'alterEnum':
      return 'ALTER TYPE';
    case 'createDomain':
      return 'CREATE DOMAIN';
    case 'alterDomain':
      return 'ALTER DOMAIN';
    case 'createFunction':
      return `CREATE ${statement.kind.toUpperCase()}`;
    case 'alterFunction':
    case 'alterTable':
      return `ALTER ${statement.kind.toUpperCase()}`;
    case 'createAggregate':
      return 'CREATE AGGREGATE';
    case 'createOperator':
      return 'CREATE OPERATOR';
    case 'alterOperator':
      return 'ALTER OPERATOR';
    case 'createCast':
      return 'CREATE CAST';
    case 'createCollation':
      return 'CREATE COLLATION';
    case 'createConversion':
      return 'CREATE CONVERSION';
    case 'createSearchObject':
      return `CREATE TEXT SEARCH ${statement.kind.toUpperCase()}`;
    case 'alterSearchDictionary':
      return 'ALTER TEXT SEARCH DICTIONARY';
    case 'alterSearchConfiguration':
      return 'ALTER TEXT SEARCH CONFIGURATION';
    case 'createStatistics':
      return 'CREATE STATISTICS';
    case 'alterStatistics':
      return 'ALTER STATISTICS';
    case 'createOperatorFamily':
      return 'CREATE OPERATOR FAMILY';
    case 'createOperatorClass':
      return 'CREATE OPERATOR CLASS';
    case 'alterOperatorFamily':
      return 'ALTER OPERATOR FAMILY';
    case 'createSubscription':
      return 'CREATE SUBSCRIPTION';
    case 'alterSubscription':
      return 'ALTER SUBSCRIPTION';
    case 'createPublication':
      return 'CREATE PUBLICATION';
    case 'alterPublication':
      return 'ALTER PUBLICATION';
    case 'createWrapper':
      return 'CREATE FOREIGN DATA WRAPPER';
    case 'alterWrapper':
      return 'ALTER FOREIGN DATA WRAPPER';
    case 'createServer':
      return 'CREATE SERVER';
    case 'alterServer':
      return 'ALTER SERVER';
    case 'createUserMapping':
      return 'CREATE USER MAPPING';
    case 'alterUserMapping':
      return 'ALTER USER MAPPING';
    case 'dropUserMapping':
      return 'DROP USER MAPPING';
    case 'importForeignSchema':
      return 'IMPORT FOREIGN SCHEMA';
    case 'createExtension':
      return 'CREATE EXTENSION';
    case 'updateExtension':
      return 'ALTER EXTENSION';
    case 'refreshCollation':
      return 'ALTER COLLATION';
    case 'createTrigger':
      return 'CREATE TRIGGER';
    case 'createRule':
      return 'CREATE RULE';
    case 'createPolicy':
      return 'CREATE POLICY';
    case 'alterPolicy':
      return 'ALTER POLICY';
    case 'comment':
      return SILENT.has(statement.kind) ? null : 'COMMENT';
    case 'securityLabel':
      return SILENT.has(statement.kind) ? null : 'SECURITY LABEL';
    case 'grant':
      return SILENT.has(statement.kind) ? null : statement.grant ? 'GRANT' : 'REVOKE';
    case 'alterDefaultPrivileges':
      return 'ALTER DEFAULT PRIVILEGES';
    case 'moveAll':
      return `ALTER ${statement.kind.toUpperCase()}`;
    case 'dropOwned':
      return 'DROP OWNED';
    case 'drop':
      return SILENT.has(statement.kind) ? null : `DROP ${statement.kind.toUpperCase()}`;
    case 'setSchema':
    case 'setOwner':
      return SILENT.has(statement.kind) ? null : `ALTER ${statement.kind.toUpperCase()}`;
    case 'rename':
      return SILENT.has(statement.kind) ? null : renameTag(statement.kind, statement.of);
    default:
      return null;
  }
}

/** A part of another object is renamed by that object's command, unless its kind has its own. */
export function renameTag(kind: ObjectKind, of: ObjectKind | null): string {
  if (kind === 'attribute') return 'ALTER TYPE';
  return `ALTER ${(kind === 'trigger' || kind === 'rule' || kind === 'policy' ? kind : (of ?? kind)).toUpperCase()}`;
}
