/** Keys from bytes, the line editor, history and the cutting of texts into pieces. */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { historyPath, openHistory } from '../../src/shell/edit/history-file.ts';
import { History } from '../../src/shell/edit/history.ts';
import { Keyboard } from '../../src/shell/edit/keyboard.ts';
import { type Key, KeyDecoder } from '../../src/shell/edit/keys.ts';
import { LineEditor } from '../../src/shell/edit/line-editor.ts';
import { pieces } from '../../src/shell/edit/pieces.ts';
import { syntax } from '../../src/shell/commands/syntax.ts';

/** Text in quotes, everything else by its name. */
function decoded(chunks: readonly (string | Buffer)[]): string[] {
  const keys: string[] = [];
  const decoder = new KeyDecoder(({ name, text }: Key) => keys.push(name === 'text' ? `'${text}'` : name === 'paste' ? `paste:${text}` : name));
  for (const chunk of chunks) decoder.write(Buffer.from(chunk));
  return keys;
}

describe('keys', () => {
  test.each<[string, string, string[]]>([
    ['text', 'abc', ["'abc'"]],
    ['enter between texts', 'a\rb', ["'a'", 'enter', "'b'"]],
    ['arrows', '\x1b[A\x1b[B\x1bOC\x1bOD', ['up', 'down', 'right', 'left']],
    ['home and end of several terminals', '\x1b[H\x1b[F\x1b[1~\x1b[4~\x1bOH\x1b[7~', ['home', 'end', 'home', 'end', 'home', 'home']],
    ['modifiers', '\x1b[1;5D\x1b[1;3C\x1b[3;5~', ['ctrl-left', 'alt-right', 'ctrl-delete']],
    ['alt', '\x1bb\x1bf\x1b\x7f', ['alt-b', 'alt-f', 'alt-backspace']],
    ['controls', '\x01\x05\x0b\x15\x17\x12\x03\x04\x1f', ['ctrl-a', 'ctrl-e', 'ctrl-k', 'ctrl-u', 'ctrl-w', 'ctrl-r', 'ctrl-c', 'ctrl-d', 'ctrl-_']],
    ['a paste of many lines', 'x\x1b[200~SELECT 1;\r\nSELECT 2;\r\x1b[201~y', ["'x'", 'paste:SELECT 1;\nSELECT 2;\n', "'y'"]],
    ['a paste with escapes inside', '\x1b[200~a\x1b[Ab\x1b[201~', ['paste:a\x1b[Ab']],
    ['what is unknown', '\x1b[99~a', ["'a'"]],
    ['characters of several bytes', 'é漢😀', ["'é漢😀'"]],
  ])('%s', (_name, bytes, keys) => {
    expect(decoded([bytes])).toEqual(keys);
    // Cut at every byte, it is the same.
    const whole = Buffer.from(bytes);
    const joined = (list: readonly string[]): string => list.join(' ').replaceAll("' '", '');
    expect(joined(decoded([...whole].map((byte) => Buffer.from([byte]))))).toBe(joined(keys));
  });

  test('an escape that nothing follows is a key', async () => {
    const keys: string[] = [];
    const decoder = new KeyDecoder(({ name }) => keys.push(name));
    decoder.write(Buffer.from('\x1b'));
    expect(keys).toEqual([]);
    await new Promise((resolve) => setTimeout(resolve, 80));
    expect(keys).toEqual(['escape']);
  });

  test('what is typed ahead waits for the next listener, and interrupts do not', () => {
    const keyboard = new Keyboard();
    const got: string[] = [];
    const key = (name: string): Key => ({ name, text: '' });
    keyboard.push(key('a'));
    const unlisten = keyboard.listen(({ name }) => got.push(`run:${name}`), ['ctrl-c']);
    keyboard.push(key('b'));
    keyboard.push(key('ctrl-c'));
    expect(got).toEqual(['run:ctrl-c']);
    unlisten();
    keyboard.listen(({ name }) => got.push(`prompt:${name}`));
    expect(got).toEqual(['run:ctrl-c', 'prompt:a', 'prompt:b']);
  });
});

