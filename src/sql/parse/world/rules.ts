/** `name = value` of policies and quotas. */
import type { Rule, RuleValue } from '../../ast/world.ts';
import type { WorldReader } from './world-reader.ts';

export function parseRules(reader: WorldReader): Rule[] {
  return reader.list(() => parseRule(reader), true);
}

function parseRule(reader: WorldReader): Rule {
  const at = reader.at;
  const name = reader.identifier();
  reader.expect('=');
  return { name, value: parseValue(reader, true), at };
}

/** Lists do not nest. */
function parseValue(reader: WorldReader, mayBeList: boolean): RuleValue {
  const at = reader.at;
  if (mayBeList && reader.word === '(') return { kind: 'list', values: reader.list(() => parseValue(reader, false), true), at };
  if (reader.isString) return { kind: 'string', value: reader.string().value, at };
  if (reader.isNumber || reader.word === '-' || reader.word === '+') {
    const text = reader.numberText();
    // `24h` is a duration.
    if (/^-?(\d[\d_]*\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) return { kind: 'number', text: text.replaceAll('_', ''), at };
    return { kind: 'interval', text, at };
  }
  if (reader.accept('null')) return { kind: 'null', at };
  if (reader.accept('true')) return { kind: 'boolean', value: true, at };
  if (reader.accept('false')) return { kind: 'boolean', value: false, at };
  if (reader.accept('interval')) return { kind: 'interval', text: reader.string().value, at };
  return parseName(reader, at);
}

/** As written, its parts joined by dots; one quoted part makes it quoted. A bare part may end with the dot before a quoted one. */
function parseName(reader: WorldReader, at: number): RuleValue {
  let name = '';
  let quoted = false;
  do {
    if (reader.text[reader.at] === '"') quoted = true;
    name += reader.name();
    if (reader.accept('.')) name += '.';
  } while (name.endsWith('.') && !reader.atEnd);
  return { kind: 'name', name, quoted, at };
}
