/**
 * The roles that statements of a session run as (manual, SET SESSION AUTHORIZATION, SET ROLE):
 *
 *   login ──SET SESSION AUTHORIZATION──► session user ──SET ROLE──► current user
 *
 * Agents and the guest are not roles: their capabilities are checked instead of privileges on objects, and they see masked columns
 * masked. The database's own user is a superuser. A principal's `sight` takes precedence over both.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import { isAgentOwner } from '../../base/agent-owner.ts';
import { OWNER_ROLE, plainRole, type Role, roleKey, type RoleRow, Roles, UNMASK_ROLE } from '../../identity/roles.ts';
import { may } from '../../session/authorize.ts';
import { actorName, seesSecrets } from '../../session/principal.ts';
import { ownerOfPrincipal } from '../../session/principal-owner.ts';
import type { Role as RoleName } from '../ast/define.ts';
import { Privileges } from '../schema/privileges.ts';
import type { Schema } from '../schema/schema.ts';
import { maySetParameter } from './parameter-rights.ts';
import type { SqlSession } from './sql-session.ts';

/** Not a role: an agent or the guest. */
export const OUTSIDER = 0;

/** The role that a statement runs as, with the roles that it was looked up in: a new object whenever either changes. */
export interface Standing {
  /** `OUTSIDER` for agents and the guest. */
  readonly role: number;
  readonly roles: Roles;
  readonly superuser: boolean;
  /** Privileges on objects are not checked. */
  readonly free: boolean;
}

export class Authority {
  readonly #session: SqlSession;
  /** Oid of the role that logged in. */
  readonly login: number;
  /** Oid under which an agent, the guest or a session in safe mode owns what it creates; null if a role owns it. */
  readonly ownOwner: number | null;
  readonly #loginName: string;
  #settingsVersion = -1;
  #ofRoles: Roles | null = null;
  #sessionUser = OUTSIDER;
  #standing: Standing | null = null;
  /** By role, for the last state of roles. */
  readonly #standings = new Map<number, Standing>();
  #unmasked = false;
  #plainKey = '';
  #maskedKey = '';
  #securedKey = '';
  #rowSecurityOff = false;
  #staged: ReadonlyMap<string, RoleRow | null> | null = null;
  #stagedRoles: Roles | null = null;
  #stagedOver: Roles | null = null;
  #privileges: Privileges | null = null;
  /** The state of roles in which the login role was found. */
  #aliveIn: Roles | null = null;
  /** The owner of the SECURITY DEFINER function that is running, or null. */
  #acting: number | null = null;

