/**
 * Holds the input of a call of this process to the operation's schema, as HTTP does, in the same words (input-words.ts). Each schema is made
 * into closures once, so that a call costs some 0.2 µs: a compiler of schemas took 0.3 s to load, and its checks four times as long.
 *
 * What a program can pass and JSON cannot hold is refused by the name of its field (22023): dates, maps, instances of classes, functions,
 * bigints, NaN, `undefined` in an array. A property that is `undefined` is left out, as in JSON.
 */
import { ExactNumber } from '../base/exact-json.ts';
import { fieldOf } from '../base/json.ts';
import { SvcError } from '../base/errors/svc-error.ts';
import { LIMITS } from '../base/limits.ts';
import { nearestName } from '../base/nearest-name.ts';
import type { AnyOperation } from './define-operation.ts';
import { acceptedInput } from './field-aliases.ts';
import * as words from './input-words.ts';

/** The part of JSON Schema that inputs use. */
interface Schema {
  readonly type?: string;
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** Where and what: `say` makes the message from the whole path. */
interface Fault {
  path: string;
  readonly say: (path: string) => string;
  readonly hint?: string;
  /** Of a union: what would be allowed here. */
  readonly allowed?: readonly string[];
  readonly code?: '54001';
}

type Check = (value: unknown) => Fault | null;

const checks = new Map<AnyOperation, Check>();

/** 22023 names the first wrong field. */
export function checkInput(operation: AnyOperation, input: unknown): void {
  let check = checks.get(operation);
  if (check === undefined) checks.set(operation, (check = inputCheck(operation)));
  const fault = check(input);
  if (fault === null) return;
  const { path, say, hint, code = '22023' } = fault;
  throw new SvcError(code, say(path), {
    hint: hint ?? `\`${operation.name}\` takes: ${Object.keys((operation.input as Schema).properties ?? {}).join(', ')}.`,
  });
}

function inputCheck(operation: AnyOperation): Check {
  return objectCheck(acceptedInput(operation) as Schema, operation.inProcess ?? {});
}

function at(fault: Fault, name: string): Fault {
  fault.path = fault.path === '' ? name : `${name}.${fault.path}`;
  return fault;
}

function fault(say: Fault['say'], more: Partial<Fault> = {}): Fault {
  return { path: '', say, ...more };
}

function checkOf(schema: Schema): Check {
  if (schema.anyOf !== undefined) return unionCheck(schema.anyOf.map(checkOf));
  if ('const' in schema) {
    const allowed = [JSON.stringify(schema.const)];
    return (value) => (value === schema.const ? null : fault((path) => words.hasNoneOf(path, allowed), { allowed }));
  }
  switch (schema.type) {
    case 'string':
      return stringCheck(schema);
    case 'integer':
    case 'number':
      return numberCheck(schema, schema.type);
    case 'boolean':
      return (value) => (typeof value === 'boolean' ? null : ofType('boolean'));
    case 'null':
      return (value) => (value === null ? null : ofType('null'));
    case 'array':
      return arrayCheck(schema);
    case 'object':
      return objectCheck(schema, {});
    default:
      return (value) => jsonFault(value, 0);
  }
}

function ofType(type: string): Fault {
  return fault((path) => words.mustBeOfType(path, type), { allowed: [type] });
}

function unionCheck(each: readonly Check[]): Check {
  return (value) => {
    let deepest: Fault | null = null;
    const allowed: string[] = [];
    for (const check of each) {
      const found = check(value);
      if (found === null) return null;
      allowed.push(...(found.allowed ?? []));
      if (found.path !== '' && deepest === null) deepest = found;
    }
    return deepest ?? fault((path) => words.hasNoneOf(path, allowed), { allowed });
  };
}

function stringCheck({ minLength = 0, maxLength = Infinity, pattern }: Schema): Check {
  const form = pattern === undefined ? null : new RegExp(pattern);
  return (value) => {
    if (typeof value !== 'string') return ofType('string');
    if (value.length < minLength) return fault((path) => words.tooFewCharacters(path, minLength));
    // Characters, of which some are two units.
    if (value.length > maxLength && [...value].length > maxLength) return fault((path) => words.mustBe(path, `NOT have more than ${maxLength} characters`));
    return form === null || form.test(value) ? null : fault((path) => words.mustMatch(path, pattern!));
  };
}

function numberCheck({ minimum = -Infinity, maximum = Infinity }: Schema, type: 'integer' | 'number'): Check {
  return (value) => {
    if (typeof value !== 'number' || !(type === 'integer' ? Number.isInteger(value) : Number.isFinite(value))) return ofType(type);
    if (value < minimum) return fault((path) => words.mustBe(path, `be >= ${minimum}`));
    return value > maximum ? fault((path) => words.mustBe(path, `be <= ${maximum}`)) : null;
  };
}

function arrayCheck({ items = {}, minItems = 0, maxItems = Infinity }: Schema): Check {
  const check = checkOf(items);
  return (value) => {
    if (!Array.isArray(value)) return ofType('array');
    if (value.length < minItems) return fault((path) => words.mustBe(path, `NOT have fewer than ${minItems} items`));
    if (value.length > maxItems) return fault((path) => words.mustBe(path, `NOT have more than ${maxItems} items`));
    for (let i = 0; i < value.length; i++) {
      const found = check(value[i]);
      if (found !== null) return at(found, String(i));
    }
    return null;
  };
}

/** With `properties` a field that is not of them is unknown; with `patternProperties` every name has a value of that schema. Allocates nothing where nothing is wrong. */
function objectCheck({ properties, required = [], patternProperties }: Schema, inProcess: Readonly<Record<string, (value: unknown) => boolean>>): Check {
  const rest = patternProperties === undefined ? null : checkOf(Object.values(patternProperties)[0]);
  const known = new Map(Object.entries(properties ?? {}).map(([name, schema]) => [name, inProcessToo(checkOf(schema), fieldOf(inProcess, name))]));
  for (const [name, accepts] of Object.entries(inProcess))
    if (!known.has(name))
      known.set(
        name,
        inProcessToo(() => fault(words.isUnknown), accepts),
      );
  const isOpen = properties === undefined;
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return ofType('object');
    const strange = notPlain(value);
    if (strange !== null) return strange;
    const object = value as Record<string, unknown>;
    for (let i = 0; i < required.length; i++) {
      const name = required[i];
      if (object[name] === undefined) return fault((path) => words.isMissing(path === '' ? name : `${path}.${name}`));
    }
    // Plain objects inherit nothing that is enumerable.
    for (const name in object) {
      const field = object[name];
      if (field === undefined) continue;
      const check = isOpen ? rest : known.get(name);
      if (check === undefined) return at(unknownField(name, Object.keys(properties!)), name);
      const found = check === null ? jsonFault(field, 0) : check(field);
      if (found !== null) return at(found, name);
    }
    return null;
  };
}

