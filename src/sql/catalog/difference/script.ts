/** The script between two states: statements of definitions, with those of rows in between (difference.ts, rows.ts). */
import { alike } from '../../../worlds/document-relation.ts';
import { quoteString } from '../../../base/quote-identifier.ts';
import type { Key } from '../../../tree/datum.ts';
import type { Catalog } from '../../../worlds/catalog.ts';
import type { RowAt } from '../../../tree/row-change.ts';
import type { SequenceState } from '../../../worlds/sequences.ts';
import type { DefinitionDifference, DifferenceScript, Reader, TypedTables } from '../../../worlds/typed-tables.ts';
import type { Registry } from '../../functions/registry.ts';
import type { NamedInText, StoredText } from '../../schema/compiler.ts';
import { type Definitions, keyOf } from '../../schema/drop-target.ts';
import { type Schema, schemaOf } from '../../schema/schema.ts';
import type { TypeLookup } from '../../schema/type-lookup.ts';
import { seesOptions } from '../../schema/user-mapping-sight.ts';
import { type Environment, STORED, type System } from '../../types/environment.ts';
import type { CatalogNames } from '../catalog-names.ts';
import { StoredNames } from '../stored-names.ts';
import { worldObjects } from '../system-catalog.ts';
import { systemRelations } from '../system-relations.ts';
import { aligned } from './aligned-columns.ts';
import { changedDefinitions, definitionText } from './changed-definitions.ts';
import { definitions } from './difference.ts';
import { relationName, type Side } from './part.ts';
import { brokenOnTheWay, largeObjectStatement, pointedFirst, standAlone, TableRows } from './rows.ts';

/** The references of a stored text, bound over a state's definitions. */
export type NamedIn = (parts: { readonly registry: Registry; readonly env: Environment; names(): StoredNames }, text: StoredText) => NamedInText;

export interface Scripts {
  readonly script: TypedTables['script'];
  readonly definitionText: TypedTables['definitionText'];
  /** A catalog in the form for dependency lookups. */
  definitionsOf(catalog: Catalog): Definitions;
  /** The context for binding texts of a catalog. */
  boundIn(catalog: Catalog): { readonly schema: Schema; readonly stored: StoredNames; readonly env: Environment };
}

export function scriptsOver(registry: Registry, lookup: TypeLookup, namedIn: NamedIn): Scripts {
  const namesOf = (schema: Schema, reader?: Reader): CatalogNames =>
    systemRelations(schema, registry, { user: 'svc', database: 'svc', ...(reader === undefined ? {} : { roles: () => reader.roles }) }).names(['public']);
  const definitionsIn = (catalog: Catalog, schema: Schema, names: CatalogNames): Definitions => {
    const env: Environment = { ...STORED, system: names as unknown as System };
    const stored = new StoredNames(schema, registry);
    const compiler = { named: (text: StoredText): NamedInText => namedIn({ registry, env, names: () => stored }, text) };
    return { schema, definitions: catalog.objects, compiler, roleName: String, path: ['public'] };
  };
  const sideOf = (catalog: Catalog, reader: Reader | undefined): Side => {
    const schema = schemaOf(catalog, lookup);
    const names = namesOf(schema, reader);
    const definitions = definitionsIn(catalog, schema, names);
    return {
      catalog,
      schema,
      names,
      definitions,
      objects: worldObjects(schema),
      seesConnections: reader !== undefined && reader.secrets && reader.roles.isSuperuser(reader.role),
      seesOptions: (mapping) => reader !== undefined && seesOptions(schema, reader, mapping),
    };
  };
  return {
    script: (was, is, reader) => {
      const [before, after] = alike([was, is]).catalogs;
      return new Script(sideOf(before, reader), sideOf(aligned(after, before), reader));
    },
    definitionText: (catalog, object) => definitionText(sideOf(catalog, undefined), object),
    boundIn: (catalog) => {
      const schema = schemaOf(catalog, lookup);
      return { schema, stored: new StoredNames(schema, registry), env: { ...STORED, system: namesOf(schema) as unknown as System } };
    },
    definitionsOf: (catalog) => {
      const schema = schemaOf(catalog, lookup);
      return definitionsIn(catalog, schema, namesOf(schema));
    },
  };
}

