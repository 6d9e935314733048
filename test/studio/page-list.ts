/** All pages of the console with their tabs, as its source has them: lists of tests are compared with it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const CLIENT = join(import.meta.dirname, '../../studio/src');

/** `page` and `page?tab=…`, in the order of the source. */
export function pagesOfClient(): string[] {
  const frame = readFileSync(join(CLIENT, 'frame.tsx'), 'utf8');
  const [, listed] = /const PAGES: Record<string, ComponentType> = \{([\s\S]*?)\n\};/.exec(frame)!;
  const sources = readdirSync(join(CLIENT, 'pages')).map((name) => readFileSync(join(CLIENT, 'pages', name), 'utf8'));
  return [...listed.matchAll(/(\w+): (\w+),/g)].flatMap(([, page, component]) => {
    const source = sources.find((each) => each.includes(`export function ${component}(`))!;
    const body = source.slice(source.indexOf(`export function ${component}(`)).split(/\n\}\n/)[0];
    const tabs = /<Tabs[\s\S]*?tabs=\{\[([\s\S]*?)\n\s*\]\}/.exec(body);
    const ids = tabs === null ? [] : [...tabs[1].matchAll(/\[\s*'(\w+)', '/g)].map(([, id]) => id);
    return [page, ...ids.slice(1).map((id) => `${page}?tab=${id}`)];
  });
}
