import { errorCatalogue, ServiceError, type ErrorReason } from '@rtms/contracts';
import { exampleBody, failureMeanings } from './failure-meanings.js';
import type { JsonSchema } from './rule-schemas.js';

/** What any request may meet, whoever asks for what. */
const everywhere: readonly ErrorReason[] = [
  'invalid_request',
  'headers_too_large',
  'request_timeout',
  'method_not_allowed',
  'not_found',
  'rate_limited',
  'dependency_unavailable',
  'internal_error',
];
const withAction: readonly ErrorReason[] = ['unknown_action'];
const withBody: readonly ErrorReason[] = [
  'unknown_field',
  'malformed_json',
  'body_too_large',
  'unsupported_media_type',
];
const withKey: readonly ErrorReason[] = [
  'invalid_credentials',
  'key_expired',
  'key_revoked',
  'key_disabled',
  'account_disabled',
  'sub_user_disabled',
  'origin_not_allowed',
  'operation_not_granted',
];
/** Of the dashboard's page, which sends a cookie in place of a key. */
const byCookie: readonly ErrorReason[] = [
  'origin_not_allowed',
  'csrf_token_missing',
  'confirmation_required',
  'account_disabled',
];
const withSession: readonly ErrorReason[] = ['invalid_credentials', 'not_permitted', ...byCookie];
const withIdempotencyKey: readonly ErrorReason[] = [
  'idempotency_key_reused',
  'idempotency_key_in_use',
  'idempotency_outcome_unknown',
];

/** `/v1`: an account's key; `/admin`: the administrator's token; `/dashboard/api`: the cookie; none: open to all. */
export type CredentialKind = 'key' | 'administrator' | 'session' | 'none';

export interface FailureTraits {
  hasAction: boolean;
  hasBody: boolean;
  credential: CredentialKind;
  isRepeatable: boolean;
  own: readonly ErrorReason[];
}

export function reasonsFor({ hasAction, hasBody, credential, isRepeatable, own }: FailureTraits): ErrorReason[] {
  const reasons = [
    ...everywhere,
    ...(hasAction ? withAction : []),
    ...(hasBody ? withBody : []),
    ...(credential === 'key' ? [...withKey, 'not_permitted' as const] : []),
    ...(credential === 'administrator' ? (['invalid_credentials'] as const) : []),
    ...(credential === 'session' ? withSession : []),
    ...(credential === 'key' || credential === 'administrator' ? byCookie : []),
    ...(isRepeatable ? withIdempotencyKey : []),
    ...own,
  ];
  return [...new Set(reasons)];
}

/** One response for each status, which lists its reasons. */
export function failureResponses(reasons: readonly ErrorReason[]): Record<string, object> {
  const byStatus = new Map<number, ErrorReason[]>();
  for (const reason of reasons) {
    const { status } = new ServiceError(reason, '');
    byStatus.set(status, [...(byStatus.get(status) ?? []), reason]);
  }
  const sorted = [...byStatus].sort(([one], [other]) => one - other);
  return Object.fromEntries(sorted.map(([status, of]) => [String(status), failureResponse(status, of)]));
}

function failureResponse(status: number, reasons: readonly ErrorReason[]): object {
  const bodies = reasons.map(exampleBody);
  const schema = {
    allOf: [{ $ref: '#/components/schemas/Failure' }],
    properties: {
      code: { enum: [...new Set(bodies.map(({ code }) => code))] },
      reason: { enum: [...new Set(bodies.map(({ reason }) => reason))] },
    },
  };
  const examples = Object.fromEntries(reasons.map(reason => [reason, { $ref: `#/components/examples/${reason}` }]));
  return {
    description: `${statusNames[status] ?? 'Refused'}: ${reasons.map(reason => failureMeanings[reason]).join(' ')}`,
    headers: headersOf(status),
    content: { 'application/json': { schema, examples } },
  };
}

const requestIDHeader = { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } };

function headersOf(status: number): object {
  const header = (name: string) => ({ [name]: { $ref: `#/components/headers/${name}` } });
  return {
    ...requestIDHeader,
    ...(status === 401 && header('WWW-Authenticate')),
    ...(status === 405 && header('Allow')),
    ...((status === 429 || status === 503) && header('Retry-After')),
  };
}

export const failureSchema: JsonSchema = {
  type: 'object',
  description: 'The body of every failure. Branch on `code` and `reason`; the text of `error` may change.',
  properties: {
    success: { type: 'boolean', const: false, examples: [false] },
    error: {
      type: 'string',
      description: 'Safe to show to a user.',
      examples: ['Duration must be a whole number of minutes from 1 to 1440.'],
    },
    code: { type: 'string', enum: [...new Set(catalogue().map(({ code }) => code))], examples: ['BAD_REQUEST'] },
    reason: {
      type: 'string',
      description: 'Which case of the code this is.',
      enum: [...new Set(catalogue().map(({ reason }) => reason))],
      examples: ['invalid_request'],
    },
  },
  required: ['success', 'error', 'code'],
};

function catalogue() {
  return (Object.keys(errorCatalogue) as ErrorReason[]).map(exampleBody);
}

const statusNames: Readonly<Record<number, string>> = {
  400: 'Not understood',
  401: 'Not known',
  403: 'Not allowed',
  404: 'Not there',
  405: 'No such method',
  408: 'Too slow',
  409: 'Clashes with what is',
  413: 'Too large',
  415: 'Not JSON',
  429: 'Too many requests',
  431: 'Headers too large',
  500: 'A fault of ours',
  503: 'Not now',
};
