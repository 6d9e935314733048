/**
 * The definitions that differ between two states, one per entry, for previews of merges. A definition that is recreated only because
 * a dependency changed counts as equal, and is left out; so are parts of a dropped table.
 */
import { quoteIdentifier } from '../../../base/quote-identifier.ts';
import type { CatalogObject } from '../../../worlds/definition.ts';
import type { DefinitionDifference } from '../../../worlds/typed-tables.ts';
import type { SqlColumn, SqlTable } from '../../schema/table.ts';
import { changedUnits, partsOf } from './difference.ts';
import { eventTriggersAsSql } from './event-triggers.ts';
import { type Part, relationName, type Side } from './part.ts';
import { publicationsAsSql } from './publications.ts';
import { subscriptionsAsSql } from './subscriptions.ts';
import { columnText, createTable, tableChanges } from './table-changes.ts';

export function changedDefinitions(was: Side, is: Side): DefinitionDifference[] {
  const units = changedUnits(was, is);
  if (units.size === 0) return [];
  const [old, now] = [partsOf(was, is), partsOf(is, was)];
  const concerns = ({ unit, number }: Part): boolean => units.has(unit) || units.has(number);
  const out: DefinitionDifference[] = [];
  for (const part of old.values()) {
    if (now.has(part.key) || !concerns(part) || part.target?.kind === 'default') continue;
    // A part of a dropped object is dropped with it.
    if (part.owner !== null && old.has(part.owner) && !now.has(part.owner)) continue;
    const before = part.make.join('\n');
    const statement = part.drop === '' ? `-- goes with ${partTitle(part, old)}` : part.drop;
    if (before !== '') out.push({ object: partTitle(part, old), change: 'drop', before, after: null, statement, table: tableOf(was, part) });
  }
  for (const part of now.values()) {
    if (!concerns(part) || part.target?.kind === 'default') continue;
    const object = partTitle(part, now);
    const table = tableOf(is, part);
    const other = old.get(part.key);
    if (other === undefined) {
      const after = part.make.join('\n');
      if (after !== '') out.push({ object, change: 'create', before: null, after, statement: after, table });
      continue;
    }
    if (part.target?.kind === 'table' && !isFilled(is, part.number) && !isFilled(was, part.number)) {
      out.push(...tableDifferences(was, is, part.number, object));
      continue;
    }
    const isSame = other.body === part.body;
    // With equal bodies, the difference is a name that can be changed alone.
    const changes = isSame && part.change === undefined ? null : (part.change?.() ?? null);
    const altered = changes === null ? [] : [...changes.ahead, ...changes.behind];
    if (isSame && (altered.length === 0 || other.make.join('\n') === part.make.join('\n'))) continue;
    const statement = altered.length > 0 ? altered.join('\n') : [other.drop, ...part.make].filter((text) => text !== '').join('\n');
    out.push({ object, change: 'alter', before: other.make.join('\n'), after: part.make.join('\n'), statement, table });
  }
  out.push(...byStatements([eventTriggersAsSql(was.schema, is.schema), publicationsAsSql(was.schema, is.schema), subscriptionsAsSql(was, is)]));
  return out;
}

function isFilled({ schema }: Side, number: number): boolean {
  return (schema.tables.get(number)?.materialized ?? null) !== null;
}

function tableOf({ schema }: Side, { number, unit }: Part): number | null {
  return schema.tables.has(unit) ? unit : schema.tables.has(number) ? number : null;
}

/** A table that exists in both states: itself, then its columns. */
function tableDifferences(was: Side, is: Side, number: number, object: string): DefinitionDifference[] {
  const [old, table] = [was.schema.tables.get(number)!, is.schema.tables.get(number)!];
  if (old === table) return [];
  const { ahead, behind, columns } = tableChanges(was, is, number);
  const out: DefinitionDifference[] = [];
  const ofColumns = new Set([...columns.values()].flat());
  const own = [...ahead, ...behind].filter((statement) => !ofColumns.has(statement));
  if (own.length > 0) {
    const [before, after] = [createTable(was, old).join('\n'), createTable(is, table).join('\n')];
    out.push({ object, change: 'alter', before, after, statement: own.join('\n'), table: number });
  }
  const shown = (side: Side, of: SqlTable, column: SqlColumn): string => columnText(side, of, of.columns.indexOf(column), false);
  const title = (side: Side, { name }: SqlColumn): string => `column ${relationName(side, number)}.${quoteIdentifier(name)}`;
  for (const [column, statements] of columns) {
    const statement = statements.join('\n');
    if (old.columns.includes(column)) {
      out.push({ object: title(was, column), change: 'drop', before: shown(was, old, column), after: null, statement, table: number });
      continue;
    }
    const former = old.columns.find((each) => each.attnum === column.attnum && !columns.has(each));
    const change = former === undefined ? 'create' : 'alter';
    const before = former === undefined ? null : shown(was, old, former);
    out.push({ object: title(is, column), change, before, after: shown(is, table, column), statement, table: number });
  }
  return out;
}

