/** Names of the types whose values are oids of objects, written by name. Manual, section 8.19. */
export const REGISTERED: readonly string[] = [
  'regproc',
  'regprocedure',
  'regoper',
  'regoperator',
  'regclass',
  'regtype',
  'regnamespace',
  'regrole',
  'regcollation',
  'regconfig',
  'regdictionary',
];
