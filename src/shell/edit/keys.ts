/**
 * Parses a terminal's bytes into keys. A key is a name (`enter`, `ctrl-a`, `alt-b`, `ctrl-left`) or text; bracketed-paste
 * content is one key `paste`, so that its line breaks do not submit.
 */
import { StringDecoder } from 'node:string_decoder';

export interface Key {
  /** `text` and `paste` carry text; other keys are their name. */
  readonly name: string;
  readonly text: string;
}

/** An escape followed by nothing for this long is the Escape key. */
const ESCAPE_MS = 40;
const PASTE_START = '\x1b[200~';
const PASTE_END = '\x1b[201~';

const CONTROLS: Record<string, string> = {
  '\r': 'enter',
  '\n': 'enter',
  '\t': 'tab',
  '\x7f': 'backspace',
  '\b': 'backspace',
  '\x1f': 'ctrl-_',
  '\0': 'ctrl-space',
};
const LETTERS: Record<string, string> = { A: 'up', B: 'down', C: 'right', D: 'left', H: 'home', F: 'end', P: 'f1', Q: 'f2', R: 'f3', S: 'f4', Z: 'backtab' };
const NUMBERS: Record<string, string> = { 1: 'home', 2: 'insert', 3: 'delete', 4: 'end', 5: 'pageup', 6: 'pagedown', 7: 'home', 8: 'end' };
// oxlint-disable-next-line no-control-regex
const SEQUENCE = /^\x1b(?:\[([0-9;]*)([A-Za-z~])|O([A-Za-z]))/;

export class KeyDecoder {
  readonly #decoder = new StringDecoder('utf8');
  readonly #emit: (key: Key) => void;
  #pending = '';
  #paste: string | null = null;
  #timer: NodeJS.Timeout | null = null;

  constructor(emit: (key: Key) => void) {
    this.#emit = emit;
  }

  write(chunk: Buffer): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#pending += this.#decoder.write(chunk);
    this.#decode();
    if (this.#pending !== '' && this.#paste === null) {
      this.#timer = setTimeout(() => this.#flushEscape(), ESCAPE_MS);
    }
  }

  /** Flushes an incomplete sequence. */
  #flushEscape(): void {
    const rest = this.#pending;
    this.#pending = '';
    if (rest.startsWith('\x1b')) {
      this.#key('escape');
      if (rest.length > 1) this.#plain(rest.slice(1));
    } else this.#plain(rest);
  }

  #decode(): void {
    for (;;) {
      const text = this.#pending;
      if (text === '') return;
      if (this.#paste !== null) {
        const end = text.indexOf(PASTE_END);
        if (end < 0) {
          // The end mark may be split between chunks.
          const keep = Math.min(text.length, PASTE_END.length - 1);
          this.#paste += text.slice(0, text.length - keep);
          this.#pending = text.slice(text.length - keep);
          return;
        }
        const pasted = this.#paste + text.slice(0, end);
        this.#paste = null;
        this.#pending = text.slice(end + PASTE_END.length);
        this.#emit({ name: 'paste', text: pasted.replaceAll(/\r\n?/g, '\n') });
        continue;
      }
      const escape = text.indexOf('\x1b');
      if (escape !== 0) {
        this.#plain(escape < 0 ? text : text.slice(0, escape));
        this.#pending = escape < 0 ? '' : text.slice(escape);
        continue;
      }
      if (text.startsWith(PASTE_START)) {
        this.#paste = '';
        this.#pending = text.slice(PASTE_START.length);
        continue;
      }
      const found = SEQUENCE.exec(text);
      if (found !== null) {
        this.#pending = text.slice(found[0].length);
        const [, numbers, letter, short] = found;
        this.#sequence(numbers ?? '', letter ?? short);
        continue;
      }
      // Not whole yet: `ESC`, `ESC [`, `ESC [ 1 ;`.
      // oxlint-disable-next-line no-control-regex
      if (/^\x1b(?:$|\[[0-9;]*$|O$)/.test(text)) return;
      const [character] = text.slice(1);
      this.#pending = text.slice(1 + character.length);
      this.#key(`alt-${CONTROLS[character] ?? character.toLowerCase()}`);
    }
  }

  #sequence(numbers: string, letter: string): void {
    const [first = '', modifier = '1'] = numbers.split(';');
    const name = letter === '~' ? NUMBERS[first] : LETTERS[letter];
    if (name === undefined) return;
    const bits = Number(modifier) - 1;
    const lead = `${(bits & 4) !== 0 ? 'ctrl-' : ''}${(bits & 2) !== 0 ? 'alt-' : ''}${(bits & 1) !== 0 && name !== 'backtab' ? 'shift-' : ''}`;
    this.#key(lead + name);
  }

  #plain(text: string): void {
    let run = '';
    const flush = (): void => {
      if (run !== '') this.#emit({ name: 'text', text: run });
      run = '';
    };
    for (const character of text) {
      const code = character.charCodeAt(0);
      const control = CONTROLS[character] ?? (code < 32 ? `ctrl-${String.fromCharCode(code + 96)}` : undefined);
      if (control === undefined) {
        run += character;
        continue;
      }
      flush();
      this.#key(control);
    }
    flush();
  }

  #key(name: string): void {
    this.#emit({ name, text: '' });
  }
}