/** `|` is the cursor. */
function edited(text: string, ...keys: string[]): string {
  const editor = new LineEditor();
  editor.set(text.replace('|', ''), text.indexOf('|'));
  for (const key of keys) {
    if (key.startsWith('+')) editor.insert(key.slice(1));
    else if (key === 'up' || key === 'down') editor.vertical(key === 'up' ? -1 : 1);
    else editor.key(key);
  }
  return `${editor.text.slice(0, editor.cursor)}|${editor.text.slice(editor.cursor)}`;
}

describe('the line editor', () => {
  test.each<[string, string[], string]>([
    ['ab|c', ['+x'], 'abx|c'],
    ['ab|c', ['left', 'left', 'left'], '|abc'],
    ['ab|c', ['right', 'right'], 'abc|'],
    ['one two|', ['home'], '|one two'],
    ['one\nt|wo', ['ctrl-a'], 'one\n|two'],
    ['|one\ntwo', ['ctrl-e'], 'one|\ntwo'],
    ['|one\ntwo', ['ctrl-k'], '|\ntwo'],
    ['|\ntwo', ['ctrl-k'], '|two'],
    ['one two| three', ['ctrl-u'], '| three'],
    ['one two.x|', ['ctrl-w'], 'one |'],
    ['one two.x|', ['alt-backspace'], 'one two.|'],
    ['one| two', ['alt-d'], 'one|'],
    ['one two|', ['ctrl-w', 'home', 'ctrl-y'], 'two|one '],
    ['one two|', ['alt-b', 'alt-b'], '|one two'],
    ['|one two', ['alt-f'], 'one| two'],
    ['abc|', ['backspace'], 'ab|'],
    ['|abc', ['backspace'], '|abc'],
    ['|abc', ['delete'], '|bc'],
    ['a😀|b', ['backspace'], 'a|b'],
    ['ae\u0301|b', ['left'], 'a|e\u0301b'],
    ['👨‍👩‍👧|', ['backspace'], '|'],
    ['abcd\nx|y\nlong', ['up'], 'a|bcd\nxy\nlong'],
    ['abcd|\nxy', ['down'], 'abcd\nxy|'],
    ['one|', ['+ two', 'ctrl-_'], 'one|'],
    ['one two|', ['ctrl-u', 'ctrl-_'], 'one two|'],
  ])('%j %j', (before, keys, after) => {
    expect(edited(before, ...keys)).toBe(after);
  });
});

