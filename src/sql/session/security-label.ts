/** SECURITY LABEL FOR anon ON COLUMN: sets the mask of a column. */
import { publicName } from '../../worlds/catalog.ts';
import { identitiesOf } from '../../worlds/masks.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import type { SecurityLabel } from '../ast/define.ts';
import { bindExpression } from '../bind/expression.ts';
import { Scope } from '../bind/scope.ts';
import { binderOf } from './define-table.ts';
import { define, tableNamed } from './define.ts';
import { maskExpression } from './mask-label.ts';
import { mustOwnTable, mustSeeColumns } from './ownership.ts';
import { done, type StatementResult } from './results.ts';
import type { SqlSession } from './sql-session.ts';

export function runSecurityLabel(session: SqlSession, { provider, kind, object, label, at }: SecurityLabel): StatementResult {
  session.startStatement();
  if (provider !== null && provider !== 'anon') throw new SvcError('22023', `security label provider "${provider}" is not loaded`);
  if (kind === 'role') {
    const role = session.authority.find(object.name[0]);
    if (label !== null && /^\s*masked\s*$/i.test(label)) return done('SECURITY LABEL');
    throw new SvcError('0A000', `role "${role.name}" is masked unless it is granted unmask`, { hint: `GRANT unmask TO ${role.name}` });
  }
  if (kind !== 'column') throw new SvcError('0A000', `security labels on a ${kind} are not supported: only columns are masked`, { position: at + 1 });
  const parts = object.name.slice(0, -1);
  const name = object.name[object.name.length - 1];
  const table = tableNamed(session, { catalog: null, schema: parts.length > 1 ? parts[parts.length - 2] : null, name: parts[parts.length - 1], at });
  mustOwnTable(session, table);
  const column = table.columns.find((each) => each.name === name);
  if (column === undefined) throw new SvcError('42703', `column "${name}" of relation "${table.name}" does not exist`);
  // A user who sees masked values may not remove the mask.
  mustSeeColumns(session, table, [column]);
  if (label !== null) {
    const binder = binderOf(session);
    binder.masking = true;
    binder.stored = true;
    binder.home = table.schema;
    const scope = new Scope(null);
    const columns = table.columns.map((each) => ({ name: each.name, value: binder.use(binder.column(each.name, each.type, each.typmod)) }));
    scope.namespace = { relations: [{ alias: table.name, schema: table.schema, columns, table, system: [] }], columns };
    // It must be a valid value of the column, or no row could be shown.
    const value = bindExpression(binder, maskExpression(label), scope);
    if (scope.level.aggregates.length > 0) throw new SvcError('42803', 'aggregate functions are not allowed in masks');
    if (binder.coercion.tryCoerce(value, column.type, column.typmod, 'assignment', 0) === null) {
      throw new SvcError('42804', `column "${name}" is of type ${column.type.title} but its mask is of type ${binder.coercion.typeOf(value).title}`);
    }
  }
  return define(session, 'SECURITY LABEL', (ddl) => {
    const own = { what: 'label' as const, object: table.number, attnum: column.attnum, text: label ?? '' };
    if (label !== null) return ddl.put(own);
    ddl.remove(own);
    // The mask of a dropped column of the same name would apply to this one.
    const same = new Set(identitiesOf({ number: table.number, name: publicName(table.schema, table.name) }, column));
    const former = [...ddl.definitions.values()].filter((each) => each.what === 'former label');
    for (const each of former) {
      const identities = identitiesOf({ number: each.object, name: each.relation }, { number: each.columnNumber, name: each.column });
      if (identities.some((identity) => same.has(identity))) ddl.remove(each);
    }
  });
}
