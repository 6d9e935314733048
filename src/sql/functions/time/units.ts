/** Names of units for `extract`, `date_part` and `date_trunc`, and what is wrong with one. */
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
/** Texts come from users, so what is remembered of them has a limit. */
const TEXTS_REMEMBERED_MAX = 1000;

/** Of `extract` and `date_part`. `reserved` says that words like `now` are no unknown units, but unsupported ones. */
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

/** Of `date_trunc`, which knows only the words that intervals have. */
export function truncationUnitOf(text: string, type: TimeTypeName): Unit {
  // Texts as people write them are found at once; the rest costs a change of case.
  const word = intervalWord(text) ?? intervalWord(lowerUnit(text));
  if (word?.kind !== 'unit') throw unknownUnit(text, type);
  return word.value;
}

function unknownUnit(text: string, type: TimeTypeName): SvcError {
  return new SvcError('22023', `unit "${lowerUnit(text)}" not recognized for type ${TITLES[type]}`);
}

/** Lower case as identifiers get it: ASCII letters only, 63 bytes. */
function lowerUnit(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()).slice(0, 63);
}

export function unsupportedUnit(text: string, type: TimeTypeName, detail?: string): SvcError {
  return new SvcError('0A000', `unit "${lowerUnit(text)}" not supported for type ${TITLES[type]}`, detail === undefined ? {} : { detail });
}
