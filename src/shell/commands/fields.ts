/** Fields of an operation's input, from its schema: how help shows them, and how they are parsed. */
import { parseInputJson } from '../../base/exact-json.ts';
import { UsageError } from './usage-error.ts';

interface Schema {
  readonly type?: string;
  readonly const?: unknown;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly patternProperties?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
}

export interface Field {
  readonly name: string;
  readonly required: boolean;
  readonly description: string;
  /** `text`, `integer`, `yes or no`, `a, b …`, `{…}`, `fail | ours | theirs`. */
  readonly form: string;
  readonly flag: boolean;
  /** Allowed words, if there are few. */
  readonly choices: readonly string[];
  /** Invalid values are usage errors. */
  read(text: string): unknown;
}

export function fieldsOf(input: object): Field[] {
  const { properties = {}, required = [] } = input as Schema;
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    required: required.includes(name),
    description: schema.description ?? '',
    form: formOf(schema),
    flag: schema.type === 'boolean',
    choices: choicesOf(schema),
    read: (text) => readValue(name, schema, text),
  }));
}

function choicesOf(schema: Schema): string[] {
  if (schema.const !== undefined) return [String(schema.const)];
  const all = schema.anyOf ?? [];
  return all.length > 0 && all.every((each) => each.const !== undefined) ? all.map((each) => String(each.const)) : [];
}

function formOf(schema: Schema): string {
  const choices = choicesOf(schema);
  if (choices.length > 0) return choices.join(' | ');
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map(formOf))].join(' | ');
  switch (schema.type) {
    case 'string':
      return 'text';
    case 'boolean':
      return 'flag';
    case 'integer':
    case 'number':
      return schema.type;
    case 'array':
      return schema.items?.type === 'string' ? 'a,b,…' : '[…]';
    case 'null':
      return 'null';
    default:
      return '{…}';
  }
}

function readValue(name: string, schema: Schema, text: string): unknown {
  const choices = choicesOf(schema);
  if (choices.length > 0) {
    if (!choices.includes(text))
      throw new UsageError(`${name} is ${choices.slice(0, -1).join(', ')}${choices.length > 1 ? ' or ' : ''}${choices.at(-1)}, not "${text}"`);
    return text;
  }
  if (schema.anyOf !== undefined) {
    if (text === 'null' && schema.anyOf.some(({ type }) => type === 'null')) return null;
    let complaint: unknown;
    for (const each of schema.anyOf) {
      try {
        return readValue(name, each, text);
      } catch (error) {
        complaint ??= error;
      }
    }
    throw complaint;
  }
  switch (schema.type) {
    case 'string':
      if (text === '') throw new UsageError(`${name} is empty`);
      return text;
    case 'boolean': {
      if (['true', 'yes', 'on', '1'].includes(text.toLowerCase())) return true;
      if (['false', 'no', 'off', '0'].includes(text.toLowerCase())) return false;
      throw new UsageError(`${name} is true or false, not "${text}"`);
    }
    case 'integer':
    case 'number': {
      const value = Number(text);
      if (text.trim() === '' || !Number.isFinite(value) || (schema.type === 'integer' && !Number.isSafeInteger(value))) {
        throw new UsageError(`${name} is ${schema.type === 'integer' ? 'a whole number' : 'a number'}, not "${text}"`);
      }
      if (schema.minimum !== undefined && value < schema.minimum) throw new UsageError(`${name} is at least ${schema.minimum}, not ${text}`);
      if (schema.maximum !== undefined && value > schema.maximum) throw new UsageError(`${name} is at most ${schema.maximum}, not ${text}`);
      return value;
    }
    case 'null':
      if (text === 'null') return null;
      throw new UsageError(`${name} is null, not "${text}"`);
    case 'array':
      if (text.startsWith('[')) return json(name, text);
      return text.split(',').map((each) => readValue(name, schema.items ?? {}, each.trim()));
    case undefined:
      try {
        return parseInputJson(text);
      } catch {
        return text;
      }
    default:
      return json(name, text);
  }
}

function json(name: string, text: string): unknown {
  let value: unknown;
  try {
    value = parseInputJson(text);
  } catch (error) {
    throw new UsageError(
      `${name} is JSON, and "${text.length > 40 ? `${text.slice(0, 39)}…` : text}" is none: ${(error as Error).message}`,
      `Put it in single quotes: --${name} '{"a": 1}'`,
    );
  }
  return value;
}
