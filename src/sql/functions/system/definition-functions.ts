/** Definitions as text (manual, section 9.26.4): pg_get_viewdef, pg_get_indexdef, pg_get_constraintdef and similar. */
import { refuseAbsentSchema } from '../../types/absent-schema.ts';
import { SvcError } from '../../../base/errors/svc-error.ts';
import { ArrayValue } from '../../types/array-value.ts';
import type { Definitions } from '../../types/environment.ts';
import type { Value } from '../../types/value.ts';
import type { Call, FunctionModule, ScalarFunction } from '../define.ts';
import { systemOf } from './session-of.ts';

function defined(
  name: string,
  args: readonly string[],
  doc: string,
  impl: (definitions: Definitions, ...args: never[]) => Value,
  returns = 'text',
): ScalarFunction {
  return {
    kind: 'scalar',
    name,
    args,
    returns,
    doc,
    volatility: 'stable',
    needsCall: true,
    impl: (call: Call, ...values: Value[]) => impl(systemOf(call).definitions, ...(values as never[])),
  };
}

function relationOid(call: Call, name: string): number {
  const oid = systemOf(call).relationOid(name);
  if (oid === null) refuseAbsentSchema(systemOf(call), name);
  if (oid === null) throw new SvcError('42P01', `relation "${name}" does not exist`);
  return oid;
}

function byName(args: readonly string[], doc: string, pretty: (second: Value) => boolean): ScalarFunction {
  return {
    kind: 'scalar',
    name: 'pg_get_viewdef',
    args,
    returns: 'text',
    doc,
    volatility: 'stable',
    needsCall: true,
    impl: (call: Call, name: string, second: Value = null) => systemOf(call).definitions.view(relationOid(call, name), pretty(second)),
  };
}

const VIEW = 'The query of a view.';
const INDEX = 'The statement that makes an index, or one of its columns.';
const CONSTRAINT = 'The definition of a constraint.';
const EXPRESSION = 'An expression that a catalog holds, as text.';

