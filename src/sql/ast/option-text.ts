/** The text of an option's value, whatever form it was written in (Postgres's defGetString). */
import type { OptionValue } from './define.ts';

/** null where nothing is written, or what has no text. */
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
