/** RAISE. Manual, section 43.9.1. */
import { SvcError } from '../../base/errors/svc-error.ts';
import { codesOf } from './conditions.ts';
import { TOKEN } from '../parse/scanner.ts';
import type { Reader } from './reader.ts';
import type { Fragment, Level, RaiseOption, Statement } from './syntax.ts';

const LEVELS: readonly string[] = ['debug', 'log', 'info', 'notice', 'warning', 'exception'];
const OPTIONS: readonly string[] = ['message', 'detail', 'hint', 'errcode', 'column', 'constraint', 'datatype', 'table', 'schema'];

export function parseRaise(reader: Reader, line: number): Statement {
  const levelled = reader.kind === TOKEN.word && LEVELS.includes(reader.lexeme);
  const level = (levelled ? reader.name() : 'exception') as Level;
  let message: string | null = null;
  let condition: string | null = null;
  let args: Fragment[] = [];
  if (reader.kind === TOKEN.string) {
    message = reader.string();
    if (reader.take(',')) args = reader.list('using', ';');
    const wanted = placeholders(message);
    if (args.length !== wanted) throw new SvcError('42601', `too ${args.length < wanted ? 'few' : 'many'} parameters specified for RAISE`);
  } else if (reader.isName && !reader.is('using')) {
    condition = reader.name();
    if (condition === 'sqlstate') {
      condition = parseState(reader);
    } else if (reader.checks !== null) mustBeCondition(condition);
  } else if (levelled && !reader.is('using')) reader.fail();
  const options: { option: RaiseOption; value: Fragment }[] = [];
  if (reader.take('using')) {
    do {
      const at = reader.start;
      const option = reader.name();
      if (!OPTIONS.includes(option)) reader.error(`unrecognized RAISE statement option at or near "${option}"`, at);
      if (!reader.take('=')) reader.expect(':=');
      options.push({ option: option as RaiseOption, value: reader.expression(',', ';') });
    } while (reader.take(','));
  }
  return { kind: 'raise', level, message, condition, args, options, line };
}

/** The string after SQLSTATE; 42601. */
export function parseState(reader: Reader): string {
  if (reader.kind === TOKEN.string && !/^'[0-9A-Z]{5}'$/.test(reader.lexeme)) reader.failAs('invalid SQLSTATE code');
  return reader.string();
}

/** `%` takes an argument, `%%` is a percent sign. */
function placeholders(message: string): number {
  return message.replaceAll('%%', '').split('%').length - 1;
}

/** 42704. */
export function mustBeCondition(name: string): void {
  if (name !== 'others' && codesOf(name).length === 0) throw new SvcError('42704', `unrecognized exception condition "${name}"`);
}
