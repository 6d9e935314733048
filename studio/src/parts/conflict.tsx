/** A conflict of a merge: the row at the fork, here and there, and a choice for it, as a whole, column by column, or with a value of one's own. */
import { useState } from 'preact/hooks';
import { parseExactJson } from '../../../src/base/exact-json.ts';
import type { Conflict, Row, World } from '../shapes.ts';
import { Whole } from './diff.tsx';
import { keyParts, same, textOf, visible } from './text.ts';
import { Tag } from './ui.tsx';
import { Text, Value } from './value.tsx';

export type Pick = 'ours' | 'theirs' | 'delete' | Row;

interface CardProps {
  conflict: Conflict;
  world: World;
  choice: Pick | undefined;
  /** The choice is of this conflict alone, not of all. */
  isOwn: boolean;
  isOpen: boolean;
  onPick: (choice: Pick | undefined) => void;
}

export function ConflictCard({ conflict, world, choice, isOwn, isOpen, onPick }: CardProps) {
  const { key, base, ours, theirs, code, explanation } = conflict;
  const { table, id } = keyParts(key);
  const [editing, setEditing] = useState<string | null>(null);
  const isDefinition = key.startsWith('_svc_schema/');
  const names = [...new Set([base, ours, theirs].flatMap((row) => Object.keys(row ?? {})))];
  const moved = names.filter((name) => !same(base?.[name], ours?.[name]) || !same(base?.[name], theirs?.[name]));
  const [whole, setWhole] = useState(false);
  const group = `pick ${key} ${code ?? ''}`;
  const isRow = typeof choice === 'object';
  /** One column from a side: the row becomes one of its own. */
  const from = (name: string, value: unknown): void => {
    const start: Row = isRow ? choice : choice === 'theirs' ? { ...theirs } : { ...(ours ?? theirs) };
    onPick({ ...start, [name]: value });
  };
  const mixed: Row | null = isRow ? choice : choice === 'ours' ? ours : choice === 'theirs' ? theirs : choice === 'delete' ? null : null;
  const side = (which: 'ours' | 'theirs', title: string, row: Row | null) => (
    <th scope="col">
      <label class="check">
        <input type="radio" name={group} checked={choice === which} onChange={() => onPick(which)} />
        {title} {row === null ? <Tag kind="del">deleted</Tag> : null}
      </label>
    </th>
  );
  return (
    <article class={`card conflict ${isOpen ? 'open' : 'resolved'}`} aria-label={visible(`Conflict ${table} ${id}`)}>
      <header>
        <h3>
          <span class="quiet">
            <Text text={table} />
          </span>{' '}
          <Text text={id} />
        </h3>
        {code === undefined ? null : (
          <Tag kind="bad">
            <Text text={conflict.constraint ?? 'constraint'} /> {code}
          </Tag>
        )}
        {isOpen ? <Tag kind="bad">open</Tag> : <Tag kind="good">resolved</Tag>}
        {!isOwn ? null : (
          <button type="button" class="plain small" onClick={() => onPick(undefined)}>
            Undo
          </button>
        )}
      </header>
      {/* Of a row that both changed the table below says it all. */}
      {code === undefined && !isDefinition ? null : (
        <p>
          <Text text={explanation} most={600} />
        </p>
      )}
      {isDefinition ? (
        <div class="verdict-buttons left">
          <button type="button" aria-pressed={choice === 'ours'} onClick={() => onPick('ours')}>
            As in {world.parent}
          </button>
          <button type="button" aria-pressed={choice === 'theirs'} onClick={() => onPick('theirs')}>
            As in {world.name}
          </button>
        </div>
      ) : (
        <>
          <div class="scroll">
            <table class="sides three">
              <thead>
                <tr>
                  <th scope="col">Column</th>
                  <th scope="col">At the fork</th>
                  {side('ours', world.parent ?? 'ours', ours)}
                  {side('theirs', world.name, theirs)}
                  <th scope="col">Result</th>
                </tr>
              </thead>
              <tbody>
                {(whole ? names : moved).map((name) => {
                  const isBoth = !same(base?.[name], ours?.[name]) && !same(base?.[name], theirs?.[name]);
                  const cell = (which: 'ours' | 'theirs', row: Row | null) => {
                    const isChosen = mixed !== null && row !== null && same(mixed[name], row[name]) && !same(ours?.[name], theirs?.[name]);
                    return (
                      <td class={isChosen ? 'chosen' : ''}>
                        {row === null ? null : same(ours?.[name], theirs?.[name]) || ours === null || theirs === null ? (
                          <Whole value={row[name]} />
                        ) : (
                          <button type="button" class="cell-pick" aria-pressed={isChosen} onClick={() => from(name, row[name] ?? null)}>
                            <span class="sr">
                              {name} as in {which === 'ours' ? world.parent : world.name}:{' '}
                            </span>
                            <Value value={row[name]} most={400} />
                          </button>
                        )}
                      </td>
                    );
                  };
                  return (
                    <tr class={isBoth ? 'both' : ''}>
                      <th scope="row">
                        <Text text={name} />
                      </th>
                      <td>{base === null ? null : <Whole value={base[name]} />}</td>
                      {cell('ours', ours)}
                      {cell('theirs', theirs)}
                      <td class="result">
                        {choice === 'delete' ? (
                          <span class="null">deleted</span>
                        ) : mixed === null ? (
                          <span class="quiet">—</span>
                        ) : editing === name ? (
                          <EditCell value={mixed[name]} label={name} onDone={(value) => (setEditing(null), value === undefined || from(name, value))} />
                        ) : (
                          <button type="button" class="cell-pick" onClick={() => setEditing(name)}>
                            <span class="sr">Edit {name}: </span>
                            <Value value={mixed[name]} most={400} />
                          </button>
                        )}
                      </td>
                    </tr>
                  );
                })}
              </tbody>
            </table>
          </div>
          <div class="verdict-buttons left">
            <button type="button" class="small" aria-pressed={choice === 'delete'} onClick={() => onPick('delete')}>
              Delete the row
            </button>
            {names.length > moved.length ? (
              <button type="button" class="small plain" onClick={() => setWhole(!whole)}>
                {whole ? 'Only what changed' : `All ${names.length} columns`}
              </button>
            ) : null}
          </div>
        </>
      )}
    </article>
  );
}

/** A value of one's own: JSON where it is JSON, else text. Numbers stay as they are typed. */
function EditCell({ value, label, onDone }: { value: unknown; label: string; onDone: (value: unknown) => void }) {
  const isText = typeof value === 'string';
  const [text, setText] = useState(textOf(value));
  const finish = (): void => {
    if (isText) return onDone(text);
    try {
      onDone(parseExactJson(text));
    } catch {
      onDone(text);
    }
  };
  return (
    <input
      value={text}
      aria-label={label}
      ref={(element) => element?.focus()}
      onInput={(event) => setText((event.currentTarget as HTMLInputElement).value)}
      onBlur={finish}
      onKeyDown={(event) => {
        if (event.key === 'Enter') {
          event.preventDefault();
          finish();
        } else if (event.key === 'Escape') onDone(undefined);
      }}
    />
  );
}
