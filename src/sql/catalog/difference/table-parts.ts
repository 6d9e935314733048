/** Tables and their parts: constraints, indexes, triggers, rules, policies. */
import { quoteIdentifier } from '../../../base/quote-identifier.ts';
import { keyOf } from '../../schema/drop-target.ts';
import { factsOf } from '../../schema/facts.ts';
import { ownedWord, type SqlTable, tableWord } from '../../schema/table.ts';
import { policyAsSql } from './policy-text.ts';
import { FIRING } from '../../schema/trigger-text.ts';
import { triggerDefinition } from '../trigger-rows.ts';
import type { IndexEntry } from '../world-objects.ts';
import { Part, PLACE, relationName, type Side } from './part.ts';
import { createTable, tableChanges, ties } from './table-changes.ts';

function tableKey(number: number): string {
  return keyOf({ kind: 'table', number });
}

export function tableParts(side: Side, other: Side): Part[] {
  const out: Part[] = [];
  for (const table of side.schema.tables.values()) {
    if (table.implied !== true) out.push(table.materialized === null ? tablePart(side, other, table) : filledView(side, table));
    if (table.open === true && table.implied !== true) out.push(openPart(side, table));
    const kept = keptWithoutTies(side, other, table);
    out.push(...defaultParts(side, table), ...constraintParts(side, other, table, kept), ...indexParts(side, table, kept));
  }
  for (const relation of [...side.schema.tables.values(), ...side.schema.views.values()]) out.push(...guards(side, relation.number));
  return out;
}

function tablePart(side: Side, other: Side, table: SqlTable): Part {
  const { number, inheritance } = table;
  const name = relationName(side, number);
  // Partitions are dropped with their table.
  const [parent] = inheritance?.bound == null ? [] : inheritance.parents;
  return new Part({
    target: { kind: 'table', number },
    number,
    place: PLACE.shapes,
    owner: null,
    title: `relation ${name}`,
    called: `${tableWord(table).toUpperCase()} ${name}`,
    text: () => ({ make: createTable(side, table) }),
    drop: parent !== undefined && !other.schema.tables.has(parent) ? '' : `DROP ${tableWord(table).toUpperCase()} ${name};`,
    change: () => tableChanges(other, side, number),
  });
}

/** Tables are made closed, and opened once they have their keys. */
function openPart(side: Side, { number }: SqlTable): Part {
  const alter = `ALTER TABLE ${relationName(side, number)}`;
  return new Part({
    key: `documents ${number}`,
    target: null,
    number,
    place: PLACE.foreignKeys,
    owner: tableKey(number),
    title: '',
    called: '',
    text: () => ({ body: '', make: [`${alter} SET (documents=on);`] }),
    drop: `${alter} SET (documents=off);`,
    unit: number,
  });
}

/** A default is dropped before the function it calls, and set again; its changes are the table's. */
function defaultParts(side: Side, table: SqlTable): Part[] {
  return table.columns.flatMap(({ number, name, generated, default: text }, i): Part[] => {
    if (generated !== null || text === null) return [];
    const alter = `ALTER ${ownedWord(table).toUpperCase()} ${relationName(side, table.number)} ALTER COLUMN ${quoteIdentifier(name)}`;
    return [
      new Part({
        target: { kind: 'default', table: table.number, column: number },
        number: table.number,
        place: PLACE.shapes,
        owner: tableKey(table.number),
        title: '',
        called: '',
        text: () => ({ make: [`${alter} SET DEFAULT ${side.names.texts.default(table, i)!};`] }),
        drop: `${alter} DROP DEFAULT;`,
      }),
    ];
  });
}

function filledView(side: Side, table: SqlTable): Part {
  const { number, materialized } = table;
  const name = relationName(side, number);
  return new Part({
    target: { kind: 'table', number },
    number,
    place: PLACE.filled,
    owner: null,
    title: `relation ${name}`,
    called: `MATERIALIZED VIEW ${name}`,
    text: () => {
      const sql = side.names.view(number, false)!.replace(/;$/, '');
      return { body: `${name} ${sql}`, make: [`CREATE MATERIALIZED VIEW ${name} AS ${sql}${materialized!.populated ? '' : ' WITH NO DATA'};`] };
    },
    drop: `DROP MATERIALIZED VIEW ${name};`,
  });
}

