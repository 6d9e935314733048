/** Operators of aclitem (manual, section 9.26.2, table 9.69). Values are texts, `10=r*w/10`, with oids. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import type { ArrayValue } from '../../types/array-value.ts';
import type { FunctionModule } from '../define.ts';

const PARTS = /^(.*)=([A-Za-z*]*)\/(.*)$/;

export function aclContains({ elements }: ArrayValue, item: string): boolean {
  const [, grantee, rights, grantor] = PARTS.exec(item)!;
  return (elements as readonly (string | null)[]).some((each) => {
    if (each === null) throw new SvcError('22004', 'ACL arrays must not contain null values');
    const [, ownGrantee, ownRights, ownGrantor] = PARTS.exec(each)!;
    if (ownGrantee !== grantee || ownGrantor !== grantor) return false;
    const own = ownRights.match(/[A-Za-z]\*?/g) ?? [];
    return (rights.match(/[A-Za-z]\*?/g) ?? []).every((right) => own.some((has) => has === right || has === `${right}*`));
  });
}

function noLonger(name: string): () => never {
  return () => {
    throw new SvcError('0A000', `${name} is no longer supported`);
  };
}

export const aclFunctions: FunctionModule = {
  operators: [
    { name: '=', left: 'aclitem', right: 'aclitem', returns: 'bool', proc: 'aclitemeq', commutator: '=', impl: (a: string, b: string) => a === b },
    { name: '@>', left: '_aclitem', right: 'aclitem', returns: 'bool', proc: 'aclcontains', impl: aclContains },
    { name: '+', left: '_aclitem', right: 'aclitem', returns: '_aclitem', proc: 'aclinsert', volatility: 'stable', impl: noLonger('aclinsert') },
    { name: '-', left: '_aclitem', right: 'aclitem', returns: '_aclitem', proc: 'aclremove', volatility: 'stable', impl: noLonger('aclremove') },
  ],
};
