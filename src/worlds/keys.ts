/** `<table>/<id>`: the public name of a row. `,` `/` `%` and white space in it are percent-escaped. */
import { SvcError } from '../base/errors/svc-error.ts';
import { LIMITS } from '../base/limits.ts';
import { keyText, type Table, utf8Key } from './catalog.ts';
import { refuseReserved } from './reserved-table.ts';
import type { TypedTables } from './typed-tables.ts';

const SPECIAL = /[,/%\s]/g;
const ANY_SPECIAL = /[,/%\s]/;

export function rowKey(typed: Pick<TypedTables, 'id'>, table: Table, treeKey: string | number): string {
  const { relation } = table;
  if (relation === null) return `${escapePart(table.name)}/${escapePart(keyText(treeKey as string))}`;
  const id = typed.id(table, treeKey);
  // The texts of several columns are already escaped; escaping again would escape the commas between them.
  return `${escapePart(table.name)}/${relation.object.key.length > 1 ? id : escapePart(id)}`;
}

/** Normalises a row's key to the form of `rowKey`. */
export function canonicalRowKey(key: string, table: Table | undefined): string {
  const { table: name, id, raw } = parseRowKey(key);
  if (table === undefined || table.relation === null) return `${escapePart(name)}/${escapePart(keyText(idKey(id)))}`;
  return `${escapePart(name)}/${table.relation.object.key.length > 1 ? raw : escapePart(id)}`;
}

/** The id in a row's key. */
export function idOf(key: string, table: Table | undefined): string {
  const { id, raw } = parseRowKey(key);
  return (table?.relation?.object.key.length ?? 0) > 1 ? raw : id;
}

export function escapePart(text: string): string {
  return ANY_SPECIAL.test(text) ? text.replace(SPECIAL, (char) => encodeURIComponent(char).replace(/^,$/, '%2C')) : text;
}

/** 22023 for an invalid key. A text key may be '': `table/`. */
export function parseRowKey(key: string): { table: string; id: string; raw: string } {
  const slash = key.indexOf('/');
  const bad = (): SvcError =>
    new SvcError('22023', `"${key.slice(0, 80)}" is not a row's key`, { hint: 'Write <table>/<id>, with , / % and white space in the id percent-escaped.' });
  if (slash <= 0) throw bad();
  try {
    const raw = key.slice(slash + 1);
    return { table: decodeURIComponent(key.slice(0, slash)), id: decodeURIComponent(raw), raw };
  } catch {
    throw bad();
  }
}

export function checkTableName(table: unknown): asserts table is string {
  if (typeof table !== 'string' || table.length === 0) throw new SvcError('22023', 'table must be a non-empty string');
  if (/\s/.test(table)) throw new SvcError('22023', `table "${table.slice(0, 64)}" holds white space`);
  if (table.length > LIMITS.tableNameLengthMax) throw new SvcError('22023', `a table's name has at most ${LIMITS.tableNameLengthMax} characters`);
  checkWhole(table, 'table');
  refuseReserved(table);
}

/** The tree key of an id. */
export function idKey(id: unknown): string {
  if (typeof id !== 'string' || id.length === 0) throw new SvcError('22023', 'id must be a non-empty string');
  if (/\s/.test(id)) throw new SvcError('22023', `id "${id.slice(0, 64)}" holds white space`);
  checkWhole(id, 'id');
  const key = utf8Key(id);
  if (key.length > LIMITS.keySizeBytesMax) throw new SvcError('54000', `an id has at most ${LIMITS.keySizeBytesMax} bytes, this one has ${key.length}`);
  return key;
}

function checkWhole(text: string, what: string): void {
  if (text.includes('\0')) throw new SvcError('22P02', `${what} holds the character \\u0000, which cannot be stored`);
  if (!text.isWellFormed()) throw new SvcError('22P02', `${what} holds half a surrogate pair, which is not valid text`);
}
