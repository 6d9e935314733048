/** The text of an option's value, in any written form (Postgres's defGetString). */
import type { OptionValue } from './define.ts';

/** null without a value, or for one without a text form. */
export function optionText(value: OptionValue | null | undefined): string | null {
  switch (value?.type) {
    case 'string':
      return value.value;
    case 'integer':
    case 'boolean':
      return String(value.value);
    case 'number':
      return value.text;
    case 'typeName':
      return value.value.name;
    case 'star':
      return '*';
    case 'list':
      return value.values.map((each) => optionText(each) ?? '').join('.');
    default:
      return null;
  }
}
