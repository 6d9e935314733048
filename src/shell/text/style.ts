/** Colours and weights of text; without colours every function returns its text unchanged. */

export type Paint = (text: string) => string;

export interface Style {
  readonly coloured: boolean;
  readonly bold: Paint;
  readonly dim: Paint;
  readonly inverse: Paint;
  readonly red: Paint;
  readonly green: Paint;
  readonly yellow: Paint;
  readonly blue: Paint;
  readonly magenta: Paint;
  readonly cyan: Paint;
}

/** The sixteen colours of the terminal's palette, so that the user's theme stays readable. */
function paint(on: number, off: number): Paint {
  return (text) => (text === '' ? '' : `\x1b[${on}m${text}\x1b[${off}m`);
}

const same: Paint = (text) => text;

export const COLOURED: Style = {
  coloured: true,
  bold: paint(1, 22),
  dim: paint(2, 22),
  inverse: paint(7, 27),
  red: paint(31, 39),
  green: paint(32, 39),
  yellow: paint(33, 39),
  blue: paint(34, 39),
  magenta: paint(35, 39),
  cyan: paint(36, 39),
};

/** Reverse video stays: a selection must be visible. */
export const UNCOLOURED: Style = {
  coloured: false,
  bold: same,
  dim: same,
  inverse: COLOURED.inverse,
  red: same,
  green: same,
  yellow: same,
  blue: same,
  magenta: same,
  cyan: same,
};

export const PLAIN: Style = { ...UNCOLOURED, inverse: same };
