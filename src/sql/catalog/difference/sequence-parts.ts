/** Sequences and their ownership. Those of identity columns are created with them. */
import { quoteIdentifier } from '../../../base/quote-identifier.ts';
import { roleOwnerOf } from './rights-parts.ts';
import { OWNER_ROLE } from '../../../identity/roles.ts';
import { usualBounds } from '../../schema/create-sequence.ts';
import type { Schema, Sequence } from '../../schema/schema.ts';
import type { SqlType } from '../../types/type.ts';
import { Part, PLACE, relationName, renamed, type Side } from './part.ts';

/** Options that differ from the defaults of the type. */
export function sequenceOptionsText({ increment, min, max, start, cache, cycle }: Sequence, type: SqlType): string[] {
  const down = String(increment).startsWith('-');
  const usual = usualBounds(type.oid, !down);
  const out: string[] = [];
  if (String(increment) !== '1') out.push(`INCREMENT BY ${increment}`);
  if (BigInt(min) !== usual.min) out.push(`MINVALUE ${min}`);
  if (BigInt(max) !== usual.max) out.push(`MAXVALUE ${max}`);
  if (BigInt(start) !== BigInt(down ? max : min)) out.push(`START WITH ${start}`);
  if (cache !== 1) out.push(`CACHE ${cache}`);
  if (cycle) out.push('CYCLE');
  return out;
}

export function identityOf(schema: Schema, { ownedBy }: Sequence): boolean {
  if (ownedBy === null) return false;
  return schema.tables.get(ownedBy.table)?.columns.find(({ number }) => number === ownedBy.column)?.identity != null;
}

export function sequenceParts(side: Side, other: Side): Part[] {
  const out: Part[] = [];
  const { schema } = side;
  for (const sequence of schema.sequences.values()) {
    if (identityOf(schema, sequence)) continue;
    const { number, ownedBy, type } = sequence;
    const name = relationName(side, number);
    const goesAlong = ownedBy !== null && other.schema.tables.get(ownedBy.table)?.columns.some((column) => column.number === ownedBy.column) !== true;
    const words = [type.name === 'int8' ? '' : `AS ${type.title}`, ...sequenceOptionsText(sequence, type)].filter((word) => word !== '');
    out.push(
      new Part({
        target: { kind: 'sequence', number },
        number,
        place: PLACE.shapes,
        owner: null,
        title: `relation ${name}`,
        called: `SEQUENCE ${name}`,
        text: () => ({ body: `${sequence.schema}.${sequence.name} ${words.join(' ')}`, make: [`CREATE SEQUENCE ${[name, ...words].join(' ')};`] }),
        drop: goesAlong ? '' : `DROP SEQUENCE ${name};`,
        change: () => changes(other, side, number),
      }),
    );
    if (ownedBy === null) continue;
    const table = schema.tables.get(ownedBy.table)!;
    const column = table.columns.find((each) => each.number === ownedBy.column)!;
    out.push(
      new Part({
        key: `owner ${number}`,
        target: null,
        number,
        place: PLACE.shapes,
        owner: `table ${table.number}`,
        title: '',
        called: '',
        text: () => ({
          body: `${table.number} ${column.number}`,
          make: [
            ...ownedAlike(side, other, number, table.number),
            `ALTER SEQUENCE ${name} OWNED BY ${relationName(side, table.number)}.${quoteIdentifier(column.name)};`,
          ],
        }),
        drop: goesAlong || !other.schema.sequences.has(number) ? '' : `ALTER SEQUENCE ${name} OWNED BY NONE;`,
      }),
    );
  }
  return out;
}

/** A sequence must have the owner of its table at the time when the statements are run. */
function ownedAlike(side: Side, before: Side, sequence: number, table: number): string[] {
  const owner = (of: number, isThere: boolean): number => (isThere ? roleOwnerOf(before.schema, of) : OWNER_ROLE);
  const [his, its] = [owner(table, before.schema.tables.has(table)), owner(sequence, before.schema.sequences.has(sequence))];
  return his === its ? [] : [`ALTER SEQUENCE ${relationName(side, sequence)} OWNER TO ${side.names.roleName(his) ?? 'CURRENT_USER'};`];
}

function changes(before: Side, after: Side, number: number): { ahead: string[]; behind: string[] } | null {
  const [old, now] = [before.schema.sequences.get(number)!, after.schema.sequences.get(number)!];
  if (identityOf(before.schema, old)) return null;
  const ahead = renamed('ALTER SEQUENCE', old, now);
  const words: string[] = [];
  if (old.type.oid !== now.type.oid) words.push(`AS ${now.type.title}`);
  if (String(old.increment) !== String(now.increment)) words.push(`INCREMENT BY ${now.increment}`);
  if (String(old.min) !== String(now.min)) words.push(`MINVALUE ${now.min}`);
  if (String(old.max) !== String(now.max)) words.push(`MAXVALUE ${now.max}`);
  if (String(old.start) !== String(now.start)) words.push(`START WITH ${now.start}`);
  if (old.cache !== now.cache) words.push(`CACHE ${now.cache}`);
  if (old.cycle !== now.cycle) words.push(now.cycle ? 'CYCLE' : 'NO CYCLE');
  if (words.length > 0) ahead.push(`ALTER SEQUENCE ${relationName(after, number)} ${words.join(' ')};`);
  return { ahead, behind: [] };
}
