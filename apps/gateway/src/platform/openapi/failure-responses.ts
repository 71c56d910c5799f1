import { errorCatalogue, ServiceError, type ErrorReason } from '@rtms/contracts';
import { exampleBody, failureMeanings } from './failure-meanings.js';
import type { JsonSchema } from './json-schema.js';
import type { Credential } from './operations.js';
import { headerReferences, reference } from './parameters.js';

interface RequestTraits {
  hasAction: boolean;
  hasBody: boolean;
  credential: Credential;
  isRepeatable: boolean;
  /** Errors of the handlers. */
  own: readonly ErrorReason[];
}

/** The dashboard's page sends a cookie instead of a key, also to `/v1` and `/admin/v1`. */
const byCookie: readonly ErrorReason[] = [
  'origin_not_allowed',
  'csrf_token_missing',
  'confirmation_required',
  'account_disabled',
];

const ofCredential: Readonly<Record<Credential, readonly ErrorReason[]>> = {
  key: [
    ...(['invalid_credentials', 'key_expired', 'key_revoked', 'key_disabled', 'account_disabled'] as const),
    ...(['sub_user_disabled', 'origin_not_allowed', 'operation_not_granted', 'not_permitted'] as const),
    ...byCookie,
  ],
  administrator: ['invalid_credentials', ...byCookie],
  session: ['invalid_credentials', 'not_permitted', ...byCookie],
  none: [],
};

function reasonsFor({ hasAction, hasBody, credential, isRepeatable, own }: RequestTraits): Set<ErrorReason> {
  return new Set<ErrorReason>([
    ...(['invalid_request', 'headers_too_large', 'request_timeout', 'method_not_allowed', 'not_found'] as const),
    ...(['rate_limited', 'dependency_unavailable', 'internal_error'] as const),
    ...(hasAction ? (['unknown_action'] as const) : []),
    ...(hasBody ? (['unknown_field', 'malformed_json', 'body_too_large', 'unsupported_media_type'] as const) : []),
    ...ofCredential[credential],
    ...(isRepeatable
      ? (['idempotency_key_reused', 'idempotency_key_in_use', 'idempotency_outcome_unknown'] as const)
      : []),
    ...own,
  ]);
}

export function failureResponses(traits: RequestTraits): Record<string, object> {
  return responsesOf([...reasonsFor(traits)]);
}

/** One response for each status. */
export function responsesOf(reasons: readonly ErrorReason[]): Record<string, object> {
  const statusOf = (reason: ErrorReason) => new ServiceError(reason, '').status;
  const statuses = [...new Set(reasons.map(statusOf))].sort((one, other) => one - other);
  return Object.fromEntries(
    statuses.map(status => [
      String(status),
      failureResponse(
        status,
        reasons.filter(reason => statusOf(reason) === status),
      ),
    ]),
  );
}

const ownHeaders: Readonly<Record<number, string>> = {
  401: 'WWW-Authenticate',
  405: 'Allow',
  429: 'Retry-After',
  503: 'Retry-After',
};

function failureResponse(status: number, reasons: readonly ErrorReason[]): object {
  const schema = {
    allOf: [reference('schemas', 'Failure')],
    properties: {
      code: { enum: codesOf(reasons) },
      reason: { enum: reasonsOf(reasons) },
    },
  };
  const examples = Object.fromEntries(reasons.map(reason => [reason, reference('examples', reason)]));
  return {
    description: `${statusPhrases[status] ?? 'Error'}: ${reasons.map(reason => failureMeanings[reason]).join(' ')}`,
    headers: headerReferences(['X-Request-Id', ownHeaders[status] ?? []].flat()),
    content: { 'application/json': { schema, examples } },
  };
}

/** As bodies show them: two entries of the catalogue share a reason. */
function reasonsOf(entries: readonly ErrorReason[]): unknown[] {
  return [...new Set(entries.map(entry => exampleBody(entry).reason))];
}

function codesOf(entries: readonly ErrorReason[]): string[] {
  return [...new Set(entries.map(entry => exampleBody(entry).code))];
}

const reasons = Object.keys(errorCatalogue) as ErrorReason[];

export const failureSchema: JsonSchema = {
  type: 'object',
  description: 'The body of every failure. Branch on `code` and `reason`; the text of `error` may change.',
  properties: {
    success: { type: 'boolean', const: false, description: '`false` in every failure.', examples: [false] },
    error: {
      type: 'string',
      description: 'Text that may be shown to a user.',
      examples: ['duration must be a whole number of minutes from 1 to 1440.'],
    },
    code: {
      type: 'string',
      description: 'Kind of failure, with its own HTTP status.',
      enum: codesOf(reasons),
      examples: ['BAD_REQUEST'],
    },
    reason: {
      type: 'string',
      description: 'Exact cause of the failure.',
      enum: reasonsOf(reasons),
      examples: ['invalid_request'],
    },
  },
  required: ['success', 'error', 'code'],
};

export const statusPhrases: Readonly<Record<number, string>> = {
  200: 'OK',
  201: 'Created',
  400: 'Bad request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not found',
  405: 'Method not allowed',
  408: 'Request timeout',
  409: 'Conflict with the current state',
  413: 'Request body too large',
  415: 'Unsupported media type',
  429: 'Too many requests',
  431: 'Request headers too large',
  500: 'Internal server error',
  503: 'Service unavailable',
};