function inProcessToo(check: Check, accepts: ((value: unknown) => boolean) | undefined): Check {
  return accepts === undefined ? check : (value) => (accepts(value) ? null : check(value));
}

function unknownField(name: string, known: readonly string[]): Fault {
  const near = nearestName(name, known);
  return fault(words.isUnknown, near === null ? {} : { hint: `Did you mean \`${near}\`?` });
}

/** A plain object of any realm: its prototype has none. */
function notPlain(value: object): Fault | null {
  const prototype = Object.getPrototypeOf(value) as object | null;
  if (prototype === Object.prototype || prototype === null || Object.getPrototypeOf(prototype) === null) return null;
  const name = prototype.constructor?.name ?? '';
  return notJson(
    name === '' ? 'an instance of a class' : `a ${name}`,
    value instanceof Date
      ? 'Give a time as text: date.toISOString().'
      : value instanceof Map
        ? 'Give a plain object: Object.fromEntries(map).'
        : value instanceof Set
          ? 'Give an array: [...set].'
          : 'Give a plain object.',
  );
}

function notJson(what: string, hint: string): Fault {
  return fault((path) => `${words.place(path)} is ${what}, which is not JSON`, { hint });
}

const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;

function jsonFault(value: unknown, depth: number): Fault | null {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return null;
    case 'number':
      return Number.isFinite(value) ? null : notJson(String(value), 'JSON has finite numbers only; null is the value for none.');
    case 'bigint':
      return notJson('a bigint', 'Give its digits: as text, or as `new ExactNumber(String(value))`, which stays a number.');
    case 'object': {
      if (value === null) return null;
      if (depth > LIMITS.jsonDepthMax) {
        return fault((path) => `${words.place(path.split('.')[0])} is nested deeper than ${LIMITS.jsonDepthMax} levels`, {
          code: '54001',
          hint: 'Flatten the value, or store it as text. An object that holds itself has no end.',
        });
      }
      if (Array.isArray(value)) {
        for (let i = 0; i < value.length; i++) {
          const found = jsonFault(value[i], depth + 1);
          if (found !== null) return at(found, String(i));
        }
        return null;
      }
      if (value instanceof ExactNumber)
        return NUMBER.test(value.text) ? null : notJson(`the number "${value.text.slice(0, 40)}"`, 'Digits, with a point or an exponent.');
      const strange = notPlain(value);
      if (strange !== null) return strange;
      for (const name in value) {
        const field = (value as Record<string, unknown>)[name];
        const found = field === undefined ? null : jsonFault(field, depth + 1);
        if (found !== null) return at(found, name);
      }
      return null;
    }
    default:
      return notJson(
        value === undefined ? 'undefined' : `a ${typeof value}`,
        value === undefined ? 'Give null, or leave the property out.' : 'Give a value of JSON.',
      );
  }
}
