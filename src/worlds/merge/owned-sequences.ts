/**
 * A column's sequence stands in the schema of its table and has its owner, as in Postgres. One side moves the table or gives it away, the other
 * makes the sequence: together they are out of step.
 */
import type { CatalogObject, RelationObject, RightsObject } from '../definition.ts';
import { OWNER_ROLE } from '../../identity/roles.ts';
import { rightsKey, tableDefinitionKey } from '../kinds/keys.ts';
import type { SequenceObject } from '../kinds/sequence.ts';
import { definitionKey } from '../definition.ts';

export interface StrayedSequence {
  readonly key: string;
  readonly sequence: SequenceObject;
  readonly table: RelationObject;
}

/** Sequences of columns in another schema than their table. */
export function* strayedSequences(objects: ReadonlyMap<string, CatalogObject>): Generator<StrayedSequence> {
  for (const owned of ownedSequences(objects)) if (owned.sequence.schema !== owned.table.schema) yield owned;
}

/** Owners of sequences, and privileges on them, as their tables' owners make them; undefined: the row goes. */
export function ownersOfSequences(objects: ReadonlyMap<string, CatalogObject>): Map<string, CatalogObject | undefined> {
  const out = new Map<string, CatalogObject | undefined>();
  for (const { sequence, table } of ownedSequences(objects)) {
    const key = rightsKey(sequence.number);
    const own = rightsAt(objects, key);
    const [was, is] = [own?.owner ?? OWNER_ROLE, rightsAt(objects, rightsKey(table.number))?.owner ?? OWNER_ROLE];
    if (was === is) continue;
    out.set(key, { what: 'rights', object: sequence.number, owner: is, explicit: own?.explicit ?? false });
    for (const [held, grant] of objects) {
      if (grant.what !== 'grant' || grant.object !== sequence.number) continue;
      const next = { ...grant, grantee: grant.grantee === was ? is : grant.grantee, grantor: grant.grantor === was ? is : grant.grantor };
      out.set(held, undefined);
      out.set(definitionKey(next), next);
    }
  }
  return out;
}

function* ownedSequences(objects: ReadonlyMap<string, CatalogObject>): Generator<StrayedSequence> {
  for (const [key, sequence] of objects) {
    if (sequence.what !== 'sequence' || sequence.ownedBy === null) continue;
    const table = objects.get(tableDefinitionKey(sequence.ownedBy.table));
    if (table?.what === 'relation') yield { key, sequence, table };
  }
}

function rightsAt(objects: ReadonlyMap<string, CatalogObject>, key: string): RightsObject | undefined {
  const found = objects.get(key);
  return found?.what === 'rights' ? found : undefined;
}