class Script implements DifferenceScript {
  readonly #was: Side;
  readonly #is: Side;
  readonly #tables = new Map<number, TableRows>();
  readonly #largeObjects: string[] = [];
  readonly #sequences: string[] = [];

  constructor(was: Side, is: Side) {
    this.#was = was;
    this.#is = is;
  }

  row(number: number, key: Key, before: RowAt | null, after: RowAt | null): void {
    const object = largeObjectStatement(this.#was, this.#is, number, before, after);
    if (object !== null) {
      this.#largeObjects.push(object);
      return;
    }
    this.#rowsOf(number).add(key, before, after);
  }

  size(number: number, rows: number): void {
    if (this.#was.schema.tables.has(number)) this.#rowsOf(number).before = rows;
  }

  #rowsOf(number: number): TableRows {
    let rows = this.#tables.get(number);
    if (rows === undefined) this.#tables.set(number, (rows = new TableRows(this.#was, this.#is, number)));
    return rows;
  }

  sequence(number: number, { last, called }: SequenceState): void {
    const sequence = this.#is.schema.sequences.get(number);
    if (sequence === undefined || (!called && BigInt(last) === BigInt(sequence.start))) return;
    this.#sequences.push(`SELECT pg_catalog.setval(${quoteString(relationName(this.#is, number))}, ${last}, ${called});`);
  }

  whole(): number[] {
    const given = ({ number }: { number: number }): number => this.#was.catalog.byNumber.get(number)?.relation?.object.attnums ?? 0;
    return [...this.#is.schema.tables.values()].flatMap((table) => {
      const old = this.#was.schema.tables.get(table.number);
      if (old === undefined || old === table || table.implied === true) return [];
      const isBack = table.columns.some(({ attnum }) => attnum <= given(table) && !old.columns.some((column) => column.attnum === attnum));
      return isBack ? [table.number] : [];
    });
  }

  definitions(): DefinitionDifference[] {
    return changedDefinitions(this.#was, this.#is);
  }

  statements(): string[] {
    const [was, is] = [this.#was, this.#is];
    const isFilled = ({ number }: TableRows): boolean => (is.schema.tables.get(number) ?? was.schema.tables.get(number))?.materialized != null;
    const all = [...this.#tables.values()].filter(({ changes }) => changes.length > 0);
    const tables = all.filter((rows) => !isFilled(rows));
    const loose = brokenOnTheWay(was, is, tables);
    const { first, shape, last, made, texts } = definitions(was, is, loose);
    const filled = all.filter((rows) => isFilled(rows) && !made.has(keyOf({ kind: 'table', number: rows.number })) && is.schema.tables.has(rows.number));
    const order = pointedFirst(is, tables);
    const isPlain = first.length + shape.length === 0 && standAlone(is, order) && !order.some(({ isEmptied }) => isEmptied);
    const rows = isPlain ? order.flatMap(({ changes }) => changes.map(({ removes, writes }) => (removes ?? writes)!)) : inTwoParts(order, shape);
    if (rows.length > shape.length && isWatched(was, is, tables)) {
      rows.unshift('SET session_replication_role = replica;');
      rows.push('RESET session_replication_role;');
    }
    const refreshed = filled.map(({ number }) => `REFRESH MATERIALIZED VIEW ${relationName(is, number)};`);
    const whole = [...first, ...rows, ...this.#largeObjects, ...last, ...this.#sequences, ...refreshed];
    return texts ? ['SET check_function_bodies = off;', ...whole, 'RESET check_function_bodies;'] : whole;
  }
}

/** All deletes, then the rest. */
function inTwoParts(order: readonly TableRows[], shape: readonly string[]): string[] {
  const removed = order.toReversed().flatMap((rows) => rows.removals());
  const written = order.flatMap(({ changes }) => changes.flatMap(({ writes }) => writes ?? []));
  return [...removed, ...shape, ...written];
}

/** Whether a remaining trigger or rule would act on the rows of a table. */
function isWatched(was: Side, is: Side, tables: readonly TableRows[]): boolean {
  return tables.some(({ number }) => {
    const stays = <T extends { readonly number: number }>(old: readonly T[], now: readonly T[]): boolean =>
      old.some((each) => now.some((other) => other.number === each.number));
    return stays(was.schema.triggers(number), is.schema.triggers(number)) || stays(was.schema.rules(number), is.schema.rules(number));
  });
}
