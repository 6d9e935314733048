/** What input is refused, and with which code. */
import { SvcError } from '../../src/base/errors/svc-error.ts';
import { LIMITS } from '../../src/base/limits.ts';
import type { Json, Row } from '../../src/commands/contract.ts';
import { copyJson } from './json.ts';

export function checkWord(what: string, value: unknown, lengthMax: number): void {
  if (typeof value !== 'string' || value === '' || /\s/.test(value)) throw new SvcError('22023', `${what} must be non-empty and without white space`);
  checkText(value);
  if (value.length > lengthMax) throw new SvcError(what === 'id' ? '54000' : '22023', `${what} is too long`);
}

export function checkRowName(table: unknown, id: unknown): void {
  checkWord('table', table, LIMITS.tableNameLengthMax);
  checkWord('id', id, LIMITS.keySizeBytesMax);
}

/** The record as it is kept: without `id`, a copy. */
export function checkRecord(id: string, record: unknown): Row {
  if (record === null || typeof record !== 'object' || Array.isArray(record)) throw new SvcError('22023', 'record must be an object');
  const { id: given, ...kept } = record as Row;
  if (given !== undefined && given !== id) throw new SvcError('22023', 'the field id must be the id of the row');
  for (const [name, value] of Object.entries(kept)) {
    if (name === '') throw new SvcError('42602', 'a field needs a name');
    if (value !== undefined) checkJson(value, 0);
  }
  return copyJson(kept);
}

function checkJson(value: Json, depth: number): void {
  if (depth > LIMITS.jsonDepthMax) throw new SvcError('54001', 'nested too deeply');
  if (typeof value === 'string') checkText(value);
  else if (typeof value === 'number') {
    // From 1e21 on JSON writes a number with an exponent: it was meant as a double.
    const rounded = Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value) < 1e21;
    if (!Number.isFinite(value) || rounded) throw new SvcError('22003', `${value} cannot be kept exactly`);
  } else if (Array.isArray(value)) for (const item of value) checkJson(item, depth + 1);
  else if (value !== null && typeof value === 'object') {
    for (const [name, item] of Object.entries(value)) {
      checkText(name);
      checkJson(item, depth + 1);
    }
  }
}

function checkText(text: string): void {
  if (text.includes('\0') || !text.isWellFormed()) throw new SvcError('22P02', 'not valid text');
}

export function checkWorldName(name: string): void {
  const bad =
    typeof name !== 'string' ||
    name === '' ||
    name.length > LIMITS.worldNameLengthMax ||
    /[\s@/]/.test(name) ||
    name.startsWith('_tx_') ||
    /^[0-9A-HJKMNP-TV-Z]{26}$/.test(name);
  if (bad) throw new SvcError('42602', `"${name}" cannot be the name of a world`);
}

export function checkMeta(meta: unknown): void {
  if (meta === undefined) return;
  if (meta === null || typeof meta !== 'object' || Array.isArray(meta)) throw new SvcError('22023', 'meta must be an object');
  if ('owner' in meta || 'expires' in meta) throw new SvcError('22023', 'only the database sets owner and expires');
}

export function checkCount(what: string, value: number, most = Infinity): void {
  if (!Number.isInteger(value) || value < 0 || value > most) throw new SvcError('22023', `${what} must be a whole number of 0 or more`);
}
