/** Worlds as a tree by parent, with details of each. */
import type { WorldView } from '../../commands/contract.ts';
import { visible } from './cell.ts';
import type { Style } from './style.ts';
import { ago } from './time-text.ts';
import { cutLine, padEnd, textWidth } from './width.ts';

export function worldTree(worlds: readonly WorldView[], current: string, nowMs: number, style: Style, width: number | null): string[] {
  const names = new Set(worlds.map(({ name }) => name));
  const children = new Map<string, WorldView[]>();
  const tops: WorldView[] = [];
  for (const world of worlds) {
    // Forks of an ended parent are shown at the top.
    if (world.parent === null || !names.has(world.parent)) tops.push(world);
    else {
      const siblings = children.get(world.parent);
      if (siblings === undefined) children.set(world.parent, [world]);
      else siblings.push(world);
    }
  }
  const rows: { head: string; world: WorldView }[] = [];
  const add = (world: WorldView, lead: string, own: string): void => {
    rows.push({ head: own, world });
    const below = children.get(world.name) ?? [];
    below.forEach((child, i) => {
      const last = i === below.length - 1;
      add(child, `${lead}${last ? '   ' : '│  '}`, `${lead}${last ? '└─ ' : '├─ '}`);
    });
  };
  for (const top of tops) add(top, '', '');
  // Possibly more worlds than a call's arguments.
  const widest = rows.reduce((most, { head, world }) => Math.max(most, textWidth(head) + textWidth(visible(world.name))), 0) + 2;
  const here = current.split('@')[0];
  return rows.map(({ head, world }) => {
    const isHere = world.name === here || world.id === here;
    const name = visible(world.name);
    const filled = ' '.repeat(Math.max(1, widest - textWidth(head) - textWidth(name)));
    const facts = [
      padEnd(`v${world.version}`, 6),
      padEnd(ago(world.active, nowMs), 9),
      world.owner === null ? '' : `by ${visible(world.owner)}`,
      world.pinned ? style.cyan('pinned') : '',
      world.flagged ? style.yellow('flagged: open in a crash') : '',
      world.pending === undefined ? '' : style.yellow(`waits for transaction ${world.pending} of Postgres: attachment shows it`),
      world.expires === null ? '' : style.dim(`gone ${ago(world.expires, nowMs)}`),
      intentOf(world),
    ].filter((text) => text !== '');
    const line = `${isHere ? style.green('*') : ' '} ${style.dim(head)}${isHere ? style.bold(name) : name}${filled}${facts.join('  ')}`.trimEnd();
    return width === null ? line : cutLine(line, width);
  });
}

function intentOf({ meta }: WorldView): string {
  const intent = meta['intent'];
  return typeof intent === 'string' ? `“${visible(intent)}”` : '';
}
