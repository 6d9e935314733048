/** PARTITION BY and FOR VALUES. */
import type * as pg from '@pgsql/types';
import type { PartitionBound, PartitionKey, RangeDatum } from '../ast/define.ts';
import { lowerExpression, lowerList, lowerOptional } from './lower-expression.ts';
import { bodyOf, stringsOrNull, type Lowering } from './lowering.ts';

export function lowerPartitionKey(cx: Lowering, raw: pg.PartitionSpec | undefined): PartitionKey | null {
  if (raw === undefined) return null;
  const strategies = { PARTITION_STRATEGY_LIST: 'list', PARTITION_STRATEGY_RANGE: 'range', PARTITION_STRATEGY_HASH: 'hash' } as const;
  return {
    strategy: strategies[raw.strategy ?? 'PARTITION_STRATEGY_LIST'],
    elements: (raw.partParams ?? []).map((node) => {
      const element = bodyOf(node, 'PartitionElem');
      return {
        column: element.name ?? null,
        value: lowerOptional(cx, element.expr),
        collation: stringsOrNull(element.collation),
        operatorClass: stringsOrNull(element.opclass),
        at: cx.at(element.location),
      };
    }),
    at: cx.at(raw.location),
  };
}

export function lowerPartitionBound(cx: Lowering, raw: pg.PartitionBoundSpec): PartitionBound {
  const at = cx.at(raw.location);
  if (raw.is_default === true) return { type: 'default', at };
  switch (raw.strategy) {
    case 'h':
      return { type: 'hash', modulus: raw.modulus ?? 0, remainder: raw.remainder ?? 0, at };
    case 'l':
      return { type: 'list', values: lowerList(cx, raw.listdatums), at };
    default:
      return { type: 'range', from: lowerDatums(cx, raw.lowerdatums), to: lowerDatums(cx, raw.upperdatums), at };
  }
}

/** MINVALUE and MAXVALUE are represented as columns of those names. */
function lowerDatums(cx: Lowering, nodes: pg.Node[] | undefined): RangeDatum[] {
  return (nodes ?? []).map((node) => {
    const value = lowerExpression(cx, node);
    if (value.type === 'column' && value.parts.length === 1 && !value.star) {
      if (value.parts[0] === 'minvalue') return { type: 'minValue' };
      if (value.parts[0] === 'maxvalue') return { type: 'maxValue' };
    }
    return { type: 'value', value };
  });
}
