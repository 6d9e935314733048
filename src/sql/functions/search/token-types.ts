/** Token types of the default parser. Manual, section 12.5. */

/** Alias and description by number less one. */
export const TOKEN_TYPES: readonly (readonly [alias: string, description: string])[] = [
  ['asciiword', 'Word, all ASCII'],
  ['word', 'Word, all letters'],
  ['numword', 'Word, letters and digits'],
  ['email', 'Email address'],
  ['url', 'URL'],
  ['host', 'Host'],
  ['sfloat', 'Scientific notation'],
  ['version', 'Version number'],
  ['hword_numpart', 'Hyphenated word part, letters and digits'],
  ['hword_part', 'Hyphenated word part, all letters'],
  ['hword_asciipart', 'Hyphenated word part, all ASCII'],
  ['blank', 'Space symbols'],
  ['tag', 'XML tag'],
  ['protocol', 'Protocol head'],
  ['numhword', 'Hyphenated word, letters and digits'],
  ['asciihword', 'Hyphenated word, all ASCII'],
  ['hword', 'Hyphenated word, all letters'],
  ['url_path', 'URL path'],
  ['file', 'File or path name'],
  ['float', 'Decimal notation'],
  ['int', 'Signed integer'],
  ['uint', 'Unsigned integer'],
  ['entity', 'XML entity'],
];

export function tokenNumber(alias: string): number {
  return TOKEN_TYPES.findIndex(([name]) => name === alias) + 1;
}

export function tokenTypeName(token: number): string {
  return TOKEN_TYPES[token - 1][0];
}
