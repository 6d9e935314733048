/** ALTER SEQUENCE, also of the sequence behind an identity column: other options, and RESTART. */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Option } from '../ast/define.ts';
import { alterSequence } from '../schema/create-sequence.ts';
import type { Ddl } from '../schema/ddl.ts';
import { sequenceStart } from '../schema/sequence-values.ts';
import { whole } from '../types/value.ts';
import { restartOption, sequenceOptions } from './sequence-options.ts';
import type { SqlSession } from './sql-session.ts';

export function changeSequence(
  session: SqlSession,
  ddl: Ddl,
  { schema, name }: { schema: string; name: string },
  options: readonly Option[],
  ifExists = false,
): void {
  const object = alterSequence(ddl, schema, name, ifExists, sequenceOptions(session, options));
  if (object === null) return;
  const restart = restartOption(options);
  const sequence = ddl.schema.sequences.get(object.number)!;
  const state = session.sequenceState(sequence);
  const last = restart === undefined ? (state.called ? state.last : undefined) : restart === null ? undefined : whole(restart);
  const beyond = last === undefined ? null : last < sequence.min ? 'less than MINVALUE' : last > sequence.max ? 'greater than MAXVALUE' : null;
  if (beyond !== null) {
    const limit = beyond.startsWith('less') ? sequence.min : sequence.max;
    throw new SvcError('22023', `RESTART value (${last}) cannot be ${beyond} (${limit})`);
  }
  if (restart === undefined) return;
  ddl.setSequence(object.number, restart === null ? sequenceStart(sequence) : { last: whole(restart), called: false });
}
