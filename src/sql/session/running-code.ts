/**
 * The code that runs below a session's statement: functions, triggers, and statements over definitions of agents, each with the
 * owner that limits it (`Schema.authorOf`), outermost first.
 *
 *   statement of svc ──trigger of "ann"──► function of svc ──► …      runs with no more rights than "ann", all the way down
 *
 * Two rules follow. Actions beyond the world (roles, settings, agents, files …) are refused in code, unless all of it belongs to the
 * sender of the statement. And code of an agent is *limited* when another user runs it: it changes what the agent may change, sees
 * masked columns masked, reaches no files, never acts as a superuser, and leaves its caller's session alone.
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

/** Objects that decide which function a text calls without being named in it. */
const SYNTAX: ReadonlySet<CatalogObject['what']> = new Set(['operator', 'cast', 'operator class', 'operator family', 'family operator', 'family function']);

export class RunningCode {
  readonly #session: SqlSession;
  readonly #owners: number[] = [];
  /** The user of the statement itself; unused while no code runs. */
  #outermost = 0;
  /** Number of owners that are agents other than the session's own. */
  #limits = 0;

  constructor(session: SqlSession) {
    this.#session = session;
  }

  /** Code of another agent is running. */
  get limited(): boolean {
    return this.#limits > 0;
  }

  /** The author of definitions made now: the innermost agent whose code runs, else the current user. */
  get author(): number {
    const { authority } = this.#session;
    if (this.#limits > 0) return this.#owners.findLast((each) => isAgentOwner(each) && each !== authority.ownOwner)!;
    return authority.owner;
  }

  /** The session runs over a state that is not approved: nothing may act beyond the world. */
  confined = false;

  get runs(): boolean {
    return this.confined || this.#owners.length > 0;
  }

  /** Each enter needs a leave, in a finally. */
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

  /** Reported once per session, so that a user of an agent's objects knows that its code runs. */
  #note(owner: number): void {
    this.#noted.add(owner);
    const name = this.#session.authority.nameOf(owner);
    this.#session.notice('00000', `code of agent "${name}" that has not been approved runs here, with no more rights than the agent has`);
  }
  readonly #noted = new Set<number>();

  /** A new statement begins. */
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

  /** Runs the code of the object with this number. */
  inside<T>(object: number, run: () => T): T {
    this.enter(this.#session.schema().authorOf(object));
    try {
      return run();
    } finally {
      this.leave();
    }
  }

  /** Other agents whose definitions a statement reads, writes or inlines; null: none. */
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

  /** 42501 if some of the running code does not belong to the sender of the outermost statement. */
  mustOwnAll(what: string): void {
    if (this.confined) throw new SvcError('42501', `permission denied: ${what} acts beyond the world, which nothing does that a merge check calls`);
    if (this.#owners.length === 0) return;
    const { authority } = this.#session;
    const schema = this.#session.schema();
    const roles = authority.roles.inherits(this.#outermost);
    const other = this.#owners.find((owner) => owner !== this.#outermost && !roles.has(owner)) ?? this.#syntaxOfOthers(schema);
    if (other === undefined) return;
    throw new SvcError('42501', `permission denied: ${what} acts beyond the world and is called in code of ${named(authority.nameOf(other))}`, {
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

  /** 42501 if the world is `main` and an agent whose code runs may not change it. A fork keeps all changes of its code. */
  authorizeChange(world: World): void {
    if (this.#limits === 0 || !isMain(world)) return;
    const { authority, host } = this.#session;
    for (const owner of new Set(this.#owners)) {
      if (!isAgentOwner(owner) || owner === authority.ownOwner) continue;
      authorize(limitingPrincipal(host.context.state.agents, owner, authority.nameOf(owner)), {
        what: 'change',
        world,
        as: 'change, by code that others run,',
      });
    }
  }

  /** 42501 in code of another agent, which must not change its caller's session. */
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
