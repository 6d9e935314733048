/**
 * Values of settings by their kind, as Postgres parses and shows them (manual, section 20.1): units of memory and time, ranges, enum
 * values. Each parser gives the canonical text or throws 22023; null means a value that is refused without a hint.
 */
import { SvcError } from '../../base/errors/svc-error.ts';

/** The pg_settings row of a setting. */
export interface SettingFacts {
  readonly name: string;
  readonly unit: string;
  readonly context: string;
  readonly type: string;
  readonly min: string;
  readonly max: string;
  readonly values: string;
  readonly standard: string | null;
}

export type Accept = (value: string) => string | null;

const MEMORY: readonly (readonly [string, number])[] = [
  ['TB', 1024 ** 4],
  ['GB', 1024 ** 3],
  ['MB', 1024 ** 2],
  ['kB', 1024],
  ['B', 1],
];
const TIME: readonly (readonly [string, number])[] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
  ['ms', 1],
  ['us', 0.001],
];
const BLOCK = /^(\d+)kB$/;

/** The setting's own unit in bytes or milliseconds, and the units that its values may have. */
function scaleOf(unit: string): { readonly size: number; readonly units: readonly (readonly [string, number])[] } | null {
  if (unit === '') return null;
  const time = TIME.find(([name]) => name === unit);
  if (time !== undefined) return { size: time[1], units: TIME };
  const blocks = BLOCK.exec(unit);
  return { size: blocks === null ? MEMORY.find(([name]) => name === unit)![1] : Number(blocks[1]) * 1024, units: MEMORY };
}

function invalid(name: string, value: string, hint?: string): SvcError {
  return new SvcError('22023', `invalid value for parameter "${name}": "${value}"`, hint === undefined ? {} : { hint });
}

/** As C's %g prints: six digits. */
function general(value: number): string {
  if (value === 0 || !Number.isFinite(value)) return String(value);
  const exponent = Math.floor(Math.log10(Math.abs(value)));
  if (exponent >= -5 && exponent < 6) return String(Number(value.toPrecision(6)));
  const [digits, power] = value.toExponential(5).split('e');
  return `${String(Number(digits))}e${power.startsWith('-') ? '-' : '+'}${power.slice(1).padStart(2, '0')}`;
}

function inOwnUnit(facts: SettingFacts, value: string): number {
  const found = /^\s*([+-]?(?:0x[0-9a-f]+|\d+\.?\d*(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?))\s*([a-z]*)\s*$/i.exec(value);
  if (found === null) throw invalid(facts.name, value, scaleOf(facts.unit) !== null && /^\s*[+-]?[\d.]/.test(value) ? unitHint(facts.unit) : undefined);
  const [, digits, unit] = found;
  const number = /0x/i.test(digits) ? Number(digits.replace(/^[+-]/, '')) * (digits.startsWith('-') ? -1 : 1) : Number(digits);
  if (unit === '') return number;
  const scale = scaleOf(facts.unit);
  if (scale === null) throw invalid(facts.name, value);
  const size = scale.units.find(([name]) => name === unit)?.[1];
  if (size === undefined) throw invalid(facts.name, value, unitHint(facts.unit));
  return (number * size) / scale.size;
}

function unitHint(unit: string): string {
  return scaleOf(unit)!.units === MEMORY
    ? 'Valid units for this parameter are "B", "kB", "MB", "GB", and "TB".'
    : 'Valid units for this parameter are "us", "ms", "s", "min", "h", and "d".';
}

/** In the largest unit that divides the value. */
function shown(value: number, unit: string): string {
  const scale = scaleOf(unit);
  if (scale === null || value <= 0) return general6(value);
  const total = value * scale.size;
  for (const [name, size] of scale.units) {
    const count = total / size;
    if (Math.abs(count - Math.round(count)) <= 1e-8 * count && Math.round(count) >= 1) return `${Math.round(count)}${name}`;
  }
  return `${general6(value)}${unit}`;
}
function general6(value: number): string {
  return Number.isInteger(value) ? String(value) : general(value);
}

function outside(facts: SettingFacts, value: string): SvcError {
  const unit = facts.unit === '' ? '' : ` ${facts.unit}`;
  return new SvcError('22023', `${value}${unit} is outside the valid range for parameter "${facts.name}" (${facts.min} .. ${facts.max})`);
}

function number(facts: SettingFacts): Accept {
  const whole = facts.type === 'integer';
  return (value) => {
    const own = inOwnUnit(facts, value);
    if (Number.isNaN(own)) throw invalid(facts.name, value);
    const rounded = whole ? roundToEven(own) : own;
    if (whole && Math.abs(rounded) > 2147483648) throw invalid(facts.name, value, 'Value exceeds integer range.');
    if (rounded < Number(facts.min) || rounded > Number(facts.max)) throw outside(facts, general6(rounded));
    return shown(rounded, facts.unit);
  };
}

function roundToEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  return rest < 0.5 || (rest === 0.5 && floor % 2 === 0) ? floor : floor + 1;
}

/** `on`, `off` or null: any unambiguous prefix of true, false, yes and no counts. */
export function bool(value: string): string | null {
  const text = value.trim().toLowerCase();
  if (text === '') return null;
  if ('true'.startsWith(text) || 'yes'.startsWith(text) || text === 'on' || text === '1') return 'on';
  if ('false'.startsWith(text) || 'no'.startsWith(text) || text === 'of' || text === 'off' || text === '0') return 'off';
  return null;
}

export function choice(facts: Pick<SettingFacts, 'name' | 'values'>): Accept {
  const values = facts.values.split(',').map((each) => each.replace(/^"|"$/g, ''));
  const switches = values.includes('on') && values.includes('off');
  const debugs = values.includes('debug2');
  return (value) => {
    const text = value.toLowerCase();
    const found = values.find((each) => each.toLowerCase() === text);
    if (found !== undefined) return found;
    if (switches && ['true', 'yes', '1'].includes(text)) return 'on';
    if (switches && ['false', 'no', '0'].includes(text)) return 'off';
    if (debugs && text === 'debug') return 'debug2';
    // With the name as written in SET.
    throw invalid(facts.name.toLowerCase(), value, `Available values: ${values.join(', ')}.`);
  };
}

/** The parser for values of a setting, by its kind. */
export function acceptOf(facts: SettingFacts): Accept {
  switch (facts.type) {
    case 'bool':
      return bool;
    case 'integer':
    case 'real':
      return number(facts);
    case 'enum':
      return choice(facts);
    default:
      return (value) => value;
  }
}

/** A value in the setting's own unit, as in pg_settings, in the form of SHOW. */
export function shownStandard(facts: SettingFacts): string {
  const { standard } = facts;
  if (standard === null) return '';
  return facts.type === 'integer' || facts.type === 'real' ? shown(Number(standard), facts.unit) : standard;
}
