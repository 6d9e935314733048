/**
 * pg_rewrite.ev_action of a view: the part of Postgres's node text that tools read, which is the target list with the relation and
 * column that each output column comes from. Expressions are left out (`<>`), and so are range table and join tree.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Schema, View } from '../schema/schema.ts';
import type { DefinitionTexts } from './definition-texts.ts';

/** By the schema that the views are of, and the view's number. */
const texts = new WeakMap<Schema, Map<number, string>>();

export function viewNodeTree(schema: Schema, number: number, view: Pick<View, 'sql' | 'columns'>, trees: DefinitionTexts): string {
  let known = texts.get(schema);
  if (known === undefined) texts.set(schema, (known = new Map()));
  let text = known.get(number);
  if (text === undefined) known.set(number, (text = queryNode(view, trees)));
  return text;
}

function queryNode(view: Pick<View, 'sql' | 'columns'>, trees: DefinitionTexts): string {
  const origins = originsOf(view, trees);
  const entries = view.columns.map(({ name }, i) => {
    const { table = 0, attnum = 0 } = origins[i] ?? {};
    return `{TARGETENTRY :expr <> :resno ${i + 1} :resname ${token(name)} :ressortgroupref 0 :resorigtbl ${table} :resorigcol ${attnum} :resjunk false}`;
  });
  return `({QUERY :commandType 1 :querySource 0 :canSetTag true :utilityStmt <> :resultRelation 0 :targetList ${entries.length === 0 ? '<>' : `(${entries.join(' ')})`}})`;
}

/** None if the stored query does not bind. */
function originsOf(view: Pick<View, 'sql'>, trees: DefinitionTexts): ReturnType<DefinitionTexts['origins']> {
  try {
    return trees.origins(view);
  } catch (error) {
    if (error instanceof SvcError) return [];
    throw error;
  }
}

/** A text as outToken of Postgres writes it: what a reader of nodes would take for something else is escaped. */
function token(text: string): string {
  if (text === '') return '""';
  const escaped = text.replace(/[ \n\t(){}\\]/g, '\\$&');
  return /^(?:[<"]|[0-9]|[+-](?:[0-9]|\.))/.test(text) ? `\\${escaped}` : escaped;
}