  constructor(session: SqlSession) {
    this.#session = session;
    const { principal } = session;
    switch (principal.kind) {
      case 'owner':
      case 'system':
        this.login = OWNER_ROLE;
        break;
      case 'role':
        this.login = principal.oid;
        break;
      default:
        this.login = OUTSIDER;
    }
    this.ownOwner = ownerOfPrincipal(principal);
    this.#loginName = principal.kind === 'role' ? principal.name : actorName(principal);
    session.settings.mustBeOpen = () => session.code.mustNotBeLimited('change settings of the session that runs it');
    session.settings.privileged = (name) => this.#refresh().free || maySetParameter(this.roles, this.role, name);
    session.settings.guard = (name, value, local) => {
      if (this.#acting !== null) throw new SvcError('42501', `cannot set parameter "${name}" within security-definer function`);
      if (name === 'role') this.#checkRole(value);
      else {
        this.#checkSessionAuthorization(value);
        session.settings.set('role', null, local);
      }
    };
  }

  /** Roles as the session's transaction sees them. */
  get roles(): Roles {
    const { current } = this.#session.host.context.state.roles;
    const staged = this.#session.transaction?.roleRows ?? null;
    if (staged === null || staged.size === 0) return current;
    if (this.#staged !== staged || this.#stagedOver !== current) {
      this.#staged = staged;
      this.#stagedOver = current;
      this.#stagedRoles = current.with(staged);
    }
    return this.#stagedRoles!;
  }

  #refresh(): Standing {
    const { settings } = this.#session;
    const { roles } = this;
    if (this.#settingsVersion === settings.version && this.#ofRoles === roles) return this.#standing!;
    return this.#renew(settings, roles);
  }

  #renew(settings: SqlSession['settings'], roles: Roles): Standing {
    this.#settingsVersion = settings.version;
    this.#ofRoles = roles;
    const authorization = settings.get('session_authorization')!;
    this.#sessionUser = authorization === 'default' ? this.login : (roles.byName(authorization)?.oid ?? this.login);
    const role = settings.get('role')!;
    const asked = role === 'none' ? this.#sessionUser : (roles.byName(role)?.oid ?? this.#sessionUser);
    const current = this.#acting ?? asked;
    if (this.#standing?.roles !== roles) this.#standings.clear();
    let standing = this.#standings.get(current);
    if (standing === undefined) {
      const superuser = current !== OUTSIDER && roles.isSuperuser(current);
      standing = { role: current, roles, superuser, free: superuser || current === OUTSIDER || isAgentOwner(current) };
      this.#standings.set(current, standing);
    }
    const { limited } = this.#session.code;
    if (limited && standing.superuser) standing = { ...standing, superuser: false };
    this.#standing = standing;
    const key = current === OUTSIDER ? '' : `${current}.${roles.version}`;
    this.#plainKey = key;
    const { sight } = this.#session.principal;
    // Masks follow the caller, through views and functions too, since an agent may have created those.
    this.#unmasked = limited
      ? false
      : sight === undefined
        ? asked !== OUTSIDER && (roles.isSuperuser(asked) || roles.hasRightsOf(asked, UNMASK_ROLE))
        : sight === 'whole';
    this.#maskedKey = this.#unmasked ? key : `masked${key}`;
    this.#rowSecurityOff = settings.get('row_security') === 'off';
    this.#securedKey = `${this.#unmasked ? '' : 'masked'}${current}.${roles.version}${this.#rowSecurityOff ? 'off' : ''}`;
    return this.#standing!;
  }

  /** Queries that policies would filter are refused instead. */
  get rowSecurityOff(): boolean {
    this.#refresh();
    return this.#rowSecurityOff;
  }

  get standing(): Standing {
    return this.#refresh();
  }

  /** Called when code of another owner starts or ends. */
  renew(): void {
    this.#settingsVersion = -1;
  }

  /** Runs a function as the owner of a SECURITY DEFINER function. Agents and the guest stay what they are. */
  actingAs<T>(owner: number, run: () => T): T {
    if (this.login === OUTSIDER) return run();
    const before = this.#acting;
    this.#acting = owner;
    this.#settingsVersion = -1;
    try {
      return run();
    } finally {
      this.#acting = before;
      this.#settingsVersion = -1;
    }
  }

  /** Oid of the role that statements run as; `OUTSIDER` for agents and the guest. */
  get role(): number {
    return this.#refresh().role;
  }

  get sessionUser(): number {
    this.#refresh();
    return this.#sessionUser;
  }

  get superuser(): boolean {
    return this.#refresh().superuser;
  }

  /** Privileges on objects are not checked. */
  get free(): boolean {
    return this.#refresh().free;
  }

  /** May read stored passwords, if its privileges allow. */
  get secrets(): boolean {
    return seesSecrets(this.#session.principal) && !this.#session.code.limited;
  }

  /** Sees the values of masked columns. */
  get unmasked(): boolean {
    this.#refresh();
    return this.#unmasked;
  }

  /** The owner of objects that the session creates: a role, or an agent under an oid that no role has. */
  get owner(): number {
    const { role } = this;
    return role === OUTSIDER ? (this.ownOwner ?? OWNER_ROLE) : role;
  }

  /** An agent without administrator rights, the guest, or a session in safe mode: it may neither take nor transfer ownership. */
  get actsForItselfAlone(): boolean {
    return this.ownOwner !== null && !may(this.#session.principal, 'admin');
  }

  /** The grantor of privileges. Agents grant in the name of the database's own user. */
  get grantor(): number {
    const { role } = this;
    return role === OUTSIDER ? OWNER_ROLE : role;
  }

  nameOf(oid: number): string {
    const known = this.roles.byOid(oid);
    if (known !== null) return known.name;
    if (oid === this.ownOwner && this.#loginName === '') return 'safe_mode';
    if (oid === OUTSIDER || oid === this.login || oid === this.ownOwner) return this.#loginName;
    return (isAgentOwner(oid) ? this.#session.schema().agentOwners.get(oid) : undefined) ?? `unknown (OID=${oid})`;
  }

  /** Roles together with the agents that own objects in the world, for lists of owners. */
  get rolesAndAgents(): Roles {
    const { roles } = this;
    const { agentOwners } = this.#session.schema();
    if (agentOwners.size === 0) return roles;
    if (this.#allOf !== roles || this.#allWith !== agentOwners) {
      this.#allOf = roles;
      this.#allWith = agentOwners;
      this.#all = roles.with(new Map([...agentOwners].map(([oid, name]) => [roleKey(oid), { what: 'role', ...plainRole(oid, name), login: true }])));
    }
    return this.#all!;
  }
  #all: Roles | null = null;
  #allOf: Roles | null = null;
  #allWith: ReadonlyMap<number, string> | null = null;

  get currentUser(): string {
    return this.nameOf(this.role);
  }

  get sessionUserName(): string {
    return this.nameOf(this.sessionUser);
  }

  /** What plans depend on besides schema and settings: the schemas that are visible, masked columns, policies. */
  planKey(schema: Schema, today: Schema): string {
    const { superuser } = this.#refresh();
    // Policies apply to owners of views, too: a superuser's plans depend on the rights of every role.
    if (schema.securesRows || today.securesRows) return this.#securedKey;
    const labelled = schema.labels.size > 0 || today.labels.size > 0;
    if (superuser && (this.#unmasked || !labelled)) return '';
    return labelled ? this.#maskedKey : this.#plainKey;
  }

  privileges(schema: Schema): Privileges {
    const { roles } = this;
    if (this.#privileges === null || this.#privileges.schema !== schema || this.#privileges.roles !== roles) this.#privileges = new Privileges(schema, roles);
    return this.#privileges;
  }

  /** Settings that sessions of the role start with in a world (ALTER ROLE … SET, ALTER DATABASE … SET). */
  defaults(database: number): readonly string[] {
    return this.roles.settingsFor(database, this.login);
  }

  /** 28000 if the login role was dropped. */
  checkAlive(): void {
    if (this.login === OUTSIDER || this.login === OWNER_ROLE) return;
    const { roles } = this;
    if (roles === this.#aliveIn) return;
    if (roles.byOid(this.login) !== null) {
      this.#aliveIn = roles;
      return;
    }
    throw new SvcError('28000', `role "${this.#loginName}" was dropped`);
  }

  // --- names of roles in statements

  find(name: string): Role {
    const role = this.roles.byName(name);
    if (role === null) throw new SvcError('42704', `role "${name}" does not exist`);
    return role;
  }

  /** Oid of a role as written; PUBLIC is accepted only if `publicRole` is its number. */
  named({ kind, name }: RoleName, publicRole: number | null = null): number {
    switch (kind) {
      case 'named':
        // An agent is not a role, but may name itself as the owner of what it creates.
        return this.ownOwner !== null && name === this.#loginName && this.roles.byName(name) === null ? this.ownOwner : this.find(name!).oid;
      case 'currentRole':
      case 'currentUser':
        return this.owner;
      case 'sessionUser':
        return this.sessionUser === OUTSIDER ? this.owner : this.sessionUser;
      case 'public':
        if (publicRole !== null) return publicRole;
        throw new SvcError('42704', 'role "public" does not exist');
    }
  }

  /** SET ROLE. */
  #checkRole(name: string): void {
    if (name === 'none') return;
    const role = this.roles.byName(name);
    if (this.login === OUTSIDER) {
      if (name === this.#loginName) return;
      throw new SvcError('42501', `permission denied to set role "${name}"`, { detail: 'Agents are no roles.' });
    }
    if (role === null) throw new SvcError('22023', `role "${name}" does not exist`);
    if (!this.roles.isMemberOf(this.sessionUser, role.oid)) throw new SvcError('42501', `permission denied to set role "${name}"`);
  }

  /** SET SESSION AUTHORIZATION. */
  #checkSessionAuthorization(name: string): void {
    if (name === 'default') return;
    if (this.login === OUTSIDER) {
      if (name === this.#loginName) return;
      throw new SvcError('42501', 'permission denied to set session authorization');
    }
    const role = this.roles.byName(name);
    if (role === null) throw new SvcError('22023', `role "${name}" does not exist`);
    if (role.oid !== this.login && !this.roles.isSuperuser(this.login)) throw new SvcError('42501', 'permission denied to set session authorization');
  }
}
