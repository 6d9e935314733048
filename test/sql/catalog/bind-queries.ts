/** Binding of recorded queries against the shop, as a session of the path `public` would. */
import { STORED } from '../../../src/sql/types/environment.ts';
import { type Names, Binder } from '../../../src/sql/bind/binder.ts';
import { bindQuery } from '../../../src/sql/bind/query.ts';
import type { CatalogNames } from '../../../src/sql/catalog/catalog-names.ts';
import { StoredNames } from '../../../src/sql/catalog/stored-names.ts';
import { type CatalogRelations, systemRelations } from '../../../src/sql/catalog/system-relations.ts';
import type { Registry } from '../../../src/sql/functions/registry.ts';
import { parse } from '../../../src/sql/parse/parse.ts';
import type { Plan } from '../../../src/sql/plan/logical.ts';
import type { Schema } from '../../../src/sql/schema/schema.ts';
import type { Environment, System } from '../../../src/sql/types/environment.ts';

export interface Bench {
  readonly relations: CatalogRelations;
  readonly names: CatalogNames;
  readonly env: Environment;
  bind(sql: string): Plan[];
}

/** What a session adds to names and definitions. */
export function sessionSystem(names: CatalogNames): System {
  const own: Partial<System> = {
    user: 'postgres',
    database: 'shop',
    backendPid: 42,
    startedAt: 0,
    definitions: names,
    schemas: (implicit) => (implicit ? ['pg_catalog', 'public'] : ['public']),
    relationSize: () => 8192,
    transactionId: () => 7,
    settings: () => [{ name: 'TimeZone', value: 'UTC', doc: 'Zone.' }],
    notify: () => {},
    stop: () => true,
    sleep: () => {},
    connection: null,
    takeAdvisory: () => true,
    giveAdvisory: () => true,
    giveAllAdvisory: () => {},
    blockingPids: () => [],
  };
  return new Proxy(own, {
    get(target, key) {
      if (key in target) return target[key as keyof System];
      const found = (names as unknown as Record<PropertyKey, unknown>)[key];
      return typeof found === 'function' ? (found as (...args: unknown[]) => unknown).bind(names) : found;
    },
  }) as System;
}

export function makeBench(registry: Registry, schema: Schema): Bench {
  const relations = systemRelations(schema, registry, { user: 'postgres', database: 'shop' });
  const names = relations.names(['public']);
  const stored = new StoredNames(schema, registry);
  const along: Names = {
    relation(own, name) {
      if (own === 'pg_catalog' || own === 'information_schema') return relations.find(own, name);
      if (own === null) return relations.find('pg_catalog', name) ?? stored.relation('public', name);
      return stored.relation(own, name);
    },
    hasSchema: (name) => name === 'pg_catalog' || name === 'information_schema' || schema.schemas.has(name),
    userType: (own, name) => stored.userType(own, name),
    typeByOid: (oid) => stored.typeByOid(oid),
    at: () => along,
    defaultText: (table, column) => stored.defaultText(table, column),
    parseExpression: (text) => stored.parseExpression(text),
  };
  const env: Environment = { ...STORED, system: sessionSystem(names), setting: (name) => (name === 'search_path' ? 'public' : undefined) };
  return {
    relations,
    names,
    env,
    bind: (sql) =>
      parse(sql).flatMap((statement) => {
        if (statement.type !== 'select' && statement.type !== 'values' && statement.type !== 'setOperation') return [];
        const binder = new Binder(along, registry, env, { types: [], fixed: false });
        return [bindQuery(binder, statement, null, {}).plan];
      }),
  };
}
