/**
 * CREATE, ALTER and DROP SUBSCRIPTION. Catalog-only, so that dumps load: no publisher is ever contacted, which is reported as
 * Postgres reports one that does not answer. Manual, CREATE SUBSCRIPTION.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { SubscriptionObject } from '../../worlds/definition.ts';
import type { AlterSubscription, CreateSubscription, ObjectName, Option } from '../ast/define.ts';
import type { Ddl } from '../schema/ddl.ts';
import { checkConnectionString } from './connection-string.ts';
import { isTrue, textOf } from './definition-options.ts';
import { define } from './define.ts';
import { mustBeSuperuser } from './ownership.ts';
import type { StatementResult } from './results.ts';
import type { SqlSession } from './sql-session.ts';
import { dropUnscoped, findUnscoped, ownUnscoped, refuseTaken } from './unscoped-objects.ts';

export function runCreateSubscription(session: SqlSession, statement: CreateSubscription): StatementResult {
  session.startStatement();
  const { name, connection, publications } = statement;
  const given = parametersOf(statement.options, CREATE);
  if (given.slot === null) refuseWithoutSlot(given);
  if (given.connect && given.createSlot) mustStandAlone(session, 'CREATE SUBSCRIPTION ... WITH (create_slot = true)');
  mustBeSuperuser(session, 'must be superuser to create subscriptions');
  return define(session, 'CREATE SUBSCRIPTION', (ddl) => {
    refuseTaken(ddl.schema, 'subscription', name);
    checkConnectionString(connection);
    refuseTwice(publications);
    if (given.connect)
      throw unreachable('could not connect to the publisher', 'To write the subscription down, use CREATE SUBSCRIPTION … WITH (connect = false).');
    const { enabled, binary = false, streaming = false, twoPhase = false, disableOnError = false, commit = 'off' } = given;
    const slot = given.slot === undefined ? name : given.slot;
    const stated = { slot, enabled, binary, streaming, twoPhase, disableOnError, commit };
    const object: SubscriptionObject = { what: 'subscription', number: 0, name, connection, publications, ...stated, skip: NOWHERE };
    object.number = ddl.numberFor(object);
    ddl.put(object);
    session.sendNotice({
      severity: 'WARNING',
      code: '01000',
      message: 'tables were not subscribed, you will have to run ALTER SUBSCRIPTION ... REFRESH PUBLICATION to subscribe the tables',
    });
  });
}

const NOWHERE = '0/0';

/** 08006. */
function unreachable(what: string, hint: string): SvcError {
  return new SvcError('08006', `${what}: this server does not connect to others`, { hint });
}

function mustStandAlone(session: SqlSession, what: string): void {
  if (session.isMultiStatement || session.transaction?.explicit === true) throw new SvcError('25001', `${what} cannot run inside a transaction block`);
}

/** 42710. */
function refuseTwice(publications: readonly string[]): void {
  const twice = publications.find((each, i) => publications.indexOf(each) !== i);
  if (twice !== undefined) throw new SvcError('42710', `publication name "${twice}" used more than once`);
}

export function runAlterSubscription(session: SqlSession, statement: AlterSubscription): StatementResult {
  session.startStatement();
  const { name, action, connection, publications, options } = statement;
  return define(session, 'ALTER SUBSCRIPTION', (ddl) => {
    const old = ownUnscoped(session, 'subscription', name);
    switch (action) {
      case 'options':
        return setOptions(ddl, old, options);
      case 'connection':
        checkConnectionString(connection ?? '');
        return ddl.put({ ...old, connection: connection ?? '' });
      case 'enabled': {
        const { enabled } = parametersOf(options, new Set(['enabled']));
        if (old.slot === null && enabled) throw new SvcError('55000', 'cannot enable subscription that does not have a slot name');
        return ddl.put({ ...old, enabled });
      }
      case 'skip': {
        const { skip = NOWHERE } = parametersOf(options, new Set(['lsn']));
        return ddl.put({ ...old, skip });
      }
      case 'refresh':
        parametersOf(options, new Set(['copy_data']));
        if (!old.enabled) throw new SvcError('55000', 'ALTER SUBSCRIPTION ... REFRESH is not allowed for disabled subscriptions');
        mustStandAlone(session, 'ALTER SUBSCRIPTION ... REFRESH');
        throw unreachable('could not connect to the publisher', 'Nothing is replicated here: a subscription is stored but has no effect.');
      default:
        return setPublications(session, ddl, old, action, publications, options);
    }
  });
}

