/**
 * Postgres's compile-time checks of a function, besides its grammar: names of variables and labels, what RETURN may return, and the
 * syntax of the SQL inside. Errors have a position in the body. There are no checks if nothing is known about the function (at a
 * call, after the check at creation).
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Fragment, Target } from './syntax.ts';

/** `row`: record and composite types. */
export type VariableKind = 'scalar' | 'row' | 'refcursor';

export interface Known {
  readonly kind: VariableKind;
  readonly constant?: boolean;
  /** For a bound cursor: the names of its arguments. */
  readonly args?: readonly string[];
}

export interface RoutineFacts {
  readonly name: string;
  readonly parameters: readonly (Known & { readonly name: string })[];
  readonly returns: 'void' | 'procedure' | 'set' | 'value';
  /** It has OUT parameters. */
  readonly out: boolean;
  /** The type of a declaration. 42704, 42601. */
  kindOf(written: string): VariableKind;
  /** Reads SQL; 42601. */
  syntax(text: string): void;
  /** plpgsql.extra_errors and plpgsql.extra_warnings. */
  readonly shadowing: 'error' | 'warning' | null;
  warn(message: string, position: number): void;
}

interface Level {
  readonly label: string | null;
  readonly what: 'block' | 'loop' | 'function';
  readonly names: Map<string, Known>;
}

const EXPRESSION = 'SELECT ';

export class Checks {
  readonly facts: RoutineFacts;
  readonly #levels: Level[] = [];

  constructor(facts: RoutineFacts) {
    this.facts = facts;
    this.enter(facts.name, 'function');
    const { names } = this.#levels[0];
    for (const { name, ...known } of facts.parameters) names.set(name, known);
    names.set('found', { kind: 'scalar' });
  }

  enter(label: string | null, what: Level['what']): void {
    this.#levels.push({ label, what, names: new Map() });
  }

  leave(): void {
    this.#levels.pop();
  }

  declare(name: string, known: Known, at: number): void {
    const { shadowing } = this.facts;
    if (shadowing !== null && this.#levels.slice(0, -1).some(({ names }) => names.has(name))) {
      const message = `variable "${name}" shadows a previously defined variable`;
      if (shadowing === 'error') throw new SvcError('42712', message, { position: at + 1 });
      this.facts.warn(message, at + 1);
    }
    this.put(name, known);
  }

  /** Without a check for shadowing: variables of loops and handlers. */
  put(name: string, known: Known): void {
    this.#levels.at(-1)!.names.set(name, known);
  }

  find(name: string): Known | null {
    for (let i = this.#levels.length - 1; i >= 0; i--) {
      const known = this.#levels[i].names.get(name);
      if (known !== undefined) return known;
    }
    return null;
  }

