/** Promises that no test holds, each with the reason. An entry goes when its promise has a test. */
const CONSOLE = 'the web console is not built yet';
const ATTACH = 'attaching external databases is not built yet';

export const MISSING: Readonly<Record<string, string>> = {
  'command.6': ATTACH,
  'command.7': CONSOLE,
  'merge.15': ATTACH,
  'console.1': CONSOLE,
  'console.2': CONSOLE,
  'console.3': CONSOLE,
  'console.4': CONSOLE,
  'console.5': CONSOLE,
  'console.6': CONSOLE,
  'console.7': CONSOLE,
  'fixed.12': CONSOLE,
  'fixed.13': ATTACH,
  'fixed.14': ATTACH,
  'auth.wire.11': 'no release stored agents without a verifier, so that there is no folder to open; an agent whose verifier is empty would stay without one',
};
