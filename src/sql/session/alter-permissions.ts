/** Which ALTER TABLE actions apply to which kinds of relations. 42809 with Postgres's message for the others. */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { AlterAction, AlterTable } from '../ast/define.ts';
import { isPartitioned } from '../schema/partitions.ts';
import type { Relation } from '../schema/schema.ts';
import { tableWord } from '../schema/table.ts';

type Kind = 'table' | 'foreign table' | 'view' | 'materialized view' | 'sequence' | 'index' | 'partitioned index';

const PLURALS: Readonly<Record<Kind, string>> = {
  table: 'tables',
  'foreign table': 'foreign tables',
  view: 'views',
  'materialized view': 'materialized views',
  sequence: 'sequences',
  index: 'indexes',
  'partitioned index': 'partitioned indexes',
};

const TABLE: readonly Kind[] = ['table', 'foreign table'];
const OWN: readonly Kind[] = ['table'];
const VIEWS: readonly Kind[] = ['table', 'view', 'foreign table'];
const COLUMNS: readonly Kind[] = ['table', 'materialized view', 'foreign table'];
const FOREIGN: readonly Kind[] = ['foreign table'];
const STORED: readonly Kind[] = ['table', 'materialized view'];
const LOGGED: readonly Kind[] = ['table', 'sequence'];

type Rule = readonly [title: string, kinds: readonly Kind[]];

const RULES: Partial<Record<AlterAction['type'], Rule>> = {
  addColumn: ['ADD COLUMN', TABLE],
  dropColumn: ['DROP COLUMN', TABLE],
  setType: ['ALTER COLUMN ... SET DATA TYPE', TABLE],
  setDefault: ['ALTER COLUMN ... SET DEFAULT', VIEWS],
  dropDefault: ['ALTER COLUMN ... SET DEFAULT', VIEWS],
  setNotNull: ['ALTER COLUMN ... SET NOT NULL', TABLE],
  dropNotNull: ['ALTER COLUMN ... DROP NOT NULL', TABLE],
  dropExpression: ['ALTER COLUMN ... DROP EXPRESSION', TABLE],
  addIdentity: ['ALTER COLUMN ... ADD IDENTITY', VIEWS],
  setIdentity: ['ALTER COLUMN ... SET IDENTITY', VIEWS],
  dropIdentity: ['ALTER COLUMN ... DROP IDENTITY', VIEWS],
  setStatistics: ['ALTER COLUMN ... SET STATISTICS', ['table', 'materialized view', 'foreign table', 'index', 'partitioned index']],
  setStorage: ['ALTER COLUMN ... SET STORAGE', COLUMNS],
  setCompression: ['ALTER COLUMN ... SET COMPRESSION', STORED],
  setColumnOptions: ['ALTER COLUMN ... SET', COLUMNS],
  resetColumnOptions: ['ALTER COLUMN ... RESET', COLUMNS],
  addConstraint: ['ADD CONSTRAINT', TABLE],
  alterConstraint: ['ALTER CONSTRAINT', OWN],
  validateConstraint: ['VALIDATE CONSTRAINT', TABLE],
  dropConstraint: ['DROP CONSTRAINT', TABLE],
  setOptions: ['SET', ['table', 'view', 'materialized view', 'index']],
  resetOptions: ['RESET', ['table', 'view', 'materialized view', 'index']],
  setTablespace: ['SET TABLESPACE', ['table', 'materialized view', 'index', 'partitioned index']],
  inherit: ['INHERIT', TABLE],
  noInherit: ['NO INHERIT', TABLE],
  attachPartition: ['ATTACH PARTITION', ['table', 'partitioned index']],
  detachPartition: ['DETACH PARTITION', OWN],
  of: ['OF', OWN],
  notOf: ['NOT OF', OWN],
  foreignOptions: ['OPTIONS', FOREIGN],
  columnForeignOptions: ['ALTER COLUMN ... OPTIONS', FOREIGN],
  setAccessMethod: ['SET ACCESS METHOD', STORED],
  replicaIdentity: ['REPLICA IDENTITY', STORED],
  clusterOn: ['CLUSTER ON', STORED],
  dropCluster: ['SET WITHOUT CLUSTER', STORED],
};

function ruleOf(action: AlterAction): Rule | undefined {
  if (action.type === 'setLogged') return [action.logged ? 'SET LOGGED' : 'SET UNLOGGED', LOGGED];
  if (action.type === 'rowSecurity')
    return [
      { enable: 'ENABLE ROW SECURITY', disable: 'DISABLE ROW SECURITY', force: 'FORCE ROW SECURITY', noForce: 'NO FORCE ROW SECURITY' }[action.mode],
      OWN,
    ];
  return RULES[action.type];
}

function kindOf(found: Relation): Kind {
  if (found.kind === 'table') return tableWord(found.table);
  return found.kind === 'index' && isPartitioned(found.table) ? 'partitioned index' : found.kind;
}

/** The relation must be of the kind that the statement names (ALTER TABLE accepts any), and each action must apply to that kind. */
export function refuseForKind(statement: AlterTable, found: Relation): void {
  const { name } = statement.name;
  const kind = kindOf(found);
  const named = statement.kind;
  const same = kind === named || (named === 'index' && kind === 'partitioned index');
  if (!same && (named === 'view' || named === 'materialized view' || named === 'sequence' || named === 'index' || named === 'foreign table'))
    throw new SvcError('42809', `"${name}" is not a${named === 'index' ? 'n' : ''} ${named}`);
  for (const action of statement.actions) {
    const rule = ruleOf(action);
    if (rule === undefined || rule[1].includes(kind)) continue;
    throw new SvcError('42809', `ALTER action ${rule[0]} cannot be performed on relation "${name}"`, {
      detail: `This operation is not supported for ${PLURALS[kind]}.`,
    });
  }
}
