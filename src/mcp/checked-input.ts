/** Validates arguments of a tool call against its schema: the error names the first wrong field, and for an unknown one the nearest known. */
import { Errors } from 'typebox/value';
import { SvcError } from '../base/errors/svc-error.ts';
import { nearestName } from '../base/nearest-name.ts';
import { withPlainNumbers } from '../operations/exact-input.ts';
import type { Tool } from './tool.ts';

/** Patterns in words. */
const PATTERNS: Readonly<Record<string, string>> = {
  '^\\S+$': 'must not be empty, and has no white space',
  '^[^/]+/': 'must be `<table>/<id>`',
  '^[A-Za-z0-9_-]{1,128}$': 'takes letters, digits, `_` and `-`',
};

export function checkedInput(tool: Tool, given: unknown): Record<string, unknown> {
  // Arrays would pass as objects.
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new SvcError('22023', `${tool.name}: the arguments must be an object`, { hint: 'Send it as JSON, not as text that holds JSON.' });
  }
  withPlainNumbers(tool.input, given);
  const faults = Errors(tool.input, given);
  const [wrong] = faults;
  if (wrong === undefined) return given as Record<string, unknown>;
  const { instancePath, message, params } = wrong as { instancePath: string; message: string; params?: Record<string, unknown> };
  const known = Object.keys((tool.input as { properties?: object }).properties ?? {});
  const all = known.length === 0 ? 'It takes no parameters.' : `Parameters: ${known.join(', ')}.`;
  const unknown = Object.keys(given).find((field) => !known.includes(field));
  if (unknown !== undefined) {
    const field = unknown.slice(0, 60);
    const near = nearestName(field, known);
    throw new SvcError('22023', `${tool.name}: there is no parameter \`${field}\``, { hint: `${near === null ? '' : `Did you mean \`${near}\`? `}${all}` });
  }
  const missing = params?.['requiredProperties'];
  if (missing !== undefined) throw new SvcError('22023', `${tool.name}: \`${String(missing)}\` is missing`, { hint: all });
  const field = instancePath === '' ? '' : `\`${instancePath.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~')}\` `;
  // For a union each alternative is a fault of its own; only together they say what is allowed.
  const here = (faults as readonly { instancePath: string; keyword: string; params: Record<string, unknown> }[]).filter(
    (fault) => fault.instancePath === instancePath,
  );
  if (here.some(({ keyword }) => keyword === 'anyOf' || keyword === 'const')) {
    const allowed = here.flatMap(({ keyword, params: of }) =>
      keyword === 'const' ? [JSON.stringify(of['allowedValue'])] : keyword === 'type' && of['type'] !== 'string' ? [String(of['type'])] : [],
    );
    throw new SvcError('22023', `${tool.name}: ${field}must be one of ${[...new Set(allowed)].join(', ')}`, { hint: all });
  }
  throw new SvcError('22023', `${tool.name}: ${field}${PATTERNS[String(params?.['pattern'])] ?? message}`, { hint: all });
}