function setPublications(
  session: SqlSession,
  ddl: Ddl,
  old: SubscriptionObject,
  action: 'set' | 'add' | 'drop',
  named: readonly string[],
  options: readonly Option[],
): void {
  const { refresh } = parametersOf(options, new Set(['refresh', 'copy_data']));
  const publications = action === 'set' ? [...named] : merged(old, action, named);
  if (action === 'set') refuseTwice(named);
  if (refresh && !old.enabled) {
    throw new SvcError('55000', 'ALTER SUBSCRIPTION with refresh is not allowed for disabled subscriptions', {
      hint: `Use ALTER SUBSCRIPTION ... ${action.toUpperCase()} PUBLICATION ... WITH (refresh = false).`,
    });
  }
  if (refresh) {
    mustStandAlone(session, 'ALTER SUBSCRIPTION with refresh');
    throw unreachable('could not connect to the publisher', `Use ALTER SUBSCRIPTION ... ${action.toUpperCase()} PUBLICATION ... WITH (refresh = false).`);
  }
  ddl.put({ ...old, publications });
}

/** 42710, 42P17. */
function merged({ name, publications }: SubscriptionObject, action: 'add' | 'drop', named: readonly string[]): string[] {
  refuseTwice(named);
  for (const each of named) {
    const has = publications.includes(each);
    if (action === 'add' && has) throw new SvcError('42710', `publication "${each}" is already in subscription "${name}"`);
    if (action === 'drop' && !has) throw new SvcError('42P17', `publication "${each}" is not in subscription "${name}"`);
  }
  const out = action === 'add' ? [...publications, ...named] : publications.filter((each) => !named.includes(each));
  if (out.length === 0) throw new SvcError('42P17', 'cannot drop all the publications from a subscription');
  return out;
}

function setOptions(ddl: Ddl, old: SubscriptionObject, options: readonly Option[]): void {
  const { slot, binary, streaming, disableOnError, commit } = parametersOf(options, SETTABLE);
  if (slot === null && old.enabled) throw new SvcError('55000', 'cannot set slot_name = NONE for enabled subscription');
  ddl.put({
    ...old,
    slot: slot === undefined ? old.slot : slot,
    binary: binary ?? old.binary,
    streaming: streaming ?? old.streaming,
    disableOnError: disableOnError ?? old.disableOnError,
    commit: commit ?? old.commit,
  });
}

/** A replication slot would have to be dropped at the publisher, which is impossible. */
export function dropSubscription(session: SqlSession, objects: readonly ObjectName[], ifExists: boolean, cascade: boolean): StatementResult {
  session.startStatement();
  const [name] = objects[0].name;
  const found = findUnscoped(session.schema(), 'subscription', name);
  if (found !== null) {
    ownUnscoped(session, 'subscription', name);
    if (found.slot !== null) {
      mustStandAlone(session, 'DROP SUBSCRIPTION');
      throw unreachable(
        `could not connect to publisher when attempting to drop replication slot "${found.slot}"`,
        'Use ALTER SUBSCRIPTION ... DISABLE to disable the subscription, and then use ALTER SUBSCRIPTION ... SET (slot_name = NONE) to disassociate it from the slot.',
      );
    }
  }
  return dropUnscoped(session, 'subscription', objects, ifExists, cascade);
}

// --- WITH

interface Parameters {
  readonly connect: boolean;
  readonly enabled: boolean;
  readonly createSlot: boolean;
  readonly refresh: boolean;
  /** null: NONE. */
  readonly slot?: string | null;
  readonly binary?: boolean;
  readonly streaming?: boolean;
  readonly twoPhase?: boolean;
  readonly disableOnError?: boolean;
  readonly commit?: string;
  readonly skip?: string;
  /** Names of the options that were given. */
  readonly named: ReadonlySet<string>;
}

