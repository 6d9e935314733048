/** What tools for models say of their operations' fields is about fields that there are. */
import { expect, test } from 'vitest';
import { acceptedInput, withoutAliases } from '../../src/operations/field-aliases.ts';
import { listedFor, modelToolsOf } from '../../src/operations/model-tool.ts';
import { OPERATIONS, operationByName } from '../../src/operations/table.ts';

const propertiesOf = (schema: unknown): string[] => Object.keys((schema as { properties: object }).properties);

test('every field that a tool shows, describes, requires or fixes is one of its operation', () => {
  const wrong: string[] = [];
  let tools = 0;
  for (const operation of OPERATIONS) {
    const known = propertiesOf(acceptedInput(operation));
    for (const tool of modelToolsOf(operation)) {
      tools++;
      const shown = tool.fields ?? propertiesOf(operation.input);
      for (const field of [...shown, ...Object.keys(tool.fixed ?? {})]) if (!known.includes(field)) wrong.push(`${operation.name}: ${field}`);
      for (const field of [...Object.keys(tool.words ?? {}), ...Object.keys(tool.shown ?? {}), ...(tool.required ?? []), ...(tool.bounded ?? [])])
        if (!shown.includes(field)) wrong.push(`${operation.name}: ${field} is not shown`);
    }
  }
  expect(tools).toBe(30);
  expect(wrong).toEqual([]);
});

test('second names are names of fields, and no field has their names', () => {
  for (const operation of OPERATIONS) {
    const fields = propertiesOf(operation.input);
    for (const [alias, field] of Object.entries(operation.fieldAliases ?? {})) {
      expect([operation.name, alias, fields.includes(field), fields.includes(alias)]).toEqual([operation.name, alias, true, false]);
    }
  }
  const merge = operationByName('merge')!;
  expect(withoutAliases(merge, { branch: 'b', by_columns: true, rows: { 'a/b': 'ours' } })).toEqual({ branch: 'b', columns: true, picks: { 'a/b': 'ours' } });
  expect(() => withoutAliases(merge, { branch: 'b', by_columns: true, columns: true })).toThrow(/both are given/);
  const given = { branch: 'b' };
  expect(withoutAliases(merge, given)).toBe(given);
});

test.each([
  ['get', { some: ['read'], all: [] }],
  ['put', { some: ['write_own', 'write', 'write_main'], all: [] }],
  ['rebase', { some: ['write_own', 'write'], all: [] }],
  ['merge', { some: ['merge', 'merge_own'], all: [] }],
  ['undo_merge', { some: ['restore'], all: ['merge'] }],
  ['fork', { some: ['fork'], all: [] }],
  ['set_merge_policy', { some: ['admin'], all: [] }],
])('%s is listed for those who may call it', (name, needs) => {
  const operation = operationByName(name)!;
  expect(listedFor(operation, modelToolsOf(operation)[0])).toEqual(needs);
});

test('a dry run is for those who read', () => {
  const merge = operationByName('merge')!;
  expect(listedFor(merge, modelToolsOf(merge)[1])).toEqual({ some: ['read'], all: [] });
});
