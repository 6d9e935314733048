/** A command of the shell: its name, arguments and action. Most are an operation of the table. */
import type { AnyOperation } from '../../operations/define-operation.ts';
import { fieldOf } from '../../base/json.ts';
import { type Field, fieldsOf } from './fields.ts';
import type { Stage } from './stage.ts';
import { closest, UsageError } from './usage-error.ts';
import type { Word } from './words.ts';

export type Input = Record<string, unknown>;

export interface CommandShape {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly summary?: string;
  readonly operation?: AnyOperation;
  /** Positional fields, in order. `name…` takes all remaining words. */
  readonly positional?: readonly string[];
  /** Prepositions of fields: `from`, `to`, `into`. */
  readonly words?: Readonly<Record<string, string>>;
  /** The rest of its line is one argument, `text`. */
  readonly raw?: true;
  /** The line is SQL if the rest of it matches. */
  readonly sql?: RegExp;
  readonly examples?: readonly string[];
  /** Handles `a=b` where `a` is not a field. */
  readonly pair?: (input: Input, name: string, value: string) => boolean;
  /** Fields of a command that is not an operation. */
  readonly fields?: readonly Field[];
  /** Defaults of omitted fields. */
  readonly fill?: (input: Input, stage: Stage) => void;
  readonly run: (input: Input, stage: Stage) => Promise<void>;
}

export class Command {
  readonly shape: CommandShape;
  readonly fields: readonly Field[];

  constructor(shape: CommandShape) {
    this.shape = shape;
    this.fields = shape.fields ?? (shape.operation === undefined ? [] : fieldsOf(shape.operation.input));
  }

  get name(): string {
    return this.shape.name;
  }

  get operation(): AnyOperation | undefined {
    return this.shape.operation;
  }

  get summary(): string {
    return this.shape.summary ?? this.operation?.summary ?? '';
  }

  get positional(): readonly string[] {
    return (this.shape.positional ?? []).map((name) => name.replace('…', ''));
  }

  /** `merge [branch] [--resolve …]` */
  get usage(): string {
    const given = (this.shape.positional ?? []).map((name) => {
      const bare = name.replace('…', '');
      const field = this.fields.find((each) => each.name === bare);
      return field?.required === true && !this.#isFilled(bare) ? name.toUpperCase() : `[${name}]`;
    });
    const rest = this.fields.length > given.length ? ['[--field value …]'] : [];
    return [this.name, ...given, ...rest].join(' ');
  }

  /** `branch` defaults to the session's world. */
  #isFilled(name: string): boolean {
    return name === 'branch' && this.shape.fill !== undefined;
  }

  /** Throws usage errors for unknown, missing or invalid arguments. */
  parse(words: readonly Word[]): Input {
    const input: Input = {};
    const positional = [...(this.shape.positional ?? [])];
    const known = new Map(this.fields.map((field) => [field.name, field]));
    const set = (name: string, text: string): void => {
      const field = this.#field(known, name);
      if (name in input) throw new UsageError(`${name} is given twice`);
      input[field.name] = field.read(text);
    };
    for (let i = 0; i < words.length; i++) {
      const { text, quoted } = words[i];
      if (!quoted && text.startsWith('--') && text.length > 2) {
        const at = text.indexOf('=');
        const name = text.slice(2, at < 0 ? undefined : at).replaceAll('-', '_');
        const field = this.#field(known, name);
        if (at >= 0) set(field.name, text.slice(at + 1));
        else if (field.flag && !/^(true|false|yes|no|on|off)$/i.test(words[i + 1]?.text ?? '')) set(field.name, 'true');
        else if (i + 1 < words.length) set(field.name, words[++i].text);
        else throw new UsageError(`--${field.name} wants a value: ${field.form}`);
        continue;
      }
      const equals = quoted ? -1 : text.indexOf('=');
      if (equals > 0) {
        const name = text.slice(0, equals);
        if (known.has(name)) {
          set(name, text.slice(equals + 1));
          continue;
        }
        if (this.shape.pair?.(input, name, text.slice(equals + 1)) === true) continue;
      }
      const word = quoted ? undefined : fieldOf(this.shape.words, text.toLowerCase());
      if (word !== undefined && i + 1 < words.length && !(word in input)) {
        set(word, words[++i].text);
        continue;
      }
      // Skip positions whose field was given by name.
      while (positional.length > 0 && positional[0].replace('…', '') in input) positional.shift();
      const next = positional.shift();
      if (next === undefined) throw new UsageError(`"${text}" is one word too many for ${this.name}`, `Usage: ${this.usage}`);
      if (next.endsWith('…')) {
        set(
          next.slice(0, -1),
          words
            .slice(i)
            .map((each) => each.text)
            .join(' '),
        );
        break;
      }
      set(next, text);
    }
    return input;
  }

  /** Fills in omitted fields; an error for required ones. */
  complete(input: Input, stage: Stage): Input {
    this.shape.fill?.(input, stage);
    for (const field of this.fields) {
      if (field.required && !(field.name in input)) throw new UsageError(`${this.name} wants ${field.name}`, `Usage: ${this.usage}`);
    }
    return input;
  }

  #field(known: ReadonlyMap<string, Field>, name: string): Field {
    const field = known.get(name);
    if (field !== undefined) return field;
    const meant = closest(name, [...known.keys()]);
    throw new UsageError(`${this.name} has no field "${name}"`, meant === null ? `help ${this.name} shows its fields.` : `Did you mean --${meant}?`);
  }
}
