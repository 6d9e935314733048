/** Numbers of worlds and events as texts that sort as the numbers do. The width is stored in folders and never changes. */
const DIGITS = 15;

export function numberKey(number: number): string {
  return String(number).padStart(DIGITS, '0');
}
