/** What functions may ask of a session: names behind oids, sequences, notifications. */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Definitions, ShownSetting, System } from '../types/environment.ts';
import type { SqlType } from '../types/type.ts';
import type { Whole } from '../types/value.ts';
import type { Relation, Schema, Sequence } from '../schema/schema.ts';
import type { SqlSession } from './sql-session.ts';
import { splitDotted } from './split-name.ts';

export class SessionSystem implements System {
  readonly #session: SqlSession;
  readonly backendPid = process.pid;
  readonly notifications: { channel: string; payload: string }[] = [];

  constructor(session: SqlSession) {
    this.#session = session;
  }

  get user(): string {
    const { name } = this.#session.actor;
    return name === '' ? 'svc' : name;
  }

  get database(): string {
    return this.#session.branch;
  }

  #schema(): Schema {
    return this.#session.schema();
  }

  schemas(implicit: boolean): readonly string[] {
    const schema = this.#schema();
    const path = this.#session.searchPath().filter((name) => name === 'pg_catalog' || name === 'information_schema' || schema.schemas.has(name));
    return implicit && !path.includes('pg_catalog') ? ['pg_catalog', ...path] : path;
  }

  // --- sequences

  #sequence(number: number): Sequence {
    const sequence = this.#schema().sequences.get(number);
    if (sequence !== undefined) return sequence;
    const name = this.relationName(number);
    if (name === null) throw new SvcError('42P01', `could not open relation with OID ${number}`);
    throw new SvcError('42809', `"${name}" is not a sequence`);
  }

  nextval(number: number): Whole {
    const sequence = this.#sequence(number);
    const session = this.#session;
    return session.sequences.nextval(session.writable('nextval()'), session.begin().base, sequence);
  }

  currval(number: number): Whole {
    return this.#session.sequences.memory.currval(this.#sequence(number));
  }

  lastval(): Whole {
    const { sequences } = this.#schema();
    return this.#session.sequences.memory.lastval((number) => sequences.has(number));
  }

  setval(number: number, value: Whole, called: boolean): Whole {
    const sequence = this.#sequence(number);
    const session = this.#session;
    return session.sequences.setval(session.writable('setval()'), session.begin().base, sequence, value, called);
  }

  // --- names

  #find(name: string): Relation | null {
    const parts = splitDotted(name);
    const schema = this.#schema();
    if (parts.length > 1) return schema.relation(parts[parts.length - 2], parts[parts.length - 1]);
    for (const each of this.#session.searchPath()) {
      const found = schema.relation(each, parts[0]);
      if (found !== null) return found;
    }
    return null;
  }

  relationOid(name: string): number | null {
    const found = this.#find(name);
    if (found !== null) return oidOf(found);
    const parts = splitDotted(name);
    const system = this.#session.host.system(this.#schema(), this.#session.actor);
    const inSystem = system.find(parts.length > 1 ? parts[parts.length - 2] : 'pg_catalog', parts[parts.length - 1]);
    return inSystem?.kind === 'virtual' ? inSystem.relation.oid : null;
  }

  relationName(oid: number): string | null {
    return this.#session.catalogLookup().relationName(oid);
  }

  typeOid(name: string): number | null {
    return this.#session.typeByText(name)?.oid ?? null;
  }

  typeTitle(oid: number, typmod: number): string | null {
    const type: SqlType | null = this.#schema().typeByOid(oid);
    if (type === null) return null;
    return titleOf(type, typmod);
  }

  functionOid(name: string): number | null {
    return this.#session.catalogLookup().functionOid(name);
  }
  functionName(oid: number): string | null {
    return this.#session.catalogLookup().functionName(oid);
  }
  operatorOid(name: string): number | null {
    return this.#session.catalogLookup().operatorOid(name);
  }
  operatorName(oid: number): string | null {
    return this.#session.catalogLookup().operatorName(oid);
  }
  schemaOid(name: string): number | null {
    if (name === 'pg_catalog') return 11;
    return this.#schema().schemas.get(name) ?? this.#session.catalogLookup().schemaOid(name);
  }
  schemaName(oid: number): string | null {
    return this.#session.catalogLookup().schemaName(oid);
  }
  roleOid(name: string): number | null {
    return name === this.user ? 10 : null;
  }
  roleName(oid: number): string | null {
    return oid === 10 ? this.user : null;
  }
  relationVisible(oid: number): boolean {
    return this.#session.catalogLookup().relationVisible(oid);
  }
  typeVisible(_oid: number): boolean {
    return true;
  }
  viewDefinition(oid: number): string | null {
    return this.#session.catalogLookup().viewDefinition(oid);
  }
  indexDefinition(oid: number, column: number): string | null {
    return this.#session.catalogLookup().indexDefinition(oid, column);
  }
  constraintDefinition(oid: number): string | null {
    return this.#session.catalogLookup().constraintDefinition(oid);
  }
  comment(object: number, attnum: number): string | null {
    return this.#schema().comment(object, attnum);
  }

  serialSequence(table: string, column: string): string | null {
    const found = this.#find(table);
    if (found === null) throw new SvcError('42P01', `relation "${table}" does not exist`);
    if (found.kind !== 'table') return null;
    const own = found.table.columns.find(({ name }) => name === column);
    if (own === undefined) throw new SvcError('42703', `column "${column}" of relation "${found.table.name}" does not exist`);
    const sequence = this.#schema().sequenceOf(found.table.number, own.number);
    return sequence === null ? null : `${quote(sequence.schema)}.${quote(sequence.name)}`;
  }

  relationSize(oid: number): Whole {
    return this.#session.rowCount(oid) * 64;
  }

  transactionId(): Whole {
    return this.#session.host.context.engine.log.head + 1;
  }

  notify(channel: string, payload: string): void {
    this.notifications.push({ channel, payload });
  }

  requestCancel(): void {
    this.#session.cancel();
  }

  get definitions(): Definitions {
    throw new SvcError('0A000', 'definitions of objects cannot be read yet');
  }

  settings(): Iterable<ShownSetting> {
    return this.#session.settings.all();
  }

  readonly startedAt: Whole = STARTED_AT;

  ended(): void {
    this.notifications.length = 0;
  }
}

/** Microseconds since 2000. */
const STARTED_AT = Date.now() * 1000 - 946_684_800_000_000;

function oidOf(relation: Relation): number {
  switch (relation.kind) {
    case 'table':
      return relation.table.number;
    case 'view':
      return relation.view.number;
    case 'sequence':
      return relation.sequence.number;
    case 'index':
      return relation.index?.number ?? relation.table.number;
  }
}

function titleOf(type: SqlType, typmod: number): string {
  if (type.element !== null) return `${titleOf(type.element, typmod)}[]`;
  const modifier = typmod < 0 ? '' : type.formatTypmod(typmod);
  // The precision of times stands before "with time zone".
  const split = / (with|without) time zone$/.exec(type.title);
  return split === null || modifier === '' ? `${type.title}${modifier}` : `${type.title.slice(0, split.index)}${modifier}${split[0]}`;
}

function quote(name: string): string {
  return /^[a-z_][a-z0-9_$]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
}