const SETTABLE: ReadonlySet<string> = new Set(['slot_name', 'synchronous_commit', 'binary', 'streaming', 'disable_on_error']);
const CREATE: ReadonlySet<string> = new Set([...SETTABLE, 'connect', 'enabled', 'create_slot', 'copy_data', 'two_phase']);
const COMMITS: ReadonlySet<string> = new Set('local remote_write remote_apply on off true false yes no 1 0'.split(' '));

function parametersOf(options: readonly Option[], known: ReadonlySet<string>): Parameters {
  const given = new Map<string, Option>();
  for (const option of options) {
    const { name, at } = option;
    if (!known.has(name)) throw new SvcError('42601', `unrecognized subscription parameter: "${name}"`);
    if (given.has(name)) throw new SvcError('42601', 'conflicting or redundant options', { position: at + 1 });
    given.set(name, option);
    checkOption(option);
  }
  const truth = (name: string): boolean | undefined => (given.has(name) ? isTrue(given.get(name)!) : undefined);
  const text = (name: string): string | undefined => (given.has(name) ? textOf(given.get(name)!) : undefined);
  const connect = truth('connect') ?? true;
  if (!connect) {
    for (const name of ['enabled', 'create_slot', 'copy_data'])
      if (truth(name) === true) throw new SvcError('42601', `connect = false and ${name} = true are mutually exclusive options`);
  }
  const slot = text('slot_name');
  const skip = text('lsn');
  const optional = {
    slot: slot === 'none' ? null : slot,
    binary: truth('binary'),
    streaming: truth('streaming'),
    twoPhase: truth('two_phase'),
    disableOnError: truth('disable_on_error'),
    commit: text('synchronous_commit'),
    skip: skip === undefined || skip === 'none' ? NOWHERE : lsnOf(skip),
  };
  return {
    connect,
    enabled: truth('enabled') ?? connect,
    createSlot: truth('create_slot') ?? connect,
    refresh: truth('refresh') ?? true,
    named: new Set(given.keys()),
    ...(Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined)) as Pick<Parameters, keyof typeof optional>),
  };
}

/** As each is parsed: 42602, 42601, 22023. */
function checkOption(option: Option): void {
  switch (option.name) {
    case 'slot_name':
      return checkSlotName(textOf(option));
    case 'synchronous_commit': {
      const value = textOf(option);
      if (COMMITS.has(value.toLowerCase())) return;
      throw new SvcError('22023', `invalid value for parameter "synchronous_commit": "${value}"`, {
        hint: 'Available values: local, remote_write, remote_apply, on, off.',
      });
    }
    case 'lsn':
      textOf(option);
      return;
    default:
      isTrue(option);
  }
}

const SLOT_NAME_MAX = 63;

function checkSlotName(name: string): void {
  if (name === '') throw new SvcError('42602', `replication slot name "${name}" is too short`);
  if (name.length > SLOT_NAME_MAX) throw new SvcError('42622', `replication slot name "${name}" is too long`);
  if (/^[a-z0-9_]*$/.test(name)) return;
  throw new SvcError('42602', `replication slot name "${name}" contains invalid character`, {
    hint: 'Replication slot names may only contain lower case letters, numbers, and the underscore character.',
  });
}

function lsnOf(text: string): string {
  const parts = /^([0-9a-f]{1,8})\/([0-9a-f]{1,8})$/i.exec(text);
  if (parts === null) throw new SvcError('22P02', `invalid input syntax for type pg_lsn: "${text}"`);
  const shown = parts.slice(1).map((each) => Number.parseInt(each, 16).toString(16).toUpperCase());
  if (shown.join('/') === NOWHERE) throw new SvcError('22023', `invalid WAL location (LSN): ${text}`);
  return shown.join('/');
}

function refuseWithoutSlot({ enabled, createSlot, named }: Parameters): void {
  const refuse = (is: boolean, name: string): void => {
    if (!is) return;
    if (named.has(name)) throw new SvcError('42601', `slot_name = NONE and ${name} = true are mutually exclusive options`);
    throw new SvcError('42601', `subscription with slot_name = NONE must also set ${name} = false`);
  };
  refuse(enabled, 'enabled');
  refuse(createSlot, 'create_slot');
}
