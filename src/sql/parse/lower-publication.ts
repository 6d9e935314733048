/** CREATE and ALTER PUBLICATION. */
import type * as pg from '@pgsql/types';
import type { AlterPublication, CreatePublication, Published } from '../ast/define.ts';
import { lowerExpression } from './lower-expression.ts';
import { lowerOptions } from './lower-option.ts';
import { lowerRelation } from './lower-query.ts';
import { bodyOf, type Lowering, strings } from './lowering.ts';

export function lowerCreatePublication(cx: Lowering, raw: pg.CreatePublicationStmt): CreatePublication {
  return {
    type: 'createPublication',
    name: raw.pubname ?? '',
    allTables: raw.for_all_tables === true,
    published: lowerPublished(cx, raw.pubobjects),
    options: lowerOptions(cx, raw.options),
    at: cx.statementAt,
  };
}

export function lowerAlterPublication(cx: Lowering, raw: pg.AlterPublicationStmt): AlterPublication {
  const actions = { AP_AddObjects: 'add', AP_SetObjects: 'set', AP_DropObjects: 'drop' } as const;
  return {
    type: 'alterPublication',
    name: raw.pubname ?? '',
    action: raw.options !== undefined ? 'options' : actions[raw.action ?? 'AP_AddObjects'],
    published: lowerPublished(cx, raw.pubobjects),
    options: lowerOptions(cx, raw.options),
    at: cx.statementAt,
  };
}

function lowerPublished(cx: Lowering, nodes: pg.Node[] | undefined): Published {
  const out: Published = { tables: [], schemas: [] };
  for (const node of nodes ?? []) {
    const raw = bodyOf(node, 'PublicationObjSpec');
    if (raw.pubobjtype === 'PUBLICATIONOBJ_TABLES_IN_SCHEMA') out.schemas.push(raw.name ?? '');
    else if (raw.pubobjtype === 'PUBLICATIONOBJ_TABLES_IN_CUR_SCHEMA') out.schemas.push(null);
    else {
      const { relation, columns, whereClause } = raw.pubtable!;
      out.tables.push({
        name: lowerRelation(cx, relation!),
        only: relation!.inh !== true,
        columns: columns === undefined ? null : strings(columns),
        where: whereClause === undefined ? null : lowerExpression(cx, whereClause),
      });
    }
  }
  return out;
}
