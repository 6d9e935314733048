/** Options of sequences in CREATE SEQUENCE, ALTER SEQUENCE and GENERATED … AS IDENTITY. */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Option, OptionValue } from '../ast/define.ts';
import { bindTypeName } from '../bind/type-name.ts';
import type { SequenceOptions } from '../schema/create-sequence.ts';
import { binderOf, referencedName } from './define-table.ts';
import type { SqlSession } from './sql-session.ts';

export function sequenceOptions(session: SqlSession, options: readonly Option[]): SequenceOptions {
  const out: { -readonly [K in keyof SequenceOptions]: SequenceOptions[K] } = {};
  const seen = new Set<string>();
  for (const { name, value, at } of options) {
    if (seen.has(name)) throw new SvcError('42601', 'conflicting or redundant options', { position: at + 1 });
    seen.add(name);
    switch (name) {
      case 'as':
        if (value?.type === 'typeName') out.type = bindTypeName(binderOf(session), value.value).type.oid;
        break;
      case 'increment':
        out.increment = whole(value, at);
        break;
      case 'minvalue':
        out.min = value === null ? null : whole(value, at);
        break;
      case 'maxvalue':
        out.max = value === null ? null : whole(value, at);
        break;
      case 'start':
        out.start = whole(value, at);
        break;
      case 'cache':
        out.cache = whole(value, at);
        break;
      case 'cycle':
        out.cycle = value?.type === 'boolean' ? value.value : true;
        break;
      case 'owned_by':
        out.ownedBy = owner(session, value, at);
        break;
      case 'sequence_name':
        out.name = sequenceName(value, at);
        break;
      case 'restart':
        break;
      default:
        throw new SvcError('42601', `unrecognized sequence option "${name}"`, { position: at + 1 });
    }
  }
  return out;
}

/** SEQUENCE NAME, which dumps write after GENERATED … AS IDENTITY. */
function sequenceName(value: OptionValue | null, at: number): { schema: string | null; name: string } {
  const parts = value?.type === 'list' ? value.values.map((each) => (each.type === 'string' ? each.value : '')) : [];
  if (parts.length === 0) throw new SvcError('42601', 'invalid sequence option SEQUENCE NAME', { position: at + 1 });
  return { schema: parts.length > 1 ? parts[parts.length - 2] : null, name: parts[parts.length - 1] };
}

/** RESTART [WITH n]; undefined if absent, null without a number. */
export function restartOption(options: readonly Option[]): bigint | null | undefined {
  const found = options.find(({ name }) => name === 'restart');
  return found === undefined ? undefined : found.value === null ? null : whole(found.value, found.at);
}

function whole(value: OptionValue | null, at: number): bigint {
  if (value?.type === 'integer') return BigInt(value.value);
  if (value?.type === 'number' && /^[+-]?\d+$/.test(value.text)) return BigInt(value.text.replace(/^\+/, ''));
  throw new SvcError('22023', 'an integer is wanted here', { position: at + 1 });
}

function owner(session: SqlSession, value: OptionValue | null, at: number): { table: number; column: number } | null {
  const parts = value?.type === 'list' ? value.values.map((each) => (each.type === 'string' ? each.value : '')) : [];
  if (parts.length === 1 && parts[0].toLowerCase() === 'none') return null;
  if (parts.length < 2) throw new SvcError('42601', 'invalid OWNED BY option', { hint: 'Specify OWNED BY table.column or OWNED BY NONE.', position: at + 1 });
  const name = referencedName(session, { catalog: null, schema: parts.length > 2 ? parts[parts.length - 3] : null, name: parts[parts.length - 2], at });
  const found = session.schema().relation(name.schema, name.name);
  if (found?.kind !== 'table') throw new SvcError('42P01', `relation "${name.name}" does not exist`, { position: at + 1 });
  const column = found.table.columns.find((each) => each.name === parts[parts.length - 1]);
  if (column === undefined) throw new SvcError('42703', `column "${parts[parts.length - 1]}" of relation "${name.name}" does not exist`, { position: at + 1 });
  return { table: found.table.number, column: column.number };
}
