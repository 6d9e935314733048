/** PARTITION BY and FOR VALUES for the schema layer: checks expressions and computes bounds. */
import { STORED } from '../types/environment.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import type { PartitionBoundObject, PartitionDatum } from '../../worlds/definition.ts';
import type { PartitionBound, PartitionKey, RangeDatum } from '../ast/define.ts';
import type { Expression } from '../ast/expression.ts';
import { bindExpression } from '../bind/expression.ts';
import { Scope } from '../bind/scope.ts';
import { SYSTEM_COLUMNS } from '../bind/system-columns.ts';
import { Compilation } from '../exec/compilation.ts';
import type { PartitionKeySpec } from '../schema/create-table.ts';
import type { PartitionElement, SqlTable } from '../schema/table.ts';
import { storedText } from '../types/stored-text.ts';
import { collationOf } from '../catalog/type-rows.ts';
import { quoteIdentifier } from '../../base/quote-identifier.ts';
import { binderOf, expressionText, type KnownColumn } from './define-table.ts';
import { execContext } from './exec-context.ts';
import type { SqlSession } from './sql-session.ts';

export function partitionKeySpec(session: SqlSession, key: PartitionKey, known: readonly KnownColumn[], table: string): PartitionKeySpec {
  if (key.strategy === 'list' && key.elements.length > 1) throw new SvcError('42P17', 'cannot use "list" partition strategy with more than one column');
  if (key.elements.length > 32) throw new SvcError('54011', 'cannot partition using more than 32 columns');
  const elements = key.elements.map((element): PartitionKeySpec['elements'][number] => {
    const { value } = element;
    const plain = element.column ?? (value?.type === 'column' && value.parts.length === 1 && !value.star ? value.parts[0] : null);
    const position = element.at + 1;
    let out: PartitionKeySpec['elements'][number];
    if (plain !== null) {
      const column = known.find(({ name }) => name === plain);
      if (column === undefined) {
        if (SYSTEM_COLUMNS.has(plain)) throw new SvcError('42P17', `cannot use system column "${plain}" in partition key`, { position });
        throw new SvcError('42703', `column "${plain}" named in partition key does not exist`, { position });
      }
      if (typeof column.generated === 'string' || column.generated === true) {
        throw new SvcError('42P17', 'cannot use generated column in partition key', { detail: `Column "${plain}" is a generated column.`, position });
      }
      out = { column: plain, expression: null, type: column.type, typmod: column.typmod };
    } else {
      const { text, columns, type, typmod, immutable } = expressionText(session, value!, known, null, 'partition key expressions', table);
      for (const name of columns) {
        const generated = known.find((each) => each.name === name)?.generated;
        if (typeof generated !== 'string' && generated !== true) continue;
        throw new SvcError('42P17', 'cannot use generated column in partition key', { detail: `Column "${name}" is a generated column.`, position });
      }
      if (!immutable) throw new SvcError('42P17', 'functions in partition key expression must be marked IMMUTABLE');
      if (columns.length === 0) throw new SvcError('42P17', 'cannot use constant expression as partition key');
      out = { column: null, expression: text, type, typmod };
    }
    if (element.collation !== null && collationOf(out.type) === 0) throw new SvcError('42804', `collations are not supported by type ${out.type.title}`);
    const method = key.strategy === 'hash' ? 'hash' : 'btree';
    const usable = key.strategy === 'hash' ? out.type.hashable : out.type.ordered;
    if (!usable && element.operatorClass === null) {
      throw new SvcError('42704', `data type ${out.type.title} has no default operator class for access method "${method}"`, {
        hint: `You must specify a ${method} operator class or define a default ${method} operator class for the data type.`,
      });
    }
    if (!usable) throw new SvcError('42704', `operator class "${element.operatorClass!.join('.')}" does not exist for access method "${method}"`);
    const words = wordsOf(element, out.type.name);
    return words === '' ? out : { ...out, words };
  });
  return { strategy: key.strategy, elements };
}

/** The collation and operator class after the column, if not the default. */
function wordsOf({ collation, operatorClass }: PartitionKey['elements'][number], type: string): string {
  const out: string[] = [];
  if (collation !== null && collation.at(-1) !== 'default') out.push(`COLLATE ${quoteIdentifier(collation.at(-1)!)}`);
  // text_ops is the default of varchar, whose own class is an alias of it.
  const usual = type === 'varchar' ? 'text_ops' : `${type}_ops`;
  if (operatorClass !== null && operatorClass.at(-1) !== usual) out.push(quoteIdentifier(operatorClass.at(-1)!));
  return out.join(' ');
}