function constraintParts(side: Side, other: Side, table: SqlTable, kept: ReadonlySet<string>): Part[] {
  const out: Part[] = [];
  const { schema, names, objects } = side;
  const on = relationName(side, table.number);
  const relation = side.catalog.byNumber.get(table.number)?.relation;
  const add = (number: number, name: string, place: number, text: () => string): void => {
    const alter = `ALTER ${ownedWord(table).toUpperCase()} ${on}`;
    out.push(
      new Part({
        target: { kind: 'constraint', table: table.number, name },
        number,
        unit: table.number,
        place,
        owner: tableKey(table.number),
        title: `constraint ${on} ${name}`,
        called: `CONSTRAINT ${quoteIdentifier(name)} ON ${on}`,
        text: () => {
          const body = text();
          return { body, make: [`${alter} ADD CONSTRAINT ${quoteIdentifier(name)} ${body};`] };
        },
        drop: `${alter} DROP CONSTRAINT ${quoteIdentifier(name)};`,
      }),
    );
  };
  if (table.implied === true) return out;
  const isTied = ties(side, table).some(({ key }) => !ties(other, other.schema.tables.get(table.number)).some((each) => each.key === key));
  for (const entry of objects.indexesOf(table.number)) {
    if (entry.constraint === null) continue;
    const parent = entry.index === null ? relation?.object.primaryKey?.parent : schema.parentIndex(entry.oid);
    if (parent !== undefined && !kept.has(entry.constraint)) continue;
    add(entry.oid, entry.constraint, PLACE.keys, () => names.texts.unique(entry, false, true));
  }
  for (const check of table.checks) {
    const object = relation?.constraints.find(({ number }) => number === check.number);
    // Inherited checks come with the parents; a partition has them before it is attached.
    if (object?.what === 'check' && object.notLocal === true && !(isTied && table.inheritance?.bound != null) && !kept.has(check.name)) continue;
    add(check.number, check.name, PLACE.checks, () => names.texts.check(table, check, false));
  }
  for (const key of table.foreignKeys) {
    const object = relation?.constraints.find(({ number }) => number === key.number);
    if (object?.what === 'foreign key' && object.parent !== undefined && !kept.has(key.name)) continue;
    add(key.number, key.name, PLACE.foreignKeys, () => names.texts.foreignKey(table, key, (oid) => relationName(side, oid)));
  }
  // Ties of an existing table, or of a partition.
  for (const { key, make, drop } of ties(side, table)) {
    const isNew = !other.schema.tables.has(table.number);
    out.push(
      new Part({
        key: `tie ${table.number} ${key}`,
        target: null,
        number: table.number,
        place: PLACE.ties,
        owner: tableKey(table.number),
        title: '',
        called: '',
        text: () => ({ body: '', make: isNew && table.inheritance?.bound == null ? [] : [make] }),
        drop,
      }),
    );
  }
  return out;
}

/** Names that a table has in both states, inherited in one and its own in the other: they stay when the tie is cut or created. */
function keptWithoutTies(side: Side, other: Side, table: SqlTable): ReadonlySet<string> {
  const there = other.schema.tables.get(table.number);
  const keys = (of: Side, each: SqlTable | undefined): string =>
    ties(of, each)
      .map(({ key }) => key)
      .join();
  if (there === undefined || keys(side, table) === keys(other, there)) return new Set();
  return new Set([...other.objects.indexesOf(table.number).map(({ name }) => name), ...[...there.checks, ...there.foreignKeys].map(({ name }) => name)]);
}

