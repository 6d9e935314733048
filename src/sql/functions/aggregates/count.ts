/** count(*) and count(value). */
import { defineAggregate, type FunctionModule } from '../define.ts';

class Count {
  count = 0;
}

const common = {
  name: 'count',
  returns: 'int8',
  init: () => new Count(),
  step: (state: Count): Count => {
    state.count++;
    return state;
  },
  inverse: (state: Count): Count => {
    state.count--;
    return state;
  },
  finish: (state: Count): number => state.count,
};

export const countAggregates: FunctionModule = {
  functions: [
    defineAggregate<Count>({ ...common, args: [], doc: 'Number of rows.' }),
    defineAggregate<Count>({ ...common, args: ['any'], strict: true, doc: 'Number of rows whose argument is not null.' }),
  ],
};
