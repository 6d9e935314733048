/**
 * CREATE CONVERSION: a name for a built-in conversion function between two encodings. Catalog-only: texts are always converted by
 * the built-in functions, not the default conversion. Manual, CREATE CONVERSION.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { ConversionObject } from '../../worlds/definition.ts';
import type { CreateConversion } from '../ast/define.ts';
import { conversionFunction, type ConversionFunction, CONVERTS } from '../catalog/conversion-rows.ts';
import { PRIVILEGE } from '../schema/acl.ts';
import { schemaMustExist } from '../schema/object-errors.ts';
import { ENCODINGS, encodingNumber, SQL_ASCII } from '../types/encodings.ts';
import { missingSchema } from './missing-objects.ts';
import { takenName } from './create-collation.ts';
import { targetName } from './define-table.ts';
import { define } from './define.ts';
import type { StatementResult } from './results.ts';
import { calledWith } from './routine-reference.ts';
import type { SqlSession } from './sql-session.ts';

const INT4 = 23;

export function runCreateConversion(session: SqlSession, statement: CreateConversion): StatementResult {
  session.startStatement();
  const { name, at, default: isDefault } = statement;
  mustBeLocal(name);
  const last = name[name.length - 1];
  const { schema } = targetName(session, { catalog: null, schema: name.length > 1 ? name[name.length - 2] : null, name: last, at });
  schemaMustExist(session.schema(), schema);
  const from = encodingNamed('source', statement.from);
  const to = encodingNamed('destination', statement.to);
  if (from === SQL_ASCII || to === SQL_ASCII) throw new SvcError('42P17', 'encoding conversion to or from "SQL_ASCII" is not supported');
  const by = functionFor(session, statement.function);
  mustConvert(statement.function, by, from, to);
  return define(session, 'CREATE CONVERSION', (ddl) => {
    if (takenName(session, 'conversion', schema, last)) throw new SvcError('42710', `conversion "${last}" already exists`);
    const isTaken = [...ddl.schema.conversions.values()].some((each) => each.default && each.schema === schema && each.from === from && each.to === to);
    if (isDefault && isTaken) throw new SvcError('42710', `default conversion for ${ENCODINGS[from]} to ${ENCODINGS[to]} already exists`);
    const object: ConversionObject = { what: 'conversion', number: 0, schema, name: last, from, to, function: statement.function.at(-1)!, default: isDefault };
    object.number = ddl.numberFor(object);
    ddl.put(object);
  });
}

function mustBeLocal(name: readonly string[]): void {
  if (name.length > 2) throw new SvcError('0A000', `cross-database references are not implemented: ${name.join('.')}`);
}

function encodingNamed(which: 'source' | 'destination', name: string): number {
  const number = encodingNumber(name);
  if (number < 0) throw new SvcError('42704', `${which} encoding "${name}" does not exist`);
  return number;
}

/** 42883, 42P17 and 42501; 0A000 for a user-defined function. */
function functionFor(session: SqlSession, name: readonly string[]): ConversionFunction {
  mustBeLocal(name);
  const absent = missingSchema(session, name);
  if (absent !== null) throw new SvcError('3F000', absent);
  const schema = session.schema();
  const last = name[name.length - 1];
  const found = name.length === 1 || name[0] === 'pg_catalog' ? conversionFunction(last) : null;
  if (found === null) {
    const places = name.length === 1 ? session.system.schemas(false) : [name[0]];
    const own = places
      .flatMap((place) => schema.functionsNamed(place, last))
      .find(({ inputs }) => inputs.length === CONVERTS.length && inputs.every(({ type }, i) => type.oid === CONVERTS[i]));
    if (own === undefined) {
      throw new SvcError(
        '42883',
        `function ${calledWith(
          name,
          CONVERTS.map((oid) => schema.typeByOid(oid)!),
        )} does not exist`,
      );
    }
    if (own.returns.oid !== INT4) throw new SvcError('42P17', `encoding conversion function ${last} must return type integer`);
    throw new SvcError('0A000', 'only the conversion functions of the system are supported');
  }
  const { authority } = session;
  if (!authority.free && authority.privileges(schema).held(authority.role, 'f', found.oid, PRIVILEGE.EXECUTE) === 0)
    throw new SvcError('42501', `permission denied for function ${last}`);
  return found;
}

/** Postgres calls the function with the empty text, so unknown encodings are reported by it. */
function mustConvert(name: readonly string[], { pairs }: ConversionFunction, from: number, to: number): void {
  if (pairs.some(([source, target]) => source === from && target === to)) return;
  for (const [which, at, given] of [
    ['source', 0, from],
    ['destination', 1, to],
  ] as const) {
    const [wanted, ...others] = new Set(pairs.map((pair) => pair[at]));
    if (others.length === 0 && wanted !== given)
      throw new SvcError('XX000', `expected ${which} encoding "${ENCODINGS[wanted]}", but got "${ENCODINGS[given]}"`);
  }
  const [one] = pairs;
  const unknown = pairs.every((pair) => pair[0] === one[0]) ? to : from;
  throw new SvcError('XX000', `unexpected encoding ID ${unknown} for ${name.at(-1)!.includes('iso8859') ? 'ISO 8859' : 'WIN'} character sets`);
}