function indexParts(side: Side, table: SqlTable, kept: ReadonlySet<string>): Part[] {
  const out: Part[] = [];
  const { names, objects, schema } = side;
  for (const entry of objects.indexesOf(table.number)) {
    if (entry.constraint !== null || entry.index === null) continue;
    if (schema.parentIndex(entry.oid) !== undefined && !kept.has(entry.name)) continue;
    const name = relationName(side, entry.oid);
    out.push(
      new Part({
        target: { kind: 'index', number: entry.oid },
        number: entry.oid,
        unit: table.number,
        place: PLACE.indexes,
        owner: tableKey(table.number),
        title: `relation ${name}`,
        called: `INDEX ${name}`,
        text: () => {
          const head = `CREATE ${entry.unique ? 'UNIQUE ' : ''}INDEX ${quoteIdentifier(entry.name)} `;
          // Those of partitions come with it.
          const rest = names.texts
            .index(entry, 0, true, (oid) => relationName(side, oid))!
            .slice(head.length)
            .replace(/^ON ONLY /, 'ON ')
            .replace(/ USING btree \(/, ' (');
          const body = onColumns(side, entry) ?? rest.slice(`ON ${relationName(side, table.number)}`.length);
          return { body: `${head} ${body}`, make: [`${head}${rest};`] };
        },
        drop: `DROP INDEX ${name};`,
      }),
    );
  }
  return out;
}

/** An index over plain columns, with columns by number; null for another. */
function onColumns({ schema }: Side, { oid, table, columns, included, index }: IndexEntry): string | null {
  if (columns.some(({ column }) => column === null) || (index?.where ?? null) !== null) return null;
  const attnum = (at: number): number => table.columns[at].attnum;
  const keys = columns.map(({ column, descending, nullsFirst, operatorClass, ownClass }) => [attnum(column!), descending, nullsFirst, operatorClass, ownClass]);
  // CLUSTER and REPLICA IDENTITY are separate.
  const facts = { ...factsOf(schema, oid), clustered: undefined, replica: undefined };
  return JSON.stringify([keys, included.map(attnum), index?.method, index?.nullsNotDistinct, facts]);
}

/** Triggers, rules and policies of a table or view. */
function guards(side: Side, number: number): Part[] {
  const out: Part[] = [];
  const { schema, names } = side;
  const on = relationName(side, number);
  const isTable = schema.tables.has(number);
  const owner = keyOf({ kind: isTable ? 'table' : 'view', number });
  const add = (kind: 'trigger' | 'rule' | 'policy', own: number, name: string, text: (on: string) => readonly string[]): void =>
    void out.push(
      new Part({
        target: { kind, table: number, name },
        number: own,
        unit: number,
        place: PLACE.triggers,
        owner,
        title: `${kind} ${on} ${name}`,
        called: `${kind.toUpperCase()} ${quoteIdentifier(name)} ON ${on}`,
        // They are kept when the table is renamed.
        text: () => ({ body: text('').join('\n'), make: text(on) }),
        drop: `DROP ${kind.toUpperCase()} ${quoteIdentifier(name)} ON ${on};`,
      }),
    );
  const fires = (own: string, kind: string, name: string, mode: keyof typeof FIRING | undefined): string[] =>
    mode === undefined ? [] : [`ALTER TABLE ${own} ${FIRING[mode]} ${kind} ${quoteIdentifier(name)};`];
  for (const trigger of schema.triggers(number)) {
    if (trigger.parent !== undefined) continue;
    add('trigger', trigger.number, trigger.name, (own) => {
      const relation = (oid: number): string => (oid === number ? own : relationName(side, oid));
      const text = triggerDefinition(schema, names.texts, trigger, true, relation, (oid) => names.functionName(oid));
      return [`${text};`, ...fires(own, 'TRIGGER', trigger.name, trigger.fires)];
    });
  }
  for (const rule of schema.rules(number)) {
    add('rule', rule.number, rule.name, (own) => [names.texts.rule(rule, own, true), ...fires(own, 'RULE', rule.name, rule.fires)]);
  }
  const security = schema.security(number);
  for (const policy of security?.policies ?? [])
    add('policy', policy.number, policy.name, (own) => [
      policyAsSql(
        own,
        policy,
        (sql) => names.texts.condition(sql),
        (oid) => names.roleName(oid),
      ),
    ]);
  const modes = [security?.enabled === true ? 'ENABLE' : '', security?.forced === true ? 'FORCE' : ''].filter((word) => word !== '');
  if (modes.length > 0) {
    out.push(
      new Part({
        key: `row security ${number}`,
        target: null,
        number,
        place: PLACE.triggers,
        owner,
        title: '',
        called: '',
        text: () => ({ body: modes.join(' '), make: modes.map((word) => `ALTER TABLE ${on} ${word} ROW LEVEL SECURITY;`) }),
        drop: [security?.enabled === true ? 'DISABLE' : '', security?.forced === true ? 'NO FORCE' : '']
          .filter((word) => word !== '')
          .map((word) => `ALTER TABLE ${on} ${word} ROW LEVEL SECURITY;`)
          .join('\n'),
      }),
    );
  }
  return out;
}
