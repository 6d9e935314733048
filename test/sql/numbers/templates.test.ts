import { afterAll, beforeAll, test } from 'vitest';
import { numberToChar } from '../../../src/sql/functions/numeric/number-to-char.ts';
import { numberFromText } from '../../../src/sql/functions/numeric/to-number.ts';
import { agree, callCase, findFunction, matchesCatalog, type Comparison } from './declared.ts';
import { Oracle, seeded } from './oracle.ts';

const MODULES = [numberToChar, numberFromText];

let oracle: Oracle;
beforeAll(async () => {
  oracle = await Oracle.start();
}, 60_000);
afterAll(() => oracle.close());

const random = seeded(Number(process.env.SEED ?? 17));
const int = (limit: number): number => Math.floor(random() * limit);
const pick = <T>(list: readonly T[]): T => list[int(list.length)] as T;

const TEMPLATES = [
  '9', '99', '999', '9999', '99999', '0', '00', '000', '0999', '9990', '9,999', '9G999', '9,999.99', '9G999D99', '99.99', '0.99', '9.9', '9.00', '.99', '.9', '9.', '99.0', '90.9',
  'S99', '99S', 'S9.9', '9.9S', 'MI99', '99MI', '9.9MI', 'PL99', '99PL', 'SG99', '99SG', '99PR', '9.9PR', 'FM99', 'FM9.99', 'FM90.99', 'FM999.990', 'FM99.00', 'FM9,999.99', 'FM99S', 'FMS99', 'FM99MI', 'FM99PR', 'FM0999',
  '99th', '99TH', 'FM99th', '999.9th', 'RN', 'FMRN', 'rn', 'FMrn', '9V99', '99V9', '99V', '9.9EEEE', '9.999EEEE', '9EEEE', '0.00EEEE', 'L99', '99L', 'B99', 'B0', '"x"99"y"', '99 "a\\"b"', 'abc 99', '99 é', '\\"99', '99-99', '(999) 999',
  '', '9.9.9', 'S9S', 'S9MI', 'PR9', '9PR9', '9V.9', '.9V', 'EEEE9', 'FM9EEEE', 'RN9', '9RN', 'RNRN', 'FM', 'S', 'x', 'D99', '0D0', '00G000', '0,000.0', '099.9', '9909', 'C99', 'SP99', 'SG9.9', 'PL9.9', '9.9PL', '9.9SG', '0V9', '9V0',
]; // prettier-ignore

const VALUES: Record<string, string[]> = {
  int4: ['0', '1', '-1', '12', '-12', '485', '3999', '4000', '11', '2', '3', '101', '111', '2147483647', '-2147483648', '1234'],
  int8: ['0', '5', '-7', '1234567', '9223372036854775807', '-9223372036854775808', '21'],
  numeric: ['0', '0.1', '-0.1', '0.5', '1.5', '2.5', '-2.5', '12.345', '-12.345', '1234.5678', '99.99', '9.99', '9.999', '0.001', '-0.001', '1e10', 'NaN', 'Infinity', '-Infinity', '3.7', '0.00', '1234567.891', '100', '0.05'],
  float8: ['0', '-0', '0.1', '-0.1', '0.5', '1.5', '2.5', '-2.5', '12.345', '1234.5678', '99.995', '1e10', '1e20', '123456789012345.678', 'NaN', 'Infinity', '-Infinity', '1e-5', '0.125', '100'],
  float4: ['0', '0.1', '-0.5', '2.5', '12.345', '123456.7', '1234567', '1e10', 'NaN', 'Infinity', '-Infinity', '99.99', '1e-5'],
}; // prettier-ignore

test('functions are those of the catalog', async () => {
  await matchesCatalog(oracle, MODULES);
});

test('to_char', async () => {
  const cases: Comparison[] = [];
  for (const [type, values] of Object.entries(VALUES)) {
    const declared = findFunction(MODULES, 'to_char', [type, 'text']);
    for (const template of TEMPLATES)
      for (const text of values)
        cases.push(
          callCase(declared, [
            { type, text },
            { type: 'text', text: template },
          ]),
        );
  }
  const parts = ['9', '9', '0', ',', '.', 'D', 'G', 'FM', 'S', 'MI', 'PL', 'PR', 'SG', 'V', 'th', 'L', 'x', 'B'];
  for (let i = 0; i < 3000; i++) {
    let template = '';
    for (let count = 1 + int(7); count > 0; count--) template += pick(parts);
    const type = pick(['numeric', 'int4', 'float8']);
    cases.push(
      callCase(findFunction(MODULES, 'to_char', [type, 'text']), [
        { type, text: pick(VALUES[type] as string[]) },
        { type: 'text', text: template },
      ]),
    );
  }
  await agree(oracle, cases);
});

test('to_number', async () => {
  const cases: Comparison[] = [];
  const declared = findFunction(MODULES, 'to_number', ['text', 'text']);
  const inputs = ['12', '-12', '+12', '12-', '12+', '1,234', '1,234.56', '12,454.8-', '<12>', ' 12', '1 2', '12.5', '.5', '5.', '-.5', '$12', '12th', 'abc', '', '12.345', '123456', 'XII', 'mcmxc', 'IIII', '-1.5', '1.5-', '0012', '12 34', 'é12', '(12)', '--1', '1-2']; // prettier-ignore
  // V divides by a power of ten, whose digits after the point are those of Postgres 15: 18 shows more.
  for (const template of TEMPLATES.filter((each) => !each.includes('V')))
    for (const input of inputs)
      cases.push(
        callCase(declared, [
          { type: 'text', text: input },
          { type: 'text', text: template },
        ]),
      );
  await agree(oracle, cases);
});
