/** A plan's tree in the formats of Postgres's EXPLAIN: text, JSON, YAML or XML, with Postgres's property names. */
import type { ExplainNode } from './explain.ts';

export interface Printed {
  readonly verbose: boolean;
  /** Of the whole, in milliseconds. */
  readonly planningMs: number | null;
  readonly executionMs: number | null;
  readonly timing: boolean;
}

export function textLines(root: ExplainNode, printed: Printed): string[] {
  const lines: string[] = [];
  const node = (at: ExplainNode, indent: number, first: boolean): void => {
    let column = indent;
    if (at.subplan !== null) {
      lines.push(`${' '.repeat(column)}${at.subplan}`);
      column += 2;
    }
    const arrow = first ? '' : `${' '.repeat(column)}->  `;
    lines.push(`${arrow}${at.title}${costText(at)}${actualText(at, first ? printed : null)}`);
    // Details of a node are indented by two columns from its title.
    const inner = first ? 2 : column + 6;
    for (const [name, value] of at.details) lines.push(`${' '.repeat(inner)}${name}: ${typeof value === 'string' ? value : value.join(', ')}`);
    if (at.removed !== null)
      lines.push(`${' '.repeat(inner)}Rows Removed by ${at.details.some(([name]) => name === 'Filter') ? 'Filter' : 'Join Filter'}: ${at.removed}`);
    for (const child of at.children) node(child, inner, false);
  };
  node(root, 0, true);
  if (printed.planningMs !== null) lines.push(`Planning Time: ${printed.planningMs.toFixed(3)} ms`);
  if (printed.executionMs !== null) lines.push(`Execution Time: ${printed.executionMs.toFixed(3)} ms`);
  return lines;
}

function costText({ cost }: ExplainNode): string {
  return cost === null ? '' : `  (cost=${cost.startup.toFixed(2)}..${cost.total.toFixed(2)} rows=${cost.rows} width=${cost.width})`;
}

function actualText({ actual }: ExplainNode, whole: Printed | null): string {
  if (actual === undefined) return '';
  if (actual === null) return ' (never executed)';
  const time = whole !== null && whole.timing && whole.executionMs !== null ? `time=0.000..${whole.executionMs.toFixed(3)} ` : '';
  return ` (actual ${time}rows=${actual} loops=1)`;
}

type Property = string | number | boolean | readonly string[] | readonly Properties[] | Properties;
interface Properties {
  readonly [name: string]: Property;
}

function properties(node: ExplainNode, printed: Printed, first: boolean): Properties {
  const out: Record<string, Property> = { 'Node Type': node.type };
  if (node.relationship !== null) out['Parent Relationship'] = node.relationship;
  if (node.subplan !== null) out['Subplan Name'] = node.subplan;
  out['Parallel Aware'] = false;
  out['Async Capable'] = false;
  for (const [name, value] of node.names) if (name !== 'Schema' || printed.verbose) out[name] = value;
  if (node.cost !== null) {
    out['Startup Cost'] = Number(node.cost.startup.toFixed(2));
    out['Total Cost'] = Number(node.cost.total.toFixed(2));
    out['Plan Rows'] = node.cost.rows;
    out['Plan Width'] = node.cost.width;
  }
  if (node.actual !== undefined) {
    if (first && printed.timing && printed.executionMs !== null) {
      out['Actual Startup Time'] = 0;
      out['Actual Total Time'] = Number(printed.executionMs.toFixed(3));
    }
    out['Actual Rows'] = node.actual ?? 0;
    out['Actual Loops'] = node.actual === null ? 0 : 1;
  }
  for (const [name, value] of node.details) out[name] = value;
  if (node.removed !== null) out['Rows Removed by Filter'] = node.removed;
  if (node.children.length > 0) out.Plans = node.children.map((child) => properties(child, printed, false));
  return out;
}

function whole(root: ExplainNode, printed: Printed): Properties {
  const out: Record<string, Property> = { Plan: properties(root, printed, true) };
  if (printed.planningMs !== null) out['Planning Time'] = Number(printed.planningMs.toFixed(3));
  if (printed.executionMs !== null) {
    out.Triggers = [];
    out['Execution Time'] = Number(printed.executionMs.toFixed(3));
  }
  return out;
}

export function jsonText(root: ExplainNode, printed: Printed): string {
  return JSON.stringify([whole(root, printed)], null, 2);
}

export function yamlText(root: ExplainNode, printed: Printed): string {
  const lines: string[] = [];
  const put = (map: Properties, indent: string, first: string): void => {
    let lead = first;
    for (const [name, value] of Object.entries(map)) {
      if (Array.isArray(value)) {
        lines.push(`${lead}${name}: `);
        for (const item of value as readonly (string | Properties)[]) {
          if (typeof item === 'string') lines.push(`${indent}  - ${JSON.stringify(item)}`);
          else put(item, `${indent}    `, `${indent}  - `);
        }
      } else if (typeof value === 'object') {
        lines.push(`${lead}${name}: `);
        put(value as Properties, `${indent}  `, `${indent}  `);
      } else lines.push(`${lead}${name}: ${typeof value === 'string' ? JSON.stringify(value) : value}`);
      lead = indent;
    }
  };
  put(whole(root, printed), '  ', '- ');
  return lines.join('\n');
}

export function xmlText(root: ExplainNode, printed: Printed): string {
  const lines: string[] = ['<explain xmlns="http://www.postgresql.org/2009/explain">', '  <Query>'];
  const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const put = (map: Properties, indent: string): void => {
    for (const [name, value] of Object.entries(map)) {
      const tag = name.replaceAll(' ', '-');
      if (Array.isArray(value)) {
        lines.push(`${indent}<${tag}>`);
        for (const item of value as readonly (string | Properties)[]) {
          if (typeof item === 'string') lines.push(`${indent}  <Item>${escape(item)}</Item>`);
          else {
            lines.push(`${indent}  <Plan>`);
            put(item, `${indent}    `);
            lines.push(`${indent}  </Plan>`);
          }
        }
        lines.push(`${indent}</${tag}>`);
      } else if (typeof value === 'object') {
        lines.push(`${indent}<${tag}>`);
        put(value as Properties, `${indent}  `);
        lines.push(`${indent}</${tag}>`);
      } else lines.push(`${indent}<${tag}>${escape(String(value))}</${tag}>`);
    }
  };
  put(whole(root, printed), '    ');
  return [...lines, '  </Query>', '</explain>'].join('\n');
}
