/** Errors as HTTP: one object, one status, a message that says what to do. */
import { AssertionError } from '../base/assert.ts';
import { rangeRefusal } from '../base/errors/range-error.ts';
import { SvcError } from '../base/errors/svc-error.ts';
import { LIMITS } from '../base/limits.ts';
import * as words from '../operations/input-words.ts';

export interface HttpError {
  status: number;
  body: { error: Record<string, unknown> };
}

/** `bodyBytesMax`: the body limit of the requested route. */
export function httpError(thrown: unknown, bodyBytesMax: number = LIMITS.httpBodyBytesMax): HttpError {
  const error = thrown instanceof RangeError ? (rangeRefusal(thrown) ?? thrown) : thrown;
  if (error instanceof SvcError) {
    const { code, message, detail, hint, position, data, status, context } = error;
    return {
      status,
      body: {
        error: {
          message,
          code,
          ...(detail === undefined ? {} : { detail }),
          ...(hint === undefined ? {} : { hint }),
          ...(position === undefined ? {} : { position }),
          ...(context === null || context.where === '' ? {} : { where: context.where }),
          ...(context === null || context.query === null ? {} : { internal_query: context.query, internal_position: context.position }),
          ...data,
        },
      },
    };
  }
  const { code, statusCode, validation, message } = error as {
    code?: string;
    statusCode?: number;
    validation?: ValidationFault[];
    message?: string;
  };
  if (validation !== undefined) return plain(400, '22023', validationMessage(validation), 'See GET /v1/openapi.json for the fields of each operation.');
  switch (code) {
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
    case 'FST_ERR_CTP_INVALID_CONTENT_TYPE':
      return plain(415, '22023', 'the request must carry Content-Type: application/json', 'Add the header `Content-Type: application/json`.');
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return plain(413, '54000', `the body is larger than ${bodyBytesMax / 1024 / 1024} MB`, 'Send it in several requests.');
    case 'FST_ERR_BAD_URL':
      return plain(400, '08P01', 'the path is not a valid URL', 'Operations are called as POST /v1/<name>.');
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
      return plain(400, '22P02', 'the body is empty; it must be a JSON object', 'Send `{}` where an operation needs no fields.');
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return plain(400, '08P01', 'the body is not as long as Content-Length says', 'Send the right length.');
    default:
  }
  if (error instanceof AssertionError || statusCode === undefined || statusCode >= 500) {
    return plain(500, 'XX000', `internal error: ${message ?? String(error)}`, 'This is a fault of the server; its log has the details.');
  }
  return plain(statusCode, '08P01', message ?? 'bad request');
}

export function plain(status: number, code: string, message: string, hint?: string): HttpError {
  return { status, body: { error: { message, code, ...(hint === undefined ? {} : { hint }) } } };
}

interface ValidationFault {
  instancePath: string;
  keyword: string;
  params: Record<string, unknown>;
  message?: string;
}

/** «field `limit` must be an integer» instead of the schema validator's wording. */
function validationMessage(faults: readonly ValidationFault[]): string {
  const [fault] = faults;
  const path = fault.instancePath.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~');
  const within = (name: unknown): string => `${path === '' ? '' : `${path}.`}${String(name)}`;
  switch (fault.keyword) {
    case 'required':
      return words.isMissing(within(fault.params['missingProperty']));
    case 'additionalProperties':
      return words.isUnknown(within(fault.params['additionalProperty']));
    case 'type':
      return words.mustBeOfType(path, String(fault.params['type']));
    case 'minLength':
      return words.tooFewCharacters(path, Number(fault.params['limit']));
    case 'pattern':
      return words.mustMatch(path, String(fault.params['pattern']));
    case 'anyOf':
    case 'const':
      return words.hasNoneOf(path, allowed(faults));
    default:
      return words.mustBe(path, fault.message?.replace(/^must /, '') ?? 'be valid');
  }
}

function allowed(faults: readonly ValidationFault[]): string[] {
  const values = faults.map(({ keyword, params }) =>
    keyword === 'const' ? JSON.stringify(params['allowedValue']) : keyword === 'type' ? String(params['type']) : null,
  );
  return values.filter((value) => value !== null);
}
