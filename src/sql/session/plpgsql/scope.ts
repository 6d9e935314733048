/** Variables of a running PL/pgSQL function: one scope per block, the innermost first. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import { columnsOf } from '../../types/record-type.ts';
import type { SqlType } from '../../types/type.ts';
import type { Value } from '../../types/value.ts';
import type { OpenCursor } from './cursor.ts';

export interface Declared {
  readonly name: string;
  readonly type: SqlType;
  readonly typmod?: number;
  readonly constant?: boolean;
  readonly notNull?: boolean;
  readonly value?: Value;
}

export class Variable {
  readonly name: string;
  /** For a `record` the type of the row that it holds. */
  type: SqlType;
  readonly typmod: number;
  readonly constant: boolean;
  readonly notNull: boolean;
  #value: Value;
  /** The value has no other references: it may be changed in place. */
  #owned = false;
  /** Declared as `record`: it takes any row. */
  readonly anyRow: boolean;
  /** A record has no fields until a row is assigned. */
  assigned: boolean;
  /** The declaration of a bound cursor variable. */
  cursor: OpenCursor | null = null;
  /** It has been replaced by another variable. */
  gone = false;
  readonly #declared: SqlType;

  constructor({ name, type, typmod = -1, constant = false, notNull = false, value = null }: Declared) {
    this.name = name;
    this.type = type;
    this.#declared = type;
    this.typmod = typmod;
    this.constant = constant;
    this.notNull = notNull;
    this.#value = value;
    this.anyRow = type.name === 'record' && columnsOf(type) === null;
    this.assigned = !this.anyRow || value !== null;
  }

  /** For readers that may keep the value: it is not changed in place from now on. */
  get value(): Value {
    this.#owned = false;
    return this.#value;
  }

  set value(value: Value) {
    this.#value = value;
    this.#owned = false;
  }

  /** For readers that do not keep the value. */
  peek(): Value {
    return this.#value;
  }

  get owned(): boolean {
    return this.#owned && !this.constant;
  }

  /** Sets a value without other references. 22005. */
  own(value: Value): void {
    this.set(value);
    this.#owned = true;
  }

  isLike({ name, type, typmod = -1, constant = false, notNull = false }: Declared): boolean {
    return this.name === name && this.#declared === type && this.typmod === typmod && this.constant === constant && this.notNull === notNull;
  }

  /** `owned`: the value has no other references. */
  begin(value: Value, owned = false): void {
    this.type = this.#declared;
    this.#value = value;
    this.#owned = owned;
    this.assigned = !this.anyRow || value !== null;
    this.cursor = null;
  }

  /** 22005 and 22004. */
  set(value: Value): void {
    if (this.constant) throw new SvcError('22005', `variable "${this.name}" is declared CONSTANT`);
    this.put(value);
  }

  put(value: Value): void {
    if (value === null && this.notNull) throw new SvcError('22004', `null value cannot be assigned to variable "${this.name}" declared NOT NULL`);
    this.value = value;
    this.assigned = true;
  }
}

export class Scope {
  readonly parent: Scope | null;
  readonly label: string | null;
  readonly names = new Map<string, Variable>();

  readonly #spare = new Map<string, Variable>();

  /** The block is entered again: none of its variables is declared yet. */
  restart(): void {
    // Clearing an empty map would reallocate it.
    if (this.names.size === 0) return;
    for (const [name, variable] of this.names) this.#spare.set(name, variable);
    this.names.clear();
  }

  constructor(parent: Scope | null, label: string | null) {
    this.parent = parent;
    this.label = label;
  }

  /** A block that is entered again reuses its variables and initializes them again. */
  declare(declared: Declared): Variable {
    const known = this.#spare.get(declared.name);
    if (known !== undefined) {
      if (known.isLike(declared)) {
        known.begin(declared.value ?? null);
        this.names.set(declared.name, known);
        return known;
      }
      known.gone = true;
    }
    const variable = new Variable(declared);
    this.names.set(declared.name, variable);
    return variable;
  }

  find(name: string): Variable | null {
    return this.names.get(name) ?? this.parent?.find(name) ?? null;
  }

  labelled(label: string, name: string): Variable | null {
    return this.label === label ? (this.names.get(name) ?? null) : (this.parent?.labelled(label, name) ?? null);
  }
}
