/**
 * A list of lines of equal height, of which only those in sight are in the page. Browsers take no element higher than some 16 million pixels:
 * longer lists are scrolled in proportion. The list has the focus; screen readers follow its cursor by the id of the line.
 */
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';

const HEIGHT_MAX = 12_000_000;
const BEYOND = 8;

export interface VirtualProps {
  readonly count: number;
  readonly line: number;
  /** Cursor for the keyboard; -1: none. */
  readonly cursor?: number;
  readonly onCursor?: (index: number) => void;
  readonly onOpen?: (index: number) => void;
  readonly onRange?: (from: number, to: number) => void;
  readonly label: string;
  readonly role?: 'list' | 'listbox' | 'grid';
  readonly columns?: number;
  /** Width below which the list is scrolled sideways, in pixels: each line is a grid of its own, and all must be equally wide. */
  readonly wide?: number;
  readonly head?: ComponentChildren;
  /** `id`: of the line's element, where there is a cursor. */
  readonly render: (index: number, id: string) => ComponentChildren;
  readonly class?: string;
}

export function Virtual({
  count,
  line,
  cursor = -1,
  onCursor,
  onOpen,
  onRange,
  label,
  role = 'list',
  columns,
  wide,
  head,
  render,
  class: name = '',
}: VirtualProps) {
  const box = useRef<HTMLDivElement>(null);
  const lines = useId();
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(600);
  useLayoutEffect(() => {
    const element = box.current!;
    const measure = (): void => setHeight(element.clientHeight);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const whole = count * line;
  const shown = Math.min(whole, HEIGHT_MAX);
  /** From pixels of the page to lines. */
  const scale = whole > shown && shown > height ? (whole - height) / (shown - height) : 1;
  const exact = top * scale;
  const from = Math.max(0, Math.floor(exact / line) - BEYOND);
  const to = Math.min(count, Math.ceil((exact + height) / line) + BEYOND);
  useEffect(() => onRange?.(from, to), [from, to, count]);
  const goTo = (index: number): void => {
    const element = box.current!;
    const at = index * line;
    if (at < exact) element.scrollTop = at / scale;
    else if (at + line > exact + height - (head === undefined ? 0 : line)) element.scrollTop = (at + line * 2 - height) / scale;
    onCursor?.(index);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.target !== box.current || onCursor === undefined) return;
    const page = Math.max(1, Math.floor(height / line) - 2);
    const moves: Record<string, number> = {
      ArrowDown: cursor + 1,
      ArrowUp: cursor - 1,
      j: cursor + 1,
      k: cursor - 1,
      PageDown: cursor + page,
      PageUp: cursor - page,
      Home: 0,
      End: count - 1,
    };
    const next = moves[event.key];
    if (next !== undefined && count > 0) {
      event.preventDefault();
      goTo(Math.max(0, Math.min(count - 1, next)));
    } else if (event.key === 'Enter' && cursor >= 0) {
      event.preventDefault();
      onOpen?.(cursor);
    }
  };
  const offset = from * line - exact + top;
  const items = [];
  for (let i = from; i < to; i++) items.push(render(i, `${lines}-${i}`));
  return (
    <div
      ref={box}
      class={`virtual ${name}`}
      role={role}
      aria-label={label}
      aria-rowcount={role === 'grid' ? count + 1 : undefined}
      aria-colcount={role === 'grid' ? columns : undefined}
      aria-activedescendant={role !== 'list' && cursor >= from && cursor < to ? `${lines}-${cursor}` : undefined}
      tabIndex={0}
      onScroll={(event) => setTop((event.currentTarget as HTMLDivElement).scrollTop)}
      onKeyDown={onKeyDown}
    >
      {head}
      <div class="virtual-whole" role="presentation" style={{ height: `${shown}px`, ...(wide === undefined ? {} : { minWidth: `${wide}px` }) }}>
        <div class="virtual-shown" role="presentation" style={{ transform: `translateY(${offset}px)` }}>
          {items}
        </div>
      </div>
    </div>
  );
}

/** Pixels that a column of a type needs at least, and its share of the rest. */
function trackOf(type: string): readonly [least: number, share: number] {
  if (type.startsWith('timestamp')) return [240, 1];
  return /int|numeric|real|double|bool|date/.test(type) ? [96, 1] : [160, 2];
}

/** Tracks of a grid for columns of these types, after a first one of `first` pixels (0: none), and their least width. */
export function gridOf(types: readonly string[], first: number): { grid: string; wide: number } {
  const tracks = types.map(trackOf);
  return {
    grid: [...(first === 0 ? [] : [`${first}px`]), ...tracks.map(([least, share]) => `minmax(${least}px, ${share}fr)`)].join(' '),
    wide: tracks.reduce((sum, [least]) => sum + least, first),
  };
}
