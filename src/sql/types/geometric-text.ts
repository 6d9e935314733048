/** Texts of geometric types: points with or without parentheses, whole values in those of their type. Manual, section 8.8. */
import { SvcError } from '../../base/errors/svc-error.ts';
import { parseFloat8 } from './float-text.ts';

const NUMBER = /[ \t\n\v\f\r]*([+-]?(?:nan|inf(?:inity)?|0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?))[ \t\n\v\f\r]*/iy;
const SPACE = /[ \t\n\v\f\r]/;

export class GeometricText {
  readonly text: string;
  readonly #type: string;
  at = 0;

  constructor(text: string, type: string) {
    this.text = text;
    this.#type = type;
  }

  fault(): SvcError {
    return new SvcError('22P02', `invalid input syntax for type ${this.#type}: "${this.text}"`);
  }

  next(): string {
    return this.text[this.at] ?? '';
  }

  blanks(): void {
    while (this.at < this.text.length && SPACE.test(this.text[this.at])) this.at++;
  }

  /** Consumes the character if it is next, with following blanks. */
  takes(char: string): boolean {
    if (this.next() !== char) return false;
    this.at++;
    this.blanks();
    return true;
  }

  end(): void {
    if (this.at < this.text.length) throw this.fault();
  }

  number(): number {
    NUMBER.lastIndex = this.at;
    const found = NUMBER.exec(this.text);
    if (found === null) throw this.fault();
    this.at = NUMBER.lastIndex;
    return parseFloat8(found[1]);
  }

  /** `(x,y)` or `x,y`. */
  pair(into: number[]): void {
    this.blanks();
    const enclosed = this.next() === '(';
    if (enclosed) this.at++;
    into.push(this.number());
    if (this.next() !== ',') throw this.fault();
    this.at++;
    into.push(this.number());
    if (enclosed && !this.takes(')')) throw this.fault();
  }

  /** Parses `count` points, in brackets if `open` allows it; gives whether they are open. */
  points(count: number, open: boolean, into: number[]): boolean {
    this.blanks();
    let depth = 0;
    const bracket = this.next() === '[';
    if (bracket) {
      if (!open) throw this.fault();
      depth++;
      this.at++;
    } else if (this.next() === '(') {
      let inner = this.at + 1;
      while (inner < this.text.length && SPACE.test(this.text[inner])) inner++;
      if (this.text[inner] === '(' || this.text.lastIndexOf('(') === this.at) {
        depth++;
        this.at = inner;
      }
    }
    for (let i = 0; i < count; i++) {
      this.pair(into);
      if (this.next() === ',') this.at++;
    }
    for (; depth > 0; depth--) {
      if (!this.takes(')') && !(bracket && depth === 1 && this.takes(']'))) throw this.fault();
    }
    return bracket;
  }

  /** The number of points, by commas. */
  count(): number {
    const commas = this.text.split(',').length - 1;
    if (commas % 2 === 0) throw this.fault();
    return (commas + 1) / 2;
  }
}
