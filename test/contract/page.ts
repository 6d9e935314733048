/** The page docs/reference/contract.md: each promise with the tests that hold it. */
import { MISSING } from './missing.ts';
import { SECTIONS } from './promises.ts';
import type { Tag } from './tags.ts';

const cell = (text: string): string => text.replaceAll('|', '\\|');
const code = (text: string): string => `\`${text.replaceAll('`', "'")}\``;

export function contractPage(tags: readonly Tag[]): string {
  const testsOf = (id: string): string => {
    const holding = tags.filter(({ ids, title }) => ids.includes(id) && title !== null);
    return holding.length === 0 ? `none: ${MISSING[id] ?? ''}` : holding.map(({ file, title }) => `${code(file)}: ${cell(code(title!))}`).join('<br>');
  };
  const sections = SECTIONS.map(({ title, promises }) => {
    const rows = Object.entries(promises).map(([id, promise]) => `| ${id} | ${cell(promise)} | ${testsOf(id)} |`);
    return `## ${title}\n\n| id | promise | held by |\n|---|---|---|\n${rows.join('\n')}\n`;
  });
  return `# Promises and the tests that hold them

Made from \`test/contract/promises.ts\` and the tags of tests; do not edit. \`UPDATE=1 npx vitest run test/contract/contract.test.ts\` writes it.
A test holds a promise if it fails where the promise is broken; a comment \`// contract: <id>\` above it says so. \`%s\` in a title is a case of a table.

${sections.join('\n')}`;
}
