/**
 * Who answers for what a statement defines. A role owns what it makes, as in Postgres. What an agent makes is the agent's own, and
 * what it changes of others' keeps its owner and has the agent as its author, until a person approves: by merging the world,
 * by defining it anew, or by becoming its owner. Code of an agent that a person runs defines as the agent.
 */
import { isAgentOwner } from '../../base/agent-owner.ts';
import type { Ddl } from '../schema/ddl.ts';
import type { Schema } from '../schema/schema.ts';
import { ownedObjects } from './owned-objects.ts';
import type { SqlSession } from './sql-session.ts';

export function putAuthors(session: SqlSession, ddl: Ddl, before: Schema): void {
  const by = session.code.author;
  if (!isAgentOwner(by)) {
    if (before.authors.size > 0) for (const number of ddl.wholeCode) removeAuthor(ddl, number);
    return;
  }
  ddl.end();
  const { schema } = ddl;
  const known = new Set<number>();
  for (const { number } of ownedObjects(before)) known.add(number);
  const name = session.authority.nameOf(by);
  const mark = (object: number): void => {
    if (schema.authors.get(object)?.by !== by) ddl.put({ what: 'author', object, by, name });
  };
  for (const { number } of ownedObjects(schema)) if (!known.has(number)) mark(number);
  for (const number of ddl.codeHolders) if (isDefined(schema, number)) mark(number);
}

/** The statement may have dropped it again. */
function isDefined(schema: Schema, number: number): boolean {
  return schema.catalog.numbers.has(number);
}

export function removeAuthor(ddl: Ddl, object: number): void {
  const known = ddl.schema.authors.get(object);
  if (known !== undefined) ddl.remove(known);
}
