/** Which rows of a table are listed: by a comparison with a column, or by words. */
import { useState } from 'preact/hooks';
import type { Column } from '../catalog.ts';
import { cut, visible } from './text.ts';
import { Input } from './ui.tsx';

export interface Filter {
  readonly column: string;
  readonly how: string;
  readonly value: string;
}

/** Conditions with one parameter. */
export const HOW: Record<string, (column: string) => string> = {
  '=': (column) => `${column} = $1`,
  '≠': (column) => `${column} IS DISTINCT FROM $1`,
  '<': (column) => `${column} < $1`,
  '>': (column) => `${column} > $1`,
  contains: (column) => `strpos(lower(${column}::text), lower($1)) > 0`,
  'is null': (column) => `${column} IS NULL AND $1::text IS NOT NULL`,
};

export function FilterForm({ columns, filter, onFilter }: { columns: readonly Column[]; filter: Filter | null; onFilter: (filter: Filter | null) => void }) {
  const [column, setColumn] = useState(columns[0]?.name ?? '');
  const [how, setHow] = useState('=');
  const [value, setValue] = useState('');
  return (
    <form
      class="inline"
      role="search"
      aria-label="Filter rows"
      onSubmit={(event) => {
        event.preventDefault();
        // Of a text the empty one can be wanted.
        const isText = /^(text|character|name|citext)/.test(columns.find(({ name }) => name === column)?.type ?? '');
        onFilter(value === '' && how !== 'is null' && (how === 'contains' || !isText) ? null : { column, how, value });
      }}
    >
      <select aria-label="Column" value={column} onChange={(event) => setColumn((event.currentTarget as HTMLSelectElement).value)}>
        {columns.map(({ name }) => (
          <option value={name}>{visible(cut(name, 40))}</option>
        ))}
      </select>
      <select aria-label="Comparison" value={how} onChange={(event) => setHow((event.currentTarget as HTMLSelectElement).value)}>
        {Object.keys(HOW).map((each) => (
          <option value={each}>{each}</option>
        ))}
      </select>
      {how === 'is null' ? null : <Input value={value} onText={setValue} aria-label="Value" placeholder="value" class="short" />}
      <button type="submit">Filter</button>
      {filter === null ? null : (
        <button type="button" onClick={() => (setValue(''), onFilter(null))}>
          All rows
        </button>
      )}
    </form>
  );
}

export function SearchForm({ onSearch }: { onSearch: (words: string) => void }) {
  const [words, setWords] = useState('');
  return (
    <form
      class="inline"
      role="search"
      aria-label="Search rows"
      onSubmit={(event) => {
        event.preventDefault();
        onSearch(words.trim());
      }}
    >
      <Input
        value={words}
        onText={(text) => (setWords(text), text === '' && onSearch(''))}
        aria-label="Words to search for"
        placeholder="search words"
        class="short"
        type="search"
      />
      <button type="submit">Search</button>
    </form>
  );
}
