/** The operations reference as Markdown, from the table; a test compares it with the committed file. */
import { SQLSTATES } from '../base/errors/sqlstate.ts';
import { COMMON_ERRORS, type AnyOperation } from './define-operation.ts';
import { OPERATIONS } from './table.ts';

interface Schema {
  type?: string;
  const?: unknown;
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  patternProperties?: Record<string, Schema>;
}

export function operationsReference(): string {
  const errors = (codes: readonly (keyof typeof SQLSTATES)[]): string =>
    codes.map((code) => `${code} ${SQLSTATES[code].name} (${SQLSTATES[code].status})`).join(', ');
  return `${[
    '# Operations',
    'Made from the operations table; do not edit. Each is `POST /v1/<name>` with a JSON body.',
    `Any of them may answer: ${errors(COMMON_ERRORS)}.`,
    ...OPERATIONS.map(section),
  ].join('\n\n')}\n`;

  function section(operation: AnyOperation): string {
    const input = operation.input as Schema;
    const fields = Object.entries(input.properties ?? {}).map(([name, schema]) => {
      const required = input.required?.includes(name) === true ? 'yes' : '';
      const second = Object.entries(operation.fieldAliases ?? {}).flatMap(([alias, field]) => (field === name ? [`, or \`${alias}\``] : []));
      return `| \`${name}\`${second.join('')} | ${typeName(schema).replaceAll('|', '\\|')} | ${required} | ${(schema.description ?? '').replaceAll('|', '\\|')} |`;
    });
    return [
      `## ${operation.name}`,
      `${operation.summary}${operation.description === undefined ? '' : ` ${operation.description}`}`,
      `Needs \`${operation.capability}\`${operation.also === undefined ? '' : ` and \`${operation.also}\``}; ${operation.effect === 'read' ? 'reads' : 'appends to the log'}.${operation.aliases === undefined ? '' : ` Also called ${operation.aliases.map((alias) => `\`${alias}\``).join(', ')}.`}`,
      ...(fields.length === 0 ? [] : [`| field | type | required | |\n|---|---|---|---|\n${fields.join('\n')}`]),
      `Replies \`${typeName(operation.output as Schema)}\`.`,
      ...(operation.errors.length === 0 ? [] : [`Errors: ${errors(operation.errors)}.`]),
      ...operation.examples.map(({ input: body }) => `\`\`\`json\n${JSON.stringify(body)}\n\`\`\``),
    ].join('\n\n');
  }
}

function typeName(schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeName).join(' | ');
  if (schema.type === 'array') return `[${typeName(schema.items ?? {})}]`;
  if (schema.patternProperties !== undefined) return '{…}';
  if (schema.properties !== undefined) {
    const fields = Object.entries(schema.properties).map(
      ([name, field]) => `${name}${schema.required?.includes(name) === true ? '' : '?'}: ${typeName(field)}`,
    );
    return `{ ${fields.join(', ')} }`;
  }
  return schema.type ?? 'any';
}
