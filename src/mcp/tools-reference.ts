/** The list of tools in docs/reference/mcp.md, made from the tools. */
import { OPERATIONS } from '../operations/table.ts';
import type { Tool } from './tool.ts';
import { TOOLS } from './tools.ts';

/** A table: what each tool does, its parameters (required ones first, in bold), what it needs, and whether safe mode has it. */
export function toolsReference(): string {
  const lines = TOOLS.map((tool) => `| \`${tool.name}\` | ${tool.title} | ${parametersOf(tool)} | ${needsOf(tool)} | ${tool.unsafe ? 'no' : 'yes'} |`);
  return ['| tool | what it does | parameters (bold: required) | needs | in safe mode |', '| --- | --- | --- | --- | --- |', ...lines].join('\n');
}

/** Operations that are no tools. */
export function operationsWithoutTool(): string[] {
  const tools = new Set(TOOLS.map(({ name }) => name));
  return OPERATIONS.map(({ name }) => name).filter((name) => !tools.has(name));
}

function parametersOf({ shown }: Tool): string {
  const { properties = {}, required = [] } = shown as { properties?: Record<string, unknown>; required?: readonly string[] };
  const names = Object.keys(properties);
  return [
    ...names.filter((name) => required.includes(name)).map((name) => `**\`${name}\`**`),
    ...names.filter((name) => !required.includes(name)).map((name) => `\`${name}\``),
  ].join(', ');
}

function needsOf({ needs: { some, all } }: Tool): string {
  const parts = [...(some.length === 0 ? [] : [some.map((each) => `\`${each}\``).join(' or ')]), ...all.map((each) => `\`${each}\``)];
  return [...new Set(parts)].join(' and ');
}
