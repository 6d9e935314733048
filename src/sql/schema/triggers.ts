/** CREATE, ALTER and DROP of triggers as definitions. Row triggers of a partitioned table have a copy on each partition. */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { TriggerObject } from '../../worlds/definition.ts';
import type { Ddl } from './ddl.ts';
import { isPartitioned } from './partitions.ts';
import type { SqlTable } from './table.ts';

export type TriggerSpec = Omit<TriggerObject, 'what' | 'number' | 'parent'>;

export function triggerNamed(ddl: Ddl, table: number, name: string): TriggerObject | undefined {
  return ddl.schema.triggers(table).find((trigger) => trigger.name === name);
}

export function createTrigger(ddl: Ddl, on: string, spec: TriggerSpec, replace: boolean): void {
  const known = triggerNamed(ddl, spec.table, spec.name);
  if (known !== undefined) {
    if (!replace) throw new SvcError('42710', `trigger "${spec.name}" for relation "${on}" already exists`);
    if (known.parent !== undefined) throw new SvcError('42710', `trigger "${spec.name}" for relation "${on}" is an internal or a child trigger`);
    if (known.constraint !== undefined) throw new SvcError('42710', `trigger "${spec.name}" for relation "${on}" is a constraint trigger`);
    removeParts(ddl, known.number);
  }
  ddl.definedTable(spec.table);
  const object: TriggerObject = { what: 'trigger', number: known?.number ?? 0, ...spec };
  if (known === undefined) object.number = ddl.numberFor(object);
  ddl.put(object);
  const table = ddl.schema.tables.get(spec.table);
  if (table !== undefined && object.row && isPartitioned(table)) for (const child of ddl.schema.children(table.number)) givePart(ddl, object, table, child);
}

/** The copy of a partitioned table's trigger on a partition, and on those below. */
function givePart(ddl: Ddl, object: TriggerObject, parent: SqlTable, child: SqlTable): void {
  if (ddl.schema.triggers(child.number).some((each) => each.name === object.name)) {
    throw new SvcError('42710', `trigger "${object.name}" for relation "${child.name}" already exists`);
  }
  const columns = object.columns.map((number) => {
    const { name } = parent.columns.find((column) => column.number === number)!;
    return child.columns.find((column) => column.name === name)!.number;
  });
  const part: TriggerObject = { ...object, number: 0, table: child.number, columns, parent: object.number };
  part.number = ddl.numberFor(part);
  ddl.put(part);
  if (isPartitioned(child)) for (const below of ddl.schema.children(child.number)) givePart(ddl, part, child, below);
}

/** A new partition gets its parent's row triggers. */
export function giveTriggers(ddl: Ddl, parent: SqlTable, child: SqlTable): void {
  for (const object of ddl.schema.triggers(parent.number)) if (object.row) givePart(ddl, object, parent, child);
}

/** A detached partition loses them. */
export function takeTriggers(ddl: Ddl, child: number): void {
  for (const object of ddl.schema.triggers(child)) {
    if (object.parent === undefined) continue;
    removeParts(ddl, object.number);
    ddl.remove(object);
  }
}

function removeParts(ddl: Ddl, number: number): void {
  for (const part of partsOf(ddl, number)) {
    removeParts(ddl, part.number);
    ddl.remove(part);
  }
}

export function partsOf(ddl: Ddl, number: number): TriggerObject[] {
  return [...ddl.definitions.values()].filter((object): object is TriggerObject => object.what === 'trigger' && object.parent === number);
}

/** Changes a trigger and its copies. */
export function changeTrigger(ddl: Ddl, object: TriggerObject, change: (object: TriggerObject) => TriggerObject, below = true): void {
  if (below) for (const part of partsOf(ddl, object.number)) changeTrigger(ddl, part, change);
  ddl.put(change(object));
}