/** The bound of a partition of `parent`. */
export function partitionBoundSpec(session: SqlSession, bound: PartitionBound, parent: SqlTable): PartitionBoundObject {
  const { strategy, elements } = parent.inheritance!.partitionBy!;
  const position = bound.at + 1;
  if (bound.type === 'default') {
    if (strategy === 'hash') throw new SvcError('42P16', 'a hash-partitioned table may not have a default partition');
    return { kind: 'default' };
  }
  if (bound.type !== strategy) throw new SvcError('42P16', `invalid bound specification for a ${strategy} partition`, { position });
  switch (bound.type) {
    case 'hash':
      if (bound.modulus <= 0) throw new SvcError('42P16', 'modulus for hash partition must be an integer value greater than zero');
      if (bound.remainder < 0) throw new SvcError('42P16', 'remainder for hash partition must be an integer value greater than or equal to zero');
      if (bound.remainder >= bound.modulus) throw new SvcError('42P16', 'remainder for hash partition must be less than modulus');
      return { kind: 'hash', modulus: bound.modulus, remainder: bound.remainder };
    case 'list': {
      const values: (string | null)[] = [];
      for (const value of bound.values) {
        const text = valueText(session, parent, elements[0], value);
        if (!values.includes(text)) values.push(text);
      }
      return { kind: 'list', values };
    }
    case 'range': {
      if (bound.from.length !== elements.length) throw new SvcError('42P16', 'FROM must specify exactly one value per partitioning column');
      if (bound.to.length !== elements.length) throw new SvcError('42P16', 'TO must specify exactly one value per partitioning column');
      return { kind: 'range', from: data(session, parent, elements, bound.from), to: data(session, parent, elements, bound.to) };
    }
  }
}

/** Positions of a bound's values, 1-based; of a default or hash partition, the position of the whole bound. */
export function boundPlaces(bound: PartitionBound): number[] {
  switch (bound.type) {
    case 'list':
      return bound.values.map(({ at }) => at + 1);
    case 'range': {
      const [first] = bound.from;
      return [first?.type === 'value' ? first.value.at + 1 : bound.at + 1];
    }
    default:
      return [bound.at + 1];
  }
}

function data(session: SqlSession, parent: SqlTable, elements: readonly PartitionElement[], list: readonly RangeDatum[]): PartitionDatum[] {
  const out = list.map((datum, i): PartitionDatum => {
    if (datum.type === 'minValue') return 'min';
    if (datum.type === 'maxValue') return 'max';
    const value = valueText(session, parent, elements[i], datum.value);
    if (value === null) throw new SvcError('42P17', 'cannot specify NULL in range bound');
    return { value };
  });
  out.forEach((datum, i) => {
    if (i === 0 || typeof out[i - 1] !== 'string' || datum === out[i - 1]) return;
    const end = out[i - 1] === 'min' ? 'MINVALUE' : 'MAXVALUE';
    throw new SvcError('42804', `every bound following ${end} must also be ${end}`);
  });
  return out;
}

/** A constant of the key's type in stored form. */
function valueText(session: SqlSession, parent: SqlTable, { column, expression, type, typmod }: PartitionElement, value: Expression): string | null {
  const binder = binderOf(session);
  const scope = new Scope(null);
  scope.clause = 'default';
  scope.clauseTitle = 'partition bound';
  if (value.type === 'column') throw new SvcError('0A000', 'cannot use column reference in partition bound expression', { position: value.at + 1 });
  const bound = bindExpression(binder, value, scope);
  const coerced = binder.coercion.tryCoerce(bound, type, typmod, 'assignment', value.at);
  if (coerced === null) {
    const name = column === null ? expression! : parent.columns[column].name;
    throw new SvcError('42804', `specified value cannot be cast to type ${type.title} for column "${name}"`, { position: value.at + 1 });
  }
  const compilation = new Compilation();
  const fn = compilation.scalars([coerced]);
  const [made] = fn(compilation.newRun(execContext(session, [], null)), []);
  return made === null ? null : storedText(type, made, STORED);
}
