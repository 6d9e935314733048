/** XQuery's flags of like_regex as options of Postgres's own expressions. Manual, section 9.16.2.3. */
import type { Options } from '../text/regexp/parse.ts';
import { parseFlags } from '../text/regexp/regexp.ts';

/** Without `s` a dot stops at newlines, and without `m` anchors do not. */
export function optionsOfFlags(flags: string): Options {
  const [dots, lines] = [flags.includes('s'), flags.includes('m')];
  const newlines = flags.includes('q') ? 'q' : lines ? (dots ? 'w' : 'n') : dots ? '' : 'p';
  return parseFlags(`${flags.includes('i') ? 'i' : ''}${newlines}`).options;
}
