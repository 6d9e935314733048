/** Schemas, extensions, collations, conversions, text search, extended statistics, and attributes of objects: comments, labels, facts. */
import { quoteIdentifier, quoteString } from '../../../base/quote-identifier.ts';
import type { FactsObject } from '../../../worlds/definition.ts';
import { optionsText } from '../search-rows.ts';
import type { IndexEntry } from '../world-objects.ts';
import { tokenTypeName } from '../../functions/search/token-types.ts';
import { ENCODINGS } from '../../types/encodings.ts';
import { SEARCH_DICTIONARIES } from '../../types/search-names.ts';
import { nameOf } from '../../schema/qualified-name.ts';
import { type Changes, Part, type PartFields, PLACE, relationName, type Side, withoutWords } from './part.ts';

type Own = Pick<PartFields, 'target' | 'number' | 'drop' | 'called'> & Partial<PartFields> & { readonly make: readonly string[] };

function own({ make, ...fields }: Own): Part {
  return new Part({ place: PLACE.shapes, owner: null, title: fields.called, text: () => ({ make }), ...fields });
}

export function otherParts(side: Side, other: Side): Part[] {
  const { schema, names } = side;
  const out: Part[] = [];
  for (const [name, number] of schema.schemas) {
    if (name === 'public' && other.schema.schemas.has('public')) continue;
    const called = `SCHEMA ${quoteIdentifier(name)}`;
    const change = (): Changes => {
      const old = other.schema.schemaName(number)!;
      return { ahead: old === name ? [] : [`ALTER SCHEMA ${quoteIdentifier(old)} RENAME TO ${quoteIdentifier(name)};`], behind: [] };
    };
    out.push(own({ target: { kind: 'schema', number }, number, called, make: [`CREATE ${called};`], drop: `DROP ${called};`, change }));
  }
  for (const { number, name, schema: within } of schema.extensions.values()) {
    const called = `EXTENSION ${quoteIdentifier(name)}`;
    const make = `CREATE ${called}${within === 'public' ? '' : ` WITH SCHEMA ${quoteIdentifier(within)}`};`;
    const change = (): Changes => {
      const old = other.schema.extensions.get(name)!.schema;
      // A renamed schema keeps its objects.
      const moved = other.schema.schemas.get(old) !== schema.schemas.get(within);
      return { ahead: moved ? [`ALTER ${called} SET SCHEMA ${quoteIdentifier(within)};`] : [], behind: [] };
    };
    out.push(own({ target: { kind: 'extension', number }, number, called, make: [make], drop: `DROP ${called};`, change }));
  }
  for (const { number, name, schema: within, collate, ctype, icu } of schema.collations.values()) {
    const called = `COLLATION ${nameOf({ schema: within, name })}`;
    const how =
      icu === undefined
        ? `lc_collate = ${quoteString(collate)}, lc_ctype = ${quoteString(ctype)}`
        : `provider = icu, ${icu.deterministic ? '' : 'deterministic = false, '}locale = ${quoteString(icu.locale)}`;
    const make = `CREATE ${called} (${how});`;
    const target = { kind: 'collation', number } as const;
    out.push(own({ target, number, called, make: [make], drop: `DROP ${called};`, place: PLACE.collations }));
  }
  for (const { number, name, schema: within, from, to, function: by, default: isDefault } of schema.conversions.values()) {
    const called = `CONVERSION ${nameOf({ schema: within, name })}`;
    const make = `CREATE ${isDefault ? 'DEFAULT ' : ''}${called} FOR '${ENCODINGS[from]}' TO '${ENCODINGS[to]}' FROM ${by};`;
    out.push(own({ target: { kind: 'conversion', number }, number, called, make: [make], drop: `DROP ${called};` }));
  }
  for (const { number, name, schema: within, template, options } of schema.searchDictionaries.values()) {
    const called = `TEXT SEARCH DICTIONARY ${nameOf({ schema: within, name })}`;
    const words = optionsText(options);
    const make = `CREATE ${called} (TEMPLATE = ${quoteIdentifier(template)}${words === null ? '' : `, ${words}`});`;
    const target = { kind: 'text search dictionary', number } as const;
    out.push(own({ target, number, called, make: [make], drop: `DROP ${called};` }));
  }
  for (const { number, name, schema: within, mappings } of schema.searchConfigurations.values()) {
    const called = `TEXT SEARCH CONFIGURATION ${nameOf({ schema: within, name })}`;
    const target = { kind: 'text search configuration', number } as const;
    const make = [
      `CREATE ${called} (PARSER = default);`,
      ...mappings.map(({ token, dictionaries }) => {
        const list = dictionaries.map((oid) => names.searchName('dictionary', oid) ?? SEARCH_DICTIONARIES.find((each) => each.oid === oid)?.name);
        return `ALTER ${called} ADD MAPPING FOR ${tokenTypeName(token)} WITH ${list.join(', ')};`;
      }),
    ];
    out.push(own({ target, number, called, make, drop: `DROP ${called};` }));
  }
  for (const { number, name, schema: within, table, target: statistics } of schema.extendedStatistics.values()) {
    const called = `STATISTICS ${nameOf({ schema: within, name })}`;
    const target = { kind: 'extended statistics', number } as const;
    const make = [`${names.statisticsDefinition(number) ?? ''};`, ...(statistics === -1 ? [] : [`ALTER ${called} SET STATISTICS ${statistics};`])];
    out.push(
      own({
        key: `${target.kind} ${number}`,
        target,
        number,
        called,
        make,
        drop: `DROP ${called};`,
        place: PLACE.indexes,
        unit: table,
        owner: `table ${table}`,
      }),
    );
  }
  return out;
}

