/** Operator families, their classes with required members, and loose members of families. */
import { quoteNames } from '../../../base/quote-identifier.ts';
import type { FamilyFunctionObject, FamilyOperatorObject } from '../../../worlds/definition.ts';
import { nameOf } from '../../schema/qualified-name.ts';
import { groupNumbered } from '../operator-groups.ts';
import { type Changes, Part, PLACE, renamed, type Side } from './part.ts';

type Member = FamilyOperatorObject | FamilyFunctionObject;

export function operatorClassParts(side: Side, other: Side): Part[] {
  const { plain } = side.schema;
  const members: Member[] = [...plain.of('family operator').values(), ...plain.of('family function').values()];
  const loose = members.filter((each) => each.class === 0);
  return [...familyParts(side, other), ...classParts(side, other, members), ...loose.map((each) => loosePart(side, each))];
}

function familyParts({ schema }: Side, other: Side): Part[] {
  return [...schema.plain.of('operator family').values()].map((object) => {
    const { number, method } = object;
    const called = `OPERATOR FAMILY ${nameOf(object)} USING ${method}`;
    return new Part({
      target: { kind: 'operator family', number },
      number,
      place: PLACE.shapes,
      owner: null,
      title: called,
      called,
      text: () => ({ make: [`CREATE ${called};`] }),
      drop: `DROP ${called};`,
      change: (): Changes => ({
        ahead: renamed('ALTER OPERATOR FAMILY', other.schema.plain.of('operator family').get(number)!, object, ` USING ${method}`),
        behind: [],
      }),
    });
  });
}

function classParts(side: Side, other: Side, members: readonly Member[]): Part[] {
  return [...side.schema.plain.of('operator class').values()].map((object) => {
    const { number, method, type, standard, family, key } = object;
    const called = `OPERATOR CLASS ${nameOf(object)} USING ${method}`;
    const body = (): string => {
      const items = members.filter((each) => each.class === number).map((each) => item(side, each, false));
      if (key !== 0 || items.length === 0) items.push(`STORAGE ${typeText(side, key === 0 ? type : key)}`);
      return `${standard ? ' DEFAULT' : ''} FOR TYPE ${typeText(side, type)} USING ${method} FAMILY ${familyName(side, family)} AS ${items.join(', ')};`;
    };
    const make = (): string => `CREATE OPERATOR CLASS ${nameOf(object)}${body()}`;
    return new Part({
      target: { kind: 'operator class', number },
      number,
      place: PLACE.shapes,
      owner: null,
      title: called,
      called,
      text: () => ({ body: make(), make: [make()] }),
      drop: `DROP ${called};`,
      change: (): Changes | null => {
        const old = other.schema.plain.of('operator class').get(number)!;
        const rest = (each: typeof old): string => JSON.stringify({ ...each, schema: '', name: '' });
        if (rest(old) !== rest(object) || classText(other, number) !== classText(side, number)) return null;
        return { ahead: renamed('ALTER OPERATOR CLASS', old, object, ` USING ${method}`), behind: [] };
      },
    });
  });
}

/** The members of a class, by number. */
function classText({ schema }: Side, number: number): string {
  const members: Member[] = [...schema.plain.of('family operator').values(), ...schema.plain.of('family function').values()];
  return JSON.stringify(members.filter((each) => each.class === number).sort((a, b) => a.number - b.number));
}

function loosePart(side: Side, member: Member): Part {
  const { what, number, family } = member;
  const alter = `ALTER OPERATOR FAMILY ${familyName(side, family)} USING ${groupNumbered(side.schema, 'operator family', family)?.method}`;
  const word = what === 'family operator' ? 'OPERATOR' : 'FUNCTION';
  const types = `(${typeText(side, member.left)}, ${typeText(side, member.right)})`;
  return new Part({
    target: { kind: what, number },
    number,
    place: PLACE.shapes,
    owner: side.schema.plain.of('operator family').has(family) ? `operator family ${family}` : null,
    title: '',
    called: '',
    text: () => ({ make: [`${alter} ADD ${item(side, member, true)};`] }),
    drop: `${alter} DROP ${word} ${member.place} ${types};`,
  });
}

function item(side: Side, member: Member, loose: boolean): string {
  const [left, right] = [member.left, member.right].map((oid) => typeText(side, oid));
  if (member.what === 'family function') return `FUNCTION ${member.place} (${left}, ${right}) ${functionText(side, member)}`;
  const order = member.sort === 0 ? '' : ` FOR ORDER BY ${familyName(side, member.sort)}`;
  return `OPERATOR ${member.place} ${operatorText(side, member)}${loose || left !== right ? ` (${left}, ${right})` : ''}${order}`;
}

function typeText({ names }: Side, oid: number): string {
  return names.typeTitle(oid, -1) ?? String(oid);
}

function familyName({ schema }: Side, number: number): string {
  const found = groupNumbered(schema, 'operator family', number);
  return found === null ? String(number) : found.schema === 'pg_catalog' ? found.name : nameOf(found);
}

function operatorText({ schema }: Side, { operator }: FamilyOperatorObject): string {
  if ('name' in operator) return operator.name;
  const { object } = schema.operators.get(operator.own)!;
  return object.schema === 'public' ? object.name : `${quoteNames([object.schema])}.${object.name}`;
}

function functionText(side: Side, { routine, args }: FamilyFunctionObject): string {
  if ('own' in routine) return side.names.procedureName(routine.own) ?? String(routine.own);
  return `${routine.name}(${args.map((oid) => typeText(side, oid)).join(', ')})`;
}
