/** Values of the database on the page: text nodes alone, isolated from the direction of what stands around them. */
import { cut, isNumeric, parts, textOf } from './text.ts';

/** Text with what is not seen made visible. */
export function Text({ text, most = 300 }: { text: string; most?: number }) {
  const shown = cut(text, most);
  return (
    <bdi class="text">
      {parts(shown).map(({ text: part, isMark }) => (isMark ? <span class="mark">{part}</span> : part))}
      {shown.length < text.length ? <span class="more">… {text.length.toLocaleString('en-US')} characters</span> : null}
    </bdi>
  );
}

export function Value({ value, most }: { value: unknown; most?: number }) {
  if (value === null || value === undefined) return <span class="null">null</span>;
  const kind = isNumeric(value) ? 'num' : typeof value === 'boolean' ? 'bool' : typeof value === 'object' ? 'json' : 'str';
  return (
    <span class={kind}>
      <Text text={textOf(value)} most={most} />
    </span>
  );
}

/** A name of the database: a world, a table, a role. */
export function Name({ name }: { name: string }) {
  return (
    <span class="name">
      <Text text={name} most={256} />
    </span>
  );
}