export const definitionFunctions: FunctionModule = {
  functions: [
    defined('pg_get_viewdef', ['oid'], VIEW, (each, oid: number) => each.view(oid, false)),
    defined('pg_get_viewdef', ['oid', 'bool'], VIEW, (each, oid: number, pretty: boolean) => each.view(oid, pretty)),
    defined('pg_get_viewdef', ['oid', 'int4'], VIEW, (each, oid: number) => each.view(oid, true)),
    byName(['text'], VIEW, () => false),
    byName(['text', 'bool'], VIEW, (pretty) => pretty === true),
    defined('pg_get_indexdef', ['oid'], INDEX, (each, oid: number) => each.index(oid, 0, false)),
    defined('pg_get_indexdef', ['oid', 'int4', 'bool'], INDEX, (each, oid: number, column: number, pretty: boolean) => {
      const text = each.index(oid, column, pretty);
      return text ?? (each.relationKind(oid) === 'i' ? '' : null);
    }),
    defined('pg_get_constraintdef', ['oid'], CONSTRAINT, (each, oid: number) => each.constraint(oid, false)),
    defined('pg_get_constraintdef', ['oid', 'bool'], CONSTRAINT, (each, oid: number, pretty: boolean) => each.constraint(oid, pretty)),
    defined('pg_get_expr', ['pg_node_tree', 'oid'], EXPRESSION, (each, text: string, oid: number) => each.expression(text, oid, false)),
    defined('pg_get_expr', ['pg_node_tree', 'oid', 'bool'], EXPRESSION, (each, text: string, oid: number, pretty: boolean) =>
      each.expression(text, oid, pretty),
    ),
    defined('pg_get_ruledef', ['oid'], 'The statement that makes a rule.', (each, oid: number) => each.rule(oid, false)),
    defined('pg_get_ruledef', ['oid', 'bool'], 'The statement that makes a rule.', (each, oid: number, pretty: boolean) => each.rule(oid, pretty)),
    defined('pg_get_triggerdef', ['oid'], 'The statement that makes a trigger.', (each, oid: number) => each.trigger(oid, false)),
    defined('pg_get_triggerdef', ['oid', 'bool'], 'The statement that makes a trigger.', (each, oid: number, pretty: boolean) => each.trigger(oid, pretty)),
    defined('pg_get_partkeydef', ['oid'], 'The key of a partitioned table.', (each, oid: number) => each.partitionKey(oid)),
    defined('pg_get_partition_constraintdef', ['oid'], 'What rows of a partition keep to.', (each, oid: number) => each.partitionConstraint(oid)),
    defined('pg_get_statisticsobjdef', ['oid'], 'The statement that makes extended statistics.', (each, oid: number) => each.statisticsDefinition(oid)),
    defined('pg_get_statisticsobjdef_columns', ['oid'], 'Columns of extended statistics.', (each, oid: number) => each.statisticsColumns(oid)),
    defined(
      'pg_get_statisticsobjdef_expressions',
      ['oid'],
      'Expressions of extended statistics.',
      (each, oid: number) => {
        const texts = each.statisticsExpressions(oid);
        return texts === null ? null : new ArrayValue(texts);
      },
      '_text',
    ),
    defined('pg_get_function_arguments', ['oid'], 'Arguments of a function, with defaults.', (each, oid: number) => each.functionArguments(oid, false)),
    defined('pg_get_function_identity_arguments', ['oid'], 'Arguments that distinguish a function from others of its name.', (each, oid: number) =>
      each.functionArguments(oid, true),
    ),
    defined('pg_get_function_result', ['oid'], 'What a function returns.', (each, oid: number) => each.functionResult(oid)),
    defined('pg_get_functiondef', ['oid'], 'The statement that makes a function.', (each, oid: number) => each.functionDefinition(oid)),
    defined('pg_get_function_sqlbody', ['oid'], 'The body of a function where it is kept as SQL: RETURN, BEGIN ATOMIC.', (each, oid: number) =>
      each.functionBody(oid),
    ),
    defined('pg_get_function_arg_default', ['oid', 'int4'], 'Default of an argument; null where it has none.', (each, oid: number, argument: number) =>
      each.functionDefault(oid, argument),
    ),
    defined('pg_get_replica_identity_index', ['regclass'], 'Index that identifies rows: none is chosen.', () => null, 'regclass'),
    {
      kind: 'scalar',
      name: 'pg_get_serial_sequence',
      args: ['text', 'text'],
      returns: 'text',
      doc: 'The sequence of a serial or identity column.',
      volatility: 'stable',
      needsCall: true,
      impl: (call: Call, table: string, column: string) => systemOf(call).serialSequence(table, column),
    },
    {
      kind: 'scalar',
      name: 'pg_get_userbyid',
      args: ['oid'],
      returns: 'name',
      doc: 'Name of a role by oid.',
      volatility: 'stable',
      needsCall: true,
      impl: (call: Call, oid: number) => {
        const name = systemOf(call).roleName(oid);
        return name === null ? `unknown (OID=${oid})` : name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name;
      },
    },
    defined('pg_describe_object', ['oid', 'oid', 'int4'], 'An object in words.', (each, catalog: number, oid: number, column: number) =>
      each.describe(catalog, oid, column),
    ),
    defined(
      'pg_relation_filenode',
      ['regclass'],
      'Number of a relation: its oid.',
      (each, oid: number) => (each.relationKind(oid) === null || each.relationKind(oid) === 'f' ? null : oid),
      'oid',
    ),
    defined('pg_relation_filepath', ['regclass'], 'Relations have no file of their own.', () => null),
    defined(
      'pg_relation_is_updatable',
      ['regclass', 'bool'],
      'Bits of what can be done to a relation: 8 insert, 16 delete, 4 update.',
      (each, oid: number) => each.updatable(oid, 0),
      'int4',
    ),
    defined(
      'pg_column_is_updatable',
      ['regclass', 'int2', 'bool'],
      'Whether a column can be updated.',
      (each, oid: number, attnum: number) => each.updatable(oid, attnum) !== 0,
      'bool',
    ),
    defined('pg_relation_is_publishable', ['regclass'], 'Whether a publication could have the relation.', (each, oid: number) => each.publishable(oid), 'bool'),
    {
      kind: 'set',
      name: 'pg_get_publication_tables',
      args: ['text'],
      returns: 'record',
      doc: 'The tables that a publication publishes, with their columns and conditions.',
      columns: [
        { name: 'relid', type: 'oid' },
        { name: 'attrs', type: 'int2vector' },
        { name: 'qual', type: 'pg_node_tree' },
      ],
      volatility: 'stable',
      needsCall: true,
      impl: (call: Call, name: string) => {
        const tables = systemOf(call).definitions.publicationTables(name);
        if (tables === null) throw new SvcError('42704', `publication "${name}" does not exist`);
        return tables.map(([oid, attnums, qual]): Value[] => [oid, attnums === null ? null : new ArrayValue(attnums, [attnums.length], [0]), qual]);
      },
    },
    {
      kind: 'scalar',
      name: 'row_security_active',
      args: ['oid'],
      returns: 'bool',
      doc: 'Whether policies hold for queries of a table by the current user.',
      volatility: 'stable',
      needsCall: true,
      impl: (call: Call, table: number) => systemOf(call).rights?.rowSecurityActive(table) ?? false,
    },
    {
      kind: 'scalar',
      name: 'row_security_active',
      args: ['text'],
      returns: 'bool',
      doc: 'Whether policies hold for queries of a table by the current user.',
      volatility: 'stable',
      needsCall: true,
      impl: (call: Call, name: string) => systemOf(call).rights?.rowSecurityActive(relationOid(call, name)) ?? false,
    },
    defined('pg_tablespace_location', ['oid'], "Folder of a tablespace: the server's own.", () => '', 'text'),
    {
      kind: 'set',
      name: 'pg_tablespace_databases',
      args: ['oid'],
      returns: 'oid',
      doc: 'Databases of a tablespace: no rows.',
      volatility: 'stable',
      impl: () => [],
    },
  ],
};
