/**
 * Shows a view with ink: inline, as the last lines of the screen, or on the terminal's alternate screen. Each view uses an
 * ink instance of its own, since ink counts the lines that it has to erase.
 */
import { PassThrough } from 'node:stream';
import { Box, render, Text, useCursor } from 'ink';
import { createElement as h, type ReactElement, useEffect, useReducer } from 'react';
import { columnsOf, rowsOf, type Terminal } from './terminal.ts';
import type { View } from './view.ts';

const OTHER_SCREEN = '\x1b[?1049h\x1b[2J\x1b[H';
const BACK = '\x1b[?1049l';
const CLEAR = '\x1b[2J\x1b[H';

/** Keys arrive through the keyboard, so ink reads nothing. */
function noInput(): NodeJS.ReadStream {
  return new PassThrough() as unknown as NodeJS.ReadStream;
}

/** Draws a view at the terminal's size minus one line: a frame as high as the screen makes ink clear the scrollback. */
export function Frame({ view, stdout, full }: { view: View<never>; stdout: NodeJS.WriteStream; full: boolean }): ReactElement {
  const [, draw] = useReducer((count: number) => count + 1, 0);
  const { setCursorPosition } = useCursor();
  useEffect(() => {
    view.draw = draw;
    const resized = (): void => {
      if (full) stdout.write(CLEAR);
      draw();
    };
    stdout.on('resize', resized);
    view.start();
    return () => {
      stdout.off('resize', resized);
      view.draw = () => {};
      view.end();
    };
  }, [view, stdout, full]);
  const lines = view.lines(columnsOf(stdout), rowsOf(stdout) - 1);
  setCursorPosition(view.cursor ?? undefined);
  return h(
    Box,
    { flexDirection: 'column' },
    // An empty text would take no line.
    ...lines.map((line, i) => h(Text, { key: i, wrap: 'truncate-end' }, line === '' ? ' ' : line)),
  );
}

export async function showView<Result>(terminal: Terminal, view: View<Result>, { full = false }: { full?: boolean } = {}): Promise<Result> {
  const { stdout, keyboard } = terminal;
  if (full) stdout.write(OTHER_SCREEN);
  let unlisten = (): void => {};
  let over = false;
  try {
    view.keep = (key) => keyboard.keep(key);
    const result = new Promise<Result>((resolve, reject) => {
      view.finish = (value) => {
        over = true;
        resolve(value);
      };
      view.fail = (error) => {
        over = true;
        reject(error);
      };
    });
    const ink = render(h(Frame, { view: view as View<never>, stdout, full }), {
      stdout,
      stdin: noInput(),
      exitOnCtrlC: false,
      patchConsole: false,
      maxFps: 60,
    });
    // Keys after the one that ends the view are for the next.
    unlisten = keyboard.listen((key) => (over ? keyboard.keep(key) : view.key(key)), view.only);
    try {
      return await result;
    } finally {
      unlisten();
      // The last frame is drawn whole, with the cursor after it.
      view.cursor = null;
      ink.rerender(h(Frame, { view: view as View<never>, stdout, full }));
      // Asked for before: what ink lays on the process for it is taken away again when the view goes.
      const gone = ink.waitUntilExit();
      ink.unmount();
      await gone;
      // Ink draws a frame without lines as an empty line.
      if (!full && view.lines(columnsOf(stdout), rowsOf(stdout) - 1).length === 0) stdout.write('\x1b[1A');
    }
  } finally {
    if (full) stdout.write(BACK);
  }
}
