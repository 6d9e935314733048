/**
 * Whose code runs below the statement of a session: functions, triggers, and statements over what an agent has defined,
 * each with the owner that bounds it (`Schema.authorOf`), the outermost first.
 *
 *   statement of svc ──trigger of "ann"──► function of svc ──► …      runs with no more rights than "ann", all the way down
 *
 * Two rules follow. What acts beyond the world (roles, settings, agents, files …) is refused in code, unless all of it belongs to
 * whoever sent the statement. And code of an agent is *limited* wherever another runs it: it changes what the agent may change,
 * sees masked columns masked, reaches no files, is no superuser's, and leaves the session of its caller alone.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import { isAgentOwner } from '../../base/agent-owner.ts';
import { authorize, isMain } from '../../session/authorize.ts';
import type { World } from '../../worlds/world.ts';
import type { CatalogObject } from '../../worlds/definition.ts';
import type { Schema } from '../schema/schema.ts';
import { limitingPrincipal } from './limiting-principal.ts';
import type { Access } from './check-access.ts';
import type { SqlSession } from './sql-session.ts';

/** Objects that decide which function a text calls, though the text does not name it. */
const SYNTAX: ReadonlySet<CatalogObject['what']> = new Set(['operator', 'cast', 'operator class', 'operator family', 'family operator', 'family function']);

export class RunningCode {
  readonly #session: SqlSession;
  readonly #owners: number[] = [];
  /** The user of the statement itself; of nobody's concern while no code runs. */
  #outermost = 0;
  /** How many of the owners are agents other than the session's own. */
  #limits = 0;

  constructor(session: SqlSession) {
    this.#session = session;
  }

  /** Code of another agent runs. */
  get limited(): boolean {
    return this.#limits > 0;
  }

  /** Who answers for what is defined now: the innermost agent whose code runs, else the current user. */
  get author(): number {
    const { authority } = this.#session;
    if (this.#limits > 0) return this.#owners.findLast((each) => isAgentOwner(each) && each !== authority.ownOwner)!;
    return authority.owner;
  }

  /** The session runs a text over a state that nobody has approved: nothing in it acts beyond the world. */
  confined = false;

  get runs(): boolean {
    return this.confined || this.#owners.length > 0;
  }

  /** Whoever enters leaves, whatever comes in between. */
  enter(owner: number): void {
    const { authority } = this.#session;
    if (this.#owners.length === 0) this.#outermost = authority.owner;
    this.#owners.push(owner);
    if (isAgentOwner(owner) && owner !== authority.ownOwner) {
      this.#limits++;
      authority.renew();
      if (!this.#noted.has(owner)) this.#note(owner);
    }
  }

  /** Once a session: whoever looks at what an agent made is to know that its code runs. */
  #note(owner: number): void {
    this.#noted.add(owner);
    const name = this.#session.authority.nameOf(owner);
    this.#session.notice('00000', `code of agent "${name}" that nobody has approved runs here, with no more rights than the agent has`);
  }
  readonly #noted = new Set<number>();

  /** A statement begins: nothing runs below it yet. */
  reset(): void {
    if (this.#owners.length === 0) return;
    this.#owners.length = 0;
    this.#limits = 0;
    this.#session.authority.renew();
  }

  leave(): void {
    const owner = this.#owners.pop();
    if (owner === undefined) return;
    const { authority } = this.#session;
    if (isAgentOwner(owner) && owner !== authority.ownOwner) {
      this.#limits--;
      authority.renew();
    }
  }

  /** Runs what an object of this number holds. */
  inside<T>(object: number, run: () => T): T {
    this.enter(this.#session.schema().authorOf(object));
    try {
      return run();
    } finally {
      this.leave();
    }
  }

  /** Other agents' definitions among what a statement reads, writes and has taken in; null: none. */
  authorsOf(access: Access): readonly number[] | null {
    const schema = this.#session.schema();
    if (schema.authors.size === 0) return null;
    const known = authorsOf.get(access);
    if (known !== undefined && known.schema === schema) return known.authors;
    const found = new Set<number>();
    for (const { relation } of access.inlined === null ? access.relations : [...access.relations, ...access.inlined.relations]) {
      const author = schema.authors.get(relation);
      if (author !== undefined) found.add(author.by);
    }
    const authors = found.size === 0 ? null : [...found];
    authorsOf.set(access, { schema, authors });
    return authors;
  }

  during<T>(authors: readonly number[] | null, run: () => T): T {
    if (authors === null) return run();
    for (const author of authors) this.enter(author);
    try {
      return run();
    } finally {
      for (const _ of authors) this.leave();
    }
  }

  /** 42501 where the statement stands in code that is not all of whoever sent the outermost statement. */
  mustOwnAll(what: string): void {
    if (this.confined) throw new SvcError('42501', `permission denied: ${what} acts beyond the world, which nothing does that a merge check calls`);
    if (this.#owners.length === 0) return;
    const { authority } = this.#session;
    const schema = this.#session.schema();
    const roles = authority.roles.inherits(this.#outermost);
    const other = this.#owners.find((owner) => owner !== this.#outermost && !roles.has(owner)) ?? this.#syntaxOfOthers(schema);
    if (other === undefined) return;
    throw new SvcError('42501', `permission denied: ${what} acts beyond the world and stands in code of ${named(authority.nameOf(other))}`, {
      hint: `Run it as a statement of its own, or from code that belongs to ${named(authority.nameOf(this.#outermost))}.`,
    });
  }

  #syntaxOfOthers(schema: Schema): number | undefined {
    if (schema.authors.size === 0) return undefined;
    for (const { what, ...object } of schema.catalog.objects.values()) {
      if (!SYNTAX.has(what)) continue;
      const author = schema.authors.get((object as { number: number }).number);
      if (author !== undefined && author.by !== this.#outermost) return author.by;
    }
    return undefined;
  }

  /** 42501 where the world is `main` and an agent whose code runs may not change it. A fork holds whatever its code does. */
  authorizeChange(world: World): void {
    if (this.#limits === 0 || !isMain(world)) return;
    const { authority, host } = this.#session;
    for (const owner of new Set(this.#owners)) {
      if (!isAgentOwner(owner) || owner === authority.ownOwner) continue;
      authorize(limitingPrincipal(host.context.agents, owner, authority.nameOf(owner)), { what: 'change', world, as: 'change, by code that others run,' });
    }
  }

  /** 42501 in code of another agent, which leaves the session that it runs in as it is. */
  mustNotBeLimited(what: string): void {
    if (this.#limits === 0) return;
    const { authority } = this.#session;
    const owner = this.#owners.find((each) => isAgentOwner(each) && each !== authority.ownOwner)!;
    throw new SvcError('42501', `permission denied: code of ${named(authority.nameOf(owner))} may not ${what}`, {
      hint: 'A person takes the code over by merging the world that it was defined in, or with ALTER … OWNER TO CURRENT_USER.',
    });
  }
}

const authorsOf = new WeakMap<Access, { readonly schema: Schema; readonly authors: readonly number[] | null }>();

function named(name: string): string {
  return `"${name}"`;
}
