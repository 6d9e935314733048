/**
 * Which rows of information_schema a role sees: objects that it owns or has privileges on, by the conditions of Postgres's views.
 * Superusers and sessions that are no role see all. Rows are built for everyone and filtered here by the names in them.
 */
import { OWNER_ROLE } from '../../identity/roles.ts';
import { PRIVILEGE } from '../schema/acl.ts';
import { isSecret, Privileges } from '../schema/privileges.ts';
import type { Schema } from '../schema/schema.ts';
import type { SqlTable } from '../schema/table.ts';
import { rolesOf } from './catalog-session.ts';
import type { Row } from './made-relation.ts';
import type { RowSource } from './system-catalog.ts';

const { SELECT, INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER, EXECUTE, USAGE, CREATE } = PRIVILEGE;
const CHANGING = INSERT | UPDATE | DELETE | TRUNCATE | REFERENCES | TRIGGER;
const CHANGING_COLUMNS = INSERT | UPDATE | REFERENCES;

type Column = (row: Row, name: string) => string;
type Sees = (eyes: Eyes, row: Row, at: Column) => boolean;

/** The privileges of one role on objects by name. */
class Eyes {
  readonly schema: Schema;
  readonly #source: RowSource;
  readonly #privileges: Privileges;
  readonly #role: number;
  readonly #relations = new Map<string, boolean>();

  constructor(source: RowSource, role: number) {
    this.#source = source;
    this.schema = source.schema;
    this.#role = role;
    this.#privileges = new Privileges(source.schema, rolesOf(source.session));
  }

