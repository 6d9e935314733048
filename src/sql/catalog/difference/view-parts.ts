/** Views. */
import { quoteIdentifier } from '../../../base/quote-identifier.ts';
import type { View } from '../../schema/schema.ts';
import { viewOptions } from '../relation-rows.ts';
import { type Changes, Part, PLACE, relationName, type Side } from './part.ts';

export function viewParts(side: Side, other: Side): Part[] {
  const { schema } = side;
  return [...schema.views.values()].map((view): Part => {
    const { number } = view;
    const name = relationName(side, number);
    return new Part({
      target: { kind: 'view', number },
      number,
      place: PLACE.views,
      owner: null,
      title: `relation ${name}`,
      called: `VIEW ${name}`,
      text: () => ({ make: viewStatements(side, view, 'CREATE VIEW') }),
      drop: `DROP VIEW ${name};`,
      change: (): Changes | null => {
        const old = other.schema.views.get(number)!;
        // Columns can only be added at the end.
        const extends_ = old.columns.every(({ name: own, type, typmod }, i) => {
          const now = view.columns[i] as View['columns'][number] | undefined;
          return now?.name === own && now.type.oid === type.oid && now.typmod === typmod;
        });
        const stays = old.schema === view.schema && old.name === view.name && JSON.stringify(defaultsOf(old)) === JSON.stringify(defaultsOf(view));
        return extends_ && stays ? { ahead: viewStatements(side, view, 'CREATE OR REPLACE VIEW'), behind: [] } : null;
      },
    });
  });
}

function viewStatements(side: Side, view: View, verb: string): string[] {
  const { names } = side;
  const { number } = view;
  const name = relationName(side, number);
  const options = viewOptions(view);
  return [
    `${verb} ${name}${options.length === 0 ? '' : ` WITH (${options.join(', ')})`} AS ${names.view(number, false)!.trim()}`,
    ...defaultsOf(view).map(([column, text]) => `ALTER VIEW ${name} ALTER COLUMN ${quoteIdentifier(column)} SET DEFAULT ${text};`),
  ];
}

function defaultsOf({ columns }: View): [column: string, text: string][] {
  return columns.flatMap(({ name, default: text }): [string, string][] => (text === undefined ? [] : [[name, text]]));
}
