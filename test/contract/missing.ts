/** Promises that no test holds, each with the reason. An entry goes when its promise has a test. */
const ATTACH = 'attaching external databases is not built yet';

export const MISSING: Readonly<Record<string, string>> = {
  'command.6': ATTACH,
  'merge.15': ATTACH,
  'fixed.13': ATTACH,
  'fixed.14': ATTACH,
  'auth.wire.11': 'no release stored agents without a verifier, so that there is no folder to open; an agent whose verifier is empty would stay without one',
};
