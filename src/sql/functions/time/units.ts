/** Names of units for `extract`, `date_part` and `date_trunc`, and their errors. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import { datetimeWord, intervalWord, type Unit } from '../../types/time/datetime-tokens.ts';

const TITLES = {
  date: 'date',
  time: 'time without time zone',
  timetz: 'time with time zone',
  timestamp: 'timestamp without time zone',
  timestamptz: 'timestamp with time zone',
  interval: 'interval',
} as const;

export type TimeTypeName = keyof typeof TITLES;

const unitsByText = new Map<string, Unit>();
/** Texts come from users, so the cache is bounded. */
const TEXTS_REMEMBERED_MAX = 1000;

/** For `extract` and `date_part`. `reserved`: words like `now` are unsupported units rather than unknown ones. */
export function unitOf(text: string, type: TimeTypeName, reserved: boolean): Unit {
  const known = unitsByText.get(text);
  if (known !== undefined) return known;
  const lower = lowerUnit(text);
  const word = intervalWord(lower) ?? datetimeWord(lower);
  if (reserved && word?.kind === 'special' && word.value !== 'epoch') throw unsupportedUnit(text, type);
  const unit = word?.kind === 'unit' ? word.value : word?.kind === 'special' && word.value === 'epoch' ? 'epoch' : null;
  if (unit === null) throw unknownUnit(text, type);
  if (unitsByText.size >= TEXTS_REMEMBERED_MAX) unitsByText.clear();
  unitsByText.set(text, unit);
  return unit;
}

/** For `date_trunc`, which accepts only the words of intervals. */
export function truncationUnitOf(text: string, type: TimeTypeName): Unit {
  // The common spellings are found at once; the rest needs case conversion.
  const word = intervalWord(text) ?? intervalWord(lowerUnit(text));
  if (word?.kind !== 'unit') throw unknownUnit(text, type);
  return word.value;
}

function unknownUnit(text: string, type: TimeTypeName): SvcError {
  return new SvcError('22023', `unit "${lowerUnit(text)}" not recognized for type ${TITLES[type]}`);
}

/** Lower case as for identifiers: ASCII letters only, 63 bytes. */
function lowerUnit(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()).slice(0, 63);
}

export function unsupportedUnit(text: string, type: TimeTypeName, detail?: string): SvcError {
  return new SvcError('0A000', `unit "${lowerUnit(text)}" not supported for type ${TITLES[type]}`, detail === undefined ? {} : { detail });
}
