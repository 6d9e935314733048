/** Agents. */
import type { DefineAgent, DropAgent } from '../../ast/world.ts';
import { parseRules } from './rules.ts';
import type { WorldReader } from './world-reader.ts';

/** `n [CAN (right, …)] [WITH (quota = value, …)] [POLICY p | POLICY NULL]`; ALTER takes ENABLE and DISABLE too. */
export function parseDefineAgent(reader: WorldReader, type: DefineAgent['type']): DefineAgent {
  const agent: DefineAgent = { type, name: reader.name(), can: null, settings: [], policy: null, disabled: null, at: reader.start };
  reader.clauses(() => {
    if (reader.accept('can')) {
      agent.can = reader.list(() => (reader.isString ? reader.string().value : reader.identifier()), true);
      return 'can';
    }
    if (reader.accept('with')) {
      agent.settings = parseRules(reader);
      return 'with';
    }
    if (reader.accept('policy')) {
      agent.policy = reader.accept('null') ? { kind: 'none' } : { kind: 'named', name: reader.name() };
      return 'policy';
    }
    if (type === 'createAgent') return '';
    if (reader.accept('disable')) agent.disabled = true;
    else if (reader.accept('enable')) agent.disabled = false;
    else return '';
    return 'disabled';
  });
  return agent;
}

export function parseDropAgent(reader: WorldReader): DropAgent {
  return { type: 'dropAgent', name: reader.name(), at: reader.start };
}
