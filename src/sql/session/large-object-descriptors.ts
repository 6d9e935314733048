/**
 * Descriptors of the large objects that a transaction has open. The list is immutable: opening, moving or closing makes a new one,
 * so a statement that is retried starts with the list it had.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Node } from '../../tree/node.ts';

export interface Descriptor {
  /** Distinguishes it from an earlier descriptor with the same number. */
  readonly opened: number;
  readonly oid: number;
  readonly offset: number;
  readonly reads: boolean;
  readonly writes: boolean;
  /** The pages at the time it was opened for reading only; null: those that the transaction sees. */
  readonly pages: { readonly tree: Node | null } | null;
}

let opened = 0;

export class Descriptors {
  readonly #list: readonly (Descriptor | null)[];

  constructor(list: readonly (Descriptor | null)[]) {
    this.#list = list;
  }

  /** 42704 if it is not open. */
  at(number: number): Descriptor {
    const found = this.#list[number] ?? null;
    if (found === null) throw new SvcError('42704', `invalid large-object descriptor: ${number}`);
    return found;
  }

  /** With one more descriptor, under the lowest free number. */
  open(descriptor: Omit<Descriptor, 'opened' | 'offset'>): { all: Descriptors; number: number } {
    const free = this.#list.indexOf(null);
    const number = free < 0 ? this.#list.length : free;
    return { all: this.#with(number, { ...descriptor, opened: ++opened, offset: 0 }), number };
  }

  move(number: number, offset: number): Descriptors {
    return this.#with(number, { ...this.at(number), offset });
  }

  close(number: number): Descriptors {
    this.at(number);
    return this.#with(number, null);
  }

  closeAll(oid: number): Descriptors {
    return this.#list.some((each) => each?.oid === oid) ? new Descriptors(this.#list.map((each) => (each?.oid === oid ? null : each))) : this;
  }

  /** Without those that were opened since; the others keep their positions. */
  backTo(then: Descriptors): Descriptors {
    if (this === then) return this;
    return new Descriptors(this.#list.map((each) => (then.#list.some((old) => old !== null && old.opened === each?.opened) ? each : null)));
  }

  #with(number: number, descriptor: Descriptor | null): Descriptors {
    const list = [...this.#list];
    list[number] = descriptor;
    return new Descriptors(list);
  }
}

export const NONE_OPEN = new Descriptors([]);
