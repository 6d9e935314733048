/** Values of the options of CREATE AGGREGATE and CREATE OPERATOR: types, function names, booleans, texts. */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Option } from '../ast/define.ts';
import { optionText } from '../ast/option-text.ts';
import type { TypeName } from '../ast/type-name.ts';

/** A type; a quoted one is read as its name. */
export function typeNameOf({ name, value, at }: Option, what = name): TypeName {
  if (value?.type === 'typeName') return value.value;
  if (value?.type === 'string') return { schema: null, name: value.value, typmods: [], arrayBounds: [], setOf: false, columnOf: null, at };
  throw new SvcError('42601', `argument of ${what} must be a type name`, { position: at + 1 });
}

/** Function names have the syntax of types. */
export function routineName(option: Option | undefined): string[] | null {
  const value = option?.value;
  if (value === undefined || value === null) return null;
  if (value.type === 'typeName') return value.value.schema === null ? [value.value.name] : [value.value.schema, value.value.name];
  if (value.type === 'string') return [value.value];
  if (value.type === 'list') return value.values.flatMap((each) => (each.type === 'string' ? [each.value] : []));
  throw new SvcError('42601', `argument of ${option!.name} must be a name`);
}

export function isTrue({ name, value }: Pick<Option, 'name' | 'value'>): boolean {
  if (value === null) return true;
  if (value.type === 'boolean') return value.value;
  if (value.type === 'integer' && (value.value === 0 || value.value === 1)) return value.value === 1;
  const word = value.type === 'string' ? value.value : value.type === 'typeName' ? value.value.name : '';
  if (/^(true|on)$/i.test(word)) return true;
  if (/^(false|off)$/i.test(word)) return false;
  throw new SvcError('42601', `${name} requires a Boolean value`);
}

export function textOf({ name, value }: Option): string {
  const text = optionText(value);
  if (text === null) throw new SvcError('42601', `${name} requires a parameter`);
  return text;
}
