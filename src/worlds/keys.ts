/** `<table>/<id>`: the public name of a row. In it `,` `/` `%` and white space are percent-escaped. */
import { SvcError } from '../base/errors/svc-error.ts';
import { LIMITS } from '../base/limits.ts';
import { keyText, utf8Key } from './catalog.ts';

const SPECIAL = /[,/%\s]/g;
const ANY_SPECIAL = /[,/%\s]/;

export function rowKey(table: string, treeKey: string | number): string {
  const id = typeof treeKey === 'number' ? String(treeKey) : keyText(treeKey);
  return `${escapePart(table)}/${escapePart(id)}`;
}

function escapePart(text: string): string {
  return ANY_SPECIAL.test(text) ? text.replace(SPECIAL, (char) => encodeURIComponent(char).replace(/^,$/, '%2C')) : text;
}

/** 22023 where it is not of the form. */
export function parseRowKey(key: string): { table: string; id: string } {
  const slash = key.indexOf('/');
  const bad = (): SvcError =>
    new SvcError('22023', `"${key.slice(0, 80)}" is not a row's key`, { hint: 'Write <table>/<id>, with , / % and white space in the id percent-escaped.' });
  if (slash <= 0 || slash === key.length - 1) throw bad();
  try {
    return { table: decodeURIComponent(key.slice(0, slash)), id: decodeURIComponent(key.slice(slash + 1)) };
  } catch {
    throw bad();
  }
}

export function checkTableName(table: unknown): asserts table is string {
  if (typeof table !== 'string' || table.length === 0) throw new SvcError('22023', 'table must be a non-empty string');
  if (/\s/.test(table)) throw new SvcError('22023', `table "${table.slice(0, 64)}" holds white space`);
  if (table.length > LIMITS.tableNameLengthMax) throw new SvcError('22023', `a table's name has at most ${LIMITS.tableNameLengthMax} characters`);
  checkWhole(table, 'table');
}

/** The id's key in the tree. */
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
