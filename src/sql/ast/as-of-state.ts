/** The state in the text after AS OF, or AS OF WORLD: `when`, or `world[@when]`. */
export function stateNamed(text: string, inWorld: boolean): { world: string | null; when: string | null } {
  if (!inWorld) return { world: null, when: text };
  const mark = text.indexOf('@');
  return mark < 0 ? { world: text, when: null } : { world: text.slice(0, mark), when: text.slice(mark + 1) };
}
