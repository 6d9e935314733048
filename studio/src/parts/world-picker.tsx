/** The world that a page shows. */
import { useEffect, useState } from 'preact/hooks';
import { op } from '../api.ts';
import type { World } from '../shapes.ts';

const LISTED_MAX = 500;

export function WorldPicker({ world, onPick }: { world: string; onPick: (name: string) => void }) {
  const [list, setList] = useState<readonly string[]>([]);
  useEffect(() => {
    void op<{ branches: World[] }>('branches', { limit: LISTED_MAX }, { background: true }).then(
      ({ branches }) => setList(branches.map(({ name }) => name)),
      () => {},
    );
  }, []);
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