/** The attributes of the parts. */
export function attributeParts(side: Side, parts: ReadonlyMap<string, Part>): Part[] {
  const { schema, catalog } = side;
  const out: Part[] = [];
  const byNumber = new Map<number, Part>();
  for (const part of parts.values()) if (part.called !== '' && !byNumber.has(part.number)) byNumber.set(part.number, part);
  const columnOf = (object: number, attnum: number): string | undefined => {
    const type = schema.types.get(object)?.object;
    if (type?.what === 'composite') return type.attributes.find((each) => each.attnum === attnum)?.name;
    return schema.tables.get(object)?.columns.find((each) => each.attnum === attnum)?.name ?? schema.views.get(object)?.columns[attnum - 1]?.name;
  };
  const addPart: AddPart = (key, of, make, drop, body = make) =>
    void out.push(
      new Part({
        key,
        target: null,
        number: of.number,
        unit: of.unit,
        title: '',
        called: '',
        text: () => ({ body, make: make === '' ? [] : [make] }),
        drop,
        place: PLACE.attributes,
        owner: of.key,
      }),
    );
  for (const object of catalog.objects.values()) {
    if (object.what !== 'comment' && object.what !== 'label' && object.what !== 'facts') continue;
    const of = byNumber.get(object.object);
    if (of === undefined) continue;
    const column = object.attnum === 0 ? undefined : columnOf(object.object, object.attnum);
    if (object.attnum !== 0 && column === undefined) continue;
    const title = column === undefined ? of.called : `COLUMN ${withoutWords(of.called)}.${quoteIdentifier(column)}`;
    const key = `${object.what} ${object.object} ${object.attnum}`;
    if (object.what === 'comment') addPart(key, of, `COMMENT ON ${title} IS ${quoteString(object.text)};`, `COMMENT ON ${title} IS NULL;`);
    else if (object.what === 'label') {
      const label = `SECURITY LABEL FOR anon ON ${title} IS`;
      addPart(key, of, `${label} ${quoteString(object.text)};`, `${label} NULL;`);
    } else {
      const [make, drop] = factStatements(side, object, of, column === undefined ? null : quoteIdentifier(column));
      if (make.length > 0) addPart(key, of, make.join('\n'), drop.join('\n'));
      if (object.replica !== undefined) replicaIdentity(side, object.replica, of, addPart);
    }
  }
  return out;
}

type AddPart = (key: string, of: Part, make: string, drop: string, body?: string) => void;

function indexOf({ objects }: Side, { number, unit }: Pick<Part, 'number' | 'unit'>): IndexEntry | null {
  return objects.indexesOf(unit).find(({ oid }) => oid === number) ?? null;
}

/** A replica identity index is recorded by the index; a table keeps its former identity when the index is dropped. */
function replicaIdentity(side: Side, identity: NonNullable<FactsObject['replica']>, of: Part, addPart: AddPart): void {
  const index = indexOf(side, of);
  const alter = `ALTER TABLE ${relationName(side, of.unit)} REPLICA IDENTITY`;
  if (index !== null) addPart(`known by ${of.number}`, of, `${alter} USING INDEX ${quoteIdentifier(index.name)};`, '');
  else addPart(`identity ${of.number}`, of, identity === 'i' ? '' : `${alter} ${identity === 'f' ? 'FULL' : 'NOTHING'};`, `${alter} DEFAULT;`, identity);
}

const STORAGE = { p: 'PLAIN', e: 'EXTERNAL', m: 'MAIN', x: 'EXTENDED' } as const;
const COMPRESSION = { p: 'pglz', l: 'lz4' } as const;

/** What the creating statements do not contain. */
function factStatements(side: Side, facts: FactsObject, { called, key, number, unit }: Part, column: string | null): [make: string[], drop: string[]] {
  const make: string[] = [];
  const drop: string[] = [];
  const index = indexOf(side, { number, unit });
  const altered = index === null ? called : `TABLE ${relationName(side, unit)}`;
  const add = (set: string, reset: string): void => {
    make.push(`ALTER ${altered} ${set};`);
    drop.push(`ALTER ${altered} ${reset};`);
  };
  if (index !== null && facts.clustered === true) add(`CLUSTER ON ${quoteIdentifier(index.name)}`, 'SET WITHOUT CLUSTER');
  if (!key.startsWith('table ')) return [make, drop];
  if (column !== null) {
    const alter = `ALTER COLUMN ${column}`;
    if (facts.statistics !== undefined) add(`${alter} SET STATISTICS ${facts.statistics}`, `${alter} SET STATISTICS -1`);
    if (facts.storage !== undefined) add(`${alter} SET STORAGE ${STORAGE[facts.storage]}`, `${alter} SET STORAGE DEFAULT`);
    if (facts.compression !== undefined) add(`${alter} SET COMPRESSION ${COMPRESSION[facts.compression]}`, `${alter} SET COMPRESSION default`);
    return [make, drop];
  }
  if (facts.unenforced === true) {
    add('DISABLE TRIGGER ALL', 'ENABLE TRIGGER ALL');
    // DISABLE applies to foreign keys; user triggers that are enabled are restored afterwards.
    if (side.schema.triggers(number).some(({ fires }) => fires !== 'never')) make.push(`ALTER ${altered} ENABLE TRIGGER USER;`);
  }
  const options = facts.options ?? [];
  if (options.length > 0) add(`SET (${options.join(', ')})`, `RESET (${options.map((each) => each.split('=')[0]).join(', ')})`);
  return [make, drop];
}
