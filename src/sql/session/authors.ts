/**
 * Ownership and authorship of what a statement defines. A role owns what it creates, as in Postgres. An agent owns what it creates;
 * when it changes an object of another owner, the owner stays and the agent is recorded as author until a person approves: by
 * merging the world, by replacing the function or view, or by becoming its owner. Agent code that a person runs defines as the
 * agent.
 */
import { isAgentOwner } from '../../base/agent-owner.ts';
import type { Ddl } from '../schema/ddl.ts';
import { removeAuthor } from '../schema/rights.ts';
import { objectNumbered } from './owned-objects.ts';
import { passTo } from './owners.ts';
import type { SqlSession } from './sql-session.ts';

/** `made`: numbers of the objects that the statement created. */
export function putAuthors(session: SqlSession, ddl: Ddl, made: readonly number[]): void {
  const by = session.code.author;
  if (!isAgentOwner(by)) return takeOver(ddl, by);
  ddl.end();
  const { schema } = ddl;
  const name = session.authority.nameOf(by);
  for (const object of new Set([...made, ...ddl.codeHolders])) {
    // The statement may have dropped it since.
    if (schema.catalog.numbers.has(object) && schema.authors.get(object)?.by !== by) ddl.put({ what: 'author', object, by, name });
  }
}

/** A person who replaces an object becomes its author. */
function takeOver(ddl: Ddl, person: number): void {
  if (ddl.rewritten.size === 0 || ddl.schema.authors.size === 0) return;
  for (const number of ddl.rewritten) {
    if (isAgentOwner(ddl.schema.ownerOf(number))) passTo(ddl, objectNumbered(ddl.schema, number)!, person);
    else removeAuthor(ddl, number);
  }
}
