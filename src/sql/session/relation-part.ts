/** Names of triggers and rules: the relation's, followed by their own. */
import type { ObjectName } from '../ast/define.ts';
import type { RelationName } from '../ast/query.ts';

export interface RelationPart {
  readonly relation: RelationName;
  readonly name: string;
}

export function relationPart({ name }: ObjectName, at: number): RelationPart {
  const schema = name.length > 2 ? name[name.length - 3] : null;
  return { relation: { catalog: null, schema, name: name[name.length - 2], at }, name: name[name.length - 1] };
}