describe('history', () => {
  test('is walked through and comes back to what was typed', () => {
    const history = new History(['a', 'b']);
    expect([history.older('typed'), history.older(''), history.older('')]).toEqual(['b', 'a', null]);
    expect([history.newer(), history.newer(), history.newer()]).toEqual(['b', 'typed', null]);
  });

  test('is searched from the newest on', () => {
    const history = new History(['SELECT 1;', 'fork a', 'select 2;']);
    expect(history.search('SELECT')).toEqual({ at: 2, entry: 'select 2;' });
    expect(history.search('select', 2)).toEqual({ at: 0, entry: 'SELECT 1;' });
    expect(history.search('nothing')).toBeNull();
  });

  test('keeps no repetition, nothing behind a blank, no password', () => {
    const kept: string[] = [];
    const history = new History([], (entry) => kept.push(entry));
    for (const text of ['a', 'a', ' secret', "CREATE ROLE x PASSWORD 'p';", '', 'b\nc;']) history.add(text);
    expect(kept).toEqual(['a', 'b\nc;']);
    expect(history.entries).toEqual(kept);
  });

  test('lasts in a file that only its owner reads, outside of the folder', () => {
    const home = mkdtempSync(join(tmpdir(), 'svc-history-'));
    try {
      const path = historyPath(join(home, 'data'), { XDG_STATE_HOME: join(home, 'state') });
      expect(path.startsWith(join(home, 'state', 'svc'))).toBe(true);
      expect(historyPath(join(home, 'other'), { XDG_STATE_HOME: join(home, 'state') })).not.toBe(path);
      openHistory(path).add('SELECT 1\nFROM x;');
      // A shell that was killed while it wrote leaves half a line.
      writeFileSync(path, `${readFileSync(path, 'utf8')}"half`);
      expect(openHistory(path).entries).toEqual(['SELECT 1\nFROM x;']);
      expect(statSync(path).mode & 0o777).toBe(0o600);
      expect(statSync(join(path, '..')).mode & 0o077).toBe(0);
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  });
});

describe('pieces', () => {
  const cut = (text: string): string[] => pieces(text, syntax(false).isCommand).map(({ kind, text: own, whole }) => `${kind}${whole ? '' : '…'} ${own}`);
  test.each<[string, string[]]>([
    ['', []],
    [' ;; -- nothing\n', []],
    ['SELECT 1; SELECT 2;', ['sql SELECT 1', 'sql SELECT 2']],
    ['SELECT 1', ['sql… SELECT 1']],
    [`SELECT ';', "a;b", $$;$$, $x$;$$;$x$, E'\\';';`, [`sql SELECT ';', "a;b", $$;$$, $x$;$$;$x$, E'\\';'`]],
    ['SELECT 1 -- ;\n + 2;', ['sql SELECT 1 -- ;\n + 2']],
    ['SELECT /* ; /* ; */ */ 1;', ['sql SELECT /* ; /* ; */ */ 1']],
    ["SELECT 'open;\n", ["sql… SELECT 'open;"]],
    ['CREATE RULE r AS ON x DO (a; b); SELECT 1;', ['sql CREATE RULE r AS ON x DO (a; b)', 'sql SELECT 1']],
    [
      'CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT CASE WHEN true THEN 1 END; SELECT 2; END; SELECT 3;',
      ['sql CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT CASE WHEN true THEN 1 END; SELECT 2; END', 'sql SELECT 3'],
    ],
    ['fork draft\nSELECT 1;\nworlds\n', ['command fork draft', 'sql SELECT 1', 'command worlds']],
    ['worlds', ['command… worlds']],
    ['SELECT 1\nfork\n;', ['sql SELECT 1\nfork']],
    [
      'MERGE INTO t USING s ON true WHEN MATCHED THEN DELETE; merge draft\n',
      ['sql MERGE INTO t USING s ON true WHEN MATCHED THEN DELETE', 'command merge draft'],
    ],
    ['MERGE WORLD draft; diff world x;', ['sql MERGE WORLD draft', 'sql diff world x']],
    ['DELETE FROM t;\ndelete t 1\n', ['sql DELETE FROM t', 'command delete t 1']],
    ['CHECKPOINT;\ncheckpoint here;\n', ['sql CHECKPOINT', 'command checkpoint here;']],
    ['BEGIN;\nROLLBACK;', ['sql BEGIN', 'sql ROLLBACK']],
    ['DISCARD ALL;\ndiscard draft\n', ['sql DISCARD ALL', 'command discard draft']],
    ['UNDO MERGE draft; undo draft\n', ['sql UNDO MERGE draft', 'command undo draft']],
    ['\\d items\nSELECT 1;', ['command \\d items', 'sql SELECT 1']],
    ['SELECT 1 \\watch 2\nSELECT 2;', ['held SELECT 1', 'command \\watch 2', 'sql SELECT 2']],
    ["SELECT '\\g', $$\\g$$, e'\\\\' \\g\n", ["held SELECT '\\g', $$\\g$$, e'\\\\'", 'command \\g']],
  ])('%j', (text, expected) => {
    expect(cut(text)).toEqual(expected);
  });
});