  #number(schema: string, name: string): number | null {
    const found = this.schema.relation(schema, name);
    switch (found?.kind) {
      case 'table':
        return found.table.number;
      case 'view':
        return found.view.number;
      case 'sequence':
        return found.sequence.number;
      default:
        return null;
    }
  }

  /** Privileges of PUBLIC on a system relation; null: it is none. */
  #ofSystem(schema: string, name: string): number | null {
    const definition = this.#source.definitions.get(`${schema}.${name}`);
    if (definition === undefined) return null;
    return isSecret(definition.oid, name) ? 0 : SELECT;
  }

  ownsRelation(schema: string, name: string): boolean {
    const number = this.#number(schema, name);
    return number !== null && this.#privileges.owns(this.#role, number);
  }

  /** Whether the role owns it, or has any of the privileges on it or on one of its columns. */
  relation(schema: string, name: string, any: number, anyOnColumns: number): boolean {
    const key = `${any}.${schema}.${name}`;
    let seen = this.#relations.get(key);
    if (seen === undefined) this.#relations.set(key, (seen = this.#relation(schema, name, any, anyOnColumns)));
    return seen;
  }

  #relation(schema: string, name: string, any: number, anyOnColumns: number): boolean {
    const number = this.#number(schema, name);
    if (number === null) return ((this.#ofSystem(schema, name) ?? 0) & any) !== 0;
    if (this.#privileges.owns(this.#role, number) || this.#privileges.held(this.#role, 'r', number, any) !== 0) return true;
    const columns = this.schema.tables.get(number)?.columns.map(({ attnum }) => attnum) ?? this.schema.views.get(number)?.columns.map((_, i) => i + 1) ?? [];
    return columns.some((attnum) => this.#privileges.heldOnColumn(this.#role, number, attnum, anyOnColumns) !== 0);
  }

  column(schema: string, name: string, column: string): boolean {
    const any = SELECT | INSERT | UPDATE | REFERENCES;
    const number = this.#number(schema, name);
    if (number === null) return this.relation(schema, name, any, 0);
    if (this.relation(schema, name, any, 0)) return true;
    const table = this.schema.tables.get(number);
    const attnum =
      table?.columns.find((each) => each.name === column)?.attnum ??
      (this.schema.views.get(number)?.columns.findIndex((each) => each.name === column) ?? -1) + 1;
    return this.#privileges.heldOnColumn(this.#role, number, attnum, any) !== 0;
  }

  namespace(name: string): boolean {
    const number = this.schema.schemas.get(name);
    return number === undefined || this.#privileges.owns(this.#role, number) || this.#privileges.held(this.#role, 'n', number, USAGE | CREATE) !== 0;
  }

  sequence(schema: string, name: string): boolean {
    const number = this.#number(schema, name);
    if (number === null) return false;
    return this.#privileges.owns(this.#role, number) || this.#privileges.held(this.#role, 'S', number, SELECT | UPDATE | USAGE) !== 0;
  }

  /** The routine whose specific name ends in its oid. */
  routine(specific: string): boolean {
    return this.#privileges.held(this.#role, 'f', routineOf(specific), EXECUTE) !== 0 || this.ownsRoutine(specific);
  }

  ownsRoutine(specific: string): boolean {
    return this.#privileges.owns(this.#role, routineOf(specific));
  }

  ownsType(schema: string, name: string): boolean {
    const type = schema === 'pg_catalog' ? null : this.schema.typeByName(schema, name);
    return this.#privileges.roles.hasRightsOf(this.#role, type === null ? OWNER_ROLE : this.schema.ownerOf(type.oid));
  }

  /** A check by its name, or the NOT NULL one, whose name contains the table's number. */
  ownsCheck(schema: string, name: string): boolean {
    const [, table] = /^\d+_(\d+)_\d+_not_null$/.exec(name) ?? [];
    if (table !== undefined) return this.schema.tables.has(Number(table)) && this.#privileges.owns(this.#role, Number(table));
    return this.#tablesIn(schema, ({ checks }) => checks.some((each) => each.name === name)).some(({ number }) => this.#privileges.owns(this.#role, number));
  }

  foreignKey(schema: string, name: string): boolean {
    const tables = this.#tablesIn(schema, ({ foreignKeys }) => foreignKeys.some((each) => each.name === name));
    return tables.some((table) => this.relation(schema, table.name, CHANGING, CHANGING_COLUMNS));
  }

  #tablesIn(schema: string, has: (table: SqlTable) => boolean): SqlTable[] {
    return [...this.schema.tables.values()].filter((table) => table.schema === schema && has(table));
  }
}

function routineOf(specific: string): number {
  return Number(specific.slice(specific.lastIndexOf('_') + 1));
}

const byTable: Sees = (eyes, row, at) => eyes.relation(at(row, 'table_schema'), at(row, 'table_name'), SELECT | CHANGING, SELECT | CHANGING_COLUMNS);
const byColumn: Sees = (eyes, row, at) => eyes.column(at(row, 'table_schema'), at(row, 'table_name'), at(row, 'column_name'));
const byTableOwner: Sees = (eyes, row, at) => eyes.ownsRelation(at(row, 'table_schema'), at(row, 'table_name'));
const byRoutine: Sees = (eyes, row, at) => eyes.routine(at(row, 'specific_name'));

const SEES: Readonly<Record<string, Sees>> = {
  tables: byTable,
  views: byTable,
  columns: byColumn,
  schemata: (eyes, row, at) => eyes.namespace(at(row, 'schema_name')),
  sequences: (eyes, row, at) => eyes.sequence(at(row, 'sequence_schema'), at(row, 'sequence_name')),
  table_constraints: (eyes, row, at) => eyes.relation(at(row, 'table_schema'), at(row, 'table_name'), CHANGING, CHANGING_COLUMNS),
  check_constraints: (eyes, row, at) => eyes.ownsCheck(at(row, 'constraint_schema'), at(row, 'constraint_name')),
  key_column_usage: byColumn,
  referential_constraints: (eyes, row, at) => eyes.foreignKey(at(row, 'constraint_schema'), at(row, 'constraint_name')),
  constraint_column_usage: byTableOwner,
  constraint_table_usage: byTableOwner,
  column_udt_usage: (eyes, row, at) => eyes.ownsType(at(row, 'udt_schema'), at(row, 'udt_name')),
  element_types: (eyes, row, at) =>
    at(row, 'object_type') !== 'TABLE' || eyes.relation(at(row, 'object_schema'), at(row, 'object_name'), SELECT | CHANGING, SELECT | CHANGING_COLUMNS),
  view_table_usage: byTableOwner,
  routines: byRoutine,
  parameters: byRoutine,
};

/** Columns that only owners see, with the ownership test. */
const OWNERS: Readonly<Record<string, readonly [column: string, owns: Sees]>> = {
  views: ['view_definition', byTableOwner],
  routines: ['routine_definition', (eyes, row, at) => eyes.ownsRoutine(at(row, 'specific_name'))],
};

/** The rows of an information_schema view that the current user sees. */
export function visibleRows(view: string, source: RowSource, rows: readonly Row[]): readonly Row[] {
  const role = source.session.role?.() ?? OWNER_ROLE;
  const sees = Object.hasOwn(SEES, view) ? SEES[view] : null;
  if (sees === null || role === 0 || rolesOf(source.session).isSuperuser(role)) return rows;
  const names = source.definitions.get(`information_schema.${view}`)!.columns.map(({ name }) => name);
  const places = new Map(names.map((name, i) => [name, i]));
  const at: Column = (row, name) => String(row[places.get(name)!]);
  const eyes = new Eyes(source, role);
  const seen = rows.filter((row) => sees(eyes, row, at));
  if (!Object.hasOwn(OWNERS, view)) return seen;
  const [column, owns] = OWNERS[view];
  const hidden = places.get(column)!;
  return seen.map((row) => (row[hidden] === null || owns(eyes, row, at) ? row : row.with(hidden, null)));
}
