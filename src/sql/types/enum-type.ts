/** Enum types: a value is its label, the order is that of the labels in the type. Cells contain the label's id. */
import { quoteIdentifier } from '../../base/quote-identifier.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import { makeType } from './make-type.ts';
import { shownType } from './shown-type.ts';
import type { LabelIds, SqlType } from './type.ts';

/** An enum type. A changed list of labels is a new type object. `ids`: the stored ids of the labels. */
export function enumType(oid: number, arrayOid: number, name: string, labels: readonly string[], ids: readonly string[] = labels): SqlType {
  const positions = new Map(labels.map((label, position) => [label, position]));
  const title = quoteIdentifier(name);
  return makeType({
    oid,
    name,
    title,
    category: 'E',
    length: 4,
    repr: 'string',
    arrayOid,
    labels,
    ...(labels.every((label, i) => label === ids[i]) ? {} : { labelIds: labelIds(labels, ids) }),
    parse: (text, _typmod, env) => {
      if (!positions.has(text)) throw new SvcError('22P02', `invalid input value for enum ${shownType({ oid, title }, env)}: "${text}"`);
      if (env.system?.isNewLabel?.(oid, text) === true) {
        throw new SvcError('55P04', `unsafe use of new value "${text}" of enum type ${shownType({ oid, title }, env)}`, {
          hint: 'New enum values must be committed before they can be used.',
        });
      }
      return text;
    },
    format: (value) => value as string,
    compare: (a, b) => (a === b ? 0 : positions.get(a as string)! - positions.get(b as string)!),
  });
}

/** An id without a label is kept as it is: the caller reports it. */
function labelIds(labels: readonly string[], ids: readonly string[]): LabelIds {
  const byLabel = new Map(labels.map((label, i) => [label, ids[i]]));
  const byId = new Map(ids.map((id, i) => [id, labels[i]]));
  return { idOf: (label) => byLabel.get(label) ?? label, labelOf: (id) => byId.get(id) ?? id };
}
