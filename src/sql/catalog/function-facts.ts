/** The attributes in CREATE FUNCTION, as pg_get_functiondef prints them (ruleutils.c). */
import type { FunctionObject } from '../../worlds/definition.ts';

/** Default cost of functions that are not compiled. */
const COST = 100;
export const ROWS = 1000;

/** The default cost of a call. */
export function costOf({ language, aggregate }: FunctionObject): number {
  return language === 'internal' || aggregate !== undefined ? 1 : COST;
}

/** Settings whose names have capitals. */
const SPELLED: ReadonlyMap<string, string> = new Map(['TimeZone', 'DateStyle', 'IntervalStyle'].map((name) => [name.toLowerCase(), name]));
/** List settings of names, each quoted separately. */
const LISTS: ReadonlySet<string> = new Set(['search_path', 'temp_tablespaces', 'local_preload_libraries', 'session_preload_libraries']);

export function settingName(name: string): string {
  return SPELLED.get(name) ?? name;
}

/** The lines between LANGUAGE and the body. */
export function factLines(object: FunctionObject, quoteIdentifier: (name: string) => string): string {
  const { volatility, parallel, strict, definer, leakproof, cost, rows, support, window, settings = [] } = object;
  const words = [
    window === true ? 'WINDOW' : '',
    volatility === 'volatile' ? '' : volatility.toUpperCase(),
    parallel === undefined ? '' : `PARALLEL ${parallel.toUpperCase()}`,
    strict ? 'STRICT' : '',
    definer === true ? 'SECURITY DEFINER' : '',
    leakproof === true ? 'LEAKPROOF' : '',
    cost === undefined || cost === costOf(object) ? '' : `COST ${cost}`,
    rows === undefined || rows === ROWS ? '' : `ROWS ${rows}`,
    support === undefined ? '' : `SUPPORT ${support}`,
  ].filter((word) => word !== '');
  const lines = words.length === 0 ? [] : [words.join(' ')];
  for (const { name, value } of settings) lines.push(`SET ${quoteIdentifier(settingName(name))} TO ${settingText(name, value)}`);
  return lines.map((line) => ` ${line}\n`).join('');
}

function settingText(name: string, value: string): string {
  const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;
  if (!LISTS.has(name)) return literal(value);
  const names = value.match(/"(?:[^"]|"")*"|[^\s,][^,]*/g) ?? [];
  if (names.length === 0) return "''";
  return names.map((each) => literal(each.startsWith('"') ? each.slice(1, -1).replaceAll('""', '"') : each.trim())).join(', ');
}