  /** The type of a declaration, which may refer to another variable. */
  kindOf(written: string): VariableKind {
    const copied = /^("(?:[^"]|"")+"|[^\s.%"]+)\s*(\..*)?%\s*type\s*(.*)$/is.exec(written);
    if (copied === null) return this.facts.kindOf(written);
    const [, first, more, dimensions] = copied;
    const name = first.startsWith('"') ? first.slice(1, -1).replaceAll('""', '"') : first.toLowerCase();
    const known = this.find(name);
    if (known === null && !this.#levels.some(({ label }) => more !== undefined && label === name)) return this.facts.kindOf(written);
    return known === null || more !== undefined || dimensions !== '' ? 'scalar' : known.kind;
  }

  /** The variable of a target, and whether a part of it is named. */
  #place({ parts, path }: Target): { known: Known; inside: boolean } | null {
    const plain = this.find(parts[0]);
    if (plain !== null && (parts.length === 1 || plain.kind === 'row')) return { known: plain, inside: parts.length > 1 || path !== null };
    if (parts.length === 1) return null;
    for (let i = this.#levels.length - 1; i >= 0; i--) {
      const { label, names } = this.#levels[i];
      const known = label === parts[0] ? names.get(parts[1]) : undefined;
      if (known !== undefined) return { known, inside: parts.length > 2 || path !== null };
    }
    return null;
  }

  /** An assignment to the target. 42601 and 22005. */
  target(target: Target): VariableKind {
    const place = this.#place(target);
    if (place === null) throw new SvcError('42601', `"${target.parts.join('.')}" is not a known variable`, { position: target.at + 1 });
    if (place.known.constant === true) throw new SvcError('22005', `variable "${target.parts.join('.')}" is declared CONSTANT`, { position: target.at + 1 });
    return place.inside ? 'scalar' : place.known.kind;
  }

  /** For INTO and FETCH: a row, or scalars. */
  targets(targets: readonly Target[]): void {
    targets.forEach((target, i) => {
      const kind = this.target(target);
      if (kind !== 'row' || targets.length === 1) return;
      if (i === 0)
        throw new SvcError('42601', 'record variable cannot be part of multiple-item INTO list', { position: target.at + target.parts.join('.').length + 1 });
      throw new SvcError('42601', `"${target.parts.join('.')}" is not a scalar variable`, { position: target.at + 1 });
    });
  }

  /** For FOR over rows. */
  loopTargets(targets: readonly Target[]): void {
    const [first] = targets;
    if (this.#place(first) === null) {
      throw new SvcError('42601', 'loop variable of loop over rows must be a record variable or list of scalar variables', { position: first.at + 1 });
    }
    this.targets(targets);
  }

  cursor(target: Target): Known {
    const place = this.#place(target);
    if (place === null) throw new SvcError('42601', `"${target.parts.join('.')}" is not a known variable`, { position: target.at + 1 });
    if (place.inside || place.known.kind === 'row') throw new SvcError('42804', 'cursor variable must be a simple variable', { position: target.at + 1 });
    if (place.known.kind !== 'refcursor') {
      throw new SvcError('42804', `variable "${target.parts.join('.')}" must be of type cursor or refcursor`, { position: target.at + 1 });
    }
    return place.known;
  }

  /** EXIT and CONTINUE. */
  exit(next: boolean, label: string | null, at: number, labelAt: number): void {
    if (label === null) {
      if (this.#levels.some(({ what }) => what === 'loop')) return;
      const message = next ? 'CONTINUE cannot be used outside a loop' : 'EXIT cannot be used outside a loop, unless it has a label';
      throw new SvcError('42601', message, { position: at + 1 });
    }
    const found = this.#levels.findLast((each) => each.label === label && each.what !== 'function');
    if (found === undefined) {
      throw new SvcError('42601', `there is no label "${label}" attached to any block or loop enclosing this statement`, { position: labelAt + 1 });
    }
    if (next && found.what === 'block') throw new SvcError('42601', `block label "${label}" cannot be used in CONTINUE`, { position: labelAt + 1 });
  }

  /** RETURN with a value at this position. */
  returns(at: number): void {
    const { returns, out } = this.facts;
    const fail = (message: string, hint?: string): never => {
      throw new SvcError('42804', message, { position: at + 1, ...(hint === undefined ? {} : { hint }) });
    };
    if (returns === 'set') fail('RETURN cannot have a parameter in function returning set', 'Use RETURN NEXT or RETURN QUERY.');
    if (returns === 'procedure') throw new SvcError('42601', 'RETURN cannot have a parameter in a procedure', { position: at + 1 });
    if (out) fail('RETURN cannot have a parameter in function with OUT parameters');
    if (returns === 'void') fail('RETURN cannot have a parameter in function returning void');
  }

  /** RETURN NEXT and RETURN QUERY. */
  returnsRows(what: 'NEXT' | 'QUERY', at: number): void {
    if (this.facts.returns !== 'set') throw new SvcError('42804', `cannot use RETURN ${what} in a non-SETOF function`, { position: at + 1 });
  }

  expression({ text, at }: Fragment): void {
    this.#sql(EXPRESSION + text, at - EXPRESSION.length);
  }

  statement({ text, at }: Fragment, lead = 0): void {
    this.#sql(text, at - lead);
  }

  /** Positions in the text are converted to positions in the body. */
  #sql(text: string, at: number): void {
    try {
      this.facts.syntax(text);
    } catch (error) {
      if (!(error instanceof SvcError)) throw error;
      // An error at the end of the text is at its terminator in the body.
      const place = error.position ?? text.length + 1;
      throw new SvcError(error.code, error.message, { ...(error.hint === undefined ? {} : { hint: error.hint }), position: place + at, cause: error });
    }
  }
}
