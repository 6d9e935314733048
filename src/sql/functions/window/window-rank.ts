/** Window functions that only count: row_number, ranks, distributions, ntile. Manual, section 9.22. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import type { FunctionModule, WindowFunction, WindowView } from '../define.ts';

/** The position of dense_rank in a partition, so that the next row need not count groups from the first. */
interface DenseState {
  row: number;
  groupEnd: number;
  rank: number;
}

const denseStates = new WeakMap<WindowView, DenseState>();

function denseRank(view: WindowView): number {
  const { row } = view;
  let state = denseStates.get(view);
  if (state === undefined || row < state.row || row === 0) {
    state = { row: 0, groupEnd: view.peersOf(0)[1], rank: 1 };
    denseStates.set(view, state);
  }
  state.row = row;
  while (row >= state.groupEnd) {
    state.groupEnd = view.peersOf(state.groupEnd)[1];
    state.rank++;
  }
  return state.rank;
}

/** Buckets differ by one row at most, the larger ones first. */
function ntile(view: WindowView): number | null {
  const buckets = view.arg(0, 0) as number | null;
  if (buckets === null) return null;
  if (buckets <= 0) throw new SvcError('22014', 'argument of ntile must be greater than zero');
  const size = Math.floor(view.count / buckets);
  const larger = view.count % buckets;
  const inLarger = larger * (size + 1);
  return view.row < inLarger ? Math.floor(view.row / (size + 1)) + 1 : larger + Math.floor((view.row - inLarger) / size) + 1;
}

function counting(name: string, returns: string, doc: string, impl: (view: WindowView) => number, needs: WindowFunction['needs'] = 'peers'): WindowFunction {
  return { kind: 'window', name, args: [], returns, doc, needs, impl };
}

export const WINDOW_RANK: FunctionModule = {
  functions: [
    counting('row_number', 'int8', 'Position of the row in its partition, from 1.', (view) => view.row + 1, 'rows'),
    counting('rank', 'int8', 'Position of the first peer of the row.', (view) => view.peersOf(view.row)[0] + 1),
    counting('dense_rank', 'int8', 'Which group of peers the row is in, from 1.', denseRank),
    counting('percent_rank', 'float8', '(rank - 1) / (rows of the partition - 1), from 0 to 1.', (view) =>
      view.count <= 1 ? 0 : view.peersOf(view.row)[0] / (view.count - 1),
    ),
    counting('cume_dist', 'float8', 'Which part of the partition comes before the row or is its peer.', (view) => view.peersOf(view.row)[1] / view.count),
    {
      kind: 'window',
      name: 'ntile',
      args: ['int4'],
      returns: 'int4',
      needs: 'rows',
      doc: 'Which of n buckets, as equal as can be, the row falls into.',
      impl: ntile,
    },
  ],
};
