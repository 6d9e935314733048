/** Names of worlds and their public, ULID-like ids. */
import type { Micros, WorldId, WorldNumber } from '../base/brands.ts';
import { deceptionIn, looksLike } from '../base/deceptive-name.ts';
import { SvcError } from '../base/errors/svc-error.ts';
import { LIMITS } from '../base/limits.ts';

/** Shown as escapes in errors. */
const UNSEEN = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/gu;
const ESCAPED = (char: string): string => (char === ' ' ? char : `\\u{${char.codePointAt(0)!.toString(16)}}`);

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const ID_LENGTH = 26;
const ID = /^[0-9A-HJKMNP-TV-Z]{26}$/;

/** 10 characters of creation time in ms, then 16 of the world's number: ids sort by age and need no index. */
export function worldId(number: WorldNumber, created: Micros): WorldId {
  return (base32(Math.floor(created / 1000), 10) + base32(number, 16)) as WorldId;
}

/** The number in an id, or null if the text is not an id. */
export function numberOfId(text: string): WorldNumber | null {
  // Most texts are names, rejected by length.
  if (text.length !== ID_LENGTH || !ID.test(text)) return null;
  let number = 0;
  for (const char of text.slice(10)) number = number * 32 + CROCKFORD.indexOf(char);
  return Number.isSafeInteger(number) ? (number as WorldNumber) : null;
}

function base32(value: number, length: number): string {
  let rest = value;
  let out = '';
  for (let i = 0; i < length; i++) {
    out = CROCKFORD[rest % 32] + out;
    rest = Math.floor(rest / 32);
  }
  return out;
}

/** 42602 if the name is not valid for a world. */
export function checkWorldName(name: string): void {
  const refuse = (why: string): never => {
    throw new SvcError('42602', `${JSON.stringify(name.slice(0, 64)).replaceAll(UNSEEN, ESCAPED)} cannot be a world's name: ${why}`, {
      hint: 'Use letters of one script, digits, `_`, `-` and `.`.',
    });
  };
  if (name.length === 0) refuse('it is empty');
  if (name.length > LIMITS.worldNameLengthMax) refuse(`it is longer than ${LIMITS.worldNameLengthMax} characters`);
  if (/\s/.test(name)) refuse('it holds white space');
  if (/[@/\0]/.test(name)) refuse('it holds `@` or `/`');
  if (name.startsWith('_tx_')) refuse('names that start with `_tx_` belong to transactions');
  if (ID.test(name)) refuse('it has the form of a world id');
  const deception = deceptionIn(name);
  if (deception !== null) refuse(deception);
  if (looksLike(name, 'main')) refuse('it looks like `main`');
}
