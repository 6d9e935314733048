/** The default name of a select item. */
import type { Expression } from '../ast/expression.ts';

export function outputName(expression: Expression): string {
  return nameOf(expression)?.name ?? '?column?';
}

/** The part of an index name for an expression; null: `expr`. */
export function indexColumnName(expression: Expression): string | undefined {
  return nameOf(expression)?.name;
}

interface Found {
  readonly name: string;
  /** The name is only that of a type: an inner name takes precedence. */
  readonly weak: boolean;
}

function nameOf(expression: Expression): Found | null {
  switch (expression.type) {
    case 'column':
      return strong(expression.parts[expression.parts.length - 1]);
    case 'call':
      return strong(expression.name[expression.name.length - 1]);
    case 'field':
      return strong(expression.name);
    case 'subscript':
      return nameOf(expression.arg);
    case 'collate':
      return nameOf(expression.arg);
    case 'cast': {
      const inner = nameOf(expression.arg);
      return inner !== null && !inner.weak ? inner : { name: expression.to.name, weak: true };
    }
    case 'case': {
      const inner = expression.otherwise === null ? null : nameOf(expression.otherwise);
      return inner !== null && !inner.weak ? inner : { name: 'case', weak: true };
    }
    case 'exists':
      return strong('exists');
    case 'arrayQuery':
    case 'array':
      return strong('array');
    case 'subquery': {
      const { query } = expression;
      if (query.type === 'select') {
        const [first] = query.items;
        return first === undefined ? null : first.alias !== null ? strong(first.alias) : nameOf(first.value);
      }
      return query.type === 'values' ? strong('column1') : null;
    }
    case 'row':
      return expression.explicit ? strong('row') : strong('row');
    case 'coalesce':
    case 'greatest':
    case 'least':
      return strong(expression.type);
    case 'nullIf':
      return strong('nullif');
    case 'grouping':
      return strong('grouping');
    case 'valueFunction':
      return strong(expression.name);
    case 'mergeAction':
      return strong('merge_action');
    case 'xml': {
      const names = { element: 'xmlelement', forest: 'xmlforest', concat: 'xmlconcat', parse: 'xmlparse', pi: 'xmlpi', root: 'xmlroot', isDocument: null };
      const name = names[expression.kind];
      return name === null ? null : strong(name);
    }
    case 'xmlSerialize':
      return strong('xmlserialize');
    case 'jsonParse':
      return strong('json');
    case 'jsonScalar':
      return strong('json_scalar');
    case 'jsonSerialize':
      return strong('json_serialize');
    case 'jsonExists':
      return strong('json_exists');
    case 'jsonQuery':
      return strong('json_query');
    case 'jsonValue':
      return strong('json_value');
    case 'jsonObject':
      return strong('json_object');
    case 'jsonArray':
    case 'jsonArrayQuery':
      return strong('json_array');
    case 'jsonObjectAggregate':
      return strong('json_objectagg');
    case 'jsonArrayAggregate':
      return strong('json_arrayagg');
    default:
      return null;
  }
}

function strong(name: string): Found {
  return { name, weak: false };
}
