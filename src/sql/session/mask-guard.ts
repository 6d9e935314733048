/**
 * Functions that receive unmasked values: those in masks, and in checks, defaults, indexes, partition keys and policies of tables
 * with masked columns. A user who sees masks may neither create nor change a function of such a name, which would reveal the values.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Masks } from '../../worlds/masks.ts';
import type { Catalog } from '../../worlds/catalog.ts';
import { mentions } from '../../worlds/merge/definition-names.ts';
import type { SqlSession } from './sql-session.ts';

export function mustNotBeGivenMasked(session: SqlSession, name: string): void {
  if (session.authority.unmasked) return;
  const texts = textsOf(session.schema().catalog, session.masks());
  if (texts === '' || !mentions(texts, name, 'i')) return;
  throw new SvcError('42501', `permission denied for function ${name}: it is given values of masked columns`, {
    hint: 'Only a role that sees the masked columns may define this.',
  });
}

const known = new WeakMap<Masks, string>();

/** All such texts, one per line. */
function textsOf(catalog: Catalog, masks: Masks): string {
  if (masks.columns.size === 0) return '';
  let text = known.get(masks);
  if (text === undefined) known.set(masks, (text = make(catalog, masks)));
  return text;
}

function make(catalog: Catalog, { columns }: Masks): string {
  const tables = new Set([...columns.keys()].map((key) => Number(key.slice(0, key.indexOf('.')))));
  const out: (string | null)[] = [...columns.values()];
  for (const object of catalog.objects.values()) {
    switch (object.what) {
      case 'domain':
        for (const { condition } of object.checks) out.push(condition);
        break;
      case 'relation':
        if (tables.has(object.number)) for (const { expression } of object.partitionBy?.elements ?? []) out.push(expression);
        break;
      case 'attribute':
        if (tables.has(object.table)) out.push(object.default, object.generated);
        break;
      case 'check':
        if (tables.has(object.table)) out.push(object.condition);
        break;
      case 'index':
        if (tables.has(object.table)) out.push(object.where, ...object.columns.map(({ expression }) => expression));
        break;
      case 'policy':
        if (tables.has(object.table)) out.push(object.using, object.check);
        break;
      case 'rule':
        if (tables.has(object.table)) out.push(object.where, ...object.actions);
        break;
      case 'trigger':
        if (tables.has(object.table)) out.push(object.when);
        break;
      default:
    }
  }
  return out.filter((each) => each !== null).join('\n');
}
