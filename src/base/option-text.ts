/** Options as stored in catalogs: `name=value`. Names have no `=`. */
export function optionParts(option: string): [name: string, value: string] {
  const at = option.indexOf('=');
  return [option.slice(0, at), option.slice(at + 1)];
}