/** SQL text of one definition of a state; null if there is none for it alone. */
export function definitionText(side: Side, object: CatalogObject): string | null {
  if (object.what === 'attribute') {
    const table = side.schema.tables.get(object.table);
    const at = table?.columns.findIndex(({ number }) => number === object.number) ?? -1;
    return at < 0 ? null : columnText(side, table!, at, false);
  }
  const part = partOf(partsOf(side, side), object);
  const text = part?.make.join(' ') ?? '';
  return text === '' ? null : text;
}

function partOf(parts: ReadonlyMap<string, Part>, object: CatalogObject): Part | undefined {
  if (object.what === 'comment' || object.what === 'facts' || object.what === 'label') return parts.get(`${object.what} ${object.object} ${object.attnum}`);
  if (object.what === 'rights' || object.what === 'grant') return parts.get(`rights ${object.object}`);
  if (!('number' in object)) return undefined;
  const wanted = (part: Part): boolean => part.number === object.number && part.called !== '' && part.target?.kind !== 'default';
  return [...parts.values()].find(wanted);
}

/** `table t`, `function f(integer)`, `comment on table t`. */
function partTitle(part: Part, parts: ReadonlyMap<string, Part>): string {
  if (part.called !== '') {
    const called = part.called.replace(/^(?:[A-Z]+ )+/, (words) => words.toLowerCase());
    return called.replace(/^((?:constraint|trigger|rule|policy) (?:"(?:[^"]|"")*"|\S+)) ON /, '$1 on ');
  }
  const owner = part.owner === null ? undefined : parts.get(part.owner);
  const of = owner === undefined ? '' : partTitle(owner, parts);
  const kind = part.key.replace(/ [-\d].*$/, '');
  switch (kind) {
    case 'comment':
    case 'label': {
      const column = /^(?:COMMENT|SECURITY LABEL FOR anon) ON COLUMN (.*?) IS /s.exec(part.make[0] ?? '');
      const on = column === null ? of : `column ${column[1]}`;
      return kind === 'comment' ? `comment on ${on}` : `mask of ${on}`;
    }
    case 'facts':
      return `options of ${of}`;
    case 'rights':
      return `privileges on ${of}`;
    case 'default rights':
      return 'default privileges';
    case 'identity':
    case 'known by':
      return `replica identity of ${of}`;
    case 'tie':
      return `parent of ${of}`;
    case 'row security':
      return `row security on ${of}`;
    default:
      return part.title === '' ? (of === '' ? kind : `${kind} of ${of}`) : part.title.replace(/^(?:[A-Z]+ )+/, (words) => words.toLowerCase());
  }
}

/** For objects whose differences are statements only. */
function byStatements(all: readonly { readonly gone: readonly string[]; readonly made: readonly string[] }[]): DefinitionDifference[] {
  const found = new Map<string, { before: string | null; after: string | null; statements: string[]; change: DefinitionDifference['change'] }>();
  for (const statement of all.flatMap(({ gone, made }) => [...gone, ...made])) {
    const [, verb, kind, name] = /^(CREATE|ALTER|DROP) (EVENT TRIGGER|PUBLICATION|SUBSCRIPTION) ("(?:[^"]|"")*"|\S+?)(?=[ ;]|$)/.exec(statement) ?? [];
    if (verb === undefined) continue;
    const object = `${kind.toLowerCase()} ${name}`;
    const entry = found.get(object) ?? { before: null, after: null, statements: [], change: 'alter' as const };
    entry.statements.push(statement);
    // An object that is dropped and created again has changed.
    if (verb === 'DROP') entry.change = 'drop';
    else if (verb === 'CREATE') {
      entry.change = entry.change === 'drop' ? 'alter' : 'create';
      entry.after = statement;
    }
    found.set(object, entry);
  }
  return [...found].map(([object, { statements, ...rest }]) => ({ object, ...rest, statement: statements.join('\n'), table: null }));
}
