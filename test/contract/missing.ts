/** Promises that no test holds, each with the reason. An entry goes when its promise has a test. */
export const MISSING: Readonly<Record<string, string>> = {
  'auth.wire.11': 'no release stored agents without a verifier, so that there is no folder to open; an agent whose verifier is empty would stay without one',
};
