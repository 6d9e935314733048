/** CREATE EVENT TRIGGER. Manual, CREATE EVENT TRIGGER. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import type { DefinitionEvent, EventTriggerObject } from '../../../worlds/definition.ts';
import type { CreateEventTrigger } from '../../ast/define.ts';
import { EVENT_TRIGGER } from '../../types/pseudo-types.ts';
import { define } from '../define.ts';
import type { StatementResult } from '../results.ts';
import type { SqlSession } from '../sql-session.ts';
import { refuseTaken } from '../unscoped-objects.ts';
import { COMMAND_TAGS, FIRING_TAGS, REWRITING_TAGS } from './command-tags.ts';

const EVENTS: ReadonlySet<string> = new Set<DefinitionEvent>(['ddl_command_start', 'ddl_command_end', 'sql_drop', 'table_rewrite']);

export function runCreateEventTrigger(session: SqlSession, statement: CreateEventTrigger): StatementResult {
  session.startStatement();
  const { name } = statement;
  if (!session.authority.superuser) {
    throw new SvcError('42501', `permission denied to create event trigger "${name}"`, { hint: 'Must be superuser to create an event trigger.' });
  }
  const event = eventOf(statement.event);
  const tags = tagsOf(statement, event);
  refuseTaken(session.schema(), 'event trigger', name);
  const routine = functionNamed(session, statement.function);
  return define(session, 'CREATE EVENT TRIGGER', (ddl) => {
    const object: EventTriggerObject = { what: 'event trigger', number: 0, name, event, ...(tags === null ? {} : { tags }), function: routine };
    object.number = ddl.numberFor(object);
    ddl.put(object);
  });
}

function eventOf(written: string): DefinitionEvent {
  if (!EVENTS.has(written)) throw new SvcError('42601', `unrecognized event name "${written}"`);
  return written as DefinitionEvent;
}

/** null: all. */
function tagsOf({ filters }: CreateEventTrigger, event: DefinitionEvent): string[] | null {
  let tags: string[] | null = null;
  for (const { name, values } of filters) {
    if (name !== 'tag') throw new SvcError('42601', `unrecognized filter variable "${name}"`);
    if (tags !== null) throw new SvcError('42601', `filter variable "${name}" specified more than once`);
    tags = [...values];
  }
  for (const value of tags ?? []) {
    const tag = value.toUpperCase();
    if (event !== 'table_rewrite' && !COMMAND_TAGS.has(tag)) throw new SvcError('42601', `filter value "${value}" not recognized for filter variable "tag"`);
    if (!(event === 'table_rewrite' ? REWRITING_TAGS : FIRING_TAGS).has(tag)) throw new SvcError('0A000', `event triggers are not supported for ${value}`);
  }
  return tags === null ? null : tags.map((tag) => tag.toUpperCase());
}

function functionNamed(session: SqlSession, name: readonly string[]): number {
  const last = name[name.length - 1];
  const schema = session.schema();
  const shown = name.join('.');
  for (const place of name.length > 1 ? [name[name.length - 2]] : session.system.schemas(true)) {
    const found = schema.functionsNamed(place, last).find(({ inputs }) => inputs.length === 0);
    if (found !== undefined) {
      if (found.object.returns !== EVENT_TRIGGER.oid) throw mustReturn(shown);
      return found.object.number;
    }
    const builtIn = place === 'pg_catalog' && session.host.registry.functions(last).some(({ args, kind }) => args.length === 0 && kind === 'scalar');
    if (builtIn) throw mustReturn(shown);
  }
  throw new SvcError('42883', `function ${shown}() does not exist`);
}

function mustReturn(name: string): SvcError {
  return new SvcError('42P17', `function ${name} must return type ${EVENT_TRIGGER.name}`);
}
