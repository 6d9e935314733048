/** The world that a page shows. */
import { useEffect, useState } from 'preact/hooks';
import { op } from '../api.ts';
import type { World } from '../shapes.ts';
import { asOf, moment } from '../state.ts';

const LISTED_MAX = 500;
/** What the page itself asks for comes first. */
const AFTER_MS = 150;

export function WorldPicker({ world, onPick }: { world: string; onPick: (name: string) => void }) {
  const [list, setList] = useState<readonly string[]>([]);
  useEffect(() => {
    const timer = setTimeout(() => {
      void op<{ branches: World[] }>('branches', { limit: LISTED_MAX, ...asOf() }, { background: true }).then(
        ({ branches }) => setList(branches.map(({ name }) => name)),
        () => {},
      );
    }, AFTER_MS);
    return () => clearTimeout(timer);
  }, [moment.value]);
  const names = list.includes(world) ? list : [world, ...list];
  return (
    <label class="picker">
      <span>World</span>
      <select value={world} onChange={(event) => onPick((event.currentTarget as HTMLSelectElement).value)}>
        {names.map((name) => (
          <option value={name}>{name}</option>
        ))}
      </select>
    </label>
  );
}
