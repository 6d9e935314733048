/**
 * Words that the code does not use, with what to say instead (docs/GLOSSARY.md has the whole vocabulary).
 * Patterns are matched against text in which identifiers are split at case and underscores: `toldOf` is read as `told Of`.
 */
export interface Avoided {
  readonly pattern: string;
  readonly instead: string;
}

export const AVOIDED: readonly Avoided[] = [
  { pattern: 'tell|tells|told|telling', instead: 'report, return, notify, distinguish' },
  { pattern: 'whoever|who asks', instead: 'the caller, the client, the principal' },
  { pattern: 'whatever|whichever', instead: 'any value, every statement that …' },
  { pattern: 'nobody|somebody|anybody|everybody', instead: 'no client, another session, no caller' },
  { pattern: 'hang on|hangs on|hanging on|hung on|what hangs', instead: 'depend on, reference, dependents' },
  { pattern: '(?<!all )settled?|settles|settling|unsettled', instead: 'resolve, wait for, decide, make durable' },
  { pattern: 'so many|so much', instead: 'this many, at most n, a number' },
  { pattern: 'laid|lain', instead: 'stored, placed, written' },
  { pattern: '(?:made|make|makes|making) ready', instead: 'prepared, precomputed, compiled' },
  { pattern: '(?:let|lets|letting) (?:others?|the others|all others) (?:in|run|go)|(?:is|are|be) let in', instead: 'yield to the event loop' },
  { pattern: '(?:gives?|given|giving|gave) way', instead: 'yield' },
  { pattern: '(?:is|are|was|were|be|been) asked|asked of', instead: 'is called, is checked, is evaluated, is read' },
  { pattern: 'stands? for|stood for', instead: 'represents, means, replaces' },
  { pattern: 'stands? in|stood in', instead: 'is in, is stored in' },
  { pattern: 'anew|afresh', instead: 'again, from the start, rebuild' },
  { pattern: 'by itself|by themselves', instead: 'alone, separately, automatically' },
  { pattern: '(?:go|goes|went|gone) (?:by|its own|their own)', instead: 'uses, falls back to' },
  { pattern: 'goes on|go on|went on', instead: 'continues, resumes' },
  { pattern: 'one after the other|one after another', instead: 'sequentially, in order' },
  { pattern: '(?:taken|takes?|took|taking) back', instead: 'undo, revert' },
  { pattern: '(?:given|gives?|gave|giving) (?:up|away)', instead: 'abandon, drop, evict' },
  { pattern: 'looked at|looks at', instead: 'inspect, check, read' },
  { pattern: 'under way', instead: 'running, in progress, open' },
  { pattern: 'recorded only|written down', instead: 'catalog-only, stored' },
  { pattern: 'heed|heeds|heeded', instead: 'obey, observe, check' },
  { pattern: 'cramped|crowded|keep house|hold house|housekeeping', instead: 'over quota, backpressure, maintenance' },
  { pattern: 'patiently|owed|saw all|saw owed', instead: 'with lock retry, pending, durability watermark' },
  { pattern: 'of which nothing|of whom', instead: 'say what it is, not what it is not' },
  { pattern: 'comes? of it|what came of', instead: 'result, outcome' },
];

/** Lists of words and texts that are not ours: stop words, Postgres's own descriptions and messages, licences. */
export const NOT_OURS: readonly string[] = [
  'src/sql/functions/search/',
  'src/sql/catalog/data/',
  'test/tidy/words.ts',
  'docs/GLOSSARY.md',
  'docs/citations.md',
];
